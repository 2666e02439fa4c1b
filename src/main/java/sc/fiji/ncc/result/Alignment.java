package sc.fiji.ncc.result;

import java.util.List;

import sc.fiji.ncc.option.Components;
import sc.fiji.ncc.plan.Given;

/**
 * The shift of a moving image against a fixed image.
 *
 * @param shift in pixels, one number per dimension: pixel x of the fixed image shows what lies at x + shift in the moving image. The content of the moving image has
 *          moved by this shift
 * @param score the exact correlation coefficient of the overlap at the nearest whole-pixel peak
 * @param overlap the number of pixels that overlap there and count in both images, as a share of the pixels that count in the image with fewer of them
 * @param covariance the estimated covariance of the shift from the noise of the images, in square pixels; null if unknown
 * @param edge whether the peak lies at the end of the search: the true shift can be larger
 * @param falseAlarms the expected number of peaks as high as the best one by chance, for images of such texture and with such a second peak
 * @param reason why the shift is doubtful: there is too little structure in common, or it is ambiguous; empty if it is certain
 * @param peaks the best peaks, the first of which is this shift; at least two if the correlation has two peaks
 */
public record Alignment(double[] shift, double score, double overlap, double[][] covariance, boolean edge,
	double falseAlarms, String reason, List<Peak> peaks) implements WithCovariance {

	/** The first word of the reason of a shift beside which others fit nearly as well. */
	public static final String AMBIGUOUS = "ambiguous";

	/**
	 * A peak of the correlation.
	 *
	 * @param shift in pixels
	 * @param score the correlation coefficient
	 * @param overlap the share of pixels that overlap
	 */
	public record Peak(double[] shift, double score, double overlap) {

		public Peak {
			Given.nonNull(shift, "shift");
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

	public Alignment {
		Given.nonNull(shift, "shift");
		Given.nonNull(reason, "reason");
		Given.nonNull(peaks, "list of peaks");
		peaks = List.copyOf(peaks);
	}

	/** Whether the best peak can be one of noise, or of a periodic pattern. */
	public boolean doubtful() {
		return !reason.isEmpty();
	}

	/** Why the shift is doubtful, for people: no overlap was found, or several fit; empty if it is certain. */
	public String doubt() {
		return reason.isEmpty() || reason.startsWith(AMBIGUOUS) ? reason : "no overlap found: " + reason;
	}

	/** The score of the second peak; NaN if there is none. A score near that of the first peak means that the shift is ambiguous, as in periodic images. */
	public double runnerUp() {
		return peaks.size() < 2 ? Double.NaN : peaks.get(1).score();
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
