package sc.fiji.ncc.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

import sc.fiji.ncc.oracle.ReferenceShifts;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.FramePairs;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.shift.PairPeaks;
import sc.fiji.ncc.plan.shift.ShiftAlgorithm;
import sc.fiji.ncc.plan.shift.ShiftExecution;
import sc.fiji.ncc.plan.shift.ShiftExecution.Frame;
import sc.fiji.ncc.plan.shift.ShiftExecution.Operand;
import sc.fiji.ncc.plan.shift.ShiftRange;

/**
 * Two frames of one texture at a known shift, for every algorithm that measures shifts.
 *
 * @param fixedType the type of the fixed frame; {@code movingType} that of the moving frame
 * @param shift the true shift along x, y and z
 * @param missing which pixels do not count
 */
record FrameCase(String name, PixelType fixedType, PixelType movingType, int[] fixed, int[] moving, double[] shift, Missing missing, List<Long> maxShift,
	double minOverlap, int peaks)
{

	enum Missing { NONE, OF_FIXED, OF_BOTH, NOT_A_NUMBER }

	/** The largest difference of an exact score, of the best peak from the largest coefficient, and of a fitted shift in pixels. */
	private static final double EXACT = 1e-12, BEST = 1e-5, FITTED = 0.06, QUADRATIC = 0.4;
	/** The smallest overlap for a fit, and the amplitude of the texture and its noise. */
	private static final int FIT_SIDE = 14;
	private static final double AMPLITUDE = 40, NOISE = 1;

	static List<FrameCase> all() {
		final List<FrameCase> all = new ArrayList<>();
		final int[] plane = { 44, 37, 1 }, volume = { 24, 22, 19 };
		final double[] flat = { 3.3, -2.6, 0 }, deep = { 2.4, -1.7, 1.3 };
		final List<Long> near = List.of(6L, 5L), nearby = List.of(4L, 4L, 3L);
		for (final PixelType type : PixelType.values())
			for (final Missing missing : Missing.values()) {
				if (missing == Missing.NOT_A_NUMBER && type.integer) continue;
				all.add(new FrameCase(type + " plane, missing " + missing, type, type, plane, plane, flat, missing, List.of(), 1 / 3.0, 2));
				all.add(new FrameCase(type + " volume, missing " + missing, type, type, volume, volume, deep, missing, nearby, 1 / 3.0, 2));
			}
		for (final PixelType type : List.of(PixelType.U8, PixelType.U16, PixelType.F32))
			for (final Missing missing : List.of(Missing.NONE, Missing.OF_BOTH)) {
				final String what = type + ", missing " + missing + ", ";
				all.add(new FrameCase(what + "other extents", type, type, plane, new int[] { 31, 52, 1 }, flat, missing, List.of(), 0.4, 1));
				all.add(new FrameCase(what + "other extents of volumes", type, type, new int[] { 21, 20, 19 }, new int[] { 26, 19, 22 }, deep, missing, nearby, 0.5, 3));
				all.add(new FrameCase(what + "near", type, type, plane, plane, flat, missing, near, 0.2, 4));
				all.add(new FrameCase(what + "at the edge", type, type, plane, plane, new double[] { 9, 0, 0 }, missing, near, 0.2, 2));
				all.add(new FrameCase(what + "one lag along y", type, type, plane, plane, new double[] { 2, 0, 0 }, missing, List.of(6L, 0L), 0.2, 2));
				all.add(new FrameCase(what + "large overlap", type, type, plane, plane, new double[] { 1, 1, 0 }, missing, List.of(), 0.9, 20));
				all.add(new FrameCase(what + "small frames", type, type, new int[] { 9, 7, 1 }, new int[] { 11, 7, 1 }, new double[] { 1, 0, 0 },
					missing, List.of(), 0.6, 1));
				all.add(new FrameCase(what + "thin volumes", type, type, new int[] { 32, 30, 3 }, new int[] { 32, 30, 3 }, new double[] { 2, -3, 1 },
					missing, nearby, 0.3, 1));
				all.add(new FrameCase(what + "a plane in a volume", type, type, new int[] { 30, 32, 1 }, new int[] { 32, 30, 5 },
					new double[] { 1.4, -1.3, 2 }, missing, List.of(4L, 4L, 4L), 0.5, 1));
				all.add(new FrameCase(what + "rows", type, type, new int[] { 90, 1, 1 }, new int[] { 90, 1, 1 }, new double[] { 3, 0, 0 }, missing,
					List.of(9L, 9L), 0.5, 1));
			}
		// with bins
		all.add(new FrameCase("large planes", PixelType.U16, PixelType.U16, new int[] { 150, 140, 1 }, new int[] { 150, 140, 1 },
			new double[] { 4.3, -3.6, 0 }, Missing.NONE, List.of(8L, 8L), 1 / 3.0, 1));
		all.add(new FrameCase("large volumes", PixelType.U16, PixelType.U16, new int[] { 130, 128, 33 }, new int[] { 130, 128, 33 },
			new double[] { 1.3, -0.6, 1.4 }, Missing.NONE, List.of(2L, 2L, 2L), 1 / 3.0, 1));
		all.add(new FrameCase("two types", PixelType.U8, PixelType.F32, plane, plane, flat, Missing.NONE, near, 0.3, 2));
		all.add(new FrameCase("whole numbers of two types", PixelType.U16, PixelType.S8, plane, plane, flat, Missing.NONE, near, 0.3, 2));
		return all;
	}

	FramePairs problem() {
		final PixelType common = fixedType == movingType || fixedType.exact() && movingType.exact() ? fixedType : PixelType.F32;
		return new FramePairs(common, size(fixed), size(moving), maxShift, minOverlap,
			missing == Missing.OF_FIXED || missing == Missing.OF_BOTH, 1, peaks, true, 2, 1);
	}

	private Size size(final int[] extents) {
		return Size.of(Arrays.stream(extents).limit(Math.max(fixed[2], moving[2]) > 1 ? 3 : 2).asLongStream().toArray());
	}

	/** Waves of many directions, which no shift repeats. */
	private double[] pixels(final int[] extents, final double[] at, final PixelType type, final boolean withHoles, final Random noise) {
		final Random random = new Random(7);
		final int waves = 40;
		final double[][] k = new double[waves][4];
		for (final double[] wave : k) {
			for (int d = 0; d < 3; d++) wave[d] = 0.45 * random.nextGaussian();
			wave[3] = 2 * Math.PI * random.nextDouble();
		}
		final double offset = type.min < 0 ? 0 : 110, gain = type.bytes > 2 ? 1234.5678 : type.bytes == 2 ? 100 : 1;
		final double[] values = new double[extents[0] * extents[1] * extents[2]];
		for (int z = 0, i = 0; z < extents[2]; z++)
			for (int y = 0; y < extents[1]; y++)
				for (int x = 0; x < extents[0]; x++, i++) {
					double sum = NOISE * noise.nextGaussian();
					for (final double[] w : k)
						sum += AMPLITUDE * Math.sqrt(2.0 / waves) * Math.cos(w[0] * (x - at[0]) + w[1] * (y - at[1]) + w[2] * (z - at[2]) + w[3]);
					final double v = gain * (offset + sum);
					values[i] = type.integer ? Math.rint(Math.max(type.min, Math.min(type.max, v))) : type == PixelType.F32 ? (float) v : v;
					if (withHoles && hole(x, y, z)) values[i] = Double.NaN;
				}
		return values;
	}

	/** Holes of several pixels, and single ones. */
	private static boolean hole(final int x, final int y, final int z) {
		return x / 4 % 4 == 1 && y / 3 % 5 == 2 || (31 * x + 17 * y + 11 * z) % 97 == 0;
	}

	private Frame frame(final PixelType type, final int[] extents, final double[] values) {
		final double[] shown = values.clone();
		boolean[] mask = null;
		if (missing != Missing.NONE && missing != Missing.NOT_A_NUMBER) {
			mask = new boolean[values.length];
			for (int i = 0; i < mask.length; i++) {
				mask[i] = !Double.isNaN(values[i]);
				// what does not count must not matter
				if (!mask[i]) shown[i] = type.integer ? type.max : 1e6;
			}
		}
		return new Frame(new ArrayPixels(type, size(extents).toIntArray(), shown), mask);
	}

	/** Measures the shift, and compares it with the definition. */
	PairPeaks check(final ShiftAlgorithm algorithm, final Device device) {
		final Random noise = new Random(11);
		final double[] f = pixels(fixed, new double[3], fixedType, missing != Missing.NONE, noise);
		final double[] m = pixels(moving, shift, movingType, missing == Missing.OF_BOTH || missing == Missing.NOT_A_NUMBER, noise);
		final PairPeaks found;
		try (ShiftExecution execution = algorithm.plan(problem(), device).prepare(2, Monitor.NONE)) {
			final List<Operand> both = execution.transform(List.of(frame(fixedType, fixed, f), frame(movingType, moving, m)));
			assertTrue(!both.get(0).isFlat() && !both.get(1).isFlat());
			found = execution.correlate(List.of(List.of(new ShiftExecution.Pair(both.get(0), both.get(1))))).get(0);
		}
		assertTrue(found.isFound(), "a peak");
		final ReferenceShifts reference = new ReferenceShifts(f, fixed, m, moving);
		final ShiftRange range = ShiftRange.of(problem());
		assertEquals(reference.largest(range.min(), range.max(), minOverlap), found.best().score(), BEST, "the largest coefficient");
		assertTrue(found.peaks().size() <= Math.max(2, peaks), "the number of peaks");
		for (int i = 0; i < Math.min(peaks, found.peaks().size()); i++) {
			final PairPeaks.Place p = found.peaks().get(i);
			final ReferenceShifts.Overlap at = reference.at(p.lag());
			assertEquals(at.coefficient(), p.score(), EXACT, "the score of peak " + i);
			assertEquals((double) at.pixels() / reference.smaller(), p.overlap(), 1e-12, "the overlap of peak " + i);
			if (i > 0) assertTrue(p.score() <= found.peaks().get(i - 1).score(), "the order of the peaks");
		}
		final int[] lag = found.best().lag();
		boolean edge = false, fits = fixed[1] > 1 && moving[1] > 1, inside = true;
		for (int d = 0; d < 3; d++) {
			edge |= range.min()[d] < range.max()[d] && (lag[d] == range.min()[d] || lag[d] == range.max()[d]);
			inside &= shift[d] >= range.min()[d] && shift[d] <= range.max()[d];
			final int overlap = Math.min(fixed[d], moving[d] - lag[d]) - Math.max(0, -lag[d]);
			if (fixed[d] > 1 && moving[d] > 1) fits &= overlap >= FIT_SIDE && range.min()[d] < range.max()[d];
		}
		assertEquals(edge, found.edge(), "at the edge");
		if (!inside) return found;
		for (int d = 0; d < 3; d++) assertEquals(shift[d], found.best().shift()[d],
			fits && !edge && Math.min(fixed[d], moving[d]) > 1 ? FITTED : QUADRATIC, "the shift along dimension " + d);
		if (fits && !edge) assertNotNull(found.covariance(), "a covariance");
		return found;
	}
}
