package sc.fiji.ncc.motion;

import static sc.fiji.ncc.plan.deform.SumLayout.F;
import static sc.fiji.ncc.plan.deform.SumLayout.FF;
import static sc.fiji.ncc.plan.deform.SumLayout.N;
import static sc.fiji.ncc.plan.deform.SumLayout.PLAIN;
import static sc.fiji.ncc.plan.deform.SumLayout.R;
import static sc.fiji.ncc.plan.deform.SumLayout.RF;
import static sc.fiji.ncc.plan.deform.SumLayout.RR;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

import sc.fiji.ncc.motion.MotionVector.State;
import sc.fiji.ncc.numeric.GridSpline;
import sc.fiji.ncc.numeric.ResidualCovariance;
import sc.fiji.ncc.plan.deform.SumLayout;
import sc.fiji.ncc.plan.support.Parallel;

/**
 * The small motions of all windows of a grid between two frames that are nearly alike, without a search: one step of Gauss-Newton on the
 * least squares {@code Σ (f(x + s) − a − b·r(x))²} of each window. The step makes {@code Σ g·(f + s·∇f)} zero for the gradient g of the
 * reference, without the part of g that is like r or a constant; noise of f and r makes it no shorter, because f and g have different
 * noise. A quick step takes the gradient of {@code b·r} in place of {@code ∇f}: it needs a third of the sums, and noise makes it shorter,
 * but it vanishes where the exact one does. The sums are those of the cells of a window. Complexity: linear in the cells of all windows.
 */
final class WindowSteps {

	/** Longer steps, in pixels, are beyond what the slopes of a window hold. */
	private static final double LONGEST = 2;
	/** A smaller variance, as a share of the mean square, is that of rounding. */
	private static final double ROUNDING = 1e-12;

	private final WindowGrid grid;
	private final double minOverlap;
	private final Parallel parallel;
	private final int n, sums;
	private final SumLayout layout;
	/** The first cell of each window along each dimension, and the one after its last. */
	private final int[][] from, to;
	/** The number of cells along each dimension. */
	private final int[] cells;
	/** The indices of each window along each dimension, and its centre. */
	private final int[][] places;
	private final double[][] centres;

	/**
	 * @param cuts where cells begin along each dimension, and the end of the last one
	 * @param minOverlap the smallest share of the pixels of a window that must be present in both frames
	 */
	WindowSteps(final WindowGrid grid, final int[][] cuts, final double minOverlap, final Parallel parallel) {
		this.grid = grid;
		this.minOverlap = minOverlap;
		this.parallel = parallel;
		n = grid.dimensions();
		layout = new SumLayout(n);
		sums = layout.count;
		cells = Arrays.stream(cuts).mapToInt(c -> c.length - 1).toArray();
		from = new int[n][];
		to = new int[n][];
		final int[] count = grid.count();
		places = IntStream.range(0, grid.windows()).mapToObj(grid::place).toArray(int[][]::new);
		centres = IntStream.range(0, grid.windows()).mapToObj(grid::centre).toArray(double[][]::new);
		for (int d = 0; d < n; d++) {
			from[d] = new int[count[d]];
			to[d] = new int[count[d]];
			for (int i = 0; i < count[d]; i++) {
				final int first = (int) (i * grid.spacing().get(d));
				from[d][i] = Arrays.binarySearch(cuts[d], first);
				to[d][i] = Arrays.binarySearch(cuts[d], first + (int) grid.window().get(d));
			}
		}
	}

	/**
	 * The vectors of all windows.
	 *
	 * @param all the sums of all cells
	 * @param quick whether steps may be shorter than the motion, and covariances those of white noise
	 * @return vectors with scores and covariances
	 */
	Steps measured(final double[][] all, final boolean quick) {
		final MotionVector[] vectors = new MotionVector[places.length];
		parallel.each(vectors.length, i -> vectors[i] = vector(i, all, quick));
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
		 * @return 0 for windows without texture
		 */
		double[][] seen(final GridSpline field) {
			final double[][] weighted = new double[sums.length][], seen = new double[n][places.length];
			final double[] at = new double[n];
			for (int c = 0; c < sums.length; c++) {
				final double weight = sums[c][PLAIN];
				if (!(weight > 0)) weighted[c] = new double[n + 1];
				else {
					for (int d = 0; d < n; d++) at[d] = sums[c][layout.places + d] / weight;
					weighted[c] = Arrays.copyOf(field.at(at), n + 1);
					for (int d = 0; d < n; d++) weighted[c][d] *= weight;
					weighted[c][n] = weight;
				}
			}
			final double[] sum = new double[n + 1];
			for (int i = 0; i < seen[0].length; i++) {
				Arrays.fill(sum, 0);
				add(sum, weighted, places[i], n - 1, 0);
				for (int d = 0; d < n; d++) seen[d][i] = sum[n] > 0 ? sum[d] / sum[n] : 0;
			}
			return seen;
		}
	}

	private MotionVector vector(final int window, final double[][] all, final boolean quick) {
		final double[] s = new double[sums];
		add(s, all, places[window], n - 1, 0);
		final double[] centre = centres[window];
		final double pixels = s[N];
		if (pixels < minOverlap * grid.window().pixels() || pixels < 2 * sums) return MotionVector.without(centre, State.MISSING);
		final double rr = s[RR] - s[R] * s[R] / pixels, ff = s[FF] - s[F] * s[F] / pixels, rf = s[RF] - s[R] * s[F] / pixels;
		if (!(rr > ROUNDING * s[RR]) || !(ff > ROUNDING * s[FF])) return MotionVector.without(centre, State.MISSING);
		final double score = rf / Math.sqrt(rr * ff), b = rf / rr, a = (s[F] - b * s[R]) / pixels;
		final double[] mean = new double[n], like = new double[n], right = new double[n];
		for (int d = 0; d < n; d++) {
			final int i = layout.gradient(d);
			mean[d] = s[i] / pixels;
			like[d] = (s[i + 1] - mean[d] * s[R]) / rr;
			right[d] = s[i + 2] - mean[d] * s[F] - like[d] * rf;
		}
		final double[][] jacobian = new double[n][n], moments = new double[n][n];
		// the residual counts where the gradient is steep
		final double residual = s[PLAIN + FF] - 2 * a * s[PLAIN + F] - 2 * b * s[PLAIN + RF] + a * a * s[PLAIN] + 2 * a * b * s[PLAIN + R]
			+ b * b * s[PLAIN + RR], variance = (quick ? ff - b * rf : residual / s[PLAIN] * pixels) / (pixels - n - 2);
		for (int d = 0; d < n; d++)
			for (int e = 0; e < n; e++) {
				final int i = layout.gradients(d, e), other = layout.gradient(e);
				final double squares = s[i] - pixels * mean[d] * mean[e] - like[d] * like[e] * rr;
				moments[d][e] = variance * squares;
				jacobian[d][e] = quick ? b * squares : s[i + 1] - mean[d] * s[other + 3] - like[d] * (s[other + 4] - s[R] / pixels * s[other + 3]);
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

	/** Adds the sums of the cells of a window. @param place the indices of the window along each dimension */
	private void add(final double[] sum, final double[][] all, final int[] place, final int d, final int index) {
		if (d < 0) {
			final double[] cell = all[index];
			for (int i = 0; i < sum.length; i++) sum[i] += cell[i];
			return;
		}
		for (int c = from[d][place[d]]; c < to[d][place[d]]; c++) add(sum, all, place, d - 1, index * cells[d] + c);
	}
}
