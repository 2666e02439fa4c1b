package sc.fiji.ncc.planner;

import java.nio.Buffer;
import java.nio.FloatBuffer;
import java.nio.ShortBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

import sc.fiji.ncc.plan.Algorithm;
import sc.fiji.ncc.plan.BoxPeaks;
import sc.fiji.ncc.plan.Cost;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.DeviceException;
import sc.fiji.ncc.plan.Execution;
import sc.fiji.ncc.plan.LagBox;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.Pixels;
import sc.fiji.ncc.plan.Plan;
import sc.fiji.ncc.plan.Problem;
import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.plan.Sink;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Template;

/**
 * Times algorithms on random data of a problem's shape: the minimum of several repeats, within a time limit. A large problem is replaced by a smaller
 * one: fewer lags of a smaller image, and fewer frames. Its times are multiplied by the ratio of the costs that the algorithm's plans state for both
 * problems. The number of lags is no such ratio: one transform of a whole image takes the same time for any number of lags. A run prepares, computes
 * and closes, as a call does. The times of preparation and of frames have ratios of their own, because frames share the preparation.
 */
final class Measurement {

	/** Repeats stop after this many runs and seconds without an improvement by this factor. Code is compiled during the first runs. */
	private static final int RUNS_WITHOUT_GAIN = 4;
	private static final double SECONDS_WITHOUT_GAIN = 0.2, GAIN = 0.97;
	/** Two frames show how copies overlap computing. Small frames need more to be measurable: up to this number, while they have no more lags than that. */
	private static final int FEW_FRAMES = 2, MANY_FRAMES = 8;
	private static final long LAGS_OF_FRAMES = 1L << 22;

	/** A typical minimum score of template matching. */
	private static final float MIN_SCORE = 0.5f;

	private final Problem whole, measured;
	private final LongSupplier clock;
	private final LagBox lags;
	private final Pixels pixels;
	private final List<Template> templates = new ArrayList<>();

	/**
	 * @param maxLags a larger problem is replaced by a smaller one with at most this many lags
	 * @param clock nanoseconds
	 */
	Measurement(final Problem problem, final long maxLags, final LongSupplier clock) {
		whole = problem;
		this.clock = clock;
		final Size count = atMost(maxLags, problem.lags().count());
		measured = problem.part(count, Math.min(problem.frames(), Math.max(FEW_FRAMES, Math.min(MANY_FRAMES, Math.min(maxLags, LAGS_OF_FRAMES) / count.pixels()))));
		final long[][] origins = new long[problem.templates().size()][count.dimensions()];
		if (problem.lags().beyond())
			for (final long[] o : origins)
				for (int d = 0; d < o.length; d++) o[d] = -problem.templates().get(0).get(d) / 2;
		lags = new LagBox(origins, count.toIntArray());
		pixels = new RandomPixels(measured.image(), measured.size(), measured.channels(), 1, measured.lags().masked());
		for (final Size t : problem.templates())
			templates.add(problem.terms() > 0 ? RandomPixels.separable(t, problem.template(), problem.terms(), templates.size())
				: RandomPixels.template(t, problem.template(), problem.weights(), problem.channels(), templates.size()));
	}

	/** A compact part of the lags: a flat one would waste most of a tile. */
	private static Size atMost(final long maxLags, final Size lags) {
		final long[] count = lags.toArray();
		while (Size.of(count).pixels() > maxLags) {
			int longest = 0;
			for (int d = 1; d < count.length; d++)
				if (count[d] > count[longest]) longest = d;
			count[longest] = (count[longest] + 1) / 2;
		}
		return Size.of(count);
	}

	/** Whether the problem itself is measured. */
	boolean isWhole() {
		return measured.equals(whole);
	}

	/** An algorithm on a device, and its shortest times. */
	final class Contender {

		private final Plan plan;
		private final double onceFactor, framesFactor;
		/** The times of the measured problem in seconds. */
		private double once = Double.POSITIVE_INFINITY, frames = Double.POSITIVE_INFINITY;

		/** @param ofProblem the plan for the problem */
		Contender(final Algorithm algorithm, final Device device, final Plan ofProblem) {
			final boolean smaller = !isWhole() && algorithm.unsupported(measured, device).isEmpty();
			plan = smaller ? algorithm.plan(measured, device) : ofProblem;
			final Cost ofWhole = ofProblem.cost(), ofMeasured = plan.cost();
			onceFactor = ofMeasured.onceSeconds() > 0 ? ofWhole.onceSeconds() / ofMeasured.onceSeconds() : 1;
			framesFactor = ofMeasured.frameSeconds() > 0 && smaller ? ofWhole.frameSeconds() / ofMeasured.frameSeconds()
				: (double) whole.responses() / measured.responses();
		}

		/** The predicted time of one run, in seconds. */
		double runSeconds(final double ofProblem) {
			return ofProblem * plan.cost().seconds() / Math.max(Double.MIN_NORMAL, plan.cost().onceSeconds() * onceFactor + plan.cost().frameSeconds() * framesFactor);
		}

