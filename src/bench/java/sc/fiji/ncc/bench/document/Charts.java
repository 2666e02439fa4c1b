package sc.fiji.ncc.bench.document;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.geom.Rectangle2D;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

import javax.imageio.ImageIO;

import org.jfree.chart.ChartFactory;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.LegendItem;
import org.jfree.chart.LegendItemCollection;
import org.jfree.chart.annotations.XYTextAnnotation;
import org.jfree.chart.axis.CategoryLabelPositions;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.axis.NumberTickUnit;
import org.jfree.chart.axis.SymbolAxis;
import org.jfree.chart.plot.CategoryPlot;
import org.jfree.chart.plot.PlotOrientation;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.LookupPaintScale;
import org.jfree.chart.renderer.category.StackedBarRenderer;
import org.jfree.chart.renderer.category.StandardBarPainter;
import org.jfree.chart.renderer.xy.DeviationRenderer;
import org.jfree.chart.renderer.xy.XYBlockRenderer;
import org.jfree.chart.title.TextTitle;
import org.jfree.data.category.DefaultCategoryDataset;
import org.jfree.data.xy.DefaultXYZDataset;
import org.jfree.data.xy.YIntervalSeries;
import org.jfree.data.xy.YIntervalSeriesCollection;

import sc.fiji.ncc.document.DocumentFigure;
import sc.fiji.ncc.document.DocumentTable;
import sc.fiji.ncc.document.Origin;

/** Draws the charts of the documents from their tables. */
final class Charts {

	/** Distinct for colour-blind readers (M. Okabe, K. Ito, 2008), and two dark ones. */
	static final Color[] COLOURS = { new Color(0x0072b2), new Color(0xd55e00), new Color(0x009e73), new Color(0xcc79a7), new Color(0xe69f00), new Color(0x56b4e9),
		new Color(0x444444), new Color(0x882255) };

	private Charts() {}

	/** One drawn chart, made of some tables. */
	private interface Drawing {
		BufferedImage of(List<DocumentTable> tables);
	}

	private static final Map<String, Drawing> ALL = new LinkedHashMap<>();

	static {
		ALL.put("against-opencv", Charts::ratios);
		ALL.put("sides-planes", t -> sides("Normalized cross-correlation and convolution", t.get(0)));
		ALL.put("sides-volumes", t -> sides("Normalized cross-correlation and convolution", t.get(0)));
		ALL.put("sides-gpu", t -> sides("Normalized cross-correlation and convolution on a GPU", t.get(0)));
		ALL.put("convolution-maps", Charts::maps);
		ALL.put("small-shifts-float", t -> regions(t.get(0), "float"));
		ALL.put("small-shifts-8-bit", t -> regions(t.get(0), "8 bit"));
	}

	/** Draws the charts that are wanted and whose tables exist. */
	static void draw(final List<String> only) throws IOException {
		for (final DocumentFigure figure : DocumentFigure.ALL) {
			if (figure.kind() != DocumentFigure.Kind.CHART || !only.isEmpty() && !only.contains(figure.name())) continue;
			final List<DocumentTable> tables = new ArrayList<>();
			for (final String name : figure.tables()) {
				final Path csv = DocumentTable.FOLDER.resolve(name + ".csv");
				if (Files.exists(csv)) tables.add(DocumentTable.read(csv));
			}
			if (tables.isEmpty()) {
				System.out.println("no chart " + figure.name() + ": " + figure.tables() + " are not measured yet");
				continue;
			}
			ImageIO.write(ALL.get(figure.name()).of(tables), "png", figure.file().toFile());
			System.out.println("wrote " + figure.file());
		}
	}

	private static TextTitle source(final List<DocumentTable> tables) {
		final Set<String> sources = new LinkedHashSet<>();
		for (final DocumentTable t : tables) sources.add(source(t.origin()));
		return new TextTitle(String.join("\n", sources), new Font(Font.SANS_SERIF, Font.PLAIN, 12));
	}

	private static String source(final Origin o) {
		return o.machine() + ", Java " + o.java() + ", " + o.date() + ", commit " + o.commit();
	}

	private static void plain(final JFreeChart chart, final List<DocumentTable> tables) {
		chart.getTitle().setFont(new Font(Font.SANS_SERIF, Font.BOLD, 18));
		if (tables != null) chart.addSubtitle(source(tables));
		chart.setBackgroundPaint(Color.WHITE);
		chart.getPlot().setBackgroundPaint(Color.WHITE);
	}

	private static double number(final Map<String, String> row, final String column) {
		return Double.parseDouble(row.get(column));
	}

