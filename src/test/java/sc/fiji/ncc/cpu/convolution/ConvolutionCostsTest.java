package sc.fiji.ncc.cpu.convolution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.cpu.fourier.FourierShape;
import sc.fiji.ncc.cpu.ncc.CpuFourier;
import sc.fiji.ncc.cpu.tile.TemplatePlanes;
import sc.fiji.ncc.fixture.Problems;
import sc.fiji.ncc.loops.Vectors;
import sc.fiji.ncc.plan.Constants;
import sc.fiji.ncc.plan.Cost;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.Lags;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Sliding.Convolution;
import sc.fiji.ncc.plan.Sliding.Correlation;
import sc.fiji.ncc.plan.SlidingAlgorithm;
import sc.fiji.ncc.plan.Template;
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
		final double row = count(direct, problem(Precision.SINGLE, 1, Size.of(7, 5), 0, 1), "kernel-tap") / (35 * COUNT);
		assertTrue(row >= 1, "a row of lags costs " + row + " of its lags");
		assertCount(6 * row * 35 * COUNT, count(direct, problem(Precision.SINGLE, 2, Size.of(7, 5), 0, 3), "kernel-tap"));
		assertCount(row * 16 * 15 * COUNT, count(direct, problem(Precision.SINGLE, 1, Size.of(16, 15), 0, 1), "kernel-tap"));
		assertCount(0, count(direct, problem(Precision.SINGLE, 1, Size.of(16, 15), 0, 1), "large-kernel-tap"));
		assertCount(row * 16 * 16 * COUNT, count(direct, problem(Precision.SINGLE, 1, Size.of(16, 16), 0, 1), "large-kernel-tap"));
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
			assertEquals(2 * algorithm.plan(less, ONE).cost().hostBytes(), algorithm.plan(less, ONE.with(2)).cost().hostBytes(), 0.6 * algorithm.plan(less, ONE)
				.cost().hostBytes());
		}
	}

	/** A volume has a term for each plane of the kernel, and the tile's planes beyond its lags have rows of their own. */
	@Test
	void planesOfVolumesCount() {
		final int w = 7, h = 5, d = 3, terms = 2;
		final long lags = 34 * 26 * 40;
		final Correlation volume = Problems.correlation(PixelType.F32, PixelType.F32, Size.of(34 + w - 1, 26 + h - 1, 40 + d - 1), List.of(Size.of(w, h, d)),
			Weights.NONE, Lags.inside(Size.of(34, 26, 40)), 1);
		final Convolution p = Problems.convolution(volume, terms);
		assertCount(lags * (d - 1), count(new CpuConvolveDirect(), p, "plane"));
		if (!Vectors.USED) {
			// a product of each value, and beside it a shift in place of a plain row for each column of each plane
			assertCount(lags * w * d, count(new CpuConvolveDirect(), p, "shifted-tap"));
			assertCount(-lags * w * d, count(new CpuConvolveDirect(), p, "row-tap"));
		}
		final int[] tile = SeparableSums.maxLags(new TemplatePlanes(Size.of(w, h, d)), terms);
		final double beyondZ = (tile[2] + d - 1.0) / tile[2], beyond = beyondZ * (tile[1] + h - 1) / tile[1];
		assertCount(lags * beyond * w, count(new CpuConvolveSeparable(), p, "shifted-tap"));
		assertCount(lags * (terms * d + beyondZ * terms * h + beyond * w * (terms - 1)), count(new CpuConvolveSeparable(), p, "row-tap"));
	}

	/** A kernel of 80 values is usually transformed in float and again in double, one of 81 in float alone. The kernel's own transform counts once. */
	@Test
	void transformsInDoubleCount() {
		final CpuConvolveFourier fourier = new CpuConvolveFourier();
		final Constants points = (name, shipped) -> name.equals("fourier-point") ? 1 : 0;
		for (final Size kernel : List.of(Size.of(10, 8), Size.of(9, 9))) {
			final FourierShape shape = FourierShape.of(kernel, LAGS, ONE);
			final double lags = COUNT * shape.secondsPerLag(points), once = shape.templateSeconds(points), twice = CpuFourier.DOUBLE_COST;
			final double times = kernel.pixels() == 80 ? 1 + twice : 1;
			assertCount(2 * once + 4 * times * 1.5 * lags, count(fourier, problem(Precision.SINGLE, 2, kernel, 0, 4), "fourier-point"));
			assertCount(twice * (2 * once + 4 * 1.5 * lags), count(fourier, problem(Precision.DOUBLE, 2, kernel, 0, 4), "fourier-point"));
			for (final Precision precision : Precision.values()) {
				final Cost cost = fourier.plan(problem(precision, 2, kernel, 0, 4), ONE.with((name, shipped) -> points.get(name, shipped))).cost();
				assertCount((precision == Precision.SINGLE ? 1 : twice) * 2 * once, cost.onceSeconds());
				// blocks and tiles of one size, and the spectra of both kernels; twice in double
				final long bytes = shape.bytes(PixelType.F32, false) + 2 * shape.templateBytes();
				assertEquals(precision == Precision.SINGLE ? bytes : 2 * bytes, cost.hostBytes());
			}
		}
	}

	/** The pixels of a tile, and a row of sums for each row of the kernel, each of its planes, and each lag. */
	@Test
	void separableSumsHoldRowsOfSums() {
		for (final Size kernel : List.of(Size.of(7, 5), Size.of(7, 5, 3))) {
			final int planes = kernel.dimensions() == 2 ? 1 : 3, terms = 3;
			final long[] lags = kernel.dimensions() == 2 ? new long[] { 34, 26 } : new long[] { 34, 26, 40 }, image = lags.clone();
			for (int d = 0; d < lags.length; d++) image[d] += kernel.get(d) - 1;
			final Convolution p = Problems.convolution(Problems.correlation(PixelType.U16, PixelType.F32, Size.of(image), List.of(kernel), Weights.NONE,
				Lags.inside(Size.of(lags)), 1), terms);
			final int[] t = SeparableSums.maxLags(new TemplatePlanes(kernel), terms);
			final long pixels = (t[0] + 7L) * (t[1] + 5) * (t[2] + planes), sums = t[0] * (long) t[1] * t[2] + terms * 5L * t[0]
				+ (planes == 1 ? 0 : terms * 3L * t[0] * t[1]);
			assertEquals(2 * pixels + 4 * sums, new CpuConvolveSeparable().plan(p, ONE).cost().hostBytes());
		}
	}

	@Test
	void refusals() {
		final CpuConvolveDirect direct = new CpuConvolveDirect();
		assertEquals("cpu-convolve-direct", direct.id());
		assertEquals(Set.of(Precision.SINGLE, Precision.DOUBLE), direct.precisions());
		assertEquals("", direct.unsupported(problem(Precision.SINGLE, 1, Size.of(1 << 13, 1 << 13), 0, 1)).orElse(""));
		assertTrue(direct.unsupported(problem(Precision.SINGLE, 1, Size.of((1 << 13) + 1, 1 << 13), 0, 1)).orElse("").contains("at most 67108864 values"));
		final CpuConvolveSeparable separable = new CpuConvolveSeparable();
		assertEquals("", separable.unsupported(problem(Precision.SINGLE, 1, Size.of(7, 5), 1, 1)).orElse(""));
		assertTrue(separable.unsupported(problem(Precision.SINGLE, 1, Size.of(7, 5), 0, 1)).orElse("").contains("not a sum of a few products"));
		for (final int dimensions : new int[] { 1, 4 }) {
			final Convolution p = Problems.convolution(Problems.correlation(PixelType.F32, PixelType.F32, Size.of(LongStream.generate(() -> 5).limit(dimensions)
				.toArray()), List.of(Size.of(LongStream.generate(() -> 3).limit(dimensions).toArray())), Weights.NONE,
				Lags.inside(Size.of(LongStream.generate(() -> 3).limit(dimensions).toArray())), 1), 1);
			assertTrue(separable.unsupported(p).orElse("").contains("the kernel has " + dimensions));
			assertEquals(dimensions == 1, new CpuConvolveFourier().unsupported(p).isEmpty());
		}
	}

	/** A kernel that is no product, in a problem that promises one. */
	@Test
	void aKernelThatIsNoProductIsRefused() {
		final Size size = Size.of(7, 5);
		final Template random = new Template(size, PixelType.F32, new Random(1).doubles(35).map(v -> (float) v).toArray(), null);
		for (final Precision precision : Precision.values())
			assertTrue(assertThrows(IllegalArgumentException.class, () -> new CpuConvolveSeparable().plan(problem(precision, 1, size, 1, 1), ONE).prepare(List.of(
				random)).close()).getMessage().contains("the kernel of 7x5 is not a sum of a few products"));
	}
}
