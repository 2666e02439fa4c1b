package sc.fiji.ncc.plan;

import java.nio.Buffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** Runs a plan on random data of its problem's shape: the minimum of several repeats, under a time limit. */
final class Measurement {

	/** Larger problems are measured on a part of their lags. */
	private static final long MOST_LAGS = 1L << 22;
	private static final int REPEATS = 15;

	private final Problem problem;
	private final LagBox lags;
	private final Pixels pixels;
	private final double share;
	private final int frames;

	Measurement(final Problem problem) {
		this.problem = problem;
		final long[] count = problem.lags().count().toArray();
		for (int d = count.length - 1; d >= 0 && Size.of(count).pixels() > MOST_LAGS; d--)
			count[d] = Math.max(1, count[d] * MOST_LAGS / Size.of(count).pixels());
		share = (double) Size.of(count).pixels() / problem.lags().count().pixels();
		final long[][] origins = new long[problem.templates().size()][count.length];
		if (problem.lags().partial())
			for (final long[] o : origins)
				for (int d = 0; d < o.length; d++) o[d] = -problem.templates().get(0).get(d) / 2;
		lags = new LagBox(origins, Size.of(count).toIntArray());
		pixels = new RandomPixels(problem.image(), problem.size(), 1);
		frames = (int) Math.min(problem.frames(), 8);
	}

	/**
	 * @param limit seconds after which it gives up
	 * @return seconds for the whole problem; empty if not even one run ended in time
	 * @throws RuntimeException whatever the plan throws
	 */
	OptionalDouble run(final Plan plan, final double limit) {
		final long end = System.nanoTime() + (long) (limit * 1e9);
		final List<Template> templates = new ArrayList<>();
		for (final Size t : problem.templates())
			templates.add(RandomPixels.template(t, problem.template(), problem.weights() != Weights.NONE, templates.size()));
		final Monitor deadline = new Monitor() {

			@Override
			public boolean canceled() {
				return System.nanoTime() > end;
			}
		};
		double best = Double.POSITIVE_INFINITY;
		try (Execution execution = plan.prepare(templates)) {
			for (int i = 0; i < REPEATS && !(i > 1 && deadline.canceled()); i++) {
				final long start = System.nanoTime();
				submitAll(execution, deadline);
				best = Math.min(best, 1e-9 * (System.nanoTime() - start));
			}
		}
		catch (final CancellationException e) {
			// what was measured before the limit counts
		}
		return best == Double.POSITIVE_INFINITY ? OptionalDouble.empty() : OptionalDouble.of(best / share * problem.frames() / frames);
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
				flying.poll().join();
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
	};
}
