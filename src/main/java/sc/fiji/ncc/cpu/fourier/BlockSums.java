package sc.fiji.ncc.cpu.fourier;

import java.util.Arrays;

import sc.fiji.ncc.estimate.ForwardNoise;
import sc.fiji.ncc.estimate.PixelNoise;
import sc.fiji.ncc.loops.Rows;
import sc.fiji.ncc.numeric.Tolerance;

/**
 * Sums {@code Σ c·P} over the windows of a tile, for coefficients c, from transforms of its blocks in float, with their estimated error.
 * <p>
 * The estimate, with margin, is {@code 8·eps·(noise(block) + √log2(n)·(rms(row) + rms(column)))}, n the number of points of a block. {@link
 * sc.fiji.ncc.estimate.SpectralNoise} gives the part of the forward transform, or {@link PixelNoise} where this is greater. The passes of the inverse
 * transform along rows and columns have errors that are proportional to the energy of the row and the column of the result. Two blocks that share a
 * complex transform share their errors. Belongs to one thread.
 */
final class BlockSums {

	private final BlockGrid grid;
	/** The spectra of the coefficients. */
	private PartSpectra spectra;
	/** The factors of the estimate for the forward and the inverse transform, in tolerances times ‖c‖. */
	private double forwardFactor, inverseFactor;
	/** The sums of all rows of lags of the tile. */
	private final float[][] sums;
	/** The sum of squares of the inverse transform of a pair of blocks, for each column and for each row. */
	private final float[] columnEnergy;
	private final double[] rowEnergy;
	/** {@code columnNoise}: the error that each column of a row of blocks adds. {@code rowNoise}: the error that each block and each of its rows add. */
	private final double[][] columnNoise, rowNoise;
	/** The maximum estimate so far; and the one of independent passes. */
	private double worst, worstOfIndependent;

	/** @param maxRows the maximum number of rows of lags of a tile, over all z */
	BlockSums(final BlockGrid grid, final int maxRows) {
		this.grid = grid;
		sums = new float[maxRows][grid.maxLagsX];
		columnEnergy = new float[grid.rowLength];
		rowEnergy = new double[grid.rows];
		columnNoise = new double[grid.maxRows][grid.maxLagsX];
		rowNoise = new double[grid.maxBlocks()][rowEnergy.length];
	}

	/** Uses these coefficients from now on. */
	void use(final PartSpectra coefficients) {
		spectra = coefficients;
		worst = 0;
		worstOfIndependent = 0;
		final double points = (double) grid.rows * grid.rowLength;
		forwardFactor = PixelNoise.MARGIN * Tolerance.EPS_FLOAT / (Tolerance.RESPONSE * spectra.norm);
		inverseFactor = forwardFactor * Math.sqrt(levels(points));
	}

	private static double levels(final double points) {
		return Math.max(1, Math.log(points) / Math.log(2));
	}

	/**
	 * The factor of the forward error for sums over several parts. The errors of the additions add up. They are relative to the products without the levels of a
	 * transform.
	 */
	static double additions(final int parts, final int points) {
		return 1 + parts / (3 * Math.sqrt(levels(points)));
	}

	/** The spectrum of a part of the coefficients. */
	Spectrum spectrum(final int part) {
		return spectra.spectra[part];
	}

	/**
	 * Stores the results of a pair of blocks that share a transform.
	 *
	 * @param second the results of the other block; may be null
	 * @param forward the error of their forward transform
	 */
	void store(final int block, final float[][] first, final int other, final float[][] second, final ForwardNoise forward) {
		Arrays.fill(columnEnergy, 0);
		Arrays.fill(rowEnergy, 0);
		store(block, first);
		if (second != null) store(other, second);
		estimate(block, forward);
		if (second != null) estimate(other, forward);
	}

	/** Sets the sums of a block to 0, which is exact. */
	void clear(final int block) {
		final int x0 = grid.x(block), y0 = grid.y(block), z0 = grid.z(block);
		for (int z = z0; z < Math.min(z0 + grid.stepZ, grid.lagsZ); z++)
			for (int y = y0; y < Math.min(y0 + grid.stepY, grid.lagsY); y++) Arrays.fill(row(z, y), x0, Math.min(x0 + grid.stepX, grid.lagsX), 0);
	}

