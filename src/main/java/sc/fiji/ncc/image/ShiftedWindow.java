package sc.fiji.ncc.image;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.util.Arrays;

import sc.fiji.ncc.numeric.CubicSpline;
import sc.fiji.ncc.numeric.PaddedGrid;
import sc.fiji.ncc.plan.support.Boxes;
import sc.fiji.ncc.plan.support.Buffers;
import sc.fiji.ncc.plan.Pixels;
import sc.fiji.ncc.plan.Template;

/**
 * A window of an image at a position between the pixels: interpolated by B-splines of degree 5 through the pixels of the window and around it, mirrored at the border of
 * the image. Only one thread may use an object.
 */
final class ShiftedWindow {

	/** The largest distance from the whole-pixel position along each axis, in pixels. */
	static final double MAX_SHIFT = 1.5;
	/** Pixels of the window within this distance of a missing pixel do not count. */
	private static final int NEAR = 3;

	private final PaddedGrid grid;
	private final int n, count;
	private final int[] size, padded;
	private final int channels;
	/** One for each channel. */
	private final SplineBlock[] blocks;
	private final double[] weights;
	private Pixels pixels;
	private Template template;
	/** The spline of the whole image; null if each window has its own. */
	private FrameSpline spline;
	private double scale;

	/** @param grid of the size of a window */
	ShiftedWindow(final PaddedGrid grid, final int channels) {
		this.grid = grid;
		this.channels = channels;
		size = grid.size();
		n = size.length;
		blocks = new SplineBlock[channels];
		for (int c = 0; c < channels; c++) blocks[c] = new SplineBlock(grid);
		padded = SplineBlock.padded(size, SplineBlock.MARGIN);
		count = Boxes.pixels(size);
		weights = new double[count];
	}

	/**
	 * Sets where windows are read.
	 *
	 * @param weighted has the weights
	 * @param splineOfAll that of all pixels, which have one channel then; null to make one for each window
	 * @param factor by which pixels are multiplied
	 */
	void in(final Pixels other, final Template weighted, final FrameSpline splineOfAll, final double factor) {
		pixels = other;
		template = weighted;
		spline = splineOfAll;
		scale = factor;
	}

	/** Keeps no pixels. */
	void release() {
		in(null, null, null, 1);
	}

	/**
	 * Reads a window.
	 *
	 * @param first its first pixel; the window can extend beyond the image
	 * @return false if no pixel of it lies inside the image
	 */
	boolean read(final long[] first) {
		final long[] extents = pixels.size(), min = new long[n];
		final int[] part = new int[n];
		int read = 1;
		for (int d = 0; d < n; d++) {
			if (first[d] + size[d] <= 0 || first[d] >= extents[d]) return false;
			min[d] = Math.max(0, first[d] - SplineBlock.MARGIN);
			part[d] = (int) (Math.min(extents[d], first[d] + size[d] + SplineBlock.MARGIN) - min[d]);
			read *= part[d];
		}
		final byte[] present = present(min, part, read);
		final int[] index = spline != null && present == null ? null : indices(first, min, part);
		weigh(first, extents, index, present);
		if (spline != null) {
			spline.read(first, size, (float) scale, blocks[0]);
			return true;
		}
		final Buffer buffer = pixels.type().allocate(read);
		for (int c = 0; c < channels; c++) {
			pixels.channels().get(c).read(min, part, buffer);
			final double[] values = new double[read];
			double sum = 0;
			int defined = 0;
			for (int i = 0; i < read; i++) {
				values[i] = present == null || present[i] != 0 ? Buffers.value(buffer, pixels.type().min == 0, i) : Double.NaN;
				if (!Double.isFinite(values[i])) continue;
				sum += values[i];
				defined++;
			}
			final double mean = defined == 0 ? 0 : sum / defined;
			final double[] all = new double[index.length];
			for (int i = 0; i < index.length; i++) all[i] = Double.isFinite(values[index[i]]) ? values[index[i]] - mean : 0;
			blocks[c].set(all, scale);
		}
		return true;
	}

	/** 0 for pixels that are missing; null if none of them is. */
	private byte[] present(final long[] min, final int[] part, final int count) {
		if (pixels.mask() == null) return null;
		final byte[] present = new byte[count];
		pixels.mask().read(min, part, ByteBuffer.wrap(present));
		for (final byte p : present) if (p == 0) return present;
		return null;
	}

	/** For each pixel of the padded window the index of the pixel that was read, which is mirrored at the border of the image. */
	private int[] indices(final long[] first, final long[] min, final int[] part) {
		final int[] index = new int[Boxes.pixels(padded)];
		for (int i = 0; i < index.length; i++)
			for (int d = 0, rest = i, stride = 1; d < n; d++) {
				final long p = first[d] - SplineBlock.MARGIN + rest % padded[d] - min[d];
				index[i] += CubicSpline.mirrored((int) p, part[d]) * stride;
				rest /= padded[d];
				stride *= part[d];
			}
		return index;
	}

	/** Sets the weights: 0 for pixels that a shift can move beyond the image or onto a missing pixel. */
	private void weigh(final long[] first, final long[] extents, final int[] index, final byte[] present) {
		boolean all = true;
		for (int d = 0; d < n; d++) all &= extents[d] == 1 || first[d] >= 1 && first[d] + size[d] < extents[d];
		Arrays.fill(weights, 1);
		if (template.weights() != null) System.arraycopy(template.weights(), 0, weights, 0, count);
		for (int i = 0; i < count && !all; i++) {
			boolean inside = true;
			for (int d = 0, rest = i; d < n; rest /= size[d++]) {
				final long x = first[d] + rest % size[d];
				inside &= extents[d] == 1 || x >= 1 && x < extents[d] - 1;
			}
			if (!inside) weights[i] = 0;
		}
		if (present != null) for (int i = 0; i < index.length; i++) if (present[index[i]] == 0) leaveOut(i);
	}

	/** Sets the weights to 0 that are near a pixel of the padded window. */
	private void leaveOut(final int missing) {
		final int[] from = new int[n], until = new int[n];
		for (int d = 0, rest = missing; d < n; rest /= padded[d++]) {
			final int x = rest % padded[d] - SplineBlock.MARGIN;
			from[d] = Math.max(0, x - NEAR);
			until[d] = Math.min(size[d], x + NEAR + 1);
			if (from[d] >= until[d]) return;
		}
		leaveOut(n - 1, 0, from, until);
	}

	private void leaveOut(final int d, final int base, final int[] from, final int[] until) {
		if (d == 0) Arrays.fill(weights, base + from[0], base + until[0], 0);
		else for (int x = from[d]; x < until[d]; x++) leaveOut(d - 1, (base + x) * size[d - 1], from, until);
	}

	/** The weights of the pixels of the window. */
	double[] weights() {
		return weights;
	}

	/**
	 * Samples the pixels of the window, shifted, channel after channel, each on the grid, up to a constant for each channel. Complexity: linear in
	 * the number of pixels.
	 *
	 * @param shift at most {@link #MAX_SHIFT} along each axis, or the nearest whole number
	 * @param to the values; and the slopes along each axis if it has so many arrays
	 */
	void sample(final double[] shift, final float[][] to) {
		for (int c = 0; c < channels; c++) blocks[c].sample(shift, to, c * grid.length());
	}
}
