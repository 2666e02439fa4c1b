package sc.fiji.ncc.result;

import java.util.Arrays;

/**
 * A position at which a template was found.
 *
 * @param template the index of the template, from 0
 * @param frame the position in the image's dimensions beyond the template's; empty if there are none
 * @param position the first pixel of the window in the image, one number per dimension of the template
 * @param score the exact correlation coefficient of the window, in [-1, 1]
 * @param subpixel the position refined by a fitted quadratic, in pixels
 * @param probability the probability that background gives such a score at one position; NaN if no background was fitted
 * @param falseAlarms the expected number of matches with at least this score in the whole search, in background alone; NaN if no background was fitted
 */
public record Match(int template, long[] frame, long[] position, double score, double[] subpixel, double probability, double falseAlarms) {

	/** A match without statistics. */
	public Match(final int template, final long[] frame, final long[] position, final double score, final double[] subpixel) {
		this(template, frame, position, score, subpixel, Double.NaN, Double.NaN);
	}

	@Override
	public String toString() {
		return "template " + template + " at " + Arrays.toString(position) + (frame.length == 0 ? "" : " in frame " + Arrays.toString(frame)) + ", score "
			+ score;
	}
}
