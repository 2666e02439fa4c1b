package sc.fiji.ncc.image;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.ObjDoubleConsumer;

import sc.fiji.ncc.numeric.CubicSpline;
import sc.fiji.ncc.numeric.QuinticSpline;
import sc.fiji.ncc.plan.Pixels;
import sc.fiji.ncc.plan.support.Boxes;
import sc.fiji.ncc.plan.support.Buffers;
import sc.fiji.ncc.plan.support.Parallel;

/**
 * The B-spline of degree 5, or 3, through a whole frame without its mean, mirrored at the border. The coefficients are floats. Several threads may use
 * it.
 */
public final class FrameSpline {

	/** Lines that are filtered together, and groups of them in one task. */
	private static final int TOGETHER = 32, GROUPS = 4;
	/** The number of coefficients that contribute to a value along a dimension. */
	private static final int QUINTIC = QuinticSpline.COEFFICIENTS, CUBIC = CubicSpline.COEFFICIENTS;
	/** Positions of {@link Positions} are rounded to a fraction of a pixel: the logarithm of its inverse, and the weights for each fraction. */
	private static final int FRACTION = 12;
	private static final double[] QUINTIC_WEIGHTS = weights(QUINTIC, (to, t) -> QuinticSpline.weights(t, to)),
		CUBIC_WEIGHTS = weights(CUBIC, (to, t) -> CubicSpline.weights(t, to));
	/** Those of the fast path in floats, for fewer fractions: they fit into the first cache. */
	private static final int COARSE = 10;
	/** Positions are moved by less. */
	private static final double ROUNDED = 1.0 / (1 << COARSE);
	private static final float[] FLOATS = new float[CUBIC << COARSE];
	static {
		for (int i = 0; i < FLOATS.length; i++) FLOATS[i] = (float) CUBIC_WEIGHTS[(i / CUBIC << FRACTION - COARSE) * CUBIC + i % CUBIC];
	}

	private static double[] weights(final int count, final ObjDoubleConsumer<double[]> of) {
		final double[] all = new double[count << FRACTION], weights = new double[count];
		for (int i = 0; i < 1 << FRACTION; i++) {
			of.accept(weights, i / (double) (1 << FRACTION));
			System.arraycopy(weights, 0, all, i * count, count);
		}
		return all;
	}

	private final int n, pixels, contributing;
	private final int[] size, strides;
	private final float[] coefficients;
	private final boolean[] missing;
	private final double[] weights;
	/** 0 until it is known. */
	private volatile float scale;

	/** @param frame pixels that are not finite are missing, too */
	public FrameSpline(final Pixels frame, final Parallel parallel) {
		this(values(frame, parallel), Arrays.stream(frame.size()).mapToInt(Math::toIntExact).toArray(), QUINTIC, parallel);
	}

	/**
	 * The spline of degree 3, whose {@link Positions} take half of the time.
	 *
	 * @param values of all pixels, x fastest, best without their mean; NaN for missing pixels. They become the coefficients
	 * @param size the extents of the frame
	 */
	public static FrameSpline cubic(final float[] values, final int[] size, final Parallel parallel) {
		return new FrameSpline(values, size, CUBIC, parallel);
	}

	private FrameSpline(final float[] values, final int[] size, final int contributing, final Parallel parallel) {
		this.contributing = contributing;
		weights = contributing == CUBIC ? CUBIC_WEIGHTS : QUINTIC_WEIGHTS;
		n = size.length;
		this.size = size.clone();
		strides = Boxes.strides(size);
		pixels = values.length;
		coefficients = values;
		boolean any = false;
		for (final float v : values) any |= v != v;
		missing = any ? new boolean[pixels] : null;
		if (any) for (int i = 0; i < pixels; i++) if (values[i] != values[i]) {
			missing[i] = true;
			values[i] = 0;
		}
		for (int d = 0; d < n; d++) filter(d, parallel);
	}

