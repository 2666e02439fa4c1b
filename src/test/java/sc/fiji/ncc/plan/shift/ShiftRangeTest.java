package sc.fiji.ncc.plan.shift;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** The lags of two frames that overlap enough, and the frames that memory holds. */
class ShiftRangeTest {

	private static final long ANY = Integer.MAX_VALUE;

	/** A lag along one dimension leaves at least the share of that dimension: half of 40 and of 30. */
	@Test
	void lagsLeaveTheLeastOverlap() {
		final ShiftRange range = ShiftRange.of(new int[] { 40, 30, 1 }, new int[] { 40, 30, 1 }, new long[] { ANY, ANY, 0 }, 0.5);
		assertArrayEquals(new int[] { -20, -15, 0 }, range.min());
		assertArrayEquals(new int[] { 20, 15, 0 }, range.max());
		assertEquals(600, range.leastPixels());
	}

	/** Of frames of other sizes the common extent counts. The moving frame of 60 columns overlaps the fixed one of 40 from −20 to 40 by half. */
	@Test
	void framesOfOtherSizes() {
		final ShiftRange range = ShiftRange.of(new int[] { 40, 30, 8 }, new int[] { 60, 10, 8 }, new long[] { ANY, ANY, ANY }, 0.5);
		assertArrayEquals(new int[] { -20, -25, -4 }, range.min());
		assertArrayEquals(new int[] { 40, 5, 4 }, range.max());
		assertEquals(0.5 * 40 * 10 * 8, range.leastPixels());
	}

	/** The maximum shift counts where it is smaller; one pixel always overlaps. */
	@Test
	void theMaximumShiftCounts() {
		final ShiftRange range = ShiftRange.of(new int[] { 40, 30, 1 }, new int[] { 40, 30, 1 }, new long[] { 7, ANY, 0 }, 0.001);
		assertArrayEquals(new int[] { -7, -29, 0 }, range.min());
		assertArrayEquals(new int[] { 7, 29, 0 }, range.max());
		// a third of 30 is ten, in spite of rounding
		assertEquals(20, ShiftRange.of(new int[] { 30, 1, 1 }, new int[] { 30, 1, 1 }, new long[] { ANY, 0, 0 }, 1 / 3.0).max()[0]);
		final String reason = assertThrows(IllegalArgumentException.class, () ->
			ShiftRange.of(new int[] { 40, 100, 1 }, new int[] { 40, 10, 1 }, new long[] { 7, -1, 0 }, 1)).getMessage();
		assertTrue(reason.startsWith("the maximum shift is -1 along dimension 1, and frames of 100 and 10 pixels overlap enough only at larger shifts"), reason);
	}

	/** A batch of two frames for each thread fills at most half of the memory; up to four batches are read at once, and twelve frames stay free. */
	@Test
	void memoryDecidesThreadsAndBatches() {
		assertEquals(new ShiftExecution.Capacity(8, 4, 36), ShiftExecution.Capacity.of(100, 8));
		assertEquals(new ShiftExecution.Capacity(8, 4, 64), ShiftExecution.Capacity.of(1000, 8));
		assertEquals(new ShiftExecution.Capacity(8, 2, 13), ShiftExecution.Capacity.of(45, 8));
		assertEquals(new ShiftExecution.Capacity(5, 1, 10), ShiftExecution.Capacity.of(20, 8));
		assertEquals(new ShiftExecution.Capacity(1, 1, 1), ShiftExecution.Capacity.of(3, 8));
		assertEquals(16, ShiftExecution.Capacity.of(100, 8).batch());
	}
}
