package sc.fiji.ncc.motion;

import java.io.Serializable;
import java.util.Arrays;
import java.util.Locale;

import sc.fiji.ncc.option.Components;
import sc.fiji.ncc.plan.Given;

/**
 * The motion of one window.
 *
 * @param centre the centre of the window in pixels, counted from 0
 * @param motion in pixels along each dimension; NaN if it is unknown
 * @param score the exact correlation coefficient of the highest peak, at its whole-pixel shift; NaN without a peak
 * @param runnerUp the exact coefficient of the second peak; NaN without one
 * @param covariance of the motion in square pixels; null if it is unknown, as for replaced vectors
 * @param falseAlarms the expected number of peaks as high by chance, see {@link sc.fiji.ncc.statistics.Texture}; NaN if it was not asked for, or without a peak
 * @param state whether and how the vector is measured
 */
public record MotionVector(double[] centre, double[] motion, double score, double runnerUp, double[][] covariance, double falseAlarms, State state)
	implements Serializable
{

	public MotionVector {
		Given.nonNull(centre, "centre");
		Given.nonNull(motion, "motion");
		Given.nonNull(state, "state");
	}

	/** A vector without an expected number of false alarms. */
	public MotionVector(final double[] centre, final double[] motion, final double score, final double runnerUp, final double[][] covariance, final State state) {
		this(centre, motion, score, runnerUp, covariance, Double.NaN, state);
	}

	/** Whether and how a vector is measured. */
	public enum State {

		/** The highest peak. */
		MEASURED,
		/** The second peak, which fits to the neighbours better than the highest one. */
		SECOND,
		/** A peak that failed the validation. */
		REJECTED,
		/** The mean of the neighbours, in place of a vector that was rejected or missing. */
		REPLACED,
		/** The window has no contrast or too few pixels, or no shift has a score. */
		MISSING,
		/** The grid mask leaves out the window: it is not computed, and tables do not have it. */
		MASKED;

		/** In lower case. */
		@Override
		public String toString() {
			return name().toLowerCase(Locale.ROOT);
		}
	}

	/** A window without a motion: missing or masked. */
	static MotionVector without(final double[] centre, final State state) {
		final double[] unknown = new double[centre.length];
		Arrays.fill(unknown, Double.NaN);
		return new MotionVector(centre, unknown, Double.NaN, Double.NaN, null, state);
	}

	MotionVector with(final double[] otherMotion, final double[][] otherCovariance, final State otherState) {
		return new MotionVector(centre, otherMotion, score, runnerUp, otherCovariance, falseAlarms, otherState);
	}

	/** The same vector with its covariance times a factor. */
	MotionVector scaled(final double factor) {
		if (covariance == null) return this;
		final double[][] scaled = new double[covariance.length][];
		for (int d = 0; d < scaled.length; d++) scaled[d] = Arrays.stream(covariance[d]).map(c -> factor * c).toArray();
		return with(motion, scaled, state);
	}

	/** Whether the motion is that of a peak which passed the validation. */
	public boolean isValid() {
		return state == State.MEASURED || state == State.SECOND;
	}

	/** The score divided by that of the second peak. NaN without a second peak; infinite if the second one is not above 0. */
	public double ratio() {
		return Double.isNaN(runnerUp) ? Double.NaN : runnerUp > 0 ? score / runnerUp : Double.POSITIVE_INFINITY;
	}

	/** The standard deviation of the motion along a dimension, in pixels; NaN if it is unknown. */
	public double sigma(final int d) {
		return covariance == null ? Double.NaN : Math.sqrt(covariance[d][d]);
	}

	/** The length of the motion in pixels. */
	public double speed() {
		double sum = 0;
		for (final double m : motion) sum += m * m;
		return Math.sqrt(sum);
	}

	@Override
	public boolean equals(final Object o) {
		return Components.equal(this, o);
	}

	@Override
	public int hashCode() {
		return Components.hash(this);
	}

	@Override
	public String toString() {
		return Components.text(this);
	}
}