	/** All pixels of a frame without their mean, x fastest: NaN for those that are missing or not finite. */
	public static float[] values(final Pixels frame, final Parallel parallel) {
		final int[] size = Arrays.stream(frame.size()).mapToInt(Math::toIntExact).toArray();
		final int pixels = Arrays.stream(size).reduce(1, Math::multiplyExact), width = size[0], rows = pixels / width;
		final Buffer raw = frame.type().allocate(pixels);
		frame.read(new long[size.length], size, raw);
		final byte[] present = new byte[frame.mask() == null ? 0 : pixels];
		if (present.length > 0) frame.mask().read(new long[size.length], size, ByteBuffer.wrap(present));
		final boolean unsigned = frame.type().min == 0;
		final boolean all = present.length == 0 && frame.type().integer;
		final double[] sums = new double[rows];
		final int[] defined = new int[rows];
		final float[] values = new float[pixels];
		final boolean small = all && frame.type().bytes <= Short.BYTES;
		parallel.each(rows, r -> {
			if (small) {
				sums[r] = Buffers.floats(raw, unsigned, r * width, values, width);
				defined[r] = width;
				return;
			}
			final double[] row = new double[width];
			Buffers.values(raw, unsigned, r * width, row, width);
			for (int x = 0, i = r * width; x < width; x++, i++) {
				if (!all && (present.length > 0 && present[i] == 0 || !Double.isFinite(row[x]))) continue;
				sums[r] += row[x];
				defined[r]++;
			}
		});
		final double mean = Arrays.stream(sums).sum() / Arrays.stream(defined).sum();
		parallel.each(rows, r -> {
			// such pixels are floats
			if (small) {
				for (int i = r * width; i < (r + 1) * width; i++) values[i] -= (float) mean;
				return;
			}
			final double[] row = new double[width];
			Buffers.values(raw, unsigned, r * width, row, width);
			for (int x = 0, i = r * width; x < width; x++, i++)
				values[i] = present.length > 0 && present[i] == 0 || !Double.isFinite(row[x]) ? Float.NaN : (float) (row[x] - mean);
		});
		return values;
	}

	private void filter(final int d, final Parallel parallel) {
		final int length = size[d], stride = strides[d], lines = pixels / length;
		// lines that lie side by side, or with x one after the other
		final int beside = d == 0 ? lines : stride, groups = (beside + TOGETHER - 1) / TOGETHER;
		final int all = lines / beside * groups;
		parallel.each((all + GROUPS - 1) / GROUPS, chunk -> {
			float[][] values = new float[length][TOGETHER];
			for (int group = chunk * GROUPS; group < Math.min(all, (chunk + 1) * GROUPS); group++) {
				final int from = group % groups * TOGETHER, count = Math.min(TOGETHER, beside - from);
				if (count != values[0].length) values = new float[length][count];
				filter(values, d, count, d == 0 ? from * length : group / groups * stride * length + from);
			}
		});
	}

	/** Filters lines that lie side by side. @param first the first value */
	private void filter(final float[][] values, final int d, final int count, final int first) {
		final int length = size[d], stride = strides[d];
		for (int i = 0; i < length; i++)
			if (d > 0) System.arraycopy(coefficients, first + i * stride, values[i], 0, count);
			else for (int l = 0; l < count; l++) values[i][l] = coefficients[first + l * length + i];
		if (contributing == CUBIC) CubicSpline.coefficients(values);
		else QuinticSpline.coefficients(values);
		for (int i = 0; i < length; i++)
			if (d > 0) System.arraycopy(values[i], 0, coefficients, first + i * stride, count);
			else for (int l = 0; l < count; l++) coefficients[first + l * length + i] = values[i][l];
	}

	/** The extents of the frame, x first. */
	public int[] size() {
		return size.clone();
	}

	/** Samples the frame at rows of positions. Only one thread may use an object. */
	public final class Positions {

		/** The first weight along each dimension. */
		private final int[] firstWeights = new int[n];
		/** The offsets of the coefficients that contribute, along each dimension. */
		private final int[][] offsets = new int[n][contributing];

