package sc.fiji.ncc.result;

import java.io.Serializable;

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
 */
public record FrameShift(long frame, double[] shift, double score, double overlap, double residual, double runnerUp, boolean edge, State state) implements Serializable {

	/** How a shift was found. */
	public enum State {
		/** Measured. */
		OK,
		/** Measured, but the score is far below that of the frames around, for example in a blurred frame. Other frames are not measured against this one alone. */
		OUTLIER,
		/** Not found: the shift is interpolated from the neighbours. */
		LOST,
		/** All pixels are equal: the shift is interpolated from the neighbours. */
		FLAT;

		/** Whether the shift comes from the neighbours. */
		public boolean interpolated() {
			return this == LOST || this == FLAT;
		}
	}

	/** The same with another shift. */
	public FrameShift with(final double[] other) {
		return new FrameShift(frame, other, score, overlap, residual, runnerUp, edge, state);
	}
}
