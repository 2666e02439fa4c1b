package sc.fiji.ncc.result;

import java.io.Serializable;

import sc.fiji.ncc.option.Components;
import sc.fiji.ncc.plan.Given;

/**
 * The shift of one frame.
 *
 * @param frame the index of the frame, from 0
 * @param shift how far the content of the frame has moved against the reference, in pixels, one number per dimension
 * @param score the exact correlation coefficient at whole pixels with the frame that fits best of those that it was compared with; NaN if it was not compared
 * @param overlap the share of pixels that overlap there; NaN as for the score
 * @param residual the distance in pixels between the shift and the shifts of this frame that were measured, root mean square; 0 if there was one measurement
 * @param runnerUp the coefficient of the second peak; NaN if there is none. Near the score: the shift is ambiguous
 * @param edge whether the peak lies at the end of the search: the true shift can be larger
 * @param state how the shift was found
 * @param covariance the estimated covariance of the shift from the noise of the images, in square pixels, one row per dimension; null if unknown, as for interpolated and smoothed shifts
 */
public record FrameShift(long frame, double[] shift, double score, double overlap, double residual, double runnerUp, boolean edge,
	State state, double[][] covariance) implements WithCovariance, Serializable {

	public FrameShift {
		Given.nonNull(shift, "shift");
		Given.nonNull(state, "state");
	}

	/** How a shift was found. */
	public enum State {
		/** Measured. */
		OK,
		/** Measured, but the score is far below that of the frames around, for example in a blurred frame. Other frames are not measured against this one alone. */
		OUTLIER,
		/**
		 * Other shifts fit almost as well, as in noise and periodic patterns, or the measured shifts contradict each other: the shift is interpolated from
		 * the neighbours, unless the correction moves doubtful frames.
		 */
		DOUBTFUL,
		/** Not found: the shift is interpolated from the neighbours. */
		LOST,
		/** All pixels are equal: the shift is interpolated from the neighbours. */
		FLAT;

		/** Whether the shift comes from the neighbours, or is doubtful. */
		public boolean interpolated() {
			return this == DOUBTFUL || this == LOST || this == FLAT;
		}
	}

	/** A shift whose covariance is unknown. */
	public FrameShift(final long frame, final double[] shift, final double score, final double overlap, final double residual,
		final double runnerUp, final boolean edge, final State state) {
		this(frame, shift, score, overlap, residual, runnerUp, edge, state, null);
	}

	/** The same with another shift, whose covariance is unknown. */
	public FrameShift with(final double[] other) {
		Given.nonNull(other, "shift");
		return new FrameShift(frame, other, score, overlap, residual, runnerUp, edge, state);
	}

	/** The same with some of its dimensions. */
	public FrameShift along(final int... dimensions) {
		Given.nonNull(dimensions, "list of dimensions");
		final int n = dimensions.length;
		final double[] some = new double[n];
		final double[][] errors = covariance == null ? null : new double[n][n];
		for (int i = 0; i < n; i++) {
			some[i] = shift[dimensions[i]];
			for (int j = 0; j < n && errors != null; j++) errors[i][j] = covariance[dimensions[i]][dimensions[j]];
		}
		return new FrameShift(frame, some, score, overlap, residual, runnerUp, edge, state, errors);
	}

	@Override
	public boolean equals(final Object other) {
		return Components.equal(this, other);
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
