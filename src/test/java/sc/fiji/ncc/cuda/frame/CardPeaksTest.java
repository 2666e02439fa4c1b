package sc.fiji.ncc.cuda.frame;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

import org.junit.jupiter.api.Test;

/** What the kernels write, as peaks. */
class CardPeaksTest {

	private static final int SIDE = 30_000, MOST = 29_999;
	private static final FrameRange RANGE = new FrameRange(new int[] { SIDE, SIDE }, new int[] { SIDE, SIDE }, new int[] { -MOST, -MOST }, new int[] { MOST, MOST }, 100);

	private static CardPeaks peak(final int x, final int y) {
		final ByteBuffer found = ByteBuffer.allocate(CardPeaks.FOUND).order(ByteOrder.nativeOrder());
		final long index = (long) (y + MOST) * (2 * MOST + 1) + x + MOST;
		found.putLong((Float.floatToRawIntBits(0.5f) ^ 0x80000000L) << 32 | ~index & 0xffff_ffffL);
		return CardPeaks.read(found, 0, 1, 1, false, RANGE);
	}

	@Test
	void rangesOfMoreThanTwoToThe31LagsHaveTheirPeaks() {
		for (final int[] lag : new int[][] { { 0, 0 }, { -700, -20_000 }, { 100, 8000 }, { -29_000, 29_998 } }) {
			final CardPeaks.Place place = peak(lag[0], lag[1]).places().get(0);
			assertArrayEquals(lag, place.lag());
			assertEquals(0.5, place.score());
		}
	}
}
