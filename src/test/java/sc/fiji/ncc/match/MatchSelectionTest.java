package sc.fiji.ncc.match;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

import net.imglib2.FinalInterval;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.image.MissingPixels;
import sc.fiji.ncc.layout.ResponseLayout;
import sc.fiji.ncc.option.Extent;
import sc.fiji.ncc.option.Undefined;
import sc.fiji.ncc.peaks.Peak;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.result.Match;
import sc.fiji.ncc.statistics.Background;

/** The choice among given maxima: two templates of 6x4 on an image of 60x40. */
class MatchSelectionTest {

	private static final Size SIZE = Size.of(6, 4);
	private static final Template TEMPLATE = new Template(SIZE, PixelType.U8, new double[24], null);

	private static ResponseLayout layout(final Extent extent, final long... search) {
		return new ResponseLayout(SIZE, new long[] { 60, 40 }, extent, null, -1, search.length == 0 ? null : FinalInterval.createMinSize(search),
			MissingPixels.NONE);
	}

	private static Peak peak(final long x, final long y, final double value) {
		return new Peak(new long[] { x, y }, value);
	}

	private static MatchSelection.Rules rules(final boolean compete) {
		return new MatchSelection.Rules(9, 0.5, compete);
	}

	/** @param peaks the maxima of each template */
	private static MatchSelection selection(final MatchSelection.Rules rules, final double[] minScores, final ResponseLayout layout,
		final List<List<Peak>> peaks)
	{
		return new MatchSelection(rules, minScores, List.of(TEMPLATE, TEMPLATE), List.of(layout, layout),
			(t, least, consumer) -> peaks.get(t).forEach(consumer));
	}

	private static String text(final List<Match> matches) {
		return matches.stream().map(m -> m.template() + Arrays.toString(m.position())).collect(Collectors.joining(" "));
	}

	/** Exact scores that the maxima state. */
	private static ExactScores as(final List<List<Peak>> peaks) {
		return (t, reference, window) -> peaks.get(t).stream().filter(p -> Arrays.equals(p.position(), window))
			.findFirst().map(Peak::value).orElse(Double.NaN);
	}

	@Test
	void templatesCompeteOrNot() {
		final List<List<Peak>> peaks = List.of(List.of(peak(10, 10, 0.8), peak(30, 30, 0.6)), List.of(peak(11, 10, 0.9), peak(50, 10, 0.4)));
		final double[] least = { 0.6, 0.4 };
		assertEquals("1[11, 10] 0[30, 30] 1[50, 10]",
			text(selection(rules(true), least, layout(Extent.VALID), peaks).inWholePixels(as(peaks), new long[0])));
		assertEquals("1[11, 10] 0[10, 10] 0[30, 30] 1[50, 10]",
			text(selection(rules(false), least, layout(Extent.VALID), peaks).matches(as(peaks), new long[0])));
		assertEquals("1[11, 10] 0[30, 30]",
			text(selection(rules(true), new double[] { 0.6, 0.41 }, layout(Extent.VALID), peaks)
				.matches(as(peaks), new long[0])));
	}

	/** A response may be lower than the score by twice the error limit of 1e-5. */
	@Test
	void theLeastResponse() {
		assertEquals((float) (0.5 - 2e-5), MatchSelection.leastResponse(0.5));
		final List<List<Peak>> peaks = List.of(List.of(peak(10, 10, 0.5 - 2e-5), peak(30, 30, 0.5 - 2.1e-5)), List.of());
		final MatchSelection s = selection(rules(true), new double[] { 0.5, 0.5 }, layout(Extent.VALID), peaks);
		assertEquals("0[10, 10]", text(s.inWholePixels((t, reference, window) -> 0.5, new long[0])));
	}

	/** Maxima count from the first response of the map, matches from the first pixel of the image. */
	@Test
	void positionsAreThoseOfWindows() {
		final List<List<Peak>> peaks = List.of(List.of(peak(10, 10, 0.8)), List.of());
		final MatchSelection.Rules rules = rules(true);
		final double[] least = { 0.5, 0.5 };
		final ExactScores scores = (t, reference, window) -> 0.8;
		assertEquals("0[7, 8]", text(selection(rules, least, layout(Extent.SAME), peaks).inWholePixels(scores, new long[0])));
		assertEquals("0[30, 15]", text(selection(rules, least, layout(Extent.VALID, 20, 5, 11, 20), peaks).inWholePixels(scores, new long[0])));
		assertTrue(selection(rules, least, layout(Extent.VALID, 20, 5, 11, 20), peaks).inWholePixels(scores, new long[0]).get(0).edge());
		assertFalse(selection(rules, least, layout(Extent.VALID, 20, 5, 12, 20), peaks).matches(scores, new long[0]).get(0).edge());
	}

	/** Vertices at a fifth of a pixel for the template and at a twentieth for the window itself, whose share is the square of the score. */
	@Test
	void theBiasOfTheFitIsTakenOffByItsShare() {
		final ExactScores exact = (t, reference, window) -> {
			final double vertex = reference == null ? 0.2 : 0.05, x = window[0] - 10 - vertex, y = window[1] - 12 + 2 * vertex;
			final double atCentre = 0.1 * (vertex * vertex + 4 * vertex * vertex);
			return (reference == null ? 0.8 : 1) + atCentre - 0.1 * (x * x + y * y);
		};
		final List<List<Peak>> peaks = List.of(List.of(peak(10, 12, 0.8)), List.of());
		final Match m = selection(rules(true), new double[] { 0.5, 0.5 }, layout(Extent.VALID), peaks).matches(exact, new long[] { 7 }).get(0);
		assertArrayEquals(new double[] { 10 + 0.2 - 0.64 * 0.05, 12 - 0.4 + 0.64 * 0.1 }, m.subpixel(), 1e-12);
		assertArrayEquals(new long[] { 7 }, m.frame());
	}

