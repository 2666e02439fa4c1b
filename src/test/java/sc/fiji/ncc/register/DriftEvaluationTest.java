package sc.fiji.ncc.register;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.IntToDoubleFunction;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import sc.fiji.ncc.register.ShiftSolver.Edge;
import sc.fiji.ncc.result.FrameShift;
import sc.fiji.ncc.result.FrameShift.State;

/** Shifts and states of frames from measurements whose results are known. Frames move by one pixel in x. */
class DriftEvaluationTest {

	private static Edge edge(final int from, final int to, final double shift, final double score, final double variance, final double alarms) {
		return new Edge(from, to, new double[] { shift, 0 }, score, variance, score / 2, score / 4, score > 0.95, null, alarms);
	}

	private static Edge edge(final int from, final int to, final double score) {
		return edge(from, to, to - from, score, 0.01, Double.NaN);
	}

	private static List<Boolean> flat(final int count, final Integer... flat) {
		final List<Boolean> all = new ArrayList<>(Collections.nCopies(count, false));
		for (final int i : flat) all.set(i, true);
		return all;
	}

	/** Each frame with the next one. */
	private static List<Edge> chain(final int count, final IntToDoubleFunction score) {
		final List<Edge> edges = new ArrayList<>();
		for (int i = 0; i < count - 1; i++) edges.add(edge(i, i + 1, score.applyAsDouble(i)));
		return edges;
	}

	private static List<FrameShift> shifts(final List<Boolean> flat, final List<Edge> edges) {
		return new DriftEvaluation(2, flat, edges, flat.indexOf(false), false).shifts();
	}

	private static double[] x(final List<FrameShift> shifts) {
		return shifts.stream().mapToDouble(f -> f.shift()[0]).toArray();
	}

	private static List<State> states(final List<FrameShift> shifts) {
		return shifts.stream().map(FrameShift::state).toList();
	}

	/** A frame has the values of its pair with the highest score. */
	@Test
	void theValuesOfTheBestPair() {
		final List<FrameShift> shifts = shifts(flat(4), List.of(edge(0, 1, 0.7), edge(1, 2, 0.96), edge(2, 3, 0.8)));
		assertArrayEquals(new double[] { 0, 1, 2, 3 }, x(shifts), 1e-12);
		final double[] scores = { 0.7, 0.96, 0.96, 0.8 };
		for (int i = 0; i < 4; i++) {
			final FrameShift f = shifts.get(i);
			assertEquals(i, f.frame());
			assertArrayEquals(new double[] { scores[i], scores[i] / 2, scores[i] / 4, 0 }, new double[] { f.score(), f.runnerUp(), f.overlap(),
				f.residual() }, 1e-12);
			assertEquals(scores[i] > 0.95, f.edge());
		}
	}

	/** The shift of the reference is given, so it does not lie at the end of a search. */
	@Test
	void theReferenceIsAtNoEdge() {
		final List<FrameShift> shifts = shifts(flat(3), List.of(edge(0, 1, 0.97), edge(0, 2, 0.96)));
		assertEquals(List.of(false, true, true), shifts.stream().map(FrameShift::edge).toList());
	}

	/** Flat frames and those without a measurement move linearly between the others, and as the nearest one at the ends. */
	@Test
	void framesWithoutAShift() {
		final List<FrameShift> shifts = shifts(flat(12, 0, 1, 5, 6, 7, 11), List.of(edge(2, 3, 0.8), edge(3, 4, 0.8), edge(4, 8, 0.8), edge(8, 10, 0.8)));
		assertArrayEquals(new double[] { 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 8 }, x(shifts), 1e-12);
		final State o = State.OK, f = State.FLAT;
		assertEquals(List.of(f, f, o, o, o, f, f, f, o, State.LOST, o, f), states(shifts));
		assertEquals(Double.NaN, shifts.get(0).score());
		final FrameShift alone = shifts(flat(2), List.of()).get(0);
		assertArrayEquals(new double[] { 1, 1, 0 }, new double[] { alone.score(), alone.overlap(), alone.residual() }, "the reference has no pair");
		assertEquals("all 3 frames are flat: the pixels of each that count, inside box and mask, are equal, so their drift is undefined",
			assertThrows(IllegalArgumentException.class, () -> shifts(flat(3, 0, 1, 2), List.of())).getMessage());
	}

