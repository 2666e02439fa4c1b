package sc.fiji.ncc.cpu.fourier;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;

import sc.fiji.ncc.cpu.fft.BlockSpectra;
import sc.fiji.ncc.cpu.fft.SpectralNoise;
import sc.fiji.ncc.cpu.fft.TileFft;
import sc.fiji.ncc.cpu.tile.TemplatePlanes;
import sc.fiji.ncc.cpu.tile.TileReader;
import sc.fiji.ncc.cpu.tile.TileScale;
import sc.fiji.ncc.cpu.window.Numerator;
import sc.fiji.ncc.cpu.window.WindowMoments;
import sc.fiji.ncc.loops.Rows;
import sc.fiji.ncc.numeric.Tolerance;

/**
 * Numerators by Fourier transforms of overlapping blocks (overlap-save), in float. Two blocks of real pixels share one complex transform, as {@code a +
 * i·b}: since the template is real, the inverse transform is {@code a⋆T + i·(b⋆T)}. The mean of each block is subtracted first.
 * <p>
 * With a mask, the window's moments use the same spectrum. Two blocks then take two forward transforms (pixels and squares) and three inverse ones, in
 * place of one and one.
 * <p>
 * The error of a response is estimated from the error of its sums ({@link BlockSums}), over {@code √N·σ·‖T̂‖}.
 */
public final class FourierNumerator implements Numerator {

	private final TileFft fft;
	private final BlockGrid grid;
	private List<Spectrum> templates;
	private final BlockSums products;
	private final FourierMoments moments;
	private final float[][] re, im, spectrumRe, spectrumIm;
	/**
	 * The product of the spectrum and the template. With a mask it has its own arrays, because the spectrum itself is still needed. Without a mask it
	 * shares the arrays of the spectrum, and if blocks are square, those of the pixels, too.
	 */
	private final float[][] productRe, productIm;
	/** The sum over the rows of a block, for its mean: one element for each column, so that no sum is carried along a row. */
	private final float[] columnSums;
	private final double[] minVariance;
	/** The mean of the scaled pixels of each block. */
	private final float[] means;
	/** The limit that follows from rounding the pixels and the template. */
	private final double limit;
	/** The energies of the current pair of blocks. */
	private final SpectralNoise noise;

	// the current tile
	private TileReader[] readers;
	private TileScale scale;
	private BooleanSupplier stop;
	/** The spectra of the tile if it was transformed for several templates. Null if its only template uses each pair of blocks at once. */
	private BlockSpectra spectra;

	/**
	 * @param templates the spectra of the zero-mean templates
	 * @param mask the spectrum of the weights, if the moments are computed, too. Default: null
	 * @param n the sum of the weights
	 * @param whole whether pixels are whole numbers of at most 16 bits
	 * @param maxLags the maximum number of lags of a tile along x, y and z: whole blocks
	 */
	public FourierNumerator(final TemplatePlanes planes, final List<Spectrum> templates, final Spectrum mask, final double n, final boolean whole, final int[] maxLags) {
		this.templates = templates;
		fft = templates.get(0).fft;
		grid = new BlockGrid(planes, fft.block(), maxLags);
		re = fft.allocateRows();
		im = fft.allocateRows();
		final boolean inPlace = mask == null && fft.transposesInPlace();
		spectrumRe = inPlace ? re : fft.allocateSpectrum();
		spectrumIm = inPlace ? im : fft.allocateSpectrum();
		productRe = mask == null ? spectrumRe : fft.allocateSpectrum();
		productIm = mask == null ? spectrumIm : fft.allocateSpectrum();
		final int maxRows = maxLags[1] * maxLags[2];
		products = new BlockSums(grid, maxRows);
		moments = mask == null ? null : new FourierMoments(mask, n, grid, maxRows);
		noise = new SpectralNoise(fft);
		columnSums = new float[fft.width];
		minVariance = new double[maxLags[0]];
		means = new float[grid.maxBlocks()];
		limit = Tolerance.roundedLimit(whole);
	}

