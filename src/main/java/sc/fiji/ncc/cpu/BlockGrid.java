package sc.fiji.ncc.cpu;

/**
 * How the lags of a tile fall into blocks of a transform (overlap-save): each block gives as many lags along a dimension as it is longer than the
 * template, and one more. Blocks are counted along x first, then y, then z.
 */
final class BlockGrid {

	/** Extents of a block in pixels, and how many lags it gives. */
	final int width, height, depth, stepX, stepY, stepZ;
	/** The most rows of blocks, and the most lags along x, of a tile. */
	final int mostRows, mostLagsX;
	/** Of the tile at hand. */
	int lagsX, lagsY, lagsZ, blocksX, blocksY, blocks;
	private final TemplatePlanes planes;

	/**
	 * @param block extents of a block along x, y and z, in which the template fits
	 * @param mostLags the most lags of a tile along x, y and z
	 */
	BlockGrid(final TemplatePlanes planes, final int[] block, final int[] mostLags) {
		this.planes = planes;
		width = block[0];
		height = block[1];
		depth = block[2];
		stepX = width - planes.width + 1;
		stepY = height - planes.height + 1;
		stepZ = depth - planes.count + 1;
		mostLagsX = mostLags[0];
		mostRows = count(mostLags[1], stepY) * count(mostLags[2], stepZ);
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

	/** How many columns of a block lie in the tile. */
	int columns(final int block) {
		return Math.min(width, lagsX + planes.width - 1 - x(block));
	}

	int rows(final int block) {
		return Math.min(height, lagsY + planes.height - 1 - y(block));
	}

	int planes(final int block) {
		return Math.min(depth, lagsZ + planes.count - 1 - z(block));
	}

	/** The row of blocks, over all y and z, that gives row (z, y) of the tile's lags. */
	int blockRow(final int z, final int y) {
		return z / stepZ * blocksY + y / stepY;
	}

	/** Which of its rows of lags that is. */
	int rowInBlock(final int z, final int y) {
		return z % stepZ * stepY + y % stepY;
	}
}
