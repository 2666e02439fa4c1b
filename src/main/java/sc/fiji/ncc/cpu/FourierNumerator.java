package sc.fiji.ncc.cpu;

import java.util.Arrays;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;

/**
 * Numerators by Fourier transforms of overlapping blocks (overlap-save), in float. Two blocks of real pixels ride in one complex transform,
 * as {@code a + i·b}: the template being real, {@code a⋆T + i·(b⋆T)} comes back. Each block is taken about its own mean.
 * <p>
 * The error of a response is estimated, with margin, from what rounding errors of a transform scale with: forward what {@link SpectralNoise} says of
 * the block, and for the passes back along rows and columns the energy of the row and the column of the result:
 * {@code 8·eps·(noise(block) + √log2(n)·(rms(row) + rms(column))) / (√N·σ·‖T̂‖)}.
 */
final class FourierNumerator implements Numerator {

	private static final double MARGIN = 8;

	private final TemplatePlanes planes;
	private final TileFft fft;
	private final Spectrum template;
	private final int stepX, stepY, stepZ;
	private final float[][] re, im, spectrumRe, spectrumIm;
	/** Numerators of the tile, all its rows of lags. */
	private final float[][] numerators;
	/** Σ of squares of what comes back along each row of lags of a block, and along each column. */
	private final float[] columnEnergy, squares;
	private final double[] rowEnergy;
	/** Σ over the rows of a block, for its mean: one place a column, so that no sum is carried along a row. */
	private final float[] columnSums;
	/** For each block and each of its rows and columns the share of √(least variance) that it adds; blocks along x, y, z. */
	private final double[][] rowNoise, columnNoise;
	private final double[] blockNoise, least, squaredNoise;
	/** From rounding the pixels and the template: errors that do not depend on each other, so that N of them grow with √N. */
	private final double limit;
	private final SpectralNoise noise;
	private int lagsX, lagsY, blocksX, blocksY;

	/** The template's spectrum, conjugate and scaled: shared by all threads. */
	static final class Spectrum {

		final TileFft fft;
		final float[][] re, im;
		final double norm, n;
		final SpectralNoise noise;

		Spectrum(final TileFft fft, final TemplatePlanes planes, final float[] taps, final double n) {
			this.fft = fft;
			this.n = n;
			final float[][] rowsRe = fft.allocateRows(), rowsIm = fft.allocateRows();
			double energy = 0;
			for (int i = 0; i < taps.length; i++) {
				final int x = i % planes.width, y = i / planes.width % planes.height, z = i / (planes.width * planes.height);
				rowsRe[z * fft.height + y][x] = taps[i];
				energy += (double) taps[i] * taps[i];
			}
			norm = Math.sqrt(energy);
			re = fft.allocateSpectrum();
			im = fft.allocateSpectrum();
			fft.forward(rowsRe, rowsIm, re, im);
			final float scale = 1f / fft.points();
			for (int k = 0; k < re.length; k++)
				for (int x = 0; x < re[k].length; x++) {
					re[k][x] *= scale;
					im[k][x] *= -scale;
				}
			noise = new SpectralNoise(fft, re, im);
		}
	}

	/** @param mostLags the most lags of a tile along x, y and z: whole blocks */
	FourierNumerator(final TemplatePlanes planes, final Spectrum template, final int[] mostLags) {
		this.planes = planes;
		this.template = template;
		fft = template.fft;
		stepX = fft.width - planes.width + 1;
		stepY = fft.height - planes.height + 1;
		stepZ = fft.depth - planes.count + 1;
		re = fft.allocateRows();
		im = fft.allocateRows();
		spectrumRe = fft.allocateSpectrum();
		spectrumIm = fft.allocateSpectrum();
		numerators = new float[mostLags[1] * mostLags[2]][mostLags[0]];
		final int blocks = blocks(mostLags[0], stepX) * blocks(mostLags[1], stepY) * blocks(mostLags[2], stepZ);
		rowNoise = new double[blocks][stepY * stepZ];
		columnNoise = new double[blocks][stepX];
		blockNoise = new double[blocks];
		columnEnergy = new float[fft.width];
		columnSums = new float[fft.width];
		rowEnergy = new double[stepY * stepZ];
		squares = new float[fft.width];
		least = new double[mostLags[0]];
		noise = template.noise.copy();
		squaredNoise = new double[stepX];
		limit = Math.pow(Tolerance.RESPONSE * Math.sqrt(template.n) / (4 * Tolerance.EPS_FLOAT), 2);
	}

	private static int blocks(final int lags, final int step) {
		return (lags + step - 1) / step;
	}

	@Override
	public void begin(final TileReader[] readers, final TileScale scale, final int lagsX, final int lagsY, final int lagsZ,
		final BooleanSupplier stop)
	{
		this.lagsX = lagsX;
		this.lagsY = lagsY;
		blocksX = blocks(lagsX, stepX);
		blocksY = blocks(lagsY, stepY);
		final int count = blocksX * blocksY * blocks(lagsZ, stepZ);
		for (int b = 0; b < count; b += 2) {
			if (stop.getAsBoolean()) throw new CancellationException("canceled");
			load(readers, scale, b, lagsZ, re);
			if (b + 1 < count) load(readers, scale, b + 1, lagsZ, im);
			else clear(im);
			fft.forward(re, im, spectrumRe, spectrumIm);
			final double forward = noise.of(spectrumRe, spectrumIm);
			for (int k = 0; k < spectrumRe.length; k++)
				multiply(spectrumRe[k], spectrumIm[k], template.re[k], template.im[k], spectrumRe[k].length);
			fft.inverse(spectrumRe, spectrumIm, re, im);
			Arrays.fill(columnEnergy, 0);
			Arrays.fill(rowEnergy, 0);
			store(re, b, lagsZ);
			if (b + 1 < count) store(im, b + 1, lagsZ);
			noise(b, forward);
			if (b + 1 < count) noise(b + 1, forward);
		}
	}

