package sc.fiji.ncc.image;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.util.Arrays;

import sc.fiji.ncc.numeric.CubicSpline;
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

	private final Pixels pixels;
	private final int n, count;
	private final int[] size, padded;
	private final int channels;
	/** One for each channel. */
	private final ShiftSampler[] blocks;
	/** The spline of the whole image; null if each window has its own. */
	private final FrameSpline spline;
	private final double[] weights;
	private final Template template;

	/** @param spline that of all pixels, which have one channel; null to make one for each window */
	ShiftedWindow(final Pixels pixels, final Template template, final FrameSpline spline) {
		this.pixels = pixels;
		this.spline = spline;
		this.template = template;
		size = template.size().toIntArray();
		n = size.length;
		channels = template.channels();
		count = template.values().length / channels;
		blocks = new ShiftSampler[channels];
		for (int c = 0; c < channels && spline == null; c++) blocks[c] = new SplineBlock(size);
		padded = SplineBlock.padded(size);
		weights = new double[count];
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
			blocks[0] = spline.window(first, size);
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
			((SplineBlock) blocks[c]).set(all);
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
		int all = 1;
		for (final int p : padded) all *= p;
		final int[] index = new int[all];
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
		for (int i = 0; i < count; i++) {
			boolean inside = true;
			for (int d = 0, rest = i; d < n && !all; rest /= size[d++]) {
				final long x = first[d] + rest % size[d];
				inside &= extents[d] == 1 || x >= 1 && x < extents[d] - 1;
			}
			weights[i] = inside ? template.weight(i) : 0;
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
	 * The pixels of the window, shifted, channel after channel, up to a constant for each channel. Complexity: linear in the number of pixels.
	 *
	 * @param shift at most {@link #MAX_SHIFT} along each axis
	 * @param along the axis of a derivative; -1 for the values
	 */
	double[] values(final double[] shift, final int along) {
		final double[] all = new double[channels * count];
		for (int c = 0; c < channels; c++) blocks[c].sample(shift, along, all, c * count);
		return all;
	}
}
