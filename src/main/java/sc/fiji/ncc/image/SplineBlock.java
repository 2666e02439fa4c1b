package sc.fiji.ncc.image;

import java.util.Arrays;

import sc.fiji.ncc.numeric.CubicSpline;
import sc.fiji.ncc.numeric.QuinticSpline;

/** A B-spline of degree 5 through a block of values and some values around it, which it samples at shifts between the values. Only one thread may use an object. */
final class SplineBlock implements ShiftSampler {

	/** Values around the block: for the shift, for the weights, and for the filter of the spline to decay. */
	static final int MARGIN = 12;

	private final int n, count;
	private final int[] size, padded;
	private final double[] coefficients;
	private double[] from, to;

	/** @param size the extents of the block */
	SplineBlock(final int[] size) {
		this.size = size;
		n = size.length;
		padded = padded(size);
		int all = 1, inner = 1;
		for (int d = 0; d < n; d++) {
			all *= padded[d];
			inner *= size[d];
		}
		count = inner;
		coefficients = new double[all];
		from = new double[all];
		to = new double[all];
	}

	/** The extents of a block with the values around it. */
	static int[] padded(final int[] size) {
		return Arrays.stream(size).map(s -> s + 2 * MARGIN).toArray();
	}

	/** Sets all values, also those around the block. */
	void set(final double[] values) {
		System.arraycopy(values, 0, coefficients, 0, coefficients.length);
		int stride = 1;
		for (int d = 0; d < n; stride *= padded[d++]) filter(coefficients, stride, padded[d]);
	}

	/** A block of these values, which are continued by point reflection at each face. */
	static SplineBlock continued(final int[] size, final double[] values) {
		final SplineBlock block = new SplineBlock(size);
		block.continued(values);
		return block;
	}

	private void continued(final double[] values) {
		final double[] all = new double[coefficients.length];
		for (int i = 0; i < all.length; i++) {
			int inside = 0, clamped = 0;
			for (int d = 0, rest = i, stride = 1; d < n; d++) {
				final int x = rest % padded[d] - MARGIN;
				inside += CubicSpline.mirrored(x, size[d]) * stride;
				clamped += Math.max(0, Math.min(size[d] - 1, x)) * stride;
				rest /= padded[d];
				stride *= size[d];
			}
			all[i] = inside == clamped ? values[inside] : 2 * values[clamped] - values[inside];
		}
		set(all);
	}

	private static void filter(final double[] values, final int stride, final int length) {
		final double[] line = new double[length];
		for (int first = 0; first < values.length; first++) {
			if (first / stride % length != 0) continue;
			for (int i = 0; i < length; i++) line[i] = values[first + i * stride];
			QuinticSpline.coefficients(line);
			for (int i = 0; i < length; i++) values[first + i * stride] = line[i];
		}
	}

	/** @param shift at most 7 along each axis */
	@Override
	public void sample(final double[] shift, final int along, final double[] result, final int at) {
		System.arraycopy(coefficients, 0, from, 0, from.length);
		final double[] weights = new double[QuinticSpline.COEFFICIENTS];
		final int[] extent = padded.clone();
		for (int d = 0; d < n; d++) {
			final int whole = (int) Math.floor(shift[d]);
			if (d == along) QuinticSpline.slopes(shift[d] - whole, weights);
			else QuinticSpline.weights(shift[d] - whole, weights);
			shorten(extent, d, MARGIN + whole - 2, weights);
		}
		System.arraycopy(from, 0, result, at, count);
	}

	/** Interpolates along an axis, which then has the extent of the window. */
	private void shorten(final int[] extent, final int d, final int skipped, final double[] weights) {
		int inner = 1, outer = 1;
		for (int e = 0; e < d; e++) inner *= extent[e];
		for (int e = d + 1; e < n; e++) outer *= extent[e];
		for (int o = 0, at = 0; o < outer; o++)
			for (int x = 0; x < size[d]; x++) {
				final int first = (o * extent[d] + x + skipped) * inner;
				for (int i = 0; i < inner; i++, at++) {
					final int k = first + i;
					to[at] = weights[0] * from[k] + weights[1] * from[k + inner] + weights[2] * from[k + 2 * inner] + weights[3] * from[k + 3 * inner]
						+ weights[4] * from[k + 4 * inner] + weights[5] * from[k + 5 * inner];
				}
			}
		extent[d] = size[d];
		final double[] last = from;
		from = to;
		to = last;
	}
}
