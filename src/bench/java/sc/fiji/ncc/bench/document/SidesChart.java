package sc.fiji.ncc.bench.document;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.geom.Rectangle2D;
import java.text.DecimalFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.AxisState;
import org.jfree.chart.axis.LogAxis;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.axis.NumberTick;
import org.jfree.chart.axis.NumberTickUnit;
import org.jfree.chart.axis.ValueTick;
import org.jfree.chart.plot.CombinedRangeXYPlot;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.XYLineAndShapeRenderer;
import org.jfree.chart.title.TextTitle;
import org.jfree.chart.ui.RectangleEdge;
import org.jfree.chart.ui.TextAnchor;
import org.jfree.data.xy.XYSeries;
import org.jfree.data.xy.XYSeriesCollection;

/** Times over the template's side as panels side by side, with one logarithmic axis of milliseconds. */
final class SidesChart {

	/**
	 * A curve.
	 *
	 * @param name of the method: it has the same colour in all panels and for all pixel types
	 * @param floats dashed if not
	 * @param milliseconds by the template's side
	 */
	record Curve(String name, boolean floats, Map<Integer, Double> milliseconds) {}

	/** Curves and what the axis below them says. */
	record Panel(String axis, List<Curve> curves) {}

	private final List<String> names;
	private final JFreeChart chart;

	SidesChart(final String title, final String subtitle, final List<Panel> panels) {
		names = panels.stream().flatMap(p -> p.curves.stream()).map(Curve::name).distinct().toList();
		final LogAxis milliseconds = new RoundTicks("time for each picture (ms)");
		final CombinedRangeXYPlot all = new CombinedRangeXYPlot(milliseconds);
		all.setGap(16);
		for (final Panel p : panels) all.add(plot(p));
		// the legend shows the curves of the first panel: all have the same
		for (int i = 1; i < panels.size(); i++)
			((XYPlot) all.getSubplots().get(i)).getRenderer().setDefaultSeriesVisibleInLegend(false);
		chart = new JFreeChart(title, new Font(Font.SANS_SERIF, Font.BOLD, 18), all, true);
		chart.addSubtitle(new TextTitle(subtitle, new Font(Font.SANS_SERIF, Font.PLAIN, 12)));
		chart.setBackgroundPaint(Color.WHITE);
	}

	/** Ticks at 1, 2 and 5 times powers of ten. */
	private static final class RoundTicks extends LogAxis {

		private static final long serialVersionUID = 1L;

		RoundTicks(final String label) {
			super(label);
		}

		@Override
		public List<ValueTick> refreshTicks(final Graphics2D g, final AxisState state, final Rectangle2D area, final RectangleEdge edge) {
			final List<ValueTick> ticks = new ArrayList<>();
			for (int decade = (int) Math.floor(Math.log10(getLowerBound())); Math.pow(10, decade) <= getUpperBound(); decade++)
				for (final int digit : new int[] { 1, 2, 5 }) {
					final double value = digit * Math.pow(10, decade);
					if (getRange().contains(value))
						ticks.add(new NumberTick(value, new DecimalFormat("0.###").format(value), TextAnchor.CENTER_RIGHT, TextAnchor.CENTER_RIGHT, 0));
				}
			return ticks;
		}
	}

	private XYPlot plot(final Panel panel) {
		final XYSeriesCollection data = new XYSeriesCollection();
		final XYLineAndShapeRenderer renderer = new XYLineAndShapeRenderer();
		for (final Curve c : panel.curves) {
			final XYSeries series = new XYSeries(c.name + (c.floats ? ", float" : ", 8 bit"));
			c.milliseconds.forEach((side, ms) -> series.add(side, ms));
			final int i = data.getSeriesCount();
			data.addSeries(series);
			renderer.setSeriesPaint(i, Charts.COLOURS[names.indexOf(c.name) % Charts.COLOURS.length]);
			renderer.setSeriesStroke(i, new BasicStroke(2, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 1, c.floats ? null : new float[] { 7, 4 }, 0));
			renderer.setSeriesShapesVisible(i, c.milliseconds.size() == 1);
		}
		final NumberAxis sides = new NumberAxis(panel.axis);
		sides.setAutoRangeIncludesZero(false);
		sides.setTickUnit(new NumberTickUnit(4));
		final XYPlot plot = new XYPlot(data, sides, null, renderer);
		plot.setBackgroundPaint(Color.WHITE);
		plot.setDomainGridlinePaint(Color.LIGHT_GRAY);
		plot.setRangeGridlinePaint(Color.LIGHT_GRAY);
		return plot;
	}

	JFreeChart chart() {
		return chart;
	}
}
