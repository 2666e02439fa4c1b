package sc.fiji.ncc.result;

import java.io.Serializable;
import java.util.Arrays;

import sc.fiji.ncc.option.Components;
import sc.fiji.ncc.plan.Given;

/**
 * A place at which a template was found, with its rotation and scale.
 *
 * @param template the index of the template, from 0
 * @param frame the position in the image's dimensions beyond the template's; empty if there are none
 * @param position the first pixel, in the image, of the unrotated and unscaled box of the template about the centre of the match; it may lie outside the image
 * @param gridPose the best of the poses that were searched
 * @param gridScore the correlation coefficient of that pose at that position, in [-1, 1], within 1e-9
 * @param pose the refined pose; the same as {@code gridPose} without refinement, or if no other pose near it has a higher score
 * @param subpixel the refined position
 * @param score the correlation coefficient of the refined pose at the refined position, over the pixels of {@code gridPose} at {@code position}, in [{@code gridScore}, 1]
 * @param covariance the covariance of the refined position, in square pixels, one row per dimension; null if it is not refined or not determined
 * @param sigmaAngle the standard deviation of the refined angle, in degrees; in three dimensions the root mean square of the angle between the refined and the true rotation.
 *        NaN if one rotation was searched, or if it is not refined or not determined
 * @param sigmaScale the standard deviation of the refined scale, in per cent of the scale; NaN if one scale was searched, or if it is not refined or not determined
 * @param minScore the minimum score of a match in this frame, if it follows from the background; otherwise NaN
 * @param background how far this minimum score holds; null if no background was fitted
 * @param edge whether the support is the first or the last one of the searched box along a dimension, and the image continues there: the true
 *        position may lie outside the box. False without a box
 */
public record PoseMatch(int template, long[] frame, long[] position, Pose gridPose, double gridScore, Pose pose, double[] subpixel, double score,
	double[][] covariance, double sigmaAngle, double sigmaScale, double minScore, BackgroundState background, boolean edge) implements Serializable
{

	public PoseMatch {
		Given.nonNull(frame, "position of the frame");
		Given.nonNull(position, "position");
		Given.nonNull(gridPose, "pose");
		Given.nonNull(pose, "pose");
		Given.nonNull(subpixel, "position between the pixels");
	}

	/** A match without errors of angle and scale and without statistics, not at an edge. */
	public PoseMatch(final int template, final long[] frame, final long[] position, final Pose gridPose, final double gridScore,
		final Pose pose, final double[] subpixel, final double score, final double[][] covariance)
	{
		this(template, frame, position, gridPose, gridScore, pose, subpixel, score, covariance, Double.NaN, Double.NaN, Double.NaN, null, false);
	}

	/** A match without covariance. */
	public PoseMatch(final int template, final long[] frame, final long[] position, final Pose gridPose, final double gridScore,
		final Pose pose, final double[] subpixel, final double score) {
		this(template, frame, position, gridPose, gridScore, pose, subpixel, score, null);
	}

	/** The same match in another frame. */
	public PoseMatch in(final long[] otherFrame) {
		return new PoseMatch(template, otherFrame, position, gridPose, gridScore, pose, subpixel, score, covariance, sigmaAngle, sigmaScale,
			minScore, background, edge);
	}

	/** The same match at another position: the first pixel, and the refined one. */
	public PoseMatch at(final long[] otherPosition, final double[] otherSubpixel) {
		return new PoseMatch(template, frame, otherPosition, gridPose, gridScore, pose, otherSubpixel, score, covariance, sigmaAngle, sigmaScale,
			minScore, background, edge);
	}

	/** The same match with the minimum score that follows from the background. */
	public PoseMatch rated(final double newMinScore, final BackgroundState newBackground) {
		Given.nonNull(newBackground, "background");
		return new PoseMatch(template, frame, position, gridPose, gridScore, pose, subpixel, score, covariance, sigmaAngle, sigmaScale,
			newMinScore, newBackground, edge);
	}

	/** The same match with refined pose and position, and their errors; the covariance is null if it is not determined. */
	public PoseMatch refined(final Pose newPose, final double[] newSubpixel, final double newScore, final double[][] newCovariance, final double newSigmaAngle,
		final double newSigmaScale)
	{
		return new PoseMatch(template, frame, position, gridPose, gridScore, newPose, newSubpixel, newScore, newCovariance, newSigmaAngle, newSigmaScale,
			minScore, background, edge);
	}

	/** The same match with the statement whether it lies at the edge of the searched box. */
	public PoseMatch atEdge(final boolean newEdge) {
		return new PoseMatch(template, frame, position, gridPose, gridScore, pose, subpixel, score, covariance, sigmaAngle, sigmaScale,
			minScore, background, newEdge);
	}

	/** The match without its pose. */
	public Match match() {
		final Match plain = new Match(template, frame, position, score, subpixel).refined(subpixel, covariance).atEdge(edge);
		return background == null ? plain : plain.rated(Double.NaN, Double.NaN, minScore, background);
	}

	@Override
	public String toString() {
		return "template " + template + " at " + Arrays.toString(position) + (frame.length == 0 ? "" : " in frame " + Arrays.toString(frame)) + ", " + pose
			+ ", score " + score;
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
