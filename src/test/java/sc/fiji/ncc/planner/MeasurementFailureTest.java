package sc.fiji.ncc.planner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import sc.fiji.ncc.cpu.CpuBackend;
import sc.fiji.ncc.fixture.FakeDevice;
import sc.fiji.ncc.fixture.Problems;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.Lags;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Sliding.Correlation;
import sc.fiji.ncc.plan.Weights;

/** A candidate for which the heap is too small is left out with this reason, wherever its measurement fails. */
@Timeout(60)
@Tag("slow")
class MeasurementFailureTest {

	private static final Correlation PROBLEM = Problems.correlation(PixelType.U8, PixelType.U8, Size.of(30, 20), List.of(Size.of(4, 5)), Weights.NONE,
		Lags.inside(Size.of(27, 16)), 1);

	@TempDir
	Path folder;

	private void assertLeftOut(final Consumer<FakeDevice> fault) {
		final FakeDevice device = new FakeDevice();
		fault.accept(device);
		final Ranking ranking = new Planner(List.of(device, new CpuBackend(1)), folder.resolve("wisdom.txt")).rank(PROBLEM, Optional.empty(),
			Optional.empty(), Effort.MEASURE, 2, Monitor.NONE);
		assertEquals("cpu", ranking.best().orElseThrow().device().id());
		final String reason = ranking.candidates().stream().filter(c -> c.device().id().equals("fake")).findFirst().orElseThrow().reason();
		assertTrue(reason.contains("failed when it was measured") && reason.contains("increase the heap (-Xmx)"), reason);
		assertEquals(0, device.open.get());
		assertEquals(0, device.inFlight.get());
	}

	@Test
	void aHeapThatIsFullWhenAPlanIsPrepared() {
		assertLeftOut(d -> d.heapIsFull = true);
	}

	@Test
	void aHeapThatIsFullWhenABoxIsSubmitted() {
		assertLeftOut(d -> d.heapIsFullAt = 0);
	}

	@Test
	void aHeapThatIsFullWhenABoxIsComputed() {
		assertLeftOut(d -> d.beforeBox = () -> {
			throw new OutOfMemoryError("Java heap space");
		});
	}
}
