package sc.fiji.ncc.drawing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.awt.image.BufferedImage;
import java.util.List;

import net.imglib2.img.array.ArrayImgs;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.result.Pose;
import sc.fiji.ncc.result.PoseMatch;

/** The boxes of rotated templates, by trigonometry. A pixel of the image is 7 pixels of the picture, and lines are 5 pixels wide. */
class PoseDrawingTest {

	private static final int TIMES = 7, W = 100, H = 90, COLOUR = 0xffffb000;
	/** Extents of the template, and the position of its first pixel if it were not rotated. */
	private static final double WIDE = 30, HIGH = 14, X = 34.25, Y = 40.5;

	private static BufferedImage picture(final double angle, final double scale, final boolean mirrored) {
		final Pose pose = Pose.of(angle, scale, mirrored);
		final PoseMatch match = new PoseMatch(0, new long[0], new long[] { Math.round(X), Math.round(Y) }, pose, 0.9, pose, new double[] { X, Y }, 0.9);
		return new MatchDrawing(f -> ArrayImgs.unsignedBytes(W, H), List.of(new long[] { (long) WIDE, (long) HIGH })).drawPoses(List.of(match), 0);
	}

	/** The place in the picture of an offset from the centre of the template, to the right and upwards. The angle is counter-clockwise on the screen. */
	private static double[] place(final double angle, final double scale, final double right, final double up) {
		final double a = Math.toRadians(angle), r = scale * right, u = scale * up;
		return new double[] { TIMES * (X + WIDE / 2 + r * Math.cos(a) - u * Math.sin(a)), TIMES * (Y + HIGH / 2 - r * Math.sin(a) - u * Math.cos(a)) };
	}

	private static void assertLine(final String what, final BufferedImage picture, final double[] from, final double[] to, final boolean drawn) {
		for (int i = 0; i <= 100; i++) {
			final int x = (int) Math.floor(from[0] + (to[0] - from[0]) * i / 100), y = (int) Math.floor(from[1] + (to[1] - from[1]) * i / 100);
			final String place = what + ": at " + x + ", " + y;
			if (drawn) assertEquals(COLOUR, picture.getRGB(x, y), place);
			else assertNotEquals(COLOUR, picture.getRGB(x, y), place);
		}
	}

	/** All sides of the box are drawn, from corner to corner, and nothing is drawn along lines that are one pixel of the image farther in. */
	@Test
	void theSidesOfARotatedBox() {
		for (final double scale : new double[] { 1, 1.4 })
			for (final double angle : new double[] { 0, 30, 90, 135, 200, -50 }) {
				final BufferedImage picture = picture(angle, scale, false);
				assertEquals(W * TIMES, picture.getWidth());
				final String what = angle + " degrees, scale " + scale;
				final double w = WIDE / 2, h = HIGH / 2;
				final double[][] corners = { { -w, h }, { w, h }, { w, -h }, { -w, -h } };
				for (int i = 0; i < 4; i++) {
					final double[] a = corners[i], b = corners[(i + 1) % 4];
					assertLine(what, picture, place(angle, scale, a[0], a[1]), place(angle, scale, b[0], b[1]), true);
				}
				// inside the sides, but not across the mark to the right
				final double p = w - 1 / scale, q = h - 1 / scale;
				assertLine(what, picture, place(angle, scale, -p, q), place(angle, scale, p, q), false);
				assertLine(what, picture, place(angle, scale, -p, -q), place(angle, scale, p, -q), false);
				assertLine(what, picture, place(angle, scale, -p, -q), place(angle, scale, -p, q), false);
				assertLine(what, picture, place(angle, scale, p, 2 / scale), place(angle, scale, p, q), false);
			}
	}

	/** The mark leads from the centre to the middle of the right side of the template, and not to the left. Mirrored, these have changed places. */
	@Test
	void theMarkOfTheAngle() {
		for (final boolean mirrored : new boolean[] { false, true })
			for (final double angle : new double[] { 0, 30, 90, 135, 200, -50 }) {
				final BufferedImage picture = picture(angle, 1, mirrored);
				final double right = mirrored ? -WIDE / 2 : WIDE / 2;
				final String what = angle + " degrees" + (mirrored ? ", mirrored" : "");
				assertLine(what, picture, place(angle, 1, 0, 0), place(angle, 1, right, 0), true);
				assertLine(what, picture, place(angle, 1, -0.2 * right, 0), place(angle, 1, -0.9 * right, 0), false);
			}
	}
}
