package sc.fiji.ncc.image;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.stream.IntStream;

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
		final int pixels = Boxes.pixels(size), width = size[0], rows = pixels / width;
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
		/** Whether frames have enough pixels along each dimension for the loops over rows. */
		private final boolean fast;
		/** The first coefficient of each pixel. */
		private final int[] index;
		/** How far the coefficients lie from those of the pixel itself, and the rest of the motion between two of them. */
		private final float[] whole, fraction;
		/** The weights of the coefficients along each dimension. */
		private final float[][][] weights;
		/** The sums over one plane of coefficients, and over several ones. */
		private final float[] plane, planes;
		/** From a pixel to those around a position, two along each dimension; and from its first coefficient to the pixel. */
		private final int[] beside;
		private final int below = Arrays.stream(strides).sum() * (contributing / 2 - 1);
		/** The pixels whose coefficients do not all lie in the frame. */
		private final int[] others;
		/** Of one position: the offsets of the coefficients that contribute, and their weights, along each dimension. */
		private final int[][] offsets = new int[n][contributing];
		private final double[][] exact = new double[n][contributing];

		/** @param width the number of pixels of a row */
		public Positions(final int width) {
			this.width = width;
			fast = (n == 2 || n == 3) && Arrays.stream(size).allMatch(s -> s >= contributing);
			index = new int[width];
			whole = new float[width];
			fraction = new float[width];
			weights = new float[n][contributing][width];
			plane = new float[width];
			planes = new float[width];
			others = new int[width];
			int[] around = { 0 };
			for (int d = 0; d < n; d++) if (size[d] > 1) {
				final int stride = strides[d];
				around = Arrays.stream(around).flatMap(o -> IntStream.of(o, o + stride)).toArray();
			}
			beside = around;
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
			if (!fast) {
				for (int i = 0; i < width; i++) to[at + i] = value(row, motion, i);
				return;
			}
			Arrays.fill(index, 0);
			for (int d = 0; d < n; d++) {
				split(motion[d], whole, fraction);
				add((int) row[d] - contributing / 2 + 1, d == 0 ? 1 : 0, size[d] - contributing, strides[d]);
				if (contributing == CUBIC) CubicSpline.weights(fraction, weights[d]);
				else QuinticSpline.weights(fraction, weights[d]);
			}
			int count = 0;
			for (int i = 0; i < width; i++) if (index[i] < 0) {
				index[i] = 0;
				others[count++] = i;
			}
			if (n == 2) sums(0, to, at);
			else {
				Arrays.fill(planes, 0);
				for (int k = 0; k < contributing; k++) {
					sums(k * strides[2], plane, 0);
					addProducts(planes, weights[2][k], plane);
				}
				System.arraycopy(planes, 0, to, at, width);
			}
			if (missing != null) leaveOut(to, at);
			for (int k = 0; k < count; k++) to[at + others[k]] = value(row, motion, others[k]);
		}

		private void sums(final int from, final float[] to, final int at) {
			if (contributing == CUBIC) cubic(from, to, at);
			else quintic(from, to, at);
		}

		/** Leaves out positions beside a missing pixel. */
		private void leaveOut(final float[] to, final int at) {
			for (final int next : beside) for (int i = 0; i < width; i++) if (missing[index[i] + below + next]) to[at + i] = Float.NaN;
		}

		private float value(final long[] row, final float[][] motion, final int i) {
			int pixel = 0;
			for (int d = 0; d < n; d++) {
				final double p = row[d] + (d == 0 ? i : 0) + (double) motion[d][i];
				if (!(p >= -0.5 && p <= size[d] - 0.5)) return Float.NaN;
				final int below = (int) Math.floor(p), first = below - contributing / 2 + 1;
				if (contributing == CUBIC) CubicSpline.weights(p - below, exact[d]);
				else QuinticSpline.weights(p - below, exact[d]);
				for (int k = 0; k < contributing; k++) offsets[d][k] = CubicSpline.mirrored(first + k, size[d]) * strides[d];
				pixel += Math.max(0, Math.min(size[d] - 2, below)) * strides[d];
			}
			if (missing != null) for (final int next : beside) if (missing[pixel + next]) return Float.NaN;
			return (float) sum(n - 1, 0);
		}

		// loops without calls, whose invariant values C2 keeps in registers

		private void split(final float[] u, final float[] below, final float[] rest) {
			for (int i = 0; i < u.length; i++) {
				below[i] = u[i] - 0.5f + WHOLE - WHOLE;
				rest[i] = u[i] - below[i];
			}
		}

		/** Adds the first coefficients along a dimension to the indices, which become and stay negative where they do not lie in the frame. */
		private void add(final int start, final int step, final int last, final int stride) {
			final int[] to = index;
			final float[] motion = whole;
			for (int i = 0; i < to.length; i++) {
				final int place = start + step * i + (int) motion[i];
				to[i] = place < 0 || place > last ? Integer.MIN_VALUE : to[i] + place * stride;
			}
		}

		private void addProducts(final float[] to, final float[] x, final float[] y) {
			for (int i = 0; i < to.length; i++) to[i] += x[i] * y[i];
		}

		/** The sums over four rows of four coefficients. @param from the offset of the first one */
		private void cubic(final int from, final float[] to, final int at) {
			final int stride = strides[1];
			final int[] first = index;
			final float[] v = coefficients;
			final float[] a = weights[0][0], b = weights[0][1], c = weights[0][2], d = weights[0][3];
			final float[] e = weights[1][0], f = weights[1][1], g = weights[1][2], h = weights[1][3];
			for (int i = 0; i < first.length; i++) {
				final int p = first[i] + from, q = p + stride, r = q + stride, s = r + stride;
				to[at + i] = e[i] * (a[i] * v[p] + b[i] * v[p + 1] + (c[i] * v[p + 2] + d[i] * v[p + 3]))
					+ f[i] * (a[i] * v[q] + b[i] * v[q + 1] + (c[i] * v[q + 2] + d[i] * v[q + 3]))
					+ (g[i] * (a[i] * v[r] + b[i] * v[r + 1] + (c[i] * v[r + 2] + d[i] * v[r + 3]))
					+ h[i] * (a[i] * v[s] + b[i] * v[s + 1] + (c[i] * v[s + 2] + d[i] * v[s + 3])));
			}
		}

		/** The sums over six rows of six coefficients. */
		private void quintic(final int from, final float[] to, final int at) {
			final int stride = strides[1];
			final int[] first = index;
			final float[] v = coefficients;
			final float[] w0 = weights[0][0], w1 = weights[0][1], w2 = weights[0][2], w3 = weights[0][3], w4 = weights[0][4], w5 = weights[0][5];
			final float[] z0 = weights[1][0], z1 = weights[1][1], z2 = weights[1][2], z3 = weights[1][3], z4 = weights[1][4], z5 = weights[1][5];
			for (int i = 0; i < first.length; i++) {
				final float a = w0[i], b = w1[i], c = w2[i], d = w3[i], e = w4[i], f = w5[i];
				int k = first[i] + from;
				float sum = z0[i] * (a * v[k] + b * v[k + 1] + c * v[k + 2] + (d * v[k + 3] + e * v[k + 4] + f * v[k + 5]));
				k += stride;
				sum += z1[i] * (a * v[k] + b * v[k + 1] + c * v[k + 2] + (d * v[k + 3] + e * v[k + 4] + f * v[k + 5]));
				k += stride;
				sum += z2[i] * (a * v[k] + b * v[k + 1] + c * v[k + 2] + (d * v[k + 3] + e * v[k + 4] + f * v[k + 5]));
				k += stride;
				sum += z3[i] * (a * v[k] + b * v[k + 1] + c * v[k + 2] + (d * v[k + 3] + e * v[k + 4] + f * v[k + 5]));
				k += stride;
				sum += z4[i] * (a * v[k] + b * v[k + 1] + c * v[k + 2] + (d * v[k + 3] + e * v[k + 4] + f * v[k + 5]));
				k += stride;
				to[at + i] = sum + z5[i] * (a * v[k] + b * v[k + 1] + c * v[k + 2] + (d * v[k + 3] + e * v[k + 4] + f * v[k + 5]));
			}
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
