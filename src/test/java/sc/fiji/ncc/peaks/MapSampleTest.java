package sc.fiji.ncc.peaks;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.Buffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which rows of a map are sampled, and the blocks of them, whatever boxes the map is computed in. */
class MapSampleTest {

	/** The values of a buffer begin at this position. */
	private static final int BEGIN = 5;

	private static float value(final long x, final long y, final long z) {
		return x + 100 * y + 10_000 * z;
	}

	/** Responses of a box, behind others. */
	private static Buffer box(final boolean doubles, final long[] at, final int... size) {
		final int n = size[0] * size[1] * size[2];
		final float[] floats = new float[BEGIN + n];
		final double[] values = new double[floats.length];
		for (int i = 0; i < n; i++)
			values[BEGIN + i] = floats[BEGIN + i] = value(at[0] + i % size[0], at[1] + i / size[0] % size[1], at[2]
				+ i / size[0] / size[1]);
		return doubles ? DoubleBuffer.wrap(values).position(BEGIN) : FloatBuffer.wrap(floats).position(BEGIN);
	}

	/** About 65,536 responses of a large map: three rows of so many, and in a volume three planes, too. */
	@Test
	void distancesOfBlocks() {
		assertEquals(3, MapSample.stride(new long[] { 65_536 }));
		assertEquals(3, MapSample.stride(new long[] { 200, 300 }));
		assertEquals(46, MapSample.stride(new long[] { 1000, 1000 }));
		assertEquals(46, MapSample.stride(new long[] { 1000, 1000, 1 }));
		assertEquals(94, MapSample.stride(new long[] { 400, 400, 400 }));
	}

	/** Of 20 rows and 10 planes those are sampled whose number has a remainder below 3 to 6. */
	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void blocksDoNotDependOnBoxes(final boolean doubles) {
		final MapSample sample = new MapSample();
		for (int z = 0; z < 10; z += 4) for (int y = 0; y < 20; y += 5) for (int x = 0; x < 7; x += 4) {
			final long[] at = { x, y, z };
			final int[] size = { Math.min(4, 7 - x), 5, Math.min(4, 10 - z) };
			sample.addBox(6, at, size, box(doubles, at, size));
		}
		final List<MapSample.Block> blocks = sample.blocks();
		final int[] rows = { 0, 6, 12, 18 }, planes = { 0, 6 };
		assertEquals(rows.length * planes.length, blocks.size());
		for (int b = 0; b < blocks.size(); b++) {
			final MapSample.Block block = blocks.get(b);
			final int firstRow = rows[b % 4], firstPlane = planes[b / 4];
			assertEquals("7x" + (firstRow == 18 ? 2 : 3) + "x3", block.width() + "x" + block.height() + "x" + block.depth());
			for (int i = 0; i < block.values().length; i++)
				assertEquals(value(i % 7, firstRow + i / 7 % block.height(), firstPlane + i / 7 / block.height()), block.values()[i]);
		}
	}

	/** Blocks have three rows at most. What is not there is NaN. */
	@Test
	void blocksOfAllRows() {
		final MapSample part = new MapSample(), sample = new MapSample();
		part.add(new long[] { 1, 0 }, new int[] { 2, 7 }, FloatBuffer.wrap(new float[] { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13 }));
		sample.add(part);
		final List<MapSample.Block> blocks = sample.blocks();
		assertEquals(List.of(3, 3, 1), blocks.stream().map(MapSample.Block::height).toList());
		assertArrayEquals(new float[] { Float.NaN, 6, 7, Float.NaN, 8, 9, Float.NaN, 10, 11 }, blocks.get(1).values());
		sample.clear();
		assertEquals(List.of(), sample.blocks());
	}
}