		/** The time of the problem in seconds; infinite if no run has ended. */
		double seconds() {
			return once * onceFactor + frames * framesFactor;
		}

		/** Prepares, runs and closes. @return the time in seconds */
		private double call(final Monitor monitor) {
			final long start = clock.getAsLong();
			try (Execution execution = prepare(plan)) {
				final double preparing = 1e-9 * (clock.getAsLong() - start), running = once(execution, monitor);
				once = Math.min(once, preparing);
				frames = Math.min(frames, running);
			}
			return 1e-9 * (clock.getAsLong() - start);
		}
	}

	/**
	 * @param limit seconds after which measuring stops. They begin after the plan is prepared for the first time, because opening a device and compiling
	 * kernels happens
	 *          once and is no part of a run
	 * @param monitor polled for cancellation; receives no progress
	 * @return seconds for the whole problem; empty if not even one run ended in time
	 * @throws CancellationException if the monitor cancels
	 * @throws RuntimeException whatever the plan throws
	 */
	OptionalDouble run(final Contender contender, final double limit, final Monitor monitor) {
		double best = Double.POSITIVE_INFINITY, withoutGain = 0;
		try {
			prepare(contender.plan).close();
			final long end = clock.getAsLong() + (long) (limit * 1e9);
			final Monitor deadline = cancelWhen(() -> clock.getAsLong() > end || monitor.canceled());
			for (int runs = 0; (runs < RUNS_WITHOUT_GAIN || withoutGain < SECONDS_WITHOUT_GAIN) && !(best < Double.POSITIVE_INFINITY && deadline.canceled());) {
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
		requireNotCanceled(monitor);
		return best == Double.POSITIVE_INFINITY ? OptionalDouble.empty() : OptionalDouble.of(best);
	}

	/**
	 * Runs several plans by turns until several rounds improve none of them. Turns spread slow spells of the machine over all plans.
	 *
	 * @param limit the maximum time in seconds
	 * @param monitor polled for cancellation; receives no progress
	 * @throws CancellationException if the monitor cancels
	 * @throws RuntimeException whatever a plan throws
	 */
	void byTurns(final List<Contender> contenders, final double limit, final Monitor monitor) {
		final long end = clock.getAsLong() + (long) (limit * 1e9);
		final Monitor stop = cancelWhen(monitor::canceled);
		double withoutGain = 0, round = 0;
		for (int rounds = 0; (rounds < RUNS_WITHOUT_GAIN || withoutGain < SECONDS_WITHOUT_GAIN) && clock.getAsLong() + 1e9 * round < end; rounds++) {
			round = 0;
			for (final Contender c : contenders) {
				requireNotCanceled(monitor);
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

	/** A monitor that passes on cancellation but no progress: a measurement computes no responses for the user. */
	private static Monitor cancelWhen(final BooleanSupplier stop) {
		return new Monitor() {

			@Override
			public boolean canceled() {
				return stop.getAsBoolean();
			}
		};
	}

	private static void requireNotCanceled(final Monitor monitor) {
		if (monitor.canceled()) throw new CancellationException("canceled");
	}

	Execution prepare(final Plan plan) {
		try {
			return plan.prepare(templates);
		}
		catch (final OutOfMemoryError e) {
			throw DeviceException.outOfHeap(e);
		}
	}

	/** Runs a plan once. Returns the time in seconds. */
	double once(final Execution execution, final Monitor monitor) {
		final long start = clock.getAsLong();
		try {
			submitAll(execution, monitor);
		}
		catch (final OutOfMemoryError e) {
			throw DeviceException.outOfHeap(e);
		}
		return 1e-9 * (clock.getAsLong() - start);
	}

	private void submitAll(final Execution execution, final Monitor deadline) {
		final Deque<CompletableFuture<Report>> inFlight = new ArrayDeque<>();
		RuntimeException failure = null;
		for (long f = 0; f < measured.frames() || !inFlight.isEmpty();) {
			if (f < measured.frames() && failure == null && inFlight.size() < execution.depth()) {
				inFlight.add(execution.submit(pixels, lags, DISCARD, deadline));
				f++;
				continue;
			}
			if (inFlight.isEmpty()) break;
			try {
				execution.await(inFlight.poll());
			}
			catch (final CompletionException e) {
				failure = DeviceException.reason(e);
			}
			catch (final CancellationException e) {
				failure = e;
			}
		}
		if (failure != null) throw failure;
	}

	private static final Sink DISCARD = new Sink() {

		@Override
		public float undefined() {
			return 0;
		}

		@Override
		public void map(final int template, final long[] min, final int[] size, final Buffer from) {}

		@Override
		public void peaks(final int template, final BoxPeaks found) {}

		/** Matching keeps few peaks, so a measurement does the same. */
		@Override
		public float minScore() {
			return MIN_SCORE;
		}

		@Override
		public void best(final long[] min, final int[] size, final FloatBuffer greatest, final ShortBuffer which) {}
	};
}