		/**
		 * The values at positions, without the mean of the frame; NaN outside the frame, and beside a missing pixel.
		 *
		 * @param positions one array for each dimension, in pixels; they are rounded to 1/1024 or less
		 * @param to receives the values
		 * @param at the index of the first one
		 */
		public void row(final double[][] positions, final float[] to, final int at) {
			final int width = positions[0].length;
			if (n != 2 || missing != null) {
				for (int i = 0; i < width; i++) to[at + i] = value(positions, i);
				return;
			}
			final boolean all = contributing == CUBIC ? cubic(positions[0], positions[1], to, at)
				: quintic(positions[0], positions[1], to, at);
			for (int i = 0; i < width && !all; i++) if (to[at + i] != to[at + i]) to[at + i] = value(positions, i);
		}

		/** The end of the positions whose neighbours all lie in a line, and whose fractions of so many bits make an int. */
		private static double last(final int extent, final int contributing, final int bits) {
			return Math.min(extent - contributing / 2 - ROUNDED, (1 << Integer.SIZE - 1 - bits) - 1);
		}

		/** Whether a position lies in the frame. */
		private boolean isInside(final double x, final double y, final double right, final double bottom) {
			return x >= -0.5 && y >= -0.5 && x <= right && y <= bottom;
		}

		private float value(final double[][] positions, final int i) {
			for (int d = 0; d < n; d++) {
				final double p = positions[d][i];
				if (!(p >= -0.5 && p <= size[d] - 0.5)) return Float.NaN;
				final long q = (long) Math.floor(p * (1 << FRACTION) + 0.5);
				final int first = (int) (q >> FRACTION) - contributing / 2 + 1;
				firstWeights[d] = firstWeight((int) q);
				final int[] o = offsets[d];
				if (first >= 0 && first + contributing <= size[d]) for (int k = 0; k < contributing; k++) o[k] = (first + k) * strides[d];
				else for (int k = 0; k < contributing; k++) o[k] = CubicSpline.mirrored(first + k, size[d]) * strides[d];
			}
			if (missing != null && isBesideMissing(0, 0)) return Float.NaN;
			return (float) sum(n - 1, 0);
		}

		private int fraction(final double position) {
			return (int) Math.floor(position * (1 << FRACTION) + 0.5);
		}

		private int firstWeight(final int fraction) {
			return (fraction & (1 << FRACTION) - 1) * contributing;
		}

		// loops without calls, whose invariant values C2 keeps in registers

		/** The sums over four rows of four coefficients; NaN where one of them lies outside. Returns whether all such positions lie outside the frame. */
		private boolean cubic(final double[] along, final double[] across, final float[] to, final int at) {
			final int width = size[0], mask = (1 << COARSE) - 1;
			final double right = last(width, CUBIC, COARSE), bottom = last(size[1], CUBIC, COARSE);
			final double lastX = width - 0.5, lastY = size[1] - 0.5;
			final float[] w = FLOATS, v = coefficients;
			boolean all = true;
			for (int i = 0; i < along.length; i++) {
				final double x = along[i], y = across[i];
				if (!(x >= CUBIC / 2 - 1 && y >= CUBIC / 2 - 1 && x < right && y < bottom)) {
					all &= !isInside(x, y, lastX, lastY);
					to[at + i] = Float.NaN;
					continue;
				}
				final int qx = (int) (x * (1 << COARSE) + 0.5), qy = (int) (y * (1 << COARSE) + 0.5);
				final int atX = (qx & mask) * CUBIC, atY = (qy & mask) * CUBIC;
				final int p = ((qy >> COARSE) - 1) * width + (qx >> COARSE) - 1, q = p + width, r = q + width, s = r + width;
				final float a = w[atX], b = w[atX + 1], c = w[atX + 2], d = w[atX + 3];
				to[at + i] = w[atY] * (a * v[p] + b * v[p + 1] + (c * v[p + 2] + d * v[p + 3]))
					+ w[atY + 1] * (a * v[q] + b * v[q + 1] + (c * v[q + 2] + d * v[q + 3]))
					+ (w[atY + 2] * (a * v[r] + b * v[r + 1] + (c * v[r + 2] + d * v[r + 3]))
					+ w[atY + 3] * (a * v[s] + b * v[s + 1] + (c * v[s + 2] + d * v[s + 3])));
			}
			return all;
		}

