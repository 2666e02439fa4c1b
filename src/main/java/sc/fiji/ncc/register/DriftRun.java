package sc.fiji.ncc.register;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;

import net.imglib2.RandomAccessibleInterval;

import sc.fiji.ncc.cpu.frame.FramePixels;
import sc.fiji.ncc.cpu.frame.TransformedFrame;
import sc.fiji.ncc.option.DriftReference;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.register.FramePairs.Pair;
import sc.fiji.ncc.register.ShiftSolver.Edge;
import sc.fiji.ncc.result.FrameShift;
import sc.fiji.ncc.run.Parallel;

/**
 * Measures the shifts between the frames of a sequence that comes in order, in one process. Each frame is read and transformed once. Memory holds the last frames, a
 * few key frames and a batch, whatever the number of frames; and the measured shifts. {@link PlannedRun} is the same for several processes.
 */
final class DriftRun implements AutoCloseable {

	private final DriftSettings settings;
	private final FramePairs frames;
	private final FramePairs.Room room;
	private final Parallel parallel;
	private final PairPlan plan;
	private final MeasuredPairs pairs = new MeasuredPairs();
	private final BadFrames bad = new BadFrames();
	/** The frames that later frames can be measured against. */
	private final Map<Integer, TransformedFrame> held = new HashMap<>();
	/** The reference of all frames, and its number; null if frames have different references. */
	private TransformedFrame reference;
	private int referenceNumber = PairPlan.GIVEN;

	/** @param given the reference; null if it is one of the frames */
	DriftRun(final DriftSettings settings, final FramePairs frames, final FramePixels given) {
		this.settings = settings;
		this.frames = frames;
		room = frames.room(Runtime.getRuntime().maxMemory());
		parallel = new Parallel(room.threads());
		plan = new PairPlan(settings.reference().kind(), given != null, room.held());
		if (given != null) reference = frames.reference(given);
	}

	/** The number of frames that {@link #push} needs at once for all threads to have work. It is even. */
	int batch() {
		return room.batch();
	}

	/** The number of frames that {@link #push} takes at once with advantage, if they need not be measured soon. It is even. */
	int largeBatch() {
		if (reference != null) return 8 * room.batch();
		// the first frames give the reference
		return plan.hasOneReference() ? room.batch() : room.batches() * room.batch();
	}

	/**
	 * Measures the next frames. All calls but the last have an even number of frames.
	 *
	 * @throws IllegalArgumentException if a frame has another size
	 * @throws CancellationException if the monitor cancels
	 */
	void push(final List<? extends RandomAccessibleInterval<?>> next) {
		final int first = pairs.count(), n = next.size();
		for (int i = 0; i < n; i++)
			if (next.get(i).numDimensions() != frames.dimensions || !Arrays.equals(frames.size, FrameReader.extents(next.get(i)))) throw new IllegalArgumentException("frame "
				+ (first + i) + " is " + Size.of(next.get(i).dimensionsAsLongArray()) + ", and the frames before are "
				+ Size.of(Arrays.stream(frames.size).limit(frames.dimensions).asLongStream().toArray()) + ": give frames of one size");
		if (reference != null) against(next);
		else between(next);
		settings.monitor().done(n);
	}

	private TransformedFrame[] read(final List<? extends RandomAccessibleInterval<?>> next, final int i) {
		return frames.read(next.get(i), i + 1 < next.size() ? next.get(i + 1) : null);
	}

	/** Measures frames against the reference of all frames. No frame is kept, and threads do not wait for each other between reading and measuring. */
	private void against(final List<? extends RandomAccessibleInterval<?>> next) {
		final int first = pairs.count(), n = next.size();
		final boolean[] flat = new boolean[n];
		final List<List<Edge>> found = new ArrayList<>();
		for (int i = 0; i < n; i += 2) found.add(List.of());
		parallel.each(found.size(), i -> {
			final TransformedFrame[] both = read(next, 2 * i);
			final List<Pair> group = new ArrayList<>();
			for (int k = 0; k < both.length; k++) {
				flat[2 * i + k] = both[k].pixels().isFlat();
				if (!flat[2 * i + k]) group.add(new Pair(referenceNumber, reference, first + 2 * i + k, both[k]));
			}
			if (!group.isEmpty()) found.set(i, frames.measure(group));
		});
		for (final boolean f : flat) pairs.frame(f);
		for (final List<Edge> group : found) group.forEach(pairs::add);
	}

	/** Measures frames against each other. */
	private void between(final List<? extends RandomAccessibleInterval<?>> next) {
		final int first = pairs.count(), n = next.size();
		final TransformedFrame[] transformed = new TransformedFrame[n];
		parallel.each((n + 1) / 2, i -> {
			final TransformedFrame[] both = read(next, 2 * i);
			System.arraycopy(both, 0, transformed, 2 * i, both.length);
		});
		final List<List<Pair>> groups = new ArrayList<>();
		for (int i = 0; i < n; i += 2) {
			final List<Pair> both = new ArrayList<>();
			for (int k = i; k < Math.min(n, i + 2); k++) plan(first + k, transformed[k], both);
			groups.addAll(FramePairs.groups(both));
		}
		measure(groups);
		if (settings.reference().kind() == DriftReference.Kind.PREVIOUS) {
			for (int i = 0; i < n; i++)
				if (!transformed[i].pixels().isFlat()) bad.next(first + i, pairs, (from, to) -> frames.measure(List.of(pair(from, to, held.get(to)))).get(0));
		}
		held.keySet().removeIf(f -> !plan.needs(f) && !bad.needs(f));
	}

	private void plan(final int frame, final TransformedFrame transformed, final List<Pair> to) {
		pairs.frame(transformed.pixels().isFlat());
		if (transformed.pixels().isFlat()) return;
		for (final int from : plan.next(frame)) to.add(pair(from, frame, transformed));
		held.put(frame, transformed);
		if (reference == null && plan.hasOneReference()) {
			reference = transformed;
			referenceNumber = frame;
		}
	}

	private Pair pair(final int from, final int to, final TransformedFrame moving) {
		return new Pair(from, held.get(from), to, moving);
	}

	private void measure(final List<List<Pair>> groups) {
		final List<List<Edge>> found = new ArrayList<>();
		for (int i = 0; i < groups.size(); i++) found.add(List.of());
		parallel.each(groups.size(), i -> found.set(i, frames.measure(groups.get(i))));
		for (final List<Edge> group : found) group.forEach(pairs::add);
	}

	/** The shifts of all frames so far, solved together. */
	List<FrameShift> solve() {
		return pairs.evaluation(frames.dimensions).shifts();
	}

	/**
	 * The shifts of the newest frames, which do not change any more when later frames come.
	 *
	 * @param known the shifts of the frames before
	 */
	List<FrameShift> next(final List<FrameShift> known) {
		return pairs.evaluation(frames.dimensions).next(known);
	}

	/** Forgets the measurements of frames that no later frame is measured against. For streams, whose shifts are taken with {@link #next}. */
	void forgetMeasurements() {
		pairs.forget(pairs.count() - 64);
	}

	@Override
	public void close() {
		parallel.close();
	}
}
