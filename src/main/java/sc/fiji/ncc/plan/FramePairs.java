package sc.fiji.ncc.plan;

import java.util.List;
import java.util.stream.Collectors;

/**
 * Whole frames that are correlated with each other: the coefficient of the part that overlaps, at all lags of a range, with its best peaks.
 *
 * @param image the pixel type of all frames
 * @param fixed the extents of fixed frames, two or three
 * @param moving the extents of moving frames
 * @param maxShift the largest shift between two frames, in pixels along each dimension; empty for as much as the overlap allows
 * @param minOverlap the smallest overlap, as a share of the largest possible overlap; above 0, up to 1
 * @param masked whether there are pixels that do not count
 * @param values the number of recorded values from which a pixel is computed when a frame is read: 1, or more for joint channels and for projections
 * @param peaks the number of peaks of each pair
 * @param subpixel whether the best peak is refined between the pixels
 * @param frames the number of frames, fixed and moving ones
 * @param pairs the number of pairs
 */
public record FramePairs(PixelType image, Size fixed, Size moving, List<Long> maxShift, double minOverlap, boolean masked, long values, int peaks,
	boolean subpixel, long frames, long pairs) implements Problem
{

	public FramePairs {
		maxShift = List.copyOf(maxShift);
		if (fixed.dimensions() != moving.dimensions() || !maxShift.isEmpty() && maxShift.size() != fixed.dimensions())
			throw new IllegalArgumentException("frames of " + fixed + " and " + moving + " differ in their number of dimensions");
	}

	/** Seconds of a thread to compute a pixel from one recorded value, measured with {@code ShiftTimes} on a Xeon, 2026-11-24. */
	private static final double VALUE = 5e-9;

	/** The seconds of a thread to compute a pixel from several recorded values, besides reading them; 0 if it has one. */
	public double computing() {
		return values == 1 ? 0 : VALUE * values;
	}

	/** The extents along x, y and z; 1 for a dimension that the frames do not have. */
	public static int[] extents(final Size size) {
		final int[] all = { 1, 1, 1 };
		for (int d = 0; d < size.dimensions(); d++) all[d] = Math.toIntExact(size.get(d));
		return all;
	}

	/** The largest shift along x, y and z. */
	public long[] maxShifts() {
		final long[] most = { 0, 0, 0 };
		for (int d = 0; d < fixed.dimensions(); d++) most[d] = maxShift.isEmpty() ? Integer.MAX_VALUE : Math.min(maxShift.get(d), Integer.MAX_VALUE);
		return most;
	}

	/** The same problem with another number of frames, and as many pairs for each. */
	public FramePairs of(final long otherFrames) {
		return new FramePairs(image, fixed, moving, maxShift, minOverlap, masked, values, peaks, subpixel, otherFrames, Math.max(1,
			Math.round(pairs * (otherFrames / (double) frames))));
	}

	/** {@code shifts of 60 U16 frames of 512x512, 480 pairs, overlap at least 0.333}: readable, and complete. */
	@Override
	public String toString() {
		return "shifts of " + frames + " " + image + " frames of " + fixed + (moving.equals(fixed) ? "" : " and " + moving) + ", " + pairs + (pairs == 1
			? " pair" : " pairs")
			+ (maxShift.isEmpty() ? "" : ", up to " + maxShift.stream().map(String::valueOf).collect(Collectors.joining("x")) + " pixels")
				+ ", overlap at least " + Math.round(1000 * minOverlap) / 1000.0
			+ (masked ? ", masked" : "") + (values == 1 ? "" : ", each pixel of " + values + " values") + (peaks == 1 ? "" : ", " + peaks + " peaks")
			+ (subpixel ? "" : ", whole pixels");
	}
}