	@Override
	public WindowMoments moments() {
		return moments;
	}

	/** Changes to other templates of the same size and weights, with a transform of the same extents. */
	public void exchange(final List<Spectrum> others) {
		templates = others;
	}

	/** The bytes that the spectra of a tile of so many lags take. */
	public static long spectraBytes(final TemplatePlanes planes, final TileFft fft, final int[] lags) {
		final int[] extents = { lags[0], lags.length > 1 ? lags[1] : 1, lags.length > 2 ? lags[2] : 1 };
		final BlockGrid grid = new BlockGrid(planes, fft.block(), extents);
		return BlockSpectra.bytes(fft.points(), (grid.maxBlocks() + 1) / 2);
	}

	@Override
	public void begin(final TileReader[] readers, final TileScale scale, final int lagsX, final int lagsY, final int lagsZ,
		final BooleanSupplier stop)
	{
		resume(null, lagsX, lagsY, lagsZ, stop);
		this.readers = readers;
		this.scale = scale;
	}

	@Override
	public void resume(final BlockSpectra spectra, final int lagsX, final int lagsY, final int lagsZ, final BooleanSupplier stop) {
		this.spectra = spectra;
		this.stop = stop;
		grid.begin(lagsX, lagsY, lagsZ);
	}

	@Override
	public BlockSpectra transform(final BlockSpectra room) {
		final int pairs = (grid.blocks + 1) / 2;
		final BlockSpectra to = room != null && room.re.length >= pairs ? room : new BlockSpectra(fft, pairs);
		for (int p = 0; p < pairs; p++) {
			forward(2 * p, to.re[p], to.im[p], to.noise[p]);
			if (moments != null) moments(2 * p, to.re[p], to.im[p], to.noise[p]);
		}
		spectra = to;
		return to;
	}

	@Override
	public void select(final int index) {
		products.use(templates.get(index));
		for (int b = 0; b < grid.blocks; b += 2) {
			if (spectra == null) {
				forward(b, spectrumRe, spectrumIm, noise);
				correlate(spectrumRe, spectrumIm, noise, products, b, 0);
				if (moments != null) moments(b, spectrumRe, spectrumIm, noise);
			}
			else {
				if (stop.getAsBoolean()) throw new CancellationException("canceled");
				correlate(spectra.re[b / 2], spectra.im[b / 2], spectra.noise[b / 2], products, b, 0);
			}
		}
	}

	/** Computes the spectrum of a pair of blocks, and its energies. */
	private void forward(final int block, final float[][] toRe, final float[][] toIm, final SpectralNoise energies) {
		if (stop.getAsBoolean()) throw new CancellationException("canceled");
		load(readers, scale, block, re);
		if (block + 1 < grid.blocks) load(readers, scale, block + 1, im);
		else clear(im);
		fft.forward(re, im, toRe, toIm);
		energies.measure(toRe, toIm, block + 1 < grid.blocks ? Math.max(Math.abs(means[block]), Math.abs(means[block + 1])) : means[block]);
	}

	/**
	 * Computes the moments of a pair of blocks from their spectrum and from that of their squares, which uses {@link #spectrumRe} and {@link #spectrumIm}.
	 */
	private void moments(final int block, final float[][] fromRe, final float[][] fromIm, final SpectralNoise energies) {
		correlate(fromRe, fromIm, energies, moments.sums, block, 0);
		final boolean two = block + 1 < grid.blocks;
		loadSquares(readers, scale, block, re);
		if (two) loadSquares(readers, scale, block + 1, im);
		else clear(im);
		fft.forward(re, im, spectrumRe, spectrumIm);
		noise.measure(spectrumRe, spectrumIm, 0);
		correlate(spectrumRe, spectrumIm, noise, moments.energies, block, moments.rounding(block, two));
	}

