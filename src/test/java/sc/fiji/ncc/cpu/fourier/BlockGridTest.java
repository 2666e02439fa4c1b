package sc.fiji.ncc.cpu.fourier;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import sc.fiji.ncc.contract.ArrayPixels;
import sc.fiji.ncc.cpu.tile.TemplatePlanes;
import sc.fiji.ncc.cpu.tile.TileInput;
import sc.fiji.ncc.cpu.tile.TileReader;
import sc.fiji.ncc.cpu.tile.TileScale;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Size;

/** Blocks serve each lag of a tile once, and hold the pixels that its lags need, counted one by one. */
class BlockGridTest {

	private static int[] ints(final String text) {
		return Arrays.stream(text.split("x")).mapToInt(Integer::parseInt).toArray();
	}

	/** Planes, tiles with incomplete last blocks, volumes, templates in parts, and folded lines. */
	@ParameterizedTest
	@CsvSource({ "5x4x1, 8x8x1, 5x4x1, 10x7x1", "5x4x1, 8x8x1, 5x4x1, 8x10x1", "7x5x1, 8x4x1, 3x2x1, 11x5x1", "3x2x2, 4x4x4, 3x2x2, 5x4x4",
		"3x2x5, 4x4x4, 3x2x2, 4x3x7", "9x1x1, 64x1x1, 9x1x1, 100x1x1", "60x1x1, 64x1x1, 20x1x1, 50x1x1" })
	void everyLagAndPixelHasItsPlace(final String template, final String block, final String part, final String lags) {
		final int[] t = ints(template), b = ints(block), p = ints(part), n = ints(lags);
		final TemplatePlanes planes = new TemplatePlanes(Size.of(t[0], t[1], t[2]));
		final BlockGrid grid = new BlockGrid(new TemplateParts(planes, b, p), n);
		grid.begin(n[0], n[1], n[2]);
		final int[] step = { b[0] - p[0] + 1, b[1] - p[1] + 1, b[2] - p[2] + 1 }, tile = new int[3];
		int blocks = 1, parts = 1;
		for (int d = 0; d < 3; d++) {
			blocks *= (n[d] + step[d] - 1) / step[d];
			parts *= (t[d] + p[d] - 1) / p[d];
			tile[d] = n[d] + t[d] - 1;
		}
		assertEquals(blocks, grid.blocks);
		assertEquals(blocks, grid.maxBlocks());
		assertEquals(parts, grid.parts());
		assertEquals(p[0], grid.partWidth());
		assertEquals(p[1], grid.partHeight());
		assertEquals(b[0] * b[1] * b[2], grid.rows * grid.rowLength);
		assertEquals(tile[0], grid.tileColumns());
		assertEquals(tile[1], grid.tileRows());
		assertEquals(tile[2], grid.tilePlanes());
		assertLags(grid, n);
		final TileReader[] readers = readers(tile);
		for (int q = 0; q < parts; q++) {
			grid.part(q);
			final int nx = (t[0] + p[0] - 1) / p[0], ny = (t[1] + p[1] - 1) / p[1];
			final int[] first = { q % nx * p[0], q / nx % ny * p[1], q / nx / ny * p[2] };
			for (int i = 0; i < blocks; i++) assertPixels(grid, i, first, b, tile, parts, readers);
		}
	}

	/** A reader for each plane, of pixels that are 1 + x + 100 y + 10000 z, of which every third one is missing. */
	private static TileReader[] readers(final int[] tile) {
		final double[] pixels = new double[tile[0] * tile[1] * tile[2]], present = new double[pixels.length];
		for (int i = 0; i < pixels.length; i++) {
			pixels[i] = 1 + i % tile[0] + 100 * (i / tile[0] % tile[1]) + 10_000 * (i / tile[0] / tile[1]);
			present[i] = i % 3 == 0 ? 0 : 1;
		}
		final ArrayPixels image = ArrayPixels.of(PixelType.F32, tile, pixels, 1, false, present);
		final TileReader[] readers = new TileReader[tile[2]];
		for (int z = 0; z < readers.length; z++) {
			readers[z] = new TileReader(PixelType.F32);
			readers[z].read(image, new long[] { 0, 0, z }, tile[0], tile[1]);
		}
		return readers;
	}

