package sc.fiji.ncc.cpu;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;

/** {@link FourierNumerator} in double, for tiles of one z: the second look where float does not hold. */
final class DoubleFourierNumerator implements Numerator {

	private final DoubleTileFft fft;
	private final TemplatePlanes planes;
	private final List<double[]> zeroMeans;
	/** Of each template, once it is needed. */
	private final Spectrum[] templates;
	private final BlockGrid grid;
	private final double[][] re, im, spectrumRe, spectrumIm;
	/** With a mask the spectrum's product with the template, while the spectrum is still wanted. */
	private final double[][] productRe, productIm;
	private final double[][] numerators;
	private final double[] least;
	private final Moments moments;
	/** The factor of the float estimate with its logarithm, and its terms for rows and columns at their worst, which is √N; in tolerances. */
	private final double unit;
	private TileReader[] readers;
	private TileScale scale;
	private BooleanSupplier stop;

	/** A template's spectrum, or a mask's, conjugate and scaled. */
	private static final class Spectrum {

		final double[][] re, im;
		final double norm;

		Spectrum(final DoubleTileFft fft, final TemplatePlanes planes, final double[] coefficients) {
			final double[][] rowsRe = fft.allocateRows(), rowsIm = fft.allocateRows();
			double energy = 0;
			for (int i = 0; i < coefficients.length; i++) {
				final int x = i % planes.width, y = i / planes.width % planes.height, z = i / (planes.width * planes.height);
				rowsRe[z * fft.height + y][x] = coefficients[i];
				energy += coefficients[i] * coefficients[i];
			}
			norm = Math.sqrt(energy);
			re = fft.allocateSpectrum();
			im = fft.allocateSpectrum();
			fft.forward(rowsRe, rowsIm, re, im);
			for (final double[] row : re) scale(row, 1.0 / fft.points());
			for (final double[] row : im) scale(row, -1.0 / fft.points());
		}

		private static void scale(final double[] a, final double s) {
			for (int x = 0; x < a.length; x++) a[x] *= s;
		}

		void multiply(final double[][] re, final double[][] im) {
			for (int k = 0; k < re.length; k++) multiply(re[k], im[k], this.re[k], this.im[k], re[k].length);
		}

		private static void multiply(final double[] re, final double[] im, final double[] c, final double[] d, final int n) {
			for (int x = 0; x < n; x++) {
				final double a = re[x], b = im[x];
				re[x] = a * c[x] - b * d[x];
				im[x] = a * d[x] + b * c[x];
			}
		}
	}

	/**
	 * @param size of a block along x, y and z: extents that suit {@link TileFft} and hold the template
	 * @param weights those of the templates, if the moments are to come along; else null
	 * @param n the sum of the weights
	 * @param mostLags the most lags of a tile along x and y
	 */
	DoubleFourierNumerator(final TemplatePlanes planes, final List<double[]> zeroMeans, final double[] weights, final double n, final int[] size,
		final int[] mostLags)
	{
		fft = new DoubleTileFft(size[0], size[1], size[2]);
		grid = new BlockGrid(planes, size, new int[] { mostLags[0], mostLags[1], 1 });
		this.planes = planes;
		this.zeroMeans = zeroMeans;
		templates = new Spectrum[zeroMeans.size()];
		re = fft.allocateRows();
		im = fft.allocateRows();
		spectrumRe = fft.allocateSpectrum();
		spectrumIm = fft.allocateSpectrum();
		productRe = weights == null ? spectrumRe : fft.allocateSpectrum();
		productIm = weights == null ? spectrumIm : fft.allocateSpectrum();
		numerators = new double[mostLags[1]][mostLags[0]];
		least = new double[mostLags[0]];
		unit = 64 * Math.sqrt(zeroMeans.get(0).length) * Tolerance.EPS_DOUBLE / Tolerance.RESPONSE;
		moments = weights == null ? null : new Moments(new Spectrum(fft, planes, weights), n, mostLags);
	}

	@Override
	public WindowMoments moments() {
		return moments;
	}

	@Override
	public void begin(final TileReader[] readers, final TileScale scale, final int lagsX, final int lagsY, final int lagsZ,
		final BooleanSupplier stop)
	{
		this.readers = readers;
		this.scale = scale;
		this.stop = stop;
		grid.begin(lagsX, lagsY, 1);
	}

