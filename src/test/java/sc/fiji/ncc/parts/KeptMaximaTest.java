package sc.fiji.ncc.parts;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.Img;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.type.numeric.real.FloatType;
import net.imglib2.view.Views;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Tag;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.match.KeptMaxima;
import sc.fiji.ncc.NormalizedCrossCorrelation;
import sc.fiji.ncc.TemplateMatching;
import sc.fiji.ncc.option.Extent;
import sc.fiji.ncc.option.Undefined;
import sc.fiji.ncc.result.Frames;
import sc.fiji.ncc.result.Match;
import sc.fiji.ncc.statistics.ScoreHistogram;

/** Matches chosen among kept maxima are those of a whole search. */
class KeptMaximaTest {

	private static Img<FloatType> noise(final Random random, final long... size) {
		final Img<FloatType> image = ArrayImgs.floats(size);
		image.forEach(p -> p.set((float) random.nextGaussian()));
		return image;
	}

	private static List<String> lines(final TemplateMatching.Result result) {
		final List<String> lines = new ArrayList<>();
		for (final Match m : result.matches()) lines.add(m + " " + Arrays.toString(m.subpixel()) + " " + m.probability() + " " + m.falseAlarms());
		return lines;
	}

	/** One frame and several, one template and two, all extents; thresholds by score and by false alarms. */
	@Property(tries = 15)
	@Tag("slow")
	void theyAreThoseOfAWholeSearch(@ForAll final long seed, @ForAll final Extent extent, @ForAll final Undefined undefined) {
		final Random random = new Random(seed);
		final Img<FloatType> image = random.nextBoolean() ? noise(random, 70, 50) : noise(random, 60, 40, 3);
		final List<RandomAccessibleInterval<?>> templates = new ArrayList<>(List.of(noise(random, 6, 5)));
		if (random.nextBoolean()) templates.add(noise(random, 4, 8));
		final NormalizedCrossCorrelation op = NormalizedCrossCorrelation.of(templates).extent(extent).undefined(undefined).algorithm("cpu-direct").threads(1);
		final KeptMaxima kept = TemplateMatching.with(op).minScore(0.2).keep(image, 1000);
		for (int i = 0; i < 12; i++) {
			final TemplateMatching matching = TemplateMatching.with(op).minScore(kept.minScore() + random.nextDouble() * (1 - kept.minScore()))
				.maxOverlap(random.nextDouble())
				.compete(random.nextBoolean());
			if (random.nextBoolean()) matching.falseAlarms(Math.exp(8 * random.nextDouble() - 5));
			if (random.nextBoolean()) matching.maxMatches(1 + random.nextInt(9));
			if (random.nextBoolean()) matching.total(1 + random.nextInt(12));
			final TemplateMatching.Result whole = matching.find(image), chosen = matching.find(kept), unrefined = matching.findUnrefined(kept);
			assertEquals(lines(whole), lines(chosen));
			assertArrayEquals(whole.minScores(), chosen.minScores());
			assertEquals(whole.matches().stream().map(Match::toString).toList(), unrefined.matches().stream().map(Match::toString).toList());
		}
	}

	/** More frames than a stream has in flight, whose memory it uses again. */
	@Test
	void maximaOfManyFramesStayValid() {
		final Random random = new Random(7);
		final Img<FloatType> image = noise(random, 40, 30, 9);
		final TemplateMatching matching = TemplateMatching.with(NormalizedCrossCorrelation.of(noise(random, 6, 5))
			.algorithm("cpu-direct").threads(1)).minScore(0.4);
		final List<String> whole = lines(matching.find(image));
		assertTrue(whole.size() > 20, "" + whole.size());
		assertEquals(whole, lines(matching.find(matching.keep(image, 100))));
	}

	/** Numbers at thresholds from the minimum score on are those of all templates. */
	@Test
	void alarmsOfSeveralTemplates() {
		final Random random = new Random(8);
		final Img<FloatType> image = noise(random, 200, 150);
		final List<RandomAccessibleInterval<?>> templates = List.of(noise(random, 5, 5), noise(random, 12, 9));
		final NormalizedCrossCorrelation both = NormalizedCrossCorrelation.of(templates).algorithm("cpu-direct").threads(1);
		final KeptMaxima kept = TemplateMatching.with(both).minScore(0.25).keep(image, 1e-9);
		final KeptMaxima.Alarms all = kept.alarms();
		final double from = kept.minScore();
		assertTrue(from > 0.1);
		for (int i = 0; i < 200; i++) assertEquals(from + (1 - from) * i / 200, all.thresholds()[i], 1e-12);
		final double[] expected = new double[200], observed = new double[200];
		for (int t = 0; t < 2; t++) {
			final TemplateMatching one = TemplateMatching.with(NormalizedCrossCorrelation.of(templates.get(t)).algorithm("cpu-direct")
				.threads(1)).minScore(from);
			final KeptMaxima.Alarms own = one.keep(image, 1e-9).alarms();
			assertArrayEquals(all.thresholds(), own.thresholds(), 1e-12);
			for (int i = 0; i < 200; i++) {
				expected[i] += own.expected()[i];
				observed[i] += own.observed()[i];
			}
		}
		assertArrayEquals(expected, all.expected(), 1e-9 * expected[0]);
		assertArrayEquals(observed, all.observed());
	}

