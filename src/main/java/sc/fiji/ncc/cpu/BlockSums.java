package sc.fiji.ncc.cpu;

import java.util.Arrays;

/**
 * Sums {@code Σ c·P} over the windows of a tile, for some coefficients c, as transforms of its blocks give them in float; and their estimated error, with
 * margin, from what rounding errors of a transform scale with: forward what {@link SpectralNoise} says of the block, and for the passes back along rows
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
	private final float[] columnEnergy, squares;
	private final double[] rowEnergy;
	/** For each row of blocks what each of its columns adds to the error; for each block what it and each of its rows add. */
	private final double[][] columnNoise, rowNoise;
	/** The greatest estimate so far. */
	private double worst;

	/** @param mostRows the most rows of lags of a tile, over all z */
	BlockSums(final BlockGrid grid, final int mostRows) {
		this.grid = grid;
		sums = new float[mostRows][grid.mostLagsX];
		columnEnergy = new float[grid.width];
		squares = new float[grid.width];
		rowEnergy = new double[grid.stepY * grid.stepZ];
		columnNoise = new double[grid.mostRows][grid.mostLagsX];
		rowNoise = new double[grid.mostBlocks()][rowEnergy.length];
	}

	/** Takes these coefficients from here on. */
	void use(final Spectrum coefficients) {
		spectrum = coefficients;
		worst = 0;
		final double points = (double) grid.width * grid.height * grid.depth;
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
		final int width = Math.min(grid.stepX, grid.lagsX - x0), height = Math.min(grid.stepY, grid.lagsY - y0);
		final int depth = Math.min(grid.stepZ, grid.lagsZ - z0);
		for (int z = 0; z < grid.depth; z++)
			for (int y = 0; y < grid.height; y++) {
				final float[] f = from[z * grid.height + y];
				final double energy = Rows.addEnergies(f, columnEnergy, squares, grid.width);
				if (z >= depth || y >= height) continue;
				rowEnergy[z * grid.stepY + y] += energy;
				System.arraycopy(f, 0, sums[(z0 + z) * grid.lagsY + y0 + y], x0, width);
			}
	}

	private void estimate(final int block, final double forward) {
		final int x0 = grid.x(block), width = Math.min(grid.stepX, grid.lagsX - x0);
		double mostRow = 0, mostColumn = 0;
		for (int i = 0; i < rowEnergy.length; i++) {
			rowNoise[block][i] = forth * forward + back * Math.sqrt(rowEnergy[i] / grid.width);
			mostRow = Math.max(mostRow, rowNoise[block][i]);
		}
		final double[] columns = columnNoise[block / grid.blocksX];
		for (int x = 0; x < width; x++) {
			columns[x0 + x] = back * Math.sqrt(columnEnergy[x] / (grid.height * grid.depth));
			mostColumn = Math.max(mostColumn, columns[x0 + x]);
		}
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
		final int row = grid.blockRow(z, y), inBlock = grid.rowInBlock(z, y);
		for (int b = 0; b < grid.blocksX; b++) {
			final int x0 = b * grid.stepX;
			Rows.sum(columnNoise[row], rowNoise[row * grid.blocksX + b][inBlock], to, x0, Math.min(x0 + grid.stepX, grid.lagsX));
		}
	}

	/** Writes the squares of {@link #errors}. */
	void squaredErrors(final int z, final int y, final double[] to) {
		final int row = grid.blockRow(z, y), inBlock = grid.rowInBlock(z, y);
		for (int b = 0; b < grid.blocksX; b++) {
			final int x0 = b * grid.stepX;
			Rows.squaredSum(columnNoise[row], rowNoise[row * grid.blocksX + b][inBlock], to, x0, Math.min(x0 + grid.stepX, grid.lagsX));
		}
	}
}
