package sc.fiji.ncc.motion;

import java.util.Arrays;

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
			box[d] = most;
			while (box[d] > 1 && windows.window().get(d) < (long) least * box[d]) box[d] /= 2;
			size[d] = windows.frame().get(d) / box[d];
			window[d] = windows.window().get(d) / box[d];
			spacing[d] = Math.max(1, windows.spacing().get(d) / box[d]);
		}
		grid = new WindowGrid(Size.of(size), Size.of(window), Size.of(spacing));
	}

	/** The windows in boxes. */
	WindowGrid grid() {
		return grid;
	}

	/** The extent of a box in pixels. */
	int box(final int d) {
		return box[d];
	}

	/** Whether boxes are pixels. */
	boolean isWhole() {
		return Arrays.stream(box).allMatch(b -> b == 1);
	}

	/** The means over the boxes of a frame, x fastest; NaN where a pixel is missing. The rest at the end is left out. */
	float[] means(final float[] pixels, final int[] size) {
		if (isWhole()) return pixels;
		final int n = size.length;
		final int[] extents = new int[n];
		int all = 1, block = 1;
		for (int d = 0; d < n; d++) {
			extents[d] = size[d] / box[d];
			all *= extents[d];
			block *= box[d];
		}
		final float[] means = new float[all];
		final int width = extents[0], pixelsOfBox = block, rows = block / box[0];
		parallel.each(all / width, r -> {
			final double[] sums = new double[width];
			for (int k = 0; k < rows; k++) {
				int from = 0;
				for (int d = 1, rest = r, inner = k, stride = size[0]; d < n; stride *= size[d++]) {
					from += (rest % extents[d] * box[d] + inner % box[d]) * stride;
					rest /= extents[d];
					inner /= box[d];
				}
				for (int x = 0; x < width; x++) for (int i = 0; i < box[0]; i++) sums[x] += pixels[from + x * box[0] + i];
			}
			for (int x = 0; x < width; x++) means[r * width + x] = (float) (sums[x] / pixelsOfBox);
		});
		return means;
	}

	/** A frame of means over boxes, to be deformed. */
	DeformedFrame frame(final float[] pixels, final int[] size) {
		final int[] extents = new int[size.length];
		for (int d = 0; d < extents.length; d++) extents[d] = size[d] / box[d];
		return new DeformedFrame(FrameSpline.cubic(means(pixels, size), extents, parallel), parallel);
	}

	/** The area of the windows in a frame with a motion: values at boxes of the frame. @param motion in pixels, at the windows of the frame */
	float[] by(final DeformedFrame frame, final double[][] motion) {
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
		return frame.by(new GridSpline(windows.count(), origin, distances, scaled), new long[n], grid.frame().toIntArray());
	}

	/** The motion at the windows of this level in boxes, from that of the windows of the frame in pixels. */
	double[][] at(final double[][] motion) {
		if (isWhole()) return motion;
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

	/** The motion of all windows of the frame, in pixels, from that of windows in boxes. */
	double[][] windows(final WindowGrid from, final double[][] motion) {
		if (isWhole() && from.equals(windows)) return motion;
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