	private static BufferedImage sides(final String what, final DocumentTable table) {
		final Map<String, Map<String, Map<Integer, Double>>> panels = new TreeMap<>((a, b) -> Integer.compare(Integer.parseInt(a), Integer.parseInt(b)));
		for (final Map<String, String> row : table.rows())
			panels.computeIfAbsent(row.get("frames"), k -> new TreeMap<>()).computeIfAbsent(row.get("method") + "," + row.get("type"), k -> new TreeMap<>()).put(
				Integer.parseInt(row.get("side")), number(row, "ms_an_image"));
		final List<SidesChart.Panel> drawn = new ArrayList<>();
		panels.forEach((frames, curves) -> drawn.add(new SidesChart.Panel("side of the template or kernel (pixels), "
			+ (frames.equals("1") ? "single images" : "stack of " + frames + " images in one call"),
			curves.entrySet().stream().map(e -> new SidesChart.Curve(e.getKey().split(",")[0], e.getKey().endsWith("float"), e.getValue())).toList())));
		final Map<String, String> first = table.rows().get(0);
		return new SidesChart(what + ", " + first.get("image"), source(table.origin())
			+ (first.containsKey("threads") ? ", " + first.get("threads") + " threads" : ""), drawn).chart().createBufferedImage(1200,
			620);
	}

	/** The ratio to OpenCV over the side of the template: the median of the runs, and their range. */
	private static BufferedImage ratios(final List<DocumentTable> tables) {
		final YIntervalSeriesCollection data = new YIntervalSeriesCollection();
		final List<Integer> all = new ArrayList<>(new TreeSet<>(tables.stream().flatMap(t -> t.rows().stream())
			.map(r -> Integer.parseInt(r.get("template").split("x")[0])).toList()));
		final DeviationRenderer renderer = new DeviationRenderer(true, true);
		renderer.setAlpha(0.2f);
		for (int i = 0; i < tables.size(); i++) {
			final Origin o = tables.get(i).origin();
			for (final String type : List.of("8 bit", "float")) {
				final TreeMap<Integer, List<Double>> ratios = new TreeMap<>();
				for (final Map<String, String> row : tables.get(i).rows())
					if (row.get("type").equals(type) && !row.get("method").equals("OpenCV"))
						ratios.computeIfAbsent(Integer.parseInt(row.get("template").split("x")[0]), k -> new ArrayList<>()).add(number(row, "opencv_over_it"));
				final YIntervalSeries series = new YIntervalSeries(o.machine().replaceAll(",.*", "") + ", Java " + o.java() + ", " + type);
				ratios.forEach((side, runs) -> {
					runs.sort(null);
					series.add(all.indexOf(side), runs.get(runs.size() / 2), runs.get(0), runs.get(runs.size() - 1));
				});
				final int s = data.getSeriesCount();
				data.addSeries(series);
				renderer.setSeriesPaint(s, COLOURS[i]);
				renderer.setSeriesFillPaint(s, COLOURS[i]);
				renderer.setSeriesStroke(s, new BasicStroke(2, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 1, type.equals("float") ? null : new float[] { 7, 4 }, 0));
			}
		}
		final SymbolAxis sides = axis("side of the template (pixels)", all);
		final NumberAxis times = new NumberAxis("times as fast as OpenCV");
		times.setTickUnit(new NumberTickUnit(1));
		final XYPlot plot = new XYPlot(data, sides, times, renderer);
		plot.setDomainGridlinePaint(Color.LIGHT_GRAY);
		plot.setRangeGridlinePaint(Color.LIGHT_GRAY);
		final JFreeChart chart = new JFreeChart("Correlation of " + tables.get(0).rows().get(0).get("image")
			+ " pixels, against OpenCV on as many threads", JFreeChart.DEFAULT_TITLE_FONT, plot, true);
		plain(chart, tables);
		return chart.createBufferedImage(1000, 620);
	}

	/** A map for each backend and use: the fastest method by the sides of image and kernel, and its time. */
	private static BufferedImage maps(final List<DocumentTable> tables) {
		final List<String> methods = new ArrayList<>(new TreeSet<>(tables.stream().flatMap(t -> t.rows().stream())
			.filter(r -> r.get("fastest").equals("true")).map(r -> r.get("method")).toList()));
		final List<BufferedImage> panels = new ArrayList<>();
		for (final DocumentTable table : tables)
			for (final String use : List.of("single", "stream")) {
				final List<Map<String, String>> rows = table.rows().stream().filter(r -> r.get("use").equals(use) && r.get("fastest").equals("true")).toList();
				if (!rows.isEmpty()) panels.add(map(table, rows, use, methods));
			}
		final int width = panels.get(0).getWidth(), height = panels.get(0).getHeight(), columns = 2;
		return tiled(panels, width, height, columns);
	}

	private static BufferedImage tiled(final List<BufferedImage> panels, final int width, final int height, final int columns) {
		final BufferedImage all = new BufferedImage(width * Math.min(columns, panels.size()), height * ((panels.size() + columns - 1) / columns),
			BufferedImage.TYPE_INT_RGB);
		final Graphics2D g = all.createGraphics();
		g.setColor(Color.WHITE);
		g.fillRect(0, 0, all.getWidth(), all.getHeight());
		for (int i = 0; i < panels.size(); i++) g.drawImage(panels.get(i), i % columns * width, i / columns * height, null);
		g.dispose();
		return all;
	}

