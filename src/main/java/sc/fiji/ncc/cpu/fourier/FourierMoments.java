package sc.fiji.ncc.cpu.fourier;

import java.util.function.BooleanSupplier;

import sc.fiji.ncc.cpu.tile.TileReader;
import sc.fiji.ncc.cpu.tile.TileScale;
import sc.fiji.ncc.cpu.window.WindowMoments;
import sc.fiji.ncc.loops.Rows;

/**
 * {@link WindowMoments} under a mask as {@link FourierNumerator} computes them along with its products (Papamakarios, Rizos, Pitsianis, FLCC, eq. 9, where
 * the mask is B_T): the pixels of a block about its mean and their squares about theirs, each correlated with the weights.
 * <p>
 * The window's variance is {@code E - S²/N} of both sums, and so errs by {@code ΔE + 2·|S|/N·ΔS}; the response by half of that over the variance.
 */
final class FourierMoments implements WindowMoments {

	final BlockSums sums, energies;
	/** Of each block what its pixels were taken about, and their squares. */
	final float[] mean, meanSquare;
	private final BlockGrid grid;
	/** Of the weights. */
	private final double n, norm;
	/** Of the row just finished: errors in tolerances times ‖w‖. */
	private final double[] sumErrors, energyErrors, least;
	private int z, y;

	/**
	 * @param n the sum of the weights
	 * @param mostRows the most rows of lags of a tile, over all z
	 */
	FourierMoments(final Spectrum mask, final double n, final BlockGrid grid, final int mostRows) {
		norm = mask.norm;
		this.n = n;
		this.grid = grid;
		sums = new BlockSums(grid, mostRows);
		energies = new BlockSums(grid, mostRows);
		sums.use(mask);
		energies.use(mask);
		mean = new float[grid.mostBlocks()];
		meanSquare = new float[grid.mostBlocks()];
		sumErrors = new double[grid.mostLagsX];
		energyErrors = new double[grid.mostLagsX];
		least = new double[grid.mostLagsX];
	}

	/**
	 * What rounding the squares themselves adds to the error of their transform, as {@link BlockSums#store} wants it: about twice eps of their mean square
	 * from each, and from equal ones the same.
	 */
	double rounding(final int block, final boolean two) {
		return (two ? Math.max(meanSquare[block], meanSquare[block + 1]) : meanSquare[block]) * n * 2 / BlockSums.MARGIN;
	}

	// the numerator has done it all

	@Override
	public void begin(final TileReader[] planes, final TileScale scale, final int lagsX, final int lagsY, final int lagsZ,
		final BooleanSupplier stop)
	{}

	@Override
	public void add(final int z, final int row, final int y0, final int y1) {}

	@Override
	public void finish(final int z, final int y, final double[] sums, final double[] energies) {
		this.z = z;
		this.y = y;
		final int lags = grid.lagsX;
		this.sums.errors(z, y, sumErrors);
		this.energies.errors(z, y, energyErrors);
		Rows.toDouble(this.sums.row(z, y), sums, lags);
		Rows.toDouble(this.energies.row(z, y), energies, lags);
		Rows.varianceErrors(sums, sumErrors, energyErrors, 2 / n, norm / 2, least, lags);
		for (int b = 0; b < grid.blocksX; b++) {
			final int block = grid.blockRow(z, y) * grid.blocksX + b, x0 = b * grid.stepX;
			final double m = mean[block];
			Rows.about(sums, energies, 2 * m, n * m, n * (meanSquare[block] + m * m), x0, Math.min(x0 + grid.stepX, lags));
		}
	}

	@Override
	public double floor() {
		// squares of squares, behind the estimate, would underflow
		return n * 0x1p-60;
	}

	@Override
	public double[] minVariance() {
		return least;
	}

	@Override
	public double partialMinVariance(final int x, final double sum, final double weight) {
		final double m = mean[grid.blockRow(z, y) * grid.blocksX + x / grid.stepX];
		return norm / 2 * (energyErrors[x] + 2 * Math.abs(sum / weight - m) * sumErrors[x]);
	}

	@Override
	public double sumError(final int x) {
		return norm * sumErrors[x];
	}
}
