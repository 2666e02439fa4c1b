package sc.fiji.ncc.pose;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.SplittableRandom;
import java.util.function.ToIntFunction;

import net.imglib2.img.array.ArrayImgs;

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

	/** The same with bars in a volume: the common part of boxes is counted. */
	@Test
	void wholeTemplatesOfVolumesAreRotatedBoxes() {
		final float[] values = new float[41 * 7 * 9];
		for (int i = 0; i < values.length; i++) values[i] = i % 41 + i / 41 % 7;
		final Template bar = TemplateReader.read(ArrayImgs.floats(values, 41, 7, 9), null, false);
		final PoseSet set = PoseSet.of(List.of(bar), List.of(Pose.of(new double[] { 1, 0, 0, 0 }, 1, false), Pose.of(PoseGrid.euler(90,
			0, 0), 0.5, true)), PoseSupport.WHOLE, 0);
		for (final double share : new double[] { 0.45, 0.55 }) {
			final PoseOverlap overlap = new PoseOverlap(set, share, p -> (int) (p[2] & 1));
			overlap.accept(new long[] { 0, 100, 100, 50 });
			assertEquals(share < 0.5, overlap.covers(new long[] { 0, 120, 100, 50 }), "half of the length, 21 of 41");
			assertFalse(overlap.covers(new long[] { 0, 120, 100, 56 }), "half of the length and a third of the depth");
			// the turned bar of half the size has 3.5 x 20.5 x 4.5 pixels, of which 3.5 x 7 x 4.5 lie in the first one: 0.34
			assertFalse(overlap.covers(new long[] { 0, 100, 101, 50 }));
		}
		final PoseOverlap third = new PoseOverlap(set, 0.3, p -> (int) (p[2] & 1));
		third.accept(new long[] { 0, 100, 100, 50 });
		assertTrue(third.covers(new long[] { 0, 100, 101, 50 }), "a third of the smaller bar");
		assertFalse(third.covers(new long[] { 0, 100, 109, 50 }), "less than a quarter of the smaller bar");
	}

	/** The share that matches may have in common is allowed. */
	@Test
	void exactlyTheShareIsAllowed() {
		final Template box = TemplateReader.read(PoseImages.template((x, y) -> x + y, 8, 4), null, false);
		final PoseSet set = PoseSet.of(List.of(box), List.of(Pose.of(0, 1, false)), PoseSupport.WHOLE, 0);
		for (final double share : new double[] { 0.49, 0.5 }) {
			final PoseOverlap overlap = new PoseOverlap(set, share, p -> 0);
			overlap.accept(new long[] { 0, 100, 100 });
			assertEquals(share < 0.5, overlap.covers(new long[] { 0, 104, 100 }), "half of a box, and a share of " + share);
		}
	}

	/** What was compared before does not count: the limits of two sizes are those of these sizes. */
	@Test
	void disksOfSeveralSizes() {
		final Template disk = TemplateReader.read(PoseImages.template((x, y) -> x * y, 21, 21), null, false);
		final PoseSet set = PoseSet.of(List.of(disk), List.of(Pose.of(0, 1, false), Pose.of(0, 2, false), Pose.of(0, 3, false)), PoseSupport.DISK, 0);
		// rows 200 and 400 have large disks
		final ToIntFunction<long[]> pose = p -> p[2] == 200 ? 1 : p[2] == 400 ? 2 : 0;
		for (long dx = 0; dx < 50; dx++) {
			final PoseOverlap both = new PoseOverlap(set, 0.3, pose);
			both.accept(new long[] { 0, 100, 200 });
			both.accept(new long[] { 0, 100, 400 });
			for (final long row : new long[] { 200, 400, 200 }) {
				final PoseOverlap one = new PoseOverlap(set, 0.3, pose);
				one.accept(new long[] { 0, 100, row });
				assertEquals(one.covers(new long[] { 0, 100 + dx, row + 1 }), both.covers(new long[] { 0, 100 + dx, row + 1 }), dx + " beside row " + row);
			}
		}
	}
}
