package sc.fiji.ncc.drawing;

import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.geom.AffineTransform;
import java.awt.geom.Rectangle2D;
import java.awt.image.BufferedImage;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

import sc.fiji.ncc.option.Extent;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.planner.PlannerMap;
import sc.fiji.ncc.planner.Ranking.Candidate;

/** A picture of the fastest methods: image sides along x, template sides along y, both on a logarithmic scale. */
public final class PlannerMapDrawing {

	/** Colours that are distinct for colour-blind readers (M. Okabe, K. Ito, 2008), and three dark ones: one for each correlation method of CPU and GPU. */
	private static final Color[] COLOURS = { new Color(0xe69f00), new Color(0x56b4e9), new Color(0x009e73), new Color(0xcc79a7), new Color(0xf0e442),
		new Color(0x0072b2), new Color(0xd55e00), new Color(0x999999), new Color(0x332288), new Color(0x882255), new Color(0x6b4c1e) };
	/** Sizes in pixels: the plot, its surroundings, letters, marks on the axes. */
	private static final int PLOT = 576, LEFT = 96, TOP = 56, BOTTOM = 84, MARGIN = 24, LETTERS = 12, TITLE = 14, MARK = 6, SWATCH = 18;
	/** The smallest cell, in pixels, that shows its time. */
	private static final int MIN_LABELLED_CELL = 48;

	private final PlannerMap map;
	private final List<String> methods;
	private final double[] x, y;

	public PlannerMapDrawing(final PlannerMap map) {
		this.map = map;
		methods = map.methods();
		x = edges(map.images());
		y = edges(map.templates());
	}

	/** The boundaries of the cells, as base-2 logarithms: halfway between neighbours. */
	private static double[] edges(final long[] sides) {
		final double[] edges = new double[sides.length + 1];
		for (int i = 1; i < sides.length; i++) edges[i] = (log2(sides[i - 1]) + log2(sides[i])) / 2;
		edges[0] = 2 * log2(sides[0]) - edges[1];
		edges[sides.length] = 2 * log2(sides[sides.length - 1]) - edges[sides.length - 1];
		return edges;
	}

	private static double log2(final double v) {
		return Math.log(v) / Math.log(2);
	}

	private static double share(final double[] edges, final double doublings) {
		return (doublings - edges[0]) / (edges[edges.length - 1] - edges[0]);
	}

	private double right(final double doublings) {
		return LEFT + PLOT * share(x, doublings);
	}

	private double down(final double doublings) {
		return TOP + PLOT * (1 - share(y, doublings));
	}

	/** The colour of a method. */
	public Color colour(final String method) {
		return COLOURS[methods.indexOf(method) % COLOURS.length];
	}

	/** The centre in pixels of the cell of two sides, given by their indices in the lists. */
	public double[] middle(final int image, final int template) {
		return new double[] { right((x[image] + x[image + 1]) / 2), down((y[template] + y[template + 1]) / 2) };
	}

	/**
	 * The title of a map of single problems, with the characters that {@link Lettering} can draw.
	 *
	 * @param operation in words; empty for correlation
	 * @param map the type of the pixels in a map
	 */
	public static String title(final boolean measured, final PixelType image, final PixelType template, final String operation, final Extent extent,
		final PixelType map, final long frames, final int threads)
	{
		final StringBuilder text = new StringBuilder("fastest method, ").append(measured ? "measured" : "estimated").append(": ").append(image.name());
		if (template != image) text.append(" with ").append(template.name());
		if (!operation.isEmpty()) text.append(", ").append(operation);
		if (extent != Extent.VALID) text.append(", ").append(extent.name());
		if (map != PixelType.F32) text.append(", ").append(map.name()).append(" maps");
		text.append(", ").append(frames).append(frames == 1 ? " frame, " : " frames, ");
		return text.append(threads).append(threads == 1 ? " thread" : " threads").toString().toLowerCase(Locale.ROOT);
	}

	/** @param title small letters and digits; see {@link Lettering} */
	public BufferedImage draw(final String title) {
		final int legend = LEFT + PLOT + MARGIN;
		final int width = (int) Math.max(legend + legendWidth(), LEFT + Lettering.width(title, TITLE)) + MARGIN;
		final BufferedImage picture = new BufferedImage(width, TOP + PLOT + BOTTOM, BufferedImage.TYPE_INT_RGB);
		final Graphics2D g = picture.createGraphics();
		try {
			g.setColor(Color.WHITE);
			g.fillRect(0, 0, picture.getWidth(), picture.getHeight());
			cells(g);
			g.setColor(Color.BLACK);
			g.drawRect(LEFT, TOP, PLOT, PLOT);
			axes(g);
			legend(g, legend);
			Lettering.draw(g, title, LEFT, (TOP - TITLE) / 2.0, TITLE, Color.BLACK);
		}
		finally {
			g.dispose();
		}
		return picture;
	}

