package sc.fiji.ncc.result;

import sc.fiji.ncc.option.Components;

/**
 * How far a match stands out from the responses around it.
 *
 * @param runnerUp the score of the runner-up: the highest local maximum of the responses around the match that does not touch it; NaN if there is none
 * @param sidelobe the peak-to-sidelobe ratio: the score minus the mean of the responses around the match, divided by their standard deviation; NaN if they are undefined or equal
 */
public record PeakQuality(double runnerUp, double sidelobe) {

	/** The score divided by that of the runner-up. NaN if there is no runner-up; infinite if its score is not positive. */
	public double ratio(final double score) {
		return runnerUp <= 0 ? Double.POSITIVE_INFINITY : score / runnerUp;
	}

	@Override
	public String toString() {
		return Components.text(this);
	}
}
