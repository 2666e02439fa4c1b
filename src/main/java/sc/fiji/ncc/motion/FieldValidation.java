package sc.fiji.ncc.motion;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;

import sc.fiji.ncc.motion.MotionVector.State;

/**
 * Which vectors of a field are valid, and what replaces the others. The median test is that of J. Westerweel and F. Scarano,
	Universal outlier detection for PIV data, Experiments in
 * Fluids 39 (2005) 1096-1100, DOI 10.1007/s00348-005-0016-6: a vector is rejected if it is farther from the median of its neighbours than {@code t·(m
 * + ε)} along a dimension, where m is
 * the median of the distances of the neighbours from their median. The noise ε is 0.1 pixels as there,
	together with the standard deviations of the vector and of its neighbours.
 */
final class FieldValidation {

	/** The noise of vectors in pixels, besides their standard deviations. */
	private static final double NOISE = 0.1;
	/** With fewer neighbours there is no median test. */
	private static final int NEIGHBOURS = 3;

	private final WindowGrid grid;
	private final MotionSettings.Validation settings;

	FieldValidation(final WindowGrid grid, final MotionSettings.Validation settings) {
		this.grid = grid;
		this.settings = settings;
	}

	/**
	 * Rejects vectors.
	 *
	 * @param ratio whether the ratio of the two highest peaks counts
	 * @param second measures the second peak of a window; null without one
	 */
	List<MotionVector> validated(final List<MotionVector> measured, final boolean ratio, final IntFunction<MotionVector> second) {
		final List<MotionVector> vectors = new ArrayList<>(measured);
		for (int i = 0; i < vectors.size(); i++) {
			final MotionVector v = vectors.get(i);
			if (v.isValid() && (!(v.score() >= settings.minScore()) || ratio && v.ratio() < settings.minRatio())) vectors.set(i,
				v.with(v.motion(), v.covariance(), State.REJECTED));
		}
		final List<MotionVector> before = List.copyOf(vectors);
		for (int i = 0; i < before.size(); i++)
			if (before.get(i).isValid() && residual(before.get(i), i, before) > settings.maxResidual())
				vectors.set(i, before.get(i).with(before.get(i).motion(), before.get(i).covariance(), State.REJECTED));
		if (!settings.replace()) return vectors;
		final List<MotionVector> first = List.copyOf(vectors);
		for (int i = 0; i < first.size(); i++) {
			if (first.get(i).state() != State.REJECTED || !(first.get(i).runnerUp() >= settings.minScore())) continue;
			final MotionVector other = second.apply(i);
			if (other != null && neighbours(i, first).size() >= NEIGHBOURS && residual(other, i, first) <= settings.maxResidual()) vectors.set(i, other);
		}
		return vectors;
	}

	/** The valid neighbours. */
	private List<MotionVector> neighbours(final int window, final List<MotionVector> vectors) {
		return Arrays.stream(grid.neighbours(window)).mapToObj(vectors::get).filter(MotionVector::isValid).toList();
	}

	/** The normalized residual of the median test; 0 with too few neighbours. */
	private double residual(final MotionVector v, final int window, final List<MotionVector> vectors) {
		final List<MotionVector> neighbours = neighbours(window, vectors);
		if (neighbours.size() < NEIGHBOURS) return 0;
		double largest = 0;
		for (int d = 0; d < grid.dimensions(); d++) {
			final int dimension = d;
			final double median = median(neighbours.stream().mapToDouble(m -> m.motion()[dimension]).toArray());
			final double spread = median(neighbours.stream().mapToDouble(m -> Math.abs(m.motion()[dimension] - median)).toArray());
			final double own = v.covariance() == null ? 0 : v.covariance()[d][d];
			final double theirs = median(neighbours.stream().mapToDouble(m -> m.covariance() == null ? 0 : m.covariance()[dimension][dimension]).toArray());
			largest = Math.max(largest, Math.abs(v.motion()[d] - median) / (spread + Math.sqrt(NOISE * NOISE + own + theirs)));
		}
		return largest;
	}

	private static double median(final double[] values) {
		Arrays.sort(values);
		return (values[(values.length - 1) / 2] + values[values.length / 2]) / 2;
	}

	/**
	 * Replaces vectors that are not valid by the mean of their neighbours. Vectors without any neighbour with a motion follow later. Without a valid
	 * vector nothing changes.
	 */
	List<MotionVector> replaced(final List<MotionVector> vectors) {
		final List<MotionVector> filled = new ArrayList<>(vectors);
		final boolean[] known = new boolean[filled.size()];
		for (int i = 0; i < known.length; i++) known[i] = filled.get(i).isValid();
		for (boolean more = true; more;) {
			more = false;
			final boolean[] before = known.clone();
			for (int i = 0; i < before.length; i++) {
				if (before[i]) continue;
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
