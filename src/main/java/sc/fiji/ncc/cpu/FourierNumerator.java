package sc.fiji.ncc.cpu;

import java.util.Arrays;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;

/**
 * Numerators by Fourier transforms of overlapping blocks (overlap-save), in float. Two blocks of real pixels ride in one complex transform,
 * as {@code a + i·b}: the template being real, {@code a⋆T + i·(b⋆T)} comes back. Each block is taken about its own mean.
 * <p>
 * With a mask the window's moments come of the same spectrum: for two blocks two transforms forward, of the pixels and of their squares, and three
 * back, in place of one and one; in FLCC's count 2.5 real transforms of a block, the template's two prepared.
 * <p>
 * The error of a response is estimated from that of its sums ({@link BlockSums}), over {@code √N·σ·‖T̂‖}.
 */
final class FourierNumerator implements Numerator {

	private final TileFft fft;
	private final BlockGrid grid;
	private final BlockSums products;
	private final FourierMoments moments;
	private final float[][] re, im, spectrumRe, spectrumIm;
	/** With a mask the spectrum's product with the template, while the spectrum is still wanted. */
	private final float[][] productRe, productIm;
	/** Σ over the rows of a block, for its means: one place a column, so that no sum is carried along a row. */
	private final float[] columnSums;
	private final double[] least;
	/** From rounding the pixels and the template: errors that do not depend on each other, so that N of them grow with √N. */
	private final double limit;

	/**
	 * @param template the spectrum of the zero-mean template
	 * @param mask that of the weights, if the moments are to come along; else null
	 * @param n the sum of the weights
	 * @param mostLags the most lags of a tile along x, y and z: whole blocks
	 */
	FourierNumerator(final TemplatePlanes planes, final Spectrum template, final Spectrum mask, final double n, final int[] mostLags) {
		fft = template.fft;
		grid = new BlockGrid(planes, new int[] { fft.width, fft.height, fft.depth }, mostLags);
		re = fft.allocateRows();
		im = fft.allocateRows();
		spectrumRe = fft.allocateSpectrum();
		spectrumIm = fft.allocateSpectrum();
		productRe = mask == null ? spectrumRe : fft.allocateSpectrum();
		productIm = mask == null ? spectrumIm : fft.allocateSpectrum();
		final int mostRows = mostLags[1] * mostLags[2];
		products = new BlockSums(grid, mostRows, template);
		moments = mask == null ? null : new FourierMoments(mask, n, grid, mostRows);
		columnSums = new float[fft.width];
		least = new double[mostLags[0]];
		limit = Math.pow(Tolerance.RESPONSE * Math.sqrt(n) / (4 * Tolerance.EPS_FLOAT), 2);
	}

	@Override
	public WindowMoments moments() {
		return moments;
	}

	@Override
	public void begin(final TileReader[] readers, final TileScale scale, final int lagsX, final int lagsY, final int lagsZ,
		final BooleanSupplier stop)
	{
		grid.begin(lagsX, lagsY, lagsZ);
		for (int b = 0; b < grid.blocks; b += 2) {
			if (stop.getAsBoolean()) throw new CancellationException("canceled");
			final boolean two = b + 1 < grid.blocks;
			load(readers, scale, b, re);
			if (two) load(readers, scale, b + 1, im);
			else clear(im);
			fft.forward(re, im, spectrumRe, spectrumIm);
			if (moments != null) {
				copy(spectrumRe, productRe);
				copy(spectrumIm, productIm);
			}
			correlate(productRe, productIm, products, b, two, 0);
			if (moments == null) continue;
			correlate(spectrumRe, spectrumIm, moments.sums, b, two, 0);
			loadSquares(readers, scale, b, re);
			if (two) loadSquares(readers, scale, b + 1, im);
			else clear(im);
			fft.forward(re, im, spectrumRe, spectrumIm);
			correlate(spectrumRe, spectrumIm, moments.energies, b, two, moments.rounding(b, two));
		}
	}

	/** From a spectrum, which it overwrites, to the sums of a pair of blocks. */
	private void correlate(final float[][] fromRe, final float[][] fromIm, final BlockSums to, final int block, final boolean two,
		final double rounding)
	{
		final double forward = to.noise.of(fromRe, fromIm);
		to.spectrum.multiply(fromRe, fromIm);
		fft.inverse(fromRe, fromIm, re, im);
		to.store(block, re, two ? im : null, forward + rounding);
	}

	private static void copy(final float[][] from, final float[][] to) {
		for (int k = 0; k < from.length; k++) System.arraycopy(from[k], 0, to[k], 0, from[k].length);
	}

	/** Pixels of a block about their mean, 0 beyond the tile. */
	private void load(final TileReader[] readers, final TileScale scale, final int block, final float[][] to) {
		final int x0 = grid.x(block), y0 = grid.y(block), z0 = grid.z(block);
		final int width = grid.columns(block), height = grid.rows(block), depth = grid.planes(block);
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
		final double n = (double) width * height * depth;
		final float mean = (float) (Rows.sum(columnSums, width) / n);
		for (int z = 0; z < depth; z++)
			for (int y = 0; y < height; y++) Rows.subtract(to[z * fft.height + y], mean, width);
		if (moments == null) return;
		moments.mean[block] = mean;
		Arrays.fill(columnSums, 0);
		for (int z = 0; z < depth; z++)
			for (int y = 0; y < height; y++) Rows.addSquares(to[z * fft.height + y], columnSums, width);
		moments.meanSquare[block] = (float) (Rows.sum(columnSums, width) / n);
	}

	/** The squares of the pixels about their mean, about a mean of their own. */
	private void loadSquares(final TileReader[] readers, final TileScale scale, final int block, final float[][] to) {
		final int x0 = grid.x(block), y0 = grid.y(block), z0 = grid.z(block);
		final int width = grid.columns(block), height = grid.rows(block), depth = grid.planes(block);
		final float mean = moments.mean[block], meanSquare = moments.meanSquare[block];
		for (int z = 0; z < fft.depth; z++)
			for (int y = 0; y < fft.height; y++) {
				final float[] t = to[z * fft.height + y];
				if (z >= depth || y >= height) {
					Arrays.fill(t, 0);
					continue;
				}
				readers[z0 + z].row(y0 + y, x0, width, scale, t);
				Arrays.fill(t, width, fft.width, 0);
				Rows.squaresAbout(t, mean, meanSquare, width);
			}
	}

	private static void clear(final float[][] a) {
		for (final float[] row : a) Arrays.fill(row, 0);
	}

	@Override
	public void add(final int z, final int row, final int y0, final int y1) {}

	@Override
	public void finish(final int z, final int y, final float[] to) {
		System.arraycopy(products.row(z, y), 0, to, 0, grid.lagsX);
		estimate(z, y);
	}

	@Override
	public void finish(final int z, final int y, final double[] to) {
		Rows.toDouble(products.row(z, y), to, grid.lagsX);
		estimate(z, y);
	}

	private void estimate(final int z, final int y) {
		products.errors(z, y, least);
		Rows.square(least, least, grid.lagsX);
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
