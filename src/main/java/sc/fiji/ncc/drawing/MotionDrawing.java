package sc.fiji.ncc.drawing;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.geom.AffineTransform;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Line2D;
import java.awt.geom.Path2D;
import java.awt.image.BufferedImage;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;

import sc.fiji.ncc.result.Drift;
import sc.fiji.ncc.result.FrameShift;
import sc.fiji.ncc.track.TrackPoint;

/**
 * A picture of the motion of templates over the frames: a panel for each dimension, a line for each template. A line is interrupted where it is lost.
 * In that of a drift, frames to check have marks.
 */
public final class MotionDrawing {

	/** Sizes in pixels: a panel's plot, its surroundings, letters, marks on the axes. */
	private static final int WIDTH = 720, HEIGHT = 220, LEFT = 96, TOP = 28, GAP = 36, BOTTOM = 64, MARGIN = 24, LETTERS = 12, MARK = 6, SWATCH = 18;
	/** The approximate number of marks on an axis. */
	private static final int MARKS = 6;
	private static final Color GRID = new Color(0xe4e4e4);
	/** The mark of a frame to check, and its distance from the bottom of a panel. */
	static final Color CHECK = new Color(0xd02020);
	private static final int CHECK_MARK = 4, CHECK_UP = 12;
	private static final String TO_CHECK = "frame to check";

	private final TreeMap<Integer, List<TrackPoint>> tracks;
	private final int dimensions;
	private final long first, last;
	private final double low, high;
	/** What a line shows: a template, or the shift of frames. */
	private final String noun, axis;
	/** The frames to check. */
	private final long[] check;

	/** @param points the points of all templates, in any order; at least one */
	public MotionDrawing(final List<TrackPoint> points) {
		this(points, "template", "motion", new long[0]);
	}

	/** A drawing of the shifts of frames. */
	public static MotionDrawing of(final Drift drift) {
		return new MotionDrawing(drift.frames().stream().map(f -> new TrackPoint(0, f.frame(), new long[drift.dimensions()], f.shift(), f.score(), f.runnerUp(),
			f.state().interpolated(), f.shift(), f.edge())).toList(), null, "shift", drift.toCheck().stream().mapToLong(FrameShift::frame)
			.toArray());
	}

	private MotionDrawing(final List<TrackPoint> points, final String noun, final String axis, final long[] check) {
		this.check = check;
		this.noun = noun;
		this.axis = axis;
		if (points.isEmpty()) throw new IllegalArgumentException("cannot draw the motion: the list of points is empty");
		tracks = points.stream().sorted(Comparator.comparingLong(TrackPoint::frame))
			.collect(Collectors.groupingBy(TrackPoint::template, TreeMap::new, Collectors.toList()));
		dimensions = points.get(0).motion().length;
		first = points.stream().mapToLong(TrackPoint::frame).min().getAsLong() + 1;
		last = Math.max(first + 1, points.stream().mapToLong(TrackPoint::frame).max().getAsLong() + 1);
		double min = 0, max = 0;
		for (final TrackPoint p : points)
			for (final double m : p.motion())
				if (!p.lost()) {
					min = Math.min(min, m);
					max = Math.max(max, m);
				}
		// one scale for all dimensions; a range above 0 even without motion
		final double margin = Math.max(0.05 * (max - min), max == min ? 1 : 0);
		low = min - margin;
		high = max + margin;
	}

	private double right(final double frame) {
		return LEFT + WIDTH * (frame - first) / (last - first);
	}

	private double down(final int panel, final double motion) {
		return top(panel) + HEIGHT * (high - motion) / (high - low);
	}

	private static int top(final int panel) {
		return TOP + panel * (HEIGHT + GAP);
	}

	/** The colour of a template's line. */
	public Color colour(final int template) {
		return Color.getHSBColor((float) (0.58 + 0.618034 * template) % 1, 0.85f, 0.8f);
	}

	/** Draws the picture. */
	public BufferedImage draw() {
		final int legend = LEFT + WIDTH + MARGIN;
		final BufferedImage picture = new BufferedImage(noun == null ? legend : legend + SWATCH + 10 + (int) Lettering.width(noun + " 99", LETTERS) + MARGIN,
			top(dimensions - 1) + HEIGHT + BOTTOM, BufferedImage.TYPE_INT_RGB);
		final Graphics2D g = picture.createGraphics();
		try {
			g.setColor(Color.WHITE);
			g.fillRect(0, 0, picture.getWidth(), picture.getHeight());
			g.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
			for (int d = 0; d < dimensions; d++) panel(g, d);
			if (noun != null) legend(g, legend);
			if (check.length > 0) {
				final double text = LEFT + WIDTH - Lettering.width(TO_CHECK, LETTERS);
				Lettering.draw(g, TO_CHECK, text, TOP - LETTERS - 6.0, LETTERS, Color.BLACK);
				mark(g, text - SWATCH, TOP - LETTERS / 2.0 - 6);
			}
		}
		finally {
			g.dispose();
		}
		return picture;
	}

