package sc.fiji.ncc.planner;

import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.CancellationException;
import java.util.function.LongSupplier;

import sc.fiji.ncc.plan.Algorithm;
import sc.fiji.ncc.plan.Cost;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.Plan;
import sc.fiji.ncc.plan.Problem;

/**
 * Times algorithms on test data of a problem's shape: the minimum of several repeats, within a time limit. A large problem is replaced by a smaller
 * one. Its times are multiplied by the ratio of the costs that the algorithm's plans state for both
 * problems. The number of lags is no such ratio: one transform of a whole image takes the same time for any number of lags. A run prepares, computes
 * and closes, as a call does. The times of preparation and of frames have ratios of their own, because frames share the preparation.
 *
 * @param clock nanoseconds
 */
record Measurement(Problem whole, Workload<?, ?, ?> work, LongSupplier clock) {

	/** Repeats stop after this many runs and seconds without an improvement by this factor. Code is compiled during the first runs. */
	private static final int RUNS_WITHOUT_GAIN = 4;
	private static final double SECONDS_WITHOUT_GAIN = 0.2, GAIN = 0.97;
	/**
	 * The code of a candidate that takes more than this multiple of its predicted time may not be compiled yet: code that is compiled to a part takes about twice
	 * the time. Then turns go on for so many seconds without a gain.
	 */
	private static final double COLD_RATIO = 1.25;
	static final double COLD_SECONDS_WITHOUT_GAIN = 2;

	/**
	 * @param most a larger problem is replaced by a smaller one, see {@link Kind#workload}
	 * @param clock nanoseconds
	 */
	Measurement(final Problem problem, final long most, final LongSupplier clock) {
		this(problem, Kind.workload(problem, most), clock);
	}

	/** Whether the code of a candidate may not be compiled yet, by its measured and its predicted time. */
	static boolean mayBeCold(final double measured, final double predicted) {
		return measured > COLD_RATIO * predicted;
	}

	/** Whether the problem itself is measured. */
	boolean isWhole() {
		return work.measured.equals(whole);
	}

	/** An algorithm on a device, and its shortest times. */
	final class Contender {

		private final Plan plan;
		private final double onceFactor, framesFactor, predicted;
		/** The times of the measured problem in seconds. */
		private double once = Double.POSITIVE_INFINITY, frames = Double.POSITIVE_INFINITY;

		/** @param ofProblem the plan for the problem */
		Contender(final Algorithm<?> algorithm, final Device device, final Plan ofProblem) {
			final boolean smaller = !isWhole() && algorithm.refuses(work.measured, device).isEmpty();
			plan = smaller ? algorithm.planAny(work.measured, device) : ofProblem;
			final Cost ofWhole = ofProblem.cost(), ofMeasured = plan.cost();
			predicted = ofWhole.seconds();
			onceFactor = ofMeasured.onceSeconds() > 0 ? ofWhole.onceSeconds() / ofMeasured.onceSeconds() : 1;
			framesFactor = ofMeasured.frameSeconds() > 0 && smaller ? ofWhole.frameSeconds() / ofMeasured.frameSeconds()
				: work.ratio();
		}

		/** The predicted time of one run, in seconds. */
		double runSeconds(final double ofProblem) {
			return ofProblem * plan.cost().seconds() / Math.max(Double.MIN_NORMAL,
				plan.cost().onceSeconds() * onceFactor + plan.cost().frameSeconds() * framesFactor);
		}

		/** The time of the problem in seconds; infinite if no run has ended. */
		double seconds() {
			return once * onceFactor + frames * framesFactor;
		}

		private boolean mayBeCold() {
			return Measurement.mayBeCold(seconds(), predicted);
		}

		/** Prepares, runs and closes. @return the time in seconds */
		private double call(final Monitor monitor) {
			final Workload.Times times = work.time(plan, clock, monitor);
			once = Math.min(once, times.preparing());
			frames = Math.min(frames, times.running());
			return times.all();
		}
	}

	/**
	 * @param limit seconds after which measuring stops. They begin after the plan is prepared for the first time, because opening a device
	 *        and compiling kernels happens once and is no part of a run
	 * @param monitor polled for cancellation; receives no progress
	 * @return seconds for the whole problem; empty if not even one run ended in time
	 * @throws CancellationException if the monitor cancels
	 * @throws RuntimeException whatever the plan throws
	 */
	OptionalDouble run(final Contender contender, final double limit, final Monitor monitor) {
		double best = Double.POSITIVE_INFINITY, withoutGain = 0;
		try {
			work.open(contender.plan);
			final long end = clock.getAsLong() + (long) (limit * 1e9);
			final Monitor deadline = Monitor.canceledIf(() -> clock.getAsLong() > end || monitor.canceled());
			for (int runs = 0; (runs < RUNS_WITHOUT_GAIN || withoutGain < SECONDS_WITHOUT_GAIN)
				&& !(best < Double.POSITIVE_INFINITY && deadline.canceled());) {
				final double elapsed = contender.call(deadline);
				final boolean better = contender.seconds() < GAIN * best;
				runs = better ? 0 : runs + 1;
				withoutGain = better ? 0 : withoutGain + elapsed;
				best = Math.min(best, contender.seconds());
			}
		}
		catch (final CancellationException e) {
			// times measured before the limit count
		}
		monitor.requireNotCanceled();
		return best == Double.POSITIVE_INFINITY ? OptionalDouble.empty() : OptionalDouble.of(best);
	}

	/**
	 * Runs several plans by turns until several rounds improve none of them: more rounds if one takes far longer than predicted. Turns spread
	 * slow spells of the machine over all plans.
	 *
	 * @param limit the maximum time in seconds
	 * @param monitor polled for cancellation; receives no progress
	 * @throws CancellationException if the monitor cancels
	 * @throws RuntimeException whatever a plan throws
	 */
	void byTurns(final List<Contender> contenders, final double limit, final Monitor monitor) {
		final long end = clock.getAsLong() + (long) (limit * 1e9);
		final Monitor stop = Monitor.canceledIf(monitor::canceled);
		double withoutGain = 0, round = 0;
		for (int rounds = 0; (rounds < RUNS_WITHOUT_GAIN
			|| withoutGain < (contenders.stream().anyMatch(Contender::mayBeCold) ? COLD_SECONDS_WITHOUT_GAIN : SECONDS_WITHOUT_GAIN))
			&& clock.getAsLong() + 1e9 * round < end; rounds++)
		{
			round = 0;
			for (final Contender c : contenders) {
				monitor.requireNotCanceled();
				final double before = c.seconds(), elapsed = c.call(stop);
				round += elapsed;
				withoutGain += elapsed;
				if (c.seconds() < GAIN * before) {
					withoutGain = 0;
					rounds = 0;
				}
			}
		}
	}
}
