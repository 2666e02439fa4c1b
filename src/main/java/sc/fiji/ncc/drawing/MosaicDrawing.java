package sc.fiji.ncc.drawing;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Line2D;
import java.awt.geom.Rectangle2D;
import java.awt.image.BufferedImage;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import sc.fiji.ncc.result.Mosaic;

/**
 * A picture of the tiles of a mosaic at their positions, with a line for each link: coloured by its residual in standard deviations, dashed
 * if it was rejected, grey if the tiles overlap and are not linked. Grey lines lie below the others. Tiles at the position of the stage are grey,
 * and tiles that are linked apart from the others are orange. Each tile has its number, counted from 1. Of volumes it shows x and y.
 */
public final class MosaicDrawing {

	/** Sizes in pixels: the longer side of the mosaic, the margin, the height and the width of the legend, and letters. */
	private static final int SIDE = 900, MARGIN = 24, LEGEND = 64, LETTERS = 12, SWATCH = 26, TO_TEXT = 10, BETWEEN = 20;
	/** The smallest side in pixels of a tile whose number is drawn, and the distance of the number from the centre. */
	private static final int NUMBERED = 40, BESIDE = 7;
	private static final String[] TEXTS = { "0 to 1", "1 to 2", "2 to 3", "above 3 standard deviations", "not checked", "rejected", "not linked" };
	private static final Color TILE = new Color(0xe8eef4), BORDER = new Color(0x9aa8b5), LOOSE = new Color(0xdcdcdc), APART = new Color(0xf5dcb8),
		NONE = new Color(0xa0a0a0), REJECTED = new Color(0xc00000), UNCHECKED = new Color(0x7b6aa8);
	/** The residual in standard deviations that has the last colour, and the colours from 0 on. */
	private static final double MOST = 4;
	private static final Color[] COLOURS = { new Color(0x2166ac), new Color(0x4d9221), new Color(0xe08214), new Color(0xd73027) };

	private MosaicDrawing() {}

	/**
	 * Draws the picture.
	 *
	 * @param sizes the extents of the tiles, in pixels
	 */
	public static BufferedImage draw(final Mosaic mosaic, final List<long[]> sizes) {
		double left = Double.POSITIVE_INFINITY, top = left, right = -left, bottom = -left;
		for (int i = 0; i < sizes.size(); i++) {
			final double[] p = mosaic.tiles().get(i).position();
			if (p == null) continue;
			left = Math.min(left, p[0]);
			top = Math.min(top, p[1]);
			right = Math.max(right, p[0] + sizes.get(i)[0]);
			bottom = Math.max(bottom, p[1] + sizes.get(i)[1]);
		}
		final double scale = SIDE / Math.max(right - left, bottom - top);
		final int width = 2 * MARGIN + (int) Math.max(scale * (right - left), Math.ceil(legendWidth())),
			height = (int) (scale * (bottom - top)) + 2 * MARGIN + LEGEND;
		final BufferedImage picture = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
		final Graphics2D g = picture.createGraphics();
		try {
			g.setColor(Color.WHITE);
			g.fillRect(0, 0, width, height);
			g.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
			final double x0 = MARGIN - scale * left, y0 = MARGIN - scale * top;
			for (int i = 0; i < sizes.size(); i++) {
				final Mosaic.Placed t = mosaic.tiles().get(i);
				if (t.position() == null) continue;
				final Rectangle2D box = new Rectangle2D.Double(x0 + scale * t.position()[0], y0 + scale * t.position()[1], scale * sizes.get(i)[0],
					scale * sizes.get(i)[1]);
				g.setColor(new Color((t.linked() ? TILE : t.isApart() ? APART : LOOSE).getRGB() & 0xffffff | 0xa0000000, true));
				g.fill(box);
				g.setColor(BORDER);
				g.draw(box);
			}
			final ToDoubleFunction<Integer> x = i -> x0 + scale * (mosaic.tiles().get(i).position()[0] + sizes.get(i)[0] / 2.0);
			final ToDoubleFunction<Integer> y = i -> y0 + scale * (mosaic.tiles().get(i).position()[1] + sizes.get(i)[1] / 2.0);
			for (final Mosaic.Link l : mosaic.links().stream().filter(l -> isShown(mosaic, sizes, l)).sorted(Comparator.comparing(MosaicDrawing::isLink))
				.toList()) line(g, l, x.applyAsDouble(l.a()), y.applyAsDouble(l.a()), x.applyAsDouble(l.b()), y.applyAsDouble(l.b()));
			for (int i = 0; i < sizes.size(); i++) if (mosaic.tiles().get(i).position() != null) {
				g.setColor(mosaic.tiles().get(i).linked() ? Color.BLACK : NONE);
				g.fill(new Ellipse2D.Double(x.applyAsDouble(i) - 3, y.applyAsDouble(i) - 3, 6, 6));
				if (scale * Math.min(sizes.get(i)[0], sizes.get(i)[1]) >= NUMBERED)
					Lettering.draw(g, String.valueOf(i + 1), x.applyAsDouble(i) + BESIDE, y.applyAsDouble(i) + BESIDE, LETTERS, g.getColor());
			}
			legend(g, height - LEGEND);
		}
		finally {
			g.dispose();
		}
		return picture;
	}

