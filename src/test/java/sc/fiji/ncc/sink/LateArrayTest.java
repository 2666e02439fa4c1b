package sc.fiji.ncc.sink;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.plan.Precision;

/** Responses that are complete before their map is allocated. */
class LateArrayTest {

	@Test
	void responsesBeforeAndAfterTheAllocationAreInTheMap() {
		final LateArray array = new LateArray(Precision.SINGLE, 12, Float.NaN);
		final MapSink sink = new MapSink(array, new long[] { 4, 3 }, 0, new long[] { 1, 1 }, Float.NaN);
		assertNull(sink.place(0, new long[2]));
		final FloatBuffer box = FloatBuffer.wrap(new float[] { 9, 1, 2 }).position(1);
		sink.map(0, new long[2], new int[] { 2, 1 }, box);
		// the buffer is used again
		box.put(1, 5);
		sink.allocate();
		assertNotNull(sink.place(0, new long[2]));
		sink.map(0, new long[] { 0, 1 }, new int[] { 3, 1 }, FloatBuffer.wrap(new float[] { 3, 4, 5 }));
		final float n = Float.NaN;
		assertArrayEquals(new float[] { n, n, n, n, n, 1, 2, n, n, 3, 4, 5 }, (float[]) array.get().array());
	}

	@Test
	void severalThreadsWriteDuringTheAllocation() {
		for (int repeat = 0; repeat < 50; repeat++) {
			final int rows = 64, columns = 100;
			final LateArray array = new LateArray(Precision.DOUBLE, rows * columns, 0);
			final MapSink sink = new MapSink(array, new long[] { columns, rows }, 0, new long[2], 0);
			IntStream.range(0, rows + 1).parallel().forEach(y -> {
				if (y == rows / 2) sink.allocate();
				if (y < rows) sink.map(0, new long[] { 0, y }, new int[] { columns, 1 }, DoubleBuffer.wrap(IntStream.range(0, columns).mapToDouble(x -> 1000 * y + x).toArray()));
			});
			final double[] map = (double[]) array.get().array();
			for (int i = 0; i < map.length; i++) assertEquals(1000 * (i / columns) + i % columns, map[i]);
		}
	}
}
