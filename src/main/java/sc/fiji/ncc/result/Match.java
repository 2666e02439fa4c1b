package sc.fiji.ncc.result;

import java.util.Arrays;

import sc.fiji.ncc.option.Components;
import sc.fiji.ncc.plan.Given;

/**
 * A position at which a template was found.
 *
 * @param template the index of the template, from 0
 * @param frame the position in the image's dimensions beyond the template's; empty if there are none
 * @param position the first pixel of the window in the image, one number per dimension of the template
 * @param score the exact correlation coefficient of the window, in [-1, 1]
 * @param subpixel the position between the pixels, in pixels: refined by a fitted quadratic, or by least squares ({@link sc.fiji.ncc.TemplateMatching#refine})
 * @param probability the probability that background gives such a score at one position; NaN if no background was fitted
 * @param falseAlarms the expected number of matches with at least this score in the whole search, in background alone; NaN if no background was fitted
 * @param minScore the minimum score of a match of this template in this frame, if it follows from the background; otherwise NaN
 * @param background how far these numbers hold; null if no background was fitted
 * @param covariance the covariance of the subpixel position, in square pixels, one row per dimension; null if it was not requested or is not determined
 * @param quality how far the match stands out from the responses around it; null if it was not requested
 * @param edge whether the window is the first or the last one of the searched region along a dimension, and the image continues there: the true
 *        position may lie outside the region. False without a region
 */
public record Match(int template, long[] frame, long[] position, double score, double[] subpixel, double probability, double falseAlarms,
	double minScore, BackgroundState background, double[][] covariance, PeakQuality quality, boolean edge)
	implements WithCovariance
{

	public Match {
		Given.nonNull(frame, "position of the frame");
		Given.nonNull(position, "position");
		Given.nonNull(subpixel, "position between the pixels");
	}

	/** A match without statistics. */
	public Match(final int template, final long[] frame, final long[] position, final double score, final double[] subpixel) {
		this(template, frame, position, score, subpixel, Double.NaN, Double.NaN, Double.NaN, null, null, null, false);
	}

	/** The same match in another frame. */
	public Match in(final long[] otherFrame) {
		return new Match(template, otherFrame, position, score, subpixel, probability, falseAlarms, minScore, background,
			covariance, quality, edge);
	}

	/** The same match with the statistics of the background, and the minimum score that follows from it. */
	public Match rated(final double newProbability, final double newFalseAlarms, final double newMinScore,
		final BackgroundState newBackground) {
		Given.nonNull(newBackground, "background");
		return new Match(template, frame, position, score, subpixel, newProbability, newFalseAlarms, newMinScore, newBackground,
			covariance, quality, edge);
	}

	/** The same match with another position between the pixels, and its covariance. */
	public Match refined(final double[] newSubpixel, final double[][] newCovariance) {
		return new Match(template, frame, position, score, newSubpixel, probability, falseAlarms, minScore, background,
			newCovariance, quality, edge);
	}

	/** The same match with its quality; null for none. */
	public Match with(final PeakQuality newQuality) {
		return new Match(template, frame, position, score, subpixel, probability, falseAlarms, minScore, background, covariance,
			newQuality, edge);
	}

	/** The same match with the statement whether it lies at the edge of the searched region. */
	public Match atEdge(final boolean newEdge) {
		return new Match(template, frame, position, score, subpixel, probability, falseAlarms, minScore, background, covariance,
			quality, newEdge);
	}

	/**
	 * The error ellipse of the position in x and y: points on its boundary, relative to the position.
	 *
	 * @param share the probability, in (0, 1), that it holds the true position, if the errors are normal
	 * @param points their number
	 * @return x and y of the points, in pixels; null without a covariance
	 */
	public double[][] errorEllipse(final double share, final int points) {
		if (covariance == null) return null;
		// a quantile of χ² with two degrees of freedom; the factor of Cholesky takes a circle to the ellipse
		final double radius = Math.sqrt(-2 * Math.log(1 - share)), first = Math.sqrt(covariance[0][0]), across = first > 0
			? covariance[0][1] / first : 0, rest = Math.sqrt(Math.max(0, covariance[1][1] - across * across));
		final double[][] ellipse = new double[2][points];
		for (int i = 0; i < points; i++) {
			final double angle = 2 * Math.PI * i / points;
			ellipse[0][i] = radius * first * Math.cos(angle);
			ellipse[1][i] = radius * (across * Math.cos(angle) + rest * Math.sin(angle));
		}
		return ellipse;
	}

	@Override
	public String toString() {
		return "template " + template + " at " + Arrays.toString(position)
			+ (frame.length == 0 ? "" : " in frame " + Arrays.toString(frame)) + ", score "
			+ score;
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
