package sc.fiji.ncc.command;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;

import net.imglib2.img.Img;
import net.imglib2.type.numeric.integer.UnsignedByteType;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.NormalizedCrossCorrelation;
import sc.fiji.ncc.command.program.Selection;
import sc.fiji.ncc.fixture.RandomPixels;
import sc.fiji.ncc.result.Response;

/** Extent, border and search region as users write them. */
class PositionParametersTest {

	private final Img<UnsignedByteType> image = RandomPixels.image(30, 30, 20), template = RandomPixels.image(6, 6, 4);

	@Test
	void theDefaultIsTheWholeImage() {
		assertArrayEquals(new long[] { 25, 17 }, response("valid", "auto", "", null).map().dimensionsAsLongArray());
		assertArrayEquals(new long[] { 30, 20 }, response("Same", "Mirror", " ", null).map().dimensionsAsLongArray());
	}

	@Test
	void aBorderWithoutEffectIsNoted() {
		final String note = new PositionParameters("valid", "mirror", 0, "").note().orElseThrow();
		assertTrue(note.startsWith("border=mirror has no effect with extent=valid") && note.contains("extent=same"), note);
		for (final PositionParameters p : List.of(new PositionParameters("same", "mirror", 0, ""), new PositionParameters("valid", "auto", 0, ""))) assertEquals(Optional.empty(), p.note());
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

	/** Windows start inside the selection, and beyond the image as far as the extent allows. */
	@Test
	void aSelectionWithWindowsBeyondTheImage() {
		final Selection corner = new Selection(20, 10, 10, 10, null, new long[0]), all = new Selection(0, 0, 30, 20, null, new long[0]);
		assertRegion(20, 10, 10, 10, response("same", "mirror", "selection", corner));
		assertRegion(20, 10, 10, 10, response("full", "mirror", "selection", corner));
		assertRegion(0, 0, 30, 20, response("full", "mirror", "selection", all));
		assertRegion(0, 0, 25, 17, response("valid", "auto", "selection", all));
		final Selection beyond = new Selection(-9, -9, 50, 50, null, new long[0]);
		assertRegion(-5, -3, 35, 23, response("full", "mirror", "selection", beyond));
		assertRegion(0, 0, 30, 20, response("same", "mirror", "selection", beyond));
	}

	private static void assertRegion(final long x, final long y, final long w, final long h, final Response response) {
		assertArrayEquals(new long[] { x, y }, response.origin());
		assertArrayEquals(new long[] { w, h }, response.map().dimensionsAsLongArray());
	}

	@Test
	void wrongParametersAreReported() {
		assertReason("search=selection needs a selection", "selection", null);
		assertReason("The selection, 3x3 at 27,17, holds no response", "selection", new Selection(27, 17, 3, 3, null, new long[0]));
		assertReason("search=1,2,3 is not a region. Give x,y,w,h", "1,2,3", null);
		assertReason("search=1,2,0,4 is empty", "1,2,0,4", null);
		assertReason("x,y,w,h", "a", null);
	}

	private void assertReason(final String reason, final String search, final Selection selection) {
		final String message = assertThrows(IllegalArgumentException.class, () -> response("valid", "auto", search, selection)).getMessage();
		assertTrue(message.contains(reason), message);
	}

	@Test
	void anUnknownBorderIsReported() {
		assertEquals("Unknown border 'miror'. Known: undefined, mirror, edge, constant, overlap.",
			assertThrows(IllegalArgumentException.class, () -> response("same", "miror", "", null)).getMessage());
	}

	private Response response(final String extent, final String border, final String search, final Selection selection) {
		return new PositionParameters(extent, border, 0, search).set(NormalizedCrossCorrelation.of(template), image.dimensionsAsLongArray(),
			List.of(template.dimensionsAsLongArray()), Optional.ofNullable(selection)).correlate(image);
	}

}
