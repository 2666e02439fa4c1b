package sc.fiji.ncc.match;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import net.imglib2.FinalInterval;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.image.MissingPixels;
import sc.fiji.ncc.layout.ResponseLayout;
import sc.fiji.ncc.option.Extent;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.result.Match;
import sc.fiji.ncc.result.PeakQuality;

/** The quality of a match of score 1 among given scores. */
class PeakQualityTest {

	/** A checkerboard of ±0.1 around the peak, whose scores fall to 0.8 at distance 1 and 0.3 at distance 2. */
	private static double board(final long... difference) {
		long distance = 0, sum = 0;
		for (final long x : difference) {
			distance = Math.max(distance, Math.abs(x));
			sum += x;
		}
		return distance == 1 ? 0.8 : distance == 2 ? 0.3 : sum % 2 == 0 ? 0.1 : -0.1;
	}

	/** @param special scores at differences from the match, in place of those of the board */
	private static PeakQuality quality(final ResponseLayout layout, final long[] match, final Map<List<Long>, Double> special) {
		final double[] at = new double[match.length];
		return PeakSurroundings.rated(new Match(0, new long[0], match, 1, at), List.of(layout), (template, reference, window) -> {
			final long[] difference = window.clone();
			for (int d = 0; d < match.length; d++) difference[d] -= match[d];
			return special.getOrDefault(Arrays.stream(difference).boxed().toList(), board(difference));
		}).quality();
	}

	private static PeakQuality quality(final Map<List<Long>, Double> special) {
		return quality(layout(null, 100, 90), new long[] { 50, 40 }, special);
	}

	private static ResponseLayout layout(final long[] search, final long... image) {
		final long[] template = new long[image.length];
		Arrays.fill(template, 5);
		return new ResponseLayout(Size.of(template), image, Extent.VALID, null, -1, search == null ? null : FinalInterval.createMinSize(search),
			MissingPixels.NONE);
	}

	/** 208 sidelobes of each sign: their mean is 0 and their standard deviation 0.1. */
	@Test
	void sidelobesOfACheckerboard() {
		final PeakQuality q = quality(Map.of());
		assertEquals(10, q.sidelobe(), 1e-10);
		assertEquals(0.1, q.runnerUp(), 0);
	}

	@Test
	void equalSidelobesHaveNoDeviation() {
		final ResponseLayout layout = layout(null, 100, 90);
		final Match match = new Match(0, new long[0], new long[] { 50, 40 }, 1, new double[2]), rated =
			PeakSurroundings.rated(match, List.of(layout), (t, r, w) -> 0.25);
		assertEquals(Double.NaN, rated.quality().sidelobe());
		final Match alone = PeakSurroundings.rated(match, List.of(layout), (t, r, w) -> Double.NaN);
		assertEquals(Double.NaN, alone.quality().sidelobe());
		assertEquals(Double.NaN, alone.quality().runnerUp());
	}

	/** A maximum at distance 2 or more that exceeds its neighbours, or equals them. */
	@Test
	void theRunnerUpIsTheHighestMaximumThatDoesNotTouchThePeak() {
		assertEquals(0.85, quality(Map.of(List.of(2L, 0L), 0.85, List.of(-1L, -1L), 0.9)).runnerUp());
		assertEquals(0.1, quality(Map.of(List.of(2L, 0L), 0.79)).runnerUp(), "a neighbour has 0.8");
		assertEquals(0.6, quality(Map.of(List.of(6L, 5L), 0.5, List.of(-9L, 9L), 0.6, List.of(7L, -7L), 0.4)).runnerUp());
	}

	/** 10 lags away the map goes on, so whether the score is a maximum is not known. At the end of the map it is. */
	@Test
	void whetherAMaximumIsCut() {
		for (final List<Long> end : List.of(List.of(10L, 3L), List.of(-10L, 3L), List.of(3L, 10L), List.of(3L, -10L)))
			assertEquals(0.1, quality(Map.of(end, 0.7)).runnerUp(), end.toString());
		final ResponseLayout searched = layout(new long[] { 45, 36, 12, 9 }, 100, 90), wider = layout(new long[] { 39, 29, 23, 23 }, 100, 90),
			exact = layout(new long[] { 40, 30, 21, 21 }, 100, 90);
		for (final long x : new long[] { -5, 6 }) for (final long y : new long[] { -4, 4 })
			assertEquals(0.7, quality(searched, new long[] { 50, 40 }, Map.of(List.of(x, y), 0.7)).runnerUp(), x + "," + y);
		for (final long x : new long[] { -10, 10 }) for (final long y : new long[] { -10, 10 }) {
			assertEquals(0.7, quality(exact, new long[] { 50, 40 }, Map.of(List.of(x, y), 0.7)).runnerUp(), x + "," + y);
			assertEquals(0.1, quality(wider, new long[] { 50, 40 }, Map.of(List.of(x, y), 0.7)).runnerUp(), x + "," + y);
		}
	}

	/** The map ends 5 lags left of the match and 6 right of it, 4 above and 4 below: 12·9 − 25 scores are sidelobes, one of them 0.7. */
	@Test
	void sidelobesAtTheEndOfTheMap() {
		final Map<List<Long>, Double> special = new HashMap<>();
		for (long y = -4; y <= 4; y++) for (long x = -5; x <= 6; x++) if (Math.max(Math.abs(x), Math.abs(y)) > 2) special.put(List.of(x, y), 0.0);
		special.put(List.of(6L, 4L), 0.7);
		final double mean = 0.7 / 83, deviation = Math.sqrt(0.49 / 83 - mean * mean);
		assertEquals((1 - mean) / deviation, quality(layout(new long[] { 45, 36, 12, 9 }, 100, 90), new long[] { 50, 40 }, special).sidelobe(), 1e-10);
	}

	@Test
	void inThreeDimensionsFiveLagsCount() {
		final ResponseLayout layout = layout(null, 40, 40, 40);
		final long[] match = { 18, 17, 16 };
		assertEquals(0.7, quality(layout, match, Map.of(List.of(4L, -4L, 4L), 0.7, List.of(0L, 0L, 5L), 0.9)).runnerUp());
		final Map<List<Long>, Double> special = new HashMap<>();
		for (long z = -6; z <= 6; z++) for (long y = -6; y <= 6; y++) for (long x = -6; x <= 6; x++)
			if (Math.max(Math.abs(x), Math.max(Math.abs(y), Math.abs(z))) > 2)
				special.put(List.of(x, y, z), z > 0 ? 0.2 : z < 0 ? -0.2 : 0);
		// of 11³ − 5³ scores 2·(5·121 − 2·25) are not 0
		assertEquals(1 / Math.sqrt(0.04 * 1110 / 1206), quality(layout, match, special).sidelobe(), 1e-10);
	}
}
