package sc.fiji.ncc.parts;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static sc.fiji.ncc.fixture.TestImages.values;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.Img;
import net.imglib2.type.numeric.integer.UnsignedByteType;
import net.imglib2.view.Views;

import org.junit.jupiter.api.Test;
import sc.fiji.ncc.NormalizedCrossCorrelation;
import sc.fiji.ncc.TemplateMatching;
import sc.fiji.ncc.cpu.CpuBackend;
import sc.fiji.ncc.fixture.RandomPixels;
import sc.fiji.ncc.match.MatchSelection;
import sc.fiji.ncc.match.MinScores;
import sc.fiji.ncc.option.Extent;
import sc.fiji.ncc.option.Undefined;
import sc.fiji.ncc.parts.MatchParts.Maxima;
import sc.fiji.ncc.parts.MatchParts.Window;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.result.Match;
import sc.fiji.ncc.run.SlidingCall;

/** Matches that are chosen among the maxima of boxes are those of a single call, and exact scores are requested in few steps. */
class MatchPartsTest {

	/** Responses of different algorithms differ in their last bits, and so do backgrounds. */
	private static final String EXACT = "cpu-direct-exact";

	/** Two frames, wider than a box of 1024 lags. */
	private final Img<UnsignedByteType> stack = RandomPixels.image(5, 1100, 30, 2);
	private final List<RandomAccessibleInterval<?>> templates = List.of(RandomPixels.image(6, 8, 7), RandomPixels.image(7, 5, 5));

	private static MatchParts parts(final List<? extends RandomAccessibleInterval<?>> templates, final RandomAccessibleInterval<?> image,
		final MatchSelection.Rules rules, final MinScores.Setting setting)
	{
		final SlidingCall op = SmallBoxes.of(templates, Extent.VALID, List.of(new CpuBackend(2)), EXACT, Monitor.NONE);
		return new MatchParts(op, image, rules, layouts -> new MinScores(setting, op.templates(), layouts, Undefined.ZERO, 1));
	}

	/** The maxima of all boxes, in an order at random. */
	private static List<Maxima> maxima(final MatchParts parts) {
		final List<Long> order = new ArrayList<>(LongStream.range(0, parts.count()).boxed().toList());
		Collections.shuffle(order, new Random(1));
		return order.stream().map(parts::maxima).toList().stream().map(m -> m.join()).toList();
	}

	private static List<String> lines(final List<Match> matches) {
		return matches.stream().map(m -> m + " " + Arrays.toString(m.subpixel()) + " " + m.probability() + " " + m.falseAlarms() + " " + m.minScore()).toList();
	}

	private void assertAsInOneCall(final TemplateMatching single, final MatchSelection.Rules rules, final MinScores.Setting setting) {
		try (MatchParts parts = parts(templates, stack, rules, setting)) {
			// two boxes, two frames and two templates
			assertEquals(8, parts.count());
			final List<Maxima> maxima = maxima(parts);
			assertEquals(2 * (1093 * 24 + 1096 * 26), maxima.stream().mapToLong(m -> m.report().responses()).sum());
			final List<MatchParts.FrameFound> found = parts.matches(maxima, parts::scores);
			assertEquals(2, found.size());
			for (int f = 0; f < 2; f++) {
				final TemplateMatching.Result expected = single.find(Views.hyperSlice(stack, 2, f));
				assertTrue(expected.matches().size() > 1, "" + expected.matches().size());
				assertEquals(lines(expected.matches()), lines(found.get(f).matches()));
				assertEquals(expected.backgrounds().size(), found.get(f).minScores().backgrounds().size());
			}
		}
	}

	@Test
	void aMinimumScore() {
		assertAsInOneCall(TemplateMatching.with(NormalizedCrossCorrelation.of(templates).algorithm(EXACT)).minScore(0.4).maxMatches(50).maxOverlap(0.3),
			new MatchSelection.Rules(50, 0.3, true), new MinScores.Setting(0.4, Double.NaN));
	}

	@Test
	void falseAlarms() {
		assertAsInOneCall(TemplateMatching.with(NormalizedCrossCorrelation.of(templates).algorithm(EXACT)).falseAlarms(20).maxMatches(50).maxOverlap(0.3)
			.compete(false), new MatchSelection.Rules(50, 0.3, false), new MinScores.Setting(0, 20));
	}

