package sc.fiji.ncc.plan;

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

/** Runs a plan on random data of its problem's shape: the minimum of several repeats, under a time limit. */
final class Measurement {

	/** It repeats until so many runs and so many seconds have not bettered the least time by a share: code is compiled while it runs. */
	private static final int FRUITLESS_RUNS = 4;
	private static final double FRUITLESS_SECONDS = 0.2, BETTER = 0.97;

	/** What matching asks for, usually. */
	private static final float LEAST_PEAK = 0.5f;

	private final Problem problem;
	private final LagBox lags;
	private final Pixels pixels;
	private final double share;
	private final int frames;

	/** @param mostLags larger problems are measured on a part of their lags */
	Measurement(final Problem problem, final long mostLags) {
		this.problem = problem;
		final long[] count = problem.lags().count().toArray();
		// as compact as can be: a flat part would waste most of a tile
		while (Size.of(count).pixels() > mostLags) {
			int longest = 0;
			for (int d = 1; d < count.length; d++)
				if (count[d] > count[longest]) longest = d;
			count[longest] = (count[longest] + 1) / 2;
		}
		share = (double) Size.of(count).pixels() / problem.lags().count().pixels();
		final long[][] origins = new long[problem.templates().size()][count.length];
		if (problem.lags().partial())
			for (final long[] o : origins)
				for (int d = 0; d < o.length; d++) o[d] = -problem.templates().get(0).get(d) / 2;
		lags = new LagBox(origins, Size.of(count).toIntArray());
		pixels = new RandomPixels(problem.image(), problem.size(), 1);
		// two show how copies hide behind work; more only where they are small
		frames = (int) Math.min(problem.frames(), Math.max(2, Math.min(8, mostLags / lags.lags())));
	}

	/**
	 * @param limit seconds after which it gives up. They begin when the plan is prepared: that a device starts and kernels are compiled, once, says
	 *          nothing about what its runs take
	 * @param monitor only asked whether to stop
	 * @return seconds for the whole problem; empty if not even one run ended in time
	 * @throws CancellationException if the monitor canceled
	 * @throws RuntimeException whatever the plan throws
	 */
	OptionalDouble run(final Plan plan, final double limit, final Monitor monitor) {
		double best = Double.POSITIVE_INFINITY, fruitless = 0;
		try (Execution execution = prepare(plan)) {
			final long end = System.nanoTime() + (long) (limit * 1e9);
			final Monitor deadline = until(() -> System.nanoTime() > end || monitor.canceled());
			for (int runs = 0; (runs < FRUITLESS_RUNS || fruitless < FRUITLESS_SECONDS) && !(best < limit && deadline.canceled());) {
				final double seconds = once(execution, deadline);
				final boolean better = seconds < BETTER * best;
				runs = better ? 0 : runs + 1;
				fruitless = better ? 0 : fruitless + seconds;
				best = Math.min(best, seconds);
			}
		}
		catch (final CancellationException e) {
			// what was measured before the limit counts
		}
		requireGoing(monitor);
		return best == Double.POSITIVE_INFINITY ? OptionalDouble.empty() : OptionalDouble.of(best / share * problem.frames() / frames);
	}

	/**
	 * Runs several plans by turns, so that a spell in which the machine is slow meets all of them, until some rounds have bettered none.
	 *
	 * @param seconds the least time of each so far, for the whole problem; bettered in place
	 * @param limit seconds that it may take
	 * @param monitor only asked whether to stop
	 * @throws CancellationException if the monitor canceled
	 * @throws RuntimeException whatever a plan throws
	 */
	void byTurns(final List<Plan> plans, final double[] seconds, final double limit, final Monitor monitor) {
		final double whole = problem.frames() / (share * frames), round = Arrays.stream(seconds).sum() / whole;
		if (2 * round > limit) return;
		final long end = System.nanoTime() + (long) ((limit - round) * 1e9);
		final List<Execution> executions = new ArrayList<>();
		final Monitor stop = until(monitor::canceled);
		try {
			for (final Plan p : plans) {
				executions.add(prepare(p));
				// the first run allocates
				once(executions.get(executions.size() - 1), stop);
			}
			double fruitless = 0;
			for (int rounds = 0; (rounds < FRUITLESS_RUNS || fruitless < FRUITLESS_SECONDS) && System.nanoTime() < end; rounds++)
				for (int i = 0; i < seconds.length; i++) {
					requireGoing(monitor);
					final double now = once(executions.get(i), stop);
					fruitless += now;
					if (now * whole < BETTER * seconds[i]) {
						fruitless = 0;
						rounds = 0;
					}
					seconds[i] = Math.min(seconds[i], now * whole);
				}
		}
		finally {
			executions.forEach(Execution::close);
		}
	}

	/** Hears nothing: what is measured are not the responses that people wait for. */
	private static Monitor until(final BooleanSupplier stop) {
		return new Monitor() {

			@Override
			public boolean canceled() {
				return stop.getAsBoolean();
			}
		};
	}

	private static void requireGoing(final Monitor monitor) {
		if (monitor.canceled()) throw new CancellationException("canceled");
	}

	/** A plan, ready to run. */
	Execution prepare(final Plan plan) {
		return plan.prepare(templates());
	}

	/** Runs it once. Returns seconds. */
	double once(final Execution execution, final Monitor monitor) {
		final long start = System.nanoTime();
		submitAll(execution, monitor);
		return 1e-9 * (System.nanoTime() - start);
	}

	private List<Template> templates() {
		final List<Template> templates = new ArrayList<>();
		for (final Size t : problem.templates())
			templates.add(problem.terms() > 0 ? RandomPixels.separable(t, problem.template(), problem.terms(), templates.size())
				: RandomPixels.template(t, problem.template(), problem.weights(), templates.size()));
		return templates;
	}

	private void submitAll(final Execution execution, final Monitor deadline) {
		final Deque<CompletableFuture<Report>> flying = new ArrayDeque<>();
		RuntimeException failure = null;
		for (int f = 0; f < frames || !flying.isEmpty();) {
			if (f < frames && failure == null && flying.size() < execution.depth()) {
				flying.add(execution.submit(pixels, lags, NOWHERE, deadline));
				f++;
				continue;
			}
			if (flying.isEmpty()) break;
			try {
				execution.await(flying.poll());
			}
			catch (final CompletionException e) {
				failure = e.getCause() instanceof RuntimeException ? (RuntimeException) e.getCause() : e;
			}
			catch (final CancellationException e) {
				failure = e;
			}
		}
		if (failure != null) throw failure;
	}

	private static final Sink NOWHERE = new Sink() {

		@Override
		public float undefined() {
			return 0;
		}

		@Override
		public void map(final int template, final long[] min, final int[] size, final Buffer from) {}

		@Override
		public void peaks(final int template, final BoxPeaks found) {}

		/** As of matches, of which few are wanted. */
		@Override
		public float least() {
			return LEAST_PEAK;
		}

		@Override
		public void best(final long[] min, final int[] size, final FloatBuffer greatest, final ShortBuffer which) {}
	};
}
