package sc.fiji.ncc.peaks;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Random;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class LocalMaximaTest {

	private static final float NAN = Float.NaN, INF = Float.NEGATIVE_INFINITY;

	@Test
	void singlePixels() {
		final float[] map = {
			5, 1, 1, 1, 4,
			1, 1, 3, 1, 1,
			1, 2, 1, 1, 1,
			1, 1, 1, 1, 6 };
		assertEquals(List.of("(4, 3) 6.0", "(0, 0) 5.0", "(4, 0) 4.0", "(2, 1) 3.0"), find(map, INF, 5, 4));
		assertEquals(List.of("(4, 3) 6.0", "(0, 0) 5.0"), find(map, 5, 5, 4));
		assertEquals(List.of(), find(map, 6.5f, 5, 4));
	}

	@Test
	void aPlateauIsOnePeakAtItsFirstPixel() {
		final float[] ring = {
			0, 0, 0, 0, 0, 0,
			0, 0, 7, 7, 0, 0,
			0, 7, 1, 1, 7, 0,
			0, 7, 1, 3, 7, 0,
			0, 0, 7, 7, 0, 0,
			0, 0, 0, 0, 0, 0 };
		assertEquals(List.of("(2, 1) 7.0"), find(ring, INF, 6, 6)); // the 3 touches the ring
	}

	@Test
	void aPlateauWithOneGreaterNeighbourIsNone() {
		final float[] map = {
			0, 0, 7, 7, 0, 0,
			0, 7, 0, 0, 7, 0,
			0, 7, 0, 0, 7, 0,
			0, 7, 0, 0, 0, 7,
			0, 0, 0, 0, 0, 8 };
		assertEquals(List.of("(5, 4) 8.0"), find(map, INF, 6, 5));
		map[29] = 7;
		assertEquals(List.of("(2, 0) 7.0"), find(map, INF, 6, 5));
		map[6] = 9;
		assertEquals(List.of("(0, 1) 9.0"), find(map, INF, 6, 5));
	}

	@Test
	void anEqualNeighbourOnASlopeIsNoPeak() {
		assertEquals(List.of("(2, 1) 3.0"), find(new float[] {
			0, 2, 0, 0,
			0, 2, 3, 0 }, INF, 4, 2));
		assertEquals(List.of("(2, 0) 3.0"), find(new float[] {
			0, 2, 3, 0,
			0, 2, 0, 0 }, INF, 4, 2));
	}

	@Test
	void twoArmsThatMeetLaterAreOnePlateau() {
		assertEquals(List.of("(0, 0) 1.0"), find(new float[] {
			1, 0, 0, 0, 1,
			1, 0, 0, 0, 1,
			0, 1, 0, 1, 0,
			0, 0, 1, 0, 0 }, 1, 5, 4));
	}

	@Test
	void aRowOfManyPeaks() {
		final float[] map = new float[200];
		for (int x = 0; x < 100; x += 2) map[x] = 1;
		map[150] = 2; // exceeds the 1 above it
		final List<String> found = find(map, 1, 100, 2);
		assertEquals(50, found.size());
		assertEquals("(50, 1) 2.0", found.get(0));
		assertEquals("(98, 0) 1.0", found.get(49));
	}

	@Test
	void aFlatMapIsOnePeak() {
		assertEquals(List.of("(0, 0, 0) 0.0"), find(new float[60], INF, 5, 4, 3));
		assertEquals(List.of("(0) -1.0"), find(new float[] { -1 }, INF, 1));
		assertEquals(1, find(new float[] { 0f, -0f, -0f, 0f }, INF, 2, 2).size(), "zeros of both signs are equal");
	}

	@Test
	void nanIsNoPeakAndHindersNone() {
		assertEquals(List.of("(1, 1) -5.0"), find(new float[] { NAN, NAN, NAN, NAN, -5, NAN, NAN, NAN, NAN }, INF, 3, 3));
		assertEquals(List.of(), find(new float[] { NAN, NAN, INF, NAN }, INF, 2, 2));
	}

	@Property(tries = 600)
	void asByFlooding(@ForAll final long seed, @ForAll @IntRange(min = 1, max = 4) final int n, @ForAll @IntRange(min = 1, max = 6) final int levels) {
		final Random random = new Random(seed);
		final long[] size = random.longs(n, 1, n < 3 ? 12 : 5).toArray();
		final float[] map = new float[(int) Arrays.stream(size).reduce(1, (a, b) -> a * b)];
		for (int i = 0; i < map.length; i++) map[i] = random.nextInt(20) == 0 ? NAN : random.nextInt(levels);
		final float least = random.nextInt(3) - 0.5f;
		assertEquals(byFlooding(map, least, size), find(map, least, size));
	}

	@Property(tries = 50)
	void largePlateausAsByFlooding(@ForAll final long seed) {
		final Random random = new Random(seed);
		final float[] map = new float[40 * 30];
		for (int i = 0; i < map.length; i++) map[i] = random.nextInt(8) == 0 ? random.nextInt(3) : 1;
		assertEquals(byFlooding(map, 0, 40, 30), find(map, 0, 40, 30));
		assertEquals(byFlooding(map, 0, 10, 12, 10), find(map, 0, 10, 12, 10));
	}

	@Test
	void rowsAreReadOnceInOrder() {
		final List<String> starts = new ArrayList<>();
		LocalMaxima.find((start, row) -> starts.add(Arrays.toString(start)), new long[] { 4, 2, 3 }, 0, p -> {});
		assertEquals(List.of("[0, 0, 0]", "[0, 1, 0]", "[0, 0, 1]", "[0, 1, 1]", "[0, 0, 2]", "[0, 1, 2]"), starts);
	}

	@Test
	@Tag("slow")
	void aMapOfMorePixelsThanAnArrayHolds() {
		final List<Peak> found = new ArrayList<>();
		LocalMaxima.find((start, row) -> row[(int) start[1] % 7] = start[1] == 2_999_999 ? 2 : 1, new long[] { 1000, 3_000_000 }, 2, found::add);
		assertEquals(1, found.size());
		assertArrayEquals(new long[] { 2_999_999 % 7, 2_999_999 }, found.get(0).position());
	}

	@Test
	void saysWhatIsWrong() {
		for (final int n : new int[] { 5, 7 })
			assertEquals(n + " values for a map of 6 pixels: pass one value per pixel",
				assertThrows(IllegalArgumentException.class, () -> MapRows.of(new float[n], 2, 3)).getMessage());
		assertThrows(IllegalArgumentException.class, () -> find(new float[1], INF, 1, 1, 1, 1, 1));
		assertThrows(IllegalArgumentException.class, () -> find(new float[1], NAN, 1));
		assertTrue(assertThrows(IllegalArgumentException.class, () -> LocalMaxima.find((s, r) -> {}, new long[] { 3, 0 }, 0, p -> {}))
			.getMessage().contains("[3, 0]"));
	}

	private static List<String> find(final float[] map, final float least, final long... size) {
		final List<Peak> found = new ArrayList<>();
		LocalMaxima.find(MapRows.of(map, size), size, least, found::add);
		return text(found);
	}

	private static List<String> text(final List<Peak> peaks) {
		Collections.sort(peaks);
		final List<String> lines = new ArrayList<>();
		for (final Peak p : peaks) lines.add(Arrays.toString(p.position()).replace('[', '(').replace(']', ')') + " " + p.value());
		return lines;
	}

	/** The definition: flood every set of equal pixels, and look at all its neighbours. */
	private static List<String> byFlooding(final float[] map, final float least, final long... size) {
		final boolean[] seen = new boolean[map.length];
		final List<Peak> found = new ArrayList<>();
		for (int i = 0; i < map.length; i++) {
			if (seen[i] || !(map[i] >= least)) continue;
			boolean peak = true;
			final Deque<Integer> open = new ArrayDeque<>(List.of(i));
			seen[i] = true;
			while (!open.isEmpty())
				for (final int j : neighbours(open.pop(), size)) {
					if (map[j] > map[i]) peak = false;
					if (map[j] != map[i] || seen[j]) continue;
					seen[j] = true;
					open.push(j);
				}
			if (peak) found.add(new Peak(position(i, size), map[i]));
		}
		return text(found);
	}

	private static List<Integer> neighbours(final int index, final long[] size) {
		final List<Integer> list = new ArrayList<>();
		final long[] p = position(index, size);
		for (int code = 0; code < Math.pow(3, size.length); code++) {
			int at = 0, stride = 1;
			boolean inside = true;
			for (int d = 0, rest = code; d < size.length; d++, rest /= 3) {
				final long x = p[d] + rest % 3 - 1;
				inside &= x >= 0 && x < size[d];
				at += x * stride;
				stride *= size[d];
			}
			if (inside && at != index) list.add(at);
		}
		return list;
	}

	private static long[] position(final int index, final long[] size) {
		final long[] p = new long[size.length];
		long rest = index;
		for (int d = 0; d < p.length; d++) {
			p[d] = rest % size[d];
			rest /= size[d];
		}
		return p;
	}
}
