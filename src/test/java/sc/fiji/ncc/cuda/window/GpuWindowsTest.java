package sc.fiji.ncc.cuda.window;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.Img;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.type.numeric.RealType;
import net.imglib2.view.Views;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

import sc.fiji.ncc.MotionField;
import sc.fiji.ncc.cuda.driver.CudaDevice;
import sc.fiji.ncc.cuda.driver.Driver;
import sc.fiji.ncc.fixture.RequiredGpu;
import sc.fiji.ncc.motion.MotionFields;
import sc.fiji.ncc.motion.MotionVector;
import sc.fiji.ncc.motion.ParticlePair;
import sc.fiji.ncc.option.DriftReference;
import sc.fiji.ncc.option.NaNs;

/**
 * Motion fields whose windows a GPU searches and refines, beside those of {@code cpu-windows}. {@code CudaWindowContractTest} compares responses with
 * their definition. Skipped, with the reason, without a GPU.
 */
@Tag("gpu")
class GpuWindowsTest {

	/** The largest difference of scores, of motions in pixels, and of covariances as a share. Motions may also differ by a share of their errors. */
	private static final double SCORE = 3e-9, MOTION = 2e-5, COVARIANCE = 2e-3, ERROR = 1e-3;
	/** The covariance of frames that are alike follows from rounding errors alone. In square pixels. */
	private static final double ROUNDED = 1e-11;
	/** Two lags whose responses differ by less can be peaks: maps are floats. And the largest share of windows with such a choice. */
	private static final double FLOAT = 6e-8, CHOICES = 0.02;
	private static final int WIDTH = 210, HEIGHT = 170;

	@BeforeEach
	void requireGpu() {
		RequiredGpu.require();
	}

	/** What frames show. */
	private enum Show {
		/** Particles. */
		PARTICLES,
		/** The same on a bright background whose gray level rises. */
		BIAS,
		/** Weak particles on a background with a bright half. */
		STEP,
		/** A part is flat in the first frame, another one in the second frame. */
		FLAT,
		/** A part has a period of few pixels, so that there are equal peaks. */
		PERIODIC
	}

	private static double changed(final Show show, final double v, final long x, final long y, final int frame, final double most) {
		switch (show) {
			case BIAS: return 0.7 * most + 0.001 * most * (x - y) / 10 + 0.1 * v;
			case STEP: return (x > WIDTH / 2 ? 0.9 * most : 0.1 * most) + 0.02 * v;
			case FLAT: return frame == 0 && x < 70 && y < 60 || frame == 1 && x > 120 && y > 90 ? 7 : v;
			case PERIODIC: return x > 90 && y > 60 ? 40 * ((x + frame) % 4) + 10 * (y % 5) : v;
			default: return v;
		}
	}

	private static Img<?> frame(final String type, final RandomAccessibleInterval<?> of, final Show show, final int frame,
		final boolean gaps)
	{
		final Img<?> to = switch (type) {
			case "U8" -> ArrayImgs.unsignedBytes(WIDTH, HEIGHT);
			case "S8" -> ArrayImgs.bytes(WIDTH, HEIGHT);
			case "U16" -> ArrayImgs.unsignedShorts(WIDTH, HEIGHT);
			case "S16" -> ArrayImgs.shorts(WIDTH, HEIGHT);
			case "U32" -> ArrayImgs.unsignedInts(WIDTH, HEIGHT);
			default -> ArrayImgs.floats(WIDTH, HEIGHT);
		};
		final boolean wide = !type.endsWith("8"), signed = type.startsWith("S");
		final var from = of.randomAccess();
		final var cursor = to.localizingCursor();
		while (cursor.hasNext()) {
			final RealType<?> p = (RealType<?>) cursor.next();
			from.setPosition(cursor);
			final long x = cursor.getLongPosition(0), y = cursor.getLongPosition(1);
			final double scale = wide ? 200 : 1, v = scale * changed(show, ((RealType<?>) from.get()).getRealDouble(), x, y, frame, 255);
			p.setReal(type.equals("F32") ? v + (show == Show.BIAS ? 0.25 : 0) : Math.rint(v - (signed ? 127 * scale : 0)));
			if (gaps && x % 71 == 3 && y % 53 == 9) p.setReal(Double.NaN);
		}
		return to;
	}

	private static RandomAccessibleInterval<?>[] pair(final String type, final Show show, final boolean gaps) {
		final RandomAccessibleInterval<?>[] pair = ParticlePair.of(WIDTH, HEIGHT).images(x -> new double[] { 3.3 + x[1] / 100, -2.4 });
		return new RandomAccessibleInterval<?>[] { frame(type, pair[0], show, 0, gaps), frame(type, pair[1], show, 1, gaps) };
	}

