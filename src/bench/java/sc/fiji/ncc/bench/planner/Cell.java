package sc.fiji.ncc.bench.planner;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;

import sc.fiji.ncc.bench.Noise;
import sc.fiji.ncc.bench.Turns;
import sc.fiji.ncc.plan.Execution;
import sc.fiji.ncc.plan.LagBox;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.Sliding;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.plan.SlidingPlan;
import sc.fiji.ncc.plan.support.MapInMemory;
import sc.fiji.ncc.planner.Ranking.Candidate;

/** The measured time of each method for one problem: medians, all methods in turns. */
final class Cell {

	/** A method that takes this many times the best time is not run again. */
	private static final double HOPELESS = 8;

	private final Sliding problem;
	private final boolean whole;
	private final List<Template> templates;
	private final Noise image;
	private final MapInMemory map;
	private final LagBox lags;

	/** @param whole whether a run includes the preparation, as a single call does */
	Cell(final Sliding problem, final boolean whole) {
		this.problem = problem;
		this.whole = whole;
		templates = List.of(Noise.template(problem.template(), problem.templates().get(0), 2));
		image = new Noise(problem.image(), problem.size(), 1);
		final int[] count = problem.lags().count().toIntArray();
		map = new MapInMemory(problem.lags().count(), 1, problem.precision(), problem.result().type());
		lags = new LagBox(new long[][] { new long[count.length] }, count);
	}

	/** A prepared method and its times. */
	private final class Contestant implements AutoCloseable {

		final Candidate candidate;
		private final Execution prepared;
		final List<Double> seconds = new ArrayList<>();
		int inOneTurn = 1;

		Contestant(final Candidate candidate) {
			this.candidate = candidate;
			prepared = whole ? null : candidate.plan(SlidingPlan.class).prepare(templates);
		}

		/** Seconds of a run. */
		double run(final Monitor monitor) {
			final long start = System.nanoTime();
			if (!whole) prepared.submit(image, lags, map, monitor).join();
			else try (Execution execution = candidate.plan(SlidingPlan.class).prepare(templates)) {
				execution.submit(image, lags, map, monitor).join();
			}
			return 1e-9 * (System.nanoTime() - start);
		}

		void turn() {
			double sum = 0;
			for (int i = 0; i < inOneTurn; i++) sum += run(Monitor.NONE);
			seconds.add(sum / inOneTurn);
		}

		double median() {
			return Turns.median(seconds.stream().mapToDouble(Double::doubleValue).sorted().toArray());
		}

		@Override
		public void close() {
			if (prepared != null) prepared.close();
		}
	}

	/**
	 * @param candidates the most promising first
	 * @param turns the number of turns
	 * @param least the shortest time of each method, in seconds
	 * @param most no turn starts after this time, in seconds
	 * @return seconds by method. For a method that was stopped: the seconds until then
	 */
	Map<String, Double> measure(final List<Candidate> candidates, final int turns, final double least, final double most) {
		final long start = System.nanoTime();
		final Map<String, Double> seconds = new TreeMap<>();
		final List<Contestant> all = new ArrayList<>();
		try {
			double best = Double.POSITIVE_INFINITY;
			for (final Candidate c : candidates) {
				final Contestant contestant = new Contestant(c);
				all.add(contestant);
				best = Math.min(best, first(contestant, best, seconds));
			}
			final List<Contestant> open = new ArrayList<>();
			for (final Contestant c : all) if (seconds.get(c.candidate.name()) < HOPELESS * best) open.add(c);
			// short runs are timed in batches that are much longer than the resolution of the clock
			for (final Contestant c : open) c.inOneTurn = (int) Math.max(1, Math.min(500, least / turns / seconds.get(c.candidate.name())));
			for (int t = 0; t < turns && (t < 3 || 1e-9 * (System.nanoTime() - start) < most); t++) open.forEach(Contestant::turn);
			for (final Contestant c : open) seconds.put(c.candidate.name(), c.median());
		}
		finally {
			all.forEach(Contestant::close);
		}
		return seconds;
	}

	/**
	 * The time of the second run, because the first one is slower. A run that takes too long is stopped. It begins once more, since the driver may have compiled
	 * kernels.
	 */
	private static double first(final Contestant c, final double best, final Map<String, Double> seconds) {
		final double patience = Math.max(0.5, 2 * HOPELESS * best);
		double taken = patience;
		for (int attempt = 0; attempt < 2 && taken == patience; attempt++) taken = twoRuns(c, patience, best < Double.POSITIVE_INFINITY);
		seconds.put(c.candidate.name(), taken);
		return taken;
	}

	/** The shorter time of two runs. @param limited whether they are stopped when the patience ends, which is the result then */
	private static double twoRuns(final Contestant c, final double patience, final boolean limited) {
		final long end = System.nanoTime() + (long) (1e9 * Math.min(patience, 1e6));
		final Monitor deadline = new Monitor() {

			@Override
			public boolean canceled() {
				return limited && System.nanoTime() > end;
			}
		};
		double taken = patience;
		try {
			taken = c.run(deadline);
			taken = Math.min(taken, c.run(deadline));
		}
		catch (final java.util.concurrent.CompletionException | CancellationException e) {
			if (!deadline.canceled()) throw e;
		}
		return taken;
	}

	@Override
	public String toString() {
		return "image " + problem.size() + ", template " + problem.templates().get(0);
	}

	/** Integer sides in equal ratios, with the given number of steps per doubling. */
	static long[] sides(final long least, final long most, final int steps) {
		final long[] sides = new long[64 * steps];
		int n = 0;
		for (int i = 0;; i++) {
			final long side = Math.round(least * Math.pow(2, (double) i / steps));
			if (side > most) return Arrays.copyOf(sides, n);
			if (n == 0 || side > sides[n - 1]) sides[n++] = side;
		}
	}
}
