package sc.fiji.ncc.result;

import java.util.List;

/**
 * The shift of a moving image against a fixed image.
 *
 * @param shift in pixels, one number per dimension: pixel x of the fixed image shows what lies at x + shift in the moving image. The content of the moving image has
 *          moved by this shift
 * @param score the exact correlation coefficient of the overlap at the nearest whole-pixel peak
 * @param overlap the share of the smaller image's pixels that overlap there, and count in both images
 * @param covariance the estimated covariance of the shift from the noise of the images, in square pixels; null if unknown
 * @param edge whether the peak lies at the end of the search: the true shift can be larger
 * @param peaks the best peaks, the first of which is this shift; at least two if the correlation has two peaks
 */
public record Alignment(double[] shift, double score, double overlap, double[][] covariance, boolean edge, List<Peak> peaks) {

	/**
	 * A peak of the correlation.
	 *
	 * @param shift in pixels
	 * @param score the correlation coefficient
	 * @param overlap the share of pixels that overlap
	 */
	public record Peak(double[] shift, double score, double overlap) {}

	public Alignment {
		peaks = List.copyOf(peaks);
	}

	/** The standard deviation of the shift along a dimension, in pixels; NaN without a covariance. */
	public double sigma(final int d) {
		return covariance == null ? Double.NaN : Math.sqrt(covariance[d][d]);
	}

	/** The correlation of the errors along two dimensions; NaN without a covariance. */
	public double correlation(final int d, final int e) {
		return covariance == null ? Double.NaN : covariance[d][e] / Math.sqrt(covariance[d][d] * covariance[e][e]);
	}

	/** The score of the second peak; NaN if there is none. A score near that of the first peak means that the shift is ambiguous, as in periodic images. */
	public double runnerUp() {
		return peaks.size() < 2 ? Double.NaN : peaks.get(1).score();
	}
}
