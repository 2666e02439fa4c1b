package sc.fiji.ncc.pose;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import net.imglib2.FinalInterval;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.type.numeric.real.FloatType;
import net.imglib2.view.Views;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import sc.fiji.ncc.pose.PoseParts;
import sc.fiji.ncc.PoseSearch;
import sc.fiji.ncc.fixture.SmoothNoise;
import sc.fiji.ncc.image.JointImage;
import sc.fiji.ncc.result.BackgroundState;
import sc.fiji.ncc.result.PoseMatch;
import sc.fiji.ncc.result.PosesFound;

/** The minimum score of rotated templates that follows from the expected number of false matches. */
class PoseBackgroundTest {

	private static RandomAccessibleInterval<?> noise(final long seed, final int side, final int channels) {
		final List<RandomAccessibleInterval<FloatType>> all = new ArrayList<>();
		for (int c = 0; c < channels; c++) all.add(PoseImages.noise(100 * seed + c, side, side, 1 + c));
		return channels == 1 ? all.get(0) : JointImage.of(all);
	}

	/** 60 matches are expected, with a deviation of 8 and an error of the model. */
	@ParameterizedTest
	@CsvSource({ "DISK, 36, 1, 1", "DISK, 60, 3, 1", "RING, 36, 1, 1", "WHOLE, 12, 1, 1", "DISK, 36, 1, 3" })
	void noiseGivesTheExpectedNumberOfMatches(final PoseSupport support, final int angles, final int scales, final int channels) {
		int found = 0;
		for (int p = 0; p < 6; p++) {
			final PoseSearch search = PoseSearch.of(noise(2 * p + 1, 15, channels)).angleRange(0, 360, 360.0 / angles)
				.scaleRange(1, Math.pow(1.06, scales - 1) + 1e-9, 1.06).support(support)
				.falseAlarms(10).maxOverlap(1).refine(false).backend("cpu");
			final PosesFound of = search.find(noise(2 * p, 110, channels));
			for (final PoseMatch m : of.matches()) assertTrue(m.score() >= of.minScore() - 1e-12, m + " below " + of.minScore());
			found += of.matches().size();
		}
		assertTrue(found > 36 && found < 96, found + " matches where 60 are expected");
	}

	/** White noise is certain. In smooth noise a window has few independent pixels. Frames, parts and a stack say the same. */
	@Test
	void theStateOfTheBackground() {
		final RandomAccessibleInterval<FloatType> white = PoseImages.noise(1, 90, 80, 1);
		final RandomAccessibleInterval<FloatType> smooth = ArrayImgs.floats(SmoothNoise.of(90, 80, 2, new Random(1)), 90, 80);
		final PoseSearch search = PoseSearch.of(PoseImages.template(PoseImages.object(3, 7), 15, 15)).angleRange(0, 360, 10).falseAlarms(3)
			.refine(false).backend("cpu");
		final List<BackgroundState> expected = List.of(BackgroundState.OK, BackgroundState.SMOOTH);
		final RandomAccessibleInterval<FloatType> stack = Views.stack(white, smooth);
		assertEquals(expected, search.find(stack).backgrounds());
		final List<PosesFound> frames = new ArrayList<>();
		search.findEach(List.of(white, smooth), (i, found) -> frames.add(found));
		try (PoseParts parts = search.parts(stack)) {
			final List<PoseParts.Maxima> maxima = new ArrayList<>();
			for (long b = 0; b < parts.count(); b++) maxima.add(parts.maxima(b).join());
			frames.addAll(parts.matches(maxima, chosen -> parts.refined(chosen).join()));
		}
		assertEquals(4, frames.size());
		for (int i = 0; i < frames.size(); i++) {
			final PosesFound found = frames.get(i);
			assertEquals(expected.subList(i % 2, i % 2 + 1), found.backgrounds());
			assertTrue(found.matches().size() > 0, "frame " + i);
			for (final PoseMatch m : found.matches()) {
				assertEquals(found.backgrounds().get(0), m.background());
				assertEquals(found.minScore(), m.minScore());
				assertEquals(found.minScore(), m.match().minScore());
				assertEquals(m.background(), m.match().background());
				assertTrue(Double.isNaN(m.match().falseAlarms()));
			}
		}
		final PosesFound given = search.minScore(0.5).find(stack);
		assertEquals(List.of(), given.backgrounds());
		assertNull(given.matches().get(0).background());
		assertTrue(Double.isNaN(given.matches().get(0).minScore()));
	}

	/** Refinement keeps the statistics. */
	@Test
	void refinedMatchesHaveTheState() {
		final PoseSearch search = PoseSearch.of(PoseImages.template(PoseImages.object(3, 7), 15, 15)).angleRange(0, 360, 10).falseAlarms(3).backend("cpu");
		final PosesFound found = search.inside(new FinalInterval(new long[] { 5, 5 }, new long[] { 85, 75 })).find(PoseImages.noise(1, 90, 80, 1));
		assertTrue(found.matches().size() > 0);
		for (final PoseMatch m : found.matches()) assertEquals(BackgroundState.OK, m.background());
	}

	/** Each frame has a minimum score of its own, also where frames share a plan. Of a stack, the frames share the false alarms. */
	@Test
	void eachFrameHasItsMinimumScore() {
		final RandomAccessibleInterval<FloatType> a = PoseImages.noise(1, 90, 80, 1), b = PoseImages.noise(2, 90, 80, 3), c = PoseImages.noise(3, 90, 80, 1);
		// frame b is smooth in x: its scores are higher
		for (int y = 0; y < 80; y++) {
			final var at = b.randomAccess();
			for (int x = 1; x < 90; x++) {
				final float before = at.setPositionAndGet(x - 1, y).get();
				final FloatType p = at.setPositionAndGet(x, y);
				p.set(0.8f * before + p.get());
			}
		}
		final PoseSearch search = PoseSearch.of(PoseImages.template(PoseImages.object(3, 7), 15, 15)).angleRange(0, 360, 10).falseAlarms(3)
			.refine(false).backend("cpu");
		final List<PosesFound> stream = new ArrayList<>();
		search.findEach(List.of(a, c, b, a), (i, found) -> stream.add(found));
		final List<RandomAccessibleInterval<FloatType>> frames = List.of(a, c, b, a);
		for (int i = 0; i < frames.size(); i++) {
			final PosesFound alone = search.find(frames.get(i));
			assertEquals(alone.minScore(), stream.get(i).minScore());
			assertEquals(alone.matches().toString(), stream.get(i).matches().toString());
		}
		assertTrue(stream.get(2).minScore() > stream.get(0).minScore() + 0.05, stream.get(2).minScore() + " and " + stream.get(0).minScore());
		assertTrue(search.find(Views.stack(a, c)).minScore() > Math.min(stream.get(0).minScore(), stream.get(1).minScore()));
		assertThrows(IllegalArgumentException.class, () -> search.falseAlarms(0));
		assertEquals(0.9, search.minScore(0.9).find(a).minScore());
	}
}
