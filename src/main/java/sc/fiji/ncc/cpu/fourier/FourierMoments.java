package sc.fiji.ncc.cpu.fourier;

import sc.fiji.ncc.cpu.tile.TileInput;
import sc.fiji.ncc.cpu.window.WindowMoments;
import sc.fiji.ncc.estimate.PixelNoise;
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

	final BlockSums sums, energies;
	/** The mean of the pixels of each block, and of their squares about it, which were subtracted. */
	final float[] mean, meanSquare;
	private final BlockGrid grid;
	/** The sum and the norm of the weights. */
	private final double n, norm;
	/** The errors of the row just finished, in tolerances times ‖w‖. */
	private final double[] sumErrors, energyErrors, minVariance;
	private int z, y;

	/**
	 * @param n the sum of the weights
	 * @param maxRows the maximum number of rows of lags of a tile, over all z
	 */
	FourierMoments(final PartSpectra mask, final double n, final BlockGrid grid, final int maxRows) {
		norm = mask.norm;
		this.n = n;
		this.grid = grid;
		sums = new BlockSums(grid, maxRows);
		energies = new BlockSums(grid, maxRows);
		sums.use(mask);
		energies.use(mask);
		mean = new float[grid.maxBlocks()];
		meanSquare = new float[grid.maxBlocks()];
		sumErrors = new double[grid.maxLagsX];
		energyErrors = new double[grid.maxLagsX];
		minVariance = new double[grid.maxLagsX];
	}

	/**
	 * The error that rounding the squares adds to the error of their transform, in the unit of {@link BlockSums#store}. Each square adds about 2 eps times
	 * the mean square; equal squares round alike.
	 */
	double rounding(final int block, final boolean two) {
		return (two ? Math.max(meanSquare[block], meanSquare[block + 1]) : meanSquare[block]) * n * 2 / PixelNoise.MARGIN;
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
