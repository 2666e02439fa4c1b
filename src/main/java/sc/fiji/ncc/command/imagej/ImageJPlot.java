package sc.fiji.ncc.command.imagej;

import java.awt.Color;
import java.awt.GraphicsEnvironment;

import ij.IJ;
import ij.WindowManager;
import ij.gui.Plot;
import ij.macro.Interpreter;

import sc.fiji.ncc.command.program.Graph;

/** A graph in ImageJ's own plot window, whose values people can list, save and restyle. */
final class ImageJPlot {

	private static final int WIDTH = 560, HEIGHT = 300;
	/** Pixels of a line, and of a line with marks. */
	private static final float THICK = 2, THIN = 1;

	private ImageJPlot() {}

	/** Whether there is a window to show it in, or a macro to hand it to. */
	static boolean isPossible() {
		return !GraphicsEnvironment.isHeadless() || IJ.isMacro() || Interpreter.isBatchMode();
	}

	static void show(final Graph graph) {
		final Plot plot = new Plot(WindowManager.makeUniqueName(graph.title()), graph.across(), graph.up());
		plot.setFrameSize(WIDTH, HEIGHT);
		final StringBuilder legend = new StringBuilder();
		for (final Graph.Line line : graph.lines()) {
			// on white, unlike on an image, bright colours are hard to see
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
