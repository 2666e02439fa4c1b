package sc.fiji.ncc.command.program;

import java.util.List;

/**
 * A graph of lines over a common horizontal axis.
 *
 * @param title title of the window
 * @param across label of the horizontal axis, with its unit
 * @param up label of the vertical axis, with its unit
 * @param x positions on the horizontal axis
 * @param lines the lines; each has a value for each position
 * @param marks positions on the horizontal axis with a vertical line
 * @param note a line of text above the graph
 * @param scale which axes are logarithmic; values that are not above 0 are gaps there
 */
public record Graph(String title, String across, String up, double[] x, List<Line> lines, double[] marks, String note, Scale scale) {

	/** The scales of the axes. */
	public enum Scale { LINEAR, LOGARITHMIC_UP, LOGARITHMIC }

	/** A graph with linear axes. */
	public Graph(final String title, final String across, final String up, final double[] x, final List<Line> lines) {
		this(title, across, up, x, lines, new double[0], "", Scale.LINEAR);
	}

	/**
	 * One line of the graph.
	 *
	 * @param label text of the legend
	 * @param group lines of one group have the same colour
	 * @param marked whether each value has a mark, to distinguish lines of the same colour
	 * @param y the values; NaN for a gap
	 */
	public record Line(String label, int group, boolean marked, double[] y) {}
}
