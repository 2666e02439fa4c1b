package sc.fiji.ncc.pose;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

import net.imglib2.FinalInterval;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.type.numeric.real.FloatType;
import net.imglib2.view.Views;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import sc.fiji.ncc.bounded.MemberWindow;
import sc.fiji.ncc.image.ImagePixels;
import sc.fiji.ncc.image.TemplateReader;
import sc.fiji.ncc.plan.BoundedBank;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.support.Parallel;
import sc.fiji.ncc.result.Pose;

/** Which basis a plan has, and what it says of a sample of windows. */
class PosePlannerTest {

	private static final int SIDE = 17;
	private static final double MIN_SCORE = 0.8;
	private static final RandomAccessibleInterval<FloatType> TEMPLATE = PoseImages.template(PoseImages.object(11, 8), SIDE, SIDE);

	private static PoseSet set(final int poses) {
		final List<Pose> all = IntStream.range(0, poses).mapToObj(i -> Pose.of(i * 360.0 / poses, 1, false)).toList();
		return PoseSet.of(List.of(TemplateReader.read(TEMPLATE, null, false)), all, PoseSupport.DISK, 0);
	}

	private static PosePlan plan(final PoseSet set, final RandomAccessibleInterval<FloatType> frame, final ToDoubleFunction<BoundedBank.Family> seconds) {
		final BoundedBank like = new BoundedBank(PixelType.F32, Size.of(frame.dimensionsAsLongArray()), 1, List.of(), MIN_SCORE, false, 1);
		try (Parallel threads = new Parallel(1)) {
			return new PosePlanner(frame, like, MIN_SCORE, 1, new PoseCost(set, 1, 1), threads, p -> seconds.applyAsDouble(p.families().get(0))).plan(set);
		}
	}

	/** Seconds for each vector, and many seconds without a basis. */
	private static ToDoubleFunction<BoundedBank.Family> by(final ToDoubleFunction<Integer> ofVectors) {
		return f -> f.basis() == null ? 1e6 : ofVectors.applyAsDouble(f.basis().vectors());
	}

	private static BoundedBank.Family family(final PosePlan plan) {
		return plan.problem().families().get(0);
	}

	/** Four windows, one below the other. The object lies in the second one. The sample has as many of each, so the shares are means over the four. */
	@Test
	void sharesAreThoseOfTheWindows() {
		final PoseSet set = set(16);
		final RandomAccessibleInterval<FloatType> frame = PoseImages.noise(1, SIDE, SIDE + 3, 0.02);
		PoseImages.add(frame, PoseImages.object(11, 8), 8, 9, 8, Pose.of(0, 1, false));
		final BoundedBank.Basis basis = family(plan(set, frame, by(v -> 1.0 / v))).basis();
		assertEquals(16, basis.vectors(), "all poses, so that the bounds are the scores");
		final PoseFamily family = set.families().get(0);
		final MemberWindow window = new MemberWindow(ImagePixels.of(frame), family.members);
		int read = 0, scores = 0;
		for (int y = 0; y < 4; y++) {
			assertTrue(window.read(new long[] { 0, y }));
			int n = 0;
			for (final float[] member : family.members.values()) if (MemberWindow.dot(window.values, member) >= MIN_SCORE) n++;
			if (n > 0) read++;
			scores += n;
		}
		assertTrue(read > 0 && read < 4 && scores > 0, read + " windows, " + scores + " scores");
		assertEquals(read / 4.0, basis.read(), 0.006);
		assertEquals(scores / 4.0, basis.scores(), 0.006);
		assertTrue(basis.kept() >= basis.read());
		double left = basis.kept();
		for (final BoundedBank.Groups g : basis.groups()) {
			assertTrue(g.left() <= left && g.left() >= basis.read() && g.count() < 16, basis.toString());
			left = g.left();
		}
	}

	@Test
	void noiseKeepsNothing() {
		final BoundedBank.Basis basis = family(plan(set(16), PoseImages.noise(1, 60, 50, 1), by(v -> 1.0 / v))).basis();
		assertEquals(List.of(0.0, 0.0, 0.0), List.of(basis.kept(), basis.read(), basis.scores()));
		// nothing is left to group
		assertEquals(List.of(), basis.groups());
	}

	/** The size with the shortest time, and of equal ones the first, which is the smallest. */
	@ParameterizedTest
	@ValueSource(ints = { 4, 5, 6, 8, 11, 14, 16 })
	void theSizeOfTheShortestTimeIsTaken(final int size) {
		assertEquals(size, family(plan(set(16), PoseImages.noise(1, 60, 50, 1), by(v -> 1.0 + Math.abs(v - size)))).basis().vectors());
	}

