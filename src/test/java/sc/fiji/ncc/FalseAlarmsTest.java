package sc.fiji.ncc;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.view.Views;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import sc.fiji.ncc.fixture.RequiredGpu;
import sc.fiji.ncc.match.KeptMaxima;
import sc.fiji.ncc.result.BackgroundState;
import sc.fiji.ncc.result.Match;
import sc.fiji.ncc.statistics.Background;

/** The minimum score that follows from the expected number of false alarms. */
class FalseAlarmsTest {

	private static float[] noise(final int n, final int width, final long seed) {
		final Random random = new Random(seed);
		final float[] white = new float[n], smooth = new float[n];
		for (int i = 0; i < n; i++) white[i] = (float) random.nextGaussian();
		for (int i = 0; i < n; i++) smooth[i] = 2 * white[i] + white[(i + 1) % n] + white[(i + n - 1) % n] + white[(i + width) % n] + white[(i + n - width) % n];
		return smooth;
	}

	private static TemplateMatching matching(final RandomAccessibleInterval<?> template) {
		return TemplateMatching.with(NormalizedCrossCorrelation.of(template).backend("cpu"));
	}

	@Test
	void noiseGivesTheExpectedNumberOfMatches() {
		int found = 0;
		final int images = 60;
		for (int p = 0; p < images; p++) {
			final RandomAccessibleInterval<?> image = ArrayImgs.floats(noise(160 * 160, 160, 2 * p), 160, 160), template = ArrayImgs.floats(noise(144, 12, 2 * p + 1), 12, 12);
			final TemplateMatching.Result r = matching(template).maxOverlap(1).falseAlarms(2).find(image);
			assertEquals(BackgroundState.OK, r.backgrounds().get(0).state());
			for (final Match m : r.matches()) assertTrue(m.score() >= r.minScores()[0] && m.falseAlarms() <= 2.0001 && m.falseAlarms() > 0, m + " with " + m.falseAlarms());
			found += r.matches().size();
		}
		// 120 are expected, with a deviation of 11
		assertTrue(found > 60 && found < 200, found + " matches where 120 are expected");
	}

	/** The number of images of each kind; 500 for the whole test. */
	private static final int IMAGES = Integer.getInteger("ncc.images", 100);

	/** With 0.05 expected false matches, one image in twenty has a match: of 500 images 25, at most 15 more or fewer. */
	@ParameterizedTest
	@ValueSource(strings = { "white", "smooth", "poisson", "speckle" })
	void oneInTwentyImagesHasAMatch(final String kind) {
		int with = 0;
		for (int p = 0; p < IMAGES; p++) {
			final RandomAccessibleInterval<?> image = ArrayImgs.floats(field(kind, 96, 2 * p), 96, 96), template = Views.interval(ArrayImgs.floats(field(kind, 40, 2 * p + 1), 40, 40),
				new long[] { 5, 5 }, new long[] { 16, 16 });
			if (!matching(template).falseAlarms(0.05).find(image).matches().isEmpty()) with++;
		}
		final double expected = 0.05 * IMAGES, deviation = 15 * Math.sqrt(IMAGES / 500.0);
		assertEquals(expected, with, deviation, "images of " + IMAGES + " with a match");
	}

	private static float[] field(final String kind, final int side, final long seed) {
		final Random random = new Random(seed * 31 + kind.hashCode());
		final int n = side * side;
		final float[] smooth = noise(n, side, seed + 1000 * kind.hashCode());
		if (kind.equals("smooth")) return smooth;
		final float[] other = noise(n, side, seed + 1000 * kind.hashCode() + 500), to = new float[n];
		for (int i = 0; i < n; i++) {
			if (kind.equals("white")) to[i] = (float) random.nextGaussian();
			else if (kind.equals("speckle")) to[i] = smooth[i] * smooth[i] + other[i] * other[i];
			else {
				final double limit = Math.exp(-Math.max(0.5, 12 + 1.5 * smooth[i]));
				for (double q = random.nextDouble(); q > limit; q *= random.nextDouble()) to[i]++;
			}
		}
		return to;
	}

	@Test
	void aHiddenTemplateIsFoundAndNothingElse() {
		final float[] pixels = noise(300 * 200, 300, 1), template = noise(20 * 20, 20, 2);
		for (int y = 0; y < 20; y++) for (int x = 0; x < 20; x++) pixels[(y + 60) * 300 + x + 110] += template[y * 20 + x];
		final TemplateMatching.Result r = matching(ArrayImgs.floats(template, 20, 20)).falseAlarms(0.01).find(ArrayImgs.floats(pixels, 300, 200));
		assertEquals(1, r.matches().size());
		assertArrayEquals(new long[] { 110, 60 }, r.matches().get(0).position());
		assertTrue(r.matches().get(0).falseAlarms() < 1e-6);
		assertTrue(r.matches().get(0).probability() < 1e-10);
	}

