package sc.fiji.ncc.plan;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;

/**
 * The constants of a device's cost models as they are on this machine: whole runs of its algorithms on noise are timed, and those constants
 * taken with which the models come nearest. Of the models it knows nothing: which constants there are it learns from what they ask for, what
 * each does from how a prediction changes with it.
 * <p>
 * The fit is to the logarithms of the times, with a slight pull towards the constants that ship: one that no run depends on stays what it was.
 * What a first run takes more can be seen only in a process that has run nothing yet, and once, of the algorithm that is the slowest to start:
 * all constants of it are then scaled alike.
 *
 * @param constants by name
 * @param runs how many problems and algorithms were timed
 * @param errorBefore by how many parts of themselves predictions were off in the median with the constants that ship
 * @param errorAfter the same with those that were found
 */
public record CostCalibration(Device device, SortedMap<String, Wisdom.Constant> constants, int runs, double errorBefore, double errorAfter) {

	private static final System.Logger LOG = System.getLogger("sc.fiji.ncc");

	/** Seconds for a device that leave some of ten for the last run to notice, and for what is not measured. */
	public static final double SECONDS = 7.5;

	/** Weight of the pull; the most that a constant changes in one step and in all, and how far a derivative looks, as logarithms. */
	private static final double PULL = 0.01, STEP = 1, FARTHEST = Math.log(30), APART = 0.02;
	private static final int STEPS = 40;
	/** A run this far off, as a logarithm, weighs less: one that a model does not fit must not spoil the others. */
	private static final double OUTLIER = 0.2;

	/** Small and large templates, whole numbers and not, a mask and a volume; kernels, separable and not; a picture so small that it costs little but its handling. */
	private static final List<Problem> PROBLEMS = List.of(problem(PixelType.F32, Weights.NONE, 640, 24, 2), problem(PixelType.U8, Weights.NONE, 640, 24, 2),
		problem(PixelType.F32, Weights.NONE, 640, 4, 2), problem(PixelType.U8, Weights.NONE, 640, 4, 2), problem(PixelType.F32, Weights.NONE, 640, 72, 2),
		problem(PixelType.U8, Weights.NONE, 48, 5, 2), problem(PixelType.U16, Weights.NONE, 320, 12, 2), problem(PixelType.F32, Weights.BINARY, 200, 10, 2),
		problem(PixelType.F32, Weights.NONE, 72, 7, 3), problem(PixelType.F32, Weights.NONE, 640, 5, 2).convolving(1),
		problem(PixelType.F32, Weights.NONE, 640, 24, 2).convolving(1), problem(PixelType.U8, Weights.NONE, 640, 12, 2).convolving(0));

	private static Problem problem(final PixelType type, final Weights weights, final long image, final long template, final int dimensions) {
		final long[] size = new long[dimensions], templateSize = new long[dimensions], lags = new long[dimensions];
		Arrays.fill(size, image);
		Arrays.fill(templateSize, template);
		Arrays.fill(lags, image - template + 1);
		return new Problem(type, type, Size.of(size), List.of(Size.of(templateSize)), weights, Lags.inside(Size.of(lags)), 1);
	}

	/** An algorithm on a problem, and the seconds it took so far. */
	private static final class Run implements AutoCloseable {

		final Algorithm algorithm;
		final Problem problem;
		private final Measurement measurement;
		private Execution execution;
		/** The first time, with what goes before it; the least time. */
		double first, seconds = Double.POSITIVE_INFINITY;

		Run(final Algorithm algorithm, final Problem problem) {
			this.algorithm = algorithm;
			this.problem = problem;
			measurement = new Measurement(problem, Long.MAX_VALUE);
		}

		Cost cost(final Device device) {
			return algorithm.plan(problem, device).cost();
		}

		double predicted(final Device device) {
			return cost(device).seconds();
		}

		void once(final Device device, final Monitor monitor) {
			final long start = System.nanoTime();
			if (execution == null) execution = measurement.prepare(algorithm.plan(problem, device));
			seconds = Math.min(seconds, measurement.once(execution, monitor));
			if (first == 0) first = 1e-9 * (System.nanoTime() - start);
		}

		@Override
		public void close() {
			if (execution != null) execution.close();
		}
	}

	/** As {@link Planner#calibrate}. */
	static CostCalibration of(final Device device, final List<Algorithm> algorithms, final double limit, final Monitor monitor) {
		final List<Run> open = new ArrayList<>();
		for (final Problem p : PROBLEMS)
			for (final Algorithm a : algorithms)
				if (a.unsupported(p).isEmpty()) open.add(new Run(a, p));
		final SortedMap<String, Double> shipped = new TreeMap<>();
		for (final Run r : open) r.cost(device.with(recording(shipped)));
		if (shipped.isEmpty()) return new CostCalibration(device, new TreeMap<>(), 0, 0, 0);
		final Run coldest = Collections.max(open, Comparator.comparingDouble(r -> r.cost(device).startSeconds()));
		// its turn comes first
		final boolean cold = Runs.none();
		Collections.swap(open, 0, open.indexOf(coldest));
		try {
			takeTurns(device, open, limit, monitor);
		}
		finally {
			open.forEach(Run::close);
		}
		final List<Run> runs = open.stream().filter(r -> r.seconds < Double.POSITIVE_INFINITY).toList();
		final List<String> names = List.copyOf(shipped.keySet());
		final double[] factors = fit(device, runs, names);
		if (cold && coldest.first > coldest.seconds) {
			final double factor = Math.log((coldest.first - coldest.seconds) / coldest.cost(device).startSeconds());
			for (int k = 0; k < factors.length; k++)
				if (starts(device, open, names, k)) factors[k] = Math.max(-FARTHEST, Math.min(FARTHEST, factor));
		}
		final SortedMap<String, Wisdom.Constant> constants = new TreeMap<>();
		for (int k = 0; k < factors.length; k++) {
			final double before = shipped.get(names.get(k));
			constants.put(names.get(k), new Wisdom.Constant(before, before * Math.exp(factors[k])));
		}
		return new CostCalibration(device, constants, runs.size(), error(runs, device), error(runs, device.with(scaled(names, factors))));
	}

