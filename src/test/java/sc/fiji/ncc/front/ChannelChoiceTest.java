package sc.fiji.ncc.front;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;

import net.imglib2.Cursor;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.type.numeric.ARGBType;
import net.imglib2.type.numeric.integer.UnsignedByteType;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.image.JointImage;

/** Images in which each pixel of channel c is 10·c + z. */
class ChannelChoiceTest {

	private static final RandomAccessibleInterval<?> GRAY = pixels(4, 3), CHANNELS = pixels(4, 3, 2), VOLUME = pixels(4, 3, 2, 5),
		COLOURS = colours(4, 3), COLOUR_STACK = colours(4, 3, 5);

	private static RandomAccessibleInterval<?> pixels(final long... size) {
		final RandomAccessibleInterval<UnsignedByteType> image = ArrayImgs.unsignedBytes(size);
		final Cursor<UnsignedByteType> c = image.localizingCursor();
		while (c.hasNext()) c.next().set((size.length > 2 ? 10 * c.getIntPosition(2) : 0) + (size.length > 3 ? c.getIntPosition(3) : 0));
		return image;
	}

	private static RandomAccessibleInterval<?> colours(final long... size) {
		final RandomAccessibleInterval<ARGBType> image = ArrayImgs.argbs(size);
		for (final ARGBType p : image) p.set(ARGBType.rgba(10, 20, 30, 255));
		return JointImage.ofColours(image);
	}

	/** Size, axes, channels and index of the channel; then the first pixel of its last plane if it is no joint image. */
	private static String text(final ChannelChoice.Chosen c) {
		final long[] size = c.pixels().dimensionsAsLongArray(), last = c.pixels().maxAsLongArray();
		final String start = Arrays.toString(size) + " " + c.axes() + " " + JointImage.channels(c.pixels()) + " " + c.channel();
		return JointImage.channels(c.pixels()) > 1 ? start : start + ": " + c.pixels().getAt(last);
	}

	private static String image(final String choice, final RandomAccessibleInterval<?> pixels, final String axes, final boolean colour) {
		return text(ChannelChoice.of(choice).image(pixels, axes, colour, "image"));
	}

	@Test
	void ofAnImage() {
		for (final String choice : new String[] { "auto", "each", "joint", "1" })
			assertEquals("[4, 3] xy 1 0: 0", image(choice, GRAY, "xy", false), choice);
		assertEquals("[4, 3, 2, 5] xycz 1 0: 14", image("auto", VOLUME, "xycz", false));
		assertEquals("[4, 3, 2, 5] xycz 1 0: 14", image("each", VOLUME, "xycz", false));
		assertEquals("[4, 3, 5] xyz 2 0", image("joint", VOLUME, "xycz", false));
		assertEquals("[4, 3, 5] xyz 1 1: 14", image("2", VOLUME, "xycz", false));
		assertEquals("[4, 3] xy 1 0: 0", image("1", CHANNELS, "xyc", false));
		assertEquals("[4, 3] xy 2 0", image("auto", CHANNELS, "xyc", true));
	}

	@Test
	void ofColours() {
		assertEquals("[4, 3] xy 3 0", image("auto", COLOURS, "xy", true));
		assertEquals("[4, 3] xy 3 0", image("joint", COLOURS, "xy", true));
		assertEquals("[4, 3] xy 1 2: 30", image("3", COLOURS, "xy", true));
		assertEquals("[4, 3, 3] xyc 1 0: 30", image("each", COLOURS, "xy", true));
		assertEquals("[4, 3, 3, 5] xycz 1 0: 30", image("each", COLOUR_STACK, "xyz", true));
	}

	@Test
	void ofATemplate() {
		final ChannelChoice second = ChannelChoice.of("2"), each = ChannelChoice.of("each");
		assertEquals("[4, 3] xy 1 0: 0", text(second.template(GRAY, "xy", false, "template")), "one channel suits each");
		assertEquals("[4, 3] xy 1 1: 10", text(second.template(CHANNELS, "xyc", false, "template")));
		assertEquals("[4, 3] xy 1 1: 20", text(second.template(COLOURS, "xy", true, "template")));
		assertEquals("[4, 3] xy 1 0: 0", text(each.template(GRAY, "xy", false, "template")));
		assertEquals("[4, 3] xy 3 0", text(ChannelChoice.of("joint").template(COLOURS, "xy", true, "template")));
		for (final ChannelChoice c : new ChannelChoice[] { each, ChannelChoice.AUTO.of(false) })
			refuses("each channel is searched by itself", () -> c.template(COLOURS, "xy", true, "template"));
	}

	@Test
	void theFirstImageDecides() {
		assertEquals("each", ChannelChoice.AUTO.of(false).toString());
		assertEquals("joint", ChannelChoice.AUTO.of(true).toString());
		assertEquals("channel 2", ChannelChoice.of("2").of(true).toString());
		assertSame(ChannelChoice.EACH, ChannelChoice.EACH.of(true));
		refuses("the first image is gray", () -> ChannelChoice.EACH.of(false).image(COLOURS, "xy", true, "image"));
		assertEquals("[4, 3] xy 1 0: 0", text(ChannelChoice.EACH.of(false).image(GRAY, "xy", false, "image")));
	}

	@Test
	void words() {
		assertSame(ChannelChoice.AUTO, ChannelChoice.of(" Auto"));
		assertSame(ChannelChoice.EACH, ChannelChoice.of("each"));
		assertEquals("0 12", ChannelChoice.of("joint").number() + " " + ChannelChoice.of("12").number());
		for (final String wrong : new String[] { "", "0", "-1", "both", "12345678" })
			refuses("Unknown channels '" + wrong + "'", () -> ChannelChoice.of(wrong));
		refuses("image has 2 channels, not channel 3: give a number from 1 to 2", () -> image("3", CHANNELS, "xyc", false));
		refuses("image has 1 channel, not channel 2", () -> image("2", GRAY, "xy", false));
	}

	private static void refuses(final String part, final Runnable call) {
		final String message = assertThrows(IllegalArgumentException.class, call::run).getMessage();
		assertTrue(message.contains(part), message);
	}
}
