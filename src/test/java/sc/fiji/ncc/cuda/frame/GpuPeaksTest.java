package sc.fiji.ncc.cuda.frame;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.plan.shift.PairPeaks;
import sc.fiji.ncc.plan.shift.ShiftRange;

/** What the kernels write, as peaks. */
class GpuPeaksTest {

	private static final int SIDE = 30_000, MOST = 29_999;
	private static final int[] SIZE = { SIDE, SIDE, 1 };
	private static final FrameRange RANGE = new FrameRange(SIZE, SIZE,
		new ShiftRange(new int[] { -MOST, -MOST, 0 }, new int[] { MOST, MOST, 0 }, 100), true, false);

	private static PairPeaks peak(final int x, final int y) {
		final ByteBuffer found = ByteBuffer.allocate(GpuPeaks.FOUND).order(ByteOrder.nativeOrder());
		final long index = (long) (y + MOST) * (2 * MOST + 1) + x + MOST;
		found.putLong((Float.floatToRawIntBits(0.5f) ^ 0x80000000L) << 32 | ~index & 0xffff_ffffL);
		return GpuPeaks.read(found, null, 0, new GpuFrames.Chunks(1, 1, 1, 1, false), RANGE, 1);
	}

	@Test
	void rangesOfMoreThanTwoToThe31LagsHaveTheirPeaks() {
		for (final int[] lag : new int[][] { { 0, 0, 0 }, { -700, -20_000, 0 }, { 100, 8000, 0 }, { -29_000, 29_998, 0 } }) {
			final PairPeaks.Place place = peak(lag[0], lag[1]).best();
			assertArrayEquals(lag, place.lag());
			assertEquals(0.5, place.score());
		}
	}
}
