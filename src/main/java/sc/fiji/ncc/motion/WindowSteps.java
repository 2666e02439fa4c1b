package sc.fiji.ncc.motion;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

import sc.fiji.ncc.motion.MotionVector.State;
import sc.fiji.ncc.numeric.GridSpline;
import sc.fiji.ncc.numeric.ResidualCovariance;
import sc.fiji.ncc.numeric.VectorProducts;
import sc.fiji.ncc.plan.support.Parallel;

/**
 * The small motions of all windows of a grid between two frames that are nearly alike, without a search: one step of Gauss-Newton on the least squares
 * {@code Σ (f(x + s) − a − b·r(x))²} of each window. The step makes {@code Σ g·(f + s·∇f)} zero for the gradient g of the reference, without the part
 * of g that is like r or a constant; noise of f and r makes it no shorter, because f and g have different noise. Frames are cut where windows begin or
 * end. The products of each cell are summed once, and the windows over it share them. Complexity: linear in the pixels.
 */
final class WindowSteps {

	/** Longer steps, in pixels, are beyond what the slopes of a window hold. */
	private static final double LONGEST = 2;
	/** A smaller variance, as a share of the mean square, is that of rounding. */
	private static final double ROUNDING = 1e-12;
	/** The sums besides those of gradients: of 1, r, f, r², f², r·f, and of the same with the squared gradient as a weight. */
	private static final int PLAIN = 6, N = 0, R = 1, F = 2, RR = 3, FF = 4, RF = 5;

	private final WindowGrid grid;
	private final double minOverlap;
	private final Parallel parallel;
	private final int n, sums;
	private final int[] size;
	/** Where cells begin along each dimension, and the end of the last one. */
	private final int[][] cuts;
	/** The number of cells along each dimension. */
	private final int[] cells;
	/** The first one of the sums of places, weighted by the squared gradient. */
	private final int places;

	/** @param minOverlap the smallest share of the pixels of a window that must be present in both frames */
	WindowSteps(final WindowGrid grid, final double minOverlap, final Parallel parallel) {
		this.grid = grid;
		this.minOverlap = minOverlap;
		this.parallel = parallel;
		n = grid.dimensions();
		size = grid.frame().toIntArray();
		// g_d with 1, r and f; ∇f with 1 and r; g_d with g_e and with ∇f
		places = 2 * PLAIN + 5 * n + 2 * n * n;
		sums = places + n;
		final int[] count = grid.count();
		cuts = new int[n][];
		for (int d = 0; d < n; d++) {
			final int window = (int) grid.window().get(d), spacing = (int) grid.spacing().get(d);
			cuts[d] = IntStream.range(0, count[d]).flatMap(i -> IntStream.of(i * spacing, i * spacing + window)).sorted().distinct().toArray();
		}
		cells = Arrays.stream(cuts).mapToInt(c -> c.length - 1).toArray();
	}

	/**
	 * Measures all windows.
	 *
	 * @param reference the values of a frame, x fastest; NaN for missing pixels
	 * @param moving those of the other frame
	 * @return vectors with scores and covariances
	 */
	Steps measure(final float[] reference, final float[] moving) {
		final int outer = cells[n - 1], slab = Arrays.stream(cells, 0, n - 1).reduce(1, (a, b) -> a * b);
		final double[][] all = new double[outer * slab][sums];
		int plane = 1;
		for (int d = 0; d < n - 1; d++) plane *= size[d];
		final int last = plane, width = size[0], rows = plane / width;
		parallel.each(outer, o -> {
			final Rows buffers = new Rows(reference, moving);
			final int from = n == 1 ? 0 : cuts[n - 1][o], to = n == 1 ? 1 : cuts[n - 1][o + 1];
			for (int y = from; y < to; y++)
				for (int r = 0; r < rows; r++) {
					int cell = 0;
					boolean inside = true;
					for (int d = 1, rest = r, stride = cells[0]; d < n - 1; rest /= size[d], stride *= cells[d++]) {
						final int at = Arrays.binarySearch(cuts[d], rest % size[d]), index = at >= 0 ? at : -at - 2;
						inside &= index < cells[d];
						cell += index * stride;
					}
					if (!inside) continue;
					buffers.read(y * last + r * width);
					for (int c = 0; c < cells[0]; c++) buffers.add(cuts[0][c], cuts[0][c + 1], all[o * slab + cell + c]);
				}
		});
		final MotionVector[] vectors = new MotionVector[grid.windows()];
		parallel.each(vectors.length, i -> vectors[i] = vector(i, all));
		return new Steps(Arrays.asList(vectors), all);
	}

	/** The vectors of all windows, which are not validated, and the sums that they follow from. */
	final class Steps {

