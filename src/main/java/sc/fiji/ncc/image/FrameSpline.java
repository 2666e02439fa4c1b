package sc.fiji.ncc.image;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.util.Arrays;

import sc.fiji.ncc.numeric.CubicSpline;
import sc.fiji.ncc.numeric.QuinticSpline;
import sc.fiji.ncc.plan.Pixels;
import sc.fiji.ncc.plan.support.Buffers;
import sc.fiji.ncc.plan.support.Parallel;

/** The B-spline of degree 5 through a whole frame without its mean, mirrored at the border. The coefficients are floats. Several threads may use it. */
public final class FrameSpline {

	/** Lines that are filtered together. */
	private static final int TOGETHER = 32;
	/** Positions of {@link Positions} are rounded to a fraction of a pixel: the logarithm of its inverse, and the weights for each fraction. */
	private static final int FRACTION = 12;
	private static final double[] WEIGHTS = new double[QuinticSpline.COEFFICIENTS << FRACTION];
	static {
		final double[] weights = new double[QuinticSpline.COEFFICIENTS];
		for (int i = 0; i < 1 << FRACTION; i++) {
			QuinticSpline.weights(i / (double) (1 << FRACTION), weights);
			System.arraycopy(weights, 0, WEIGHTS, i * weights.length, weights.length);
		}
	}

	private final int n, pixels;
	private final int[] size, strides;
	private final float[] coefficients;
	private final boolean[] missing;

	/** @param frame pixels that are not finite are missing, too */
	public FrameSpline(final Pixels frame, final Parallel parallel) {
		this(values(frame, parallel), Arrays.stream(frame.size()).mapToInt(Math::toIntExact).toArray(), parallel);
	}

