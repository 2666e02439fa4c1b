package sc.fiji.ncc.pose;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.SplittableRandom;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.image.TemplateReader;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.result.Pose;

class PoseOverlapTest {

	/** Against random points. */
	@Test
	void theCommonPartOfDisksAndBalls() {
		final SplittableRandom random = new SplittableRandom(1);
		for (int n = 2; n <= 3; n++)
			for (int i = 0; i < 12; i++) {
				final double r = 1 + random.nextDouble(), s = 0.5 + random.nextDouble(), d = random.nextDouble() * (r + s), small = Math.min(r, s);
				int inside = 0, common = 0;
				for (int k = 0; k < 40000; k++) {
					double own = 0, other = 0;
					for (int a = 0; a < n; a++) {
						final double x = small * (2 * random.nextDouble() - 1);
						own += x * x;
						other += (a == 0 ? x - d : x) * (a == 0 ? x - d : x);
					}
					if (own > small * small) continue;
					inside++;
					if (other <= Math.max(r, s) * Math.max(r, s)) common++;
				}
				assertEquals((double) common / inside, PoseOverlap.balls(n, r, s, d), 0.02, n + " " + r + " " + s + " " + d);
			}
		assertEquals(1, PoseOverlap.balls(2, 1, 3, 1.5));
		assertEquals(0, PoseOverlap.balls(3, 1, 3, 4));
	}

	/** A bar and the same bar turned by a quarter have little in common; two parallel ones much. */
	@Test
	void wholeTemplatesAreRotatedBoxes() {
		final Template bar = TemplateReader.read(PoseImages.template((x, y) -> x + y, 41, 7), null, false);
		final PoseSet set = PoseSet.of(List.of(bar), List.of(Pose.of(0, 1, false), Pose.of(90, 1, true), Pose.of(45, 1, false)), PoseSupport.WHOLE, 0);
		// the third coordinate is not part of a position: the pose follows from the row
		final PoseOverlap overlap = new PoseOverlap(set, 0.25, p -> (int) (p[2] & 1));
		overlap.accept(new long[] { 0, 100, 100 });
		assertTrue(overlap.covers(new long[] { 0, 120, 100 }), "half of the length");
		assertFalse(overlap.covers(new long[] { 0, 135, 100 }), "a seventh of the length");
		assertFalse(overlap.covers(new long[] { 0, 100, 101 }), "a cross has 49 of 287 pixels in common");
		assertFalse(overlap.covers(new long[] { 0, 400, 100 }));
	}
}
