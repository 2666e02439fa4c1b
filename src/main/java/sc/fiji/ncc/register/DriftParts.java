package sc.fiji.ncc.register;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentLinkedQueue;

import net.imglib2.RandomAccessibleInterval;

import sc.fiji.ncc.motion.DeformationFit;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.shift.ShiftExecution.Frame;
import sc.fiji.ncc.plan.support.Parallel;
import sc.fiji.ncc.result.Drift;
import sc.fiji.ncc.result.Frames;
import sc.fiji.ncc.run.Parts;

/**
 * The measurement of a drift in parts. One process plans which pairs of frames are measured ({@link PlannedDrift}), and computes the drift from their shifts
 * ({@link #drift}). The others measure the pairs ({@link #pairs}), and with the reference mean compute the mean of the corrected frames
 * ({@link #mean}). Several threads may use an object at once; a call works in one thread.
 */
public final class DriftParts implements Parts {

	private final DriftMeasurement measurement;
	private final List<? extends RandomAccessibleInterval<?>> frames;
	/** Frames of boxes whose shifts are measured first, if deformations follow; else null. */
	private final BoxedFrames boxed;
	private final long heap;
	private final Path means;
	/** Fits that no thread uses, and what frames are compared with in a round. */
	private final Queue<DeformationFit> idle = new ConcurrentLinkedQueue<>();
	private final Map<Integer, DeformationFit.Reference> references = new HashMap<>();
	private final Map<Round, PairMeasurement> open = new HashMap<>();

	/** A round of the measurement of shifts, in one sequence. */
	private record Round(boolean boxed, int sequence, int number) {}

	/**
	 * @param heap the heap of a process, in bytes
	 * @param means a folder that all processes share, for means; null if {@link #mean} and {@link #fitMean} are not called
	 */
	public DriftParts(final DriftMeasurement measurement, final List<? extends RandomAccessibleInterval<?>> frames, final long heap, final Path means) {
		this.measurement = measurement;
		this.frames = frames;
		this.heap = heap;
		this.means = means;
		boxed = measurement.boxed(frames);
	}

	/**
	 * Measures the drift.
	 *
	 * @param tasks what other processes compute by {@link #pairs}, {@link #mean}, {@link #fits} and {@link #fitMean}
	 */
	public Drift drift(final PlannedDrift.Tasks tasks) {
		return new PlannedDrift(measurement, frames, heap, tasks).drift();
	}

	/** The number of frames. */
	@Override
	public long count() {
		return frames.size();
	}

	/** The number of frames that are read to measure shifts and deformations, without those of means. */
	public long steps() {
		return count() + measurement.fits(frames.size());
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
		if (boxed != null) boxed.close();
		idle.forEach(DeformationFit::close);
	}

	/** What the shifts of frames are measured by. */
	private DriftMeasurement shifts(final boolean ofBoxes) {
		return ofBoxes ? boxed.measurement() : measurement;
	}

	private List<? extends RandomAccessibleInterval<?>> shifted(final boolean ofBoxes) {
		return ofBoxes ? boxed : frames;
	}

	/** Measures pairs. Neighbours in the list share frames. */
	public List<PairTaskResult> pairs(final List<PairTask> tasks) throws IOException {
		final List<PairTaskResult> measured = new ArrayList<>();
		for (int i = 0, end; i < tasks.size(); i = end) {
			final Round round = round(tasks.get(i));
			for (end = i + 1; end < tasks.size() && round(tasks.get(end)).equals(round);) end++;
			measured.addAll(pairs(round).measured(tasks.subList(i, end)));
		}
		return measured;
	}

	private static Round round(final PairTask task) {
		return new Round(task.boxed(), task.sequence(), task.round());
	}

	private synchronized PairMeasurement pairs(final Round round) throws IOException {
		// a round needs all measurements of the round before
		open.keySet().removeIf(r -> r.boxed != round.boxed || r.number < round.number);
		if (!open.containsKey(round)) {
			final DriftMeasurement by = shifts(round.boxed);
			final List<? extends RandomAccessibleInterval<?>> some = shifted(round.boxed);
			final ImageSequence s = by.sequences(some.get(0)).get(round.sequence);
			final boolean ofMean = round.number > 0;
			final RandomAccessibleInterval<?> chosen = by.reference(some);
			Frame given = chosen == null ? null : s.frame(s.image().apply(chosen));
			if (ofMean) {
				final MeanFrame mean = by.mean(some);
				mean.add(file(round.boxed, round.number));
				given = by.frame(mean);
			}
			open.put(round, new PairMeasurement(s, Frames.of(frames.size(), i -> s.image().apply(some.get(i))), given, ofMean));
		}
		return open.get(round);
	}

