package sc.fiji.ncc.plan.deform;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import sc.fiji.ncc.Backends;
import sc.fiji.ncc.contract.ArrayPixels;
import sc.fiji.ncc.fixture.RequiredGpu;
import sc.fiji.ncc.image.FrameSpline;
import sc.fiji.ncc.oracle.ReferenceDeformation;
import sc.fiji.ncc.oracle.ReferenceNcc;
import sc.fiji.ncc.plan.Backend;
import sc.fiji.ncc.plan.Deformations;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.support.Parallel;

/** Every algorithm of every backend for deformations, with every case that it does not refuse, against {@link ReferenceDeformation}. */
class DeformContractTest {

	/** A motion in pixels at a place that is 0 to 1 along each dimension; n is a random number of standard deviation 1. */
	private enum Motion {

		ZERO, WHOLE, FRACTION, LINEAR, STRONG, HALF, OUTSIDE;

		double at(final int d, final double[] place, final double extent, final double n) {
			return switch (this) {
				case ZERO -> 0;
				case WHOLE -> d == 0 ? 3 : -2;
				case FRACTION -> 1.28 - 2.9 * d;
				case LINEAR -> 0.7 + extent * (0.05 * place[d] - 0.08 * place[(d + 1) % place.length]);
				case STRONG -> 0.04 * extent + 3 * n;
				case HALF -> (d == 1 ? -0.45 : 0.55) * extent + 0.3 * n;
				case OUTSIDE -> 2.1 * extent;
			};
		}
	}

	/**
	 * @param missing whether pixels of both frames are missing: some single ones, and a sixth at the end
	 * @param flat whether stripes of a third of the pixels have one value
	 */
	private record Case(Size frame, Size window, PixelType type, Motion motion, boolean missing, boolean flat) {

		/** Pixels of a frame or of an area: waves with noise around a brightness. NaN for missing ones. */
		double[] pixels(final int[] size, final Random random) {
			final double[] values = new double[ReferenceNcc.pixels(size)];
			final int[] at = new int[size.length];
			for (int i = 0; i < values.length; i++) {
				ReferenceNcc.unravel(i, size, at);
				double v = 0.2 * random.nextGaussian();
				for (int d = 0; d < size.length; d++) v += 0.5 * Math.sin((0.5 - 0.1 * d) * at[d] + 0.2 * at[(d + 1) % size.length] + d);
				if (flat && at[0] % 48 >= 32) v = -0.3;
				values[i] = switch (type) {
					case U8 -> Math.rint(Math.max(0, Math.min(255, 120 + 60 * v)));
					case U16 -> Math.rint(20_000 + 6000 * v);
					default -> (float) (10 + v);
				};
			}
			if (!missing) return values;
			Arrays.fill(values, values.length * 5 / 6, values.length, Double.NaN);
			for (int k = 0; k < 5; k++) values[random.nextInt(values.length)] = Double.NaN;
			return values;
		}

		/** The same as floats without their mean, as executions get them. Pixels of integers are missing under a mask. */
		float[] floats(final double[] values, final int[] size) {
			final double[] present = missing && type.integer ? Arrays.stream(values).map(v -> Double.isNaN(v) ? 0 : 1).toArray() : null;
			final double[] all = type.integer ? Arrays.stream(values).map(v -> Double.isNaN(v) ? 0 : v).toArray() : values;
			try (Parallel parallel = new Parallel(1)) {
				return FrameSpline.values(new ArrayPixels(type, size, all, false, present), parallel);
			}
		}

		double[][] motion(final int[] count, final Random random) {
			final int n = count.length;
			final double[][] values = new double[n][ReferenceNcc.pixels(count)];
			final int[] at = new int[n];
			for (int i = 0; i < values[0].length; i++) {
				ReferenceNcc.unravel(i, count, at);
				final double[] place = IntStream.range(0, n).mapToDouble(d -> at[d] / Math.max(1., count[d] - 1)).toArray();
				for (int d = 0; d < n; d++) values[d][i] = motion.at(d, place, frame.get(d), random.nextGaussian());
			}
			return values;
		}
	}