	@Override
	public void select(final int index) {
		if (templates[index] == null) templates[index] = new Spectrum(fft, planes, zeroMeans.get(index));
		final Spectrum template = templates[index];
		double energy = 0, energyOfSquares = 0;
		for (int b = 0; b < grid.blocks; b += 2) {
			if (stop.getAsBoolean()) throw new CancellationException("canceled");
			energy = Math.max(energy, forward(readers, scale, b, false));
			if (moments != null) {
				copy(spectrumRe, productRe);
				copy(spectrumIm, productIm);
			}
			correlate(productRe, productIm, template, numerators, b);
			if (moments == null) continue;
			correlate(spectrumRe, spectrumIm, moments.mask, moments.sums, b);
			energyOfSquares = Math.max(energyOfSquares, forward(readers, scale, b, true));
			correlate(spectrumRe, spectrumIm, moments.mask, moments.energies, b);
		}
		Arrays.fill(least, 0, grid.lagsX, Math.pow(error(energy), 2));
		if (moments != null) {
			moments.sumError = moments.mask.norm * error(energy);
			moments.energyError = moments.mask.norm * error(energyOfSquares);
		}
	}

	/** The estimated error of a sum in tolerances, over the norm of its coefficients. */
	private double error(final double energy) {
		return unit * Math.sqrt(energy / fft.points());
	}

	/** Transforms the pixels of a pair of blocks, or their squares; returns the energy. */
	private double forward(final TileReader[] readers, final TileScale scale, final int block, final boolean squared) {
		double energy = load(readers, scale, block, squared, re);
		if (block + 1 < grid.blocks) energy += load(readers, scale, block + 1, squared, im);
		else for (final double[] row : im) Arrays.fill(row, 0);
		fft.forward(re, im, spectrumRe, spectrumIm);
		return energy;
	}

	/** From a spectrum, which it overwrites, to the sums of a pair of blocks. */
	private void correlate(final double[][] fromRe, final double[][] fromIm, final Spectrum with, final double[][] to, final int block) {
		with.multiply(fromRe, fromIm);
		fft.inverse(fromRe, fromIm, re, im);
		store(re, block, to);
		if (block + 1 < grid.blocks) store(im, block + 1, to);
	}

	private static void copy(final double[][] from, final double[][] to) {
		for (int k = 0; k < from.length; k++) System.arraycopy(from[k], 0, to[k], 0, from[k].length);
	}

	private double load(final TileReader[] readers, final TileScale scale, final int block, final boolean squared, final double[][] to) {
		final int width = grid.columns(block), height = grid.rows(block), depth = grid.planes(block);
		double energy = 0;
		for (int z = 0; z < fft.depth; z++)
			for (int y = 0; y < fft.height; y++) {
				final double[] row = to[z * fft.height + y];
				Arrays.fill(row, 0);
				if (z >= depth || y >= height) continue;
				readers[z].row(grid.y(block) + y, grid.x(block), width, scale, row);
				if (squared) Rows.square(row, row, width);
				for (int x = 0; x < width; x++) energy += row[x] * row[x];
			}
		return energy;
	}

	private void store(final double[][] from, final int block, final double[][] to) {
		final int x0 = grid.x(block), y0 = grid.y(block);
		for (int y = 0; y < Math.min(grid.stepY, grid.lagsY - y0); y++)
			System.arraycopy(from[y], 0, to[y0 + y], x0, Math.min(grid.stepX, grid.lagsX - x0));
	}

	@Override
	public void add(final int z, final int row, final int y0, final int y1) {}

	@Override
	public void finish(final int z, final int y, final float[] to) {
		Rows.toFloat(numerators[y], to, grid.lagsX);
	}

	@Override
	public void finish(final int z, final int y, final double[] to) {
		System.arraycopy(numerators[y], 0, to, 0, grid.lagsX);
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

	/** {@link FourierMoments} in double, where the tile's scale is reference enough. */
	private final class Moments implements WindowMoments {

		final Spectrum mask;
		final double[][] sums, energies;
		private final double n;
		private final double[] least;
		/** In tolerances. */
		double sumError, energyError;

		Moments(final Spectrum mask, final double n, final int[] mostLags) {
			this.mask = mask;
			this.n = n;
			sums = new double[mostLags[1]][mostLags[0]];
			energies = new double[mostLags[1]][mostLags[0]];
			least = new double[mostLags[0]];
		}

		@Override
		public void begin(final TileReader[] planes, final TileScale scale, final int lagsX, final int lagsY, final int lagsZ,
			final BooleanSupplier stop)
		{}

		@Override
		public void add(final int z, final int row, final int y0, final int y1) {}

		@Override
		public void finish(final int z, final int y, final double[] sums, final double[] energies) {
			System.arraycopy(this.sums[y], 0, sums, 0, grid.lagsX);
			System.arraycopy(this.energies[y], 0, energies, 0, grid.lagsX);
			for (int x = 0; x < grid.lagsX; x++) least[x] = partialLeastVariance(x, sums[x], n);
		}

		@Override
		public double floor() {
			return 0;
		}

		@Override
		public double[] leastVariance() {
			return least;
		}

		@Override
		public double partialLeastVariance(final int x, final double sum, final double weight) {
			return (energyError + 2 * Math.abs(sum / weight) * sumError) / 2;
		}

		@Override
		public double sumError(final int x) {
			return sumError;
		}
	}
}
