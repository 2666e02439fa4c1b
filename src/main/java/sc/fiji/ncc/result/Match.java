package sc.fiji.ncc.result;

import java.util.Arrays;

/**
 * One place where a template was found.
 *
 * @param template index of the template
 * @param frame position in the image's dimensions beyond the template's; empty if there is none
 * @param position the window's first pixel in the image, one number per dimension of the template
 * @param score the correlation coefficient there, recomputed exactly
 * @param subpixel the position refined by a fitted quadratic
 */
public record Match(int template, long[] frame, long[] position, double score, double[] subpixel) {

	@Override
	public String toString() {
		return "template " + template + " at " + Arrays.toString(position) + (frame.length == 0 ? "" : " in frame " + Arrays.toString(frame)) + ", score "
			+ score;
	}
}
