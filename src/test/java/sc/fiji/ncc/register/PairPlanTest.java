package sc.fiji.ncc.register;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.option.DriftReference.Kind;

/** The pairs of frames that are measured, in closed form. */
class PairPlanTest {

	/** The partners of the last frame of a range. */
	private static List<Integer> partners(final PairPlan plan, final int first, final int last) {
		for (int frame = first; frame < last; frame++) plan.next(frame);
		return plan.next(last);
	}

	@Test
	void oneReference() {
		for (final Kind kind : new Kind[] { Kind.FIRST, Kind.MEAN, Kind.FRAME }) {
			final PairPlan plan = new PairPlan(kind, false, 12);
			assertTrue(plan.hasOneReference());
			assertEquals(List.of(), plan.next(2), "frames 0 and 1 are flat");
			assertEquals(List.of(2), plan.next(3));
			assertEquals(List.of(2), plan.next(9));
		}
		final PairPlan given = new PairPlan(Kind.MULTI, true, 12);
		assertTrue(given.hasOneReference());
		assertEquals(List.of(PairPlan.GIVEN), partners(given, 0, 5));
	}

	@Test
	void thePreviousFrame() {
		final PairPlan plan = new PairPlan(Kind.PREVIOUS, false, 12);
		assertFalse(plan.hasOneReference());
		assertEquals(List.of(), plan.next(0));
		assertEquals(List.of(0), plan.next(1));
		assertEquals(List.of(1), plan.next(4), "frames 2 and 3 are flat");
		assertTrue(plan.needs(4));
		assertFalse(plan.needs(1) || plan.needs(0));
	}

	/** Key frames are 0, 4, 8, 12; with 16 there are too many, so every eighth frame is left; with 32 every sixteenth. */
	@Test
	void severalEarlierFrames() {
		assertEquals(List.of(), multi(12).next(0));
		assertEquals(List.of(0), partners(multi(12), 0, 1));
		assertEquals(List.of(2, 1, 0), partners(multi(12), 0, 3));
		assertEquals(List.of(4, 3, 1, 0), partners(multi(12), 0, 5));
		assertEquals(List.of(13, 12, 10, 6, 0, 4, 8), partners(multi(12), 0, 14));
		assertEquals(List.of(19, 18, 16, 12, 0, 8), partners(multi(12), 0, 20));
		assertEquals(List.of(32, 31, 29, 25, 0, 16), partners(multi(12), 0, 33));
		assertEquals(List.of(69, 68, 66, 62, 0, 32, 64), partners(multi(12), 0, 70));
	}

	private static PairPlan multi(final int held) {
		final PairPlan plan = new PairPlan(Kind.MULTI, false, held);
		assertFalse(plan.hasOneReference());
		return plan;
	}

	/** Key frames count from the first frame that is not flat. */
	@Test
	void flatFirstFrames() {
		assertEquals(List.of(10, 9, 7, 3, 2, 6), partners(multi(12), 2, 11));
		assertEquals(List.of(21, 20, 18, 14, 2, 10), partners(multi(12), 2, 22));
	}

	@Test
	void lessMemoryHoldsFewerFrames() {
		for (final int held : new int[] { 7, 11 }) assertEquals(List.of(19, 18, 16, 0, 8), partners(multi(held), 0, 20));
		for (final int held : new int[] { 4, 6 }) assertEquals(List.of(19, 18, 0, 16), partners(multi(held), 0, 20));
		assertEquals(List.of(19, 0), partners(multi(3), 0, 20));
	}

	@Test
	void framesThatAreKept() {
		final PairPlan plan = multi(12);
		partners(plan, 0, 20);
		for (final int kept : new int[] { 0, 8, 13, 16, 20 }) assertTrue(plan.needs(kept), "frame " + kept);
		for (final int dropped : new int[] { 4, 9, 12, 21 }) assertFalse(plan.needs(dropped), "frame " + dropped);
	}
}
