package sc.fiji.ncc.bench;

import java.util.Random;

/** Images to correlate: noise of a limited band, so that neighbouring pixels resemble each other as they do in a photograph. */
public final class Texture {

	private static final double MEAN = 128, DEVIATION = 40;

	private Texture() {}

	/** Fine and coarse blobs with a mean of 128 and a standard deviation of about 40, cut off at 0 and 255; x fastest. */
	public static float[] blobs(final int width, final int height, final long seed) {
		return blobs(new int[] { width, height }, seed);
	}

	/** The same in any number of dimensions. */
	public static float[] blobs(final int[] size, final long seed) {
		final Random random = new Random(seed);
		int pixels = 1;
		for (final int n : size) pixels *= n;
		final float[] fine = noise(pixels, random), coarse = noise(pixels, random);
		blur(fine, size, 1);
		blur(coarse, size, 6);
		final double a = deviation(fine), b = deviation(coarse);
		final float[] sum = new float[pixels];
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

	/** Three running means of {@code 2·radius + 1} pixels along each axis, the image taken as periodic: nearly a Gaussian. */
	private static void blur(final float[] image, final int[] size, final int radius) {
		for (int pass = 0; pass < 3; pass++)
			for (int d = 0, step = 1; d < size.length; step *= size[d++])
				for (int i = 0; i < image.length; i++)
					if (i / step % size[d] == 0) runningMean(image, i, step, size[d], radius);
	}

	private static void runningMean(final float[] image, final int from, final int step, final int n, final int radius) {
		final float[] line = new float[n];
		for (int i = 0; i < n; i++) line[i] = image[from + i * step];
		double sum = 0;
		for (int i = -radius; i <= radius; i++) sum += line[Math.floorMod(i, n)];
		for (int i = 0; i < n; i++) {
			image[from + i * step] = (float) (sum / (2 * radius + 1));
			sum += line[Math.floorMod(i + radius + 1, n)] - line[Math.floorMod(i - radius, n)];
		}
	}
}
