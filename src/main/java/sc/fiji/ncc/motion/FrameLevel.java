package sc.fiji.ncc.motion;

import java.util.Arrays;

import sc.fiji.ncc.image.BoxMeans;
import sc.fiji.ncc.image.FrameSpline;
import sc.fiji.ncc.numeric.GridSpline;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.support.Parallel;

/**
 * Frames whose pixels are means over boxes of pixels, and windows over these. Large motions and coarse fields need no small pixels, and a level of
 * boxes of 4x4 pixels takes a 16th of the time.
 */
final class FrameLevel {

	private final int[] box;
	private final long[] min;
	private final WindowGrid windows, grid;
	private final Parallel parallel;

	/**
	 * @param windows the windows of all levels, over the frame and the pixels around it
	 * @param min the first pixel of this area in the frame
	 * @param most the extent of a box, at most
	 * @param least the smallest extent of a window in boxes; boxes are smaller where windows would be smaller
	 */
	FrameLevel(final WindowGrid windows, final long[] min, final int most, final int least, final Parallel parallel) {
		this.windows = windows;
		this.min = min;
		this.parallel = parallel;
		final int n = windows.dimensions();
		box = new int[n];
		final long[] size = new long[n], window = new long[n], spacing = new long[n];
		for (int d = 0; d < n; d++) {
			box[d] = box(windows.window().get(d), most, least);
			size[d] = windows.frame().get(d) / box[d];
			window[d] = windows.window().get(d) / box[d];
			spacing[d] = Math.max(1, windows.spacing().get(d) / box[d]);
		}
		grid = new WindowGrid(Size.of(size), Size.of(window), Size.of(spacing));
	}

	/** The largest extent of a box, from a power of two on, of which a window has enough. */
	static int box(final long window, final int most, final int least) {
		int box = most;
		while (box > 1 && window < (long) least * box) box /= 2;
		return box;
	}

	/** The windows in boxes. */
	WindowGrid grid() {
		return grid;
	}

	/** The extents of a box in pixels. */
	int[] box() {
		return box.clone();
	}

	/** Whether boxes are pixels. */
	boolean isWhole() {
		return Arrays.stream(box).allMatch(b -> b == 1);
	}

	/**
	 * The means over the boxes of a frame, x fastest; NaN where a pixel is missing. The rest at the end is left out. A new array.
	 *
	 * @param finer the means over boxes of which those of this level consist
	 * @param size the extents of the frame in pixels
	 * @param finerBox the extents of those boxes
	 */
	float[] means(final float[] finer, final int[] size, final int[] finerBox) {
		final int[] ratio = box.clone();
		for (int d = 0; d < ratio.length; d++) ratio[d] /= finerBox[d];
		return Arrays.stream(ratio).allMatch(r -> r == 1) ? finer.clone() : BoxMeans.of(finer, BoxMeans.extents(size, finerBox), ratio, parallel);
	}

	/** A frame of means over boxes, to be deformed, which takes their array. @param size its extents in pixels */
	DeformedFrame frame(final float[] means, final int[] size) {
		return new DeformedFrame(FrameSpline.cubic(means, BoxMeans.extents(size, box), parallel), parallel);
	}

	/**
	 * The area of the windows in a frame with a motion: values at boxes of the frame.
	 *
	 * @param motion in pixels, at the windows of the frame
	 * @param to receives the values, or null
	 */
	float[] by(final DeformedFrame frame, final double[][] motion, final float[] to) {
		final int n = box.length;
		final double[] origin = windows.origin(), distances = windows.distances();
		final double[][] scaled = new double[n][];
		for (int d = 0; d < n; d++) {
			origin[d] = (origin[d] - 0.5 * (box[d] - 1)) / box[d];
			distances[d] /= box[d];
			final int b = box[d];
			// boxes of the frame begin at its first pixel, and those of the area at its own
			final double start = min[d] / (double) b;
			scaled[d] = Arrays.stream(motion[d]).map(u -> u / b + start).toArray();
		}
		return frame.by(new GridSpline(windows.count(), origin, distances, scaled), new long[n], grid.frame().toIntArray(),
			to == null ? new float[Math.toIntExact(grid.frame().pixels())] : to);
	}

	/** The motion at the windows of this level in boxes, from that of the windows of the frame in pixels. */
	double[][] at(final double[][] motion) {
		if (isWhole()) return motion;
		if (isSame(grid)) return scaled(motion, false);
		final GridSpline spline = windows.spline(motion);
		final double[][] all = new double[motion.length][grid.windows()];
		for (int i = 0; i < grid.windows(); i++) {
			final double[] at = grid.centre(i);
			for (int d = 0; d < at.length; d++) at[d] = box[d] * at[d] + 0.5 * (box[d] - 1);
			final double[] u = spline.at(at);
			for (int d = 0; d < u.length; d++) all[d][i] = u[d] / box[d];
		}
		return all;
	}

	/** Whether windows in boxes are the windows of the frame. */
	private boolean isSame(final WindowGrid inBoxes) {
		boolean same = Arrays.equals(inBoxes.count(), windows.count());
		for (int d = 0; d < box.length; d++)
			same &= box[d] * inBoxes.window().get(d) == windows.window().get(d) && box[d] * inBoxes.spacing().get(d) == windows.spacing().get(d);
		return same;
	}

	private double[][] scaled(final double[][] motion, final boolean toPixels) {
		final double[][] all = new double[motion.length][];
		for (int d = 0; d < all.length; d++) {
			final double factor = toPixels ? box[d] : 1.0 / box[d];
			all[d] = Arrays.stream(motion[d]).map(u -> factor * u).toArray();
		}
		return all;
	}

	/** The motion of all windows of the frame, in pixels, from that of windows in boxes. */
	double[][] windows(final WindowGrid from, final double[][] motion) {
		if (isWhole() && from.equals(windows)) return motion;
		if (isSame(from)) return scaled(motion, true);
		final GridSpline spline = from.spline(motion);
		final double[][] all = new double[motion.length][windows.windows()];
		for (int i = 0; i < windows.windows(); i++) {
			final double[] at = windows.centre(i);
			for (int d = 0; d < at.length; d++) at[d] = (at[d] - 0.5 * (box[d] - 1)) / box[d];
			final double[] u = spline.at(at);
			for (int d = 0; d < u.length; d++) all[d][i] = box[d] * u[d];
		}
		return all;
	}
}