	private static void assertLags(final BlockGrid grid, final int[] n) {
		final double[][] stored = new double[n[1] * n[2]][n[0]], from = new double[grid.rows][grid.rowLength];
		final int[] times = new int[n[0] * n[1] * n[2]];
		for (int i = 0; i < grid.blocks; i++) {
			for (int r = 0; r < grid.rows; r++) {
				final int z = grid.z(i) + grid.rowZ(r), y = grid.y(i) + grid.rowY(r), x = grid.x(i) + grid.rowX(r);
				for (int k = 0; k < grid.rowLength; k++) from[r][k] = x + k + 100 * y + 10_000 * z;
				for (int k = 0; k < grid.lags(i, r); k++) times[(z * n[1] + y) * n[0] + x + k]++;
				if (grid.lags(i, r) == 0) continue;
				assertEquals(i / grid.blocksX, grid.blockRow(z, y), "row of blocks");
				assertEquals(r, grid.rowInBlock(z, y) + (grid.rowX(r) == 0 ? 0 : r), "row in its block");
			}
			grid.store(from, i, stored);
		}
		for (final int count : times) assertEquals(1, count, "blocks of a lag");
		for (int r = 0; r < stored.length; r++)
			for (int x = 0; x < n[0]; x++) assertEquals(x + 100 * (r % n[1]) + 10_000 * (r / n[1]), stored[r][x]);
	}

	private static void assertPixels(final BlockGrid grid, final int block, final int[] part, final int[] extents, final int[] tile, final int parts,
		final TileReader[] readers)
	{
		long all = 0;
		final TileInput input = TileInput.of(readers, TileScale.none(), new int[] { grid.lagsX, grid.lagsY, grid.lagsZ }, () -> false);
		final double[] pixels = new double[grid.rowLength], present = new double[grid.rowLength];
		final float[] floats = new float[grid.rowLength], presentFloats = new float[grid.rowLength];
		for (int r = 0; r < grid.rows; r++) {
			final int z = grid.z(block) + part[2] + grid.rowZ(r), y = grid.y(block) + part[1] + grid.rowY(r), x = grid.x(block) + part[0] + grid.rowX(r);
			int expected = 0;
			for (int k = 0; k < grid.rowLength; k++)
				if (grid.rowX(r) + k < extents[0] && x + k < tile[0] && y < tile[1] && z < tile[2]) expected++;
			final int n = grid.pixels(block, r);
			assertEquals(expected, n, "pixels of row " + r);
			all += n;
			for (final double[] row : List.of(pixels, present)) Arrays.fill(row, Double.NaN);
			for (final float[] row : List.of(floats, presentFloats)) Arrays.fill(row, Float.NaN);
			for (final int read : new int[] { grid.read(input, block, r, pixels), grid.read(input, block, r, floats), grid.readPresent(readers, block, r, present),
				grid.readPresent(readers, block, r, presentFloats) }) assertEquals(n, read, "pixels of row " + r);
			for (int k = n; k < grid.rowLength; k++) assertEquals(0, Math.abs(pixels[k]) + Math.abs(present[k]) + Math.abs(floats[k]) + Math.abs(presentFloats[k]),
				"outside the tile");
			for (int k = 0; k < n; k++) {
				final int there = ((z * tile[1] + y) * tile[0] + x + k) % 3 == 0 ? 0 : 1;
				assertEquals(there, present[k]);
				assertEquals(there, presentFloats[k]);
				if (there == 0) continue;
				assertEquals(1 + x + k + 100 * y + 10_000 * z, pixels[k]);
				assertEquals(1 + x + k + 100 * y + 10_000 * z, floats[k]);
			}
		}
		if (parts == 1) assertEquals(all, grid.pixels(block), "pixels of the block");
		assertTrue(all > 0, "a block without pixels");
	}

	/** Every pixel of the template is copied once, to the place in the block at which its offset in its part stands. */
	@ParameterizedTest
	@CsvSource({ "5x4x1, 8x8x1, 3x2x1", "3x2x5, 4x4x4, 2x2x2", "60x1x1, 64x1x1, 20x1x1", "7x5x3, 8x8x4, 7x5x3" })
	void everyPixelOfATemplateIsCopiedOnce(final String template, final String block, final String part) {
		final int[] t = ints(template), b = ints(block), p = ints(part);
		final TemplateParts parts = new TemplateParts(new TemplatePlanes(Size.of(t[0], t[1], t[2])), b, p);
		final int[] times = new int[t[0] * t[1] * t[2]];
		for (final int rowLength : new int[] { b[0], b[0] / 2 }) {
			Arrays.fill(times, 0);
			for (int q = 0; q < parts.count; q++) {
				final int index = q;
				parts.forEach(q, rowLength, (pixel, row, x) -> {
					times[pixel]++;
					final int place = row * rowLength + x;
					assertEquals(pixel % t[0], parts.offset(index, 0) + place % b[0], "x");
					assertEquals(pixel / t[0] % t[1], parts.offset(index, 1) + place / b[0] % b[1], "y");
					assertEquals(pixel / t[0] / t[1], parts.offset(index, 2) + place / b[0] / b[1], "z");
					assertTrue(x < rowLength && place % b[0] < p[0] && place / b[0] % b[1] < p[1] && place / b[0] / b[1] < p[2], "in its part");
				});
			}
			for (final int n : times) assertEquals(1, n);
		}
	}
}
