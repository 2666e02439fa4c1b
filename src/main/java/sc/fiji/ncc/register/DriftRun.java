package sc.fiji.ncc.register;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;

import net.imglib2.RandomAccessibleInterval;

import sc.fiji.ncc.plan.shift.PairPeaks;
import sc.fiji.ncc.plan.shift.ShiftExecution;
import sc.fiji.ncc.plan.shift.ShiftExecution.Frame;
import sc.fiji.ncc.plan.shift.ShiftExecution.Operand;
import sc.fiji.ncc.option.DriftReference;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.register.ShiftSolver.Edge;
import sc.fiji.ncc.result.FrameShift;

/**
 * Measures the shifts between the frames of a sequence that comes in order, in one process. Each frame is read and transformed once. Memory holds the last frames, a
 * few key frames and a batch, whatever the number of frames; and the measured shifts. {@link ReplayedDriftRun} is the same for several processes.
 */
final class DriftRun implements AutoCloseable {

	private final DriftSettings settings;
	private final ImageSequence images;
	private final ShiftExecution execution;
	private final ShiftExecution.Capacity capacity;
	private final PairPlan plan;
	private final MeasuredPairs pairs = new MeasuredPairs();
	private final BadFrames bad = new BadFrames();
	/** The frames that later frames can be measured against. */
	private final Map<Integer, Operand> held = new HashMap<>();
	/** The reference of all frames, and its number; null if frames have different references. */
	private Operand reference;
	private int referenceNumber = PairPlan.GIVEN;

	/**
	 * @param given the frame that is the reference; null for another reference
	 * @param mean the mean of the corrected frames, if it is the reference; null for another reference
	 */
	DriftRun(final ImageSequence images, final RandomAccessibleInterval<?> given, final Frame mean, final ShiftExecution execution) {
		settings = images.settings();
		this.images = images;
		this.execution = execution;
		try {
			capacity = execution.capacity();
			plan = new PairPlan(settings.reference().kind(), given != null || mean != null, capacity.held());
			if (given == null && mean == null) return;
			reference = execution.transform(List.of(mean != null ? mean : images.frame(given))).get(0);
			ImageSequence.requireContrast(reference.isFlat());
		}
		catch (final RuntimeException | Error e) {
			execution.close();
			throw e;
		}
	}

	/** The number of frames that {@link #push} needs at once for all threads to have work. It is even. */
	int batch() {
		return capacity.batch();
	}

	/** The number of frames that {@link #push} takes at once with advantage, if they need not be measured soon. It is even. */
	int largeBatch() {
		if (reference != null) return 8 * capacity.batch();
		// the first frames give the reference
		return plan.hasOneReference() ? capacity.batch() : capacity.batches() * capacity.batch();
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
			if (!Size.of(next.get(i).dimensionsAsLongArray()).equals(images.size())) throw new IllegalArgumentException("frame "
				+ (first + i + 1) + " is " + Size.of(next.get(i).dimensionsAsLongArray()) + ", and the frames before are " + images.size()
					+ ": give frames of one size");
		if (reference != null) against(next);
		else between(next);
		images.compute().monitor().done(n);
	}

	private List<Frame> frames(final List<? extends RandomAccessibleInterval<?>> next) {
		return next.stream().map(images::frame).toList();
	}

	/** Measures frames against the reference of all frames. No frame is kept. */
	private void against(final List<? extends RandomAccessibleInterval<?>> next) {
		final int first = pairs.count();
		final boolean[] flat = new boolean[next.size()];
		final PairPeaks[] found = execution.against(reference, frames(next), flat);
		for (int i = 0; i < flat.length; i++) {
			pairs.frame(flat[i]);
			pairs.add(images.edge(referenceNumber, first + i, found[i]));
		}
	}

	/** Two frames, with their numbers. */
	private record Pair(int from, int to, ShiftExecution.Pair frames) {}

	/** Measures frames against each other. */
	private void between(final List<? extends RandomAccessibleInterval<?>> next) {
		final int first = pairs.count(), n = next.size();
		final List<Operand> transformed = execution.transform(frames(next));
		final List<List<Pair>> groups = new ArrayList<>();
		for (int i = 0; i < n; i += 2) {
			final List<Pair> both = new ArrayList<>();
			for (int k = i; k < Math.min(n, i + 2); k++) plan(first + k, transformed.get(k), both);
			groups.addAll(ImageSequence.groups(both));
		}
		measure(groups).forEach(pairs::add);
		if (settings.reference().kind() == DriftReference.Kind.PREVIOUS) {
			for (int i = 0; i < n; i++)
				if (!transformed.get(i).isFlat()) bad.next(first + i, pairs, (from, to) -> measure(List.of(List.of(pair(from, to, held.get(to))))).get(0));
		}
		held.keySet().removeIf(f -> !plan.needs(f) && !bad.needs(f));
		final List<Operand> kept = new ArrayList<>(held.values());
		if (reference != null) kept.add(reference);
		execution.keep(kept);
	}

	private void plan(final int number, final Operand frame, final List<Pair> to) {
		pairs.frame(frame.isFlat());
		if (frame.isFlat()) return;
		for (final int from : plan.next(number)) to.add(pair(from, number, frame));
		held.put(number, frame);
		if (reference == null && plan.hasOneReference()) {
			reference = frame;
			referenceNumber = number;
		}
	}

	private Pair pair(final int from, final int to, final Operand moving) {
		return new Pair(from, to, new ShiftExecution.Pair(held.get(from), moving));
	}

	/** One shift for each pair; null where none is found. */
	private List<Edge> measure(final List<List<Pair>> groups) {
		final List<PairPeaks> found = execution.correlate(groups.stream().map(g -> g.stream().map(Pair::frames).toList()).toList());
		final List<Edge> edges = new ArrayList<>();
		for (final List<Pair> group : groups)
			for (final Pair p : group) edges.add(images.edge(p.from(), p.to(), found.get(edges.size())));
		return edges;
	}

	/** The evaluation of all frames so far. */
	DriftEvaluation evaluation() {
		return pairs.evaluation(images.dimensions(), settings.moveDoubtful());
	}

	/**
	 * The shifts of the newest frames, which do not change any more when later frames come.
	 *
	 * @param known the shifts of the frames before
	 */
	List<FrameShift> next(final List<FrameShift> known) {
		return evaluation().next(known);
	}

	/** Forgets the measurements of frames that no later frame is measured against. For streams, whose shifts are taken with {@link #next}. */
	void forgetMeasurements() {
		pairs.forget(pairs.count() - 64);
	}

	@Override
	public void close() {
		execution.close();
	}
}
