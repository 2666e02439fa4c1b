package sc.fiji.ncc.cpu.fourier;

import java.util.Arrays;
import java.util.List;

import sc.fiji.ncc.cpu.fft.BlockSpectra;
import sc.fiji.ncc.cpu.fft.TileFft;
import sc.fiji.ncc.cpu.tile.TileInput;
import sc.fiji.ncc.cpu.tile.TileReader;
import sc.fiji.ncc.cpu.tile.TileScale;
import sc.fiji.ncc.cpu.window.Numerator;
import sc.fiji.ncc.cpu.window.WindowMoments;
import sc.fiji.ncc.estimate.ForwardNoise;
import sc.fiji.ncc.estimate.FourierError;
import sc.fiji.ncc.estimate.NumeratorError;
import sc.fiji.ncc.estimate.SpectralNoise;
import sc.fiji.ncc.loops.Rows;
import sc.fiji.ncc.numeric.Tolerance;

/**
 * Numerators by Fourier transforms of overlapping blocks (overlap-save), in float. Two blocks of real pixels share one complex transform, as {@code a +
 * i·b}: since the template is real, the inverse transform is {@code a⋆T + i·(b⋆T)}. The mean of each block is subtracted first.
 * <p>
 * With a mask, the window's moments use the same spectrum. Two blocks then take two forward transforms (pixels and squares) and three inverse ones, in
 * place of one and one.
 * <p>
 * A template that is larger than a block is cut into parts. Each part has its own pixels and its own forward transform, and the products are added up
 * before the one inverse transform. (Partitioned convolution: T. G. Stockham, 1966; B. D. Kulp, 1988.) Spectra are then not kept for further templates. The
 * mean is that of the tile, because all parts must use the same one.
 * <p>
 * The error of a response is estimated from the error of its sums ({@link BlockSums}), over {@code √N·σ·‖T̂‖}.
 */
public final class FourierNumerator implements Numerator {

	private final TileFft fft;
	private final BlockGrid grid;
	private List<PartSpectra> templates;
	private final BlockSums products;
	private final FourierMoments moments;
	private final float[][] re, im, spectrumRe, spectrumIm;
	/**
	 * The product of the spectrum and the template. With a mask it has its own arrays, because the spectrum itself is still needed. Without a mask it
	 * shares the arrays of the spectrum, and if blocks are square, those of the pixels, too. With several parts it is the sum of their products.
	 */
	private final float[][] productRe, productIm;
	/** The sum over the rows of a block, for its mean: one element for each column, so that no sum is carried along a row. */
	private final float[] columnSums;
	/** With several parts: a row of the tile. */
	private final float[] tileRow, tileSums;
	private final FourierError error;
	/** The numerators of the last row of lags. */
	private float[] row;
	/** The error of the forward transforms of a pair of blocks. */
	private final ForwardNoise forward;
	/** The mean of the scaled pixels of each block. */
	private final float[] means;
	/** The energies of the current pair of blocks. */
	private final SpectralNoise noise;

	// the current tile
	private TileReader[] readers;
	private TileScale scale;
	private TileInput tile;
	/** The spectra of the tile if it was transformed for several templates. Null if its only template uses each pair of blocks at once. */
	private BlockSpectra spectra;
	/** With several parts: whether the moments of the tile are computed. */
	private boolean momentsReady;

	/**
	 * @param templates the spectra of the zero-mean templates
	 * @param mask the spectrum of the weights, if the moments are computed, too. Default: null
	 * @param n the sum of the weights
	 * @param whole whether pixels are whole numbers of at most 16 bits
	 * @param maxLags the maximum number of lags of a tile along x, y and z: whole blocks
	 */
	public FourierNumerator(final List<PartSpectra> templates, final PartSpectra mask, final double n, final boolean whole, final int[] maxLags) {
		this.templates = templates;
		fft = templates.get(0).fft;
		grid = new BlockGrid(templates.get(0).parts, maxLags);
		re = fft.allocateRows();
		im = fft.allocateRows();
		final boolean cut = grid.parts() > 1, inPlace = (cut || mask == null) && fft.transposesInPlace();
		spectrumRe = inPlace ? re : fft.allocateSpectrum();
		spectrumIm = inPlace ? im : fft.allocateSpectrum();
		productRe = mask == null && !cut ? spectrumRe : fft.allocateSpectrum();
		productIm = mask == null && !cut ? spectrumIm : fft.allocateSpectrum();
		tileRow = new float[cut ? maxLags[0] + templates.get(0).parts.planes.width - 1 : 0];
		tileSums = new float[tileRow.length];
		final int maxRows = maxLags[1] * maxLags[2];
		products = new BlockSums(grid, maxRows);
		moments = mask == null ? null : new FourierMoments(mask, n, grid, maxRows);
		noise = fft.newNoise();
		columnSums = new float[fft.width];
		error = FourierError.inFloat(whole, maxLags[0]);
		forward = new ForwardNoise(fft.width, fft.height, false);
		means = new float[grid.maxBlocks()];
	}

