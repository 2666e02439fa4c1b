package sc.fiji.ncc.cuda.run;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.fixture.Problems;
import sc.fiji.ncc.plan.Lags;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Weights;

/** Where channels and the mask begin in the memory that is sent. Needs no GPU. */
class SentPixelsTest {

	private static SentPixels of(final boolean masked, final int channels) {
		final Size size = Size.of(20, 10);
		return SentPixels.of(Problems.correlation(PixelType.U16, PixelType.U16, size, List.of(Size.of(4, 3)), Weights.NONE, new Lags(Size.of(17, 8), false, masked,
			0.5), 1).of(channels));
	}

	@Test
	void channelsThenTheMask() {
		final BoxGeometry box = new BoxGeometry(Size.of(4, 3, 1), new long[] { -2, 0, 0 }, new int[] { 10, 5, 1 }, new long[] { 20, 10, 1 }, 16);
		final int pixels = 11 * 7;
		assertEquals(pixels, box.pixels());
		assertEquals(2 * pixels, of(false, 1).bytes(box));
		assertEquals(3 * pixels, of(true, 1).bytes(box));
		final SentPixels three = of(true, 3);
		assertEquals(7 * pixels, three.bytes(box));
		assertEquals(4 * pixels, three.channelOffset(box, 2));
		assertEquals(6 * pixels, three.maskOffset(box));
	}
}
