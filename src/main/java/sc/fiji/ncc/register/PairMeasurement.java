package sc.fiji.ncc.register;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

import net.imglib2.RandomAccessibleInterval;

import sc.fiji.ncc.cpu.frame.FramePixels;
import sc.fiji.ncc.cpu.frame.TransformedFrame;
import sc.fiji.ncc.register.FramePairs.Pair;
import sc.fiji.ncc.register.ShiftSolver.Edge;

/** Measures pairs of frames that another process has planned. Several threads may use an object at once; each of them holds the frames that its pairs still need. */
final class PairMeasurement {

	private final FramePairs pairs;
	private final List<? extends RandomAccessibleInterval<?>> frames;
	/** Null if the reference is one of the frames. */
	private final TransformedFrame given;
	/** The frame that all calls need: the first one of those that others are measured against. */
	private volatile Numbered first;

	private record Numbered(int number, TransformedFrame frame) {}

	/** @param given null if the reference is one of the frames */
	PairMeasurement(final FramePairs pairs, final List<? extends RandomAccessibleInterval<?>> frames, final FramePixels given) {
		this.pairs = pairs;
		this.frames = frames;
		this.given = given == null ? null : pairs.reference(given);
	}

	/** Measures tasks of one sequence and one round, in one thread. */
	List<PairTaskResult> measured(final List<PairTask> tasks) {
		final Map<Integer, Integer> lastUse = new HashMap<>();
		for (int i = 0; i < tasks.size(); i++) for (final int frame : used(tasks.get(i))) lastUse.put(frame, i);
		final Map<Integer, TransformedFrame> held = new HashMap<>();
		final Numbered kept = first;
		if (kept != null) held.put(kept.number, kept.frame);
		final List<PairTaskResult> measured = new ArrayList<>();
		for (int i = 0; i < tasks.size(); i++) {
			final int now = i;
			for (final int frame : used(tasks.get(i))) if (!held.containsKey(frame)) read(frame, held);
			measured.add(measured(tasks.get(i), held));
			held.keySet().removeIf(f -> !lastUse.containsKey(f) || lastUse.get(f) <= now);
		}
		return measured;
	}

	private Set<Integer> used(final PairTask task) {
		final Set<Integer> used = new TreeSet<>(task.from());
		used.addAll(task.to());
		used.add(task.first());
		if (task.first() + 1 < frames.size()) used.add(task.first() + 1);
		used.remove(PairPlan.GIVEN);
		return used;
	}

	/** Reads a frame with the one that shares its transform. */
	private void read(final int frame, final Map<Integer, TransformedFrame> held) {
		final int even = frame / 2 * 2;
		final TransformedFrame[] both = pairs.read(frames.get(even), even + 1 < frames.size() ? frames.get(even + 1) : null);
		for (int k = 0; k < both.length; k++) held.putIfAbsent(even + k, both[k]);
	}

	private PairTaskResult measured(final PairTask task, final Map<Integer, TransformedFrame> held) {
		final List<Integer> flat = new ArrayList<>();
		for (int f = task.first(); f < Math.min(task.first() + 2, frames.size()); f++) if (held.get(f).pixels().isFlat()) flat.add(f);
		final List<Pair> all = new ArrayList<>();
		for (int i = 0; i < task.from().size(); i++) {
			final int from = task.from().get(i), to = task.to().get(i);
			all.add(new Pair(from, from == PairPlan.GIVEN ? given : held.get(from), to, held.get(to)));
			final Numbered kept = first;
			if (from != PairPlan.GIVEN && (kept == null || from < kept.number)) first = new Numbered(from, held.get(from));
		}
		final ArrayList<Edge> found = new ArrayList<>();
		for (final List<Pair> group : FramePairs.groups(all)) pairs.measure(group).stream().filter(Objects::nonNull).forEach(found::add);
		return new PairTaskResult(task, flat, found);
	}
}