		/** The sums over six rows of six coefficients, as {@link #cubic}. */
		private boolean quintic(final double[] along, final double[] across, final float[] to, final int at) {
			final int width = size[0];
			final double right = last(width, QUINTIC, FRACTION), bottom = last(size[1], QUINTIC, FRACTION);
			final double lastX = width - 0.5, lastY = size[1] - 0.5;
			final double[] w = QUINTIC_WEIGHTS;
			final float[] v = coefficients;
			boolean all = true;
			for (int j = 0; j < along.length; j++) {
				final double x = along[j], y = across[j];
				if (!(x >= QUINTIC / 2 - 1 && y >= QUINTIC / 2 - 1 && x < right && y < bottom)) {
					all &= !isInside(x, y, lastX, lastY);
					to[at + j] = Float.NaN;
					continue;
				}
				final int qx = fraction(x), qy = fraction(y), atX = firstWeight(qx), atY = firstWeight(qy);
				final double a = w[atX], b = w[atX + 1], c = w[atX + 2], d = w[atX + 3], e = w[atX + 4], f = w[atX + 5];
				double sum = 0;
				for (int k = 0, i = ((qy >> FRACTION) - 2) * width + (qx >> FRACTION) - 2; k < QUINTIC; k++, i += width)
					sum += w[atY + k] * (a * v[i] + b * v[i + 1] + c * v[i + 2] + (d * v[i + 3] + e * v[i + 4] + f * v[i + 5]));
				to[at + j] = (float) sum;
			}
			return all;
		}

		/** Whether one of the pixels around the position, two along each dimension, is missing. */
		private boolean isBesideMissing(final int d, final int base) {
			if (d == n) return missing[base];
			return isBesideMissing(d + 1, base + offsets[d][contributing / 2 - 1])
				|| isBesideMissing(d + 1, base + offsets[d][contributing / 2]);
		}

		private double sum(final int d, final int base) {
			if (d == 0) return line(base);
			final int[] o = offsets[d];
			double sum = 0;
			for (int k = 0; k < contributing; k++) sum += weights[firstWeights[d] + k]
				* (d == 1 ? line(base + o[k]) : sum(d - 1, base + o[k]));
			return sum;
		}

		private double line(final int base) {
			final int[] o = offsets[0];
			double sum = 0;
			for (int k = 0, w = firstWeights[0]; k < o.length; k++) sum += weights[w + k] * coefficients[base + o[k]];
			return sum;
		}
	}

	/** A power of two that makes the largest coefficient at most 1. */
	float scale() {
		if (scale == 0) {
			float most = Float.MIN_NORMAL;
			for (final float c : coefficients) most = Math.max(most, Math.abs(c));
			scale = Math.scalb(1f, -1 - Math.getExponent(most));
		}
		return scale;
	}

	/**
	 * Sets a block to the spline of a window, up to a constant. The window can extend beyond the frame, which is mirrored.
	 *
	 * @param first the first pixel of the window; {@code extents} are its extents
	 * @param factor by which values are multiplied
	 */
	void read(final long[] first, final int[] extents, final float factor, final SplineBlock to) {
		final float[] block = to.coefficients();
		final int around = SplineBlock.AROUND, left = (int) first[0] - around, width = extents[0] + 2 * around;
		int middle = 0;
		for (int d = n - 1; d >= 0; d--) middle = middle * (extents[d] + 2 * around) + extents[d] / 2 + around;
		for (int at = 0; at < block.length; at += width) {
			int base = 0;
			for (int d = 1, rest = at / width; d < n; rest /= extents[d++] + 2 * around)
				base += CubicSpline.mirrored((int) first[d] - around + rest % (extents[d] + 2 * around), size[d]) * strides[d];
			if (left >= 0 && left + width <= size[0]) System.arraycopy(coefficients, base + left, block, at, width);
			else for (int i = 0; i < width; i++) block[at + i] = coefficients[base + CubicSpline.mirrored(left + i, size[0])];
		}
		// sums of values near 0 have small errors
		final float zero = block[middle];
		for (int i = 0; i < block.length; i++) block[i] = factor * (block[i] - zero);
	}
}