	private void panel(final Graphics2D g, final int d) {
		final double stepY = step(high - low), stepX = Math.max(1, step(last - first));
		for (double v = Math.ceil(low / stepY) * stepY; v <= high + 1e-9 * stepY; v += stepY) {
			final double y = down(d, v);
			g.setColor(GRID);
			g.fillRect(LEFT, (int) Math.round(y), WIDTH, 1);
			final String text = text(v, stepY);
			Lettering.draw(g, text, LEFT - MARK - 6 - Lettering.width(text, LETTERS), y - LETTERS / 2.0, LETTERS, Color.BLACK);
		}
		final int bottom = top(d) + HEIGHT;
		for (double f = Math.ceil(first / stepX) * stepX; f <= last; f += stepX) {
			g.setColor(Color.BLACK);
			g.fillRect((int) Math.round(right(f)), bottom, 1, MARK);
			if (d < dimensions - 1) continue;
			final String text = text(f, stepX);
			Lettering.draw(g, text, right(f) - Lettering.width(text, LETTERS) / 2, bottom + MARK + 6.0, LETTERS, Color.BLACK);
		}
		g.setColor(Color.BLACK);
		g.setStroke(new BasicStroke(1));
		g.drawRect(LEFT, top(d), WIDTH, HEIGHT);
		tracks.forEach((t, points) -> line(g, d, points, colour(t)));
		for (final long frame : check) mark(g, right(frame + 1.0), bottom - CHECK_UP);
		final String axis = this.axis + " in " + "xyz".charAt(Math.min(d, 2)) + ", pixels";
		final AffineTransform upright = g.getTransform();
		g.rotate(-Math.PI / 2);
		Lettering.draw(g, axis, -(top(d) + (HEIGHT + Lettering.width(axis, LETTERS)) / 2), MARGIN - 8.0, LETTERS, Color.BLACK);
		g.setTransform(upright);
		if (d == dimensions - 1) Lettering.draw(g, "frame", LEFT + (WIDTH - Lettering.width("frame", LETTERS)) / 2, bottom + BOTTOM - LETTERS - 10, LETTERS, Color.BLACK);
	}

	/** A cross. */
	private static void mark(final Graphics2D g, final double x, final double y) {
		g.setColor(CHECK);
		g.setStroke(new BasicStroke(1.5f, BasicStroke.CAP_ROUND, BasicStroke.JOIN_ROUND));
		for (final int up : new int[] { -1, 1 }) g.draw(new Line2D.Double(x - CHECK_MARK, y - up * CHECK_MARK, x + CHECK_MARK, y + up * CHECK_MARK));
	}

	private void line(final Graphics2D g, final int d, final List<TrackPoint> points, final Color colour) {
		g.setColor(colour);
		g.setStroke(new BasicStroke(1.5f, BasicStroke.CAP_ROUND, BasicStroke.JOIN_ROUND));
		final Path2D path = new Path2D.Double();
		boolean connected = false;
		for (int i = 0; i < points.size(); i++) {
			final TrackPoint p = points.get(i);
			if (p.lost()) {
				connected = false;
				continue;
			}
			final double x = right(p.frame() + 1), y = down(d, p.motion()[d]);
			if (connected) path.lineTo(x, y);
			else path.moveTo(x, y);
			// a single point between gaps has no line: draw a dot
			if (!connected && (i + 1 == points.size() || points.get(i + 1).lost())) g.fill(new Ellipse2D.Double(x - 2, y - 2, 4, 4));
			connected = true;
		}
		g.draw(path);
	}

	/** Draws the legend, with as many templates as fit. Their numbers are those of the table, from 1. */
	private void legend(final Graphics2D g, final int left) {
		int y = TOP;
		for (final int t : tracks.keySet()) {
			if (y + SWATCH > top(dimensions - 1) + HEIGHT) break;
			g.setColor(colour(t));
			g.fillRect(left, y + SWATCH / 2 - 1, SWATCH, 3);
			Lettering.draw(g, noun + " " + (t + 1), left + SWATCH + 10.0, y + (SWATCH - LETTERS) / 2.0, LETTERS, Color.BLACK);
			y += SWATCH + 4;
		}
	}

	/** The distance of the marks: 1, 2 or 5 times a power of ten, so that about {@link #MARKS} marks fit. */
	private static double step(final double range) {
		final double rough = range / MARKS, power = Math.pow(10, Math.floor(Math.log10(rough)));
		return rough <= power ? power : rough <= 2 * power ? 2 * power : rough <= 5 * power ? 5 * power : 10 * power;
	}

	/** A value with as many decimal places as the step has. */
	private static String text(final double value, final double step) {
		final int places = (int) Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
		return BigDecimal.valueOf(Math.round(value / step)).multiply(BigDecimal.valueOf(step)).setScale(places, RoundingMode.HALF_UP).toPlainString();
	}
}
