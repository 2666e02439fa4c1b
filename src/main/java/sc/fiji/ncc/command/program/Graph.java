package sc.fiji.ncc.command.program;

import java.util.List;

/**
 * Values over one axis, to show as lines.
 *
 * @param title of the window
 * @param across what the axis is, with its unit
 * @param up what the values are, with their unit
 * @param x the places on the axis
 * @param lines over all of them
 */
public record Graph(String title, String across, String up, double[] x, List<Line> lines) {

	/**
	 * One of them.
	 *
	 * @param label for the legend
	 * @param group those of one number have one colour
	 * @param marked whether each value has a mark, which tells it from another line of its colour
	 * @param y a value for each place; NaN where there is none
	 */
	public record Line(String label, int group, boolean marked, double[] y) {}
}