	/** Frame 0 has no measurement: the others are relative to the first frame of the largest group, in a stack and in a stream. */
	@Test
	void aFirstFrameWithoutAShift() {
		final List<Edge> edges = chain(8, i -> 0.8).subList(1, 7);
		final List<FrameShift> shifts = shifts(flat(8), edges);
		assertArrayEquals(new double[] { 0, 0, 1, 2, 3, 4, 5, 6 }, x(shifts), 1e-9);
		for (int i = 0; i < 8; i++) assertEquals(i == 0 ? State.LOST : State.OK, shifts.get(i).state(), "frame " + i);
		final List<FrameShift> stream = new DriftEvaluation(2, flat(8), edges, 0, false).next(List.of());
		assertArrayEquals(Arrays.copyOfRange(x(shifts), 2, 8), Arrays.copyOfRange(x(stream), 2, 8), 1e-9);
		final List<Edge> apart = new ArrayList<>(chain(9, i -> 0.8));
		apart.remove(3);
		final List<FrameShift> groups = shifts(flat(9), apart);
		assertArrayEquals(new double[] { 0, 0, 0, 0, 0, 1, 2, 3, 4 }, x(groups), 1e-9);
		for (int i = 0; i < 9; i++) assertEquals(i < 4 ? State.LOST : State.OK, groups.get(i).state(), "frame " + i);
	}

	/** The reference is at 0, and not a frame. */
	@Test
	void aReferenceThatIsNotAFrame() {
		final List<Edge> edges = List.of(edge(-1, 0, 3, 0.8, 0.01, Double.NaN), edge(-1, 1, 5, 0.8, 0.01, Double.NaN), edge(-1, 2, 4, 0.8, 0.01, Double.NaN));
		assertArrayEquals(new double[] { 3, 5, 4 }, x(shifts(flat(3), edges)), 1e-12);
	}

	/** A score is judged by two others around it at least, and in a stream by three before it. */
	@Test
	void fewScoresSayLittle() {
		for (int others = 1; others < 4; others++) {
			final List<Edge> edges = new ArrayList<>();
			final List<FrameShift> known = new ArrayList<>();
			for (int i = 0; i < others; i++) {
				edges.add(edge(-1, i, 0, 0.8, 0.01, Double.NaN));
				known.add(new FrameShift(i, new double[2], 0.8, 1, 0, 0, false, State.OK, new double[2][2]));
			}
			edges.add(edge(-1, others, 0, 0.1, 0.01, Double.NaN));
			assertEquals(others < 2 ? State.OK : State.LOST, shifts(flat(others + 1), edges).get(others).state(), others + " others");
			assertEquals(others < 3 ? State.OK : State.LOST, new DriftEvaluation(2, flat(others + 1), edges, -1, false).next(known).get(0).state(), others
				+ " before");
		}
	}

	/** The other frames have scores of 0.8: limits are 0.85 and 0.4 of it. */
	@ParameterizedTest
	@CsvSource({ "0.681, OK", "0.679, OUTLIER", "0.321, OUTLIER", "0.319, LOST" })
	void aLowScore(final double score, final State expected) {
		final List<FrameShift> shifts = shifts(flat(40), chain(40, i -> i == 29 || i == 30 ? score : 0.8));
		for (int i = 0; i < 40; i++) assertEquals(i == 30 ? expected : State.OK, shifts.get(i).state(), "frame " + i);
		assertEquals(30, shifts.get(30).shift()[0], 1e-9);
	}

