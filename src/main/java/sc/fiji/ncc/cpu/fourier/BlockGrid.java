package sc.fiji.ncc.cpu.fourier;

import sc.fiji.ncc.cpu.fft.TileFft;
import sc.fiji.ncc.cpu.tile.TemplatePlanes;

/**
 * How the lags of a tile fall into blocks of a transform (overlap-save): each block gives as many lags along a dimension as it is longer than the
 * template, and one more. Blocks are counted along x first, then y, then z. And how a block lies in the rows of its transform: one row each, or if it is a
 * line, folded.
 */
final class BlockGrid {

	/** How many lags a block gives. */
	final int stepX, stepY, stepZ;
	/** How many rows its transform has, and their length. */
	final int rows, rowLength;
	/** Rows of a plane; 0 if the block is folded. */
	private final int height;
	/** The most rows of blocks, and the most lags along x, of a tile. */
	final int mostRows, mostLagsX;
	/** Of the tile at hand. */
	int lagsX, lagsY, lagsZ, blocksX, blocksY, blocks;
	private final TemplatePlanes planes;
	private final int[] extents;

	/**
	 * @param block extents of a block along x, y and z, in which the template fits
	 * @param maxLags the most lags of a tile along x, y and z
	 */
	BlockGrid(final TemplatePlanes planes, final int[] block, final int[] maxLags) {
		this.planes = planes;
		stepX = block[0] - planes.width + 1;
		stepY = block[1] - planes.height + 1;
		stepZ = block[2] - planes.count + 1;
		final boolean line = block[1] == 1 && block[2] == 1;
		rows = line ? TileFft.rowsOfLine(block[0]) : block[1] * block[2];
		rowLength = line ? block[0] / rows : block[0];
		height = line ? 0 : block[1];
		extents = block.clone();
		mostLagsX = maxLags[0];
		mostRows = count(maxLags[1], stepY) * count(maxLags[2], stepZ);
	}

	private static int count(final int lags, final int step) {
		return (lags + step - 1) / step;
	}

	/** Starts a tile. */
	void begin(final int lagsX, final int lagsY, final int lagsZ) {
		this.lagsX = lagsX;
		this.lagsY = lagsY;
		this.lagsZ = lagsZ;
		blocksX = count(lagsX, stepX);
		blocksY = count(lagsY, stepY);
		blocks = blocksX * blocksY * count(lagsZ, stepZ);
	}

	/** The most blocks of a tile. */
	int mostBlocks() {
		return mostRows * count(mostLagsX, stepX);
	}

	/** The first lag of a block, which is its first pixel. */
	int x(final int block) {
		return block % blocksX * stepX;
	}

	int y(final int block) {
		return block / blocksX % blocksY * stepY;
	}

	int z(final int block) {
		return block / blocksX / blocksY * stepZ;
	}

	/** Where a row of the transform begins in its block. */
	int rowX(final int row) {
		return height == 0 ? row * rowLength : 0;
	}

	int rowY(final int row) {
		return height == 0 ? 0 : row % height;
	}

	int rowZ(final int row) {
		return height == 0 ? 0 : row / height;
	}

	/** How many pixels of a row lie in the tile. */
	int pixels(final int block, final int row) {
		if (rowY(row) >= lagsY + planes.height - 1 - y(block) || rowZ(row) >= lagsZ + planes.count - 1 - z(block)) return 0;
		return Math.max(0, Math.min(rowLength, Math.min(extents[0], lagsX + planes.width - 1 - x(block)) - rowX(row)));
	}

	/** How many lags of the tile a row of what comes back holds. */
	int lags(final int block, final int row) {
		if (rowY(row) >= Math.min(stepY, lagsY - y(block)) || rowZ(row) >= Math.min(stepZ, lagsZ - z(block))) return 0;
		return Math.max(0, Math.min(rowLength, Math.min(stepX, lagsX - x(block)) - rowX(row)));
	}

	/** How many pixels of a block lie in the tile. */
	int pixels(final int block) {
		return Math.min(extents[0], lagsX + planes.width - 1 - x(block)) * Math.min(extents[1], lagsY + planes.height - 1 - y(block))
			* Math.min(extents[2], lagsZ + planes.count - 1 - z(block));
	}

	/** The row of blocks, over all y and z, that gives row (z, y) of the tile's lags. */
	int blockRow(final int z, final int y) {
		return z / stepZ * blocksY + y / stepY;
	}

	/** Which of its rows that is: if it is folded, the first of them. */
	int rowInBlock(final int z, final int y) {
		return z % stepZ * height + y % stepY * (height == 0 ? 0 : 1);
	}
}
