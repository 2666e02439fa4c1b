package sc.fiji.ncc.register;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import sc.fiji.ncc.option.DriftReference;
import sc.fiji.ncc.register.ShiftSolver.Edge;

/**
 * A {@link DriftRun} whose pairs other processes measure. It reads no pixels. It is replayed with the measurements that are known, until none is missing: which frames
 * are flat, and with the reference previous which frames are bad, follows from measurements.
 */
final class ReplayedDriftRun {

	private final DriftReference.Kind kind;
	private final int sequence, round, frames, dimensions, held;
	private final boolean boxed, given;
	private final Map<PairTask, List<Edge>> known = new HashMap<>();
	/** The first frames of the tasks that were read, and the frames that are flat. */
	private final Set<Integer> read = new HashSet<>(), flat = new HashSet<>();
	private final boolean moveDoubtful;
	private MeasuredPairs pairs;

	/**
	 * @param boxed whether the frames are of boxes, for {@link PairTask}
	 * @param sequence the number of the sequence, for {@link PairTask}
	 * @param round the number of the mean, for {@link PairTask}
	 * @param given whether the reference is not one of the frames
	 * @param frames the number of frames
	 * @param held as for {@link PairPlan}
	 */
	ReplayedDriftRun(final DriftSettings settings, final boolean boxed, final int sequence, final int round, final boolean given, final int frames,
		final int dimensions, final int held) {
		kind = settings.reference().kind();
		moveDoubtful = settings.moveDoubtful();
		this.boxed = boxed;
		this.sequence = sequence;
		this.round = round;
		this.given = given;
		this.frames = frames;
		this.dimensions = dimensions;
		this.held = held;
	}

	void add(final PairTaskResult measured) {
		known.put(measured.task(), measured.shifts());
		read.add(measured.task().first());
		flat.addAll(measured.flat());
	}

	/** What is to be measured next; empty if all measurements are known. */
	List<PairTask> missing() {
		final List<PairTask> missing = new ArrayList<>();
		final PairPlan plan = new PairPlan(kind, given, held);
		pairs = new MeasuredPairs();
		for (int first = 0; first < frames; first += 2) {
			final List<Integer> from = new ArrayList<>(), to = new ArrayList<>();
			for (int frame = first; frame < Math.min(frames, first + 2); frame++) {
				pairs.frame(flat.contains(frame));
				if (flat.contains(frame)) continue;
				final List<Integer> partners = plan.next(frame);
				for (final int p : partners) {
					from.add(p);
					to.add(frame);
				}
			}
			if (!from.isEmpty() || !read.contains(first)) measured(new PairTask(boxed, sequence, round, first, from, to), missing);
		}
		if (missing.isEmpty() && kind == DriftReference.Kind.PREVIOUS && !given) {
			final BadFrames bad = new BadFrames();
			for (int frame = 0; frame < frames; frame++)
				if (!flat.contains(frame)) bad.next(frame, pairs, (from, to) -> {
					final List<Edge> one = known.get(single(from, to));
					// a wrong guess costs a measurement, and the next replay finds it
					if (one == null) missing.add(single(from, to));
					return one == null || one.isEmpty() ? null : one.get(0);
				});
		}
		return missing;
	}

	private PairTask single(final int from, final int to) {
		return new PairTask(boxed, sequence, round, to / 2 * 2, List.of(from), List.of(to));
	}

	private void measured(final PairTask task, final List<PairTask> missing) {
		final List<Edge> shifts = known.get(task);
		if (shifts == null) missing.add(task);
		else shifts.forEach(pairs::add);
	}

	/** The evaluation of all frames, when no measurement is missing. */
	DriftEvaluation evaluation() {
		return pairs.evaluation(dimensions, moveDoubtful);
	}
}
