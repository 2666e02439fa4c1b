package sc.fiji.ncc.numeric;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.nio.ShortBuffer;

import sc.fiji.ncc.plan.support.Buffers;
import sc.fiji.ncc.plan.Lags;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Pixels;
import sc.fiji.ncc.plan.Template;

/** The exact score of any window of an image. A window can extend beyond the image and contain missing pixels. Only one thread may use an object. */
public final class WindowScore {

	private Pixels pixels;
	private final long[] extents;
	private final Template template;
	private final Lags lags;
	private final double minWeight;
	private final WindowCoefficient exact;
	private final int[] size;
	private final Buffer buffer;
	private final boolean unsigned;
	private final double[] window;
	private double[] weights; // of a window that extends beyond the image or has missing pixels
	private byte[] present; // the mask of a window
	private final int[] numbers; // a window of 8-bit or 16-bit integers, for a template of integers with one channel; else null
	/** The number of pixels of one channel. */
	private final int count;

	/**
	 * @param pixels the image, extended by its border if the border has pixels
	 * @param lags which windows have scores. If windows may not extend beyond the image, the score of one that does is undefined
	 */
	public WindowScore(final Pixels pixels, final Template template, final Lags lags) {
		this.lags = lags;
		this.pixels = pixels;
		this.template = template;
		extents = pixels.size();
		size = template.size().toIntArray();
		count = template.values().length / template.channels();
		double all = 0;
		for (int i = 0; i < count; i++) all += template.weight(i);
		minWeight = lags.minOverlap() * all;
		exact = WindowCoefficient.of(template);
		final PixelType type = pixels.type();
		buffer = type.allocate(count);
		unsigned = type.min == 0;
		window = new double[template.values().length];
		numbers = type.exact() && exact instanceof ExactScore && ((ExactScore) exact).takesNumbers() ? new int[count] : null;
	}

	/** Replaces the image by another image of the same size and type. */
	public void use(final Pixels other) {
		pixels = other;
	}

	/**
	 * The score of a window.
	 *
	 * @param first the window's first pixel
	 * @return the score; NaN if it is undefined
	 */
	public double at(final long[] first) {
		boolean inside = true;
		for (int d = 0; d < size.length; d++) inside &= first[d] >= 0 && first[d] + size[d] <= extents[d];
		if (!inside && !lags.beyond()) return Double.NaN;
		if (!inside || pixels.mask() != null) return ofPart(first);
		if (numbers == null) {
			read(first);
			return exact.score(window);
		}
		pixels.read(first, size, buffer);
		if (buffer instanceof ByteBuffer) convert(((ByteBuffer) buffer).array(), unsigned, numbers);
		else convert(((ShortBuffer) buffer).array(), unsigned, numbers);
		return ((ExactScore) exact).score(numbers, buffer instanceof ByteBuffer);
	}

	private static void convert(final byte[] from, final boolean unsigned, final int[] to) {
		if (unsigned) for (int i = 0; i < to.length; i++) to[i] = from[i] & 0xff;
		else for (int i = 0; i < to.length; i++) to[i] = from[i];
	}

	private static void convert(final short[] from, final boolean unsigned, final int[] to) {
		if (unsigned) for (int i = 0; i < to.length; i++) to[i] = from[i] & 0xffff;
		else for (int i = 0; i < to.length; i++) to[i] = from[i];
	}

	private void read(final long[] first) {
		for (int c = 0, to = 0; c < template.channels(); c++, to += count) {
			pixels.channels().get(c).read(first, size, buffer);
			if (buffer instanceof FloatBuffer) {
				final float[] from = ((FloatBuffer) buffer).array();
				for (int i = 0; i < count; i++) window[to + i] = from[i];
			}
			else for (int i = 0; i < count; i++) window[to + i] = Buffers.value(buffer, unsigned, i);
		}
	}

	/** A copy of a window's pixels, which must lie inside the image, channel after channel. Missing pixels are those of the template. */
	public double[] window(final long[] first) {
		read(first);
		final double[] copy = window.clone();
		if (pixels.mask() == null) return copy;
		readMask(first, size);
		for (int i = 0; i < copy.length; i++)
			if (present[i % count] == 0) copy[i] = template.values()[i];
		return copy;
	}

	private void readMask(final long[] min, final int[] part) {
		if (present == null) present = new byte[count];
		pixels.mask().read(min, part, ByteBuffer.wrap(present));
	}

	private double ofPart(final long[] first) {
		final int n = size.length;
		final long[] min = new long[n];
		final int[] part = new int[n], skipped = new int[n];
		for (int d = 0; d < n; d++) {
			min[d] = Math.max(0, first[d]);
			skipped[d] = (int) (min[d] - first[d]);
			part[d] = (int) (Math.min(extents[d], first[d] + size[d]) - min[d]);
			if (part[d] <= 0) return Double.NaN;
		}
		if (pixels.mask() != null) readMask(min, part);
		if (weights == null) weights = new double[count];
		double weight = 0;
		for (int c = 0; c < template.channels(); c++) weight = part(c, min, part, skipped);
		return weight < minWeight ? Double.NaN : exact.score(window, weights);
	}

	/** Reads a part of the window in one channel, and sets the weights. Returns their sum. */
	private double part(final int channel, final long[] min, final int[] part, final int[] skipped) {
		pixels.channels().get(channel).read(min, part, buffer);
		final boolean masked = pixels.mask() != null;
		double weight = 0;
		for (int i = 0; i < count; i++) {
			boolean inside = true;
			int at = 0;
			for (int d = 0, rest = i, stride = 1; d < size.length; d++) {
				final int p = rest % size[d] - skipped[d];
				inside &= p >= 0 && p < part[d];
				at += p * stride;
				stride *= part[d];
				rest /= size[d];
			}
			inside &= !masked || present[inside ? at : 0] != 0;
			window[channel * count + i] = inside ? Buffers.value(buffer, unsigned, at) : 0;
			weights[i] = inside ? template.weight(i) : 0;
			weight += weights[i];
		}
		return weight;
	}
}
