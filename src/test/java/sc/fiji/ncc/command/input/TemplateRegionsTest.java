package sc.fiji.ncc.command.input;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.IntStream;

import net.imglib2.img.array.ArrayImgs;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import sc.fiji.ncc.command.program.DrawnInput;
import sc.fiji.ncc.command.program.Region;
import sc.fiji.ncc.command.program.Selection;

/** Where the regions of templates come from: the ROI Manager, the overlay, the selection, or numbers. */
class TemplateRegionsTest {

	private static final Selection SELECTED = area(3), OTHER = area(5);

	private static Selection area(final int x) {
		return new Selection(x, 4, 5, 6, null, new long[] { 2 });
	}

	private static List<Region> regions(final String prefix, final int count) {
		return IntStream.range(0, count).mapToObj(i -> new Region(prefix + i, area(10 + i))).toList();
	}

	private static DrawnInput image(final Selection selection, final List<Region> managed, final List<Region> overlay) {
		return new DrawnInput(ArrayImgs.bytes(50, 40, 9), "xyt", new long[] { 0 }, selection, managed, overlay);
	}

	private static List<String> names(final String from, final DrawnInput image) {
		return TemplateRegions.of(from, "", image).stream().map(Region::name).toList();
	}

	private static String reason(final String from, final String list, final DrawnInput image) {
		return assertThrows(IllegalArgumentException.class, () -> TemplateRegions.of(from, list, image)).getMessage();
	}

	/** auto: the ROI Manager first, then the selection, then the overlay. Each of them alone by its name. */
	@Test
	void theFirstPlaceWithRegionsCounts() {
		final DrawnInput all = image(SELECTED, regions("m", 2), regions("o", 3));
		assertEquals(List.of("m0", "m1"), names("auto", all));
		assertEquals(List.of("m0", "m1"), names("manager", all));
		assertEquals(List.of("o0", "o1", "o2"), names("overlay", all));
		assertEquals(List.of("selection"), names("selection", all));
		assertEquals(List.of("selection"), names("auto", image(SELECTED, List.of(), regions("o", 3))));
		assertEquals(List.of("o0", "o1", "o2"), names("auto", image(null, List.of(), regions("o", 3))));
		assertEquals(SELECTED, TemplateRegions.of("auto", "", image(SELECTED, List.of(), List.of())).get(0).area());
	}

	/** A click on a region of the overlay selects it. All regions of the overlay are meant then. */
	@Test
	void aSelectedRegionOfTheOverlayStandsForAll() {
		final List<Region> overlay = List.of(new Region("a", OTHER), new Region("b", new Selection(3, 4, 5, 6, null, new long[] { -1 })));
		assertEquals(List.of("a", "b"), names("auto", image(SELECTED, List.of(), overlay)));
		assertEquals(List.of("selection"), names("auto", image(area(4), List.of(), overlay)));
		assertEquals(List.of("selection"), names("selection", image(SELECTED, List.of(), overlay)));
	}

	/** An area is the same if position, size and mask are; the planes can differ. */
	@Test
	void areasAreComparedPixelByPixel() {
		final byte[] mask = { 1, 0, 1, 1 };
		final Selection area = new Selection(1, 2, 2, 2, mask, new long[] { 1 });
		assertTrue(area.isSameArea(new Selection(1, 2, 2, 2, mask.clone(), new long[] { 7 })));
		for (final Selection other : List.of(new Selection(0, 2, 2, 2, mask, new long[1]), new Selection(1, 3, 2, 2, mask, new long[1]),
			new Selection(1, 2, 3, 2, mask, new long[1]), new Selection(1, 2, 2, 1, mask, new long[1]), new Selection(1, 2, 2, 2, null, new long[1]),
			new Selection(1, 2, 2, 2, new byte[] { 1, 1, 1, 1 }, new long[1]))) assertTrue(!area.isSameArea(other), other.toString());
	}

	@Test
	void withoutRegionsTheMessageSaysWhereTheyWereSought() {
		final DrawnInput none = image(null, List.of(), List.of());
		assertTrue(reason("auto", "", none)
			.startsWith("No templates: the ROI Manager has no region, nothing is selected in 'drawn', and its overlay has no region. "
				+ "Boxes of earlier runs do not count. Draw a selection"));
		assertTrue(reason("manager", "", none).startsWith("The ROI Manager has no region. Without windows there is no ROI Manager. Draw"));
		assertTrue(reason("overlay", "", none).startsWith("The overlay of 'drawn' has no region. Boxes of earlier runs do not count. Draw"));
		assertTrue(reason("overlay", "", none).endsWith(" Or give numbers: roi=[x,y,w,h; x,y,w,h]."));
		assertTrue(reason("selection", "", none).startsWith("Nothing is selected in 'drawn'. Draw"));
		assertEquals("Both templates=overlay and roi are given. Omit one of them.", reason("overlay", "1,2,3,4", none));
		assertTrue(reason("all", "", none).contains("'all'"));
	}

	/** The whole image is a region, and so is one pixel in its corner. The regions lie on all planes, and are numbered. */
	@Test
	void numbersReachAllPixels() {
		final List<Region> regions = TemplateRegions.of("auto", "0,0,50,40; 49,39,1,1;;", image(SELECTED, List.of(), List.of()));
		assertEquals(List.of("1", "2"), regions.stream().map(Region::name).toList());
		assertEquals("50x40 at 0,0", regions.get(0).area().toString());
		assertEquals("1x1 at 49,39", regions.get(1).area().toString());
		for (final Region r : regions) assertArrayEquals(new long[] { -1 }, r.area().plane());
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', value = { "-1,0,5,5", "0,-1,5,5", "46,0,5,5", "0,36,5,5", "0,0,51,1", "0,0,1,41", "3,3,0,5", "3,3,5,0", "50,0,1,1" })
	void regionsBeyondTheImageAreRefused(final String region) {
		assertEquals("roi: " + region + " is not inside 'drawn', which has 50x40 pixels. Positions count from 0.",
			reason("auto", region, image(null, List.of(), List.of())));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', value = { "1,2,3", "1,2,3,4,5", "1,2,3,x", "1.5,2,3,4" })
	void whatIsNotARegionIsRefused(final String region) {
		assertEquals("roi: '" + region + "' is not a region. Give x,y,w,h in whole pixels; separate several regions by semicolons.",
			reason("auto", "0,0,5,5; " + region, image(null, List.of(), List.of())));
		assertTrue(reason("auto", ";", image(null, List.of(), List.of())).startsWith("roi: the list is empty."));
	}

	@Test
	void everyNameIsUnique() {
		final List<Region> named = TemplateRegions.named(List.of(new Region("cell", OTHER), new Region("", OTHER), new Region("cell", SELECTED),
			new Region("cell-2", OTHER), new Region("cell", OTHER)));
		assertEquals(List.of("cell", "2", "cell-2", "cell-2-2", "cell-3"), named.stream().map(Region::name).toList());
		assertEquals(SELECTED, named.get(2).area());
	}
}
