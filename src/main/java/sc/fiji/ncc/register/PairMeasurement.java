package sc.fiji.ncc.register;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import net.imglib2.RandomAccessibleInterval;

import sc.fiji.ncc.plan.shift.PairPeaks;
import sc.fiji.ncc.plan.shift.ShiftExecution;
import sc.fiji.ncc.plan.shift.ShiftExecution.Frame;
import sc.fiji.ncc.plan.shift.ShiftExecution.Operand;
import sc.fiji.ncc.plan.shift.ShiftExecution.Pair;
import sc.fiji.ncc.register.ShiftSolver.Edge;

/** Measures pairs of frames that another process has planned. Several threads may use an object at once; each of them holds the frames that its pairs still need. */
final class PairMeasurement {

	private final ImageSequence images;
	private final ShiftExecution execution;
	private final List<? extends RandomAccessibleInterval<?>> frames;
	/** Null if the reference is one of the frames. */
	private final Operand given;
	/** The frame that all calls need: the first one of those that others are measured against. */
	private volatile Numbered first;

	private record Numbered(int number, Operand frame) {}

	/** @param given null if the reference is one of the frames */
	PairMeasurement(final ImageSequence images, final List<? extends RandomAccessibleInterval<?>> frames, final Frame given, final boolean mean) {
		this.images = images;
		// several threads use an execution with one thread
		execution = images.onCpu(mean, frames.size()).prepare(1, images.compute().monitor());
		this.frames = frames;
		this.given = given == null ? null : execution.transform(List.of(given)).get(0);
		ImageSequence.requireContrast(this.given != null && this.given.isFlat());
	}

	/** Measures tasks of one sequence and one round, in one thread. */
	List<PairTaskResult> measured(final List<PairTask> tasks) {
		final Map<Integer, Integer> lastUse = new HashMap<>();
		for (int i = 0; i < tasks.size(); i++) for (final int frame : used(tasks.get(i))) lastUse.put(frame, i);
		final Map<Integer, Operand> held = new HashMap<>();
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
	private void read(final int frame, final Map<Integer, Operand> held) {
		final int even = frame / 2 * 2;
		final List<Frame> both = new ArrayList<>(List.of(images.frame(frames.get(even))));
		if (even + 1 < frames.size()) both.add(images.frame(frames.get(even + 1)));
		final List<Operand> transformed = execution.transform(both);
		for (int k = 0; k < transformed.size(); k++) held.putIfAbsent(even + k, transformed.get(k));
	}

	private PairTaskResult measured(final PairTask task, final Map<Integer, Operand> held) {
		final List<Integer> flat = new ArrayList<>();
		for (int f = task.first(); f < Math.min(task.first() + 2, frames.size()); f++) if (held.get(f).isFlat()) flat.add(f);
		final List<Pair> all = new ArrayList<>();
		for (int i = 0; i < task.from().size(); i++) {
			final int from = task.from().get(i), to = task.to().get(i);
			all.add(new Pair(from == PairPlan.GIVEN ? given : held.get(from), held.get(to)));
			final Numbered kept = first;
			if (from != PairPlan.GIVEN && (kept == null || from < kept.number)) first = new Numbered(from, held.get(from));
		}
		final List<PairPeaks> peaks = execution.correlate(ImageSequence.groups(all));
		final ArrayList<Edge> found = new ArrayList<>();
		for (int i = 0; i < peaks.size(); i++) {
			final Edge edge = images.edge(task.from().get(i), task.to().get(i), peaks.get(i));
			if (edge != null) found.add(edge);
		}
		return new PairTaskResult(task, flat, found);
	}
}