	/**
	 * @param values of all pixels, x fastest, best without their mean; NaN for missing pixels
	 * @param size the extents of the frame
	 */
	public FrameSpline(final float[] values, final int[] size, final Parallel parallel) {
		n = size.length;
		this.size = size.clone();
		strides = new int[n];
		for (int d = 0, all = 1; d < n; all *= size[d++]) strides[d] = all;
		pixels = values.length;
		coefficients = values.clone();
		boolean any = false;
		for (final float v : values) any |= v != v;
		missing = any ? new boolean[pixels] : null;
		if (any) for (int i = 0; i < pixels; i++) if (values[i] != values[i]) {
			missing[i] = true;
			coefficients[i] = 0;
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
		final double[] sums = new double[rows];
		final int[] defined = new int[rows];
		parallel.each(rows, r -> {
			for (int i = r * width; i < (r + 1) * width; i++) {
				final double value = Buffers.value(raw, unsigned, i);
				if (present.length > 0 && present[i] == 0 || !Double.isFinite(value)) continue;
				sums[r] += value;
				defined[r]++;
			}
		});
		final double mean = Arrays.stream(sums).sum() / Math.max(1, Arrays.stream(defined).sum());
		final float[] values = new float[pixels];
		parallel.each(rows, r -> {
			for (int i = r * width; i < (r + 1) * width; i++) {
				final double value = Buffers.value(raw, unsigned, i);
				values[i] = present.length > 0 && present[i] == 0 || !Double.isFinite(value) ? Float.NaN : (float) (value - mean);
			}
		});
		return values;
	}

	private void filter(final int d, final Parallel parallel) {
		final int length = size[d], stride = strides[d], lines = pixels / length;
		parallel.each((lines + TOGETHER - 1) / TOGETHER, group -> {
			final int from = group * TOGETHER, count = Math.min(TOGETHER, lines - from);
			final double[][] values = new double[length][count];
			final int[] first = new int[count];
			for (int l = 0; l < count; l++) first[l] = (from + l) / stride * stride * length + (from + l) % stride;
			for (int i = 0; i < length; i++) for (int l = 0; l < count; l++) values[i][l] = coefficients[first[l] + i * stride];
			QuinticSpline.coefficients(values);
			for (int i = 0; i < length; i++) for (int l = 0; l < count; l++) coefficients[first[l] + i * stride] = (float) values[i][l];
		});
	}

	/** The extents of the frame, x first. */
	public int[] size() {
		return size.clone();
	}

	/** Samples the frame at one position after the other. Only one thread may use an object. */
	public final class Positions {

		/** The first weight along each dimension. */
		private final int[] firstWeights = new int[n];
		/** The offsets of the coefficients that contribute, along each dimension. */
		private final int[][] offsets = new int[n][QuinticSpline.COEFFICIENTS];

		/**
		 * The value at a position, without the mean of the frame; NaN outside the frame, and beside a missing pixel.
		 *
		 * @param positions one array for each dimension, in pixels; they are rounded to 1/4096
		 * @param i the index in these
		 */
		public float at(final double[][] positions, final int i) {
			if (n == 2 && missing == null) {
				final double x = positions[0][i], y = positions[1][i];
				if (x >= 2 && y >= 2 && x < size[0] - 4 && y < size[1] - 4) {
					final int qx = fraction(x), qy = fraction(y);
					return plane(((qy >> FRACTION) - 2) * size[0] + (qx >> FRACTION) - 2, firstWeight(qx), firstWeight(qy));
				}
			}
			for (int d = 0; d < n; d++) {
				final double p = positions[d][i];
				if (!(p >= -0.5 && p <= size[d] - 0.5)) return Float.NaN;
				final int q = fraction(p), first = (q >> FRACTION) - 2;
				firstWeights[d] = firstWeight(q);
				final int[] o = offsets[d];
				if (first >= 0 && first + QuinticSpline.COEFFICIENTS <= size[d]) for (int k = 0; k < QuinticSpline.COEFFICIENTS; k++) o[k] = (first + k) * strides[d];
				else for (int k = 0; k < QuinticSpline.COEFFICIENTS; k++) o[k] = CubicSpline.mirrored(first + k, size[d]) * strides[d];
			}
			if (missing != null && isBesideMissing(0, 0)) return Float.NaN;
			return (float) sum(n - 1, 0);
		}

		private int fraction(final double position) {
			return (int) Math.floor(position * (1 << FRACTION) + 0.5);
		}

		private int firstWeight(final int fraction) {
			return (fraction & (1 << FRACTION) - 1) * QuinticSpline.COEFFICIENTS;
		}

		/** The sum over six rows of six coefficients. */
		private float plane(final int first, final int atX, final int atY) {
			final double[] w = WEIGHTS;
			final float[] v = coefficients;
			final double a = w[atX], b = w[atX + 1], c = w[atX + 2], d = w[atX + 3], e = w[atX + 4], f = w[atX + 5];
			double sum = 0;
			for (int k = 0, i = first; k < QuinticSpline.COEFFICIENTS; k++, i += size[0])
				sum += w[atY + k] * (a * v[i] + b * v[i + 1] + c * v[i + 2] + (d * v[i + 3] + e * v[i + 4] + f * v[i + 5]));
			return (float) sum;
		}

		/** Whether one of the pixels around the position, two along each dimension, is missing. */
		private boolean isBesideMissing(final int d, final int base) {
			if (d == n) return missing[base];
			return isBesideMissing(d + 1, base + offsets[d][2]) || isBesideMissing(d + 1, base + offsets[d][3]);
		}

		private double sum(final int d, final int base) {
			final int[] o = offsets[d];
			double sum = 0;
			for (int k = 0; k < QuinticSpline.COEFFICIENTS; k++) sum += WEIGHTS[firstWeights[d] + k] * (d == 0 ? coefficients[base + o[k]] : sum(d - 1, base + o[k]));
			return sum;
		}
	}

	/** A window of the frame, which can be sampled at shifts. The window can extend beyond the frame, which is mirrored. */
	ShiftSampler window(final long[] first, final int[] extents) {
		return new Window(first, extents);
	}

	private final class Window implements ShiftSampler {

		private static final int MORE = QuinticSpline.COEFFICIENTS - 1;

		private final long[] first;
		private final int[] extents;
		/** The shift of the rows that are kept: values along all dimensions but x. */
		private double[] shift;
		private double[][] rows;
		/** The whole pixels of a shift, and the coefficients that it needs. */
		private long[] whole;
		private double[][] block;

		Window(final long[] first, final int[] extents) {
			this.first = first.clone();
			this.extents = extents.clone();
		}

		@Override
		public void sample(final double[] to, final int along, final double[] result, final int at) {
			// the values and the slope along x differ along x only
			if (along > 0) alongX(rows(to, along), to[0], false, result, at);
			else {
				if (!Arrays.equals(shift, to)) rows = rows(to, -1);
				shift = to.clone();
				alongX(rows, to[0], along == 0, result, at);
			}
		}

		/** The coefficients of the window and around it, for shifts with these whole pixels: one array for each line along x. */
		private double[][] block(final double[] to) {
			final long[] wanted = new long[n];
			for (int d = 0; d < n; d++) wanted[d] = (long) Math.floor(to[d]);
			if (Arrays.equals(wanted, whole)) return block;
			whole = wanted;
			int count = 1;
			for (int d = 1; d < n; d++) count *= extents[d] + MORE;
			block = new double[count][extents[0] + MORE];
			final int left = (int) (first[0] + whole[0]) - 2;
			for (int r = 0; r < count; r++) {
				int base = 0;
				for (int d = 1, rest = r; d < n; rest /= extents[d++] + MORE)
					base += CubicSpline.mirrored((int) (first[d] + whole[d]) - 2 + rest % (extents[d] + MORE), size[d]) * strides[d];
				final double[] row = block[r];
				if (left >= 0 && left + row.length <= size[0]) for (int i = 0; i < row.length; i++) row[i] = coefficients[base + left + i];
				else for (int i = 0; i < row.length; i++) row[i] = coefficients[base + CubicSpline.mirrored(left + i, size[0])];
			}
			return block;
		}

		/** The rows, interpolated along all dimensions but x: as many as the window has, of the coefficients along x. */
		private double[][] rows(final double[] to, final int along) {
			final int[] extent = extents.clone();
			for (int d = 1; d < n; d++) extent[d] += MORE;
			double[][] from = block(to);
			final double[] weights = new double[QuinticSpline.COEFFICIENTS];
			for (int d = n - 1; d > 0; d--) {
				weights(to[d], d == along, weights);
				int stride = 1;
				for (int e = 1; e < d; e++) stride *= extent[e];
				final int outer = from.length / (stride * extent[d]);
				final double[][] next = new double[outer * extents[d] * stride][from[0].length];
				for (int o = 0, i = 0; o < outer; o++)
					for (int x = 0; x < extents[d]; x++)
						for (int s = 0; s < stride; s++, i++) {
							final int k = (o * extent[d] + x) * stride + s;
							sum(next[i], from, k, stride, weights);
						}
				extent[d] = extents[d];
				from = next;
			}
			return from;
		}

		private void alongX(final double[][] from, final double to, final boolean slope, final double[] result, final int at) {
			final double[] weights = new double[QuinticSpline.COEFFICIENTS];
			weights(to, slope, weights);
			final double a = weights[0], b = weights[1], c = weights[2], d = weights[3], e = weights[4], f = weights[5];
			for (int r = 0, i = at; r < from.length; r++) {
				final double[] row = from[r];
				for (int x = 0; x < extents[0]; x++, i++)
					result[i] = a * row[x] + b * row[x + 1] + c * row[x + 2] + d * row[x + 3] + e * row[x + 4] + f * row[x + 5];
			}
		}
	}

	private static void weights(final double shift, final boolean slope, final double[] weights) {
		if (slope) QuinticSpline.slopes(shift - Math.floor(shift), weights);
		else QuinticSpline.weights(shift - Math.floor(shift), weights);
	}

	// all arrays share one index, so C2 vectorises the loop
	private static void sum(final double[] to, final double[][] from, final int k, final int stride, final double[] weights) {
		final double[] p = from[k], q = from[k + stride], r = from[k + 2 * stride], s = from[k + 3 * stride], t = from[k + 4 * stride],
			u = from[k + 5 * stride];
		final double a = weights[0], b = weights[1], c = weights[2], d = weights[3], e = weights[4], f = weights[5];
		for (int i = 0; i < to.length; i++) to[i] = a * p[i] + b * q[i] + c * r[i] + d * s[i] + e * t[i] + f * u[i];
	}
}