	/** Stores the lags of a block, and the energy of its rows and columns: of the whole inverse transform, including what is not a lag of the block. */
	private void store(final int block, final float[][] from) {
		final int x0 = grid.x(block), y0 = grid.y(block), z0 = grid.z(block);
		for (int r = 0; r < grid.rows; r++) {
			final double energy = Rows.addEnergies(from[r], columnEnergy, grid.rowLength);
			final int lags = grid.lags(block, r);
			if (lags == 0) continue;
			rowEnergy[r] += energy;
			System.arraycopy(from[r], 0, sums[(z0 + grid.rowZ(r)) * grid.lagsY + y0 + grid.rowY(r)], x0 + grid.rowX(r), lags);
		}
	}

	private void estimate(final int block, final ForwardNoise forward) {
		final int x0 = grid.x(block), width = Math.min(grid.stepX, grid.lagsX - x0), length = Math.min(width, grid.rowLength);
		double maxRow = 0, maxColumn = 0, forwardOfRow = 0, forwardOfColumn = 0, maxRowEnergy = 0, maxColumnEnergy = 0;
		for (int i = 0; i < rowEnergy.length; i++) {
			final double ofRow = forward.block + forward.rows[i % forward.rows.length];
			rowNoise[block][i] = forwardFactor * ofRow + inverseFactor * Math.sqrt(rowEnergy[i] / grid.rowLength);
			maxRow = Math.max(maxRow, rowNoise[block][i]);
			forwardOfRow = Math.max(forwardOfRow, ofRow);
			maxRowEnergy = Math.max(maxRowEnergy, rowEnergy[i] / grid.rowLength);
		}
		final double[] columns = columnNoise[block / grid.blocksX];
		for (int x = 0; x < length; x++) {
			columns[x0 + x] = inverseFactor * Math.sqrt(columnEnergy[x] / grid.rows) + forwardFactor * forward.columns[x];
			maxColumn = Math.max(maxColumn, columns[x0 + x]);
			forwardOfColumn = Math.max(forwardOfColumn, forward.columns[x]);
			maxColumnEnergy = Math.max(maxColumnEnergy, columnEnergy[x] / grid.rows);
		}
		// the further rows of a folded line
		for (int o = length; o < width; o += length) System.arraycopy(columns, x0, columns, x0 + o, Math.min(length, width - o));
		worst = Math.max(worst, maxRow + maxColumn);
		worstOfIndependent = Math.max(worstOfIndependent, forwardFactor * (forwardOfRow + forwardOfColumn
			+ Math.sqrt(levels(grid.rowLength) * maxRowEnergy + levels(grid.rows) * maxColumnEnergy)));
	}

	/** The maximum estimated error since these coefficients were set, in tolerances times ‖c‖. */
	double worst() {
		return worst;
	}

	/**
	 * The maximum estimated error of the sums of a convolution: as {@link #worst}, but the two passes of the inverse transform add up as independent errors, each
	 * with the levels of its own lines. It is about 0.7 times as large. A sum of a convolution is not divided by a norm, so no small window can make more of it.
	 */
	double worstOfIndependentPasses() {
		return worstOfIndependent;
	}

	/** The sums of a row of lags. */
	float[] row(final int z, final int y) {
		return sums[z * grid.lagsY + y];
	}

	/** Writes the estimated error of each sum of a row, in tolerances times ‖c‖. */
	void errors(final int z, final int y, final double[] to) {
		final int row = grid.blockRow(z, y), first = grid.rowInBlock(z, y);
		for (int b = 0; b < grid.blocksX; b++) {
			final int end = Math.min((b + 1) * grid.stepX, grid.lagsX);
			for (int x = b * grid.stepX, r = first; x < end; x += grid.rowLength, r++)
				Rows.sum(columnNoise[row], rowNoise[row * grid.blocksX + b][r], to, x, Math.min(x + grid.rowLength, end));
		}
	}

	/** Writes the squares of {@link #errors}. */
	void squaredErrors(final int z, final int y, final double[] to) {
		final int row = grid.blockRow(z, y), first = grid.rowInBlock(z, y);
		for (int b = 0; b < grid.blocksX; b++) {
			final int end = Math.min((b + 1) * grid.stepX, grid.lagsX);
			for (int x = b * grid.stepX, r = first; x < end; x += grid.rowLength, r++)
				Rows.squaredSum(columnNoise[row], rowNoise[row * grid.blocksX + b][r], to, x, Math.min(x + grid.rowLength, end));
		}
	}
}
