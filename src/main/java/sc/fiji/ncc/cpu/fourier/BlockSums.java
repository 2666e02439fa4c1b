package sc.fiji.ncc.cpu.fourier;

import java.util.Arrays;

import sc.fiji.ncc.loops.Rows;
import sc.fiji.ncc.numeric.Tolerance;

/**
 * Sums {@code Σ c·P} over the windows of a tile, for some coefficients c, as transforms of its blocks give them in float; and their estimated error, with
 * margin, from what rounding errors of a transform scale with: forward what {@link sc.fiji.ncc.cpu.fft.SpectralNoise} says of the block, and for the passes back along rows
 * and columns the energy of the row and the column of the result: {@code 8·eps·(noise(block) + √log2(n)·(rms(row) + rms(column)))}, n the points of a
 * block. Two blocks that ride in one complex transform err together. Belongs to one thread.
 */
final class BlockSums {

	static final double MARGIN = 8;

	private final BlockGrid grid;
	/** Of the coefficients. */
	private Spectrum spectrum;
	/** The estimate's factor forward and back, in tolerances times ‖c‖. */
	private double forth, back;
	/** All rows of lags of the tile. */
	private final float[][] sums;
	/** Σ of squares of what comes back along each row of lags of a pair of blocks, and along each column. */
	private final float[] columnEnergy;
	private final double[] rowEnergy;
	/** For each row of blocks what each of its columns adds to the error; for each block what it and each of its rows add. */
	private final double[][] columnNoise, rowNoise;
	/** The greatest estimate so far. */
	private double worst;

	/** @param mostRows the most rows of lags of a tile, over all z */
	BlockSums(final BlockGrid grid, final int mostRows) {
		this.grid = grid;
		sums = new float[mostRows][grid.mostLagsX];
		columnEnergy = new float[grid.rowLength];
		rowEnergy = new double[grid.rows];
		columnNoise = new double[grid.mostRows][grid.mostLagsX];
		rowNoise = new double[grid.mostBlocks()][rowEnergy.length];
	}

	/** Takes these coefficients from here on. */
	void use(final Spectrum coefficients) {
		spectrum = coefficients;
		worst = 0;
		final double points = (double) grid.rows * grid.rowLength;
		forth = MARGIN * Tolerance.EPS_FLOAT / (Tolerance.RESPONSE * spectrum.norm);
		back = forth * Math.sqrt(Math.max(1, Math.log(points) / Math.log(2)));
	}

	Spectrum spectrum() {
		return spectrum;
	}

	/**
	 * Takes the results of a pair of blocks.
	 *
	 * @param second the second block's; may be null
	 * @param forward the error of their transform forward, over eps
	 */
	void store(final int block, final float[][] first, final float[][] second, final double forward) {
		Arrays.fill(columnEnergy, 0);
		Arrays.fill(rowEnergy, 0);
		store(block, first);
		if (second != null) store(block + 1, second);
		estimate(block, forward);
		if (second != null) estimate(block + 1, forward);
	}

	/** Keeps the lags of a block, and the energy of its rows and columns: of all that the transform back gave, whether a lag of the block or not. */
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

	private void estimate(final int block, final double forward) {
		final int x0 = grid.x(block), width = Math.min(grid.stepX, grid.lagsX - x0), length = Math.min(width, grid.rowLength);
		double mostRow = 0, mostColumn = 0;
		for (int i = 0; i < rowEnergy.length; i++) {
			rowNoise[block][i] = forth * forward + back * Math.sqrt(rowEnergy[i] / grid.rowLength);
			mostRow = Math.max(mostRow, rowNoise[block][i]);
		}
		final double[] columns = columnNoise[block / grid.blocksX];
		for (int x = 0; x < length; x++) {
			columns[x0 + x] = back * Math.sqrt(columnEnergy[x] / grid.rows);
			mostColumn = Math.max(mostColumn, columns[x0 + x]);
		}
		// the further rows of one that is folded
		for (int o = length; o < width; o += length) System.arraycopy(columns, x0, columns, x0 + o, Math.min(length, width - o));
		worst = Math.max(worst, mostRow + mostColumn);
	}

	/** The greatest estimated error since these coefficients were taken, in tolerances times ‖c‖. */
	double worst() {
		return worst;
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
