package sc.fiji.ncc.cuda.shifts;

import java.awt.Color;
import java.awt.Font;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import org.jfree.chart.ChartFactory;
import org.jfree.chart.ChartUtils;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.CategoryLabelPositions;
import org.jfree.chart.plot.CategoryPlot;
import org.jfree.chart.plot.PlotOrientation;
import org.jfree.chart.renderer.category.StackedBarRenderer;
import org.jfree.chart.renderer.category.StandardBarPainter;
import org.jfree.data.category.DefaultCategoryDataset;

/**
 * Draws the times of the regions of templates as stacked bars, as in figures 3 and 4 of Moore, Leeser and Smith King. The input is the CSV file of
 * {@code SmallShiftsBench}. The output is one PNG file for each set: {@code PREFIX-SET-TYPE.png}, times in milliseconds over the shape of the main tile.
 *
 * <pre>
 * mvn -q -Pbench test-compile exec:java -Dexec.mainClass=sc.fiji.ncc.cuda.shifts.RegionsChart -Dexec.args="regions.csv regions 6 F32"
 * </pre>
 */
public final class RegionsChart {

	private static final String[] REGIONS = { "main tiles", "right", "bottom", "corner", "sum of partial sums" };
	private static final Color[] COLOURS = { new Color(0x0072b2), new Color(0xe69f00), new Color(0x009e73), new Color(0xcc79a7), new Color(0x777777) };

	private RegionsChart() {}

	/** @param arguments the CSV file, the prefix of the PNG file, the number of the set, the pixel type */
	public static void main(final String[] arguments) throws IOException {
		final String set = arguments[2], type = arguments[3];
		final DefaultCategoryDataset data = new DefaultCategoryDataset();
		final List<String> lines = Files.readAllLines(Path.of(arguments[0]));
		for (final String line : lines.subList(1, lines.size())) {
			final String[] cells = line.split(",");
			if (!cells[0].equals(set) || !cells[1].equals(type)) continue;
			for (int r = 0; r < REGIONS.length; r++) data.addValue(Double.parseDouble(cells[4 + r]), REGIONS[r], cells[2]);
		}
		if (data.getColumnCount() == 0) throw new IllegalArgumentException("the file " + arguments[0] + " has no rows for set " + set + " and type " + type);
		final JFreeChart chart = ChartFactory.createStackedBarChart("Set " + set + ", " + type + ": time by region of the template", "main tile, rows x columns", "time of all frames (ms)",
			data, PlotOrientation.VERTICAL, true, false, false);
		chart.getTitle().setFont(new Font(Font.SANS_SERIF, Font.BOLD, 18));
		final CategoryPlot plot = chart.getCategoryPlot();
		plot.setBackgroundPaint(Color.WHITE);
		plot.setRangeGridlinePaint(Color.LIGHT_GRAY);
		plot.getDomainAxis().setCategoryLabelPositions(CategoryLabelPositions.UP_45);
		final StackedBarRenderer bars = new StackedBarRenderer();
		bars.setBarPainter(new StandardBarPainter());
		bars.setShadowVisible(false);
		for (int r = 0; r < REGIONS.length; r++) bars.setSeriesPaint(r, COLOURS[r]);
		plot.setRenderer(bars);
		ChartUtils.saveChartAsPNG(new File(arguments[1] + "-" + set + "-" + type + ".png"), chart, 1000, 560);
	}
}