	@Test
	void framesAndTemplatesShareTheExpectedNumber() {
		final int frames = 5;
		final RandomAccessibleInterval<?> stack = ArrayImgs.floats(noise(120 * 90 * frames, 120, 3), 120, 90, frames);
		final List<RandomAccessibleInterval<?>> templates = List.of(ArrayImgs.floats(noise(100, 10, 4), 10, 10), ArrayImgs.floats(noise(99, 11, 5), 11, 9));
		final TemplateMatching matching = TemplateMatching.with(NormalizedCrossCorrelation.of(templates).backend("cpu")).compete(false).falseAlarms(4);
		final TemplateMatching.Result r = matching.find(stack);
		assertEquals(2 * frames, r.backgrounds().size());
		for (int i = 0; i < r.minScores().length; i++) assertEquals(0.4, r.backgrounds().get(i).falseAlarms(r.minScores()[i]), 1e-4);
		for (final Match m : r.matches()) assertEquals(10 * r.backgrounds().get((int) m.frame()[0] * 2 + m.template()).falseAlarms(m.score()), m.falseAlarms(), 1e-6 * m.falseAlarms());
		// each frame of a stream is a search of its own
		final List<double[]> scores = new ArrayList<>();
		matching.findEach(List.of(Views.hyperSlice(stack, 2, 1)), (index, found) -> scores.add(found.minScores()));
		assertTrue(scores.get(0)[0] < r.minScores()[2]);
	}

	@Test
	void volumesAndSmallSearches() {
		final RandomAccessibleInterval<?> volume = ArrayImgs.floats(noise(40 * 36 * 30, 40, 6), 40, 36, 30), template = ArrayImgs.floats(noise(125, 5, 7), 5, 5, 5);
		final TemplateMatching.Result r = matching(template).maxOverlap(1).falseAlarms(3).find(volume);
		assertEquals(BackgroundState.OK, r.backgrounds().get(0).state());
		assertTrue(r.matches().size() < 15, r.matches().size() + " matches where 3 are expected");
		final TemplateMatching.Result few = matching(template).falseAlarms(3).find(Views.interval(volume, new long[3], new long[] { 8, 7, 6 }));
		assertEquals(BackgroundState.FEW, few.backgrounds().get(0).state());
		assertTrue(few.minScores()[0] > 0 && few.minScores()[0] < 1);
	}

	@Test
	void wrongValues() {
		final TemplateMatching matching = matching(ArrayImgs.floats(noise(100, 10, 4), 10, 10));
		for (final double wrong : new double[] { 0, -1, Double.NaN, Double.POSITIVE_INFINITY }) assertThrows(IllegalArgumentException.class, () -> matching.falseAlarms(wrong));
	}

	@Test
	@Tag("gpu")
	void theGpuSamplesTheSameRows() {
		RequiredGpu.require();
		sameSample(ArrayImgs.floats(noise(1100 * 700, 1100, 8), 1100, 700), ArrayImgs.floats(noise(400, 20, 9), 20, 20));
		sameSample(ArrayImgs.floats(noise(100 * 90 * 60, 100, 6), 100, 90, 60), ArrayImgs.floats(noise(125, 5, 7), 5, 5, 5));
		// several boxes and slabs
		sameSample(ArrayImgs.floats(noise(9000 * 5000, 9000, 10), 9000, 5000), ArrayImgs.floats(noise(400, 20, 9), 20, 20));
	}

	/**
	 * The same rows give the same number of responses, which differ by the accuracy of both backends. One response in about 200 lies so close to the end of a bin of the fit's histograms
	 * or of the score's histogram that it can change the bin. Other rows would give other counts: the deviation of a bin with n responses is √n.
	 */
	private static void sameSample(final RandomAccessibleInterval<?> image, final RandomAccessibleInterval<?> template) {
		final TemplateMatching cpu = matching(template).falseAlarms(5), cuda = TemplateMatching.with(NormalizedCrossCorrelation.of(template).backend("cuda")).falseAlarms(5);
		final KeptMaxima expected = cpu.keep(image, 5), found = cuda.keep(image, 5);
		final double[] a = expected.histogram(0).counts(), b = found.histogram(0).counts();
		double all = 0, sum = 0, moved = 0;
		for (int i = 0; i < a.length; i++) {
			all += a[i];
			sum += b[i];
			moved += Math.abs(a[i] - b[i]) / 2;
		}
		assertEquals(all, sum, 1e-9 * all);
		assertTrue(moved <= 1e-3 * all, moved + " of " + all + " responses in other bins");
		final Background of = cpu.find(expected).backgrounds().get(0), on = cuda.find(found).backgrounds().get(0);
		assertEquals(1, on.effectivePixels() / of.effectivePixels(), 1e-4);
		assertArrayEquals(of.correlations(), on.correlations(), 1e-4);
		assertEquals(cpu.minScores(expected)[0], cuda.minScores(found)[0], 1e-4);
	}
}
