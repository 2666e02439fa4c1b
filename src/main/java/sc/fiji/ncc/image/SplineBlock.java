package sc.fiji.ncc.image;

import java.util.Arrays;

import sc.fiji.ncc.numeric.CubicSpline;
import sc.fiji.ncc.numeric.PaddedGrid;
import sc.fiji.ncc.numeric.QuinticSpline;
import sc.fiji.ncc.plan.support.Boxes;

/**
 * A B-spline of degree 5 through a block of values and some values around it, which it samples at shifts between the values. Samples lie on a {@link
 * PaddedGrid} with finite values in its padding. All arrays are used again for the next block. Only one thread may use an object.
 */
final class SplineBlock {

	/** Coefficients around the block: for shifts of up to 2 and the weights. */
	static final int AROUND = PaddedGrid.PADDING / 2;
	/** Values around the block from which its coefficients follow: the filter of the spline decays there. */
	static final int MARGIN = 12;
	private static final int CONTRIBUTING = QuinticSpline.COEFFICIENTS;
	/** So many values are interpolated at a time: all that is needed for them stays in the first cache. */
	private static final int CHUNK = 800;

	private final PaddedGrid grid;
	private final int n;
	private final int[] size, padded;
	private final float[] coefficients;
	/** Values, and slopes along each dimension. */
	private final float[][] fields;
	/** Six pieces of a field, side by side, and what they give. */
	private final float[][] pieces = new float[CONTRIBUTING][CHUNK];
	private final float[] mixed = new float[CHUNK];
	private final double[] weights = new double[CONTRIBUTING], slopes = new double[CONTRIBUTING];

	/** @param grid of the size of the block */
	SplineBlock(final PaddedGrid grid) {
		this.grid = grid;
		size = grid.size();
		n = size.length;
		padded = padded(size, AROUND);
		coefficients = new float[Boxes.pixels(padded)];
		fields = new float[n + 1][coefficients.length];
	}

	/** The extents of a block with values around it. */
	static int[] padded(final int[] size, final int around) {
		return Arrays.stream(size).map(s -> s + 2 * around).toArray();
	}

	/** The coefficients of the block and those around it, to be set. */
	float[] coefficients() {
		return coefficients;
	}

	/** Sets all values, also those within MARGIN of the block, times a scale. */
	void set(final double[] values, final double scale) {
		final int[] extent = padded(size, MARGIN);
		final double[][] lines = new double[values.length / extent[0]][];
		for (int l = 0; l < lines.length; l++) {
			lines[l] = Arrays.copyOfRange(values, l * extent[0], (l + 1) * extent[0]);
			QuinticSpline.coefficients(lines[l]);
		}
		for (int d = 1, stride = 1; d < n; stride *= extent[d++]) for (int first = 0; first < lines.length; first++) {
			if (first / stride % extent[d] != 0) continue;
			final double[][] beside = new double[extent[d]][];
			for (int i = 0; i < beside.length; i++) beside[i] = lines[first + i * stride];
			QuinticSpline.coefficients(beside);
		}
		for (int i = 0; i < coefficients.length; i++) {
			int line = 0;
			for (int d = 1, rest = i / padded[0], stride = 1; d < n; rest /= padded[d], stride *= extent[d++])
				line += (rest % padded[d] + MARGIN - AROUND) * stride;
			coefficients[i] = (float) (scale * lines[line][i % padded[0] + MARGIN - AROUND]);
		}
	}

	/** Sets the values of the block times a scale, which are continued by point reflection at each face. */
	void continued(final double[] values, final double scale) {
		final int[] extent = padded(size, MARGIN);
		final double[] all = new double[Boxes.pixels(extent)];
		for (int i = 0; i < all.length; i++) {
			int inside = 0, clamped = 0;
			for (int d = 0, rest = i, stride = 1; d < n; d++) {
				final int x = rest % extent[d] - MARGIN;
				inside += CubicSpline.mirrored(x, size[d]) * stride;
				clamped += Math.max(0, Math.min(size[d] - 1, x)) * stride;
				rest /= extent[d];
				stride *= size[d];
			}
			all[i] = inside == clamped ? values[inside] : 2 * values[clamped] - values[inside];
		}
		set(all, scale);
	}

	/**
	 * Samples the block, up to a constant. Complexity: linear in the number of values.
	 *
	 * @param shift in pixels along each axis, from -2 to 2
	 * @param to the values; and the slopes along each axis if it has so many arrays
	 * @param at where the block begins in these
	 */
	void sample(final double[] shift, final float[][] to, final int at) {
		final boolean steep = to.length > 1;
		int length = coefficients.length;
		for (int d = 0, stride = 1; d < n; stride *= padded[d++]) {
			final int whole = Math.min(AROUND - 3, (int) Math.floor(shift[d])), first = AROUND + whole - 2;
			QuinticSpline.weights(shift[d] - whole, weights);
			QuinticSpline.slopes(shift[d] - whole, slopes);
			// so many values have all six coefficients
			length -= (first + CONTRIBUTING - 1) * stride;
			for (int e = 1; e <= d && steep; e++) interpolate(fields[e], fields[e], null, first * stride, stride, length);
			interpolate(d == 0 ? coefficients : fields[0], fields[0], steep ? fields[d + 1] : null, first * stride, stride, length);
		}
		final int known = Math.min(length, grid.length());
		for (int k = 0; k < to.length; k++) {
			System.arraycopy(fields[k], 0, to[k], at, known);
			Arrays.fill(to[k], at + known, at + grid.length(), 0);
		}
	}

	/** Interpolates a field along an axis. @param value can be the field itself; {@code slope} is null if it is not wanted */
	private void interpolate(final float[] from, final float[] value, final float[] slope, final int first, final int stride, final int length) {
		for (int at = 0; at < length; at += CHUNK) {
			final int n = Math.min(CHUNK, length - at);
			for (int k = 0; k < CONTRIBUTING; k++) System.arraycopy(from, at + first + k * stride, pieces[k], 0, n);
			mix(weights, value, at, n);
			if (slope != null) mix(slopes, slope, at, n);
		}
	}

	private void mix(final double[] w, final float[] to, final int at, final int n) {
		sum(mixed, pieces[0], pieces[1], pieces[2], (float) w[0], (float) w[1], (float) w[2], n);
		add(mixed, pieces[3], pieces[4], pieces[5], (float) w[3], (float) w[4], (float) w[5], n);
		System.arraycopy(mixed, 0, to, at, n);
	}

	// C2 vectorises these loops: they have few arrays, and all share one index

	private static void sum(final float[] to, final float[] p, final float[] q, final float[] r, final float a, final float b, final float c, final int n) {
		for (int i = 0; i < n; i++) to[i] = a * p[i] + b * q[i] + c * r[i];
	}

	private static void add(final float[] to, final float[] p, final float[] q, final float[] r, final float a, final float b, final float c, final int n) {
		for (int i = 0; i < n; i++) to[i] += a * p[i] + b * q[i] + c * r[i];
	}
}
