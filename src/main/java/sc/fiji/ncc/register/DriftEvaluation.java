package sc.fiji.ncc.register;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;

import sc.fiji.ncc.register.ShiftSolver.Edge;
import sc.fiji.ncc.result.FrameShift;
import sc.fiji.ncc.result.FrameShift.State;
import sc.fiji.ncc.statistics.NoisePeak;

/**
 * The shifts of frames from measured pairs, and which frames to distrust.
 *
 * @param flat for each frame, whether it is flat
 * @param anchor the first frame that is not flat; -1 if all are
 * @param moveDoubtful as in {@link DriftSettings}
 */
record DriftEvaluation(int dimensions, List<Boolean> flat, List<Edge> edges, int anchor, boolean moveDoubtful) {

	/** The number of frames on each side whose scores are compared. */
	static final int AROUND = 10;
	/** A score is low if it lies this many standard deviations, and this share, below the median of the scores around; a frame below the last share is lost. */
	private static final double DEVIATIONS = 8, LOW = 0.85, LOST = 0.4;
	/** A residual is large above this multiple of the median and this number of pixels. */
	private static final double RESIDUALS = 8, FAR = 0.5;
	/** Above this residual in pixels, the measured shifts of a frame contradict each other. */
	private static final double CONTRADICTION = 2;
	/** The rounds and the scale in pixels of the robust mean of {@link #next}. */
	private static final int ROUNDS = 10;

	/** All shifts, from all measurements together. They are relative to the reference of all frames, or else to the first frame whose own shift counts. */
	List<FrameShift> shifts() {
		return shifts(-1);
	}

	/** @param given the frame that the shifts are relative to; -1 for that of {@link #shifts()} */
	List<FrameShift> shifts(final int given) {
		final int n = flat.size();
		if (anchor < 0) throw new IllegalArgumentException("all " + n
			+ " frames are flat: the pixels of each that count, inside box and mask, are equal, so their drift is undefined");
		// a reference that is not a frame is node n
		final List<Edge> nodes = edges.stream().map(e -> e.from() < 0 ? e.from(n) : e).toList();
		final int reference = reference();
		final int fixed = reference >= 0 ? reference : ShiftSolver.firstOfLargestGroup(n, nodes);
		final ShiftSolver solver = new ShiftSolver(n + 1, fixed, dimensions, nodes);
		final FrameShift[] all = new FrameShift[n];
		final List<List<Edge>> at = at(n + 1, nodes);
		for (int i = 0; i < n; i++) {
			final double[] p = solver.positions[i];
			final boolean placed = !Double.isNaN(p[0]);
			all[i] = frame(i, placed ? p : new double[dimensions], at.get(i), 0, flat.get(i) ? State.FLAT : placed ? State.OK : State.LOST, null);
		}
		final State[] found = Arrays.stream(all).map(FrameShift::state).toArray(State[]::new);
		final State[] states = judged(found, Arrays.stream(all).mapToDouble(FrameShift::score).toArray());
		// the pairs of a lost frame say nothing of the other frame, unless all shifts depend on it
		final List<Edge> kept = nodes.stream().filter(e -> IntStream.of(e.from(), e.to())
			.noneMatch(i -> i < n && i != reference && states[i] == State.LOST)).toList();
		final List<List<Edge>> keptAt = at(n + 1, kept);
		for (int i = 0; i < n; i++) {
			if (keptAt.get(i).isEmpty()) keptAt.set(i, at.get(i));
			double sum = 0;
			for (final Edge e : keptAt.get(i)) sum += Math.pow(solver.distance(e), 2);
			final double residual = keptAt.get(i).isEmpty() || Double.isNaN(sum) ? 0 : Math.sqrt(sum / keptAt.get(i).size());
			all[i] = frame(i, all[i].shift(), at.get(i), residual, states[i], null);
		}
		final double usual = median(Arrays.stream(all).filter(f -> f.state() == State.OK).mapToDouble(FrameShift::residual).toArray());
		for (int i = 0; i < n; i++) {
			if (all[i].state() == State.OK && all[i].residual() > Math.max(FAR, RESIDUALS * usual)) all[i] = state(all[i], State.OUTLIER);
			if (isDoubtful(all[i], keptAt.get(i))) all[i] = state(all[i], State.DOUBTFUL);
		}
		// without one reference, the measurements of lost first frames place no other frame
		final int origin = given >= 0 ? given : reference >= 0 ? reference : IntStream.range(0, n).filter(i -> !isReplaced(all[i])).findFirst().orElse(fixed);
		final double[] zero = solver.positions[origin];
		final double[][][] covariances = new ShiftCovariance(dimensions, n + 1, origin, kept).positions();
		for (int i = 0; i < n; i++) all[i] = relative(all[i], zero, covariances[i]);
		return interpolated(all);
	}

