package sc.fiji.ncc.cpu.fourier;

import java.util.Arrays;
import java.util.List;

import sc.fiji.ncc.cpu.fft.BlockSpectra;
import sc.fiji.ncc.cpu.fft.TileFft;
import sc.fiji.ncc.cpu.tile.TileInput;
import sc.fiji.ncc.cpu.window.WindowMoments;
import sc.fiji.ncc.estimate.FourierError;
import sc.fiji.ncc.estimate.PixelNoise;
import sc.fiji.ncc.loops.Rows;
import sc.fiji.ncc.numeric.Tolerance;

/**
 * Numerators by Fourier transforms of overlapping blocks (overlap-save), in float. Two blocks share one complex transform ({@link BlockPair}). The mean of
 * each block is subtracted first. With a mask, {@link FourierMoments} uses the same spectrum.
 * <p>
 * A template that is larger than a block is cut into parts. Each part has its own pixels and its own forward transform, and the products are added up
 * before the one inverse transform. (Partitioned convolution: T. G. Stockham, 1966; B. D. Kulp, 1988.) Spectra are then not kept for further templates. The
 * mean is that of the tile ({@link TileMean}), because all parts must use the same one.
 * <p>
 * The error of a response is estimated from the error of its sums ({@link BlockSums}), over {@code √N·σ·‖T̂‖}.
 */
public final class FourierNumerator extends FloatNumerator {

	private final TileFft fft;
	private final BlockGrid grid;
	private final BlockPair pair;
	private List<PartSpectra> templates;
	private final BlockSums products;
	/** Null without a mask. */
	private final FourierMoments moments;
	/** Null for templates of one part. */
	private final TileMean meanOfTile;
	/** The sum over the rows of a block, for its mean: one element for each column, so that no sum is carried along a row. */
	private final float[] columnSums;
	/** The mean of the scaled pixels of each block. */
	private final float[] means;
	/** The spectra of the tile if it was transformed for several templates. Null if its only template uses each pair of blocks at once. */
	private BlockSpectra spectra;

	/**
	 * @param templates the spectra of the zero-mean templates
	 * @param mask the spectrum of the weights, if the moments are computed, too. Default: null
	 * @param n the sum of the weights
	 * @param whole whether pixels are whole numbers of at most 16 bits
	 * @param maxLags the maximum number of lags of a tile along x, y and z: whole blocks
	 */
	public FourierNumerator(final List<PartSpectra> templates, final PartSpectra mask, final double n, final boolean whole, final int[] maxLags) {
		super(FourierError.inFloat(whole, maxLags[0]));
		this.templates = templates;
		fft = templates.get(0).fft;
		grid = new BlockGrid(templates.get(0).parts, maxLags);
		final boolean cut = grid.parts() > 1;
		pair = new BlockPair(fft, grid, 1, mask != null, cut || mask == null);
		products = new BlockSums(grid, maxLags[1] * maxLags[2]);
		means = new float[grid.maxBlocks()];
		moments = mask == null ? null : new FourierMoments(mask, n, pair, means, maxLags[1] * maxLags[2]);
		meanOfTile = cut ? new TileMean(grid, maxLags[0] + templates.get(0).parts.planes.width - 1) : null;
		columnSums = new float[fft.width];
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
	public void begin(final TileInput input, final BlockSpectra kept) {
		super.begin(input, kept);
		spectra = kept;
		pair.begin(input);
		if (moments != null) moments.beginTile(input);
		if (meanOfTile == null) return;
		final float mean = meanOfTile.take(input, means);
		if (moments != null) moments.takeMeanSquare(meanOfTile, mean);
	}

	/** With several parts computes only the moments: their spectra are not kept. */
	@Override
	public BlockSpectra share(final BlockSpectra buffer) {
		if (meanOfTile != null) {
			if (moments != null) moments.correlateParts(this::load);
			return null;
		}
		final int pairs = (grid.blocks + 1) / 2;
		final BlockSpectra to = buffer != null && buffer.re.length >= pairs ? buffer : new BlockSpectra(fft, pairs);
		for (int p = 0; p < pairs; p++) {
			pair.forward(this::load, 2 * p, to.re[p], to.im[p], to.noise[p]);
			if (moments != null) moments.correlate(2 * p, to.re[p], to.im[p], to.noise[p]);
		}
		spectra = to;
		return to;
	}

	@Override
	public void correlate(final int index) {
		products.use(templates.get(index));
		for (int b = 0; b < grid.blocks; b += 2)
			if (meanOfTile != null) pair.correlateParts(this::load, b, 0, products);
			else if (spectra != null) {
				tile.poll();
				pair.correlate(spectra.re[b / 2], spectra.im[b / 2], spectra.noise[b / 2], products, b, pair.next(b), 0);
			}
			else {
				pair.forward(this::load, b, pair.spectrumRe, pair.spectrumIm, pair.noise);
				pair.correlate(pair.spectrumRe, pair.spectrumIm, pair.noise, products, b, pair.next(b), 0);
				if (moments != null) moments.correlate(b, pair.spectrumRe, pair.spectrumIm, pair.noise);
			}
		if (meanOfTile != null && moments != null) moments.correlateParts(this::load);
	}

	/** Reads the pixels of a block and subtracts their mean; 0 outside the tile. */
	private float load(final int block, final float[][] to, final PixelNoise energies) {
		if (meanOfTile != null) {
			for (int r = 0; r < grid.rows; r++) energies.subtractAndAdd(r, means[block], to[r], grid.read(tile, block, r, to[r]));
			return means[block];
		}
		Arrays.fill(columnSums, 0);
		for (int r = 0; r < grid.rows; r++) Rows.add(columnSums, to[r], grid.read(tile, block, r, to[r]));
		final float mean = TileMean.of(Rows.sum(columnSums, columnSums.length) / grid.pixels(block), tile.scale());
		for (int r = 0; r < grid.rows; r++) energies.subtractAndAdd(r, mean, to[r], grid.pixels(block, r));
		means[block] = mean;
		if (moments != null) moments.takeMeanSquare(block, to, columnSums);
		return mean;
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
}
