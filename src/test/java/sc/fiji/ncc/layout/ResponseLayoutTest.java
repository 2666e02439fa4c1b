package sc.fiji.ncc.layout;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;

import net.imglib2.FinalInterval;
import net.imglib2.Interval;
import net.imglib2.img.array.ArrayImgs;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.image.MissingPixels;
import sc.fiji.ncc.option.Border;
import sc.fiji.ncc.option.Extent;
import sc.fiji.ncc.option.NaNs;
import sc.fiji.ncc.plan.LagBox;
import sc.fiji.ncc.plan.Lags;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Sliding.Windows;
import sc.fiji.ncc.plan.Template;

/** Lags in closed form: a template of 3x5 on an image of 10x8. */
class ResponseLayoutTest {

	private static final Size TEMPLATE = Size.of(3, 5), COUNT = Size.of(4, 4);
	private static final long[] IMAGE = { 10, 8 };

	private static ResponseLayout layout(final Extent extent, final Border border, final Interval search) {
		return layout(TEMPLATE, extent, border, -1, search);
	}

	private static ResponseLayout layout(final Size template, final Extent extent, final Border border, final double minOverlap, final Interval search) {
		return new ResponseLayout(template, IMAGE, extent, border, minOverlap, search, MissingPixels.NONE);
	}

	private static Interval region(final long... minAndSize) {
		return FinalInterval.createMinSize(minAndSize);
	}

	/** Origin and size of the map; first lag, number of lags and place of the first. */
	private static String text(final ResponseLayout l) {
		return Arrays.toString(l.origin) + Arrays.toString(l.size) + " " + Arrays.toString(l.firstLag) + Arrays.toString(l.lags) + Arrays.toString(l.place);
	}

	@Test
	void lagsOfEachExtent() {
		assertEquals("[0, 0][8, 4] [0, 0][8, 4][0, 0]", text(layout(Extent.VALID, null, null)));
		assertEquals("[0, 0][10, 8] [0, 0][8, 4][1, 2]", text(layout(Extent.SAME, null, null)));
		assertEquals("[0, 0][10, 8] [-1, -2][10, 8][0, 0]", text(layout(Extent.SAME, Border.MIRROR, null)));
		assertEquals("[-2, -4][12, 12] [-2, -4][12, 12][0, 0]", text(layout(Extent.FULL, null, null)));
		assertEquals("[-2, -4][12, 12] [0, 0][8, 4][2, 4]", text(layout(Extent.FULL, Border.UNDEFINED, null)));
		assertEquals("[2, 1][4, 1] [2, 1][4, 1][0, 0]", text(layout(Extent.VALID, null, region(2, 1, 4, 1))));
		assertEquals("[0, 2][5, 6] [0, 0][4, 4][1, 0]", text(layout(Extent.SAME, null, region(0, 2, 5, 6))));
		assertEquals("[1, 2][2, 1] [0, 0][2, 1][0, 0]", text(layout(Extent.SAME, Border.EDGE, region(1, 2, 2, 1))));
	}

	@Test
	void aSearchInTheUndefinedBorderHasNoLags() {
		final ResponseLayout none = layout(Extent.SAME, null, region(0, 0, 5, 2)), one = layout(Extent.SAME, null, region(0, 0, 5, 3));
		assertTrue(none.empty() && none.hasUndefinedBorder());
		assertFalse(one.empty());
		assertTrue(one.hasUndefinedBorder());
		assertFalse(layout(Extent.VALID, null, null).hasUndefinedBorder());
		assertEquals(0, layout(Extent.SAME, null, region(0, 0, 5, 1)).lags[1]);
		final Windows p = none.windows(PixelType.U8, PixelType.U8, List.of(TEMPLATE), Precision.SINGLE, 3, BoxGrid.of(new long[] { 1, 1 }, 9));
		assertEquals(Size.of(5, 2), p.lags().count());
	}

	@Test
	void edgesOfTheSearch() {
		final ResponseLayout middle = layout(Extent.VALID, null, region(2, 1, 4, 1)), left = layout(Extent.VALID, null, region(0, 1, 4, 1)),
			right = layout(Extent.VALID, null, region(5, 1, 3, 1));
		assertEquals("true false true", middle.edge(new long[] { 2, 1 }) + " " + middle.edge(new long[] { 3, 1 }) + " " + middle.edge(new long[] { 5, 1 }));
		assertEquals("false true", left.edge(new long[] { 0, 1 }) + " " + left.edge(new long[] { 3, 1 }));
		assertEquals("true false", right.edge(new long[] { 5, 1 }) + " " + right.edge(new long[] { 7, 1 }));
		assertTrue(layout(Extent.VALID, null, region(2, 1, 4, 2)).edge(new long[] { 3, 2 }));
	}