	/** Each once, again and again: code is compiled meanwhile, and what else the machine does meets all alike. */
	private static void takeTurns(final Device device, final List<Run> runs, final double limit, final Monitor monitor) {
		final long start = System.nanoTime(), end = start + (long) (1e9 * limit);
		final Monitor deadline = new Monitor() {

			@Override
			public boolean canceled() {
				return System.nanoTime() > end || monitor.canceled();
			}
		};
		monitor.total((long) (1e3 * limit));
		long said = 0;
		try {
			for (int i = 0; !runs.isEmpty() && !deadline.canceled(); i++) {
				final Run r = runs.get(i %= runs.size());
				try {
					r.once(device, deadline);
					Runs.started(r.algorithm);
				}
				catch (final DeviceException e) {
					LOG.log(System.Logger.Level.WARNING, r.algorithm.id() + " on " + device.name() + " is left out of the calibration: " + e.getMessage());
					r.close();
					runs.remove(i--);
				}
				final long now = Math.min((long) (1e3 * limit), (System.nanoTime() - start) / 1_000_000);
				monitor.done(now - said);
				said = now;
			}
		}
		catch (final CancellationException e) {
			// the run at which time was up
		}
		if (monitor.canceled()) throw new CancellationException("canceled");
	}

	/** Whether constant {@code k} is one of those that a first run costs more. */
	private static boolean starts(final Device device, final List<Run> runs, final List<String> names, final int k) {
		final double[] only = new double[names.size()];
		only[k] = 1;
		final Device other = device.with(scaled(names, only));
		return runs.stream().anyMatch(r -> r.cost(other).startSeconds() != r.cost(device).startSeconds());
	}

	/** Writes down what is asked for. */
	private static Constants recording(final Map<String, Double> asked) {
		return (name, shipped) -> {
			asked.put(name, shipped);
			return shipped;
		};
	}

	private static Constants scaled(final List<String> names, final double[] factors) {
		return (name, shipped) -> {
			final int k = names.indexOf(name);
			return k < 0 ? shipped : shipped * Math.exp(factors[k]);
		};
	}

	/** How many times as much as predicted the runs take, or less than it, in the median, less one. */
	private static double error(final List<Run> runs, final Device device) {
		final double[] off = runs.stream().mapToDouble(r -> Math.abs(Math.log(r.predicted(device) / r.seconds))).sorted().toArray();
		return off.length == 0 ? 0 : Math.exp(off[off.length / 2]) - 1;
	}

	/** Logarithms of the factors by which the constants change, by Gauss's and Newton's steps of bounded length. */
	private static double[] fit(final Device device, final List<Run> runs, final List<String> names) {
		final int n = names.size();
		final double[] x = new double[n];
		for (int step = 0; step < STEPS; step++) {
			final double[][] normal = new double[n][n + 1];
			for (int k = 0; k < n; k++) {
				normal[k][k] = PULL;
				normal[k][n] = -PULL * x[k];
			}
			for (final Run r : runs) {
				final double predicted = Math.log(r.predicted(device.with(scaled(names, x))));
				final double[] slope = new double[n];
				for (int k = 0; k < n; k++) {
					final double[] beside = x.clone();
					beside[k] += APART;
					slope[k] = (Math.log(r.predicted(device.with(scaled(names, beside)))) - predicted) / APART;
				}
				final double rest = Math.log(r.seconds) - predicted, weight = Math.min(1, OUTLIER / Math.abs(rest));
				for (int k = 0; k < n; k++) {
					for (int l = 0; l < n; l++) normal[k][l] += weight * slope[k] * slope[l];
					normal[k][n] += weight * slope[k] * rest;
				}
			}
			final double[] change = solve(normal);
			for (int k = 0; k < n; k++)
				x[k] = Math.max(-FARTHEST, Math.min(FARTHEST, x[k] + Math.max(-STEP, Math.min(STEP, change[k]))));
		}
		return x;
	}

	/** Gauss's elimination; the pull makes the matrix positive definite, so that no pivot need be sought. */
	private static double[] solve(final double[][] a) {
		final int n = a.length;
		for (int k = 0; k < n; k++)
			for (int i = k + 1; i < n; i++) {
				final double f = a[i][k] / a[k][k];
				for (int j = k; j <= n; j++) a[i][j] -= f * a[k][j];
			}
		final double[] x = new double[n];
		for (int i = n - 1; i >= 0; i--) {
			double sum = a[i][n];
			for (int j = i + 1; j < n; j++) sum -= a[i][j] * x[j];
			x[i] = sum / a[i][i];
		}
		return x;
	}
}
