package sc.fiji.ncc.register;

import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

import sc.fiji.ncc.register.ShiftSolver.Edge;
import sc.fiji.ncc.statistics.NoisePeak;

/** The measured shifts between the frames of a sequence, and which frames are flat. */
final class MeasuredPairs {

	/** The number of pairs whose scores are the usual ones. */
	private static final int USUAL = 64;

	private final List<Boolean> flat = new ArrayList<>();
	/** The measurements of each frame against earlier ones. */
	private final NavigableMap<Integer, List<Edge>> measured = new TreeMap<>();
	/** The first frame that is not flat; -1 before it. */
	private int anchor = -1;

	/** Adds the next frame. */
	void frame(final boolean isFlat) {
		if (anchor < 0 && !isFlat) anchor = flat.size();
		flat.add(isFlat);
	}

	/** The number of frames. */
	int count() {
		return flat.size();
	}

	/** @param shift null for a pair without a shift */
	void add(final Edge shift) {
		if (shift != null) measured.computeIfAbsent(shift.to(), to -> new ArrayList<>()).add(shift);
	}

	/** The measurement of a frame that is measured against one other frame; null if there is none. */
	Edge of(final int frame) {
		final List<Edge> all = measured.get(frame);
		return all == null ? null : all.get(0);
	}

	/** Puts a measurement in the place of all others of its frame. */
	void replace(final Edge shift) {
		measured.put(shift.to(), List.of(shift));
	}

	/**
	 * The median of the scores of the last pairs up to a frame: of those whose peaks are above those of noise, or of all if none is; NaN without
	 * a pair.
	 */
	double usualScore(final int frame) {
		final List<Edge> last = measured.headMap(frame, true).descendingMap().values().stream().flatMap(List::stream).limit(USUAL).toList(),
			clear = last.stream().filter(e -> !NoisePeak.isDoubtful(e.alarms(), 1)).toList();
		final double[] scores = (clear.isEmpty() ? last : clear).stream().mapToDouble(Edge::score).sorted().toArray();
		return scores.length == 0 ? Double.NaN : scores[scores.length / 2];
	}

	/** Forgets the measurements of frames before this one. */
	void forget(final int oldest) {
		measured.headMap(oldest).clear();
	}

	DriftEvaluation evaluation(final int dimensions, final boolean moveDoubtful) {
		return new DriftEvaluation(dimensions, flat, measured.values().stream().flatMap(List::stream).toList(), anchor, moveDoubtful);
	}
}
