package sc.fiji.ncc.planner;

import java.nio.Buffer;
import java.nio.FloatBuffer;
import java.nio.ShortBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.BooleanSupplier;

import sc.fiji.ncc.plan.BoxPeaks;
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

/** Times a plan on random data of its problem's shape: the minimum of several repeats, within a time limit. */
final class Measurement {

	/** Repeats stop after this many runs and seconds without an improvement by this factor. Code is compiled during the first runs. */
	private static final int RUNS_WITHOUT_GAIN = 4;
	private static final double SECONDS_WITHOUT_GAIN = 0.2, GAIN = 0.97;

	/** A typical minimum score of template matching. */
	private static final float MIN_SCORE = 0.5f;

	private final Problem problem;
	private final LagBox lags;
	private final Pixels pixels;
	private final double share;
	private final int frames;

	/** @param maxLags a larger problem is measured on a part of its lags */
	Measurement(final Problem problem, final long maxLags) {
		this.problem = problem;
		final long[] count = problem.lags().count().toArray();
		// a compact part: a flat one would waste most of a tile
		while (Size.of(count).pixels() > maxLags) {
			int longest = 0;
			for (int d = 1; d < count.length; d++)
				if (count[d] > count[longest]) longest = d;
			count[longest] = (count[longest] + 1) / 2;
		}
		share = (double) Size.of(count).pixels() / problem.lags().count().pixels();
		final long[][] origins = new long[problem.templates().size()][count.length];
		if (problem.lags().beyond())
			for (final long[] o : origins)
				for (int d = 0; d < o.length; d++) o[d] = -problem.templates().get(0).get(d) / 2;
		lags = new LagBox(origins, Size.of(count).toIntArray());
		pixels = new RandomPixels(problem.image(), problem.size(), problem.channels(), 1, problem.lags().masked());
		// two frames show how copies overlap computing; small frames need more to be measurable
		frames = (int) Math.min(problem.frames(), Math.max(2, Math.min(8, maxLags / lags.lags())));
	}

	/**
	 * @param limit seconds after which measuring stops. They begin after the plan is prepared, because opening a device and compiling kernels happens
	 *          once and is no part of a run
	 * @param monitor polled for cancellation; receives no progress
	 * @return seconds for the whole problem; empty if not even one run ended in time
	 * @throws CancellationException if the monitor cancels
	 * @throws RuntimeException whatever the plan throws
	 */
	OptionalDouble run(final Plan plan, final double limit, final Monitor monitor) {
		double best = Double.POSITIVE_INFINITY, withoutGain = 0;
		try (Execution execution = prepare(plan)) {
			final long end = System.nanoTime() + (long) (limit * 1e9);
			final Monitor deadline = cancelWhen(() -> System.nanoTime() > end || monitor.canceled());
			for (int runs = 0; (runs < RUNS_WITHOUT_GAIN || withoutGain < SECONDS_WITHOUT_GAIN) && !(best < limit && deadline.canceled());) {
				final double seconds = once(execution, deadline);
				final boolean better = seconds < GAIN * best;
				runs = better ? 0 : runs + 1;
				withoutGain = better ? 0 : withoutGain + seconds;
				best = Math.min(best, seconds);
			}
		}
		catch (final CancellationException e) {
			// times measured before the limit count
		}
		requireNotCanceled(monitor);
		return best == Double.POSITIVE_INFINITY ? OptionalDouble.empty() : OptionalDouble.of(best / share * problem.frames() / frames);
	}

	/**
	 * Runs several plans by turns until several rounds improve none of them. Turns spread slow spells of the machine over all plans.
	 *
	 * @param seconds the shortest time of each plan so far, for the whole problem; updated in place
	 * @param limit the maximum time in seconds
	 * @param monitor polled for cancellation; receives no progress
	 * @throws CancellationException if the monitor cancels
	 * @throws RuntimeException whatever a plan throws
	 */
	void byTurns(final List<Plan> plans, final double[] seconds, final double limit, final Monitor monitor) {
		final double problemFactor = problem.frames() / (share * frames), round = Arrays.stream(seconds).sum() / problemFactor;
		if (2 * round > limit) return;
		final long end = System.nanoTime() + (long) ((limit - round) * 1e9);
		final List<Execution> executions = new ArrayList<>();
		final Monitor stop = cancelWhen(monitor::canceled);
		try {
			for (final Plan p : plans) {
				executions.add(prepare(p));
				// the first run allocates
				once(executions.get(executions.size() - 1), stop);
			}
			double withoutGain = 0;
			for (int rounds = 0; (rounds < RUNS_WITHOUT_GAIN || withoutGain < SECONDS_WITHOUT_GAIN) && System.nanoTime() < end; rounds++)
				for (int i = 0; i < seconds.length; i++) {
					requireNotCanceled(monitor);
					final double elapsed = once(executions.get(i), stop);
					withoutGain += elapsed;
					if (elapsed * problemFactor < GAIN * seconds[i]) {
						withoutGain = 0;
						rounds = 0;
					}
					seconds[i] = Math.min(seconds[i], elapsed * problemFactor);
				}
		}
		finally {
			executions.forEach(Execution::close);
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
			return plan.prepare(templates());
		}
		catch (final OutOfMemoryError e) {
			throw DeviceException.outOfHeap(e);
		}
	}

	/** Runs a plan once. Returns the time in seconds. */
	double once(final Execution execution, final Monitor monitor) {
		final long start = System.nanoTime();
		try {
			submitAll(execution, monitor);
		}
		catch (final OutOfMemoryError e) {
			throw DeviceException.outOfHeap(e);
		}
		return 1e-9 * (System.nanoTime() - start);
	}

	private List<Template> templates() {
		final List<Template> templates = new ArrayList<>();
		for (final Size t : problem.templates())
			templates.add(problem.terms() > 0 ? RandomPixels.separable(t, problem.template(), problem.terms(), templates.size())
				: RandomPixels.template(t, problem.template(), problem.weights(), problem.channels(), templates.size()));
		return templates;
	}

	private void submitAll(final Execution execution, final Monitor deadline) {
		final Deque<CompletableFuture<Report>> inFlight = new ArrayDeque<>();
		RuntimeException failure = null;
		for (int f = 0; f < frames || !inFlight.isEmpty();) {
			if (f < frames && failure == null && inFlight.size() < execution.depth()) {
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
