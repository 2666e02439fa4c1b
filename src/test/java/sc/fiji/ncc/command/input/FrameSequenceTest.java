package sc.fiji.ncc.command.input;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.Img;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.type.numeric.RealType;
import net.imglib2.type.numeric.integer.IntType;
import net.imglib2.Cursor;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import sc.fiji.ncc.command.program.Region;
import sc.fiji.ncc.command.program.Selection;

/** Which frames of a hyperstack are tracked, and where its templates are. The value of a pixel tells its place along channels, slices and frames. */
class FrameSequenceTest {

	private static final int CHANNELS = 3, SLICES = 7, FRAMES = 5;

	/** A hyperstack with the axes in this order. A pixel's value has the digits channel, slice, frame. */
	private static Img<IntType> stack(final String axes) {
		final long[] size = new long[axes.length()];
		for (int d = 0; d < size.length; d++) size[d] = switch (axes.charAt(d)) {
			case 'c' -> CHANNELS;
			case 'z' -> SLICES;
			case 't' -> FRAMES;
			default -> 4;
		};
		final Img<IntType> stack = ArrayImgs.ints(size);
		final Cursor<IntType> cursor = stack.localizingCursor();
		while (cursor.hasNext()) {
			cursor.fwd();
			int value = 0;
			for (final char axis : new char[] { 'c', 'z', 't' }) value = 10 * value + (axes.indexOf(axis) < 0 ? 0 : cursor.getIntPosition(axes.indexOf(axis)));
			cursor.get().set(value);
		}
		return stack;
	}

	private static FrameSequence of(final String axes, final List<Region> regions, final int reference, final int channel, final int slice, final int depth) {
		final long[] shown = new long[axes.length() - 2];
		for (int d = 0; d < shown.length; d++) shown[d] = 1;
		return FrameSequence.of(stack(axes), "cells", axes, regions, shown, reference, channel, slice, depth);
	}

	private static Region on(final long... plane) {
		return new Region("r", new Selection(0, 0, 2, 2, null, plane));
	}

	private static int value(final RandomAccessibleInterval<?> image, final long... at) {
		return (int) ((RealType<?>) image.getAt(at)).getRealDouble();
	}

	private static String reason(final String axes, final List<Region> regions, final int reference, final int channel, final int slice, final int depth) {
		return assertThrows(IllegalArgumentException.class, () -> of(axes, regions, reference, channel, slice, depth)).getMessage();
	}

	/** Numbers count from 1. Channel 3, slice 6 and frame 4 are the digits 2, 5 and 3. */
	@ParameterizedTest
	@CsvSource({ "xyczt", "xyzct", "xytzc", "xyctz", "xyztc" })
	void givenNumbersChooseThePlane(final String axes) {
		final FrameSequence chosen = of(axes, List.of(), 4, 3, 6, 1);
		assertEquals('t', chosen.axis());
		assertEquals(3, chosen.reference());
		assertArrayEquals(new long[] { 4, 4, FRAMES }, chosen.frames().dimensionsAsLongArray());
		for (int t = 0; t < FRAMES; t++) assertEquals(250 + t, value(chosen.frames(), 0, 0, t));
		assertArrayEquals(new long[] { 4, 4 }, chosen.referenceFrame().dimensionsAsLongArray());
		assertEquals(253, value(chosen.referenceFrame(), 1, 2));
		assertEquals(List.of(2L, 5L, 3L, 0L), List.of(chosen.place('c', 0), chosen.place('z', 0), chosen.place('t', -1), chosen.place('t', 0)));
	}

	/** Without numbers: the plane of the regions, otherwise the plane that is shown, which is the second one here. The first and the last number are valid. */
	@Test
	void regionsOrTheShownPlaneChooseOtherwise() {
		assertEquals(111, value(of("xyczt", List.of(), 0, 0, 0, 1).referenceFrame(), 0, 0));
		assertEquals(131, value(of("xyczt", List.of(on(-1, 3, -1), on(-1, -1, -1), on(-1, 3, -1)), 0, 0, 0, 1).referenceFrame(), 0, 0));
		assertEquals(4, value(of("xyczt", List.of(on(0, 0, 4)), 0, 0, 0, 1).referenceFrame(), 0, 0));
		assertEquals(101, value(of("xyczt", List.of(on(0, 3, 2)), 2, 2, 1, 1).referenceFrame(), 0, 0), "numbers come first");
		assertEquals(264, value(of("xyczt", List.of(), FRAMES, CHANNELS, SLICES, 1).referenceFrame(), 0, 0));
		assertEquals(0, value(of("xyczt", List.of(), 1, 1, 1, 1).referenceFrame(), 0, 0));
	}