	@Test
	void responsesOfWindowsInABox() {
		assertEquals("[2, 1] [4, 2]", inside(Extent.VALID, 2, 1, 5, 6));
		assertEquals("[3, 3] [5, 4]", inside(Extent.SAME, 2, 1, 5, 6));
		assertEquals("[0, 0] [7, 3]", inside(Extent.VALID, 0, 0, 10, 8));
		assertEquals("[7, 3] [7, 3]", inside(Extent.FULL, 7, 3, 3, 5));
		for (final long[] beyond : new long[][] { { -1, 0, 5, 6 }, { 6, 0, 5, 6 }, { 0, 3, 5, 6 } })
			refuses("extends beyond the image of 10x8", () -> inside(Extent.VALID, beyond));
		refuses("larger than the box for windows, 2x6", () -> inside(Extent.VALID, 0, 0, 2, 6));
		refuses("has 1 dimensions", () -> inside(Extent.VALID, 0, 5));
	}

	private static String inside(final Extent extent, final long... box) {
		final Interval responses = ResponseLayout.responsesInside(region(box), TEMPLATE, IMAGE, extent);
		return Arrays.toString(responses.minAsLongArray()) + " " + Arrays.toString(responses.maxAsLongArray());
	}

	@Test
	void saysWhatDoesNotFit() {
		assertEquals("the template of 11x5 is larger than the image of 10x8: choose a smaller template",
			assertThrows(IllegalArgumentException.class, () -> layout(Size.of(11, 5), Extent.SAME, null, 0, null)).getMessage());
		refuses("the template of 11x8 is larger than the image of 10x8: choose a smaller template, or swap the two",
			() -> layout(Size.of(11, 8), Extent.SAME, null, 0, null));
		assertEquals("[1, 1]", Arrays.toString(layout(Size.of(10, 8), Extent.VALID, null, 0, null).lags));
		refuses("the search region has 1 dimensions", () -> layout(Extent.VALID, null, region(0, 5)));
		for (final long[] wrong : new long[][] { { -1, 0, 2, 2 }, { 0, 0, 9, 4 }, { 0, 3, 8, 2 }, { 0, 0, 0, 1 } })
			refuses("is not within the valid responses 0,0,8,4", () -> layout(Extent.VALID, null, region(wrong)));
	}

	@Test
	void aKernelMayBeLargerThanTheImage() {
		final Size kernel = Size.of(12, 3);
		final ResponseLayout l = ResponseLayout.ofKernel(kernel, IMAGE, new ResponseLayout.Positions(Extent.SAME, new long[] { 5, 1 }, Border.EDGE, null));
		assertEquals("[0, 0][10, 8] [-5, -1][10, 8][0, 0]", text(l));
		refuses("the kernel of 12x3 is larger", () -> ResponseLayout.ofKernel(kernel, IMAGE, new ResponseLayout.Positions(Extent.VALID, new long[2],
			Border.EDGE, null)));
	}

	@Test
	void windowsBeyondTheImageAndTheirLeastOverlap() {
		assertEquals(new Lags(COUNT, true, false, 1 / 3.0), layout(Extent.FULL, null, null).lags(COUNT));
		assertEquals(new Lags(COUNT, true, false, 0), layout(Extent.SAME, Border.OVERLAP, null).lags(COUNT));
		assertEquals(new Lags(COUNT, true, false, 0), layout(TEMPLATE, Extent.FULL, null, 0, null).lags(COUNT));
		assertEquals(Lags.inside(COUNT), layout(Extent.VALID, Border.OVERLAP, null).lags(COUNT));
		assertEquals(Lags.inside(COUNT), layout(Extent.SAME, Border.MIRROR, null).lags(COUNT));
		assertFalse(layout(Extent.FULL, null, region(0, 0, 8, 4)).lags(COUNT).beyond());
		for (final long[] outside : new long[][] { { -1, 0, 8, 4 }, { 0, -1, 8, 4 }, { 0, 0, 9, 4 }, { 0, 0, 8, 5 } })
			assertTrue(layout(Extent.FULL, null, region(outside)).lags(COUNT).beyond(), Arrays.toString(outside));
		final MissingPixels nan = new MissingPixels(null, NaNs.MISSING);
		assertEquals(new Lags(COUNT, false, true, 1 / 3.0), new ResponseLayout(TEMPLATE, IMAGE, Extent.VALID, null, -1, null, nan).lags(COUNT));
		assertEquals(new Lags(COUNT, true, true, 0.2), new ResponseLayout(TEMPLATE, IMAGE, Extent.FULL, null, 0.2, null, nan).lags(COUNT));
	}

