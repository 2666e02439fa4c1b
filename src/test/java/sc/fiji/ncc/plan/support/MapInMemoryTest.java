package sc.fiji.ncc.plan.support;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.FloatBuffer;
import java.util.Arrays;
import java.util.List;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.plan.Sink;

/** Boxes of responses in maps of volumes. */
class MapInMemoryTest {

	/** Responses come from the position of their buffer on, x fastest. */
	@Test
	void aBoxLiesAtItsPlace() {
		final int[] size = { 5, 4, 3 }, box = { 2, 3, 2 };
		final long[] min = { 3, 1, 1 };
		final float[] map = new float[60], expected = new float[60], responses = new float[4 + 12];
		for (int i = 0; i < 12; i++) {
			responses[4 + i] = 1 + i;
			expected[3 + i % 2 + 5 * (1 + i / 2 % 3 + 4 * (1 + i / 6))] = 1 + i;
		}
		Arrays.fill(responses, 0, 4, -1);
		final MapInMemory sink = new MapInMemory(size, List.of(new float[60], map));
		sink.map(1, min, box, FloatBuffer.wrap(responses).position(4));
		assertArrayEquals(expected, map);
		final Sink.Place place = sink.place(1, min);
		assertEquals(map, place.array());
		assertEquals(1, map[place.offset()]);
		assertArrayEquals(new int[] { 1, 5, 20 }, place.strides());
	}
}