	@Test
	void regionsOnSeveralPlanesAreRefused() {
		assertEquals("The regions lie on 2 slices (3, 6). Choose one of them with slice=3, or use regions of a single slice.",
			reason("xyczt", List.of(on(-1, 5, -1), on(-1, 2, -1), on(-1, 5, -1)), 0, 0, 0, 1));
		assertEquals("The regions lie on 3 channels (1, 2, 3). Choose one of them with channels=1, or use regions of a single channel.",
			reason("xyczt", List.of(on(0, -1, -1), on(1, -1, -1), on(2, -1, -1)), 0, 0, 0, 1));
		assertEquals("The regions lie on 5 frames (1, 2, 3, 4, 5). Choose one of them with reference=1, or use regions of a single frame.",
			reason("xyt", List.of(on(0), on(1), on(2), on(3), on(4)), 0, 0, 0, 1));
		assertEquals("The regions lie on 6 slices (1, 2, 3, 4, 5, \u2026). Choose one of them with reference=1, or use regions of a single slice.",
			reason("xyz", List.of(on(0), on(1), on(2), on(3), on(4), on(5)), 0, 0, 0, 1));
	}

	@Test
	void numbersBeyondTheStackAreRefused() {
		assertEquals("reference=6: 'cells' has 5 frames. Give a number from 1 to 5, or 0 for automatic.", reason("xyczt", List.of(), 6, 0, 0, 1));
		assertEquals("reference=-1: 'cells' has 5 frames. Give a number from 1 to 5, or 0 for automatic.", reason("xyczt", List.of(), -1, 0, 0, 1));
		assertEquals("channels=4: 'cells' has 3 channels. Give a number from 1 to 3, or auto.", reason("xyczt", List.of(), 0, 4, 0, 1));
		assertEquals("slice=8: 'cells' has 7 slices. Give a number from 1 to 7, or 0 for automatic.", reason("xyczt", List.of(), 0, 0, 8, 1));
		assertEquals("slice=2: the slices of 'cells' are its frames. Use reference=2. Omit slice.", reason("xyz", List.of(), 0, 0, 2, 1));
		assertEquals("slice=2: 'cells' has one slice. Omit slice.", reason("xyt", List.of(), 0, 0, 2, 1));
		assertEquals("depth=8: 'cells' has 7 slices in a frame. Give a number from 1 to 7.", reason("xyczt", List.of(), 0, 0, 0, 8));
		assertEquals("depth=0: 'cells' has 7 slices in a frame. Give a number from 1 to 7.", reason("xyczt", List.of(), 0, 0, 0, 0));
		assertEquals("depth=2: 'cells' has 1 slice in a frame. Give a number from 1 to 1.", reason("xyt", List.of(), 0, 0, 0, 2));
		assertEquals("depth=2: 'cells' has 1 slice in a frame. Give a number from 1 to 1.", reason("xyz", List.of(), 0, 0, 0, 2));
		assertEquals("'cells' has a single frame. Tracking needs several time points, or several slices if the image has no time."
			+ " Set the dimensions of a stack with Image > Properties...", reason("xyc", List.of(), 0, 0, 0, 1));
	}

	/** A slice of 1 is the only one, so it is no mistake. */
	@Test
	void slicesAreFramesWithoutTime() {
		final FrameSequence slices = of("xycz", List.of(), 3, 2, 1, 1);
		assertEquals('z', slices.axis());
		assertEquals(120, value(slices.referenceFrame(), 0, 0));
		assertEquals(SLICES, slices.frames().dimension(2));
		assertEquals(List.of(4L, 1L), List.of(slices.place('z', 4), slices.place('c', 4)));
	}

	/** Slices of a template: half of them lie before the chosen one, unless the stack ends there. */
	@ParameterizedTest
	@CsvSource({ "4, 1, 0", "4, 3, 2", "4, 4, 2", "1, 5, 0", "2, 5, 0", "4, 5, 1", "5, 5, 2", "7, 5, 2", "7, 3, 4", "7, 7, 0" })
	void templatesOfSeveralSlicesStayInTheStack(final int slice, final int depth, final int first) {
		for (final String axes : new String[] { "xyczt", "xyctz", "xytzc" }) {
			final FrameSequence chosen = of(axes, List.of(), 3, 2, slice, depth);
			if (depth == 1) {
				assertEquals(100 + 10 * (slice - 1) + 2, value(chosen.referenceFrame(), 0, 0));
				continue;
			}
			assertEquals(first, chosen.firstSlice());
			assertArrayEquals(new long[] { 4, 4, SLICES, FRAMES }, chosen.frames().dimensionsAsLongArray(), axes);
			final RandomAccessibleInterval<?> template = chosen.referenceFrame();
			assertArrayEquals(new long[] { 4, 4, depth }, template.dimensionsAsLongArray());
			for (int z = 0; z < depth; z++) assertEquals(100 + 10 * (first + z) + 2, value(template, 0, 0, template.min(2) + z));
		}
	}
}
