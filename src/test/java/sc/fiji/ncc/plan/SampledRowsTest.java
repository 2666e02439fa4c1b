package sc.fiji.ncc.plan;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import sc.fiji.ncc.plan.Sink.SampledRows;

class SampledRowsTest {

	private static final int HEIGHT = 100;

	@ParameterizedTest
	@ValueSource(ints = { 3, 4, 9, 250 })
	void boxesAndSlabsDoNotChangeTheRows(final int stride) {
		final Set<Integer> expected = IntStream.range(0, HEIGHT).filter(y -> y % stride < SampledRows.ROWS).boxed().collect(Collectors.toCollection(TreeSet::new));
		for (final int box : new int[] { 1, 7, 33, HEIGHT }) for (final int slab : new int[] { 1, 5, 20 }) for (int axis = 1; axis < 3; axis++) {
			final Set<Integer> found = new TreeSet<>();
			int rows = 0;
			for (int origin = 0; origin < HEIGHT; origin += box) {
				final long[] at = new long[3];
				at[axis] = origin;
				final SampledRows sampled = new SampledRows(stride, at);
				for (int y = 0; y < box && origin + y < HEIGHT; y += slab) {
					final long[] min = new long[3];
					min[axis] = y;
					final int extent = Math.min(slab, Math.min(box, HEIGHT - origin) - y);
					final int[] all = sampled.all(min, axis, extent);
					assertArrayEquals(all, sampled.from(axis, y).all(new long[3], axis, extent));
					rows += all.length;
					for (final int i : all) found.add(origin + y + i);
				}
			}
			assertEquals(expected, found);
			assertEquals(expected.size(), rows, "no row twice");
		}
	}
}
