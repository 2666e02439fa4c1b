package sc.fiji.ncc.motion;

import java.util.List;

import sc.fiji.ncc.motion.MotionVector.State;
import sc.fiji.ncc.motion.WindowSearch.Measured;
import sc.fiji.ncc.numeric.GridSpline;
import sc.fiji.ncc.plan.support.Parallel;

/** One pass over the windows of a grid: validated vectors, and the smooth field through them. */
final class FieldPass {

	private FieldPass() {}

	/** What measures the windows of a grid. */
	interface Source {

		WindowGrid grid();

		/** The motion of all windows. */
		List<Measured> measure();

		/** The vector of the second peak of a window, which has one. */
		MotionVector second(Measured measured, int window);
	}

	/**
	 * What a pass found.
	 *
	 * @param vectors those of all windows
	 * @param atEnd the share of the windows with a peak whose highest one lies at the end of the search
	 */
	record Passed(List<MotionVector> vectors, double atEnd) {}

	/**
	 * Measures the windows of a source.
	 *
	 * @param predicted the motion by which the frames are deformed, which is added to that of the windows; null for none
	 * @param replace whether the mean of the neighbours replaces vectors that are not valid
	 */
	static Passed of(final Source source, final GridSpline predicted, final MotionSettings.Validation settings, final boolean replace,
		final Parallel parallel)
	{
		final List<Measured> measured = source.measure();
		final FieldValidation validation = new FieldValidation(source.grid(), settings, parallel);
		final List<MotionVector> vectors = validation.validated(measured.stream().map(m -> sum(m.vector(), predicted)).toList(),
			predicted == null, i -> measured.get(i).second() == null ? null : sum(source.second(measured.get(i), i), predicted));
		return new Passed(replace ? validation.replaced(vectors) : vectors, atEnd(measured));
	}

	/** Nothing else than the end of the search rejects vectors before the validation. */
	private static double atEnd(final List<Measured> measured) {
		final long peaks = measured.stream().filter(m -> !Double.isNaN(m.vector().score())).count();
		return measured.stream().filter(m -> m.vector().state() == State.REJECTED).count() / (double) Math.max(1, peaks);
	}

	private static MotionVector sum(final MotionVector v, final GridSpline predicted) {
		if (predicted == null) return v;
		final double[] motion = predicted.at(v.centre());
		for (int d = 0; d < motion.length; d++) motion[d] += v.motion()[d];
		return v.with(motion, v.covariance(), v.state());
	}

	/** The components of the motion; 0 where it is unknown, since no vector is valid then. */
	static double[][] components(final List<MotionVector> vectors) {
		final double[][] components = new double[vectors.get(0).motion().length][vectors.size()];
		for (int i = 0; i < vectors.size(); i++)
			for (int d = 0; d < components.length; d++) {
				final double m = vectors.get(i).motion()[d];
				components[d][i] = Double.isNaN(m) ? 0 : m;
			}
		return components;
	}

	/**
	 * The components of the smooth field by least squares over the valid vectors: the weight of a vector falls with its variance. Without a valid vector
	 * the motions are those of the list.
	 *
	 * @param smoothness the weight of the smoothness for windows half a window apart
	 */
	static double[][] smooth(final WindowGrid grid, final List<MotionVector> vectors, final double smoothness, final Parallel parallel) {
		final double[][] values = components(vectors);
		return vectors.stream().noneMatch(MotionVector::isValid) ? values : smooth(grid, values, weights(vectors), smoothness, parallel);
	}

	/** The same for the values of components and their weights, at least one of them above 0. */
	static double[][] smooth(final WindowGrid grid, final double[][] values, final double[] weights, final double smoothness,
		final Parallel parallel) {
		double overlap = 1;
		for (int d = 0; d < grid.dimensions(); d++) overlap *= grid.window().get(d) / (2.0 * grid.spacing().get(d));
		return new FieldSmoothing(grid.count(), parallel).smooth(values, weights, smoothness * Math.pow(overlap, 4.0 / grid.dimensions()));
	}

	/** The weights for the smoothing: 0 for vectors that are not valid. The weight of a vector falls with its variance. */
	static double[] weights(final List<MotionVector> vectors) {
		final double[] variances = vectors.stream().filter(v -> v.isValid() && v.covariance() != null).mapToDouble(FieldPass::variance)
			.sorted().toArray();
		return vectors.stream().mapToDouble(v -> !v.isValid() ? 0 : v.covariance() == null
			|| variance(v) <= variances[variances.length / 2] ? 1 : variances[variances.length / 2] / variance(v)).toArray();
	}

	private static double variance(final MotionVector v) {
		double sum = 0;
		for (int d = 0; d < v.motion().length; d++) sum += v.covariance()[d][d];
		return sum;
	}
}
