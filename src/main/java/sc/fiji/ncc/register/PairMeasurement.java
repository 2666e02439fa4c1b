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

	/** Measures duos of one sequence and one round, in one thread. */
	List<MeasuredDuo> measured(final List<FrameDuo> duos) {
		final Map<Integer, Integer> lastUse = new HashMap<>();
		for (int i = 0; i < duos.size(); i++) for (final int frame : used(duos.get(i))) lastUse.put(frame, i);
		final Map<Integer, TransformedFrame> held = new HashMap<>();
		final Numbered kept = first;
		if (kept != null) held.put(kept.number, kept.frame);
		final List<MeasuredDuo> measured = new ArrayList<>();
		for (int i = 0; i < duos.size(); i++) {
			final int now = i;
			for (final int frame : used(duos.get(i))) if (!held.containsKey(frame)) read(frame, held);
			measured.add(measured(duos.get(i), held));
			held.keySet().removeIf(f -> !lastUse.containsKey(f) || lastUse.get(f) <= now);
		}
		return measured;
	}

	private Set<Integer> used(final FrameDuo duo) {
		final Set<Integer> used = new TreeSet<>(duo.from());
		used.addAll(duo.to());
		used.add(duo.first());
		if (duo.first() + 1 < frames.size()) used.add(duo.first() + 1);
		used.remove(PairPlan.GIVEN);
		return used;
	}

	/** Reads a frame with the one that shares its transform. */
	private void read(final int frame, final Map<Integer, TransformedFrame> held) {
		final int even = frame / 2 * 2;
		final TransformedFrame[] both = pairs.read(frames.get(even), even + 1 < frames.size() ? frames.get(even + 1) : null);
		for (int k = 0; k < both.length; k++) held.putIfAbsent(even + k, both[k]);
	}

	private MeasuredDuo measured(final FrameDuo duo, final Map<Integer, TransformedFrame> held) {
		final List<Integer> flat = new ArrayList<>();
		for (int f = duo.first(); f < Math.min(duo.first() + 2, frames.size()); f++) if (held.get(f).pixels().isFlat()) flat.add(f);
		final List<Pair> all = new ArrayList<>();
		for (int i = 0; i < duo.from().size(); i++) {
			final int from = duo.from().get(i), to = duo.to().get(i);
			all.add(new Pair(from, from == PairPlan.GIVEN ? given : held.get(from), to, held.get(to)));
			final Numbered kept = first;
			if (from != PairPlan.GIVEN && (kept == null || from < kept.number)) first = new Numbered(from, held.get(from));
		}
		final ArrayList<Edge> found = new ArrayList<>();
		for (final List<Pair> group : FramePairs.groups(all)) pairs.measure(group).stream().filter(Objects::nonNull).forEach(found::add);
		return new MeasuredDuo(duo, flat, found);
	}
}
