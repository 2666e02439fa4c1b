package sc.fiji.ncc.register;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.register.ShiftSolver.Edge;
import sc.fiji.ncc.result.FrameShift;

/** The usual score is 0.8, so that a frame is bad below 0.68. */
class BadFramesTest {

	private final MeasuredPairs pairs = new MeasuredPairs();
	private final BadFrames judge = new BadFrames();
	private final List<String> measured = new ArrayList<>();

	private static Edge edge(final int from, final int to, final double score) {
		return new Edge(from, to, new double[2], score, 1, Double.NaN, 1, false);
	}

	/** Frames 0 to 9; frame 6 has these scores with its neighbours, and the measurement of frame 7 against frame 5 has the score {@code over}. */
	private void judge(final double in, final double out, final double over) {
		for (int frame = 0; frame < 10; frame++) {
			pairs.frame(false);
			if (frame > 0) pairs.add(edge(frame - 1, frame, frame == 6 ? in : frame == 7 ? out : 0.8));
			judge.next(frame, pairs, (from, to) -> {
				measured.add(from + "-" + to);
				return Double.isNaN(over) ? null : edge(from, to, over);
			});
			final boolean bad = in < 0.68 && out < 0.68;
			if (frame == 7) assertEquals(bad ? "true false true" : "false true true", judge.needs(5) + " " + judge.needs(6) + " " + judge.needs(7));
		}
		assertTrue(judge.needs(8) && judge.needs(9));
		assertFalse(judge.needs(7));
	}

	private boolean replaced() {
		return pairs.of(7).from() == 5;
	}

	@Test
	void theFrameAfterABadFrameIsMeasuredAgainstTheLastGoodOne() {
		judge(0.67, 0.67, 0.7);
		assertTrue(replaced());
		assertEquals(List.of("5-7"), measured);
	}

	@Test
	void bothScoresOfABadFrameAreLow() {
		judge(0.67, 0.69, 0.9);
		assertFalse(replaced());
		assertEquals(List.of(), measured);
	}

	@Test
	void oneLowScoreBeforeIsNotEnough() {
		judge(0.69, 0.67, 0.9);
		assertEquals(List.of(), measured);
	}

	@Test
	void aMeasurementThatIsNoBetterDoesNotCount() {
		judge(0.67, 0.67, 0.67);
		assertFalse(replaced());
		assertEquals(List.of("5-7"), measured);
	}

	@Test
	void aMeasurementWithoutAShiftDoesNotCount() {
		judge(0.6, 0.6, Double.NaN);
		assertFalse(replaced());
	}

	/** The frames 6 and 7 have no shift, or a bad one: frame 8 is measured against frame 5. */
	@Test
	void theFrameAfterSeveralBadFramesIsMeasuredAgainstTheLastGoodOne() {
		for (final double low : new double[] { Double.NaN, 0.1 }) {
			final MeasuredPairs some = new MeasuredPairs();
			final BadFrames chain = new BadFrames();
			for (int frame = 0; frame < 10; frame++) {
				some.frame(false);
				final double score = frame >= 6 && frame <= 8 ? low : 0.8;
				if (frame > 0 && !Double.isNaN(score)) some.add(edge(frame - 1, frame, score));
				chain.next(frame, some, (from, to) -> to == 8 ? edge(from, to, 0.7) : Double.isNaN(low) ? null : edge(from, to, 0.05));
			}
			assertEquals(5, some.of(8).from(), "score " + low);
			assertEquals(8, some.of(9).from(), "score " + low);
			if (Double.isNaN(low)) assertNull(some.of(7));
			else assertEquals(6, some.of(7).from());
		}
	}

	/** In a periodic specimen, each peak can be one of noise: then the scores of all pairs are the usual ones. */
	@Test
	void aBadFrameOfAPeriodicSpecimen() {
		final MeasuredPairs periodic = new MeasuredPairs();
		final BadFrames chain = new BadFrames();
		for (int frame = 0; frame < 12; frame++) {
			periodic.frame(false);
			final boolean bad = frame == 5 || frame == 6;
			if (frame > 0) periodic.add(doubtful(frame - 1, frame, bad ? 7 : 1, bad ? 0.1 : 0.8));
			chain.next(frame, periodic, (from, to) -> doubtful(from, to, to - from, 0.8));
		}
		assertEquals(4, periodic.of(6).from());
		final List<FrameShift> shifts = periodic.evaluation(2, true).shifts();
		for (int frame = 6; frame < 12; frame++) assertEquals(frame, shifts.get(frame).shift()[0], 1e-9);
	}

	private static Edge doubtful(final int from, final int to, final double shift, final double score) {
		return new Edge(from, to, new double[] { shift, 0 }, score, 1, Double.NaN, 1, false, null, 0.5);
	}

	@Test
	void framesWithoutAnyShiftAreMeasuredAgainstTheFirst() {
		final MeasuredPairs none = new MeasuredPairs();
		final BadFrames chain = new BadFrames();
		for (int frame = 0; frame < 4; frame++) {
			none.frame(false);
			chain.next(frame, none, (from, to) -> {
				measured.add(from + "-" + to);
				return null;
			});
		}
		assertEquals(List.of("0-2", "0-3"), measured);
	}
}