	private static List<Case> cases() {
		// extents of frames and windows: boxes of 4, 2, 1 and 8 pixels, a window as large as the frame, boxes that differ, no boxes, a line
		final List<Size[]> sizes = List.of(new Size[] { Size.of(200, 150), Size.of(64, 70) }, new Size[] { Size.of(64, 64), Size.of(64, 64) },
			new Size[] { Size.of(131, 90), Size.of(33, 21) }, new Size[] { Size.of(40, 23), Size.of(4, 5) },
			new Size[] { Size.of(12, 150), Size.of(12, 40) }, new Size[] { Size.of(50, 1), Size.of(16, 1) },
			new Size[] { Size.of(5, 3), Size.of(3, 2) }, new Size[] { Size.of(35, 24, 9), Size.of(16, 17, 4) },
				new Size[] { Size.of(67, 36, 10), Size.of(64, 32, 8) });
		final PixelType[] types = { PixelType.F32, PixelType.U8, PixelType.U16 };
		final List<Case> cases = new ArrayList<>();
		for (int s = 0; s < sizes.size(); s++)
			for (final Motion m : Motion.values()) {
				final int k = s + m.ordinal();
				cases.add(new Case(sizes.get(s)[0], sizes.get(s)[1], types[k % 3], m, k % 2 == 0, k % 4 < 2));
			}
		// more than a block of a kernel along x, and cells of more rows than are summed at once
		cases.add(new Case(Size.of(600, 130), Size.of(128, 101), PixelType.U16, Motion.STRONG, false, false));
		return cases;
	}

	@TestFactory
	@Execution(ExecutionMode.CONCURRENT)
	List<DynamicTest> framesAndSumsAreThoseOfTheDefinition() {
		return tests(b -> !b.id().equals("cuda"));
	}

	/** Skipped, with the reason, without a GPU. */
	@TestFactory
	@Execution(ExecutionMode.CONCURRENT)
	@Tag("gpu")
	@Tag("smoke")
	List<DynamicTest> framesAndSumsOfTheGpuAreThoseOfTheDefinition() {
		RequiredGpu.require();
		return tests(b -> b.id().equals("cuda"));
	}

	private static List<DynamicTest> tests(final Predicate<Backend> which) {
		final List<DynamicTest> tests = new ArrayList<>();
		Backends.all(2).stream().filter(which).forEach(backend -> backend.devices().forEach(device -> backend.algorithms().forEach(a -> {
			if (a instanceof DeformAlgorithm algorithm) for (final Case c : cases()) {
				final Deformations problem = new Deformations(c.frame, c.window, 2);
				if (algorithm.unsupported(problem, device).isEmpty())
					tests.add(dynamicTest(a.id() + ": " + c, () -> check(algorithm, device, problem, c)));
				else assertTrue(c.frame.dimensions() == 3 || algorithm.unsupported(problem).isEmpty(), () -> a.id() + " refuses " + c);
			}
		})));
		assertFalse(tests.isEmpty());
		return tests;
	}

	/** Two frames with other references and motions, one after the other: nothing of the first one may be left. */
	private static void check(final DeformAlgorithm algorithm, final Device device, final Deformations problem, final Case c) {
		final Random random = new Random(c.toString().hashCode());
		final List<Level> levels = Level.of(problem);
		final int whole = levels.size() - 2;
		try (DeformExecution execution = algorithm.plan(problem, device).prepare(2)) {
			for (final boolean coarse : new boolean[] { false, true }) {
				final double[] pixels = c.pixels(problem.frame().toIntArray(), random);
				final double[][] motion = c.motion(levels.get(0).count(), random);
				final float[][] values = new float[levels.size()][];
				for (int l = 0; l <= whole; l++) {
					final int[] area = levels.get(l).area().toIntArray();
					values[l] = c.floats(c.pixels(area, random), area);
				}
				final DeformReference reference = new DeformReference(values, coarse);
				execution.frame(c.floats(pixels, problem.frame().toIntArray()), coarse);
				final double mean = DoubleStream.of(pixels).filter(v -> !Double.isNaN(v)).average().orElse(0);
				final double[] centred = DoubleStream.of(pixels).map(v -> v - mean).toArray();
				for (int l = coarse ? 0 : whole; l < levels.size() - (coarse ? 0 : 1); l++) {
					final ReferenceDeformation definition = new ReferenceDeformation(problem, levels.get(l).box(), centred);
					final float[] deformed = execution.deformed(l, motion);
					final double[][] expected = definition.deformed(motion);
					assertEquals(expected[0].length, deformed.length);
					for (int i = 0; i < deformed.length; i++) if (expected[1][i] < Double.POSITIVE_INFINITY)
						assertEquals(expected[0][i], deformed[i], expected[1][i], "level " + l + ", box " + i);
					if (l <= whole) for (final boolean exact : new boolean[] { true, false })
						checkSums(definition.sums(values[l], deformed, exact), execution.sums(l, reference, motion, exact),
							"level " + l + ", exact " + exact);
				}
			}
		}
	}

	private static void checkSums(final double[][][] expected, final double[][] found, final String what) {
		assertEquals(expected[0].length, found.length);
		for (int cell = 0; cell < found.length; cell++) for (int i = 0; i < found[cell].length; i++) if (!Double.isNaN(expected[0][cell][i]))
			assertEquals(expected[0][cell][i], found[cell][i], expected[1][cell][i], what + ", cell " + cell + ", sum " + i);
	}
}
