package sc.fiji.ncc.peaks;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class GreedySelectionTest {

	@Test
	void overlapIsAShareOfTheWindow() {
		final Suppression half = new Suppression(new long[] { 10, 4 }, 0.5);
		assertFalse(half.covers(new long[] { 3, 3 }));
		half.accept(new long[] { 3, 3 });
		assertTrue(half.covers(new long[] { 3, 3 }));
		assertFalse(half.covers(new long[] { 8, 3 }), "half is not more than half");
		assertTrue(half.covers(new long[] { 7, 3 }));
		assertFalse(half.covers(new long[] { 3, 1 }));
		assertTrue(half.covers(new long[] { 1, 4 }), "0.8 of the width, 0.75 of the height");
		assertFalse(half.covers(new long[] { -1, 4 }), "0.6 of the width, 0.75 of the height");
	}

	@Test
	void atTheEndsOfTheShare() {
		final Suppression none = new Suppression(new long[] { 5 }, 0), all = new Suppression(new long[] { 5 }, 1);
		none.accept(new long[] { -2 });
		all.accept(new long[] { -2 });
		assertTrue(none.covers(new long[] { 2 }));
		assertTrue(none.covers(new long[] { -6 }));
		assertFalse(none.covers(new long[] { 3 }));
		assertFalse(none.covers(new long[] { -7 }));
		assertFalse(all.covers(new long[] { -2 }));
		for (final double wrong : new double[] { -0.1, 1.1, Double.NaN })
			assertThrows(IllegalArgumentException.class, () -> new Suppression(new long[] { 5 }, wrong));
		assertThrows(IllegalArgumentException.class, () -> new Suppression(new long[] { 5, 0 }, 0.5));
	}

	/** The share is one of the smaller window: all of a small one may lie in a large one, and be little of that. */
	@Test
	void ofTwoSizesTheSmallerWindowCounts() {
		final List<long[]> sizes = List.of(new long[] { 20, 10 }, new long[] { 4, 5 });
		final Suppression large = new Suppression(sizes, 0.5), small = new Suppression(sizes, 0.5);
		large.accept(new long[] { 0, 100, 50 });
		assertTrue(large.covers(new long[] { 1, 108, 52 }), "all of it");
		assertTrue(large.covers(new long[] { 1, 117, 52 }), "three of its four columns");
		assertFalse(large.covers(new long[] { 1, 118, 52 }), "half is not more than half");
		assertFalse(large.covers(new long[] { 1, 117, 57 }), "three of its four columns, three of its five rows");
		small.accept(new long[] { 1, 108, 52 });
		assertTrue(small.covers(new long[] { 0, 100, 50 }), "a large window over a small one that was there first");
		assertTrue(small.covers(new long[] { 0, 91, 50 }));
		assertFalse(small.covers(new long[] { 0, 90, 50 }));
	}

	@Property(tries = 300)
	void ofSeveralSizesAsByComparingAllPairs(@ForAll final long seed, @ForAll @IntRange(min = 1, max = 3) final int n,
		@ForAll @DoubleRange(min = 0, max = 1) final double share)
	{
		final Random random = new Random(seed);
		final List<long[]> sizes = new ArrayList<>();
		for (int i = 0; i < 3; i++) sizes.add(random.longs(n, 1, i == 0 ? 4 : 15).toArray());
		final Suppression suppression = new Suppression(sizes, share);
		final List<long[]> accepted = new ArrayList<>();
		for (int i = 0; i < 200; i++) {
			final long[] p = new long[n + 1];
			p[0] = random.nextInt(sizes.size());
			for (int d = 1; d <= n; d++) p[d] = random.nextInt(20 + 60 / n) - 10;
			final boolean covered = accepted.stream().anyMatch(q -> {
				final long[] a = sizes.get((int) p[0]), b = sizes.get((int) q[0]);
				double shared = 1, volumeA = 1, volumeB = 1;
				for (int d = 0; d < n; d++) {
					shared *= Math.max(0, Math.min(p[d + 1] + a[d], q[d + 1] + b[d]) - Math.max(p[d + 1], q[d + 1]));
					volumeA *= a[d];
					volumeB *= b[d];
				}
				return shared > share * Math.min(volumeA, volumeB);
			});
			assertEquals(covered, suppression.covers(p), () -> Arrays.toString(p));
			if (covered) continue;
			suppression.accept(p);
			accepted.add(p);
		}
	}

	@Property(tries = 300)
	void asByComparingAllPairs(@ForAll final long seed, @ForAll @IntRange(min = 1, max = 4) final int n,
		@ForAll @DoubleRange(min = 0, max = 1) final double share, @ForAll @IntRange(min = 0, max = 200) final int most)
	{
		final Random random = new Random(seed);
		final long[] window = random.longs(n, 1, 9).toArray();
		final Map<String, Peak> atPosition = new TreeMap<>();
		for (int i = 0; i < 150; i++) { // few values, so that there are ties
			final Peak p = new Peak(random.longs(n, -10, 10 + 60 / n).toArray(), random.nextInt(30) / 30.0);
			atPosition.put(Arrays.toString(p.position()), p);
		}
		final List<Peak> candidates = List.copyOf(atPosition.values());
		final double least = random.nextDouble() * 0.5;
		final List<Peak> chosen = GreedySelection.best(candidates, new Suppression(window, share), most, least, 0,
			p -> valueAt(candidates, p));
		assertEquals(text(byPairs(candidates, window, share, most, least)), text(chosen));
	}

	@Property(tries = 300)
	void roughValuesWithinTheToleranceChangeNothing(@ForAll final long seed, @ForAll @IntRange(min = 0, max = 60) final int most) {
		final Random random = new Random(seed);
		final List<Peak> exact = new ArrayList<>(), rough = new ArrayList<>();
		for (int i = 0; i < 200; i++) {
			final Peak p = new Peak(new long[] { i % 20 * 2, i / 20 * 3 }, random.nextInt(100) / 100.0);
			exact.add(p);
			rough.add(new Peak(p.position(), p.value() + (random.nextDouble() - 0.5) * 0.1));
		}
		Collections.shuffle(rough, random);
		final List<Peak> chosen = GreedySelection.best(rough, new Suppression(new long[] { 7, 5 }, 0.3), most, 0.4, 0.05, p -> valueAt(exact, p));
		assertEquals(text(byPairs(exact, new long[] { 7, 5 }, 0.3, most, 0.4)), text(chosen));
	}

	@Test
	void whatIsExactlyNoCandidateDoesNotLeave() {
		final List<Peak> candidates = List.of(new Peak(new long[] { 0 }, 0.9), new Peak(new long[] { 100 }, 0.8), new Peak(new long[] { 200 }, 0.7));
		final List<Peak> chosen = GreedySelection.best(candidates, new Suppression(new long[] { 3 }, 0.5), 9, 0.5, 1e-5,
			p -> p[0] == 0 ? Double.NaN : p[0] == 100 ? 0.1 : 0.700001);
		assertEquals(1, chosen.size());
		assertEquals(0.700001, chosen.get(0).value());
	}

	/** At the tolerance the first candidate may still be as good as the second and as the least score. It comes first in raster order. */
	@Test
	void aCandidateAtTheToleranceTakesPart() {
		final List<Peak> candidates = List.of(new Peak(new long[] { 0 }, 0.25), new Peak(new long[] { 1 }, 0.5));
		final List<Peak> chosen = GreedySelection.best(candidates, new Suppression(new long[] { 3 }, 0.5), 1, 0.5, 0.25, p -> 0.5);
		assertEquals(List.of("[0] 0.5"), text(chosen));
	}

	@Test
	void exactValuesAreTakenOnlyWhereTheyMatter() {
		final List<Peak> candidates = new ArrayList<>();
		for (int i = 0; i < 1000; i++) candidates.add(new Peak(new long[] { i }, i / 1000.0));
		final AtomicInteger calls = new AtomicInteger();
		GreedySelection.best(candidates, new Suppression(new long[] { 1 }, 0.5), 3, 0, 1e-5, p -> {
			calls.incrementAndGet();
			return p[0] / 1000.0;
		});
		assertEquals(3, calls.get());
	}

	@Test
	@Tag("slow")
	void aMillionCandidatesAreNoSquare() {
		final Random random = new Random(1);
		final List<Peak> candidates = new ArrayList<>();
		for (int i = 0; i < 1_000_000; i++)
			candidates.add(new Peak(new long[] { 2 * (i % 1000), 2 * (i / 1000) }, random.nextFloat()));
		for (final double share : new double[] { 0.5, 0.99 })
			assertTimeoutPreemptively(Duration.ofSeconds(60), () -> {
				final List<Peak> chosen = GreedySelection.best(candidates, new Suppression(new long[] { 50, 50 }, share), Integer.MAX_VALUE, -1, 0,
					p -> candidates.get((int) (p[0] / 2 + p[1] / 2 * 1000)).value());
				assertTrue(share < 0.9 ? chosen.size() < 10_000 : chosen.size() == 1_000_000, chosen.size() + " with " + share);
			});
	}

	@Test
	void orderIsByValueThenRaster() {
		final List<Peak> peaks = new ArrayList<>(List.of(new Peak(new long[] { 0, 1 }, 1), new Peak(new long[] { 5, 0 }, 1),
			new Peak(new long[] { 0, 0 }, Double.NaN), new Peak(new long[] { 9, 9 }, 2), new Peak(new long[] { 4, 0 }, 1)));
		Collections.sort(peaks);
		assertEquals("[9, 9] [4, 0] [5, 0] [0, 1] [0, 0]", peaks.stream().map(p -> Arrays.toString(p.position())).collect(Collectors.joining(" ")));
		assertArrayEquals(new double[] { 2, 1, 1, 1, Double.NaN }, peaks.stream().mapToDouble(Peak::value).toArray());
	}

	private static double valueAt(final List<Peak> exact, final long[] position) {
		return exact.stream().filter(p -> Arrays.equals(p.position(), position)).findFirst().orElseThrow().value();
	}

	private static List<String> text(final List<Peak> peaks) {
		return peaks.stream().map(p -> Arrays.toString(p.position()) + " " + p.value()).collect(Collectors.toList());
	}

	private static List<Peak> byPairs(final List<Peak> candidates, final long[] window, final double share, final int most, final double least) {
		final List<Peak> sorted = new ArrayList<>(candidates), chosen = new ArrayList<>();
		Collections.sort(sorted);
		for (final Peak p : sorted) {
			if (chosen.size() >= most || p.value() < least) break;
			if (chosen.stream().noneMatch(q -> overlap(p.position(), q.position(), window) > share)) chosen.add(p);
		}
		return chosen;
	}

	private static double overlap(final long[] p, final long[] q, final long[] window) {
		double shared = 1, volume = 1;
		for (int d = 0; d < window.length; d++) {
			shared *= Math.max(0, Math.min(p[d], q[d]) + window[d] - Math.max(p[d], q[d]));
			volume *= window[d];
		}
		return shared / volume;
	}
}
