package sc.fiji.ncc.plan.support;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.ResponseType;
import sc.fiji.ncc.plan.Sink;
import sc.fiji.ncc.plan.Size;

/** Groups of templates against those of a stream, and maps that are written in boxes against the places of their responses. */
class GroupingTest {

	@Test
	void equalOnesShareAGroup() {
		final Random random = new Random(3);
		for (int count = 0; count < 12; count++) {
			final int[] keys = random.ints(count, 0, 4).toArray();
			assertEquals(List.copyOf(IntStream.range(0, count).boxed().collect(Collectors.groupingBy(i -> keys[i], LinkedHashMap::new, Collectors.toList()))
				.values()), Grouping.of(count, (a, b) -> keys[a] == keys[b]).stream().map(g -> Arrays.stream(g).boxed().toList()).toList());
		}
	}

	/** Boxes in any order fill a map, with responses that number its lags; both ways to write agree, and undefined ones are as they should be. */
	@Test
	void boxesFillMaps() {
		final List<float[]> given = List.of(new float[6 * 5 * 4], new float[6 * 5 * 4]);
		final float[] expected = new float[6 * 5 * 4];
		for (int i = 0; i < expected.length; i++) expected[i] = i;
		final MapInMemory own = new MapInMemory(Size.of(6, 5, 4), 2, Precision.SINGLE, ResponseType.FLOAT),
			others = new MapInMemory(new int[] { 6, 5, 4 }, given);
		assertEquals(0, own.undefined());
		assertEquals(Float.NaN, others.undefined());
		for (final MapInMemory maps : List.of(own, others)) {
			for (final int z : new int[] { 2, 0 }) for (final int y : new int[] { 3, 0 }) for (final int x : new int[] { 0, 4 }) {
				final int[] box = { x == 0 ? 4 : 2, y == 0 ? 3 : 2, 2 };
				// responses behind others
				final List<Float> values = new ArrayList<>(List.of(-1f, -1f));
				for (int k = 0; k < box[2]; k++) for (int j = 0; j < box[1]; j++) for (int i = 0; i < box[0]; i++)
					values.add((float) (x + i + 6 * (y + j + 5 * (z + k))));
				final FloatBuffer from = FloatBuffer.allocate(values.size());
				values.forEach(from::put);
				maps.map(1, new long[] { x, y, z }, box, from.position(2));
				assertEquals(2, from.position());
			}
			final Sink.Place place = maps.place(1, new long[] { 2, 3, 1 });
			assertEquals(Arrays.toString(expected), Arrays.toString((float[]) place.array()));
			assertEquals(List.of(2 + 6 * (3 + 5), 1, 6, 30), List.of(place.offset(), place.strides()[0], place.strides()[1], place.strides()[2]));
			assertEquals(0, ((float[]) maps.place(0, new long[3]).array())[7], "the other map");
		}
	}
}
