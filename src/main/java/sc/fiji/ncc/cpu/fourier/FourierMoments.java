package sc.fiji.ncc.cpu.fourier;

import java.util.Arrays;

import sc.fiji.ncc.cpu.tile.TileInput;
import sc.fiji.ncc.cpu.window.WindowMoments;
import sc.fiji.ncc.estimate.PixelNoise;
import sc.fiji.ncc.estimate.SpectralNoise;
import sc.fiji.ncc.loops.Rows;
import sc.fiji.ncc.numeric.Tolerance;

/**
 * {@link WindowMoments} under a mask, which {@link FourierNumerator} computes along with its products (Papamakarios, Rizos, Pitsianis, FLCC, eq. 9, where
 * the mask is B_T). The pixels of a block are taken about their mean, and their squares about their own mean; both are correlated with the weights.
 * <p>
 * The window's variance is {@code E - S²/N} of both sums. Its error is {@code ΔE + 2·|S|/N·ΔS}; that of the response is half of this over the variance.
 */
final class FourierMoments implements WindowMoments, WindowMoments.Error {

	/**
	 * The error of the variance of a window of nearly equal pixels far from the mean of its block, over N·mean²: the transforms of pixels and squares err in
	 * their place by half an eps of each, all alike. That of the energy counts once, that of the sum twice, and half of both reaches the response.
	 */
	private static final double OF_MEAN = 3 * 0.5 / 2 * Tolerance.EPS_FLOAT / Tolerance.RESPONSE;

	private final BlockSums sums, energies;
	/** The mean of the pixels of each block, and of their squares about it, which were subtracted. */
	private final float[] mean, meanSquare;
	private final BlockGrid grid;
	private final BlockPair pair;
	private TileInput tile;
	/** With several parts: whether the moments of the tile are computed. */
	private boolean ready;
	/** The sum and the norm of the weights. */
	private final double n, norm;
	/** The errors of the row just finished, in tolerances times ‖w‖. */
	private final double[] sumErrors, energyErrors, minVariance;
	private int z, y;

	/**
	 * @param n the sum of the weights
	 * @param pair computes the transforms
	 * @param means those of the pixels of each block
	 * @param maxRows the maximum number of rows of lags of a tile, over all z
	 */
	FourierMoments(final PartSpectra mask, final double n, final BlockPair pair, final float[] means, final int maxRows) {
		norm = mask.norm;
		this.n = n;
		this.pair = pair;
		grid = pair.grid;
		mean = means;
		sums = new BlockSums(grid, maxRows);
		energies = new BlockSums(grid, maxRows);
		sums.use(mask);
		energies.use(mask);
		meanSquare = new float[grid.maxBlocks()];
		sumErrors = new double[grid.maxLagsX];
		energyErrors = new double[grid.maxLagsX];
		minVariance = new double[grid.maxLagsX];
	}

	/** Starts a tile. */
	void beginTile(final TileInput input) {
		tile = input;
		ready = false;
	}

	/** Takes the mean of the squares of a block, whose pixels about their mean were read. */
	void takeMeanSquare(final int block, final float[][] rows, final float[] columnSums) {
		Arrays.fill(columnSums, 0);
		for (int r = 0; r < grid.rows; r++) Rows.addSquares(rows[r], columnSums, grid.pixels(block, r));
		meanSquare[block] = (float) (Rows.sum(columnSums, columnSums.length) / grid.pixels(block));
	}

	/** Takes the mean of the squares of the whole tile, for all blocks. */
	void takeMeanSquare(final TileMean of, final float meanOfTile) {
		Arrays.fill(meanSquare, 0, grid.blocks, (float) of.meanSquare(meanOfTile));
	}

	/** Computes the moments of a pair of blocks from their spectrum and from that of their squares, which uses the memory of the pair. */
	void correlate(final int block, final float[][] fromRe, final float[][] fromIm, final SpectralNoise noise) {
		pair.correlate(fromRe, fromIm, noise, sums, block, pair.next(block), 0);
		pair.forward(this::loadSquares, block, pair.spectrumRe, pair.spectrumIm, pair.noise);
		pair.correlate(pair.spectrumRe, pair.spectrumIm, pair.noise, energies, block, pair.next(block), rounding(block));
	}

	/** With several parts: computes the moments of the tile, unless this has been done. */
	void correlateParts(final BlockPair.Source pixels) {
		for (int b = 0; b < grid.blocks && !ready; b += 2) {
			pair.correlateParts(pixels, b, 0, sums);
			pair.correlateParts(this::loadSquares, b, rounding(b), energies);
		}
		ready = true;
	}

	/** Computes the squares of the pixels about their mean, and subtracts the mean of the squares. The squares are rounded, see {@link #rounding}. */
	private float loadSquares(final int block, final float[][] to, final PixelNoise noise) {
		for (int r = 0; r < grid.rows; r++) {
			final int pixels = grid.read(tile, block, r, to[r]);
			Rows.squaresAbout(to[r], mean[block], meanSquare[block], pixels);
			noise.add(r, to[r], pixels);
		}
		return 0;
	}

	/**
	 * The error that rounding the squares of a pair of blocks adds to the error of their transform, in the unit of {@link BlockSums#store}. Each square adds
	 * about 2 eps times the mean square; equal squares round alike.
	 */
	private double rounding(final int block) {
		return (pair.next(block) < 0 ? meanSquare[block] : Math.max(meanSquare[block], meanSquare[block + 1])) * n * 2 / PixelNoise.MARGIN;
	}

	/** Nothing: the numerator starts the tile. */
	@Override
	public void begin(final TileInput tile) {}

	@Override
	public Error error() {
		return this;
	}

	@Override
	public void row(final int z, final int y, final double[] sums, final double[] energies) {
		this.z = z;
		this.y = y;
		final int lags = grid.lagsX;
		this.sums.errors(z, y, sumErrors);
		this.energies.errors(z, y, energyErrors);
		Rows.toDouble(this.sums.row(z, y), sums, lags);
		Rows.toDouble(this.energies.row(z, y), energies, lags);
		Rows.varianceErrors(sums, sumErrors, energyErrors, 2 / n, norm / 2, minVariance, lags);
		for (int x = 0; x < lags; x++) minVariance[x] += OF_MEAN * sums[x] * (sums[x] / n);
		for (int b = 0; b < grid.blocksX; b++) {
			final int block = grid.blockRow(z, y) * grid.blocksX + b, x0 = b * grid.stepX;
			final double m = mean[block];
			Rows.about(sums, energies, 2 * m, n * m, n * (meanSquare[block] + m * m), x0, Math.min(x0 + grid.stepX, lags));
		}
	}

	@Override
	public double floor() {
		// the estimate uses squares of squares, which would underflow
		return n * 0x1p-60;
	}

	@Override
	public double[] minVariance() {
		return minVariance;
	}

	@Override
	public double partialMinVariance(final int x, final double sum, final double weight) {
		final double m = mean[grid.blockRow(z, y) * grid.blocksX + x / grid.stepX];
		return norm / 2 * (energyErrors[x] + 2 * Math.abs(sum / weight - m) * sumErrors[x]) + OF_MEAN * weight * Math.pow(sum / weight - m, 2);
	}

	@Override
	public double sumError(final int x) {
		return norm * sumErrors[x];
	}
}
