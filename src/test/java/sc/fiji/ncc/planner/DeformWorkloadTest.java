package sc.fiji.ncc.planner;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntFunction;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.cpu.CpuBackend;
import sc.fiji.ncc.cpu.deform.DeformedCells;
import sc.fiji.ncc.plan.Cost;
import sc.fiji.ncc.plan.Deformations;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Plan;
import sc.fiji.ncc.plan.Resampling;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.deform.DeformExecution;
import sc.fiji.ncc.plan.deform.DeformPlan;
import sc.fiji.ncc.plan.deform.DeformReference;
import sc.fiji.ncc.plan.deform.Level;

/** What the planner times of deformations is what the costs of their plans mean. */
class DeformWorkloadTest {

	private static final Deformations PROBLEM = new Deformations(Size.of(64, 64), Size.of(32, 32), 12);

	/** Times a plan that costs nothing. */
	private static void time(final IntFunction<DeformExecution> prepare) {
		Kind.workload(PROBLEM, Long.MAX_VALUE).time(new DeformPlan() {

			@Override
			public Cost cost() {
				return new Cost(0, 0, 0, 0);
			}

			@Override
			public DeformExecution prepare(final int number) {
				return prepare.apply(number);
			}
		}, System::nanoTime, Monitor.NONE);
	}

	/** Costs divide the time of a frame by the threads, each of which has a frame. Timed on all threads, it would be divided twice. */
	@Test
	void oneThreadFitsTheFrameThatIsTimed() {
		final List<Integer> threads = new ArrayList<>();
		time(number -> {
			threads.add(number);
			return new DeformedCells(PROBLEM.of(1), number);
		});
		assertEquals(List.of(1), threads);
	}

	@Test
	void threadsShareFramesAndNotAFrame() {
		assertEquals(seconds(PROBLEM, 1), 4 * seconds(PROBLEM, 4), 1e-12);
		assertEquals(seconds(PROBLEM.of(1), 1), seconds(PROBLEM.of(1), 4), 1e-12);
	}

	private static double seconds(final Deformations problem, final int threads) {
		final CpuBackend cpu = new CpuBackend(threads);
		final Plan plan = cpu.algorithms().stream().filter(a -> a.id().equals("cpu-deform")).findFirst().orElseThrow().planAny(problem, cpu.devices().get(0));
		return plan.cost().seconds();
	}

	/** Large boxes are measured several times, and pixels once. */
	@Test
	void eachLevelIsSummed() {
		final Map<Integer, Integer> sums = new TreeMap<>();
		time(number -> {
			final DeformExecution cells = new DeformedCells(PROBLEM.of(1), number);
			return new DeformExecution() {

				@Override
				public void frame(final float[] values, final boolean coarse) {
					cells.frame(values, coarse);
				}

				@Override
				public float[] deformed(final int level, final double[][] motion) {
					return cells.deformed(level, motion);
				}

				@Override
				public double[][] sums(final int level, final DeformReference reference, final double[][] motion, final boolean exact) {
					sums.merge(level, 1, Integer::sum);
					return cells.sums(level, reference, motion, exact);
				}

				@Override
				public void close() {
					cells.close();
				}
			};
		});
		final int last = Level.of(PROBLEM).size() - 2;
		assertEquals(last + 1, sums.size());
		for (int level = 0; level <= last; level++) assertEquals(level < last ? 3 : 1, sums.get(level), "level " + level);
	}

	/** The time of one frame stands for that of all frames. */
	@Test
	void oneFrameStandsForAll() {
		assertEquals(12, Kind.workload(PROBLEM, Long.MAX_VALUE).ratio());
		assertEquals(7, Kind.workload(new Resampling(PixelType.U16, Size.of(40, 30), 4, false, 7), Long.MAX_VALUE).ratio());
	}
}