	/**
	 * The scores of frames 20 to 40 rise from 0.74 to 0.78, except that of frame 29, which is that of frame 28. Their median is 0.759, and the median
	 * deviation 0.011. So
	 * the limit is 0.759 - 8 · 1.4826 · 0.011 = 0.6285, which is below 0.85 of the median.
	 */
	@ParameterizedTest
	@CsvSource({ "0.63, OK", "0.627, OUTLIER" })
	void scoresThatVary(final double score, final State expected) {
		assertEquals(expected, shifts(flat(60), chain(60, i -> i == 29 || i == 30 ? score : 0.7 + 0.002 * i)).get(30).state());
	}

	/**
	 * Even frames have accurate shifts. An odd frame misses both neighbours by 0.4 pixels, so its residual is 0.4, and that of an even frame 0.4/√2. The
	 * median is
	 * 0.4. Frame 11 misses them by more: 8 times the median are 3.2 pixels, and 2 pixels are a contradiction.
	 */
	@ParameterizedTest
	@CsvSource({ "1.95, OK, false", "2.05, DOUBTFUL, false", "2.05, DOUBTFUL, true", "2.2, DOUBTFUL, false" })
	void measurementsThatContradictEachOther(final double miss, final State expected, final boolean moveDoubtful) {
		final List<Edge> edges = new ArrayList<>();
		for (int i = 1; i < 41; i += 2) {
			final double by = i == 11 ? miss : 0.4;
			edges.add(edge(i - 1, i + 1, 2, 0.8, 0, Double.NaN));
			edges.add(edge(i - 1, i, 1.25 + by, 0.8, 1, Double.NaN));
			edges.add(edge(i, i + 1, 0.75 + by, 0.8, 1, Double.NaN));
		}
		final List<FrameShift> shifts = new DriftEvaluation(2, flat(41), edges, 0, moveDoubtful).shifts();
		for (int i = 0; i < 41; i++) assertEquals(i == 11 ? expected : State.OK, shifts.get(i).state(), "frame " + i);
		assertEquals(0.4 / Math.sqrt(2), shifts.get(20).residual(), 1e-3);
		assertEquals(0.4, shifts.get(21).residual(), 1e-3);
		assertEquals(miss, shifts.get(11).residual(), 0.03);
		assertEquals(21.25, shifts.get(21).shift()[0], 1e-3);
		assertEquals(expected != State.DOUBTFUL || moveDoubtful ? 11.25 : 11, shifts.get(11).shift()[0], 0.1);
	}

	/** Residuals below half a pixel are small, however exact the other frames are. */
	@ParameterizedTest
	@CsvSource({ "0.48, OK", "0.52, OUTLIER" })
	void aResidual(final double miss, final State expected) {
		final List<Edge> edges = chain(20, i -> 0.8);
		edges.removeIf(e -> e.from() == 10 || e.to() == 10);
		edges.addAll(List.of(edge(9, 11, 2, 0.8, 0, Double.NaN), edge(9, 10, 1 + miss, 0.8, 1, Double.NaN), edge(10, 11, 1 + miss, 0.8, 1, Double.NaN)));
		assertEquals(expected, shifts(flat(20), edges).get(10).state());
	}

	/** The least expected number of noise peaks counts, once for each pair: above 0.01 the frame is doubtful. */
	@ParameterizedTest
	@CsvSource({ "0.006, 0.02, DOUBTFUL", "0.02, 0.006, DOUBTFUL", "0.004, 0.02, OK", "0.02, 0.004, OK", "0.02, NaN, OK" })
	void peaksOfNoise(final double first, final double second, final State expected) {
		final List<Edge> edges = chain(20, i -> 0.8);
		edges.set(9, edge(9, 10, 3, 0.8, 0.01, first));
		edges.set(10, edge(10, 11, -1, 0.8, 0.01, second));
		final List<FrameShift> shifts = shifts(flat(20), edges);
		for (int i = 0; i < 20; i++) assertEquals(i == 10 ? expected : State.OK, shifts.get(i).state(), "frame " + i);
		assertEquals(expected == State.OK ? 12 : 10, shifts.get(10).shift()[0], 1e-9);
	}

