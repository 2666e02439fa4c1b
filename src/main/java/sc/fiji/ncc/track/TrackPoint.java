package sc.fiji.ncc.track;

import java.util.Arrays;

/**
 * One template in one frame. Extents and places are in pixels, counted from the frame's first one, one number per dimension of the template.
 *
 * @param template its index
 * @param frame its index
 * @param position the first pixel of the window that is most like the template, of those within the shift; where the template was last if none has
 *        a correlation at all
 * @param subpixel where the first pixel of what the template showed to begin with lies now: of a fixed template the position, refined by a fitted
 *        quadratic, less what that is off in the frame that the template was cut from; of one that changes also what it had moved within its window before
 * @param score the correlation coefficient at the position, exact; NaN if no window has one
 * @param second the coefficient of the next highest peak within the shift, exact; NaN if there is but one
 * @param lost whether the score is below the least one
 * @param motion from where the template began: {@code subpixel − start}
 * @param edge whether the position is as far away as the shift lets it be, and the frame goes on there: the true place may lie beyond
 */
public record TrackPoint(int template, long frame, long[] position, double[] subpixel, double score, double second, boolean lost, double[] motion, boolean edge) {

	/** How far the peak stands out: the score over that of the second peak. NaN if there is none; infinite if that is not positive. */
	public double ratio() {
		return second <= 0 ? Double.POSITIVE_INFINITY : score / second;
	}

	@Override
	public String toString() {
		return "template " + template + " in frame " + frame + " at " + Arrays.toString(subpixel) + ", score " + score + (lost ? ", lost" : "") + (edge ? ", at the edge of the search" : "");
	}
}
