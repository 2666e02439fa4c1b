package sc.fiji.ncc.image;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.util.Arrays;

import sc.fiji.ncc.numeric.CubicSpline;
import sc.fiji.ncc.numeric.QuinticSpline;
import sc.fiji.ncc.plan.Pixels;
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
	/** A float of less than 2^22 plus this, and less it again, is the nearest whole number. {@link Math#rint} of floats is not vectorised. */
	public static final float WHOLE = 0x1.8p23f;

	private final int n, pixels, contributing;
	private final int[] size, strides;
	private final float[] coefficients;
	private final boolean[] missing;
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
		n = size.length;
		this.size = size.clone();
		strides = new int[n];
		for (int d = 0, all = 1; d < n; all *= size[d++]) strides[d] = all;
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

	/** Samples the frame at positions near the pixels of rows. Only one thread may use an object. */
	public final class Positions {

		private final int width;
		/** How far the coefficients lie from those of the pixel itself, and the rest of the motion between two of them, along each dimension. */
		private final float[][] whole, fraction;
		/** The weights of the coefficients along each dimension. */
		private final float[][][] weights;
		/** The pixels whose coefficients do not all lie in the frame. */
		private final int[] others;
		/** Of one position: the offsets of the coefficients that contribute, and their weights, along each dimension. */
		private final int[][] offsets = new int[n][contributing];
		private final double[][] exact = new double[n][contributing];

		/** @param width the number of pixels of a row */
		public Positions(final int width) {
			this.width = width;
			final boolean fast = isFast();
			whole = new float[fast ? n : 0][width];
			fraction = new float[fast ? n : 0][width];
			weights = new float[fast ? n : 0][contributing][width];
			others = new int[fast ? width : 0];
		}

		private boolean isFast() {
			return n == 2 && missing == null;
		}

		/**
		 * The values at positions, without the mean of the frame; NaN outside the frame, and beside a missing pixel.
		 *
		 * @param row the first pixel of the row; it may lie outside the frame
		 * @param motion how far the positions lie from the pixels: one array for each dimension, in pixels
		 * @param to receives the values
		 * @param at the index of the first one
		 */
		public void row(final long[] row, final float[][] motion, final float[] to, final int at) {
			if (!isFast()) {
				for (int i = 0; i < width; i++) to[at + i] = value(row, motion, i);
				return;
			}
			for (int d = 0; d < n; d++) {
				split(motion[d], whole[d], fraction[d]);
				if (contributing == CUBIC) CubicSpline.weights(fraction[d], weights[d]);
				else QuinticSpline.weights(fraction[d], weights[d]);
			}
			final int count = contributing == CUBIC ? cubic(row, to, at) : quintic(row, to, at);
			for (int k = 0; k < count; k++) to[at + others[k]] = value(row, motion, others[k]);
		}

		private float value(final long[] row, final float[][] motion, final int i) {
			for (int d = 0; d < n; d++) {
				final double p = row[d] + (d == 0 ? i : 0) + (double) motion[d][i];
				if (!(p >= -0.5 && p <= size[d] - 0.5)) return Float.NaN;
				final int below = (int) Math.floor(p), first = below - contributing / 2 + 1;
				if (contributing == CUBIC) CubicSpline.weights(p - below, exact[d]);
				else QuinticSpline.weights(p - below, exact[d]);
				final int[] o = offsets[d];
				if (first >= 0 && first + contributing <= size[d]) for (int k = 0; k < contributing; k++) o[k] = (first + k) * strides[d];
				else for (int k = 0; k < contributing; k++) o[k] = CubicSpline.mirrored(first + k, size[d]) * strides[d];
			}
			if (missing != null && isBesideMissing(0, 0)) return Float.NaN;
			return (float) sum(n - 1, 0);
		}

		// loops without calls, whose invariant values C2 keeps in registers

		private void split(final float[] u, final float[] below, final float[] rest) {
			for (int i = 0; i < u.length; i++) {
				below[i] = u[i] - 0.5f + WHOLE - WHOLE;
				rest[i] = u[i] - below[i];
			}
		}

		/** The sums over four rows of four coefficients. Returns the number of pixels whose coefficients do not all lie in the frame. */
		private int cubic(final long[] row, final float[] to, final int at) {
			final int stride = strides[1], right = size[0] - CUBIC, bottom = size[1] - CUBIC, left = (int) row[0] - CUBIC / 2 + 1;
			final int top = (int) row[1] - CUBIC / 2 + 1;
			final float[] v = coefficients, x = whole[0], y = whole[1];
			final float[] a = weights[0][0], b = weights[0][1], c = weights[0][2], d = weights[0][3];
			final float[] k = weights[1][0], l = weights[1][1], m = weights[1][2], n = weights[1][3];
			int count = 0;
			for (int i = 0; i < width; i++) {
				final int firstX = left + i + (int) x[i], firstY = top + (int) y[i];
				if (firstX < 0 || firstX > right || firstY < 0 || firstY > bottom) {
					others[count++] = i;
					continue;
				}
				final int p = firstY * stride + firstX, q = p + stride, r = q + stride, s = r + stride;
				to[at + i] = k[i] * (a[i] * v[p] + b[i] * v[p + 1] + (c[i] * v[p + 2] + d[i] * v[p + 3]))
					+ l[i] * (a[i] * v[q] + b[i] * v[q + 1] + (c[i] * v[q + 2] + d[i] * v[q + 3]))
					+ (m[i] * (a[i] * v[r] + b[i] * v[r + 1] + (c[i] * v[r + 2] + d[i] * v[r + 3]))
					+ n[i] * (a[i] * v[s] + b[i] * v[s + 1] + (c[i] * v[s + 2] + d[i] * v[s + 3])));
			}
			return count;
		}

		/** The sums over six rows of six coefficients, as {@link #cubic}. */
		private int quintic(final long[] row, final float[] to, final int at) {
			final int stride = strides[1], right = size[0] - QUINTIC, bottom = size[1] - QUINTIC, left = (int) row[0] - QUINTIC / 2 + 1;
			final int top = (int) row[1] - QUINTIC / 2 + 1;
			final float[] v = coefficients, x = whole[0], y = whole[1];
			final float[] w0 = weights[0][0], w1 = weights[0][1], w2 = weights[0][2], w3 = weights[0][3], w4 = weights[0][4], w5 = weights[0][5];
			final float[] k = weights[1][0], l = weights[1][1], m = weights[1][2], n = weights[1][3], o = weights[1][4], p = weights[1][5];
			int count = 0;
			for (int j = 0; j < width; j++) {
				final int firstX = left + j + (int) x[j], firstY = top + (int) y[j];
				if (firstX < 0 || firstX > right || firstY < 0 || firstY > bottom) {
					others[count++] = j;
					continue;
				}
				final float a = w0[j], b = w1[j], c = w2[j], d = w3[j], e = w4[j], f = w5[j];
				int i = firstY * stride + firstX;
				float sum = k[j] * (a * v[i] + b * v[i + 1] + c * v[i + 2] + (d * v[i + 3] + e * v[i + 4] + f * v[i + 5]));
				i += stride;
				sum += l[j] * (a * v[i] + b * v[i + 1] + c * v[i + 2] + (d * v[i + 3] + e * v[i + 4] + f * v[i + 5]));
				i += stride;
				sum += m[j] * (a * v[i] + b * v[i + 1] + c * v[i + 2] + (d * v[i + 3] + e * v[i + 4] + f * v[i + 5]));
				i += stride;
				sum += n[j] * (a * v[i] + b * v[i + 1] + c * v[i + 2] + (d * v[i + 3] + e * v[i + 4] + f * v[i + 5]));
				i += stride;
				sum += o[j] * (a * v[i] + b * v[i + 1] + c * v[i + 2] + (d * v[i + 3] + e * v[i + 4] + f * v[i + 5]));
				i += stride;
				to[at + j] = sum + p[j] * (a * v[i] + b * v[i + 1] + c * v[i + 2] + (d * v[i + 3] + e * v[i + 4] + f * v[i + 5]));
			}
			return count;
		}

		/** Whether one of the pixels around the position, two along each dimension, is missing. */
		private boolean isBesideMissing(final int d, final int base) {
			if (d == n) return missing[base];
			return isBesideMissing(d + 1, base + offsets[d][contributing / 2 - 1]) || isBesideMissing(d + 1, base + offsets[d][contributing / 2]);
		}

		private double sum(final int d, final int base) {
			if (d == 0) return line(base);
			final int[] o = offsets[d];
			double sum = 0;
			for (int k = 0; k < contributing; k++) sum += exact[d][k] * (d == 1 ? line(base + o[k]) : sum(d - 1, base + o[k]));
			return sum;
		}

		private double line(final int base) {
			final int[] o = offsets[0];
			final double[] w = exact[0];
			double sum = 0;
			for (int k = 0; k < o.length; k++) sum += w[k] * coefficients[base + o[k]];
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
