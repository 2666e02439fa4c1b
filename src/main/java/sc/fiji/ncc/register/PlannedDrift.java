package sc.fiji.ncc.register;

import java.util.ArrayList;
import java.util.List;

import net.imglib2.RandomAccessibleInterval;

import sc.fiji.ncc.result.Drift;
import sc.fiji.ncc.result.FrameShift;

/**
 * The measurement of a drift by several processes, in the one that plans. It reads no pixels, except the first frame if several channels are joined. The drift is
 * that of {@link DriftMeasurement#stack}: byte for byte, unless the memory of the processes suffices for fewer pairs.
 *
 * @param heap the heap of a process, in bytes, which determines how many pairs are measured
 */
public record PlannedDrift(DriftMeasurement measurement, List<? extends RandomAccessibleInterval<?>> frames, double heap, Tasks tasks) {

	/** The work of the other processes, which {@link DriftParts} does. */
	public interface Tasks {

		/** Measures pairs, in any order. */
		List<PairTaskResult> pairs(List<PairTask> tasks);

		/** Computes parts of a mean, in any order. */
		void means(List<MeanPart> parts);

		/** Fits the deformations of frames, in any order. */
		List<FitTask.Result> fits(List<FitTask> tasks);

		/** Computes parts of a mean of frames without their deformations, in any order. */
		void fitMeans(List<FitTask.Mean> parts);
	}

	/** Measures the drift. */
	public Drift drift() {
		final PiecewiseMeasurement piecewise = measurement.piecewise();
		if (piecewise == null) return measurement.drift(shifts());
		final List<FrameShift> shifts = measurement.starts(frames, (measured, some) -> new PlannedDrift(measured, some, heap, tasks).shifts());
		return piecewise.drift(new PiecewiseMeasurement.Work() {

			@Override
			public void mean(final int round, final List<FitTask> some) {
				final List<FitTask.Mean> parts = new ArrayList<>();
				for (final List<FitTask> block : MeanFrame.blocks(some)) parts.add(new FitTask.Mean(round, parts.size(), new ArrayList<>(block)));
				tasks.fitMeans(parts);
				tasks.fitMeans(List.of(new FitTask.Mean(round, 0, null)));
			}

			@Override
			public List<FitTask.Result> fits(final List<FitTask> some) {
				// frames that are not fitted
				measurement.monitor().done(frames.size() - some.size());
				return tasks.fits(some);
			}
		}, shifts);
	}

	private List<FrameShift> shifts() {
		List<FrameShift> shifts = shifts(0, measurement.reference(frames) != null);
		for (int round = 1; round <= measurement.rounds() && DriftMeasurement.isAnyGood(shifts); round++) {
			final List<MeanPart> parts = new ArrayList<>();
			for (final List<FrameShift> block : MeanFrame.blocks(shifts)) parts.add(new MeanPart(isBoxed(), round, parts.size(), new ArrayList<>(block)));
			tasks.means(parts);
			tasks.means(List.of(new MeanPart(isBoxed(), round, 0, null)));
			shifts = shifts(round, true);
		}
		return shifts;
	}

	/** Whether the frames are of boxes. */
	private boolean isBoxed() {
		return frames instanceof BoxedFrames;
	}

	private List<FrameShift> shifts(final int round, final boolean given) {
		final List<ReplayedDriftRun> runs = new ArrayList<>();
		for (final ImageSequence s : measurement.sequences(frames.get(0)))
			runs.add(new ReplayedDriftRun(s.settings(), isBoxed(), runs.size(), round, given, frames.size(), s.dimensions(),
				s.held(round > 0, frames.size(), heap)));
		while (true) {
			final List<PairTask> missing = new ArrayList<>();
			for (final ReplayedDriftRun run : runs) missing.addAll(run.missing());
			if (missing.isEmpty()) return DriftMeasurement.shiftsOf(runs.stream().map(ReplayedDriftRun::evaluation).toList());
			for (final PairTaskResult m : tasks.pairs(missing)) runs.get(m.task().sequence()).add(m);
		}
	}
}
