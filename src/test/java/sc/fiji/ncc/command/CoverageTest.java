package sc.fiji.ncc.command;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import java.util.Random;

import net.imglib2.img.Img;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.type.numeric.integer.UnsignedByteType;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.NormalizedCrossCorrelation;
import sc.fiji.ncc.command.program.Selection;
import sc.fiji.ncc.result.Response;

/** Where responses are given, as a user says it. */
class CoverageTest {

	private final Img<UnsignedByteType> image = noise(30, 20), template = noise(6, 4);

	@Test
	void everywhereUnlessSaid() {
		assertArrayEquals(new long[] { 25, 17 }, response("valid", "auto", "", null).map().dimensionsAsLongArray());
		assertArrayEquals(new long[] { 30, 20 }, response("Same", "Mirror", " ", null).map().dimensionsAsLongArray());
	}

	@Test
	void aRegionInNumbers() {
		final Response some = response("valid", "auto", "3, 2,10,5", null);
		assertArrayEquals(new long[] { 10, 5 }, some.map().dimensionsAsLongArray());
		assertArrayEquals(new long[] { 3, 2 }, some.origin());
	}

	@Test
	void ofASelectionThePartThatHasResponses() {
		final Response some = response("valid", "auto", "Selection", new Selection(20, 10, 10, 10, null, new long[0]));
		assertArrayEquals(new long[] { 20, 10 }, some.origin());
		assertArrayEquals(new long[] { 5, 7 }, some.map().dimensionsAsLongArray());
	}

	@Test
	void mistakesAreSaid() {
		assertReason("nothing is selected", "selection", null);
		assertReason("There is no response in the selection, 3x3 at 27,17", "selection", new Selection(27, 17, 3, 3, null, new long[0]));
		assertReason("search=1,2,3 is no region: give x,y,w,h", "1,2,3", null);
		assertReason("search=1,2,0,4 is empty", "1,2,0,4", null);
		assertReason("x,y,w,h", "a", null);
	}

	private void assertReason(final String reason, final String search, final Selection selection) {
		final String message = assertThrows(IllegalArgumentException.class, () -> response("valid", "auto", search, selection)).getMessage();
		assertTrue(message.contains(reason), message);
	}

	@Test
	void aBorderThatIsNoneIsNamed() {
		assertEquals("Unknown border 'miror'. Known: undefined, mirror, edge, constant, overlap.",
			assertThrows(IllegalArgumentException.class, () -> response("same", "miror", "", null)).getMessage());
	}

	private Response response(final String extent, final String border, final String search, final Selection selection) {
		return new Coverage(extent, border, 0, search).set(NormalizedCrossCorrelation.of(template), image.dimensionsAsLongArray(),
			List.of(template.dimensionsAsLongArray()), Optional.ofNullable(selection)).correlate(image);
	}

	private static Img<UnsignedByteType> noise(final int width, final int height) {
		final byte[] pixels = new byte[width * height];
		new Random(width).nextBytes(pixels);
		return ArrayImgs.unsignedBytes(pixels, width, height);
	}
}
