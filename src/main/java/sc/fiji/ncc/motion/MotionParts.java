package sc.fiji.ncc.motion;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import sc.fiji.ncc.motion.MotionRun.FramePair;
import sc.fiji.ncc.option.ComputeOptions;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.planner.Effort;
import sc.fiji.ncc.planner.Ranking;
import sc.fiji.ncc.run.Parts;

/**
 * The motion in the pairs of frames of a stack, in parts. One process joins the fields ({@link #fields}), the others measure pairs ({@link #measured}), each
 * task in one thread of a CPU. Several threads may use an object at once.
 */
public final class MotionParts implements Parts {

	/**
	 * The vectors of a pair of frames.
	 *
	 * @param pair the number of the pair
	 * @param atEnd as in {@link VectorField}
	 * @param report the counts of the computed lags
	 */
	public record Measured(int pair, List<MotionVector> vectors, double atEnd, Report report) implements Serializable {

		public Measured {
			vectors = List.copyOf(vectors);
		}
	}

	/** The work of processes, which {@link MotionParts#measured} does. */
	public interface Tasks {

		/** Measures pairs of frames, in any order. */
		List<Measured> measured(List<Integer> pairs);
	}

	private final MotionSettings settings;
	private final ComputeOptions options;
	private final List<FramePair> pairs;

	/**
	 * @param options how responses are computed; with a planner. Its monitor receives the progress in pairs
	 * @param pairs at least one
	 */
	public MotionParts(final MotionSettings settings, final ComputeOptions options, final List<FramePair> pairs) {
		this.settings = settings;
		// measured times differ from process to process
		this.options = options.backend("cpu").effort(Effort.ESTIMATE, 0).threads(1);
		this.pairs = List.copyOf(pairs);
	}

	private MotionRun run() {
		return new MotionRun(settings, options.monitor(Monitor.canceledIf(options.monitor()::canceled)),
			pairs.get(0).fixed(), pairs.size());
	}

	/** Measures some pairs of frames. */
	public List<Measured> measured(final List<Integer> some) {
		final List<Measured> measured = new ArrayList<>();
		try (MotionRun run = run()) {
			Report before = Report.NONE;
			for (final int pair : some) {
				options.monitor().requireNotCanceled();
				final VectorField field = run.measure(pairs.get(pair));
				measured.add(new Measured(pair, field.vectors(), field.atEnd(), run.report().minus(before)));
				before = run.report();
			}
		}
		return measured;
	}

	/** The fields of all pairs of frames. */
	public MotionFields fields(final Tasks tasks) {
		final long start = System.nanoTime();
		try (MotionRun run = run()) {
			final VectorField[] fields = new VectorField[pairs.size()];
			Report report = Report.NONE;
			final List<Integer> all = new ArrayList<>();
			for (int i = 0; i < fields.length; i++) all.add(i);
			for (final Measured m : tasks.measured(all)) {
				fields[m.pair] = new VectorField(run.grid(), pairs.get(m.pair).from(), pairs.get(m.pair).to(), m.vectors, m.atEnd);
				report = report.plus(m.report);
			}
			return new MotionFields(Arrays.asList(fields), report, run.rankings(), Ranking.secondsSince(start, run.rankings()));
		}
	}

	/** The number of pairs of frames. */
	@Override
	public long count() {
		return pairs.size();
	}

	@Override
	public Monitor monitor() {
		return options.monitor();
	}

	@Override
	public String algorithms() {
		try (MotionRun run = run()) {
			return Ranking.methods(run.rankings());
		}
	}

	@Override
	public void close() {
		// its memory is that of the frames in use
	}
}
