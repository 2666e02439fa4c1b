package sc.fiji.ncc.register;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import net.imglib2.RandomAccessibleInterval;

import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.shift.ShiftExecution.Frame;
import sc.fiji.ncc.plan.support.Parallel;
import sc.fiji.ncc.result.Drift;
import sc.fiji.ncc.run.Parts;

/**
 * The measurement of a drift in parts. One process plans which pairs of frames are measured ({@link PlannedDrift}), and computes the drift from their shifts
 * ({@link #drift}). The others measure the pairs ({@link #pairs}), and with the reference mean compute the mean of the corrected frames
 * ({@link #mean}). Several threads may use an object at once; a call works in one thread.
 */
public final class DriftParts implements Parts {

	private final DriftMeasurement measurement;
	private final List<? extends RandomAccessibleInterval<?>> frames;
	private final long heap;
	private final Path means;
	private final Map<List<Integer>, PairMeasurement> open = new HashMap<>();

	/**
	 * @param heap the heap of a process, in bytes
	 * @param means a folder that all processes share, for means; null without the reference mean
	 */
	public DriftParts(final DriftMeasurement measurement, final List<? extends RandomAccessibleInterval<?>> frames, final long heap, final Path means) {
		this.measurement = measurement;
		this.frames = frames;
		this.heap = heap;
		this.means = means;
	}

	/**
	 * Measures the drift.
	 *
	 * @param tasks what other processes compute by {@link #pairs} and {@link #mean}
	 */
	public Drift drift(final PlannedDrift.Tasks tasks) {
		return new PlannedDrift(measurement, frames, heap, tasks).drift();
	}

	/** The number of frames. */
	@Override
	public long count() {
		return frames.size();
	}

	@Override
	public Monitor monitor() {
		return measurement.monitor();
	}

	@Override
	public String algorithms() {
		return "frame correlation";
	}

	@Override
	public void close() {
		// it has no threads, and its memory is that of its frames
	}

	/** Measures pairs. Neighbours in the list share frames. */
	public List<PairTaskResult> pairs(final List<PairTask> tasks) throws IOException {
		final List<PairTaskResult> measured = new ArrayList<>();
		for (int i = 0, end; i < tasks.size(); i = end) {
			final PairTask first = tasks.get(i);
			for (end = i + 1; end < tasks.size() && tasks.get(end).sequence() == first.sequence() && tasks.get(end).round() == first.round();) end++;
			measured.addAll(pairs(first.sequence(), first.round()).measured(tasks.subList(i, end)));
		}
		return measured;
	}

	private synchronized PairMeasurement pairs(final int sequence, final int round) throws IOException {
		final List<Integer> key = List.of(sequence, round);
		// a round needs all measurements of the round before
		open.keySet().removeIf(k -> k.get(1) < round);
		if (!open.containsKey(key)) {
			final ImageSequence s = measurement.sequences(frames.get(0)).get(sequence);
			final RandomAccessibleInterval<?> chosen = measurement.reference(frames);
			final Frame given = round > 0 ? measurement.frame(mean(file(round))) : chosen == null ? null : s.frame(s.image().apply(chosen));
			open.put(key, new PairMeasurement(s, new Images(s, frames), given, round > 0));
		}
		return open.get(key);
	}

	/** The images of a sequence. */
	private static final class Images extends AbstractList<RandomAccessibleInterval<?>> {

		private final ImageSequence sequence;
		private final List<? extends RandomAccessibleInterval<?>> frames;

		Images(final ImageSequence sequence, final List<? extends RandomAccessibleInterval<?>> frames) {
			this.sequence = sequence;
			this.frames = frames;
		}

		@Override
		public RandomAccessibleInterval<?> get(final int index) {
			return sequence.image().apply(frames.get(index));
		}

		@Override
		public int size() {
			return frames.size();
		}
	}

	private MeanFrame mean(final Path file) throws IOException {
		final MeanFrame mean = measurement.mean(frames);
		mean.add(file);
		return mean;
	}

	private Path file(final int round) {
		return means.resolve("round" + round);
	}

	private Path file(final int round, final int part) {
		return means.resolve("round" + round + "-" + part);
	}

	/** Computes a part of a mean, or the whole mean, and writes it to a file. */
	public void mean(final MeanPart part) throws IOException {
		final MeanFrame mean = measurement.mean(frames);
		if (part.shifts() == null) {
			for (int i = 0; Files.exists(file(part.round(), i)); i++) mean.add(file(part.round(), i));
			mean.write(file(part.round()));
			return;
		}
		try (Parallel one = new Parallel(1)) {
			measurement.add(mean, frames, part.shifts(), 1, one);
		}
		mean.write(file(part.round(), part.part()));
	}
}