	@Override
	public WindowMoments[] moments() {
		return moments == null ? null : new WindowMoments[] { moments };
	}

	/** Changes to other templates of the same size and weights, with a transform of the same extents. */
	public FourierNumerator with(final List<PartSpectra> others) {
		templates = others;
		return this;
	}

	/** The bytes that the spectra of a tile of so many lags take. */
	public static long spectraBytes(final TemplateParts parts, final TileFft fft, final int[] lags) {
		if (parts.count > 1) return 0;
		final int[] extents = { lags[0], lags.length > 1 ? lags[1] : 1, lags.length > 2 ? lags[2] : 1 };
		final BlockGrid grid = new BlockGrid(parts, extents);
		return BlockSpectra.bytes(fft.points(), (grid.maxBlocks() + 1) / 2);
	}

	@Override
	public void begin(final TileInput tile, final BlockSpectra kept) {
		this.tile = tile;
		spectra = kept;
		readers = tile.planes();
		scale = tile.scale();
		grid.begin(tile.lagsX(), tile.lagsY(), tile.lagsZ());
		if (grid.parts() > 1) takeMeanOfTile();
	}

	/** Takes the mean of the tile, and of the squares about it, for all blocks. */
	private void takeMeanOfTile() {
		momentsReady = false;
		final double exactMean = tileMean(Float.NaN);
		final float mean = mean(exactMean);
		Arrays.fill(means, 0, grid.blocks, mean);
		if (moments == null) return;
		Arrays.fill(moments.mean, 0, grid.blocks, mean);
		Arrays.fill(moments.meanSquare, 0, grid.blocks, (float) tileMean(mean));
	}

	/** The mean of the tile's pixels; or that of their squares about {@code reference}, if this is a number. */
	private double tileMean(final float reference) {
		final int columns = grid.tileColumns();
		double sum = 0;
		for (int z = 0; z < grid.tilePlanes(); z++) {
			Arrays.fill(tileSums, 0, columns, 0);
			for (int y = 0; y < grid.tileRows(); y++) {
				tile.poll();
				readers[z].row(y, 0, columns, scale, tileRow);
				if (reference == reference) {
					Rows.subtract(tileRow, reference, columns);
					Rows.addSquares(tileRow, tileSums, columns);
				}
				else Rows.add(tileSums, tileRow, columns);
			}
			sum += Rows.sum(tileSums, columns);
		}
		return sum / ((double) columns * grid.tileRows() * grid.tilePlanes());
	}

	/** Keeps whole numbers whole: their differences are exact. */
	private float mean(final double exactMean) {
		return (float) (scale.whole ? Math.rint(exactMean) : exactMean);
	}

	/** With several parts computes only the moments: their spectra are not kept. */
	@Override
	public BlockSpectra transform(final BlockSpectra buffer) {
		if (grid.parts() > 1) {
			momentsOfParts();
			return null;
		}
		final int pairs = (grid.blocks + 1) / 2;
		final BlockSpectra to = buffer != null && buffer.re.length >= pairs ? buffer : new BlockSpectra(fft, pairs);
		for (int p = 0; p < pairs; p++) {
			forward(2 * p, to.re[p], to.im[p], to.noise[p]);
			if (moments != null) moments(2 * p, to.re[p], to.im[p], to.noise[p]);
		}
		spectra = to;
		return to;
	}

	@Override
	public void correlate(final int index) {
		products.use(templates.get(index));
		if (grid.parts() > 1) {
			for (int b = 0; b < grid.blocks; b += 2) correlateParts(b, products, false, 0);
			momentsOfParts();
			return;
		}
		for (int b = 0; b < grid.blocks; b += 2) {
			if (spectra == null) {
				forward(b, spectrumRe, spectrumIm, noise);
				correlate(spectrumRe, spectrumIm, noise, products, b, 0);
				if (moments != null) moments(b, spectrumRe, spectrumIm, noise);
			}
			else {
				tile.poll();
				correlate(spectra.re[b / 2], spectra.im[b / 2], spectra.noise[b / 2], products, b, 0);
			}
		}
	}

	/** With several parts: computes the moments of the tile, unless this has been done. */
	private void momentsOfParts() {
		if (moments == null || momentsReady) return;
		for (int b = 0; b < grid.blocks; b += 2) {
			correlateParts(b, moments.sums, false, 0);
			correlateParts(b, moments.energies, true, moments.rounding(b, b + 1 < grid.blocks));
		}
		momentsReady = true;
	}