	private void cells(final Graphics2D g) {
		final boolean showTimes = PLOT / Math.max(x.length - 1, y.length - 1) >= MIN_LABELLED_CELL;
		for (int i = 0; i < x.length - 1; i++)
			for (int t = 0; t < y.length - 1; t++) {
				final Optional<Candidate> best = map.fastest(i, t);
				if (best.isEmpty()) continue;
				// round to whole pixels, so that no gap remains between cells
				final long left = Math.round(right(x[i])), top = Math.round(down(y[t + 1]));
				g.setColor(colour(best.get().name()));
				g.fill(new Rectangle2D.Double(left, top, Math.round(right(x[i + 1])) - left, Math.round(down(y[t])) - top));
				if (!showTimes) continue;
				final String time = milliseconds(best.get().seconds());
				final double[] middle = middle(i, t);
				Lettering.draw(g, time, middle[0] - Lettering.width(time, LETTERS - 2) / 2, middle[1] - (LETTERS - 2) / 2.0, LETTERS - 2, on(colour(best.get().name())));
			}
	}

	/** Black or white letters, by the luminance of the background. */
	private static Color on(final Color colour) {
		return 0.3 * colour.getRed() + 0.6 * colour.getGreen() + 0.1 * colour.getBlue() < 90 ? Color.WHITE : Color.BLACK;
	}

	/** A time with two or three significant digits. */
	private static String milliseconds(final double seconds) {
		final double ms = 1e3 * seconds;
		return String.format(Locale.ROOT, ms < 0.1 ? "%.3f" : ms < 1 ? "%.2f" : ms < 10 ? "%.1f" : "%.0f", ms);
	}

	private void axes(final Graphics2D g) {
		final int bottom = TOP + PLOT;
		for (long side = 1; side <= 1L << 32; side *= 2) {
			final double doublings = log2(side);
			final String text = Long.toString(side);
			if (within(x, doublings)) {
				final double markX = right(doublings);
				g.setColor(Color.BLACK);
				g.fill(new Rectangle2D.Double(Math.round(markX), bottom, 1, MARK));
				Lettering.draw(g, text, markX - Lettering.width(text, LETTERS) / 2, bottom + MARK + 8.0, LETTERS, Color.BLACK);
			}
			if (within(y, doublings)) {
				final double markY = down(doublings);
				g.setColor(Color.BLACK);
				g.fill(new Rectangle2D.Double(LEFT - MARK, Math.round(markY), MARK, 1));
				Lettering.draw(g, text, LEFT - MARK - 8 - Lettering.width(text, LETTERS), markY - LETTERS / 2.0, LETTERS, Color.BLACK);
			}
		}
		final String horizontal = "image side in pixels", vertical = "template side in pixels";
		Lettering.draw(g, horizontal, LEFT + (PLOT - Lettering.width(horizontal, TITLE)) / 2, TOP + PLOT + BOTTOM - MARGIN - TITLE, TITLE, Color.BLACK);
		final AffineTransform upright = g.getTransform();
		g.rotate(-Math.PI / 2);
		Lettering.draw(g, vertical, -(TOP + (PLOT + Lettering.width(vertical, TITLE)) / 2), MARGIN - 4.0, TITLE, Color.BLACK);
		g.setTransform(upright);
	}

	private static boolean within(final double[] edges, final double doublings) {
		return doublings >= edges[0] && doublings <= edges[edges.length - 1];
	}

	private double legendWidth() {
		double widest = 0;
		for (final String line : map.winners().keySet()) widest = Math.max(widest, Lettering.width(line, LETTERS));
		return SWATCH + 10 + Math.max(widest, Lettering.width(NOTE[1], LETTERS - 2));
	}

	/** The explanation of white cells. */
	private static final String[] NOTE = { "white: the template", "is larger than the image" };

	private void legend(final Graphics2D g, final int left) {
		double top = TOP;
		for (final String method : map.winners().keySet()) {
			g.setColor(colour(method));
			g.fill(new Rectangle2D.Double(left, top, SWATCH, SWATCH));
			g.setColor(Color.BLACK);
			g.draw(new Rectangle2D.Double(left, top, SWATCH, SWATCH));
			Lettering.draw(g, method, left + SWATCH + 10.0, top + (SWATCH - LETTERS) / 2.0, LETTERS, Color.BLACK);
			top += SWATCH + 12;
		}
		top += 8;
		for (final String line : NOTE) {
			Lettering.draw(g, line, left, top, LETTERS - 2, Color.BLACK);
			top += LETTERS + 6;
		}
		if (PLOT / Math.max(x.length - 1, y.length - 1) >= MIN_LABELLED_CELL) Lettering.draw(g, "numbers: milliseconds", left, top + 6, LETTERS - 2, Color.BLACK);
	}
}
