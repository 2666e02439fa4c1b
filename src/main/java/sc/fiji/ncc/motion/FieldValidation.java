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
		rows(near.length, i -> {
			if (scored[i].isValid() && residual(scored[i], i, scored) > settings.maxResidual()) near[i] = rejected(scored[i]);
		});
		if (!settings.replace()) return Arrays.asList(near);
		final MotionVector[] vectors = near.clone();
		rows(vectors.length, i -> {
			if (near[i].state() != State.REJECTED || !(near[i].runnerUp() >= settings.minScore())) return;
			// the second peak is lower than one that can be chance
			if (near[i].falseAlarms() > settings.falseAlarms()) return;
			final MotionVector other = second.apply(i);
			if (other != null && neighbours(i, near).length >= NEIGHBOURS && residual(other, i, near) <= settings.maxResidual()) vectors[i] = other;
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

	/** The indices of the valid neighbours. */
	private int[] neighbours(final int window, final MotionVector[] vectors) {
		if (beside[window] == null) beside[window] = grid.neighbours(window);
		final int[] valid = new int[beside[window].length];
		int n = 0;
		for (final int i : beside[window]) if (vectors[i].isValid()) valid[n++] = i;
		return Arrays.copyOf(valid, n);
	}

	/** The normalized residual of the median test, or any smaller one if it is below the limit; 0 with too few neighbours. */
	private double residual(final MotionVector v, final int window, final MotionVector[] vectors) {
		final int[] neighbours = neighbours(window, vectors);
		final int n = neighbours.length;
		if (n < NEIGHBOURS) return 0;
		double largest = 0;
		final double[] values = new double[n];
		for (int d = 0; d < grid.dimensions(); d++) {
			final double motion = v.motion()[d], own = variance(v, d);
			double farthest = 0;
			for (int i = 0; i < n; i++) {
				values[i] = vectors[neighbours[i]].motion()[d];
				farthest = Math.max(farthest, Math.abs(values[i] - motion));
			}
			// the median is nearer
			if (farthest <= settings.maxResidual() * NOISE) continue;
			final double median = median(values);
			for (int i = 0; i < n; i++) values[i] = Math.abs(values[i] - median);
			final double spread = median(values), distance = Math.abs(motion - median);
			// the variance of the neighbours makes the limit larger only
			if (distance <= settings.maxResidual() * (spread + Math.sqrt(NOISE * NOISE + own))) continue;
			for (int i = 0; i < n; i++) values[i] = variance(vectors[neighbours[i]], d);
			largest = Math.max(largest, distance / (spread + Math.sqrt(NOISE * NOISE + own + median(values))));
		}
		return largest;
	}

	/** 0 if it is unknown. */
	private static double variance(final MotionVector v, final int d) {
		return v.covariance() == null ? 0 : v.covariance()[d][d];
	}

	/** Sorts the values, which are few. */
	private static double median(final double[] values) {
		for (int i = 1; i < values.length; i++) {
			final double v = values[i];
			int k = i;
			for (; k > 0 && values[k - 1] > v; k--) values[k] = values[k - 1];
			values[k] = v;
		}
		return (values[(values.length - 1) / 2] + values[values.length / 2]) / 2;
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
