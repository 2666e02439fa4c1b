package sc.fiji.ncc.drawing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.Color;
import java.awt.image.BufferedImage;
import java.util.ArrayList;
import java.util.List;

import net.imglib2.img.Img;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.type.numeric.integer.UnsignedByteType;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.motion.MotionVector;
import sc.fiji.ncc.motion.MotionVector.State;
import sc.fiji.ncc.motion.VectorField;
import sc.fiji.ncc.motion.WindowGrid;
import sc.fiji.ncc.plan.Size;

/**
 * Pixels of the arrows of a motion field over a black frame. A pixel of the frame is 4 pixels of the drawing. Arrows are 10 times as long as the motion.
 */
class FieldDrawingTest {

	private static final int SIDE = 160, TIMES = 4, FACTOR = 10, RED = 0xff0000, GREY = 0xb0b0b0, BLACK = 0;
	private static final double U = 3, V = -1;

	private static BufferedImage picture(final WindowGrid grid, final List<MotionVector> vectors) {
		return FieldDrawing.draw(new VectorField(grid, 0, 1, vectors, 0), ArrayImgs.unsignedBytes(grid.frame().toArray()));
	}

	private static String legend(final WindowGrid grid, final List<MotionVector> vectors) {
		return FieldDrawing.scale(new VectorField(grid, 0, 1, vectors, 0)).legend();
	}

	private static MotionVector vector(final WindowGrid grid, final int window, final State state, final double... motion) {
		return new MotionVector(grid.centre(window), motion, 0.9, 0.3, null, state);
	}

	/**
	 * The brightest pixel at a place along an arrow, from −0.5 at its tail to 0.5 at its tip, and beside it, in pixels of the drawing, or next to this place.
	 * Lines are two pixels wide, and smoothed.
	 */
	private static int at(final BufferedImage picture, final double[] centre, final double u, final double v, final double along,
		final double beside) {
		final double length = Math.hypot(u, v);
		final double x = TIMES * (centre[0] + 0.5 + FACTOR * along * u) - beside * v / length;
		final double y = TIMES * (centre[1] + 0.5 + FACTOR * along * v) + beside * u / length;
		int brightest = 0;
		for (int i = 0; i < 9; i++) {
			final int rgb = picture.getRGB((int) Math.floor(x) + i % 3 - 1, (int) Math.floor(y) + i / 3 - 1) & 0xffffff;
			if (sum(rgb) > sum(brightest)) brightest = rgb;
		}
		return brightest;
	}

	private static int sum(final int rgb) {
		return (rgb >> 16) + (rgb >> 8 & 0xff) + (rgb & 0xff);
	}

	private static void assertColour(final int expected, final int rgb, final String what) {
		for (int shift = 0; shift <= 16; shift += 8) assertEquals(expected >> shift & 0xff, rgb >> shift & 0xff,
			expected == BLACK ? 0 : 50, what);
	}