	/** The frame that all others are measured against; the number of frames if it is none of them; -1 without one reference. */
	int reference() {
		return edges.stream().anyMatch(e -> e.from() < 0) ? flat.size() : edges.stream().allMatch(e -> e.from() == anchor) ? anchor : -1;
	}

	/** The pairs of each frame. */
	static List<List<Edge>> at(final int nodes, final List<Edge> edges) {
		final List<List<Edge>> at = new ArrayList<>();
		for (int i = 0; i < nodes; i++) at.add(new ArrayList<>());
		for (final Edge e : edges) {
			at.get(e.from()).add(e);
			at.get(e.to()).add(e);
		}
		return at;
	}

	/** Whether no pair of a measured frame has a peak above those of noise, or its shifts contradict each other. */
	private static boolean isDoubtful(final FrameShift f, final List<Edge> mine) {
		if (f.state() != State.OK && f.state() != State.OUTLIER) return false;
		if (f.state() == State.OK && f.residual() > CONTRADICTION) return true;
		final double least = mine.stream().mapToDouble(e -> Double.isNaN(e.alarms()) ? 0 : e.alarms()).min().orElse(0);
		return NoisePeak.isDoubtful(least, mine.size());
	}

	boolean isReplaced(final FrameShift f) {
		return isReplaced(f.state(), moveDoubtful);
	}

	/** Whether a frame gets the shift of its neighbours. */
	static boolean isReplaced(final State state, final boolean moveDoubtful) {
		return state == State.DOUBTFUL ? !moveDoubtful : state.interpolated();
	}

	private FrameShift frame(final int i, final double[] shift, final List<Edge> mine, final double residual, final State state, final double[][] covariance) {
		Edge best = null;
		for (final Edge e : mine)
			if (best == null || e.score() > best.score()) best = e;
		// the reference frame itself
		if (best == null && i == anchor && state == State.OK) return new FrameShift(i, shift, 1, 1, 0, Double.NaN, false, state, covariance);
		if (best == null) return new FrameShift(i, shift, Double.NaN, Double.NaN, residual, Double.NaN, false, state, covariance);
		// the shift of a frame that others are measured against is given, so no search ends at it
		final boolean edge = best.edge() && mine.stream().anyMatch(e -> e.to() == i);
		return new FrameShift(i, shift, best.score(), best.overlap(), residual, best.runnerUp(), edge, state, covariance);
	}

	/** Judges the frames that are OK by the scores of those around. A frame that is the reference has the score 1, and does not count. */
	static State[] judged(final State[] found, final double[] scores) {
		final State[] states = found.clone();
		for (int i = 0; i < states.length; i++) {
			if (found[i] != State.OK) continue;
			final int frame = i;
			final double[] around = IntStream.rangeClosed(Math.max(0, i - AROUND), Math.min(states.length - 1, i + AROUND))
				.filter(j -> j != frame && found[j] == State.OK && scores[j] < 1).mapToDouble(j -> scores[j]).toArray();
			if (around.length >= 2) states[i] = state(scores[i], around);
		}
		return states;
	}

	private static State state(final double score, final double[] around) {
		final double median = median(around);
		final double deviation = 1.4826 * median(Arrays.stream(around).map(s -> Math.abs(s - median)).toArray());
		if (score < LOST * median) return State.LOST;
		return score < median - DEVIATIONS * deviation && score < LOW * median ? State.OUTLIER : State.OK;
	}

	private static FrameShift state(final FrameShift f, final State state) {
		return f.state() == state ? f : new FrameShift(f.frame(), f.shift(), f.score(), f.overlap(), f.residual(), f.runnerUp(), f.edge(), state, f.covariance());
	}

	private static FrameShift relative(final FrameShift f, final double[] zero, final double[][] covariance) {
		final double[] shift = f.shift().clone();
		for (int d = 0; d < shift.length; d++) shift[d] -= zero[d];
		return new FrameShift(f.frame(), shift, f.score(), f.overlap(), f.residual(), f.runnerUp(), f.edge(), f.state(), covariance);
	}

	private static double median(final double[] values) {
		if (values.length == 0) return 0;
		Arrays.sort(values);
		return (values[(values.length - 1) / 2] + values[values.length / 2]) / 2;
	}

