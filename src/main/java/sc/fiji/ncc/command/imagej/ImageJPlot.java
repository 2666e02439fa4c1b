package sc.fiji.ncc.command.imagej;

import java.awt.Color;
import java.awt.GraphicsEnvironment;

import ij.IJ;
import ij.WindowManager;
import ij.gui.Plot;
import ij.macro.Interpreter;

import sc.fiji.ncc.command.program.Graph;

/** Shows a graph in ImageJ's plot window, where users can list and save its values and change its style. */
final class ImageJPlot {

	private static final int WIDTH = 560, HEIGHT = 300;
	/** Width in pixels of a line, and of a line with marks. */
	private static final float THICK = 2, THIN = 1;

	private ImageJPlot() {}

	/** @return whether there are windows, or a macro that can use the plot */
	static boolean isPossible() {
		return !GraphicsEnvironment.isHeadless() || IJ.isMacro() || Interpreter.isBatchMode();
	}

	static void show(final Graph graph) {
		final Plot plot = new Plot(WindowManager.makeUniqueName(graph.title()), graph.across(), graph.up());
		plot.setFrameSize(WIDTH, HEIGHT);
		final StringBuilder legend = new StringBuilder();
		for (final Graph.Line line : graph.lines()) {
			// bright colours are hard to see on white
			final Color colour = ImageJImage.colour(line.group()).darker();
			plot.setColor(colour, colour);
			plot.setLineWidth(line.marked() ? THIN : THICK);
			plot.add(line.marked() ? "connected" : "line", graph.x(), line.y());
			legend.append(line.label().replace('\n', ' ').replace('\t', ' ')).append('\n');
		}
		plot.setColor(Color.BLACK);
		plot.setLineWidth(1);
		plot.setLimitsToFit(true);
		plot.addLegend(legend.toString());
		plot.show();
	}
}
