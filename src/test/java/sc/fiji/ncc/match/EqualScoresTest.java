package sc.fiji.ncc.match;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.array.ArrayImg;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.type.numeric.integer.UnsignedByteType;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.NormalizedCrossCorrelation;
import sc.fiji.ncc.PoseSearch;
import sc.fiji.ncc.TemplateMatching;
import sc.fiji.ncc.pose.PoseSupport;
import sc.fiji.ncc.result.Match;
import sc.fiji.ncc.result.PoseMatch;

/** Equal scores: by position in raster order, then the first template and the first pose, whichever thread is the first to end. */
class EqualScoresTest {

	private static final int SIDE = 11;
	/** Copies of the template in raster order. They do not overlap. */
	private static final int[][] PLACES = { { 30, 2 }, { 3, 5 }, { 17, 20 }, { 44, 20 }, { 2, 38 }, { 31, 41 } };

	private static byte[] pattern() {
		final byte[] pattern = new byte[SIDE * SIDE];
		new Random(6).nextBytes(pattern);
		return pattern;
	}

	private static ArrayImg<UnsignedByteType, ?> template() {
		return ArrayImgs.unsignedBytes(pattern(), SIDE, SIDE);
	}

	private static RandomAccessibleInterval<UnsignedByteType> image() {
		final byte[] pixels = new byte[60 * 56], pattern = pattern();
		new Random(7).nextBytes(pixels);
		for (final int[] p : PLACES) for (int i = 0; i < pattern.length; i++) pixels[(p[1] + i / SIDE) * 60 + p[0] + i % SIDE] = pattern[i];
		return ArrayImgs.unsignedBytes(pixels, 60, 56);
	}

	/** Two equal templates that compete: each place has the first one. */
	@Test
	void ofEqualTemplatesTheFirstIsFound() {
		final NormalizedCrossCorrelation correlation = NormalizedCrossCorrelation.of(List.of(template(), template())).threads(3);
		final List<Match> matches = TemplateMatching.with(correlation).minScore(0.99).find(image()).matches();
		assertEquals(PLACES.length, matches.size());
		for (int i = 0; i < PLACES.length; i++) {
			assertEquals(0, matches.get(i).template());
			assertArrayEquals(new long[] { PLACES[i][0], PLACES[i][1] }, matches.get(i).position());
		}
		final List<Match> each = TemplateMatching.with(correlation).minScore(0.99).compete(false).find(image()).matches();
		for (int i = 0; i < 2 * PLACES.length; i++) {
			assertEquals(i % 2, each.get(i).template(), "equal positions are ordered by template");
			assertArrayEquals(new long[] { PLACES[i / 2][0], PLACES[i / 2][1] }, each.get(i).position());
		}
		final Match one = TemplateMatching.with(correlation).minScore(0.99).total(1).find(image()).matches().get(0);
		assertArrayEquals(new long[] { 30, 2 }, one.position());
	}

	/** Angles that differ by a full turn are the same pose, with scores that are equal to the last digit: the first of the list counts. */
	@Test
	void ofEqualPosesTheFirstIsFound() {
		for (final String method : List.of("cpu-bounded", "cpu-every-pose"))
			for (final PoseSupport support : new PoseSupport[] { PoseSupport.DISK, PoseSupport.WHOLE })
				for (final double[] angles : new double[][] { { 40, 360, 0, 720 }, { 720, 40, 0, 360 }, { 0, 90, 360 } }) {
					if (method.equals("cpu-bounded") && support == PoseSupport.WHOLE) continue;
					final double first = angles[0] == 40 ? 360 : angles[0];
					final PoseSearch search = PoseSearch.of(List.of(template(), template())).angles(angles).support(support).algorithm(method);
					final List<PoseMatch> matches = search.refine(false).minScore(0.9).find(image()).matches();
					final List<String> found = new ArrayList<>(), expected = new ArrayList<>();
					for (final int[] p : PLACES) expected.add("0 at " + p[0] + ", " + p[1] + ": " + first);
					for (final PoseMatch m : matches) {
						found.add(m.template() + " at " + m.position()[0] + ", " + m.position()[1] + ": " + m.gridPose().angle());
					}
					assertEquals(expected, found, method + " " + support);
				}
	}
}
