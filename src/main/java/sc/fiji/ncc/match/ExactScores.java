package sc.fiji.ncc.match;

/** The exact scores of windows of one frame. */
@FunctionalInterface
public interface ExactScores {

	/**
	 * @param template the index of the template
	 * @param reference null for the score of the template; otherwise the first pixel of a window whose pixels replace those of the template
	 * @param window the first pixel of the window
	 * @return the score; NaN if it is undefined
	 */
	double at(int template, long[] reference, long[] window);
}
