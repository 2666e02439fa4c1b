package sc.fiji.ncc;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

import net.imglib2.RandomAccessibleInterval;

import sc.fiji.ncc.parts.Parts;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.register.DriftMeasurement;
import sc.fiji.ncc.register.DriftWorker;
import sc.fiji.ncc.register.MeanPart;
import sc.fiji.ncc.register.PairTask;
import sc.fiji.ncc.register.PairTaskResult;
import sc.fiji.ncc.register.PlannedDrift;
import sc.fiji.ncc.result.Drift;

/**
 * The measurement of a drift in parts. One process plans which pairs of frames are measured, and computes the drift from their shifts ({@link #drift}). The others
 * measure the pairs ({@link #pairs}), and with the reference mean compute the mean of the corrected frames ({@link #mean}). The drift is that of
 * {@link DriftCorrection#measure(RandomAccessibleInterval)}.
 */
public final class DriftParts implements Parts {

	private final DriftMeasurement measurement;
	private final List<? extends RandomAccessibleInterval<?>> frames;
	private final long heap;
	private final Monitor monitor;
	private final DriftWorker worker;

	/**
	 * @param heap the heap of a process, in bytes
	 * @param means a folder that all processes share, for means; null without the reference mean
	 */
	DriftParts(final DriftMeasurement measurement, final List<? extends RandomAccessibleInterval<?>> frames, final long heap, final Path means, final Monitor monitor) {
		this.measurement = measurement;
		this.frames = frames;
		this.heap = heap;
		this.monitor = monitor;
		worker = new DriftWorker(measurement, frames, means);
	}

	/**
	 * Measures the drift.
	 *
	 * @param tasks what other processes compute by {@link #pairs} and {@link #mean}
	 */
	public Drift drift(final PlannedDrift.Tasks tasks) {
		return new PlannedDrift(measurement, frames, heap, tasks).drift();
	}

	/** Measures pairs, in one thread. Several threads may call it at once. Neighbours in the list share frames. */
	public List<PairTaskResult> pairs(final List<PairTask> tasks) throws IOException {
		return worker.pairs(tasks);
	}

	/** Computes a part of a mean, in one thread. Several threads may call it at once. */
	public void mean(final MeanPart part) throws IOException {
		worker.mean(part);
	}

	/** The number of frames. */
	@Override
	public long count() {
		return frames.size();
	}

	@Override
	public Monitor monitor() {
		return monitor;
	}

	@Override
	public String algorithms() {
		return "frame correlation";
	}

	@Override
	public void close() {
		// it has no threads, and its memory is that of its frames
	}
}