		private final List<MotionVector> vectors;
		private final double[][] sums;

		Steps(final List<MotionVector> vectors, final double[][] sums) {
			this.vectors = vectors;
			this.sums = sums;
		}

		List<MotionVector> vectors() {
			return vectors;
		}

		/**
		 * What all windows measure of a field: its mean over a window, where each cell counts by its gradient and lies at the centre of that.
		 *
		 * @return NaN for windows without pixels
		 */
		double[][] seen(final GridSpline field) {
			final double[][] weighted = new double[sums.length][], seen = new double[n][grid.windows()];
			for (int c = 0; c < sums.length; c++) {
				final double weight = sums[c][PLAIN];
				if (!(weight > 0)) weighted[c] = new double[n + 1];
				else {
					final double[] at = new double[n];
					for (int d = 0; d < n; d++) at[d] = sums[c][places + d] / weight;
					weighted[c] = Arrays.copyOf(field.at(at), n + 1);
					for (int d = 0; d < n; d++) weighted[c][d] *= weight;
					weighted[c][n] = weight;
				}
			}
			for (int i = 0; i < seen[0].length; i++) {
				final double[] sum = new double[n + 1];
				add(sum, weighted, grid.first(i), n - 1, 0);
				for (int d = 0; d < n; d++) seen[d][i] = sum[d] / sum[n];
			}
			return seen;
		}
	}

	/** The row of pixels that is being summed, without what is missing. */
	private final class Rows {

		private final float[] reference, moving;
		private final double[] one = new double[size[0]], r = new double[size[0]], f = new double[size[0]], square = new double[size[0]],
			weightedR = new double[size[0]], weightedF = new double[size[0]], place = new double[size[0]];
		private int row;
		private final double[][] g = new double[n][size[0]], slope = new double[n][size[0]];

		Rows(final float[] reference, final float[] moving) {
			this.reference = reference;
			this.moving = moving;
			for (int x = 0; x < place.length; x++) place[x] = x;
		}

		void read(final int row) {
			this.row = row;
			for (int d = 0, stride = 1; d < n; stride *= size[d++]) {
				final int at = row / stride % size[d];
				differences(reference, row, stride, d == 0 ? -1 : at, size[d], g[d]);
				differences(moving, row, stride, d == 0 ? -1 : at, size[d], slope[d]);
			}
			for (int x = 0; x < one.length; x++) {
				r[x] = reference[row + x];
				f[x] = moving[row + x];
				double sum = r[x] + f[x], s = 0;
				for (int d = 0; d < n; d++) {
					sum += g[d][x] + slope[d][x];
					s += g[d][x] * g[d][x];
				}
				one[x] = 1;
				square[x] = s;
				if (!(Math.abs(sum) < Double.POSITIVE_INFINITY)) {
					one[x] = r[x] = f[x] = square[x] = 0;
					for (int d = 0; d < n; d++) g[d][x] = slope[d][x] = 0;
				}
				weightedR[x] = square[x] * r[x];
				weightedF[x] = square[x] * f[x];
			}
		}

		/** Central differences over five pixels, or three beside the border; NaN at the border. @param at the place of the row; -1 along the row */
		private void differences(final float[] v, final int row, final int stride, final int at, final int extent, final double[] to) {
			if (at >= 0) {
				if (at >= 2 && at < extent - 2) for (int x = 0, i = row; x < to.length; x++, i++)
					to[x] = (8 * (v[i + stride] - v[i - stride]) - (v[i + 2 * stride] - v[i - 2 * stride])) * (1 / 12.0);
				else if (at >= 1 && at < extent - 1) for (int x = 0, i = row; x < to.length; x++, i++) to[x] = 0.5 * (v[i + stride] - v[i - stride]);
				else Arrays.fill(to, Double.NaN);
				return;
			}
			for (int x = 2, i = row + 2; x < to.length - 2; x++, i++) to[x] = (8 * (v[i + 1] - v[i - 1]) - (v[i + 2] - v[i - 2])) * (1 / 12.0);
			for (int x = 0; x < to.length; x = x == 1 ? Math.max(2, to.length - 2) : x + 1)
				to[x] = x == 0 || x == to.length - 1 ? Double.NaN : 0.5 * (v[row + x + 1] - v[row + x - 1]);
		}

