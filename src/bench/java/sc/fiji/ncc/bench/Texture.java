package sc.fiji.ncc.bench;

import java.util.Random;

/** Pictures to correlate: noise of a limited band, so that neighbouring pixels resemble each other as they do in a photograph. */
public final class Texture {

	private static final double MEAN = 128, DEVIATION = 40;

	private Texture() {}

	/** Fine and coarse blobs with a mean of 128 and a standard deviation of about 40, cut off at 0 and 255; x fastest. */
	public static float[] blobs(final int width, final int height, final long seed) {
		final Random random = new Random(seed);
		final float[] fine = noise(width * height, random), coarse = noise(width * height, random);
		blur(fine, width, height, 1);
		blur(coarse, width, height, 6);
		final double a = deviation(fine), b = deviation(coarse);
		final float[] sum = new float[width * height];
		for (int i = 0; i < sum.length; i++)
			sum[i] = (float) Math.max(0, Math.min(255, MEAN + DEVIATION * Math.sqrt(0.5) * (fine[i] / a + coarse[i] / b)));
		return sum;
	}

	private static float[] noise(final int n, final Random random) {
		final float[] noise = new float[n];
		for (int i = 0; i < n; i++) noise[i] = (float) random.nextGaussian();
		return noise;
	}

	private static double deviation(final float[] zeroMean) {
		double sum = 0;
		for (final float v : zeroMean) sum += v * v;
		return Math.sqrt(sum / zeroMean.length);
	}

	/** Three running means of {@code 2·radius + 1} pixels along each axis, the picture taken as periodic: nearly a Gaussian. */
	private static void blur(final float[] picture, final int width, final int height, final int radius) {
		for (int pass = 0; pass < 3; pass++) {
			for (int y = 0; y < height; y++) runningMean(picture, y * width, 1, width, radius);
			for (int x = 0; x < width; x++) runningMean(picture, x, width, height, radius);
		}
	}

	private static void runningMean(final float[] picture, final int from, final int step, final int n, final int radius) {
		final float[] line = new float[n];
		for (int i = 0; i < n; i++) line[i] = picture[from + i * step];
		double sum = 0;
		for (int i = -radius; i <= radius; i++) sum += line[Math.floorMod(i, n)];
		for (int i = 0; i < n; i++) {
			picture[from + i * step] = (float) (sum / (2 * radius + 1));
			sum += line[Math.floorMod(i + radius + 1, n)] - line[Math.floorMod(i - radius, n)];
		}
	}
}
