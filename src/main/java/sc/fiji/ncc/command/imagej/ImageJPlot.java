package sc.fiji.ncc.command.imagej;

import java.awt.Color;
import java.awt.Dimension;
import java.awt.GraphicsEnvironment;
import java.awt.image.BufferedImage;
import java.util.Arrays;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.stream.DoubleStream;

import ij.IJ;
import ij.ImagePlus;
import ij.WindowManager;
import ij.gui.Plot;
import ij.macro.Interpreter;

import sc.fiji.ncc.command.program.Graph;

/** Shows a graph in ImageJ's plot window, where users can list and save its values and change its style. */
final class ImageJPlot {

	/** The sizes of a graph, of which the first is taken that covers no other window. */
	private static final List<Dimension> SIZES = List.of(new Dimension(560, 300), new Dimension(460, 250), new Dimension(380, 200));
	/** What ImageJ's axes, buttons and the frame of the window add to the size of a graph. */
	private static final int AXES_WIDTH = 112, AXES_HEIGHT = 142;
	/** The size of the graph that stands beside image and dialog. */
	private static final int LIVE_WIDTH = 400, LIVE_HEIGHT = 220;
	/** The distance of lines from the frame on a logarithmic axis, as a factor. */
	private static final double MARGIN = 1.5;
	/** Width in pixels of a line, and of a line with marks. */
	private static final float THICK = 2, THIN = 1;

	private ImageJPlot() {}

	/** @return whether there are windows, or a macro that can use the plot */
	static boolean isPossible() {
		return !GraphicsEnvironment.isHeadless() || IJ.isMacro() || Interpreter.isBatchMode();
	}

	static void show(final Graph graph) {
		final ImagePlus before = WindowManager.getCurrentImage();
		final List<Dimension> sizes = Interpreter.isBatchMode() ? SIZES.subList(0, 1) : SIZES;
		final Dimension window = FreePlace.size(sizes.stream().map(s -> new Dimension(s.width + AXES_WIDTH, s.height + AXES_HEIGHT)).toList(), before);
		FreePlace.move(plot(graph, WindowManager.makeUniqueName(graph.title()), window.width - AXES_WIDTH, window.height - AXES_HEIGHT).show(), before);
	}

	/** Draws a smaller graph without opening a window. */
	static BufferedImage drawing(final Graph graph) {
		return plot(graph, graph.title(), LIVE_WIDTH, LIVE_HEIGHT).getProcessor().getBufferedImage();
	}

	private static Plot plot(final Graph graph, final String title, final int width, final int height) {
		final Plot plot = new Plot(title, graph.across(), graph.up());
		plot.setFrameSize(width, height);
		final boolean logX = graph.scale() == Graph.Scale.LOGARITHMIC, logY = graph.scale() != Graph.Scale.LINEAR;
		plot.setAxisXLog(logX);
		plot.setAxisYLog(logY);
		final StringBuilder legend = new StringBuilder();
		for (final Graph.Line line : graph.lines()) {
			// bright colours are hard to see on white
			final Color colour = ImageJImage.colour(line.group()).darker();
			plot.setColor(colour, colour);
			plot.setLineWidth(line.marked() ? THIN : THICK);
			plot.add(line.marked() ? "connected" : "line", drawable(graph.x(), logX), drawable(line.y(), logY));
			legend.append(line.label().replace('\n', ' ').replace('\t', ' ')).append('\n');
		}
		plot.setColor(Color.BLACK);
		plot.setLineWidth(1);
		plot.setLimitsToFit(true);
		final double[] limits = plot.getLimits();
		// ImageJ gives up a logarithmic axis that would begin below 0
		if (logX) logarithmic(Arrays.stream(graph.x()), limits, 0);
		if (logY) logarithmic(graph.lines().stream().flatMapToDouble(line -> Arrays.stream(line.y())), limits, 2);
		if (logY) plot.setLimits(limits[0], limits[1], limits[2], limits[3]);
		for (final double mark : graph.marks()) plot.add("line", new double[] { mark, mark }, new double[] { limits[2], limits[3] });
		plot.addLabel(0, 0, graph.note());
		plot.addLegend(legend.toString());
		return plot;
	}

	/** Sets the limits of a logarithmic axis: two elements from an index on. */
	private static void logarithmic(final DoubleStream values, final double[] limits, final int at) {
		final DoubleSummaryStatistics range = values.filter(v -> v > 0).summaryStatistics();
		if (range.getCount() == 0) return;
		limits[at] = range.getMin() / MARGIN;
		limits[at + 1] = range.getMax() * MARGIN;
	}

	/** Values that a logarithmic axis lacks are gaps. */
	private static double[] drawable(final double[] values, final boolean logarithmic) {
		return logarithmic ? Arrays.stream(values).map(v -> v > 0 ? v : Double.NaN).toArray() : values;
	}
}