	/**
	 * Computes the sums of a pair of blocks over all parts of the template. The errors of their forward transforms may be alike: they add up. So do those of
	 * the additions, which are relative to the products without the levels of a transform.
	 *
	 * @param squared whether the sums are those of the squares
	 */
	private void correlateParts(final int block, final BlockSums to, final boolean squared, final double rounding) {
		forward.begin();
		for (int p = 0; p < grid.parts(); p++) {
			grid.part(p);
			if (squared) forwardOfSquares(block);
			else forward(block, spectrumRe, spectrumIm, noise);
			final Spectrum part = to.spectrum(p);
			forward.add(noise, part.noise, part.norms);
			for (int k = 0; k < spectrumRe.length; k++)
				if (p == 0) part.product(k, spectrumRe[k], spectrumIm[k], productRe[k], productIm[k]);
				else part.addProduct(k, spectrumRe[k], spectrumIm[k], productRe[k], productIm[k]);
		}
		grid.part(0);
		fft.inverse(productRe, productIm, re, im);
		forward.finish(BlockSums.additions(grid.parts(), fft.points()), rounding);
		to.store(block, re, block + 1 < grid.blocks ? im : null, forward);
	}

	/** Computes the spectrum of a pair of blocks, and its energies. */
	private void forward(final int block, final float[][] toRe, final float[][] toIm, final SpectralNoise energies) {
		tile.poll();
		energies.pixels.begin();
		load(readers, scale, block, re, energies);
		if (block + 1 < grid.blocks) load(readers, scale, block + 1, im, energies);
		else clear(im);
		final double mean = block + 1 < grid.blocks ? Math.max(Math.abs(means[block]), Math.abs(means[block + 1])) : means[block];
		energies.pixels.measure(mean, grid.partWidth(), grid.partHeight());
		fft.forward(re, im, toRe, toIm);
		energies.measure(toRe, toIm);
	}

	/**
	 * Computes the moments of a pair of blocks from their spectrum and from that of their squares, which uses {@link #spectrumRe} and {@link #spectrumIm}.
	 */
	private void moments(final int block, final float[][] fromRe, final float[][] fromIm, final SpectralNoise energies) {
		correlate(fromRe, fromIm, energies, moments.sums, block, 0);
		forwardOfSquares(block);
		correlate(spectrumRe, spectrumIm, noise, moments.energies, block, moments.rounding(block, block + 1 < grid.blocks));
	}

	/** Computes the spectrum of the squares of a pair of blocks, and its energies. */
	private void forwardOfSquares(final int block) {
		tile.poll();
		noise.pixels.begin();
		loadSquares(readers, scale, block, re);
		if (block + 1 < grid.blocks) loadSquares(readers, scale, block + 1, im);
		else clear(im);
		noise.pixels.measure(0, grid.partWidth(), grid.partHeight());
		fft.forward(re, im, spectrumRe, spectrumIm);
		noise.measure(spectrumRe, spectrumIm);
	}

	/** Computes the sums of a pair of blocks from a spectrum. */
	private void correlate(final float[][] fromRe, final float[][] fromIm, final SpectralNoise energies, final BlockSums to, final int block,
		final double rounding)
	{
		forward.begin();
		forward.add(energies, to.spectrum(0).noise, to.spectrum(0).norms);
		forward.finish(1, rounding);
		to.spectrum(0).multiply(fromRe, fromIm, productRe, productIm);
		fft.inverse(productRe, productIm, re, im);
		to.store(block, re, block + 1 < grid.blocks ? im : null, forward);
	}

	/** Reads the pixels of a block and subtracts their mean; 0 outside the tile. Adds their energies to {@code energies}. */
	private void load(final TileReader[] readers, final TileScale scale, final int block, final float[][] to, final SpectralNoise energies) {
		if (grid.parts() > 1) {
			for (int r = 0; r < grid.rows; r++) energies.pixels.subtractAndAdd(r, means[block], to[r], read(readers, scale, block, r, to[r]));
			return;
		}
		Arrays.fill(columnSums, 0);
		for (int r = 0; r < grid.rows; r++) Rows.add(columnSums, to[r], read(readers, scale, block, r, to[r]));
		final double n = grid.pixels(block);
		final double exactMean = Rows.sum(columnSums, columnSums.length) / n;
		final float mean = mean(exactMean);
		for (int r = 0; r < grid.rows; r++) energies.pixels.subtractAndAdd(r, mean, to[r], grid.pixels(block, r));
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
		if (n > 0) grid.read(readers, scale, block, r, n, to);
		Arrays.fill(to, n, to.length, 0);
		return n;
	}

	/** Computes the squares of the pixels about their mean, and subtracts the mean of the squares. */
	private void loadSquares(final TileReader[] readers, final TileScale scale, final int block, final float[][] to) {
		final float mean = moments.mean[block], meanSquare = moments.meanSquare[block];
		for (int r = 0; r < grid.rows; r++) {
			final int n = read(readers, scale, block, r, to[r]);
			Rows.squaresAbout(to[r], mean, meanSquare, n);
			noise.pixels.add(r, to[r], n);
		}
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
		return products.worstOfIndependentPasses() * Tolerance.RESPONSE;
	}

	@Override
	public void startRow(final int z, final int y) {
		products.squaredErrors(z, y, error.minVariance());
		row = products.row(z, y);
	}

	@Override
	public float[] floats(final float[] buffer) {
		return row;
	}

	@Override
	public void doubles(final double[] to) {
		Rows.toDouble(row, to, grid.lagsX);
	}

	@Override
	public NumeratorError error() {
		return error;
	}
}
