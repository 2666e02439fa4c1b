package sc.fiji.ncc.drawing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.result.Drift;
import sc.fiji.ncc.result.FrameShift;
import sc.fiji.ncc.track.TrackPoint;

/** The drawing read back: where lines are, up means more, each panel shows its own dimension, and a lost template leaves a gap. */
class MotionDrawingTest {

	/** A plot's rectangle, and the height from one panel to the next, as the drawing lays them out. */
	private static final int LEFT = 96, TOP = 28, WIDTH = 720, HEIGHT = 220, APART = 256, FRAMES = 41;

	private static TrackPoint point(final int template, final int frame, final boolean lost, final double x, final double y) {
		return new TrackPoint(template, frame, new long[2], new double[2], 1, 0.5, lost, new double[] { x, y }, false);
	}

	private static BufferedImage draw(final List<TrackPoint> points) {
		return new MotionDrawing(points).draw();
	}

	/** The middle row of a template's colour in a panel at a frame, from the plot's top; NaN if there is none. */
	private static double row(final BufferedImage picture, final int rgb, final int panel, final double frame) {
		final int x = (int) Math.round(LEFT + WIDTH * frame / (FRAMES - 1));
		double sum = 0;
		int n = 0;
		for (int y = 1; y < HEIGHT; y++)
			if (near(picture.getRGB(x, TOP + panel * APART + y), rgb)) {
				sum += y;
				n++;
			}
		return sum / n;
	}

	/** A line is blended with what is under it. */
	private static boolean near(final int a, final int b) {
		int far = 0;
		for (int shift = 0; shift < 24; shift += 8) far = Math.max(far, Math.abs((a >> shift & 255) - (b >> shift & 255)));
		return far < 90;
	}

	@Test
	void eachPanelShowsItsDimensionUpwards() {
		final List<TrackPoint> points = new ArrayList<>();
		// x rises from 0 to 40, y falls from 0 to -20: one scale of -20 to 40 and a twentieth beyond at both ends
		for (int f = 0; f < FRAMES; f++) points.add(point(0, f, false, f, -0.5 * f));
		final BufferedImage picture = draw(points);
		final int rgb = new MotionDrawing(points).colour(0).getRGB();
		for (final int f : new int[] { 2, 11, 23, 37 }) {
			assertEquals(HEIGHT * (43.0 - f) / 66, row(picture, rgb, 0, f), 2, "x in frame " + f);
			assertEquals(HEIGHT * (43 + 0.5 * f) / 66, row(picture, rgb, 1, f), 2, "y in frame " + f);
		}
	}

	@Test
	void aLostTemplateLeavesAGapAndOthersDoNot() {
		final List<TrackPoint> points = new ArrayList<>();
		for (int f = 0; f < FRAMES; f++) {
			points.add(point(0, f, f >= 10 && f <= 20 && f != 15, 5, 5));
			points.add(point(1, f, false, -5, -5));
		}
		final MotionDrawing drawing = new MotionDrawing(points);
		final BufferedImage picture = drawing.draw();
		final int first = drawing.colour(0).getRGB(), second = drawing.colour(1).getRGB();
		assertFalse(near(first, second));
		for (double f = 0.5; f < FRAMES - 1; f++) {
			final boolean gap = f > 9 && f < 21;
			for (int panel = 0; panel < 2; panel++) {
				assertEquals(gap, Double.isNaN(row(picture, first, panel, f)), "frame " + f);
				assertFalse(Double.isNaN(row(picture, second, panel, f)), "frame " + f);
			}
		}
		// one frame by itself is a dot
		assertFalse(Double.isNaN(row(picture, first, 0, 15)));
		assertTrue(Double.isNaN(row(picture, first, 0, 12)));
	}

	/** The legend has the numbers of the table. */
	@Test
	void templatesCountFromOne() {
		final BufferedImage picture = draw(List.of(point(0, 0, false, 0, 0), point(0, 9, false, 3, 1)));
		for (int number = 0; number < 2; number++) {
			final BufferedImage text = new BufferedImage(picture.getWidth(), 50, BufferedImage.TYPE_INT_RGB);
			final Graphics2D g = text.createGraphics();
			g.setColor(Color.WHITE);
			g.fillRect(0, 0, text.getWidth(), 50);
			g.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
			Lettering.draw(g, "template " + number, LEFT + WIDTH + 52, TOP + 3, 12, Color.BLACK);
			g.dispose();
			int differ = 0;
			for (int y = 0; y < 50; y++)
				for (int x = LEFT + WIDTH + 52; x < text.getWidth(); x++) if (text.getRGB(x, y) != picture.getRGB(x, y)) differ++;
			assertEquals(number == 1, differ == 0, number + ": " + differ);
		}
	}

	/** Outliers, which have a shift, and frames without one. The mark is explained above the first panel. */
	@Test
	void framesToCheckHaveMarks() {
		for (final FrameShift.State bad : FrameShift.State.values()) {
			final List<FrameShift> frames = new ArrayList<>();
			for (int f = 0; f < FRAMES; f++)
				frames.add(new FrameShift(f, new double[] { f, 9 }, 0.9, 1, 0, 0.1, false, f == 15 || f == 30 ? bad : FrameShift.State.OK));
			final BufferedImage picture = MotionDrawing.of(new Drift(new long[] { 50, 50 }, "first", frames)).draw();
			for (int panel = 0; panel < 2; panel++) for (final int f : new int[] { 0, 14, 15, 16, 30, 40 })
				assertEquals((f == 15 || f == 30) && bad != FrameShift.State.OK, !Double.isNaN(row(picture, MotionDrawing.CHECK.getRGB(), panel, f)), bad
					+ ", frame " + f);
			int legend = 0;
			for (int y = 0; y < TOP; y++) for (int x = LEFT; x < LEFT + WIDTH; x++) if (near(picture.getRGB(x, y), MotionDrawing.CHECK.getRGB())) legend++;
			assertEquals(bad != FrameShift.State.OK, legend > 0, bad + ": legend");
		}
	}

	@Test
	void aStillPictureHasAScaleToo() {
		final List<TrackPoint> points = List.of(point(0, 0, false, 0, 0), point(0, FRAMES - 1, false, 0, 0));
		assertEquals(HEIGHT / 2.0, row(draw(points), new MotionDrawing(points).colour(0).getRGB(), 0, 13), 2);
		assertThrows(IllegalArgumentException.class, () -> new MotionDrawing(List.of()));
	}
}