	/** Boxes have sides of 128 lags. */
	@Test
	void threeDimensions() {
		final Img<UnsignedByteType> image = RandomPixels.image(8, 140, 7, 6);
		final List<RandomAccessibleInterval<?>> cube = List.of(Views.interval(image, new long[] { 131, 2, 1 }, new long[] { 134, 5, 3 }));
		try (MatchParts parts = parts(cube, image, new MatchSelection.Rules(1, 0, true), new MinScores.Setting(0.5, Double.NaN))) {
			assertEquals(2, parts.count());
			final Match best = parts.matches(maxima(parts), parts::scores).get(0).matches().get(0);
			assertArrayEquals(new long[] { 131, 2, 1 }, best.position());
			assertEquals(1, best.score(), 1e-12);
		}
	}

	/** No window is a match, so the scores of all local maxima are requested, the highest response first: 4 * 9 + 64, then twice as many as so far. */
	@Test
	void exactScoresAreRequestedInFewSteps() {
		final Img<UnsignedByteType> image = RandomPixels.image(9, 100, 75);
		final RandomAccessibleInterval<UnsignedByteType> template = RandomPixels.image(10, 5, 5);
		final double[] map = values(NormalizedCrossCorrelation.of(template).correlate(image).map());
		final List<Integer> sizes = new ArrayList<>();
		final List<Double> responses = new ArrayList<>();
		final Set<Window> windows = new HashSet<>();
		try (MatchParts parts = parts(List.of(template), image, new MatchSelection.Rules(9, 0, true), new MinScores.Setting(0, Double.NaN))) {
			final List<MatchParts.FrameFound> found = parts.matches(maxima(parts), requested -> {
				sizes.add(requested.size());
				windows.addAll(requested);
				for (final Window w : requested) responses.add(map[(int) (w.first()[0] + w.first()[1] * 96)]);
				return requested.stream().mapToDouble(w -> Double.NaN).toArray();
			});
			assertEquals(List.of(), found.get(0).matches());
		}
		assertEquals(List.of(100, 200, 600, windows.size() - 900, 0), sizes);
		for (int i = 1; i < responses.size(); i++) assertTrue(responses.get(i) <= responses.get(i - 1) + 1e-6, "" + i);
	}

	/** The scores of windows are the responses of the frames' maps; a window in place of the template has the score 1 with itself. */
	@Test
	void scoresOfWindows() {
		try (MatchParts parts = parts(templates, stack, new MatchSelection.Rules(1, 0, true), new MinScores.Setting(0.5, Double.NaN))) {
			final long[] at = { 1050, 9 }, other = { 3, 20 };
			final double[] scores = parts.scores(List.of(new Window(0, 1, at, null), new Window(1, 1, at, null), new Window(1, 0, other, null),
				new Window(1, 0, at, at), new Window(0, 1, at, other)));
			for (int i = 0; i < 3; i++) {
				final long[] p = i == 2 ? other : at;
				final NormalizedCrossCorrelation single = NormalizedCrossCorrelation.of(templates.get(i == 2 ? 0 : 1));
				final double[] map = values(single.correlate(Views.hyperSlice(stack, 2, i == 0 ? 0 : 1)).map());
				assertEquals(map[(int) (p[0] + p[1] * (i == 2 ? 1093 : 1096))], scores[i], 1e-6);
			}
			assertEquals(1, scores[3], 1e-12);
			final RandomAccessibleInterval<UnsignedByteType> window = Views.offsetInterval(Views.hyperSlice(stack, 2, 0), other, new long[] { 5, 5 });
			assertEquals(values(NormalizedCrossCorrelation.of(window).correlate(Views.hyperSlice(stack, 2, 0)).map())[1050 + 9 * 1096], scores[4], 1e-6);
		}
	}

	@Test
	void windowsAreEqualIfAllTheirNumbersAre() {
		final long[] at = { 1, 2 }, other = { 1, 3 };
		final Window window = new Window(3, 1, at, other);
		assertEquals(new Window(3, 1, at.clone(), other.clone()), window);
		final List<Window> others = List.of(new Window(2, 1, at, other), new Window(3, 0, at, other), new Window(3, 1, other, other),
			new Window(3, 1, at, null));
		for (final Window different : others) assertNotEquals(window, different);
		assertNotEquals(window, (Object) at);
	}
}