	private static MotionField field(final long[] window, final long[] spacing, final long[] shift) {
		return MotionField.ofWindows(window).spacing(spacing).maxShift(shift).passes(1).maxResidual(Double.POSITIVE_INFINITY).minScore(-1).minRatio(0).keepRejected(
			true).threads(2);
	}

	@TestFactory
	List<DynamicTest> vectorsAreThoseOfTheCpu() {
		final List<DynamicTest> tests = new ArrayList<>();
		final long[][][] grids = { { { 32, 32 }, { 16, 16 }, { 12, 12 } }, { { 17, 24 }, { 9, 13 }, { 3, 7 } }, { { 48, 40 }, { 60, 50 }, { 20, 0 } }, { { 16, 16 }, {
			3, 5 }, { 2, 2 } }, { { 100, 100 }, { 40, 30 }, { 9, 9 } } };
		for (final String type : List.of("U8", "S8", "U16", "S16", "U32", "F32"))
			for (final Show show : Show.values())
				for (int g = 0; g < grids.length; g++) {
					final long[][] grid = grids[g];
					if (g > 1 && (show != Show.PARTICLES || type.startsWith("S"))) continue;
					for (final boolean refined : new boolean[] { true, false }) tests.add(DynamicTest.dynamicTest(type + " " + show + " grid " + g + (refined ? "" : " not")
						+ " refined", () -> compare(field(grid[0], grid[1], grid[2]).refine(refined), pair(type, show, false), refined)));
				}
		return tests;
	}

	/**
	 * Windows of few pixels, also of one row or column. Many fit anywhere, and rounding errors decide whether a position is reached: in one of ten windows at
	 * most.
	 */
	@TestFactory
	List<DynamicTest> smallWindowsHaveNearlyTheVectorsOfTheCpu() {
		final List<DynamicTest> tests = new ArrayList<>();
		for (final long[][] grid : new long[][][] { { { 12, 3 }, { 7, 5 }, { 2, 3 } }, { { 5, 5 }, { 9, 8 }, { 2, 2 } },
			{ { 24, 1 }, { 20, 9 }, { 3, 1 } }, { { 1, 24 }, { 9, 20 }, { 1, 3 } } })
			for (final String type : List.of("U8", "U16", "F32")) tests.add(DynamicTest.dynamicTest(type + " " + Arrays.deepToString(grid), () -> {
				final RandomAccessibleInterval<?>[] pair = pair(type, Show.PARTICLES, false);
				final MotionField field = field(grid[0], grid[1], grid[2]).refine(true);
				final List<MotionVector> cpu = field.algorithm("cpu-windows").measure(pair[0], pair[1]).fields().get(0).vectors(),
						gpu = field.algorithm("cuda-windows").measure(pair[0], pair[1]).fields().get(0).vectors();
				int differing = 0;
				for (int i = 0; i < cpu.size(); i++) {
					final MotionVector a = cpu.get(i), b = gpu.get(i);
					assertEquals(a.score(), b.score(), SCORE);
					boolean same = (a.covariance() == null) == (b.covariance() == null);
					for (int d = 0; d < 2 && same && a.covariance() != null; d++)
						same = Math.abs(a.motion()[d] - b.motion()[d]) < 1e-3 + 0.01 * Math.sqrt(a.covariance()[d][d]);
					if (!same) differing++;
				}
				assertTrue(differing <= cpu.size() / 10, differing + " of " + cpu.size() + " differ");
			}));
		return tests;
	}

	@Test
	void pixelsThatAreMissingAreThoseOfTheCpu() {
		final Img<?> mask = ArrayImgs.unsignedBytes(WIDTH, HEIGHT);
		final var cursor = mask.localizingCursor();
		while (cursor.hasNext()) {
			final RealType<?> p = (RealType<?>) cursor.next();
			p.setReal(cursor.getLongPosition(0) > 100 && cursor.getLongPosition(0) < 130 && cursor.getLongPosition(1) > 60 ? 0 : 1);
		}
		final MotionField field = field(new long[] { 32, 32 }, new long[] { 16, 16 }, new long[] { 8, 8 });
		for (final String type : List.of("U8", "U16", "F32")) compare(field.imageMask(mask), pair(type, Show.PARTICLES, false), true);
		compare(field, pair("F32", Show.PARTICLES, true), true);
		compare(field.nan(NaNs.MISSING), pair("F32", Show.PARTICLES, true), true);
	}

