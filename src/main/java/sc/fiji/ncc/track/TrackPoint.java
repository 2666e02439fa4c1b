package sc.fiji.ncc.track;

import java.util.Arrays;

import sc.fiji.ncc.option.Components;
import sc.fiji.ncc.plan.Given;

/**
 * One template in one frame. Positions are in pixels, relative to the first pixel of the frame, one number per dimension of the template.
 *
 * @param template the index of the template, from 0
 * @param frame the index of the frame, from 0
 * @param position the first pixel of the window with the greatest score within the shift; the last position if no window has a score
 * @param subpixel the sub-pixel position of the object that the initial template shows. For a fixed template it is the position refined by a fitted
 *        quadratic, minus the peak bias in the frame from which the template was cut. For a template that changes, the object's offset in the template is added
 * @param score the exact correlation coefficient at the position; NaN if no window has a score
 * @param runnerUp the exact coefficient of the runner-up within the shift; NaN if there is only one peak
 * @param lost whether the score is below the minimum score, or NaN
 * @param motion the motion from the start: {@code subpixel − start}
 * @param edge whether the position is at the edge of the search but not at the border of the frame: the true position can lie beyond
 * @param covariance the covariance of the sub-pixel position relative to the current template, in square pixels, one row per dimension; null if it was not requested or is not
 *        determined. With an update, the errors of earlier frames add to it
 */
public record TrackPoint(int template, long frame, long[] position, double[] subpixel, double score, double runnerUp, boolean lost,
	double[] motion, boolean edge,
	double[][] covariance)
{

	public TrackPoint {
		Given.nonNull(position, "position");
		Given.nonNull(subpixel, "position between the pixels");
		Given.nonNull(motion, "motion");
	}

	/** A point without covariance. */
	public TrackPoint(final int template, final long frame, final long[] position, final double[] subpixel, final double score,
		final double runnerUp, final boolean lost,
		final double[] motion, final boolean edge)
	{
		this(template, frame, position, subpixel, score, runnerUp, lost, motion, edge, null);
	}

	/** The same point in another frame. */
	public TrackPoint in(final long otherFrame) {
		return new TrackPoint(template, otherFrame, position, subpixel, score, runnerUp, lost, motion, edge, covariance);
	}

	/** The standard deviation of the sub-pixel position along a dimension, in pixels; NaN without a covariance. */
	public double sigma(final int d) {
		return covariance == null ? Double.NaN : Math.sqrt(covariance[d][d]);
	}

	/** The correlation of the errors along two dimensions; NaN without a covariance. */
	public double correlation(final int d, final int e) {
		return covariance == null ? Double.NaN : covariance[d][e] / Math.sqrt(covariance[d][d] * covariance[e][e]);
	}

	/** The score divided by the score of the runner-up. NaN if there is no runner-up; infinite if its score is not positive. */
	public double ratio() {
		return runnerUp <= 0 ? Double.POSITIVE_INFINITY : score / runnerUp;
	}

	@Override
	public String toString() {
		return "template " + template + " in frame " + frame + " at " + Arrays.toString(subpixel) + ", score " + score + (lost ? ", lost" : "") + (edge ? ", at the edge of the search" : "");
	}

	@Override
	public boolean equals(final Object other) {
		return Components.equal(this, other);
	}

	@Override
	public int hashCode() {
		return Components.hash(this);
	}
}
