package sc.fiji.ncc.cpu.fourier;

import java.util.Arrays;

import sc.fiji.ncc.cpu.fft.TileFft;
import sc.fiji.ncc.cpu.tile.TemplatePlanes;
import sc.fiji.ncc.cpu.tile.TileInput;
import sc.fiji.ncc.cpu.tile.TileReader;

/**
 * How the lags of a tile are divided into blocks of a transform (overlap-save). Along each dimension a block serves (block extent - part extent + 1)
 * lags, where a part is that of the template. Blocks are counted along x first, then y, then z. The pixels of a block start at its first lag plus the
 * offset of the current part. Also maps a block to the rows of its transform: one row for each row of the block, or the folded rows of a line.
 */
final class BlockGrid {

	/** The number of lags that a block serves, along x, y and z. */
	final int stepX, stepY, stepZ;
	/** The number of rows of the transform, and their length. */
	final int rows, rowLength;
	/** The number of rows of a plane; 0 if the block is a folded line. */
	private final int height;
	/** The maximum number of rows of blocks, and of lags along x, of a tile. */
	final int maxRows, maxLagsX;
	/** The lags and blocks of the current tile. */
	int lagsX, lagsY, lagsZ, blocksX, blocksY, blocks;
	private final TemplateParts parts;
	private final TemplatePlanes planes;
	private final int[] extents;
	/** The first pixel of the current part of the template. */
	private int partX, partY, partZ;

	/** @param maxLags the maximum number of lags of a tile along x, y and z */
	BlockGrid(final TemplateParts parts, final int[] maxLags) {
		this.parts = parts;
		planes = parts.planes;
		final int[] block = parts.block;
		stepX = block[0] - parts.part[0] + 1;
		stepY = block[1] - parts.part[1] + 1;
		stepZ = block[2] - parts.part[2] + 1;
		final boolean line = block[1] == 1 && block[2] == 1;
		rows = line ? TileFft.rowsOfLine(block[0]) : block[1] * block[2];
		rowLength = line ? block[0] / rows : block[0];
		height = line ? 0 : block[1];
		extents = block.clone();
		maxLagsX = maxLags[0];
		maxRows = count(maxLags[1], stepY) * count(maxLags[2], stepZ);
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

	/** Selects a part of the template. Default: the first. */
	void part(final int index) {
		partX = parts.offset(index, 0);
		partY = parts.offset(index, 1);
		partZ = parts.offset(index, 2);
	}

	/** The number of parts of the template. */
	int parts() {
		return parts.count;
	}

	/** The width of the template, or of its widest part. */
	int partWidth() {
		return parts.part[0];
	}

	/** The height of the template, or of its highest part. */
	int partHeight() {
		return parts.part[1];
	}

	/** The maximum number of blocks of a tile. */
	int maxBlocks() {
		return maxRows * count(maxLagsX, stepX);
	}

	/** The first lag of a block along x. */
	int x(final int block) {
		return block % blocksX * stepX;
	}

	int y(final int block) {
		return block / blocksX % blocksY * stepY;
	}

	int z(final int block) {
		return block / blocksX / blocksY * stepZ;
	}

	/** The position in its block at which a row of the transform starts. */
	int rowX(final int row) {
		return height == 0 ? row * rowLength : 0;
	}

	int rowY(final int row) {
		return height == 0 ? 0 : row % height;
	}

	int rowZ(final int row) {
		return height == 0 ? 0 : row / height;
	}

	/** The number of pixels of a row that lie in the tile. */
	int pixels(final int block, final int row) {
		if (rowY(row) >= lagsY + planes.height - 1 - y(block) - partY || rowZ(row) >= lagsZ + planes.count - 1 - z(block) - partZ) return 0;
		return Math.max(0, Math.min(rowLength, Math.min(extents[0], lagsX + planes.width - 1 - x(block) - partX) - rowX(row)));
	}

	/** Reads a row of a block, with 0 outside the tile. Returns the number of pixels that lie in the tile. */
	int read(final TileInput tile, final int block, final int row, final float[] to) {
		final int n = pixels(block, row);
		if (n > 0) plane(tile.planes(), block, row).row(tileY(block, row), tileX(block, row), n, tile.scale(), to);
		Arrays.fill(to, n, to.length, 0);
		return n;
	}

	int read(final TileInput tile, final int block, final int row, final double[] to) {
		final int n = pixels(block, row);
		if (n > 0) plane(tile.planes(), block, row).row(tileY(block, row), tileX(block, row), n, tile.scale(), to);
		Arrays.fill(to, n, to.length, 0);
		return n;
	}

	/** The same for whether the pixels are present: 1, else 0. */
	int readPresent(final TileReader[] readers, final int block, final int row, final double[] to) {
		final int n = pixels(block, row);
		if (n > 0) plane(readers, block, row).presentRow(tileY(block, row), tileX(block, row), n, to);
		Arrays.fill(to, n, to.length, 0);
		return n;
	}

	int readPresent(final TileReader[] readers, final int block, final int row, final float[] to) {
		final int n = pixels(block, row);
		if (n > 0) plane(readers, block, row).presentRow(tileY(block, row), tileX(block, row), n, to);
		Arrays.fill(to, n, to.length, 0);
		return n;
	}

	private TileReader plane(final TileReader[] readers, final int block, final int row) {
		return readers[z(block) + partZ + rowZ(row)];
	}

	private int tileY(final int block, final int row) {
		return y(block) + partY + rowY(row);
	}

	private int tileX(final int block, final int row) {
		return x(block) + partX + rowX(row);
	}

	/** The number of rows of a plane of the tile, of its planes, and of pixels in a row. */
	int tileRows() {
		return lagsY + planes.height - 1;
	}

	int tilePlanes() {
		return lagsZ + planes.count - 1;
	}

	int tileColumns() {
		return lagsX + planes.width - 1;
	}

	/** The number of lags of the tile in a row of the inverse transform. */
	int lags(final int block, final int row) {
		if (rowY(row) >= Math.min(stepY, lagsY - y(block)) || rowZ(row) >= Math.min(stepZ, lagsZ - z(block))) return 0;
		return Math.max(0, Math.min(rowLength, Math.min(stepX, lagsX - x(block)) - rowX(row)));
	}

	/** The number of pixels of a block that lie in the tile, for a template of one part. */
	long pixels(final int block) {
		return (long) Math.min(extents[0], lagsX + planes.width - 1 - x(block)) * Math.min(extents[1], lagsY + planes.height - 1 - y(block))
			* Math.min(extents[2], lagsZ + planes.count - 1 - z(block));
	}

	/** Copies the lags of a block from an inverse transform to the rows of lags of the tile. */
	void store(final double[][] from, final int block, final double[][] to) {
		final int x0 = x(block), y0 = y(block), z0 = z(block);
		for (int r = 0; r < rows; r++) {
			final int lags = lags(block, r);
			if (lags > 0) System.arraycopy(from[r], 0, to[(z0 + rowZ(r)) * lagsY + y0 + rowY(r)], x0 + rowX(r), lags);
		}
	}

	/** The row of blocks, over all y and z, that contains row (z, y) of the tile's lags. */
	int blockRow(final int z, final int y) {
		return z / stepZ * blocksY + y / stepY;
	}

	/** The index of row (z, y) in its block; of a folded line the first of its rows. */
	int rowInBlock(final int z, final int y) {
		return z % stepZ * height + y % stepY * (height == 0 ? 0 : 1);
	}
}
