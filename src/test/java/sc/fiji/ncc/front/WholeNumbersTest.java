package sc.fiji.ncc.front;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import net.imglib2.FinalInterval;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

import sc.fiji.ncc.plan.Size;

class WholeNumbersTest {

	@Test
	void numbers() {
		assertArrayEquals(new long[] { 10, -5 }, WholeNumbers.parse(" 10 ,-5").values());
		assertEquals("10,-5", WholeNumbers.parse("10,-5").toString());
		for (final String wrong : new String[] { "", "1,", "1;2", "1 2", "1,2147483648", "1,\uff13", "1,\u0663", "1.0" })
			assertThrows(NumberFormatException.class, () -> WholeNumbers.parse(wrong), wrong);
	}

	@Test
	void sizes() {
		assertEquals(Size.of(20, 30), WholeNumbers.size("20 x 30"));
		assertEquals(Size.of(20, 30, 4), WholeNumbers.size("20X30×4"));
		for (final String wrong : new String[] { "20", "20x", "20x0", "20x-3", "20,30", "20x\uff13" }) assertThrows(NumberFormatException.class, () -> WholeNumbers.size(wrong), wrong);
	}

	@Test
	void boxesAndRegions() {
		assertEqual(FinalInterval.createMinSize(1, 2, 3, 4), WholeNumbers.parse("1,2,3,4").box("search=", 2, "template"));
		assertEqual(FinalInterval.createMinSize(1, 2, 3, 4, 5, 6), WholeNumbers.parse("1,2,3,4,5,6").box("search=", 3, "template"));
		assertEqual(FinalInterval.createMinSize(-1, 2, 3, 4), WholeNumbers.parse("-1,2,3,4").region("--roi "));
		assertEqual(FinalInterval.createMinSize(1, 2, 3, 4, 5, 6), WholeNumbers.parse("1,2,3,4,5,6").region("--roi "));
		refuses("search=1,2,3,4 has 4 numbers, and the kernel has 3 dimensions: give x,y,z,w,h,d", () -> WholeNumbers.parse("1,2,3,4").box("search=", 3, "kernel"));
		refuses("search=1,2,3,0 is empty", () -> WholeNumbers.parse("1,2,3,0").box("search=", 2, "template"));
		refuses("--roi 1,2,3 has 3 numbers", () -> WholeNumbers.parse("1,2,3").region("--roi "));
		refuses("--roi 1,2,0,4 is empty", () -> WholeNumbers.parse("1,2,0,4").region("--roi "));
	}

	@Test
	void distancesFromZero() {
		assertArrayEquals(new long[] { 9, 9, 9 }, WholeNumbers.parse("9").lengths("shift=", 3, 0));
		assertArrayEquals(new long[] { 9, 0 }, WholeNumbers.parse("9,0").lengths("shift=", 2, 0));
		refuses("shift=9,9,9 has 3 numbers, and frames have 2 dimensions: give one number or x,y", () -> WholeNumbers.parse("9,9,9").lengths("shift=", 2, 0));
		refuses("-1 is below 0", () -> WholeNumbers.parse("9,-1").lengths("shift=", 2, 0));
	}

	@Test
	void lengths() {
		assertArrayEquals(new long[] { 4, 4 }, WholeNumbers.lengths("window=", "4", 2, 4));
		refuses("window=3,9: 3 is below 4; give one number or x,y, in pixels from 4", () -> WholeNumbers.parse("3,9").lengths("window=", 2, 4));
		refuses("window=3 is not valid. Give one or 3 whole numbers of pixels from 4, as in 40 or 40,40,10.", () -> WholeNumbers.lengths("window=", "3", 3, 4));
	}

	private static void assertEqual(final FinalInterval expected, final FinalInterval actual) {
		assertArrayEquals(expected.minAsLongArray(), actual.minAsLongArray());
		assertArrayEquals(expected.maxAsLongArray(), actual.maxAsLongArray());
	}

	private static void refuses(final String reason, final Executable call) {
		final String message = assertThrows(IllegalArgumentException.class, call).getMessage();
		assertTrue(message.contains(reason), message);
	}
}
