package sc.fiji.ncc.plan;

import sc.fiji.ncc.fixture.Problems;
import sc.fiji.ncc.plan.Sliding.Correlation;
import sc.fiji.ncc.plan.Sliding.Windows;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import org.junit.jupiter.api.Test;

class ProblemTest {

	/** The text stays short for hundreds of rotated templates, and complete, because it is a key of the wisdom. */
	@Test
	void theTextCountsTemplatesOfEqualSize() {
		final List<Size> many = new ArrayList<>(Collections.nCopies(72, Size.of(5, 4)));
		assertEquals("[72 of 5x4]", sizes(many));
		many.add(Size.of(6, 6));
		many.add(Size.of(5, 4));
		assertEquals("[72 of 5x4, 6x6, 5x4]", sizes(many));
		assertEquals("[5x4]", sizes(List.of(Size.of(5, 4))));
		assertEquals("[2 of 5x4]", sizes(List.of(Size.of(5, 4), Size.of(5, 4))));
	}

	private static String sizes(final List<Size> templates) {
		final String text = Problems.correlation(PixelType.U8, PixelType.U8, Size.of(64, 48), templates, Weights.NONE, Lags.inside(Size.of(59, 43)), 1).toString();
		return text.substring(text.indexOf('['), text.indexOf(']') + 1);
	}

	/** The text of a problem is its key: every component is in it, and usual values are left out. */
	@Test
	void everyComponentIsInTheText() {
		final FramePairs plain = new FramePairs(PixelType.U16, Size.of(64, 48), Size.of(64, 48), List.of(), 0.3334, false, 1, 1, true, 2, 1);
		assertEquals("shifts of 2 U16 frames of 64x48, 1 pair, overlap at least 0.333", plain.toString());
		assertEquals("shifts of 9 F32 frames of 64x48 and 50x40, 8 pairs, up to 7x5 pixels, overlap at least 0.5, masked, "
			+ "each pixel of 4 values, 3 peaks, whole pixels",
			new FramePairs(PixelType.F32, Size.of(64, 48), Size.of(50, 40), List.of(7L, 5L), 0.5, true, 4, 3, false, 9, 8).toString());
		final Correlation correlation = Problems.correlation(PixelType.U8, PixelType.F32, Size.of(64, 48), List.of(Size.of(5, 4)), Weights.NONE,
			Lags.inside(Size.of(60, 45)), 1);
		assertEquals("U8 image 64x48, template F32 [5x4], 60x45 lags, 1 frame", correlation.toString());
		assertEquals("in double precision U8 image 64x48, template F32 [5x4], 60x45 lags, 1 frame", Problems.in(Precision.DOUBLE, correlation).toString());
		assertEquals("U8 image 64x48, template F32 [5x4], 60x45 lags, 1 frame, 3 channels together", correlation.of(3).toString());
		assertTrue(Problems.convolution(correlation, 2).toString().contains(", kernel F32 [5x4], 60x45 lags"), Problems.convolution(correlation, 2).toString());
	}

	/** As many pairs for each frame, at least one. A pixel of several values takes 5 ns for each. */
	@Test
	void otherNumbersOfFrames() {
		final FramePairs pairs = new FramePairs(PixelType.U16, Size.of(64, 48), Size.of(64, 48), List.of(), 0.3, false, 4, 1, true, 10, 30);
		assertEquals(60, pairs.of(20).pairs());
		assertEquals(3, pairs.of(1).pairs());
		assertEquals(1, new FramePairs(PixelType.U16, Size.of(64, 48), Size.of(64, 48), List.of(), 0.3, false, 1, 1, true, 10, 2).of(1).pairs());
		assertEquals(20e-9, pairs.computing(), 1e-18);
		assertEquals(0, new FramePairs(PixelType.U16, Size.of(64, 48), Size.of(64, 48), List.of(), 0.3, false, 1, 1, true, 10, 2).computing());
		assertArrayEquals(new long[] { Integer.MAX_VALUE, Integer.MAX_VALUE, 0 }, pairs.maxShifts());
		assertThrows(IllegalArgumentException.class, () -> new FramePairs(PixelType.U16, Size.of(64, 48), Size.of(64, 48), List.of(3L), 0.3, false, 1, 1, true,
			10, 2));
		assertThrows(IllegalArgumentException.class, () -> new FramePairs(PixelType.U16, Size.of(64, 48), Size.of(64, 48, 2), List.of(), 0.3, false, 1, 1, true,
			10, 2));
	}