	private static List<FrameShift> known(final int count) {
		final List<FrameShift> known = new ArrayList<>();
		for (int i = 0; i < count; i++) known.add(new FrameShift(i, new double[] { i, 0 }, 0.8, 1, 0, Double.NaN, false, State.OK, new double[2][2]));
		return known;
	}

	private static FrameShift next(final boolean flat, final Edge... edges) {
		final List<FrameShift> next = new DriftEvaluation(2, flat(13, flat ? new Integer[] { 12 } : new Integer[0]), Arrays.asList(edges), 0,
			false).next(known(12));
		assertEquals(1, next.size());
		assertEquals(12, next.get(0).frame());
		return next.get(0);
	}

	/** Frame 12 from frames 11 and 10: a small miss of 0.003 pixels is shared by the variances 0.01 and 0.02. */
	@Test
	void theNextFrameOfAStream() {
		final FrameShift next = next(false, edge(11, 12, 1, 0.8, 0.01, Double.NaN), edge(10, 12, 2.003, 0.7, 0.02, Double.NaN), edge(9, 11, 7, 0.9, 0.01,
			Double.NaN));
		assertEquals(State.OK, next.state());
		assertEquals(12.001, next.shift()[0], 1e-6);
		assertEquals(0, next.shift()[1]);
		assertEquals(Math.sqrt((1e-6 + 4e-6) / 2), next.residual(), 1e-6);
		assertEquals(0.8, next.score());
		assertEquals(12.5, next(false, edge(-1, 12, 12.5, 0.8, 0.01, Double.NaN)).shift()[0], 1e-12, "a reference that is not a frame");
	}

	/** Without a shift of its own, a frame of a stream has that of the frame before. */
	@Test
	void theNextFrameWithoutAShift() {
		assertEquals(State.FLAT, next(true, edge(11, 12, 1, 0.8, 0.01, Double.NaN)).state());
		assertEquals(State.LOST, next(false).state());
		assertEquals(State.LOST, next(false, edge(11, 12, 3, 0.319, 0.01, Double.NaN)).state());
		assertEquals(State.DOUBTFUL, next(false, edge(11, 12, 3, 0.8, 0.01, 0.02)).state());
		assertEquals(State.DOUBTFUL, next(false, edge(11, 12, 1, 0.8, 1, Double.NaN), edge(10, 12, 7, 0.8, 1, Double.NaN)).state(), "residuals above 2");
		for (final FrameShift f : List.of(next(true), next(false), next(false, edge(11, 12, 3, 0.319, 0.01, Double.NaN)), next(false, edge(11, 12, 3, 0.8, 0.01, 0.02))))
			assertEquals(11, f.shift()[0]);
		final FrameShift outlier = next(false, edge(11, 12, 3, 0.6, 0.01, Double.NaN));
		assertEquals(State.OUTLIER, outlier.state());
		assertEquals(14, outlier.shift()[0], 1e-9, "measured");
	}

	/** Scores that fall in the course of a recording: only the frames around count, and in a stream the last twenty. */
	@Test
	void scoresAreComparedWithThoseOfTheFramesAround() {
		final List<Edge> falling = chain(70, i -> i < 40 ? 0.9 : 0.5);
		assertEquals(Collections.nCopies(70, State.OK), states(shifts(flat(70), falling)).stream().toList());
		for (final int before : new int[] { 60, 61 }) {
			final List<FrameShift> known = new ArrayList<>();
			for (int i = 0; i < before; i++) known.add(new FrameShift(i, new double[2], i < before - 20 ? 0.9 : 0.5, 1, 0, 0, false, State.OK, new double[2][2]));
			final List<Edge> edges = List.of(edge(before - 1, before, 1, 0.5, 0.01, Double.NaN));
			assertEquals(State.OK, new DriftEvaluation(2, flat(before + 1), edges, 0, false).next(known).get(0).state(), before + " frames before");
		}
	}
}
