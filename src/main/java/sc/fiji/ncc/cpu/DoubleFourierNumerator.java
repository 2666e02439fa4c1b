package sc.fiji.ncc.cpu;

import java.util.Arrays;

import org.jtransforms.fft.DoubleFFT_2D;
import org.jtransforms.fft.DoubleFFT_3D;

/** {@link FourierNumerator} in double, by JTransforms, one block at a time: the second look where float does not hold. */
final class DoubleFourierNumerator implements Numerator {

	private final TemplatePlanes planes;
	private final int width, height, depth, stepX, stepY;
	private final double[] spectrum, block;
	private final double mean;
	private final double[][] numerators;
	private final double[] least;
	private double noise;
	private int lagsX, lagsY;

	/**
	 * @param size of a block along x, y and z: powers of two, z at least the template's
	 * @param mostLags the most lags of a tile along x and y
	 */
	DoubleFourierNumerator(final TemplatePlanes planes, final double[] zeroMean, final double n, final int[] size, final int[] mostLags) {
		this.planes = planes;
		width = size[0];
		height = size[1];
		depth = size[2];
		stepX = width - planes.width + 1;
		stepY = height - planes.height + 1;
		spectrum = new double[2 * width * height * depth];
		block = new double[2 * width * height * depth];
		double sum = 0;
		for (int i = 0; i < zeroMean.length; i++) {
			final int x = i % planes.width, y = i / planes.width % planes.height, z = i / (planes.width * planes.height);
			spectrum[2 * ((z * height + y) * width + x)] = zeroMean[i];
			sum += zeroMean[i];
		}
		mean = sum / n;
		transform(spectrum, true);
		numerators = new double[mostLags[1]][mostLags[0]];
		least = new double[mostLags[0]];
	}

	private void transform(final double[] a, final boolean forward) {
		if (depth == 1) {
			final DoubleFFT_2D fft = new DoubleFFT_2D(height, width);
			if (forward) fft.complexForward(a);
			else fft.complexInverse(a, true);
		}
		else {
			final DoubleFFT_3D fft = new DoubleFFT_3D(depth, height, width);
			if (forward) fft.complexForward(a);
			else fft.complexInverse(a, true);
		}
	}

	@Override
	public void begin(final TileReader[] readers, final TileScale scale, final int lagsX, final int lagsY, final int lagsZ) {
		this.lagsX = lagsX;
		this.lagsY = lagsY;
		final double[] row = new double[width];
		double energy = 0;
		for (int y0 = 0; y0 < lagsY; y0 += stepY)
			for (int x0 = 0; x0 < lagsX; x0 += stepX) {
				Arrays.fill(block, 0);
				final int w = Math.min(width, lagsX + planes.width - 1 - x0), h = Math.min(height, lagsY + planes.height - 1 - y0);
				double sum = 0;
				for (int z = 0; z < planes.count; z++)
					for (int y = 0; y < h; y++) {
						readers[z].row(y0 + y, x0, w, scale.reference, scale.factor, row);
						for (int x = 0; x < w; x++) {
							block[2 * ((z * height + y) * width + x)] = row[x];
							sum += row[x] * row[x];
						}
					}
				energy = Math.max(energy, sum);
				transform(block, true);
				multiply();
				transform(block, false);
				for (int y = 0; y < Math.min(stepY, lagsY - y0); y++)
					for (int x = 0; x < Math.min(stepX, lagsX - x0); x++) numerators[y0 + y][x0 + x] = block[2 * (y * width + x)];
			}
		// 64: the factor and the logarithm of the float estimate, and its terms for rows and columns at their worst
		noise = 64 * Math.sqrt(planes.width * (double) planes.height * planes.count) * Tolerance.EPS_DOUBLE
			* Math.sqrt(energy / (block.length / 2)) / Tolerance.RESPONSE;
	}

	/** By the conjugate of the template's spectrum. */
	private void multiply() {
		for (int i = 0; i < block.length; i += 2) {
			final double a = block[i], b = block[i + 1], c = spectrum[i], d = -spectrum[i + 1];
			block[i] = a * c - b * d;
			block[i + 1] = a * d + b * c;
		}
	}

	@Override
	public void add(final int z, final int row, final int y0, final int y1) {}

	@Override
	public void finish(final int z, final int y, final double[] to) {
		System.arraycopy(numerators[y], 0, to, 0, lagsX);
		Arrays.fill(least, 0, lagsX, noise * noise);
	}

	@Override
	public double templateMean() {
		return mean;
	}

	@Override
	public double limit() {
		return Tolerance.DOUBLE_LIMIT;
	}

	@Override
	public double[] leastVariance() {
		return least;
	}
}
