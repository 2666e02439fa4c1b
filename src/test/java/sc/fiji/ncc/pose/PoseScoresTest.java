package sc.fiji.ncc.pose;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class PoseScoresTest {

	/** Poses with equal exact scores, of families that end in any order: the first pose counts. */
	@Test
	void ofEqualScoresTheFirstPoseCounts() {
		final int[][] orders = { { 3, 7, 9 }, { 9, 7, 3 }, { 7, 3, 9 }, { 9, 3, 7 } };
		for (final int[] order : orders)
			for (final boolean exact : new boolean[] { false, true }) {
				final PoseScores scores = new PoseScores(new long[] { 1, 100 }, (position, code, result) -> {
					result[0] = 0.8;
					result[1] = -1 - code;
				});
				for (final int pose : order) {
					// responses of the engine differ by less than their tolerance
					final double value = exact ? 0.8 : 0.8 + 1e-7 * pose;
					scores.add(new long[] { 205 }, new double[] { value }, new int[] { exact ? pose : PoseScores.approximate(pose) }, 1);
				}
				scores.add(new long[] { 205 }, new double[] { 0.7 }, new int[] { 1 }, 1);
				scores.merge();
				assertEquals(1, scores.size());
				assertEquals(3, scores.pose(0, 20));
				assertEquals(0.8, scores.value(0));
			}
	}
}