	/** Fast arrows are red, those that are not valid grey, and missing ones are not drawn. Their middle is the centre of the window, their head at the end. */
	@Test
	void arrows() {
		final WindowGrid grid = new WindowGrid(Size.of(SIDE, SIDE), Size.of(40, 40), Size.of(40, 42));
		final List<MotionVector> vectors = new ArrayList<>();
		for (int i = 0; i < grid.windows(); i++) vectors.add(vector(grid, i, State.MEASURED, U, V));
		vectors.set(5, vector(grid, 5, State.REJECTED, U, V));
		vectors.set(6, vector(grid, 6, State.MISSING, Double.NaN, Double.NaN));
		final BufferedImage picture = picture(grid, vectors);
		assertEquals(SIDE * TIMES, picture.getWidth());
		assertEquals(SIDE * TIMES + 40, picture.getHeight());
		for (int i = 0; i < grid.windows(); i++) {
			final double[] c = grid.centre(i);
			final int colour = i == 5 ? GREY : i == 6 ? BLACK : RED;
			for (final double along : new double[] { -0.47, -0.2, 0, 0.2, 0.47 })
				assertColour(colour, at(picture, c, U, V, along, 0), "window " + i + " at " + along);
			for (final double beyond : new double[] { -0.56, 0.56 }) assertColour(BLACK, at(picture, c, U, V, beyond, 0),
				"beyond its ends");
			for (final double along : new double[] { -0.4, 0.4 }) assertColour(BLACK, at(picture, c, U, -V, along, 0), "another direction");
			// strokes of 9 pixels, which open by 0.5 to each side, at the tip alone
			final double back = 8 * Math.cos(0.5) / (TIMES * FACTOR * Math.hypot(U, V)), beside = 8 * Math.sin(0.5);
			for (final int side : new int[] { -1, 1 }) {
				assertColour(colour, at(picture, c, U, V, 0.5 - back, side * beside), "head of window " + i);
				assertColour(BLACK, at(picture, c, U, V, -0.5 + back, side * beside), "tail of window " + i);
			}
		}
	}

	/** Arrows of half the speed are yellowish green, and the longest round factor that keeps fast arrows within 1.2 times the distance of windows is taken. */
	@Test
	void slowArrows() {
		final WindowGrid grid = new WindowGrid(Size.of(SIDE, SIDE), Size.of(32, 32), Size.of(60, 60));
		final List<MotionVector> vectors = new ArrayList<>();
		// 1.2 times 60 pixels by 7.2 is 10
		for (int i = 0; i < grid.windows(); i++) vectors.add(vector(grid, i, State.SECOND, i == 0 ? 3.6 : 7.2, 0));
		final BufferedImage picture = picture(grid, vectors);
		for (int i = 0; i < grid.windows(); i++) {
			final int rgb = at(picture, grid.centre(i), i == 0 ? 3.6 : 7.2, 0, -0.2, 0), red = rgb >> 16, green = rgb >> 8 & 0xff;
			assertTrue(i == 0 ? green > 200 && red < 150 : red > 200 && green < 50, "window " + i + ": " + Integer.toHexString(rgb));
		}
	}

	/** Of a volume, the windows of the middle plane. */
	@Test
	void theMiddlePlaneOfAVolume() {
		final WindowGrid grid = new WindowGrid(Size.of(SIDE, SIDE, 30), Size.of(100, 100, 10), Size.of(40, 40, 10));
		final List<MotionVector> vectors = new ArrayList<>();
		for (int i = 0; i < grid.windows(); i++)
			vectors.add(vector(grid, i, State.MEASURED, i / 4 == 1 ? new double[] { U, V, 0 } : new double[] { V, U, 9 }));
		final BufferedImage picture = picture(grid, vectors);
		for (int i = 4; i < 8; i++) {
			assertColour(RED, at(picture, grid.centre(i), U, V, -0.45, 0), "window " + i);
			assertColour(BLACK, at(picture, grid.centre(i), V, U, -0.45, 0), "window " + i);
		}
		final Img<UnsignedByteType> planes = ArrayImgs.unsignedBytes(SIDE, SIDE, 30);
		for (int z = 0; z < 30; z++) planes.getAt(0, 0, z).set(10 + z);
		assertEquals(25 * 0x10101, FieldDrawing.draw(new VectorField(grid, 0, 1, vectors, 0), planes).getRGB(0, 0) & 0xffffff);
	}

