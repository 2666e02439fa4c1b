package sc.fiji.ncc.drawing;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.Rectangle;
import java.awt.Shape;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Path2D;
import java.awt.image.BufferedImage;
import java.util.List;
import java.util.Locale;
import java.util.function.LongFunction;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.view.Views;

import sc.fiji.ncc.image.JointImage;
import sc.fiji.ncc.result.Match;
import sc.fiji.ncc.result.Pose;
import sc.fiji.ncc.result.PoseMatch;

/** A picture of an image with a box and a score for each match. Several templates have colours of their own, and their numbers are before the scores. */
public final class MatchDrawing {

	private static final Color SHADE = new Color(0, 0, 0, 170);
	/** The colours of templates, over and over: all are bright, because they are on a shade. */
	private static final Color[] BOXES = { new Color(0xffb000), new Color(0x56c5ff), new Color(0x6fe38f), new Color(0xff8ac2), new Color(0xf2ec5a),
		new Color(0xc4b0ff) };
	/** The smallest width in pixels. Smaller pictures are magnified, so that labels are readable. */
	private static final int LEAST_WIDTH = 700;
	/** The probability of an error ellipse, and its magnification. */
	private static final double HELD = 0.68, ENLARGED = 20;
	private static final int POINTS = 48;

	private final LongFunction<RandomAccessibleInterval<?>> frames;
	private final List<long[]> templates;
	private final int dimensions;

	/**
	 * @param frames returns a frame by its number, spatial dimensions first
	 * @param templates the sizes of the templates, in pixels
	 */
	public MatchDrawing(final LongFunction<RandomAccessibleInterval<?>> frames, final List<long[]> templates) {
		this.frames = frames;
		this.templates = templates;
		dimensions = templates.get(0).length;
	}

	/**
	 * Draws a frame with its matches. Of a volume, draws the plane of the best match.
	 *
	 * @param matches the matches, best first
	 * @param frame the number of the frame, counted from 0
	 */
	public BufferedImage draw(final List<Match> matches, final long frame) {
		return draw(matches, null, frame);
	}

	/** The same for rotated templates: rotated boxes, with a line from the centre to the middle of the template's right side. In a volume, a circle. */
	public BufferedImage drawPoses(final List<PoseMatch> matches, final long frame) {
		return draw(matches.stream().map(PoseMatch::match).toList(), matches.stream().map(PoseMatch::pose).toList(), frame);
	}

	/** @param poses the poses of the matches; null if they have none */
	private BufferedImage draw(final List<Match> matches, final List<Pose> poses, final long frame) {
		RandomAccessibleInterval<?> plane = frames.apply(frame);
		long z = 0;
		if (dimensions == 3) {
			z = matches.isEmpty() ? 0 : matches.get(0).position()[2] + templates.get(matches.get(0).template())[2] / 2;
			// with partial overlap the centre of a match may lie outside the image
			z = Math.max(0, Math.min(plane.dimension(2) - 1, z));
			final long at = z;
			plane = JointImage.view(plane, p -> Views.hyperSlice(p, 2, at));
		}
		final int times = (int) Math.max(1, Math.min(8, (LEAST_WIDTH + plane.dimension(0) - 1) / plane.dimension(0)));
		final BufferedImage picture = Drawing.magnified(Drawing.picture(plane), times);
		final Graphics2D g = picture.createGraphics();
		try {
			// draw the best match last, so that it is on top
			for (int i = matches.size() - 1; i >= 0; i--) {
				final Match m = matches.get(i);
				final boolean inPlane = dimensions < 3 || m.position()[2] <= z && z < m.position()[2] + templates.get(m.template())[2];
				if (inPlane) box(g, m, poses == null ? null : poses.get(i), times);
			}
		}
		finally {
			g.dispose();
		}
		return picture;
	}

	private void box(final Graphics2D g, final Match match, final Pose pose, final int times) {
		final long[] template = templates.get(match.template());
		final int x = (int) match.position()[0] * times, y = (int) match.position()[1] * times, w = (int) template[0] * times, h = (int) template[1] * times;
		final int line = Math.max(1, Math.round(times / 1.5f));
		final Shape shape = pose == null ? new Rectangle(x, y, w - 1, h - 1) : posed(match, pose, times);
		g.setStroke(new BasicStroke(line + 2));
		g.setColor(SHADE);
		g.draw(shape);
		g.setStroke(new BasicStroke(line));
		final Color colour = BOXES[match.template() % BOXES.length];
		g.setColor(colour);
		g.draw(shape);
		if (match.covariance() != null) ellipse(g, match, times);
		final String label = (templates.size() == 1 ? "" : match.template() + 1 + ": ") + String.format(Locale.ROOT, "%.2f", match.score());
		final int height = 10, pad = 4;
		// above the box, or inside it at the upper border of the picture
		final Rectangle bounds = pose == null ? new Rectangle(x, y, w, h) : shape.getBounds();
		final int left = Math.max(0, bounds.x), top = bounds.y - height - 2 * pad < 0 ? Math.max(0, bounds.y) + line : bounds.y - height - 2 * pad;
		g.setColor(SHADE);
		g.fillRect(left, top, (int) Math.ceil(Lettering.width(label, height)) + 2 * pad, height + 2 * pad);
		Lettering.draw(g, label, left + pad, top + pad, height, colour);
	}

	/** The error ellipse of the centre of a match in x and y, which holds the true place with a probability of 68 %. It is enlarged {@link #ENLARGED} times. */
	private void ellipse(final Graphics2D g, final Match match, final int times) {
		final long[] size = templates.get(match.template());
		final double[][] ellipse = match.errorEllipse(HELD, POINTS);
		final Path2D outline = new Path2D.Double();
		for (int i = 0; i < POINTS; i++) {
			final double x = (match.subpixel()[0] + size[0] / 2.0 + ENLARGED * ellipse[0][i]) * times,
				y = (match.subpixel()[1] + size[1] / 2.0 + ENLARGED * ellipse[1][i]) * times;
			if (i == 0) outline.moveTo(x, y);
			else outline.lineTo(x, y);
		}
		outline.closePath();
		g.draw(outline);
	}

	/** The outline of a rotated template, and the mark of its angle. */
	private Shape posed(final Match match, final Pose pose, final int times) {
		final long[] size = templates.get(match.template());
		final double cx = (match.subpixel()[0] + size[0] / 2.0) * times, cy = (match.subpixel()[1] + size[1] / 2.0) * times;
		final double[][] m = pose.toImage();
		if (dimensions == 3) {
			final double r = pose.scale() * Math.min(size[0], Math.min(size[1], size[2])) / 2.0 * times;
			return new Ellipse2D.Double(cx - r, cy - r, 2 * r, 2 * r);
		}
		final Path2D outline = new Path2D.Double();
		final double[][] corners = { { -1, -1 }, { 1, -1 }, { 1, 1 }, { -1, 1 } };
		for (int i = 0; i < 4; i++) {
			final double u = corners[i][0] * size[0] / 2.0 * times, v = corners[i][1] * size[1] / 2.0 * times;
			final double px = cx + m[0][0] * u + m[0][1] * v, py = cy + m[1][0] * u + m[1][1] * v;
			if (i == 0) outline.moveTo(px, py);
			else outline.lineTo(px, py);
		}
		outline.closePath();
		outline.moveTo(cx, cy);
		outline.lineTo(cx + m[0][0] * size[0] / 2.0 * times, cy + m[1][0] * size[0] / 2.0 * times);
		return outline;
	}
}