	private static BufferedImage map(final DocumentTable table, final List<Map<String, String>> rows, final String use, final List<String> methods) {
		final List<Integer> images = sorted(rows, "image"), templates = sorted(rows, "template");
		final double[][] cells = new double[3][rows.size()];
		for (int i = 0; i < rows.size(); i++) {
			cells[0][i] = images.indexOf(Integer.parseInt(rows.get(i).get("image")));
			cells[1][i] = templates.indexOf(Integer.parseInt(rows.get(i).get("template")));
			cells[2][i] = methods.indexOf(rows.get(i).get("method"));
		}
		final DefaultXYZDataset data = new DefaultXYZDataset();
		data.addSeries("fastest", cells);
		final LookupPaintScale colours = new LookupPaintScale(0, methods.size(), Color.WHITE);
		final LegendItemCollection legend = new LegendItemCollection();
		for (int m = 0; m < methods.size(); m++) {
			colours.add(m - 0.5, COLOURS[m]);
			legend.add(new LegendItem(methods.get(m), null, null, null, new Rectangle2D.Double(-6, -6, 12, 12), COLOURS[m]));
		}
		final XYBlockRenderer blocks = new XYBlockRenderer();
		blocks.setPaintScale(colours);
		final XYPlot plot = new XYPlot(data, axis("side of the image (pixels)", images), axis("side of the kernel (pixels)", templates), blocks);
		plot.setFixedLegendItems(legend);
		for (int i = 0; i < rows.size(); i++) {
			final XYTextAnnotation time = new XYTextAnnotation(shown(number(rows.get(i), "ms")), cells[0][i], cells[1][i]);
			time.setPaint(Color.WHITE);
			time.setFont(new Font(Font.SANS_SERIF, Font.BOLD, 11));
			plot.addAnnotation(time);
		}
		final JFreeChart chart = new JFreeChart("Convolution, " + rows.get(0).get("type") + ", " + (use.equals("single") ? "single images" : "streams")
			+ ": fastest method and its time (ms)",
			JFreeChart.DEFAULT_TITLE_FONT, plot, true);
		plain(chart, List.of(table));
		chart.getTitle().setFont(new Font(Font.SANS_SERIF, Font.BOLD, 14));
		return chart.createBufferedImage(640, 560);
	}

	private static String shown(final double ms) {
		return ms >= 100 ? String.format(Locale.ROOT, "%.0f", ms) : ms >= 1 ? String.format(Locale.ROOT, "%.1f", ms)
			: String.format(Locale.ROOT, "%.2g", ms).replaceFirst("^0\\.", ".");
	}

	private static SymbolAxis axis(final String label, final List<Integer> sides) {
		return new SymbolAxis(label, sides.stream().map(String::valueOf).toArray(String[]::new));
	}

	private static List<Integer> sorted(final List<Map<String, String>> rows, final String column) {
		return new ArrayList<>(new TreeSet<>(rows.stream().map(r -> Integer.parseInt(r.get(column))).toList()));
	}

	private static final String[][] REGIONS = { { "main_ms", "main tiles" }, { "right_ms", "right" }, { "bottom_ms", "bottom" },
		{ "corner_ms", "corner" }, { "sum_ms", "sum of partial sums" } };

	/** The times of the regions of templates as stacked bars, as in figures 3 and 4 of Moore, Leeser and Smith King: a panel for each set. */
	private static BufferedImage regions(final DocumentTable table, final String type) {
		final Map<String, DefaultCategoryDataset> sets = new TreeMap<>();
		final Map<String, String> titles = new TreeMap<>();
		for (final Map<String, String> row : table.rows()) {
			if (!row.get("type").equals(type) || row.get("main_ms").equals("-")) continue;
			final DefaultCategoryDataset data = sets.computeIfAbsent(row.get("set"), k -> new DefaultCategoryDataset());
			for (final String[] region : REGIONS) data.addValue(number(row, region[0]), region[1], row.get("method").equals("tiles by the planner") ? "planner's "
				+ row.get("tile") : row.get("method").replace("tiles ", ""));
			titles.put(row.get("set"), "Set " + row.get("set") + ", " + type + ": " + row.get("templates") + " of " + row.get("template"));
		}
		if (sets.isEmpty()) throw new IllegalArgumentException("no rows of type " + type);
		final List<BufferedImage> panels = new ArrayList<>();
		sets.forEach((set, data) -> {
			final JFreeChart chart = ChartFactory.createStackedBarChart(titles.get(set), "main tile, rows x columns", "time of 300 frames (ms)", data,
				PlotOrientation.VERTICAL, true, false, false);
			plain(chart, List.of(table));
			chart.getTitle().setFont(new Font(Font.SANS_SERIF, Font.BOLD, 14));
			final CategoryPlot plot = chart.getCategoryPlot();
			plot.setRangeGridlinePaint(Color.LIGHT_GRAY);
			plot.getDomainAxis().setCategoryLabelPositions(CategoryLabelPositions.UP_45);
			final StackedBarRenderer bars = new StackedBarRenderer();
			bars.setBarPainter(new StandardBarPainter());
			bars.setShadowVisible(false);
			for (int r = 0; r < REGIONS.length; r++) bars.setSeriesPaint(r, COLOURS[r]);
			plot.setRenderer(bars);
			panels.add(chart.createBufferedImage(640, 400));
		});
		return tiled(panels, 640, 400, 2);
	}
}
