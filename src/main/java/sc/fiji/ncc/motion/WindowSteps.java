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
	/** The cells of each window, and its centre. */
	private final int[][] covered;
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
		covered = IntStream.range(0, grid.windows()).mapToObj(i -> covered(grid.first(i), cuts)).toArray(int[][]::new);
		centres = grid.centres();
	}

	/** The cells of a window. @param first its first pixel */
	private int[] covered(final long[] first, final int[][] cuts) {
		int[] found = { 0 };
		for (int d = n - 1; d >= 0; d--) {
			final int from = Arrays.binarySearch(cuts[d], (int) first[d]), to = Arrays.binarySearch(cuts[d], (int) (first[d] + grid.window().get(d)));
			final int length = cuts[d].length - 1;
			found = Arrays.stream(found).flatMap(outer -> IntStream.range(outer * length + from, outer * length + to)).toArray();
		}
		return found;
	}

	/**
	 * The vectors of all windows.
	 *
	 * @param all the sums of all cells
	 * @param quick whether steps may be shorter than the motion, and covariances those of white noise
	 * @return vectors with scores and covariances
	 */
	Steps measured(final double[][] all, final boolean quick) {
		final MotionVector[] vectors = new MotionVector[centres.length];
		final int row = grid.count()[0];
		parallel.each(vectors.length / row, r -> {
			for (int i = r * row; i < (r + 1) * row; i++) vectors[i] = vector(i, all, quick);
		});
		return new Steps(Arrays.asList(vectors), all);
	}

	/** The vectors of all windows, which are not validated, and what is found at the centres of cells. */
	final class Steps {

		private final List<MotionVector> vectors;
		/** The weight of each cell, and the centre of its weights. */
		private final double[] weights;
		private final double[][] at;
		/** The same place for all fields; null before the first one. */
		private GridSpline.Places places;
		/** The weight of each window. */
		private final double[] all = new double[centres.length];

		Steps(final List<MotionVector> vectors, final double[][] sums) {
			this.vectors = vectors;
			weights = new double[sums.length];
			at = new double[sums.length][n];
			for (int c = 0; c < sums.length; c++) {
				final double weight = sums[c][PLAIN];
				if (!(weight > 0)) continue;
				weights[c] = weight;
				for (int d = 0; d < n; d++) at[c][d] = sums[c][layout.places + d] / weight;
			}
			for (int i = 0; i < all.length; i++) all[i] = sum(weights, i);
		}

		List<MotionVector> vectors() {
			return vectors;
		}

		/**
		 * What all windows measure of a field: its mean over a window, where each cell counts by its gradient and lies at the centre of that.
		 *
		 * @param field all fields have the same nodes
		 * @return 0 for windows without texture
		 */
		double[][] seen(final GridSpline field) {
			if (places == null) places = field.places(at);
			final double[][] values = field.at(places), seen = new double[n][all.length];
			for (int d = 0; d < n; d++) {
				for (int c = 0; c < weights.length; c++) values[d][c] *= weights[c];
				for (int i = 0; i < all.length; i++) seen[d][i] = all[i] > 0 ? sum(values[d], i) / all[i] : 0;
			}
			return seen;
		}

		/** The sum over the cells of a window. */
		private double sum(final double[] values, final int window) {
			double sum = 0;
			for (final int c : covered[window]) sum += values[c];
			return sum;
		}
	}

	private MotionVector vector(final int window, final double[][] all, final boolean quick) {
		final double[] s = new double[sums];
		for (final int c : covered[window]) {
			final double[] cell = all[c];
			for (int i = 0; i < sums; i++) s[i] += cell[i];
		}
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
}
