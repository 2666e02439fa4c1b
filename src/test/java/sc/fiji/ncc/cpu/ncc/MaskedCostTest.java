package sc.fiji.ncc.cpu.ncc;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.fixture.Problems;
import sc.fiji.ncc.loops.Vectors;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.Lags;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Sliding.Correlation;
import sc.fiji.ncc.plan.SlidingAlgorithm;
import sc.fiji.ncc.plan.Weights;

/**
 * The predicted times of masked templates beside times measured on one thread of an AMD EPYC with Java 17 on 2026-11-24: 1000x1000 pixels
 * of 8 bits, the least of six calls. The constants of the models are 1.5 times the times of that machine. Fourier methods compute a
 * photograph again in double, but not noise.
 */
class MaskedCostTest {

	private static final double MACHINE = 1.5;
	/** The largest ratio of a prediction and a measured time. */
	private static final double FACTOR = 1.75;

	/** Milliseconds, the template being a disc or a soft disc. */
	private record Measured(SlidingAlgorithm<Correlation> algorithm, Weights weights, int side, double noise, double photograph) {}

	private static final List<Measured> ALL = List.of(
		new Measured(new CpuDirect(), Weights.BINARY, 17, 39, 38), new Measured(new CpuDirect(), Weights.BINARY, 25, 69, 57),
		new Measured(new CpuDirect(), Weights.BINARY, 33, 84, 94), new Measured(new CpuDirect(), Weights.BINARY, 65, 230, 249),
		new Measured(new CpuDirect(), Weights.REAL, 17, 58, 63), new Measured(new CpuDirect(), Weights.REAL, 33, 167, 162),
		new Measured(new CpuDirect(), Weights.REAL, 65, 573, 578),
		new Measured(new CpuFourier(), Weights.BINARY, 17, 30, 58), new Measured(new CpuFourier(), Weights.BINARY, 25, 26, 61),
		new Measured(new CpuFourier(), Weights.BINARY, 33, 25, 68), new Measured(new CpuFourier(), Weights.REAL, 33, 25, 65),
		new Measured(new CpuFourier(), Weights.REAL, 65, 28, 65));

	private static double predicted(final Measured m) {
		final Size template = Size.of(m.side, m.side);
		final int lags = 1000 - m.side + 1;
		return 1e3 * m.algorithm.plan(Problems.correlation(PixelType.U8, PixelType.U8, Size.of(1000, 1000), List.of(template), m.weights,
			Lags.inside(Size.of(lags, lags)), 1), new Device("one thread", "one thread", 1, 1L << 32)).cost().seconds() / MACHINE;
	}

	@Test
	void predictionsAreBetweenNoiseAndPhotographs() {
		if (Vectors.USED) return; // other constants
		for (final Measured m : ALL) {
			final double ms = predicted(m), least = Math.min(m.noise, m.photograph) / FACTOR, most = Math.max(m.noise, m.photograph) * FACTOR;
			final double middle = Math.sqrt(m.noise * m.photograph);
			assertTrue(ms > least && ms < most && ms > middle / FACTOR && ms < middle * FACTOR,
				m.algorithm.id() + ", " + m + ": predicted " + ms + " ms");
		}
	}
}