	/** A part of the lags needs a smaller image, of at least one pixel. */
	@Test
	void aPartOfTheLags() {
		final Correlation inside = Problems.correlation(PixelType.U8, PixelType.U8, Size.of(64, 48), List.of(Size.of(5, 4)), Weights.NONE,
			Lags.inside(Size.of(60, 45)), 9);
		final Correlation part = inside.with(inside.windows().part(Size.of(20, 45), 2));
		assertEquals(Size.of(24, 48), part.size());
		assertEquals(Size.of(20, 45), part.lags().count());
		assertEquals(2, part.frames());
		final Correlation beyond = Problems.correlation(PixelType.U8, PixelType.U8, Size.of(10, 10), List.of(Size.of(30, 30)), Weights.NONE,
			new Lags(Size.of(39, 39), true, 0.3), 1);
		assertEquals(Size.of(1, 10), beyond.windows().part(Size.of(20, 39), 1).size());
		final Windows windows = inside.windows(), boxes = new Windows(windows.image(), windows.template(), windows.size(), windows.templates(),
			Lags.inside(Size.of(60, 15)), 27, windows.precision(), new Windows.Cut(Size.of(60, 45), 3));
		assertTrue(inside.with(boxes).toString().endsWith("60x45 lags, 9 frames, each in 3 parts of up to 60x15 lags"), inside.with(boxes)::toString);
		assertSame(boxes, boxes.part(Size.of(60, 15), 27), "all of it");
		assertTrue(inside.with(boxes.part(Size.of(60, 15), 2)).toString().endsWith("60x15 lags, 2 frames"));
	}

	/** Equal pixels have no contrast: of one channel, of each of several, and under a mask. The message has the value. */
	@Test
	void flatTemplatesAreRefused() {
		final Template one = new Template(Size.of(2, 2), PixelType.U8, new double[] { 7, 7, 7, 7 }, null);
		final Template masked = new Template(Size.of(2, 2), PixelType.U8, new double[] { 1, 7, 7, 9 }, new double[] { 0, 1, 2, 0 });
		final Template channels = new Template(Size.of(2, 2), PixelType.U8, new double[] { 1, 1, 1, 1, 2, 2, 2, 2 }, null, 2);
		assertEquals("the template of 2x2 is flat: all its pixels equal 7.0, so its correlation is undefined; choose a template with contrast",
			assertThrows(IllegalArgumentException.class, one::requireContrast).getMessage());
		assertEquals("the template of 2x2 is flat: all its pixels under the mask equal 7.0, so its correlation is undefined; choose a template with contrast",
			assertThrows(IllegalArgumentException.class, masked::requireContrast).getMessage());
		assertEquals("the template of 2x2 is flat: all its pixels are equal in each of its 2 channels, "
			+ "so its correlation is undefined; choose a template with contrast",
			assertThrows(IllegalArgumentException.class, channels::requireContrast).getMessage());
		new Template(Size.of(2, 2), PixelType.U8, new double[] { 1, 1, 1, 1, 2, 2, 2, 3 }, null, 2).requireContrast();
		new Template(Size.of(2, 2), PixelType.U8, new double[] { 1, 7, 8, 9 }, new double[] { 0, 1, 2, 0 }).requireContrast();
		assertArrayEquals(new double[] { 2, 2, 2, 2 }, channels.channel(1).values());
	}
}
