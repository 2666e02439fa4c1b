package sc.fiji.ncc.register;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.array.ArrayImgs;

import org.junit.jupiter.api.Test;

/** Frames, slices and channels of images of 4x3 pixels in any order of axes: 2 channels, 6 slices, 5 time points. */
class StackLayoutTest {

	private static RandomAccessibleInterval<?> image(final String axes) {
		return ArrayImgs.unsignedBytes(axes.chars().mapToLong(a -> a == 'x' ? 4 : a == 'y' ? 3 : a == 'c' ? 2 : a == 'z' ? 6 : 5).toArray());
	}

	private static StackLayout layout(final String axes, final int dimensions) {
		return StackLayout.of(image(axes), axes, dimensions, "image");
	}

	/** Axes, dimensions, dimension of the frames in the stack and in the image. */
	private static String text(final StackLayout l) {
		assertArrayEquals(image(l.axes()).dimensionsAsLongArray(), l.stack().dimensionsAsLongArray());
		return l.axes() + " " + l.dimensions() + " " + l.time() + " " + l.timeInImage();
	}

	@Test
	void volumesHaveTheirSlicesThird() {
		assertEquals("xyzt 3 3 3", text(layout("xyzt", 0)));
		assertEquals("xyzt 3 3 2", text(layout("xytz", 0)));
		assertEquals("xyzct 3 4 4", text(layout("xyczt", 3)));
		assertEquals("xyzct 3 4 3", text(layout("xyctz", 3)));
	}

	@Test
	void planesAreTimePointsOrElseSlices() {
		assertEquals("xyz 2 2 2", text(layout("xyz", 0)));
		assertEquals("xyt 2 2 2", text(layout("xyt", 0)));
		assertEquals("xyzt 2 3 3", text(layout("xyzt", 2)));
		assertEquals("xyct 2 3 3", text(layout("xyct", 0)));
	}

	@Test
	void backToTheOrderOfTheImage() {
		for (final String axes : new String[] { "xyzt", "xytz", "xyczt", "xyctz" }) {
			final StackLayout l = layout(axes, 3);
			assertArrayEquals(image(axes).dimensionsAsLongArray(), l.back(l.stack()).dimensionsAsLongArray(), axes);
			assertArrayEquals(image(axes).dimensionsAsLongArray(), l.back(l.stack().dimensionsAsLongArray()), axes);
		}
	}

	@Test
	void whatIsMeasured() {
		final RandomAccessibleInterval<?> image = ArrayImgs.unsignedBytes(new byte[] { 0, 1, 2, 3, 4, 5, 10, 11, 12, 13, 14, 15 }, 1, 1, 6, 2);
		final StackLayout l = StackLayout.of(image, "xyzt", 2, "image");
		assertEquals("3", l.measured(List.of(), -1).getAt(0, 0, 0).toString());
		assertEquals("10", l.measured(List.of(), 0).getAt(0, 0, 1).toString());
		assertEquals("5", l.measured(List.of(0L), 5).getAt(0, 0, 0).toString());
		refuses("slice 7 does not exist: the image has 6 slices", () -> l.measured(List.of(), 6));
		refuses("channel 2 does not exist", () -> l.measured(List.of(1L), 0));
		assertEquals("[4, 3, 6]", size(layout("xyz", 2), List.of()), "slices are the frames");
		assertEquals("[4, 3, 6, 5]", size(layout("xyzt", 3), List.of()));
		assertEquals("[4, 3, 5]", size(layout("xyct", 2), List.of(1L)));
		assertEquals("[4, 3, 5]", size(layout("xyctz", 2), List.of(1L)));
	}

	private static String size(final StackLayout layout, final List<Long> channels) {
		return Arrays.toString(layout.measured(channels, -1).dimensionsAsLongArray());
	}

	@Test
	void saysWhatIsMissing() {
		refuses("image (xy) has one frame, and drift needs at least two: give a stack with several time points or slices", () -> layout("xy", 0));
		refuses("image (xyz) has one frame", () -> layout("xyz", 3));
		refuses("image (xyt) has no slices", () -> layout("xyt", 3));
		for (final int n : new int[] { 1, 4 }) refuses("frames of " + n + " dimensions", () -> layout("xyzt", n));
	}

	private static void refuses(final String part, final Runnable call) {
		final String message = assertThrows(IllegalArgumentException.class, call::run).getMessage();
		assertTrue(message.contains(part), message);
	}
}
