package sc.fiji.ncc.cpu.execution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.cpu.ncc.CpuDirectExact;
import sc.fiji.ncc.cpu.ncc.CpuDirect;
import sc.fiji.ncc.cpu.ncc.CpuFourier;
import sc.fiji.ncc.cpu.ncc.CpuFourierPartitioned;
import sc.fiji.ncc.fixture.Problems;
import sc.fiji.ncc.plan.SlidingAlgorithm;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.Lags;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Sliding.Correlation;
import sc.fiji.ncc.plan.Weights;

/** The prediction for many threads, of which a small frame keeps few busy. */
class BusyThreadsTest {

	private static Correlation problem(final int side, final int template, final long frames) {
		final int lags = side - template + 1;
		return Problems.correlation(PixelType.U8, PixelType.U8, Size.of(side, side), List.of(Size.of(template, template)), Weights.NONE, Lags.inside(Size.of(lags,
			lags)), frames);
	}

	private static double times(final SlidingAlgorithm<Correlation> a, final Correlation p) {
		final double one = a.plan(p, new Device("one", "one thread", 1, 1L << 32)).cost().seconds(), many = a.plan(p, new Device("many", "16 threads", 16, 1L << 32)).cost().seconds();
		return one / many;
	}

	@Test
	void oneTileIsOneThreadsWork() {
		assertEquals(1, times(new CpuFourierPartitioned(), problem(256, 128, 1)), 1e-6);
	}

	@Test
	void framesUnderWayAreWorkForAll() {
		assertTrue(times(new CpuFourierPartitioned(), problem(1024, 700, 1000)) > 12);
	}

	@Test
	void manyTilesAreWorkForAll() {
		for (final SlidingAlgorithm<Correlation> a : List.of(new CpuDirectExact(), new CpuFourier(), new CpuDirect()))
			assertTrue(times(a, problem(4096, 32, 1)) > 10, a.id());
	}
}
