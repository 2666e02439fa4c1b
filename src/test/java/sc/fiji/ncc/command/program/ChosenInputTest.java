package sc.fiji.ncc.command.program;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.array.ArrayImgs;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.front.Calibration;
import sc.fiji.ncc.front.ChannelChoice;

/** Positions, selections, regions and boxes of an image whose channels are chosen. */
class ChosenInputTest {

	private static final byte[] MASK = { 1, 0, 1, 1, 1, 1 };
	private static final Box BOX = new Box("1: 0.90", 2, 3, 4, 5, 6, 0, 7, 8, 1, 2, 3);
	private static final TrackLine LINE = new TrackLine("way", 1, new double[] { 1, 2 }, new double[] { 3, 4 }, 0, 7, -1);

	private static Region region(final String name, final long... plane) {
		return new Region(name, new Selection(1, 2, 3, 2, MASK, plane));
	}

	private static DrawnInput image(final RandomAccessibleInterval<?> pixels, final String axes, final long... shown) {
		return new DrawnInput(pixels, axes, shown, region("", shown).area(), List.of(region("m", -1, 4)), List.of(region("o", 1, 5)));
	}

	/** Channels in the third dimension, frames in the fourth. */
	private final DrawnInput stack = image(ArrayImgs.bytes(30, 20, 3, 9), "xyct", 2, 6);

	@Test
	void oneChannelTakesItsDimensionAway() {
		final ImageInput second = ChosenInput.of(stack, ChannelChoice.of("2"));
		assertEquals("xyt", second.axes());
		assertEquals(1, second.channel());
		assertEquals(0, stack.channel());
		assertArrayEquals(new long[] { 30, 20, 9 }, second.pixels().dimensionsAsLongArray());
		assertArrayEquals(new long[] { 6 }, second.shown());
		assertTrue(second.hasArea());
		assertEquals("3x2 at 1,2", second.selection().orElseThrow().toString());
		assertSame(MASK, second.selection().orElseThrow().mask());
		assertArrayEquals(new long[] { 6 }, second.selection().orElseThrow().plane());
		assertArrayEquals(new long[] { 4 }, second.managed().get(0).area().plane());
		assertArrayEquals(new long[] { 5 }, second.overlay().get(0).area().plane());
		assertEquals(List.of("m", "o"), List.of(second.managed().get(0).name(), second.overlay().get(0).name()));
		assertEquals(List.of("drawn", Calibration.NONE), List.of(second.name(), second.calibration()));
	}

	/** What is found in one channel is drawn in all of them, in the same slice and frame. */
	@Test
	void boxesAndLinesOfOneChannelAppearInAll() {
		final ImageInput second = ChosenInput.of(stack, ChannelChoice.of("2"));
		assertTrue(second.mark(List.of(BOX), List.of(LINE), false));
		assertFalse(second.mark(List.of(BOX), List.of(LINE), true), "whether the ROI Manager is needed");
		assertEquals(List.of(new Box("1: 0.90", 2, 3, 4, 5, 6, 0, 7, 8, 3, 2, 3)), stack.boxes);
		assertEquals(List.of(new TrackLine("way", 1, LINE.x(), LINE.y(), -1, 7, -1)), stack.lines);
		stack.boxes = null;
		final LiveBoxes live = second.live();
		live.show(List.of(BOX));
		assertEquals(3, stack.boxes.get(0).channels());
		live.restore();
		assertTrue(stack.restored);
	}

	@Test
	void jointChannelsAreOneImage() {
		final ImageInput joint = ChosenInput.of(stack, ChannelChoice.of("joint"));
		assertEquals("xyt", joint.axes());
		assertEquals(0, joint.channel());
		assertArrayEquals(new long[] { 6 }, joint.shown());
	}

	@Test
	void eachChannelLeavesAnImageAsItIs() {
		assertSame(stack, ChosenInput.of(stack, ChannelChoice.EACH));
		assertSame(stack, ChosenInput.of(stack, ChannelChoice.AUTO));
		final DrawnInput plane = image(ArrayImgs.bytes(30, 20), "xy");
		assertSame(plane, ChosenInput.of(plane, ChannelChoice.of("1")));
	}

	/** The channels of a colour image are a new dimension; what is drawn goes to its one plane. */
	@Test
	void coloursGetADimensionIfEachChannelCounts() {
		final DrawnInput colours = image(ArrayImgs.argbs(30, 20, 9), "xyt", 6);
		final ImageInput each = ChosenInput.of(colours, ChannelChoice.EACH), red = ChosenInput.of(colours, ChannelChoice.of("1"));
		assertTrue(colours.isColor());
		for (final ImageInput i : List.of(each, red)) assertFalse(i.isColor());
		assertEquals("xyct", each.axes());
		assertArrayEquals(new long[] { 30, 20, 3, 9 }, each.pixels().dimensionsAsLongArray());
		assertArrayEquals(new long[] { 0, 6 }, each.shown());
		assertEquals("xyt", red.axes());
		assertArrayEquals(new long[] { 6 }, red.shown());
		each.mark(List.of(new Box("b", 0, 1, 2, 3, 4, 2, 7, 8, 1, 1, 1)), List.of(new TrackLine("way", 1, LINE.x(), LINE.y(), 2, 7, 8)), false);
		assertEquals(List.of(new Box("b", 0, 1, 2, 3, 4, 0, 7, 8, 1, 1, 1)), colours.boxes);
		assertEquals(List.of(0, 7, 8), List.of(colours.lines.get(0).channel(), colours.lines.get(0).slice(), colours.lines.get(0).frame()));
	}

	@Test
	void aTemplateHasTheChannelsOfItsImage() {
		final DrawnInput plane = image(ArrayImgs.bytes(9, 9), "xy");
		assertSame(plane, ChosenInput.template(plane, ChannelChoice.of("2")), "a template of one channel serves any channel");
		assertEquals("xyt", ChosenInput.template(stack, ChannelChoice.of("3")).axes());
		assertEquals(2, ChosenInput.template(stack, ChannelChoice.of("3")).channel());
	}

	@Test
	void inputsOfOneImageAreEqual() {
		final ImageInput first = ChosenInput.of(stack, ChannelChoice.of("1"));
		assertEquals(first, ChosenInput.of(stack, ChannelChoice.of("2")));
		assertNotEquals(first, ChosenInput.of(image(ArrayImgs.bytes(30, 20, 3, 9), "xyct", 2, 6), ChannelChoice.of("1")));
		assertNotEquals(first, stack);
		assertEquals(stack.toString(), first.toString());
	}
}