	@Test
	void ofEqualTimesTheSmallestBasisIsTaken() {
		assertEquals(4, family(plan(set(16), PoseImages.noise(1, 60, 50, 1), by(v -> 1.0))).basis().vectors());
	}

	/** A quarter of the poses, from 16 on. It is made at once up to 48; a larger one only if the best size is near that. */
	@Test
	void largeSetsHaveABasisOfAQuarter() {
		final RandomAccessibleInterval<FloatType> noise = PoseImages.noise(1, 60, 50, 1);
		assertEquals(16, family(plan(set(40), noise, by(v -> 1.0 / v))).basis().vectors());
		assertEquals(20, family(plan(set(80), noise, by(v -> 1.0 / v))).basis().vectors());
		assertEquals(60, family(plan(set(240), noise, by(v -> 1.0 / v))).basis().vectors());
		final PosePlan small = plan(set(240), noise, by(v -> 1.0 + Math.abs(v - 20))), large = plan(set(240), noise, by(v -> 1.0 + Math.abs(v - 41)));
		assertTrue(family(small).basis().vectors() <= 24 && family(large).basis().vectors() > 36, family(small) + " and " + family(large));
		assertTrue(large.seconds() > 1.5 * small.seconds(), "a second basis was made: " + large.seconds() + " s and " + small.seconds() + " s");
	}

	/** A basis must save a quarter of the time. */
	@Test
	void aBasisThatSavesLittleIsNotTaken() {
		final RandomAccessibleInterval<FloatType> noise = PoseImages.noise(1, 60, 50, 1);
		// the sample, whose only window is kept, shows that the second one saves less than a basis that keeps nothing
		final PosePlan saves = plan(set(16), noise, f -> f.basis() == null ? 1000 : 749),
			little = plan(set(16), TEMPLATE, f -> f.basis() == null ? 1000 : f.basis().kept() == 0 ? 1 : 751);
		assertEquals(4, family(saves).basis().vectors());
		assertTrue(saves.lines().get(0).startsWith("template 1, scale 1.000, 16 poses of ") && saves.lines().get(0).contains(" pixels: 4 correlations, 749 s; ")
			&& saves.lines().get(0).endsWith("; every pose: 1.00e+03 s"), saves.lines().toString());
		assertNull(family(little).basis());
		assertTrue(little.lines().get(0).contains("every pose is correlated, 1.00e+03 s; a basis: 4 correlations, 751 s; "), little.lines().toString());
		assertEquals(16, little.members().get(0).templates().size());
	}

	/** Making it takes longer than half of the search with all poses: no window is sampled. */
	@Test
	void aBasisThatTakesLongIsNotMade() {
		final PoseSet set = set(16);
		final double making = new PoseCost(set, 1, 1).basis(set.families().get(0), 16);
		for (final double times : new double[] { 1.99, 2.01 }) {
			final PosePlan plan = plan(set, PoseImages.noise(1, 60, 50, 1), f -> f.basis() == null ? times * making : 0);
			assertEquals(times < 2, family(plan).basis() == null, plan.lines().toString());
			assertEquals(times < 2, plan.seconds() == 0);
			assertEquals(times < 2, plan.lines().get(0).contains("every pose is correlated, "));
		}
	}

	@Test
	void onePoseIsCorrelated() {
		final PosePlan one = plan(set(1), PoseImages.noise(1, 60, 50, 1), f -> 1);
		assertNull(family(one).basis());
		assertTrue(one.lines().get(0).startsWith("template 1, scale 1.000, 1 pose of ") && one.lines().get(0).endsWith(" pixels: it is correlated"), one.lines()
			.toString());
		assertEquals(0, one.seconds());
	}

	/** A flat part has no windows with contrast. They are sampled, and none of them is kept. */
	@Test
	void flatWindowsAreNotKept() {
		final RandomAccessibleInterval<FloatType> frame = PoseImages.noise(1, SIDE, 2 * SIDE + 1, 0);
		for (int y = 0; y < SIDE; y++) for (int x = 0; x < SIDE; x++) frame.getAt(x, y).set(TEMPLATE.getAt(x, y));
		final BoundedBank.Basis whole = family(plan(set(16), frame, by(v -> 1.0 / v))).basis();
		final BoundedBank.Basis part = family(plan(set(16), Views.interval(frame, new FinalInterval(SIDE, SIDE)), by(v -> 1.0 / v))).basis();
		assertEquals(1, part.read());
		assertTrue(whole.read() > 0 && whole.read() < 0.3, whole.toString());
		assertFalse(Double.isNaN(whole.scores()));
	}
}
