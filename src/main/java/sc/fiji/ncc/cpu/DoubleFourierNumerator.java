package sc.fiji.ncc.cpu;

import java.util.Arrays;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;

/** {@link FourierNumerator} in double, for tiles of one z: the second look where float does not hold. */
final class DoubleFourierNumerator implements Numerator {

	private final TemplatePlanes planes;
	private final DoubleTileFft fft;
	private final int stepX, stepY;
	private final double[][] templateRe, templateIm, re, im, spectrumRe, spectrumIm;
	private final double[][] numerators;
	private final double[] least;
	private double noise;
	private int lagsX, lagsY;

	/**
	 * @param size of a block along x, y and z: extents that suit {@link TileFft} and hold the template
	 * @param mostLags the most lags of a tile along x and y
	 */
	DoubleFourierNumerator(final TemplatePlanes planes, final double[] zeroMean, final int[] size, final int[] mostLags) {
		this.planes = planes;
		fft = new DoubleTileFft(size[0], size[1], size[2]);
		stepX = fft.width - planes.width + 1;
		stepY = fft.height - planes.height + 1;
		re = fft.allocateRows();
		im = fft.allocateRows();
		spectrumRe = fft.allocateSpectrum();
		spectrumIm = fft.allocateSpectrum();
		templateRe = fft.allocateSpectrum();
		templateIm = fft.allocateSpectrum();
		for (int i = 0; i < zeroMean.length; i++) {
			final int x = i % planes.width, y = i / planes.width % planes.height, z = i / (planes.width * planes.height);
			re[z * fft.height + y][x] = zeroMean[i];
		}
		fft.forward(re, im, templateRe, templateIm);
		for (final double[] row : templateRe) scale(row, 1.0 / fft.points());
		for (final double[] row : templateIm) scale(row, -1.0 / fft.points());
		numerators = new double[mostLags[1]][mostLags[0]];
		least = new double[mostLags[0]];
	}

	private static void scale(final double[] a, final double s) {
		for (int x = 0; x < a.length; x++) a[x] *= s;
	}

	@Override
	public void begin(final TileReader[] readers, final TileScale scale, final int lagsX, final int lagsY, final int lagsZ,
		final BooleanSupplier stop)
	{
		this.lagsX = lagsX;
		this.lagsY = lagsY;
		final int columns = (lagsX + stepX - 1) / stepX, count = columns * ((lagsY + stepY - 1) / stepY);
		double energy = 0;
		for (int b = 0; b < count; b += 2) {
			if (stop.getAsBoolean()) throw new CancellationException("canceled");
			final double a = load(readers, scale, b % columns * stepX, b / columns * stepY, re);
			double c = 0;
			if (b + 1 < count) c = load(readers, scale, (b + 1) % columns * stepX, (b + 1) / columns * stepY, im);
			else for (final double[] row : im) Arrays.fill(row, 0);
			energy = Math.max(energy, a + c);
			fft.forward(re, im, spectrumRe, spectrumIm);
			for (int k = 0; k < spectrumRe.length; k++)
				multiply(spectrumRe[k], spectrumIm[k], templateRe[k], templateIm[k], spectrumRe[k].length);
			fft.inverse(spectrumRe, spectrumIm, re, im);
			store(re, b % columns * stepX, b / columns * stepY);
			if (b + 1 < count) store(im, (b + 1) % columns * stepX, (b + 1) / columns * stepY);
		}
		// 64: the factor and the logarithm of the float estimate; its terms for rows and columns at their worst, which is √N
		noise = 64 * Math.sqrt(planes.width * (double) planes.height * planes.count) * Tolerance.EPS_DOUBLE
			* Math.sqrt(energy / fft.points()) / Tolerance.RESPONSE;
	}

	/** The energy of the pixels. */
	private double load(final TileReader[] readers, final TileScale scale, final int x0, final int y0, final double[][] to) {
		final int width = Math.min(fft.width, lagsX + planes.width - 1 - x0), height = Math.min(fft.height, lagsY + planes.height - 1 - y0);
		double energy = 0;
		for (int z = 0; z < fft.depth; z++)
			for (int y = 0; y < fft.height; y++) {
				final double[] row = to[z * fft.height + y];
				Arrays.fill(row, 0);
				if (z >= planes.count || y >= height) continue;
				readers[z].row(y0 + y, x0, width, scale, row);
				for (int x = 0; x < width; x++) energy += row[x] * row[x];
			}
		return energy;
	}

	private void store(final double[][] from, final int x0, final int y0) {
		for (int y = 0; y < Math.min(stepY, lagsY - y0); y++)
			System.arraycopy(from[y], 0, numerators[y0 + y], x0, Math.min(stepX, lagsX - x0));
	}

	// the template's spectrum is conjugate already
	private static void multiply(final double[] re, final double[] im, final double[] c, final double[] d, final int n) {
		for (int x = 0; x < n; x++) {
			final double a = re[x], b = im[x];
			re[x] = a * c[x] - b * d[x];
			im[x] = a * d[x] + b * c[x];
		}
	}

	@Override
	public void add(final int z, final int row, final int y0, final int y1) {}

	@Override
	public void finish(final int z, final int y, final float[] to) {
		Rows.toFloat(numerators[y], to, lagsX);
		Arrays.fill(least, 0, lagsX, noise * noise);
	}

	@Override
	public void finish(final int z, final int y, final double[] to) {
		System.arraycopy(numerators[y], 0, to, 0, lagsX);
		Arrays.fill(least, 0, lagsX, noise * noise);
	}

	@Override
	public double limit() {
		return Tolerance.DOUBLE_LIMIT;
	}

	@Override
	public double partialLimit(final double share) {
		return limit() * share;
	}

	@Override
	public double floor() {
		return Tolerance.FLOOR;
	}

	@Override
	public double[] leastVariance() {
		return least;
	}
}