	/** Computes the sums of a pair of blocks from a spectrum. */
	private void correlate(final float[][] fromRe, final float[][] fromIm, final SpectralNoise energies, final BlockSums to, final int block,
		final double rounding)
	{
		final double forward = Math.max(energies.of(to.spectrum().noise), energies.alike(to.spectrum().magnitude) / BlockSums.MARGIN);
		to.spectrum().multiply(fromRe, fromIm, productRe, productIm);
		fft.inverse(productRe, productIm, re, im);
		to.store(block, re, block + 1 < grid.blocks ? im : null, forward + rounding);
	}

	/** Reads the pixels of a block and subtracts their mean; 0 outside the tile. */
	private void load(final TileReader[] readers, final TileScale scale, final int block, final float[][] to) {
		Arrays.fill(columnSums, 0);
		for (int r = 0; r < grid.rows; r++) Rows.add(columnSums, to[r], read(readers, scale, block, r, to[r]));
		final double n = grid.pixels(block);
		final double exactMean = Rows.sum(columnSums, columnSums.length) / n;
		// keep whole numbers whole: their differences are exact
		final float mean = (float) (scale.whole ? Math.rint(exactMean) : exactMean);
		for (int r = 0; r < grid.rows; r++) Rows.subtract(to[r], mean, grid.pixels(block, r));
		means[block] = mean;
		if (moments == null) return;
		moments.mean[block] = mean;
		Arrays.fill(columnSums, 0);
		for (int r = 0; r < grid.rows; r++) Rows.addSquares(to[r], columnSums, grid.pixels(block, r));
		moments.meanSquare[block] = (float) (Rows.sum(columnSums, columnSums.length) / n);
	}

	/** Reads row r of a block, with 0 outside the tile. Returns the number of pixels that lie in the tile. */
	private int read(final TileReader[] readers, final TileScale scale, final int block, final int r, final float[] to) {
		final int n = grid.pixels(block, r);
		if (n > 0) readers[grid.z(block) + grid.rowZ(r)].row(grid.y(block) + grid.rowY(r), grid.x(block) + grid.rowX(r), n, scale, to);
		Arrays.fill(to, n, to.length, 0);
		return n;
	}

	/** Computes the squares of the pixels about their mean, and subtracts the mean of the squares. */
	private void loadSquares(final TileReader[] readers, final TileScale scale, final int block, final float[][] to) {
		final float mean = moments.mean[block], meanSquare = moments.meanSquare[block];
		for (int r = 0; r < grid.rows; r++) Rows.squaresAbout(to[r], mean, meanSquare, read(readers, scale, block, r, to[r]));
	}

	private static void clear(final float[][] a) {
		for (final float[] row : a) Arrays.fill(row, 0);
	}

	/**
	 * A row of the sums, for coefficients whose sum is not zero. The mean of a block was subtracted from its pixels; a segment of lags belongs to each
	 * block.
	 */
	public float[] sums(final int z, final int y) {
		return products.row(z, y);
	}

	/** The number of lags in a segment of {@link #sums}. */
	public int segment() {
		return grid.stepX;
	}

	public float mean(final int z, final int y, final int b) {
		return means[grid.blockRow(z, y) * grid.blocksX + b];
	}

	/** The maximum estimated error of the sums of the selected template, over the norm of its coefficients. */
	public double worstError() {
		return products.worst() * Tolerance.RESPONSE;
	}

	@Override
	public void add(final int z, final int row, final int y0, final int y1) {}

	@Override
	public float[] finish(final int z, final int y, final float[] room) {
		products.squaredErrors(z, y, minVariance);
		return products.row(z, y);
	}

	@Override
	public void finish(final int z, final int y, final double[] to) {
		Rows.toDouble(products.row(z, y), to, grid.lagsX);
		products.squaredErrors(z, y, minVariance);
	}

	@Override
	public double limit() {
		return limit;
	}

	@Override
	public double partialLimit(final double share, final double contrast) {
		return limit() * share;
	}

	@Override
	public double floor() {
		// the estimate uses energies, which are squares in float
		return Tolerance.FLOOR;
	}

	@Override
	public double[] minVariance() {
		return minVariance;
	}
}
