package sc.fiji.ncc.cpu.execution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.List;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.cpu.CpuBackend;
import sc.fiji.ncc.cpu.ncc.CpuDirect;
import sc.fiji.ncc.fixture.Problems;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.Lags;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Sliding;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.plan.Weights;

/** What one execution leaves for the next of the same kind. */
class IdleGroupsTest {

	private static IdleGroups.Kind kind(final String algorithm, final int side, final int threads) {
		final Size lags = Size.of(side - 3, side - 3);
		return new IdleGroups.Kind(algorithm, Problems.correlation(PixelType.F32, PixelType.F32, Size.of(side, side), List.of(Size.of(4, 4)), Weights.NONE,
			Lags.inside(lags), 1), threads, 1L << 30);
	}

	private static Template template(final double first) {
		final double[] values = new double[16];
		values[0] = first;
		return new Template(Size.of(4, 4), PixelType.F32, values, null);
	}

	@Test
	void groupsAreTakenOnceByExecutionsOfTheirKind() {
		IdleGroups.clear();
		final IdleGroups.Kind kind = kind("a", 64, 2);
		final List<Template> templates = List.of(template(1));
		final List<TileGroup> groups = List.of();
		IdleGroups.put(kind, templates, groups);
		for (final IdleGroups.Kind other : List.of(kind("b", 64, 2), kind("a", 65, 2), kind("a", 64, 3))) assertNull(IdleGroups.take(other, templates, false));
		assertNull(IdleGroups.take(kind, List.of(template(1)), true), "equal values, but another template");
		assertSame(groups, IdleGroups.take(kind("a", 64, 2), templates, true));
		assertNull(IdleGroups.take(kind, templates, true), "two executions never share workers");
	}

	@Test
	void otherTemplatesLeaveTheirWorkers() {
		IdleGroups.clear();
		final IdleGroups.Kind kind = kind("a", 64, 2);
		IdleGroups.put(kind, List.of(template(1)), List.of());
		assertNotNull(IdleGroups.take(kind, List.of(template(2)), false));
	}

	/** Each call of an operation takes groups and puts them back. */
	@Test
	void oneReleaseIsPendingAfterAnyNumberOfCalls() {
		IdleGroups.clear();
		final List<Template> templates = List.of(template(1));
		for (int i = 0; i < 100; i++) {
			IdleGroups.put(kind("a", 64, 2), templates, List.of());
			assertNotNull(IdleGroups.take(kind("a", 64, 2), templates, true));
		}
		assertEquals(1, IdleGroups.pending());
	}

	@Test
	void theOldestGroupsAreReleased() {
		IdleGroups.clear();
		final List<Template> templates = List.of(template(1));
		for (int i = 0; i < 10; i++) IdleGroups.put(kind("a", 64 + i, 2), templates, List.of());
		int kept = 0;
		for (int i = 0; i < 10; i++) if (IdleGroups.take(kind("a", 64 + i, 2), templates, true) != null) kept++;
		assertEquals(4, kept);
	}

	@Test
	void onlyManyThreadsKeepTheirMemory() {
		IdleGroups.clear();
		final List<Template> templates = List.of(template(1));
		for (final int threads : new int[] { 1, 4, 5, 16 }) {
			final Device device = new CpuBackend(threads).devices().get(0);
			final Sliding problem = kind("cpu-direct", 64, threads).problem();
			new CpuDirect().planAny(problem, device).prepare(templates).close();
			assertEquals(threads > 4, IdleGroups.take(new IdleGroups.Kind("cpu-direct", problem, threads, device.memory()), templates, true) != null,
				threads + " threads");
		}
	}
}