	private Path shared() {
		if (means == null) throw new IllegalStateException("means of frames need a folder that all processes share: give one to parts(…)");
		return means;
	}

	private Path file(final boolean ofBoxes, final int round) {
		return shared().resolve((ofBoxes ? "boxes" : "round") + round);
	}

	private static Path file(final Path whole, final int part) {
		return whole.resolveSibling(whole.getFileName() + "-" + part);
	}

	/** Computes a part of a mean, or the whole mean, and writes it to a file. */
	public void mean(final MeanPart part) throws IOException {
		final DriftMeasurement by = shifts(part.boxed());
		final List<? extends RandomAccessibleInterval<?>> some = shifted(part.boxed());
		final Path whole = file(part.boxed(), part.round());
		final MeanFrame mean = by.mean(some);
		if (part.shifts() == null) {
			for (int i = 0; Files.exists(file(whole, i)); i++) mean.add(file(whole, i));
			mean.write(whole);
			return;
		}
		try (Parallel one = new Parallel(1)) {
			by.add(mean, some, part.shifts(), 1, one);
		}
		mean.write(file(whole, part.part()));
	}

	private interface Fitting<T> {

		T by(DeformationFit fit) throws IOException;
	}

	/** Does work with a fit, which is not used again after a failure. */
	private <T> T with(final Fitting<T> work) throws IOException {
		final DeformationFit unused = idle.poll(), fit = unused == null ? measurement.piecewise().fitOfOneThread(frames.size()) : unused;
		try {
			final T result = work.by(fit);
			idle.add(fit);
			return result;
		}
		catch (final IOException | RuntimeException | Error e) {
			try (fit) {
				throw e;
			}
		}
	}

	/** Fits the deformations of frames. */
	public List<FitTask.Result> fits(final List<FitTask> tasks) throws IOException {
		return with(fit -> {
			final List<FitTask.Result> results = new ArrayList<>();
			for (final FitTask task : tasks) {
				if (monitor().canceled()) throw new CancellationException("canceled");
				results.add(measurement.piecewise().result(fit, reference(fit, task), frames, task));
			}
			return results;
		});
	}

	private synchronized DeformationFit.Reference reference(final DeformationFit fit, final FitTask task) throws IOException {
		// a round needs all fits of the round before
		references.keySet().removeIf(round -> round < task.round());
		if (!references.containsKey(task.round())) references.put(task.round(), task.round() == 0
			? measurement.piecewise().reference(fit, frames, task.reference()) : measurement.piecewise().reference(fit, fitMean(fit, fitFile(task.round()))));
		return references.get(task.round());
	}

	private static MeanFrame fitMean(final DeformationFit fit, final Path... files) throws IOException {
		final MeanFrame mean = new MeanFrame(fit.extents());
		for (final Path file : files) mean.add(file);
		return mean;
	}

	private Path fitFile(final int round) {
		return shared().resolve("fit" + round);
	}

	private Path fitFile(final int round, final int part) {
		return shared().resolve("fit" + round + "-" + part);
	}

	/** Computes a part of a mean of frames without their deformations, or the whole mean, and writes it to a file. */
	public void fitMean(final FitTask.Mean part) throws IOException {
		with(fit -> {
			if (part.frames() == null) {
				final List<Path> parts = new ArrayList<>();
				while (Files.exists(fitFile(part.round(), parts.size()))) parts.add(fitFile(part.round(), parts.size()));
				fitMean(fit, parts.toArray(Path[]::new)).write(fitFile(part.round()));
			}
			else try (Parallel one = new Parallel(1)) {
				final MeanFrame mean = new MeanFrame(fit.extents());
				measurement.piecewise().add(mean, List.of(fit), frames, part.frames(), one);
				mean.write(fitFile(part.round(), part.part()));
			}
			return null;
		});
	}
}