	/** At the first and the last response along a dimension a neighbour is missing, beside them none. */
	@Test
	void theMapEndsTheFit() {
		final ResponseLayout layout = layout(Extent.VALID, 20, 5, 11, 20);
		for (final long[] at : new long[][] { { 20, 10 }, { 21, 10 }, { 29, 10 }, { 30, 10 }, { 25, 5 }, { 25, 6 }, { 25, 23 }, { 25, 24 } }) {
			final ExactScores exact = (t, reference, window) -> {
				final double shift = reference == null ? 0.2 : 0, x = window[0] - at[0] - shift, y = window[1] - at[1] - shift;
				return 0.8 + 0.1 * (2 * shift * shift - x * x - y * y);
			};
			final List<List<Peak>> peaks = List.of(List.of(peak(at[0] - 20, at[1] - 5, 0.8)), List.of());
			final Match m = selection(rules(true), new double[] { 0.5, 0.5 }, layout, peaks).matches(exact, new long[0]).get(0);
			assertArrayEquals(new double[] { at[0] == 20 || at[0] == 30 ? 0 : 0.2, at[1] == 5 || at[1] == 24 ? 0 : 0.2 },
				new double[] { m.subpixel()[0] - at[0], m.subpixel()[1] - at[1] }, 1e-12, Arrays.toString(at));
		}
	}

	@Test
	void equalScoresAreInRasterOrder() {
		final List<Match> matches = new ArrayList<>();
		for (final long[] m : new long[][] { { 1, 0, 0, 0, 0 }, { 0, 1, 0, 0, 0 }, { 0, 0, 1, 0, 0 }, { 0, 9, 0, 1, 0 }, { 0, 0, 9, 0, 1 },
			{ 0, 0, 0, 0, 0 } })
			matches.add(new Match((int) m[0], new long[] { m[3], m[4] }, new long[] { m[1], m[2] }, 0.5, new double[2]));
		matches.add(new Match(3, new long[] { 5, 5 }, new long[] { 5, 5 }, 0.6, new double[2]));
		matches.sort(MatchSelection.ORDER);
		assertEquals("3[5, 5][5, 5] 0[0, 0][0, 0] 1[0, 0][0, 0] 0[1, 0][0, 0] 0[0, 1][0, 0] 0[9, 0][1, 0] 0[0, 9][0, 1]",
			matches.stream().map(m -> m.template() + Arrays.toString(m.position()) + Arrays.toString(m.frame())).collect(Collectors.joining(" ")));
	}

	/** Weights 1 and 0.5 in equal numbers count as 21.6 equal weights of 24. The false alarms of a search are shared by all maps and frames. */
	@Test
	void minimumScoresShareTheFalseAlarms() {
		final double[] weights = new double[24];
		for (int i = 0; i < 24; i++) weights[i] = i % 2 == 0 ? 1 : 0.5;
		final Template weighted = new Template(SIZE, PixelType.U8, new double[24], weights);
		final ResponseLayout layout = layout(Extent.VALID);
		final MinScores scores = new MinScores(new MinScores.Setting(0.7, 0.1), List.of(TEMPLATE, weighted), List.of(layout, layout), Undefined.ZERO, 5);
		final Background even = Background.white(24, layout.lags), few = Background.white(8, layout.lags);
		assertTrue(scores.isAutomatic());
		assertEquals(Math.min(even.minScore(0.04), Background.white(21.6, layout.lags).minScore(0.04)), scores.limit(), 1e-12);
		assertEquals(few.minScore(0.01), scores.of(few));
		assertEquals(scores.limit(), scores.of(Background.white(1000, layout.lags)));
		final Match rated = scores.rated(new Match(0, new long[0], new long[2], 0.6, new double[2]), even, 0.65);
		assertEquals(10 * even.falseAlarms(0.6), rated.falseAlarms(), 1e-9 * rated.falseAlarms());
		assertEquals(even.probability(0.6), rated.probability());
		assertEquals(0.65, rated.minScore());
	}

	@Test
	void aGivenMinimumScoreHasNoStatistics() {
		final MinScores scores = new MinScores(new MinScores.Setting(0.7, Double.NaN), List.of(TEMPLATE), List.of(layout(Extent.VALID)), Undefined.ZERO,
			5);
		assertFalse(scores.isAutomatic());
		assertEquals("0.7 0.7", scores.limit() + " " + scores.of((Background) null));
		final Match m = new Match(0, new long[0], new long[2], 0.8, new double[2]);
		assertEquals(List.of(m), scores.rated(List.of(m), new MinScores.Found(new double[] { 0.7 }, List.of())));
	}

	@Test
	void theNumberOfFalseMatchesHasARange() {
		assertEquals(2, new MinScores.Setting(0.5, 2).falseAlarms());
		for (final double wrong : new double[] { 0, -1, 2e9 }) assertEquals("the expected number of false matches is " + wrong
			+ ": give a number from 1e-12 to 1e9, such as 0.05",
				assertThrows(IllegalArgumentException.class, () -> new MinScores.Setting(0.5, wrong)).getMessage());
	}
}