	/** Gives frames without a shift that of their neighbours: linear between the nearest ones, and the nearest one at the ends. */
	private List<FrameShift> interpolated(final FrameShift[] all) {
		final List<FrameShift> result = new ArrayList<>();
		for (int i = 0; i < all.length; i++) {
			if (!isReplaced(all[i])) {
				result.add(all[i]);
				continue;
			}
			int before = i, after = i;
			while (before >= 0 && isReplaced(all[before])) before--;
			while (after < all.length && isReplaced(all[after])) after++;
			final double[] shift = new double[dimensions];
			for (int d = 0; d < dimensions; d++) {
				if (before >= 0 && after < all.length)
					shift[d] = all[before].shift()[d] + (all[after].shift()[d] - all[before].shift()[d]) * (i - before) / (after - before);
				else if (before >= 0) shift[d] = all[before].shift()[d];
				else if (after < all.length) shift[d] = all[after].shift()[d];
			}
			result.add(all[i].with(shift));
		}
		return result;
	}

	/** The shifts of the frames after those known. A frame is placed by the robust mean of its measurements against frames that are known. */
	List<FrameShift> next(final List<FrameShift> known) {
		final List<FrameShift> all = new ArrayList<>(known);
		final int first = known.size();
		for (int i = first; i < flat.size(); i++) {
			final int frame = i;
			final double[] around = all.stream().skip(Math.max(0, all.size() - 2 * AROUND)).filter(f -> f.state() == State.OK && f.score() < 1)
				.mapToDouble(FrameShift::score).toArray();
			final List<Edge> pairs = edges.stream().filter(e -> e.to() == frame).toList();
			// a low score with a lost frame says nothing of this frame
			final Predicate<Edge> isNoise = e -> NoisePeak.isDoubtful(e.alarms(), pairs.size()),
				saysNothing = e -> e.from() >= 0 && all.get(e.from()).state() == State.LOST && (around.length < 3 || state(e.score(), around) == State.LOST);
			final List<Edge> kept = pairs.stream().filter(isNoise.or(saysNothing).negate()).toList();
			final List<Edge> mine = kept.isEmpty() ? pairs : kept;
			final double[] last = all.isEmpty() ? new double[dimensions] : all.get(all.size() - 1).shift();
			if (flat.get(i) || mine.isEmpty() && i != anchor) {
				all.add(frame(i, last.clone(), List.of(), 0, flat.get(i) ? State.FLAT : State.LOST, null));
				continue;
			}
			final double[] place = mine.isEmpty() ? new double[dimensions] : place(mine, all);
			double sum = 0;
			for (final Edge e : mine) sum += Math.pow(distance(e, place, all), 2);
			final FrameShift found = frame(i, place, mine, mine.isEmpty() ? 0 : Math.sqrt(sum / mine.size()), State.OK,
				ShiftCovariance.next(dimensions, mine, e -> e.from() < 0 ? new double[dimensions][dimensions] : all.get(e.from()).covariance()));
			final State state = around.length < 3 ? State.OK : state(found.score(), around);
			final FrameShift judged = state(found, state), one = isDoubtful(judged, mine) ? state(judged, State.DOUBTFUL) : judged;
			all.add(isReplaced(one) ? one.with(last.clone()) : one);
		}
		return List.copyOf(all.subList(known.size(), all.size()));
	}

	private double[] place(final List<Edge> mine, final List<FrameShift> all) {
		Edge best = mine.get(0);
		for (final Edge e : mine)
			if (e.score() > best.score()) best = e;
		final double[] place = measured(best, all);
		for (int round = 0; round < ROUNDS; round++) {
			final double[] sum = new double[dimensions];
			double weights = 0;
			for (final Edge e : mine) {
				final double sigma = Math.max(0.003, Math.sqrt(e.variance())), r = distance(e, place, all) / (5 * sigma), w = 1 / (sigma * sigma * (1 + r * r));
				final double[] one = measured(e, all);
				for (int d = 0; d < dimensions; d++) sum[d] += w * one[d];
				weights += w;
			}
			for (int d = 0; d < dimensions; d++) place[d] = sum[d] / weights;
		}
		return place;
	}

	private double[] measured(final Edge e, final List<FrameShift> all) {
		final double[] place = e.shift().clone();
		if (e.from() >= 0) for (int d = 0; d < dimensions; d++) place[d] += all.get(e.from()).shift()[d];
		return place;
	}

	private double distance(final Edge e, final double[] place, final List<FrameShift> all) {
		final double[] one = measured(e, all);
		double sum = 0;
		for (int d = 0; d < dimensions; d++) sum += Math.pow(one[d] - place[d], 2);
		return Math.sqrt(sum);
	}
}
