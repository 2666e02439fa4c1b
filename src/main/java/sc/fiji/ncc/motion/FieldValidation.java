package sc.fiji.ncc.motion;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.function.IntFunction;

import sc.fiji.ncc.motion.MotionVector.State;
import sc.fiji.ncc.plan.support.Parallel;

/**
 * Which vectors of a field are valid, and what replaces the others. The median test is that of J. Westerweel and F. Scarano, Universal
 * outlier detection for PIV data, Experiments in Fluids 39 (2005) 1096-1100, DOI 10.1007/s00348-005-0016-6: a vector is rejected if it is
 * farther from the median of its neighbours than {@code t·(m + ε)} along a dimension, where m is the median of the distances of the
 * neighbours from their median. The noise ε is 0.1 pixels as there, together with the standard deviations of the vector and of its
 * neighbours.
 */
final class FieldValidation {

	/** The noise of vectors in pixels, besides their standard deviations. */
	private static final double NOISE = 0.1;
	/** With fewer neighbours there is no median test. */
	private static final int NEIGHBOURS = 3;

	private final WindowGrid grid;
	private final MotionSettings.Validation settings;
	private final Parallel parallel;
	/** The neighbours of each window that was tested. */
	private final int[][] beside;

	FieldValidation(final WindowGrid grid, final MotionSettings.Validation settings, final Parallel parallel) {
		this.grid = grid;
		this.settings = settings;
		this.parallel = parallel;
		beside = new int[grid.windows()][];
	}

	/**
	 * Rejects vectors.
	 *
	 * @param ratio whether the ratio of the two highest peaks counts
	 * @param second measures the second peak of a window; null without one
	 */
	List<MotionVector> validated(final List<MotionVector> measured, final boolean ratio, final IntFunction<MotionVector> second) {
		final MotionVector[] scored = measured.toArray(MotionVector[]::new);
		for (int i = 0; i < scored.length; i++) {
			final MotionVector v = scored[i];
			if (v.isValid() && (!(v.score() >= settings.minScore()) || v.falseAlarms() > settings.falseAlarms() || ratio && v.ratio() < settings.minRatio()))
				scored[i] = rejected(v);
		}
		final MotionVector[] near = scored.clone();
		final double[][] motions = motions(scored);
		rows(near.length, i -> {
			if (scored[i].isValid() && residual(scored[i], i, scored, motions) > settings.maxResidual()) near[i] = rejected(scored[i]);
		});
		if (!settings.replace()) return Arrays.asList(near);
		final MotionVector[] vectors = near.clone();
		final double[][] nearMotions = motions(near);
		rows(vectors.length, i -> {
			if (near[i].state() != State.REJECTED || !(near[i].runnerUp() >= settings.minScore())) return;
			// the second peak is lower than one that can be chance
			if (near[i].falseAlarms() > settings.falseAlarms()) return;
			final MotionVector other = second.apply(i);
			if (other != null && residual(other, i, near, nearMotions) <= settings.maxResidual()) vectors[i] = other;
		});
		return Arrays.asList(vectors);
	}

	private static MotionVector rejected(final MotionVector v) {
		return v.with(v.motion(), v.covariance(), State.REJECTED);
	}

	/** Does work for each window, on several threads. */
	private void rows(final int windows, final IntConsumer work) {
		final int row = grid.count()[0];
		parallel.each(windows / row, r -> {
			for (int i = r * row; i < (r + 1) * row; i++) work.accept(i);
		});
	}

	/** The motions along each dimension; NaN for vectors that are not valid. */
	private double[][] motions(final MotionVector[] vectors) {
		final double[][] motions = new double[grid.dimensions()][vectors.length];
		for (int i = 0; i < vectors.length; i++)
			for (int d = 0; d < motions.length; d++) motions[d][i] = vectors[i].isValid() ? vectors[i].motion()[d] : Double.NaN;
		return motions;
	}

	/**
	 * The normalized residual of the median test, or any smaller one if it is below the limit; NaN with too few neighbours.
	 *
	 * @param motions those of the vectors
	 */
	private double residual(final MotionVector v, final int window, final MotionVector[] vectors, final double[][] motions) {
		if (beside[window] == null) beside[window] = grid.neighbours(window);
		double largest = 0;
		final double[] values = new double[beside[window].length];
		for (int d = 0; d < motions.length; d++) {
			final double motion = v.motion()[d], own = NOISE * NOISE + variance(v, d);
			double farthest = 0;
			int n = 0;
			for (final int i : beside[window]) {
				final double other = motions[d][i];
				if (other != other) continue;
				values[n++] = other;
				farthest = Math.max(farthest, Math.abs(other - motion));
			}
			if (n < NEIGHBOURS) return Double.NaN;
			// the median is nearer, and the variance of the neighbours makes the limit larger only
			final double limit = settings.maxResidual() * Math.sqrt(own);
			if (farthest <= limit) continue;
			final double median = median(values, n), distance = Math.abs(motion - median);
			if (distance <= limit) continue;
			for (int i = 0; i < n; i++) values[i] = Math.abs(values[i] - median);
			final double spread = median(values, n);
			if (distance <= settings.maxResidual() * spread + limit) continue;
			n = 0;
			for (final int i : beside[window]) if (vectors[i].isValid()) values[n++] = variance(vectors[i], d);
			largest = Math.max(largest, distance / (spread + Math.sqrt(own + median(values, n))));
		}
		return largest;
	}

	/** 0 if it is unknown. */
	private static double variance(final MotionVector v, final int d) {
		return v.covariance() == null ? 0 : v.covariance()[d][d];
	}

	/** Sorts the first values, which are few. */
	private static double median(final double[] values, final int n) {
		for (int i = 1; i < n; i++) {
			final double v = values[i];
			int k = i;
			for (; k > 0 && values[k - 1] > v; k--) values[k] = values[k - 1];
			values[k] = v;
		}
		return (values[(n - 1) / 2] + values[n / 2]) / 2;
	}

	/**
	 * Replaces vectors that are not valid by the mean of their neighbours, except masked ones. Vectors without any neighbour with a motion follow later.
	 * Without a valid vector nothing changes.
	 */
	List<MotionVector> replaced(final List<MotionVector> vectors) {
		final List<MotionVector> filled = new ArrayList<>(vectors);
		final boolean[] known = new boolean[filled.size()];
		for (int i = 0; i < known.length; i++) known[i] = filled.get(i).isValid();
		for (boolean more = true; more;) {
			more = false;
			final boolean[] before = known.clone();
			for (int i = 0; i < before.length; i++) {
				if (before[i] || filled.get(i).state() == State.MASKED) continue;
				final double[] sum = new double[grid.dimensions()];
				int beside = 0;
				for (final int j : grid.neighbours(i)) {
					if (!before[j]) continue;
					for (int d = 0; d < sum.length; d++) sum[d] += filled.get(j).motion()[d];
					beside++;
				}
				if (beside == 0) continue;
				for (int d = 0; d < sum.length; d++) sum[d] /= beside;
				filled.set(i, filled.get(i).with(sum, null, State.REPLACED));
				known[i] = more = true;
			}
		}
		return filled;
	}
}
