package sc.fiji.ncc.motion;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.peaks.Peak;
import sc.fiji.ncc.track.SearchWindow;

/** The two highest peaks of a window against all of its lags. */
class WindowPeaksTest {

	private static final SearchWindow WINDOW = new SearchWindow(new long[] { 40, 30, 20 }, Size.of(5, 5, 5), new long[] { 2, 1, 2 });
	private static final int[] COUNT = WINDOW.count();
	private static final long[] PLACE = { 10, 11, 9 };

	/** The number of a lag. */
	private static int index(final long[] lag) {
		final long[] origin = WINDOW.origin(PLACE);
		int index = 0;
		for (int d = 2; d >= 0; d--) index = index * COUNT[d] + (int) (lag[d] - origin[d]);
		return index;
	}

	private static int apart(final int a, final int b) {
		return IntStream.of(Math.abs(a % COUNT[0] - b % COUNT[0]), Math.abs(a / COUNT[0] % COUNT[1] - b / COUNT[0] % COUNT[1]),
			Math.abs(a / (COUNT[0] * COUNT[1]) - b / (COUNT[0] * COUNT[1]))).max().getAsInt();
	}

	/** The highest response, and the highest one that has no higher neighbour and is no neighbour of it. */
	private static int[] highest(final double[] r) {
		final int first = IntStream.range(0, r.length).filter(i -> !Double.isNaN(r[i])).reduce((a, b) -> r[b] > r[a] ? b : a).orElse(-1);
		if (first < 0) return new int[0];
		final int second = IntStream.range(0, r.length).filter(i -> !Double.isNaN(r[i]) && apart(i, first) > 1)
			.filter(i -> IntStream.range(0, r.length).allMatch(k -> apart(i, k) > 1 || !(r[k] > r[i]))).reduce((a, b) -> r[b] > r[a] ? b : a).orElse(-1);
		return second < 0 ? new int[] { first } : new int[] { first, second };
	}

	private static int[] found(final double[] responses, final double error, final double[] exact) {
		final ToDoubleFunction<long[]> scores = lag -> exact[index(lag)];
		final List<Peak> peaks = WindowPeaks.of(responses, error, WINDOW, PLACE, scores);
		for (final Peak p : peaks) assertEquals(exact[index(p.position())], p.value(), "exact");
		return peaks.stream().mapToInt(p -> index(p.position())).toArray();
	}

	/** Steep maps have one peak, noise has many. The error lies below all differences, or above some. */
	@ParameterizedTest
	@ValueSource(doubles = { 0, 1e-12, 1e-3 })
	void theHighestResponsesAreFound(final double error) {
		final Random random = new Random(4);
		for (int trial = 0; trial < 300; trial++) {
			final double slope = trial % 3 * 0.2, missing = trial % 5 == 0 ? 0.4 : 0;
			final double[] responses = IntStream.range(0, Arrays.stream(COUNT).reduce(1, (a, b) -> a * b)).mapToDouble(i -> random.nextDouble() < missing
				? Double.NaN : random.nextDouble() - slope * apart(i, 23)).toArray();
			assertArrayEquals(highest(responses), found(responses, error, responses), "trial " + trial);
		}
	}

	/** Responses are wrong by up to the error: peaks may change places with neighbours, but none is lower than the best by more. */
	@Test
	void doubtsAreDecidedByExactScores() {
		final Random random = new Random(9);
		final double error = 0.02;
		int changed = 0;
		for (int trial = 0; trial < 200; trial++) {
			final double[] exact = IntStream.range(0, Arrays.stream(COUNT).reduce(1, (a, b) -> a * b)).mapToDouble(i -> random.nextDouble()).toArray(),
				responses = Arrays.stream(exact).map(v -> v + error * (2 * random.nextDouble() - 1)).toArray();
			final int[] expected = highest(exact), found = found(responses, error, exact);
			assertTrue(exact[found[0]] >= exact[expected[0]] - 2 * error, "trial " + trial);
			if (exact[found[0]] == exact[expected[0]]) changed += highest(responses)[0] == found[0] ? 0 : 1;
		}
		assertTrue(changed > 0, "the exact scores decide");
	}

	/** Two peaks whose responses differ by less than both can be wrong: the one with the higher exact score is the first, wherever it lies. */
	@Test
	void closePeaksAreOrderedByExactScores() {
		final double error = 1e-4;
		for (final double apart : new double[] { 0, 0.5, 1, 1.9 }) for (final int[] two : new int[][] { { 7, 67 }, { 67, 7 } }) {
			final double[] responses = IntStream.range(0, COUNT[0] * COUNT[1] * COUNT[2]).mapToDouble(i -> -0.9 + 0.005 * i).toArray();
			responses[two[0]] = 0.5;
			responses[two[1]] = 0.5 - apart * error;
			final double[] exact = responses.clone();
			exact[two[0]] = 0.5 - (apart / 2 + 0.04) * error;
			exact[two[1]] = 0.5 - (apart / 2 - 0.04) * error;
			assertArrayEquals(new int[] { two[1], two[0] }, found(responses, error, exact), apart + " errors apart");
		}
	}

	@Test
	void equalAndMissingResponses() {
		final double[] none = new double[COUNT[0] * COUNT[1] * COUNT[2]];
		Arrays.fill(none, Double.NaN);
		assertEquals(0, found(none, 0, none).length);
		none[7] = -0.3;
		assertArrayEquals(new int[] { 7 }, found(none, 0, none));
		// the exact scores of equal responses decide, and neighbours that are equal are one peak
		none[67] = none[68] = -0.3;
		final double[] exact = none.clone();
		exact[67] = exact[68] = -0.2995;
		final int[] found = found(none, 1e-3, exact);
		assertEquals(2, found.length);
		assertTrue(apart(found[0], 67) <= 1 && found[1] == 7, Arrays.toString(found));
	}
}
