package sc.fiji.ncc.motion;

import java.util.Random;
import java.util.function.UnaryOperator;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.array.ArrayImgs;

/**
 * Two images of particles with a known motion, as in particle image velocimetry. Each particle is a Gaussian, and a
 * pixel is the mean over its area. Motions are centred: a particle near x lies at {@code x − u(x) / 2}
 * in the first image and at {@code x + u(x) / 2} in the second one. The same arguments make the same images.
 *
 * @param size the extents of an image in pixels; two or three dimensions
 * @param density the number of particles for each pixel
 * @param diameter of a particle where its brightness is exp(−2) of the greatest, in pixels
 * @param noise the standard deviation of the noise of a pixel, as a share of the brightness of a particle
 * @param loss the share of particles that are replaced by others in the second image
 * @param bits 8 or 16, of a pixel
 * @param seed of the random numbers
 */
public record ParticlePair(long[] size, double density, double diameter, double noise, double loss, int bits, long seed) {

	/** The brightness of a particle in an image of 8 bits, and of the background. */
	private static final double PARTICLE = 160, BACKGROUND = 20;
	/** The largest distance from a particle, in standard deviations, at which it has an effect. */
	private static final double RADIUS = 4.5;
	/** The integral over a pixel along one dimension, by Gauss and Legendre. */
	private static final double[] NODES = { -Math.sqrt(0.15), 0, Math.sqrt(0.15) }, WEIGHTS = { 5.0 / 18, 8.0 / 18, 5.0 / 18 };

	/** Particles of 2.5 pixels, 0.05 for each pixel, with 2 % noise, 5 % loss and 8 bits. */
	public static ParticlePair of(final long... size) {
		return new ParticlePair(size, 0.05, 2.5, 0.02, 0.05, 8, 1);
	}

	public ParticlePair density(final double other) {
		return new ParticlePair(size, other, diameter, noise, loss, bits, seed);
	}

	public ParticlePair diameter(final double other) {
		return new ParticlePair(size, density, other, noise, loss, bits, seed);
	}

	public ParticlePair noise(final double other) {
		return new ParticlePair(size, density, diameter, other, loss, bits, seed);
	}

	public ParticlePair loss(final double other) {
		return new ParticlePair(size, density, diameter, noise, other, bits, seed);
	}

	public ParticlePair bits(final int other) {
		return new ParticlePair(size, density, diameter, noise, loss, other, seed);
	}

	public ParticlePair seed(final long other) {
		return new ParticlePair(size, density, diameter, noise, loss, bits, other);
	}

	/**
	 * A vortex of Rankine: it turns like a solid body inside its core, and its speed falls with the distance outside.
	 *
	 * @param centre in pixels
	 * @param core the radius of the core in pixels
	 * @param speed the largest motion, at the radius of the core, in pixels
	 */
	public static UnaryOperator<double[]> vortex(final double[] centre, final double core, final double speed) {
		return x -> {
			final double dx = x[0] - centre[0], dy = x[1] - centre[1], square = dx * dx + dy * dy;
			final double turn = speed / (square < core * core ? core : square / core);
			final double[] u = new double[x.length];
			u[0] = -turn * dy;
			u[1] = turn * dx;
			return u;
		};
	}

	/**
	 * The two images.
	 *
	 * @param motion the motion at a position, in pixels
	 */
	public RandomAccessibleInterval<?>[] images(final UnaryOperator<double[]> motion) {
		final Random random = new Random(seed);
		final int n = size.length;
		// particles beyond the border move inwards
		final double border = 24;
		double volume = 1;
		int pixels = 1;
		for (final long s : size) {
			volume *= s + 2 * border;
			pixels = Math.toIntExact(pixels * s);
		}
		final double[][] images = new double[2][pixels];
		final int particles = (int) Math.round(density * volume);
		for (int p = 0; p < particles; p++) {
			final double[] x = place(random, border), u = motion.apply(x), at = new double[n];
			final double height = 0.6 + 0.4 * random.nextDouble();
			for (int i = 0; i < 2; i++) {
				for (int d = 0; d < n; d++) at[d] = x[d] + (i - 0.5) * u[d];
				if (i == 0 || random.nextDouble() >= loss) add(images[i], at, height);
				else add(images[i], place(random, border), height);
			}
		}
		return new RandomAccessibleInterval<?>[] { digital(images[0], random), digital(images[1], random) };
	}

	private double[] place(final Random random, final double border) {
		final double[] x = new double[size.length];
		for (int d = 0; d < x.length; d++) x[d] = random.nextDouble() * (size[d] + 2 * border) - border;
		return x;
	}

	private void add(final double[] image, final double[] at, final double height) {
		final double sigma = diameter / 4;
		final int n = size.length;
		final int[] first = new int[n], last = new int[n];
		for (int d = 0; d < n; d++) {
			first[d] = (int) Math.max(0, Math.ceil(at[d] - RADIUS * sigma));
			last[d] = (int) Math.min(size[d] - 1, Math.floor(at[d] + RADIUS * sigma));
			if (first[d] > last[d]) return;
		}
		final double[][] profile = new double[n][];
		for (int d = 0; d < n; d++) {
			profile[d] = new double[last[d] - first[d] + 1];
			for (int i = 0; i < profile[d].length; i++)
				for (int k = 0; k < NODES.length; k++) profile[d][i] += WEIGHTS[k] * StrictMath.exp(-0.5 * square((first[d] + i + NODES[k] - at[d]) / sigma));
		}
		final int planes = n > 2 ? profile[2].length : 1;
		for (int z = 0; z < planes; z++)
			for (int y = 0; y < profile[1].length; y++) {
				final double scale = height * profile[1][y] * (n > 2 ? profile[2][z] : 1);
				final long row = ((n > 2 ? first[2] + z : 0) * size[1] + first[1] + y) * size[0] + first[0];
				for (int x = 0; x < profile[0].length; x++) image[(int) row + x] += scale * profile[0][x];
			}
	}

	private static double square(final double x) {
		return x * x;
	}

	private RandomAccessibleInterval<?> digital(final double[] image, final Random random) {
		final double scale = bits == 8 ? 1 : 256, most = bits == 8 ? 255 : 65535;
		final short[] wide = new short[image.length];
		for (int i = 0; i < image.length; i++) {
			final double value = BACKGROUND + PARTICLE * (image[i] + noise * random.nextGaussian());
			wide[i] = (short) Math.rint(Math.max(0, Math.min(most, scale * value)));
		}
		if (bits != 8) return ArrayImgs.unsignedShorts(wide, size);
		final byte[] bytes = new byte[wide.length];
		for (int i = 0; i < bytes.length; i++) bytes[i] = (byte) wide[i];
		return ArrayImgs.unsignedBytes(bytes, size);
	}
}