	private int originX(final int block) {
		return block % blocksX * stepX;
	}

	private int originY(final int block) {
		return block / blocksX % blocksY * stepY;
	}

	private int originZ(final int block) {
		return block / blocksX / blocksY * stepZ;
	}

	/** Pixels of a block about their mean, 0 beyond the tile. */
	private void load(final TileReader[] readers, final TileScale scale, final int block, final int lagsZ, final float[][] to) {
		final int x0 = originX(block), y0 = originY(block), z0 = originZ(block);
		final int width = Math.min(fft.width, lagsX + planes.width - 1 - x0), height = Math.min(fft.height, lagsY + planes.height - 1 - y0);
		final int depth = Math.min(fft.depth, lagsZ + planes.count - 1 - z0);
		Arrays.fill(columnSums, 0);
		for (int z = 0; z < fft.depth; z++)
			for (int y = 0; y < fft.height; y++) {
				final float[] t = to[z * fft.height + y];
				if (z >= depth || y >= height) {
					Arrays.fill(t, 0);
					continue;
				}
				readers[z0 + z].row(y0 + y, x0, width, scale, t);
				Arrays.fill(t, width, fft.width, 0);
				Rows.add(columnSums, t, width);
			}
		final float mean = (float) (Rows.sum(columnSums, width) / ((double) width * height * depth));
		for (int z = 0; z < depth; z++)
			for (int y = 0; y < height; y++) Rows.subtract(to[z * fft.height + y], mean, width);
	}

	private static void clear(final float[][] a) {
		for (final float[] row : a) Arrays.fill(row, 0);
	}

	/** Keeps the lags of a block, and the energy of its rows and columns: of all that the transform back gave, whether a lag of the block or not. */
	private void store(final float[][] from, final int block, final int lagsZ) {
		final int x0 = originX(block), y0 = originY(block), z0 = originZ(block);
		final int width = Math.min(stepX, lagsX - x0), height = Math.min(stepY, lagsY - y0), depth = Math.min(stepZ, lagsZ - z0);
		for (int z = 0; z < fft.depth; z++)
			for (int y = 0; y < fft.height; y++) {
				final float[] f = from[z * fft.height + y];
				Rows.square(f, squares, fft.width);
				Rows.add(columnEnergy, squares, fft.width);
				if (z >= depth || y >= height) continue;
				rowEnergy[z * stepY + y] += Rows.sum(squares, fft.width);
				System.arraycopy(f, 0, numerators[(z0 + z) * lagsY + y0 + y], x0, width);
			}
	}

	/** What the block, its rows and its columns add to the square root of the least variance. */
	private void noise(final int block, final double forward) {
		final double unit = MARGIN * Tolerance.EPS_FLOAT / (Tolerance.RESPONSE * template.norm);
		final double back = unit * Math.sqrt(Math.max(1, Math.log(fft.points()) / Math.log(2)));
		blockNoise[block] = unit * forward;
		for (int i = 0; i < rowEnergy.length; i++) rowNoise[block][i] = back * Math.sqrt(rowEnergy[i] / fft.width);
		for (int x = 0; x < stepX; x++) columnNoise[block][x] = back * Math.sqrt(columnEnergy[x] / (fft.height * fft.depth));
	}

	// the template's spectrum is conjugate already
	private static void multiply(final float[] re, final float[] im, final float[] c, final float[] d, final int n) {
		for (int x = 0; x < n; x++) {
			final float a = re[x], b = im[x];
			re[x] = a * c[x] - b * d[x];
			im[x] = a * d[x] + b * c[x];
		}
	}

	@Override
	public void add(final int z, final int row, final int y0, final int y1) {}

	@Override
	public void finish(final int z, final int y, final float[] to) {
		System.arraycopy(numerators[z * lagsY + y], 0, to, 0, lagsX);
		noise(z, y);
	}

	@Override
	public void finish(final int z, final int y, final double[] to) {
		Rows.toDouble(numerators[z * lagsY + y], to, lagsX);
		noise(z, y);
	}

	private void noise(final int z, final int y) {
		final int first = (z / stepZ * blocksY + y / stepY) * blocksX, inBlock = z % stepZ * stepY + y % stepY;
		for (int b = 0; b < blocksX; b++) {
			final int x0 = b * stepX, width = Math.min(stepX, lagsX - x0);
			Rows.squaresOfSums(columnNoise[first + b], blockNoise[first + b] + rowNoise[first + b][inBlock], squaredNoise, width);
			System.arraycopy(squaredNoise, 0, least, x0, width);
		}
	}

	@Override
	public double limit() {
		return limit;
	}

	@Override
	public double partialLimit(final double share) {
		return limit() * share;
	}

	@Override
	public double floor() {
		// the energies behind the estimate are squares in float
		return Tolerance.FLOOR;
	}

	@Override
	public double[] leastVariance() {
		return least;
	}
}