	private static boolean isLink(final Mosaic.Link link) {
		return link.used() || link.isRejected();
	}

	/** Whether both tiles have a place, and a link or a common part. */
	private static boolean isShown(final Mosaic mosaic, final List<long[]> sizes, final Mosaic.Link link) {
		final double[] a = mosaic.tiles().get(link.a()).position(), b = mosaic.tiles().get(link.b()).position();
		return a != null && b != null && (isLink(link) || IntStream.range(0, a.length)
			.allMatch(d -> a[d] < b[d] + sizes.get(link.b())[d] && b[d] < a[d] + sizes.get(link.a())[d]));
	}

	private static void line(final Graphics2D g, final Mosaic.Link link, final double x1, final double y1, final double x2, final double y2) {
		g.setColor(link.used() ? colour(link.sigmas()) : link.isRejected() ? REJECTED : NONE);
		g.setStroke(link.used() ? new BasicStroke(2.5f) : link.isRejected()
			? new BasicStroke(2.5f, BasicStroke.CAP_BUTT, BasicStroke.JOIN_MITER, 10, new float[] { 6, 5 }, 0) : new BasicStroke(1));
		g.draw(new Line2D.Double(x1, y1, x2, y2));
		g.setStroke(new BasicStroke(1));
	}

	/** The colour of a residual; NaN if no other link checks this one. */
	private static Color colour(final double sigmas) {
		return Double.isNaN(sigmas) ? UNCHECKED : COLOURS[(int) Math.min(COLOURS.length - 1, sigmas / MOST * COLOURS.length)];
	}

	private static double entryWidth(final String text) {
		return SWATCH + TO_TEXT + Lettering.width(text, LETTERS);
	}

	private static double legendWidth() {
		return Arrays.stream(TEXTS).mapToDouble(MosaicDrawing::entryWidth).sum() + (TEXTS.length - 1) * BETWEEN;
	}

	private static void legend(final Graphics2D g, final int top) {
		final Color[] colours = Stream.concat(Stream.of(COLOURS), Stream.of(UNCHECKED, REJECTED, NONE)).toArray(Color[]::new);
		final int rejected = COLOURS.length + 1;
		double x = MARGIN;
		for (int i = 0; i < TEXTS.length; i++) {
			g.setColor(colours[i]);
			g.setStroke(i == rejected ? new BasicStroke(2.5f, BasicStroke.CAP_BUTT, BasicStroke.JOIN_MITER, 10, new float[] { 6, 5 }, 0)
				: new BasicStroke(i < rejected ? 2.5f : 1));
			g.draw(new Line2D.Double(x, top + LEGEND / 2.0, x + SWATCH, top + LEGEND / 2.0));
			Lettering.draw(g, TEXTS[i], x + SWATCH + TO_TEXT, top + (LEGEND - LETTERS) / 2.0, LETTERS, Color.BLACK);
			x += entryWidth(TEXTS[i]) + BETWEEN;
		}
	}
}