		/** Adds the products of some pixels. */
		void add(final int from, final int to, final double[] s) {
			final int m = to - from;
			s[N] += dot(one, one, from, m);
			s[R] += dot(one, r, from, m);
			s[F] += dot(one, f, from, m);
			s[RR] += dot(r, r, from, m);
			s[FF] += dot(f, f, from, m);
			s[RF] += dot(r, f, from, m);
			final double weight = dot(one, square, from, m);
			s[PLAIN + N] += weight;
			s[PLAIN + R] += dot(one, weightedR, from, m);
			s[PLAIN + F] += dot(one, weightedF, from, m);
			s[PLAIN + RR] += dot(r, weightedR, from, m);
			s[PLAIN + FF] += dot(f, weightedF, from, m);
			s[PLAIN + RF] += dot(r, weightedF, from, m);
			for (int d = 0, i = 2 * PLAIN; d < n; d++) {
				s[i++] += dot(g[d], one, from, m);
				s[i++] += dot(g[d], r, from, m);
				s[i++] += dot(g[d], f, from, m);
				s[i++] += dot(slope[d], one, from, m);
				s[i++] += dot(slope[d], r, from, m);
				for (int e = 0; e < n; e++) {
					s[i++] += dot(g[d], g[e], from, m);
					s[i++] += dot(g[d], slope[e], from, m);
				}
			}
			s[places] += dot(place, square, from, m);
			for (int d = 1, stride = size[0]; d < n; stride *= size[d++]) s[places + d] += row / stride % size[d] * weight;
		}

		private double dot(final double[] a, final double[] b, final int from, final int m) {
			return VectorProducts.dot(a, from, b, from, m);
		}
	}

	private MotionVector vector(final int window, final double[][] all) {
		final double[] s = new double[sums];
		add(s, all, grid.first(window), n - 1, 0);
		final double[] centre = grid.centre(window);
		final double pixels = s[N];
		if (pixels < minOverlap * grid.window().pixels() || pixels < 2 * sums) return MotionVector.missing(centre);
		final double rr = s[RR] - s[R] * s[R] / pixels, ff = s[FF] - s[F] * s[F] / pixels, rf = s[RF] - s[R] * s[F] / pixels;
		if (!(rr > ROUNDING * s[RR]) || !(ff > ROUNDING * s[FF])) return MotionVector.missing(centre);
		final double score = rf / Math.sqrt(rr * ff), b = rf / rr, a = (s[F] - b * s[R]) / pixels;
		final double[] mean = new double[n], like = new double[n], right = new double[n];
		final int each = 5 + 2 * n;
		for (int d = 0, i = 2 * PLAIN; d < n; d++, i += each) {
			mean[d] = s[i] / pixels;
			like[d] = (s[i + 1] - mean[d] * s[R]) / rr;
			right[d] = s[i + 2] - mean[d] * s[F] - like[d] * rf;
		}
		final double[][] jacobian = new double[n][n], moments = new double[n][n];
		// the residual counts where the gradient is steep
		final double residual = s[PLAIN + FF] - 2 * a * s[PLAIN + F] - 2 * b * s[PLAIN + RF] + a * a * s[PLAIN] + 2 * a * b * s[PLAIN + R]
			+ b * b * s[PLAIN + RR], variance = residual / s[PLAIN] * pixels / (pixels - n - 2);
		for (int d = 0; d < n; d++)
			for (int e = 0; e < n; e++) {
				final int i = 2 * PLAIN + each * d + 5 + 2 * e, other = 2 * PLAIN + each * e;
				moments[d][e] = variance * (s[i] - pixels * mean[d] * mean[e] - like[d] * like[e] * rr);
				jacobian[d][e] = s[i + 1] - mean[d] * s[other + 3] - like[d] * (s[other + 4] - s[R] / pixels * s[other + 3]);
			}
		final double[][] inverse = ResidualCovariance.inverse(jacobian);
		if (inverse == null) return new MotionVector(centre, new double[n], score, Double.NaN, null, State.REJECTED);
		final double[] step = new double[n];
		boolean near = true;
		for (int d = 0; d < n; d++) {
			for (int e = 0; e < n; e++) step[d] -= inverse[d][e] * right[e];
			near &= Math.abs(step[d]) <= LONGEST;
		}
		return new MotionVector(centre, step, score, Double.NaN, ResidualCovariance.around(inverse, moments), near ? State.MEASURED : State.REJECTED);
	}

	/** Adds the sums of the cells of a window. */
	private void add(final double[] sum, final double[][] all, final long[] first, final int d, final int index) {
		if (d < 0) {
			final double[] cell = all[index];
			for (int i = 0; i < sum.length; i++) sum[i] += cell[i];
			return;
		}
		final int from = Arrays.binarySearch(cuts[d], (int) first[d]), to = Arrays.binarySearch(cuts[d], (int) (first[d] + grid.window().get(d)));
		for (int c = from; c < to; c++) add(sum, all, first, d - 1, index * cells[d] + c);
	}
}