	/** The image with its border: as large as all windows together. */
	@Test
	void pixelsOfTheBorder() {
		final ResponseLayout mirror = layout(Extent.SAME, Border.MIRROR, region(0, 0, 4, 3)), none = layout(Extent.SAME, null, region(3, 2, 4, 3));
		assertArrayEquals(new long[] { 6, 7 }, mirror.pixelsSize());
		assertArrayEquals(new long[2], mirror.firstLagInPixels());
		assertArrayEquals(IMAGE, none.pixelsSize());
		assertArrayEquals(new long[] { 2, 0 }, none.firstLagInPixels());
		assertArrayEquals(new long[] { 6, 7 }, mirror.pixels(ArrayImgs.unsignedBytes(10, 8), 0).size());
		assertArrayEquals(IMAGE, none.pixels(ArrayImgs.unsignedBytes(10, 8), 0).size());
		final Windows p = mirror.windows(PixelType.U8, PixelType.U16, List.of(TEMPLATE), Precision.DOUBLE, 5, BoxGrid.of(mirror.lags, 4));
		assertEquals(new Windows(PixelType.U8, PixelType.U16, Size.of(6, 7), List.of(TEMPLATE), Lags.inside(Size.of(4, 1)), 15, Precision.DOUBLE,
			new Windows.Cut(Size.of(4, 3), 3)), p);
	}

	@Test
	void whatOneExecutionComputesTogether() {
		final Interval two = region(2, 2, 2, 2);
		final Size wide = Size.of(5, 5);
		final ResponseLayout plain = layout(Extent.VALID, null, two), mirror = layout(Extent.SAME, Border.MIRROR, two);
		assertTrue(plain.compatible(layout(wide, Extent.VALID, null, -1, two)), "the size does not matter");
		assertTrue(plain.compatible(layout(Extent.VALID, null, region(4, 0, 2, 2))), "the first lag does not matter");
		assertFalse(plain.compatible(layout(Extent.VALID, null, region(2, 2, 3, 2))), "more lags");
		assertTrue(mirror.compatible(layout(Extent.SAME, Border.MIRROR, two)));
		assertFalse(mirror.compatible(layout(wide, Extent.SAME, Border.MIRROR, -1, two)), "a wider border");
		assertFalse(mirror.compatible(layout(Extent.SAME, Border.MIRROR, region(4, 2, 2, 2))), "another part of the border");
		assertFalse(mirror.compatible(layout(Extent.SAME, Border.EDGE, two)), "another border");
		assertFalse(layout(Extent.SAME, null, region(0, 2, 5, 2)).compatible(layout(Extent.SAME, null, region(1, 2, 4, 2))), "another place");
		assertFalse(layout(Extent.FULL, null, two).compatible(layout(Extent.FULL, null, region(-1, 2, 2, 2))), "beyond the image");
		assertFalse(layout(TEMPLATE, Extent.FULL, null, 0.2, two).compatible(layout(TEMPLATE, Extent.FULL, null, 0.3, two)), "another overlap");
		assertTrue(plain.congruent(layout(Extent.SAME, null, two)));
		assertFalse(plain.congruent(layout(Extent.VALID, null, region(2, 1, 2, 2))));
		assertFalse(plain.congruent(layout(Extent.VALID, null, region(2, 2, 2, 1))));
	}

	@Test
	void templatesWithTheSameLagsAndWeightsAreABank() {
		final Interval two = region(2, 1, 4, 2);
		final Template t = new Template(TEMPLATE, PixelType.U8, new double[15], null);
		final double[] half = new double[15];
		Arrays.fill(half, 0.5);
		final Template weighted = new Template(TEMPLATE, PixelType.U8, new double[15], half);
		final ResponseLayout small = layout(Extent.VALID, null, two), large = layout(Extent.VALID, null, region(2, 1, 4, 3));
		final List<TemplateBank> banks = TemplateBank.of(List.of(t, weighted, t, t), List.of(small, small, large, small));
		assertEquals("[0, 3] [1] [2]", Arrays.toString(banks.get(0).indices()) + " " + Arrays.toString(banks.get(1).indices()) + " "
			+ Arrays.toString(banks.get(2).indices()));
		assertEquals(16, banks.get(0).responses());
		assertEquals(0, TemplateBank.of(List.of(t), List.of(layout(Extent.SAME, null, region(0, 0, 5, 2)))).get(0).responses());
		final LagBox box = banks.get(0).lagBox(new long[][] { { 1, 1 }, { 3, 1 } });
		assertArrayEquals(new long[][] { { 3, 2 }, { 3, 2 } }, box.origins());
		assertArrayEquals(new int[] { 3, 1 }, box.size());
		final Windows p = banks.get(0).windows(PixelType.U16, Precision.SINGLE, 2, BoxGrid.of(small.lags, 4));
		assertEquals(new Windows(PixelType.U16, PixelType.U8, Size.of(IMAGE), List.of(TEMPLATE, TEMPLATE), Lags.inside(Size.of(4, 1)), 4, Precision.SINGLE,
			new Windows.Cut(Size.of(4, 2), 2)), p);
		assertArrayEquals(IMAGE, banks.get(0).pixels(ArrayImgs.unsignedBytes(10, 8), 0).size());
	}

	private static void refuses(final String part, final Runnable call) {
		final String message = assertThrows(IllegalArgumentException.class, call::run).getMessage();
		assertTrue(message.contains(part), message);
	}
}