	/** Below the frame: 0, the colours from no motion, which is a light blue, to fast motion, and black letters, on white. */
	@Test
	void theLegend() {
		final WindowGrid grid = new WindowGrid(Size.of(SIDE, SIDE), Size.of(40, 40), Size.of(40, 42));
		final List<MotionVector> vectors = new ArrayList<>();
		for (int i = 0; i < grid.windows(); i++) vectors.add(vector(grid, i, State.MEASURED, U, V));
		final BufferedImage picture = picture(grid, vectors);
		final int top = SIDE * TIMES, white = 0xffffff;
		for (int x = 0; x < 160; x++) {
			final int expected = Color.getHSBColor((float) (0.55 * (1 - x / 159.0)), 1, 1).getRGB() & white;
			for (final int y : new int[] { 12, 27 }) assertEquals(expected, picture.getRGB(30 + x, top + y) & white, "column " + x);
			for (final int y : new int[] { 11, 28 }) assertEquals(white, picture.getRGB(30 + x, top + y) & white,
				"above and below column " + x);
		}
		for (final int[] letters : new int[][] { { 14, 28 }, { 200, 600 }, { 600, 626 } }) {
			int black = 0;
			for (int x = letters[0]; x < letters[1]; x++)
				for (int y = top + 13; y < top + 27; y++) if (sum(picture.getRGB(x, y) & white) < 150) black++;
			assertTrue(black > (letters[1] - letters[0]) / 2, black + " black pixels from " + letters[0]);
		}
		for (int x = SIDE * TIMES - 10; x < SIDE * TIMES; x++)
			for (int y = top; y < top + 40; y++) assertEquals(white, picture.getRGB(x, y) & white, "the words end inside the picture");
		for (int x = 0; x < SIDE * TIMES; x++) assertEquals(white, picture.getRGB(x, top + 1) & white);
	}

	/** The legend says that arrows are faster than the end of the scale, and the end is that of the text. Every colour of it is bright. */
	@Test
	void fasterArrowsThanTheScale() {
		final WindowGrid grid = new WindowGrid(Size.of(SIDE, SIDE), Size.of(40, 40), Size.of(40, 42));
		final List<MotionVector> vectors = new ArrayList<>();
		for (int i = 0; i < grid.windows(); i++) vectors.add(vector(grid, i, State.MEASURED, i == 0 ? 9 : U, V));
		assertEquals("3.16 pixels and more, arrows 10 times as long, grey: not valid", legend(grid, vectors));
		vectors.set(0, vector(grid, 0, State.MEASURED, U, V));
		assertEquals("3.16 pixels, arrows 10 times as long, grey: not valid", legend(grid, vectors));
		final BufferedImage picture = picture(grid, vectors);
		for (int x = 30; x < 190; x++) {
			final int rgb = picture.getRGB(x, SIDE * TIMES + 20);
			assertTrue(0.2126 * (rgb >> 16 & 0xff) + 0.7152 * (rgb >> 8 & 0xff) + 0.0722 * (rgb & 0xff) > 50, "column " + x);
		}
	}

	/** No arrows and no scale without a valid vector, or where nothing moves: a dot at each window. */
	@Test
	void noMotionToShow() {
		final WindowGrid grid = new WindowGrid(Size.of(SIDE, SIDE), Size.of(40, 40), Size.of(40, 42));
		for (final State state : new State[] { State.REJECTED, State.MEASURED }) {
			final double motion = state == State.REJECTED ? 5 : 1e-6;
			final List<MotionVector> vectors = new ArrayList<>();
			for (int i = 0; i < grid.windows(); i++) vectors.add(vector(grid, i, state, motion, motion));
			assertEquals(state == State.REJECTED ? "no vector is valid" : "all valid vectors are below 0.005 pixels, grey: not valid",
				legend(grid, vectors));
			final BufferedImage picture = picture(grid, vectors);
			for (int i = 0; i < grid.windows(); i++) {
				final double[] c = grid.centre(i);
				assertColour(state == State.REJECTED ? GREY : 0x00b3ff, at(picture, c, 1, 1, 0, 0), "window " + i);
				assertColour(BLACK, at(picture, c, 1, 1, 0, 8), "beside window " + i);
				assertColour(BLACK, at(picture, c, 1, 1, 0.2, 0), "along window " + i);
			}
		}
	}
}
