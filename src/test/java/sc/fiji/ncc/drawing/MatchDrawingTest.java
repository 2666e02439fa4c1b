package sc.fiji.ncc.drawing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.image.BufferedImage;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntUnaryOperator;

import net.imglib2.img.array.ArrayImgs;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.result.Match;
import sc.fiji.ncc.result.Pose;
import sc.fiji.ncc.result.PoseMatch;

/**
 * Pixels of boxes, labels, ellipses and circles. A pixel of the image is 7 pixels of the drawing. Lines are 5 pixels wide, with a shade of one more.
 */
class MatchDrawingTest {

	private static final int TIMES = 7, W = 100, H = 90, COLOUR = 0xffb000, BRIGHT = 200, SHADED = Math.round(BRIGHT * 85 / 255f);

	private static byte[] bright(final int pixels) {
		final byte[] all = new byte[pixels];
		Arrays.fill(all, (byte) BRIGHT);
		return all;
	}

	private static Match match(final double[][] covariance, final long... position) {
		final double[] subpixel = Arrays.stream(position).asDoubleStream().toArray();
		return new Match(0, new long[0], position, 0.87, subpixel, Double.NaN, Double.NaN, Double.NaN, null, covariance, null, false);
	}

	private static BufferedImage picture(final List<Match> matches, final long... template) {
		return new MatchDrawing(f -> ArrayImgs.unsignedBytes(bright(W * H), W, H), List.of(template)).draw(matches, 0);
	}

	private static int red(final BufferedImage picture, final int x, final int y) {
		return picture.getRGB(x, y) >> 16 & 0xff;
	}

	private static boolean coloured(final BufferedImage picture, final int x, final int y) {
		return (picture.getRGB(x, y) & 0xffffff) == COLOUR;
	}

	/** Along each side, 5 pixels have the colour, and the next pixel on each side of them is in the shade. */
	@Test
	void sidesOfABox() {
		final BufferedImage picture = picture(List.of(match(null, 20, 30)), 30, 14);
		final int left = 20 * TIMES, top = 30 * TIMES, right = left + 30 * TIMES - 1, bottom = top + 14 * TIMES - 1, y = top + 50, x = right - 30;
		for (final int side : new int[] { left, right }) assertLine(d -> picture.getRGB(side + d, y));
		for (final int side : new int[] { top, bottom }) assertLine(d -> picture.getRGB(x, side + d));
		assertEquals(BRIGHT, red(picture, left + 100, y), "inside");
	}

	private static void assertLine(final IntUnaryOperator across) {
		for (int d = -5; d <= 5; d++) {
			final int expected = Math.abs(d) <= 2 ? COLOUR : (Math.abs(d) == 3 ? SHADED : BRIGHT) * 0x010101, rgb = across.applyAsInt(d) & 0xffffff;
			assertEquals(expected >> 16, rgb >> 16, 1, "at a distance of " + d);
			assertEquals(expected & 0xff, rgb & 0xff, 1, "at a distance of " + d);
		}
	}

	/** Of several templates, each has its colour, and its number is before the score. */
	@Test
	void severalTemplatesDiffer() {
		final List<Match> both = List.of(match(null, 20, 30),
			new Match(1, new long[0], new long[] { 60, 30 }, 0.87, new double[] { 60, 30 }, Double.NaN, Double.NaN, Double.NaN, null, null, null, false));
		final BufferedImage picture = new MatchDrawing(f -> ArrayImgs.unsignedBytes(bright(W * H), W, H), List.of(new long[] { 30, 14 }, new long[] { 30, 14 }))
			.draw(both, 0);
		final int y = 35 * TIMES, above = 30 * TIMES - 9;
		assertTrue(coloured(picture, 20 * TIMES, y) && !coloured(picture, 60 * TIMES, y));
		for (int i = 0; i < 2; i++) {
			final int left = (20 + 40 * i) * TIMES, width = (int) Math.ceil(Lettering.width(i + 1 + ": 0.87", 10)) + 8;
			assertEquals(BRIGHT, red(picture, left + width, above), "right of the label");
			assertTrue(red(picture, left + width - 1, above) < BRIGHT, "shade");
		}
	}

	/** The label is 18 pixels high and ends where the box begins, or lies in the box at the border. Its digits have the colour. */
	@Test
	void labels() {
		final int width = (int) Math.ceil(Lettering.width("0.87", 10)) + 8;
		for (final int row : new int[] { 30, 0 }) {
			final BufferedImage picture = picture(List.of(match(null, 20, row)), 30, 14);
			final int left = 20 * TIMES, top = row == 0 ? 5 : row * TIMES - 18;
			// inside the outline of the box at the upper border
			final int from = row == 0 ? left + 4 : left;
			for (int x = from; x < left + width; x++) assertTrue(red(picture, x, top + 1 + (row == 0 ? 1 : 0)) < BRIGHT, "shade at " + x);
			assertEquals(BRIGHT, red(picture, left + width, top + 8), "right of the label");
			if (row > 0) assertEquals(BRIGHT, red(picture, left + 10, top - 1), "above the label");
			int digits = 0;
			for (int x = left + 4; x < left + width - 4; x++)
				for (int y = top + 4; y < top + 14; y++) if (coloured(picture, x, y)) digits++;
			assertTrue(digits > 10, digits + " pixels of digits");
			for (int y = top + 4; y < top + 14; y++) assertTrue(!coloured(picture, left + width - 2, y), "a margin");
		}
	}