	@Test
	void theTotalCountsTheBestOfAllFrames() {
		final Random random = new Random(3);
		final Img<FloatType> image = noise(random, 60, 40, 4);
		final TemplateMatching matching = TemplateMatching.with(NormalizedCrossCorrelation.of(noise(random, 5, 5))).minScore(0.4);
		final List<String> all = lines(matching.find(image));
		assertTrue(all.size() > 20, "" + all.size());
		assertEquals(all.subList(0, 7), lines(matching.total(7).find(image)));
		assertEquals("the total number of matches is 0: give at least 1", assertThrows(IllegalArgumentException.class, () -> matching.total(0)).getMessage());
	}

	@Test
	void aLowerMinimumScoreNeedsOtherMaxima() {
		final Random random = new Random(4);
		final TemplateMatching matching = TemplateMatching.with(NormalizedCrossCorrelation.of(noise(random, 9, 9)));
		final KeptMaxima kept = matching.minScore(0.6).keep(noise(random, 80, 60), 0.1);
		final String message = assertThrows(IllegalArgumentException.class, () -> matching.minScore(0.1).find(kept)).getMessage();
		assertEquals("the minimum score is 0.1, and the maxima were kept down to " + kept.minScore() + ": keep them again with a lower minimum score", message);
		assertDoesNotThrow(() -> matching.minScore(kept.minScore()).find(kept), "the same minimum score");
		assertEquals(kept.minScore(), kept.alarms().thresholds()[0]);
		final KeptMaxima all = matching.minScore(-0.5).keep(noise(random, 80, 60), 0.1);
		assertEquals(-0.5, all.minScore());
		assertEquals(0, all.alarms().thresholds()[0]);
	}

	/** A maximum counts at the threshold that is its response, and matches can be chosen with the minimum score of the maxima. */
	@Test
	void aMaximumAtAThresholdCounts() {
		final Random random = new Random(9);
		final Img<FloatType> image = noise(random, 50, 40);
		final NormalizedCrossCorrelation op = NormalizedCrossCorrelation.of(noise(random, 5, 5)).algorithm("cpu-direct").threads(1);
		float highest = 0;
		for (final FloatType p : Views.flatIterable(op.correlate(image).map())) highest = Math.max(highest, p.get());
		for (final int ulps : new int[] { -1, 0, 1 }) {
			final double score = highest + ulps * (double) Math.ulp(highest);
			final TemplateMatching matching = TemplateMatching.with(op).minScore(score);
			final KeptMaxima kept = matching.keep(image, 1e-6);
			assertEquals(score, kept.alarms().thresholds()[0]);
			assertEquals(ulps > 0 ? 0 : 1, kept.alarms().observed()[0], ulps + " above the highest response");
			assertDoesNotThrow(() -> matching.find(kept));
		}
	}

	/** A histogram of the whole map, the background that explains it, and as many maxima as that expects. */
	@Test
	void backgroundAloneGivesTheExpectedNumbers() {
		final Random random = new Random(5);
		final Img<FloatType> image = noise(random, 400, 300);
		final KeptMaxima kept = TemplateMatching.with(NormalizedCrossCorrelation.of(noise(random, 8, 8))).keep(image, 2000);
		final double[] counts = kept.histogram(0).counts(), expected = kept.expected(0);
		assertEquals(393 * 293, Arrays.stream(counts).sum(), 1e-6);
		for (int i = 0; i < ScoreHistogram.BINS; i++) assertEquals(expected[i], counts[i], 6 * Math.sqrt(expected[i]) + 0.03 * expected[i] + 5, "bin " + i);
		final KeptMaxima.Alarms alarms = kept.alarms();
		// below a normal value of 2 the share of maxima is extrapolated
		for (int i = 0; i < alarms.thresholds().length; i++)
			assertEquals(alarms.expected()[i], alarms.observed()[i], 5 * Math.sqrt(alarms.expected()[i]) + 0.13 * alarms.expected()[i] + 1, "at " + alarms.thresholds()[i]);
		assertTrue(alarms.observed()[0] > 1000, "" + alarms.observed()[0]);
	}

	@Test
	void framesOfAStreamAreKeptOneByOne() {
		final Random random = new Random(6);
		final Img<FloatType> image = noise(random, 60, 50, 3);
		final TemplateMatching matching = TemplateMatching.with(NormalizedCrossCorrelation.of(noise(random, 6, 6))).falseAlarms(2);
		final List<String> whole = new ArrayList<>(), chosen = new ArrayList<>();
		matching.findEach(Frames.of(image, 2), (index, result) -> whole.addAll(lines(result)));
		matching.keepEach(Frames.of(image, 2), 100, (index, kept) -> chosen.addAll(lines(matching.find(kept))));
		assertTrue(whole.size() > 1);
		assertEquals(whole, chosen);
	}
}