	@Test
	void stacksAndLaterPassesAreThoseOfTheCpu() {
		final RandomAccessibleInterval<?>[] a = pair("U16", Show.PARTICLES, false), b = pair("U16", Show.FLAT, false);
		final RandomAccessibleInterval<?> stack = stack(a[0], a[1], b[1]);
		for (final DriftReference reference : List.of(DriftReference.PREVIOUS, DriftReference.FIRST)) {
			final MotionField field = MotionField.ofWindows(32, 32).maxShift(9, 9).reference(reference).passes(1).threads(2);
			final MotionFields gpu = field.algorithm("cuda-windows").measure(stack), cpu = field.algorithm("cpu-windows").measure(stack);
			assertEquals(2, gpu.fields().size());
			for (int f = 0; f < 2; f++) same(cpu.fields().get(f).vectors(), gpu.fields().get(f).vectors(), true);
		}
		final MotionField several = MotionField.ofWindows(32, 32).maxShift(9, 9).passes(3).threads(2);
		final List<MotionVector> gpu = several.backend("cuda").measure(a[0], a[1]).fields().get(0).vectors(), cpu = several.backend("cpu").measure(a[0], a[1])
			.fields().get(0).vectors();
		for (int i = 0; i < cpu.size(); i++) assertArrayEquals(cpu.get(i).motion(), gpu.get(i).motion(), 2e-3);
	}

	@SuppressWarnings({ "unchecked", "rawtypes" })
	private static RandomAccessibleInterval<?> stack(final RandomAccessibleInterval<?>... frames) {
		return Views.stack((List) List.of(frames));
	}

	@Test
	void withoutMemoryTheCpuMeasures() {
		final RandomAccessibleInterval<?>[] pair = pair("U8", Show.PARTICLES, false);
		final MotionField field = field(new long[] { 32, 32 }, new long[] { 16, 16 }, new long[] { 8, 8 });
		final List<MotionVector> expected = field.algorithm("cpu-windows").measure(pair[0], pair[1]).fields().get(0).vectors();
		final CudaDevice device = Driver.devices().list().get(0);
		device.enter();
		device.memory().trim();
		device.memory().limit(1 << 18);
		try {
			same(expected, field.algorithm(null).measure(pair[0], pair[1]).fields().get(0).vectors(), true);
		}
		finally {
			device.memory().limit(Long.MAX_VALUE);
		}
	}

	private static void compare(final MotionField field, final RandomAccessibleInterval<?>[] pair, final boolean refined) {
		final MotionFields gpu = field.algorithm("cuda-windows").measure(pair[0], pair[1]), cpu = field.algorithm("cpu-windows").measure(pair[0], pair[1]);
		assertEquals(cpu.report().responses(), gpu.report().responses());
		assertEquals(cpu.report().undefined(), gpu.report().undefined());
		same(cpu.fields().get(0).vectors(), gpu.fields().get(0).vectors(), refined);
	}

	private static void same(final List<MotionVector> cpu, final List<MotionVector> gpu, final boolean refined) {
		assertEquals(cpu.size(), gpu.size());
		int fitted = 0, choices = 0;
		for (int i = 0; i < cpu.size(); i++) {
			final MotionVector a = cpu.get(i), b = gpu.get(i);
			final String what = "window " + i + ": " + a + ", on the GPU " + b;
			assertEquals(a.score(), b.score(), FLOAT, what);
			assertEquals(a.runnerUp(), b.runnerUp(), FLOAT, what);
			if (Math.abs(a.score() - b.score()) > SCORE || Math.abs(a.runnerUp() - b.runnerUp()) > SCORE) {
				choices++;
				continue;
			}
			// either of two equal peaks: one of them can be rounded up
			if (Math.abs(a.score() - a.runnerUp()) < SCORE) continue;
			assertEquals(a.state(), b.state(), what);
			for (int d = 0; d < 2; d++) {
				final double error = a.covariance() == null ? 0 : Math.sqrt(a.covariance()[d][d]);
				assertEquals(a.motion()[d], b.motion()[d], MOTION + ERROR * error, what);
			}
			if (a.covariance() == null) {
				assertNull(b.covariance(), what);
				continue;
			}
			fitted++;
			// along an edge only: rounding decides by how many pixels the motion is uncertain
			if (Math.max(a.covariance()[0][0], a.covariance()[1][1]) > 1) continue;
			for (int d = 0; d < 2; d++) for (int e = 0; e < 2; e++)
				assertEquals(a.covariance()[d][e], b.covariance()[d][e], COVARIANCE * Math.sqrt(a.covariance()[d][d] * a.covariance()[e][e]) + ROUNDED, what);
		}
		assertTrue(choices <= CHOICES * cpu.size(), choices + " other peaks");
		assertTrue(!refined || fitted > cpu.size() / 4, fitted + " fitted");
	}
}
