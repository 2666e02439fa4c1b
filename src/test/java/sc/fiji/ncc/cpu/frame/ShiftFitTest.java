package sc.fiji.ncc.cpu.frame;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.nio.ShortBuffer;
import java.util.Random;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.fixture.DriftTexture;
import sc.fiji.ncc.plan.PixelType;

class ShiftFitTest {

	private static final int SIDE = 256;
	private static final DriftTexture TEXTURE = new DriftTexture(300, 300, 1.3, 1);

	private static FramePixels frame(final int dx, final int dy, final double photons, final Random random) {
		return FramePixels.of(new int[] { SIDE, SIDE, 1 }, PixelType.U16, ShortBuffer.wrap(DriftTexture.photons(TEXTURE.frame(160 - dx, 160 - dy, SIDE, SIDE), photons, 0.3, random)), null);
	}

	@Test
	void noisyFramesHaveOneSolutionWhateverTheStart() {
		final Random random = new Random(7);
		final ShiftFit fit = new ShiftFit();
		for (int i = 0; i < 40; i++) {
			final int dx = random.nextInt(64) - 32, dy = random.nextInt(64) - 32;
			final FramePixels f = frame(0, 0, 20, random), m = frame(dx, dy, 12, random);
			final int[] lag = { (int) Math.rint(dx / 8.0), (int) Math.rint(dy / 8.0), 0 };
			final ShiftFit.Result a = fit.fit(f, m, lag, new double[] { dx / 8.0 + 0.05, dy / 8.0 - 0.05, 0 });
			final ShiftFit.Result b = fit.fit(f, m, lag, new double[] { dx / 8.0 - 0.05, dy / 8.0 + 0.05, 0 });
			assertNotNull(a, "pair " + i);
			assertNotNull(b, "pair " + i);
			assertArrayEquals(a.shift(), b.shift(), 0.003, "pair " + i);
		}
	}
}