	/** The true centre lies in the ellipse with a probability of 68 %: 1.51 standard deviations, enlarged 20 times. */
	@Test
	void errorEllipses() {
		final double sx = 0.1, sy = 0.05, radius = 20 * Math.sqrt(-2 * Math.log(0.32)), cx = 50, cy = 45;
		final BufferedImage picture = picture(List.of(match(new double[][] { { sx * sx, 0 }, { 0, sy * sy } }, 25, 25)), 50, 40);
		for (final double angle : new double[] { 0, 0.5, Math.PI / 2, 2.5, Math.PI, 4.2, 3 * Math.PI / 2 })
			for (final double share : new double[] { 0.6, 1, 1.4 }) {
				final int x = (int) Math.floor(TIMES * (cx + share * radius * sx * Math.cos(angle)));
				final int y = (int) Math.floor(TIMES * (cy + share * radius * sy * Math.sin(angle)));
				assertEquals(share == 1, coloured(picture, x, y), "at " + share + " of the radius at angle " + angle);
			}
	}

	/** Boxes of a volume in the plane of the best match: those that begin in it or before it, and end behind it. */
	@Test
	void boxesInThePlaneOfTheBestMatch() {
		for (final int first : new int[] { 0, 1, 3, 4, 5, 6 }) {
			// the best match is in the planes 3 to 5, and plane 4 is drawn
			final List<Match> matches = List.of(match(null, 2, 2, 3), match(null, 60, 50, first));
			final MatchDrawing drawing = new MatchDrawing(f -> ArrayImgs.unsignedBytes(bright(W * H * 12), W, H, 12), List.of(new long[] { 20, 20, 3 }));
			final BufferedImage picture = drawing.draw(matches, 0);
			assertTrue(coloured(picture, 2 * TIMES, 10 * TIMES), "the best");
			assertEquals(first >= 2 && first <= 4, coloured(picture, 60 * TIMES, 60 * TIMES), "the planes " + first + " to " + (first + 2));
		}
	}

	/** In a volume a rotated template is a circle, whose diameter is its smallest extent times its scale. */
	@Test
	void circlesOfRotatedVolumes() {
		final Pose pose = Pose.of(new double[] { Math.sqrt(0.5), 0, 0, Math.sqrt(0.5) }, 1.5, false);
		final PoseMatch match = new PoseMatch(0, new long[0], new long[] { 30, 20, 3 }, pose, 0.9, pose, new double[] { 30.5, 20.25, 3 }, 0.9);
		final MatchDrawing drawing = new MatchDrawing(f -> ArrayImgs.unsignedBytes(bright(W * H * 30), W, H, 30), List.of(new long[] { 24, 22, 20 }));
		final BufferedImage picture = drawing.drawPoses(List.of(match), 0);
		for (int i = 0; i < 24; i++)
			for (final double share : new double[] { 0.8, 1, 1.2 }) {
				// not through the label above the circle
				final double angle = 2 * Math.PI * i / 24, r = share * 1.5 * 10, px = 42.5 + r * Math.cos(angle), py = 31.25 + r * Math.sin(angle);
				if (share > 1 && Math.sin(angle) < 0) continue;
				final int x = (int) Math.floor(TIMES * px), y = (int) Math.floor(TIMES * py);
				assertEquals(share == 1, coloured(picture, x, y), "at " + share + " of the radius, " + i + " of 24");
			}
	}

	/** The maxima of 450 planes, of which every second one is used, beside each other with the brightness of the first stack, and a white gap. */
	@Test
	void maximaOfStacks() {
		final int w = 5, h = 4, planes = 450;
		final byte[] before = new byte[w * h * planes], after = new byte[before.length];
		for (int i = 0; i < w * h; i++) {
			// each pixel is brightest in a plane of its own, an even one
			before[2 * (20 * i % 225) * w * h + i] = (byte) (10 + 5 * i);
			after[2 * (7 * i % 225) * w * h + i] = (byte) (200 - 10 * i);
		}
		final BufferedImage picture = ProjectionPair.draw(ArrayImgs.unsignedBytes(before, w, h, 9, 50),
			ArrayImgs.unsignedBytes(after, w, h, 9, 50));
		assertEquals(2 * w + 4, picture.getWidth());
		// the brightest but 0.2 % of the pixels of the first picture is white
		final double low = 10, high = 10 + 5 * 18;
		for (int i = 0; i < w * h; i++) {
			final int x = i % w, y = i / w;
			final double first = 255 * (10 + 5 * i - low) / (high - low), second = 255 * (200 - 10 * i - low) / (high - low);
			assertEquals((int) Math.max(0, Math.min(255, first)), picture.getRaster().getSample(x, y, 0), "before " + i);
			assertEquals((int) Math.max(0, Math.min(255, second)), picture.getRaster().getSample(w + 4 + x, y, 0), "after " + i);
		}
		for (int y = 0; y < h; y++) for (int x = w; x < w + 4; x++) assertEquals(255, picture.getRaster().getSample(x, y, 0), "gap");
	}
}
