package sc.fiji.ncc.register;

import java.util.Random;

import net.imglib2.img.array.ArrayImg;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.type.numeric.integer.UnsignedShortType;

/**
 * A sample stack with a known drift: {@value #FRAMES} frames of {@value #SIZE}x{@value #SIZE} pixels with 16 bits, of spots as in a fluorescence microscope. It has
 * photon noise, bleaches to half of its brightness, jumps once, and one frame is blurred. Each call makes the same stack.
 */
public final class DriftSample {

	public static final int FRAMES = 60, SIZE = 256;
	/** The frame before which the stage jumps, and the blurred frame. */
	public static final int JUMP = 25, BLURRED = 40;

	private static final int SPOTS = 220;
	private static final double BACKGROUND = 20, BLUR = 4, BLEACHED = 0.5;

	private DriftSample() {}

	/** The true shifts in pixels, one for each frame; that of the first frame is 0. */
	public static double[][] shifts() {
		final Random random = new Random(20);
		final double[][] shifts = new double[FRAMES][2];
		for (int t = 1; t < FRAMES; t++) {
			shifts[t][0] = shifts[t - 1][0] + 0.25 + 0.15 * random.nextGaussian() + (t == JUMP ? 7 : 0);
			shifts[t][1] = shifts[t - 1][1] - 0.1 + 0.15 * random.nextGaussian() + (t == JUMP ? -4.5 : 0);
		}
		return shifts;
	}

	/** The stack: x, y and frames. */
	public static ArrayImg<UnsignedShortType, ?> stack() {
		final double[][] shifts = shifts();
		final short[] pixels = new short[SIZE * SIZE * FRAMES];
		final Random noise = new Random(22);
		for (int t = 0; t < FRAMES; t++) {
			final double[] frame = frame(shifts[t], t == BLURRED ? BLUR : 0);
			final double brightness = 1 - (1 - BLEACHED) * t / (FRAMES - 1);
			for (int i = 0; i < frame.length; i++) {
				final double mean = BACKGROUND + brightness * frame[i];
				pixels[t * frame.length + i] = (short) Math.max(0, Math.rint(mean + Math.sqrt(mean) * noise.nextGaussian()));
			}
		}
		return ArrayImgs.unsignedShorts(pixels, SIZE, SIZE, FRAMES);
	}

	private static double[] frame(final double[] shift, final double blur) {
		final Random random = new Random(21);
		final double[] frame = new double[SIZE * SIZE];
		for (int s = 0; s < SPOTS; s++) {
			final double x = (1.4 * random.nextDouble() - 0.2) * SIZE + shift[0], y = (1.4 * random.nextDouble() - 0.2) * SIZE + shift[1];
			final double own = 1.3 + 3 * random.nextDouble() * random.nextDouble(), height = 60 + 240 * random.nextDouble();
			final double sigma = Math.hypot(own, blur), peak = height * own * own / (sigma * sigma);
			final int r = (int) Math.ceil(4 * sigma);
			for (int j = Math.max(0, (int) y - r); j <= Math.min(SIZE - 1, (int) y + r); j++)
				for (int i = Math.max(0, (int) x - r); i <= Math.min(SIZE - 1, (int) x + r); i++)
					frame[j * SIZE + i] += peak * Math.exp(-0.5 * ((i - x) * (i - x) + (j - y) * (j - y)) / (sigma * sigma));
		}
		return frame;
	}
}
