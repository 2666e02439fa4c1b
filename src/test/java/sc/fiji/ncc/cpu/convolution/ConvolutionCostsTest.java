package sc.fiji.ncc.cpu.convolution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Collections;
import java.util.List;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.fixture.Problems;
import sc.fiji.ncc.loops.Vectors;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.Lags;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Sliding.Convolution;
import sc.fiji.ncc.plan.SlidingAlgorithm;
import sc.fiji.ncc.plan.Weights;

/** What the cost models of convolutions count, whatever their constants are. */
class ConvolutionCostsTest {

	private static final long COUNT = 34 * 26;
	private static final Size LAGS = Size.of(34, 26);
	private static final Device ONE = new Device("cpu", "one thread", 1, 1L << 32);

	private static Convolution problem(final Precision precision, final int kernels, final Size kernel, final int terms, final long frames) {
		final long[] image = { 34 + kernel.get(0) - 1, 26 + kernel.get(1) - 1 };
		return Problems.convolution(Problems.in(precision, Problems.correlation(PixelType.F32, PixelType.F32, Size.of(image), Collections.nCopies(kernels, kernel),
			Weights.NONE, Lags.inside(LAGS), frames)), terms);
	}

	private static double seconds(final SlidingAlgorithm<Convolution> algorithm, final Convolution problem, final String constant, final double value) {
		return algorithm.plan(problem, ONE.with((name, shipped) -> name.equals(constant) ? value : shipped)).cost().seconds();
	}

	/** How often a constant counts, on one thread. */
	private static double count(final SlidingAlgorithm<Convolution> algorithm, final Convolution problem, final String constant) {
		return seconds(algorithm, problem, constant, 1) - seconds(algorithm, problem, constant, 0);
	}

	private static void assertCount(final double expected, final double count) {
		assertEquals(expected, count, 1e-9 * Math.abs(expected));
	}

	@Test
	void everySumAndFrameCounts() {
		for (final SlidingAlgorithm<Convolution> algorithm : List.of(new CpuConvolveDirect(), new CpuConvolveSeparable(), new CpuConvolveFourier())) {
			final Convolution p = problem(Precision.SINGLE, 2, Size.of(7, 5), 2, 3);
			assertCount(2 * 3 * COUNT, count(algorithm, p, "sum"));
			assertCount(3, count(algorithm, p, "submission"));
		}
	}

	/** Kernels whose width and number of rows are at most 31 together are small. The products of large ones have a constant of their own, and so have doubles. */
	@Test
	void directSumsCountProducts() {
		final CpuConvolveDirect direct = new CpuConvolveDirect();
		assertCount(6 * 35 * COUNT, count(direct, problem(Precision.SINGLE, 2, Size.of(7, 5), 0, 3), "kernel-tap"));
		assertCount(16 * 15 * COUNT, count(direct, problem(Precision.SINGLE, 1, Size.of(16, 15), 0, 1), "kernel-tap"));
		assertCount(0, count(direct, problem(Precision.SINGLE, 1, Size.of(16, 15), 0, 1), "large-kernel-tap"));
		assertCount(16 * 16 * COUNT, count(direct, problem(Precision.SINGLE, 1, Size.of(16, 16), 0, 1), "large-kernel-tap"));
		assertCount(0, count(direct, problem(Precision.SINGLE, 1, Size.of(16, 16), 0, 1), "kernel-tap"));
		assertCount(35 * COUNT, count(direct, problem(Precision.DOUBLE, 1, Size.of(7, 5), 0, 1), "direct-tap-double"));
		// without vectors each column of the kernel shifts a row
		if (!Vectors.USED) assertCount(7 * COUNT, count(direct, problem(Precision.SINGLE, 1, Size.of(7, 5), 0, 1), "shifted-tap"));
	}

	/** A product of one-dimensional kernels: a column for each lag, and a row for each lag of the tile and of the rows beyond it. */
	@Test
	void separableSumsCountRowsAndColumns() {
		final CpuConvolveSeparable separable = new CpuConvolveSeparable();
		for (final int terms : new int[] { 1, 3 }) {
			final double shifted = count(separable, problem(Precision.SINGLE, 1, Size.of(7, 5), terms, 1), "shifted-tap");
			assertTrue(shifted >= 7 * COUNT && shifted < 2 * 7 * COUNT, shifted + " shifted products");
			final double beyond = shifted / (7 * COUNT);
			// each term has a column of five; and rows of seven, of which one of all terms is shifted
			assertCount((terms * 5 + beyond * 7 * (terms - 1)) * COUNT, count(separable, problem(Precision.SINGLE, 1, Size.of(7, 5), terms, 1), "row-tap"));
			assertCount(2.5 * shifted, count(separable, problem(Precision.DOUBLE, 1, Size.of(7, 5), terms, 1), "shifted-tap"));
		}
		assertEquals(2 * separable.plan(problem(Precision.SINGLE, 1, Size.of(7, 5), 1, 1), ONE).cost().hostBytes(),
			separable.plan(problem(Precision.DOUBLE, 1, Size.of(7, 5), 1, 1), ONE).cost().hostBytes());
	}

	/** Further kernels of a size share half of the transforms, and the memory of blocks. */
	@Test
	void blocksAreShared() {
		final CpuConvolveFourier fourier = new CpuConvolveFourier();
		final double one = count(fourier, problem(Precision.SINGLE, 1, Size.of(7, 5), 0, 1), "fourier-point"),
				three = count(fourier, problem(Precision.SINGLE, 3, Size.of(7, 5), 0, 1), "fourier-point");
		if (one > 0) assertTrue(three > 1.9 * one && three < 3 * one, one + " and " + three);
		for (final SlidingAlgorithm<Convolution> algorithm : List.of(new CpuConvolveDirect(), new CpuConvolveSeparable(), fourier)) {
			final Convolution more = problem(Precision.SINGLE, 2, Size.of(7, 5), 2, 1), less = problem(Precision.SINGLE, 1, Size.of(7, 5), 2, 1);
			assertTrue(algorithm.plan(more, ONE).cost().seconds() > algorithm.plan(less, ONE).cost().seconds(), algorithm.id());
			assertTrue(algorithm.plan(more, ONE).cost().hostBytes() >= algorithm.plan(less, ONE).cost().hostBytes(), algorithm.id());
			assertEquals(2 * algorithm.plan(less, ONE).cost().hostBytes(), algorithm.plan(less, ONE.with(2)).cost().hostBytes(), 0.6 * algorithm.plan(less, ONE).cost().hostBytes());
		}
	}
}
