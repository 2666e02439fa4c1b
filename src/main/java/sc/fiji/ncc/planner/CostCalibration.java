package sc.fiji.ncc.planner;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

import sc.fiji.ncc.plan.Algorithm;
import sc.fiji.ncc.plan.Backend;
import sc.fiji.ncc.plan.Constants;
import sc.fiji.ncc.plan.Cost;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.DeviceException;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.Plan;
import sc.fiji.ncc.plan.Problem;

/**
 * Constants of a device's cost models, fitted to run times on this machine. The calibration times complete calls of the device's algorithms on
 * noise. {@link CostFit} then chooses the constants with which the predictions of the models come near to these times.
 * <p>
 * The start time of an algorithm can be measured only once in a process. The calibration measures it for the algorithm with the longest
 * predicted start, and only if the process has run no algorithm before. It then scales all start constants by the same factor.
 * The logger {@code sc.fiji.ncc} gets the times of all runs at the level DEBUG.
 *
 * @param constants by name
 * @param runs the number of timed pairs of problem and algorithm
 * @param errorBefore the median relative error of the predictions with the shipped constants
 * @param errorAfter the median relative error of the predictions with the fitted constants
 */
public record CostCalibration(Device device, SortedMap<String, Wisdom.Constant> constants, int runs, double errorBefore,
	double errorAfter) {

	private static final System.Logger LOG = System.getLogger("sc.fiji.ncc");

	/**
	 * Time limit in seconds for a device. First runs that are slow, above all those for which a driver compiles kernels, and the last run can exceed it: a
	 * process on two cores of an Intel Xeon took 27 s.
	 */
	public static final double SECONDS = 20;

	/** A first run that takes longer, in seconds, does not count for the limit. */
	private static final double LONG_START = 0.1;

	/**
	 * An algorithm whose frames are predicted to take more than this many times as long as those of the fastest one does not run, to save time. Its
	 * preparation does not count: a GPU's kernels may have to be compiled, once on a computer.
	 */
	private static final double HOPELESS = 30;
	/** A run is cold until so many turns, and not settled until so many seconds, do not make it faster by this factor. */
	private static final int TURNS_WITHOUT_GAIN = 4;
	private static final double SECONDS_WITHOUT_GAIN = 0.1, GAIN = 0.95;

	/** An algorithm on a problem, and its run times. As a call does, each run prepares, computes and closes. */
	static final class Run implements CostFit.Timed {

		final Algorithm<?> algorithm;
		private final Workload<?, ?, ?> work;
		final boolean large;
		private final LongSupplier clock;
		/** The time of the first run, with its preparation; the shortest times of preparations and of frames. */
		double first, once = Double.POSITIVE_INFINITY, frames = Double.POSITIVE_INFINITY;
		/** The turns and the seconds without a gain. */
		private int turns;
		private double secondsWithoutGain;

		/** @param large whether it runs after the small ones, a few times */
		Run(final Algorithm<?> algorithm, final Problem problem, final boolean large, final LongSupplier clock) {
			this.algorithm = algorithm;
			this.large = large;
			this.clock = clock;
			work = Kind.workload(problem, Long.MAX_VALUE);
		}

		Problem problem() {
			return work.measured;
		}

		@Override
		public Cost cost(final Device device) {
			return algorithm.planAny(problem(), device).cost();
		}

		@Override
		public double frameSeconds() {
			return frames;
		}

		@Override
		public double seconds() {
			return once + frames;
		}

		void once(final Device device, final Monitor monitor) {
			final double before = seconds();
			final Plan plan = algorithm.planAny(work.measured, device);
			final Workload.Times times = work.time(plan, clock, monitor);
			frames = Math.min(frames, times.running());
			once = Math.min(once, times.preparing());
			final boolean gain = seconds() < GAIN * before;
			turns = gain ? 0 : turns + 1;
			secondsWithoutGain = gain ? 0 : secondsWithoutGain + times.all();
			if (first == 0) first = times.all();
		}

		@Override
		public boolean isCold() {
			return turns < TURNS_WITHOUT_GAIN;
		}

		boolean isSettled() {
			return !isCold() && (large || secondsWithoutGain >= SECONDS_WITHOUT_GAIN);
		}
	}

	/** The runs that determine the constants of a device. @param shipped receives the constants */
	static List<Run> runs(final Device device, final Backend backend, final SortedMap<String, Double> shipped, final LongSupplier clock) {
		final List<Run> all = new ArrayList<>();
		for (final Kind<?> kind : Kind.all()) {
			// an algorithm without constants of its own is made of algorithms for a kind before, which are timed themselves
			final Set<String> before = Set.copyOf(shipped.keySet());
			for (final Problem p : kind.calibrating(backend.fast())) {
				final List<Run> applicable = new ArrayList<>();
				for (final Algorithm<?> a : backend.algorithms())
					if (a.refuses(p, device).isEmpty()) applicable.add(new Run(a, p, kind.isLarge(p), clock));
				final double least = applicable.stream().mapToDouble(r -> r.cost(device).frameSeconds()).filter(s -> s > 0).min().orElse(0);
				for (final Run run : applicable) {
					if (run.cost(device).frameSeconds() > HOPELESS * least) continue;
					final SortedMap<String, Double> requested = new TreeMap<>();
					run.cost(device.with(CostFit.recording(requested)));
					if (!before.isEmpty() && before.containsAll(requested.keySet())) continue;
					all.add(run);
					shipped.putAll(requested);
				}
			}
		}
		return all;
	}

	/** Implements {@link Planner#calibrate}. @param clock nanoseconds */
	static CostCalibration of(final Device device, final Backend backend, final double limit, final Monitor monitor,
		final LongSupplier clock) {
		final SortedMap<String, Double> shipped = new TreeMap<>();
		final List<Run> calibrationRuns = runs(device, backend, shipped, clock);
		if (shipped.isEmpty()) return new CostCalibration(device, new TreeMap<>(), 0, 0, 0);
		final Run slowestStart = Collections.max(calibrationRuns, Comparator.comparingDouble(r -> r.cost(device).startSeconds()));
		// its start time can be measured only before any other run
		final boolean isFirstRun = RunCounter.none();
		// short runs first: their code is that of the long ones, too
		calibrationRuns.sort(Comparator.comparing((Run r) -> r.large).thenComparing(r -> r != slowestStart)
			.thenComparingDouble(r -> r.cost(device).seconds()));
		takeTurns(device, calibrationRuns, limit, monitor, clock);
		// a coarse clock sees no time in a short run
		final List<Run> runs = calibrationRuns.stream()
			.filter(r -> r.seconds() < Double.POSITIVE_INFINITY && r.frameSeconds() > 0).toList();
		final List<String> names = List.copyOf(shipped.keySet());
		final double[] factors = CostFit.logFactors(device, runs, names);
		if (isFirstRun && slowestStart.first > slowestStart.seconds()) {
			final double factor = Math.log((slowestStart.first - slowestStart.seconds()) / slowestStart.cost(device).startSeconds());
			for (int k = 0; k < factors.length; k++)
				if (starts(device, calibrationRuns, names, k)) factors[k] = CostFit.limited(factor);
		}
		final SortedMap<String, Wisdom.Constant> constants = new TreeMap<>();
		for (int k = 0; k < factors.length; k++) {
			final double before = shipped.get(names.get(k));
			constants.put(names.get(k), new Wisdom.Constant(before, before * Math.exp(factors[k])));
		}
		final Device fitted = device.with(CostFit.scaled(names, factors));
		for (final Run r : runs) LOG.log(System.Logger.Level.DEBUG,
			() -> String.format(Locale.ROOT, "%s: %s: measured %.3g s, predicted %.3g s, fitted %.3g s%s",
			r.algorithm.id(), r.problem(), r.seconds(), r.cost(device).seconds(), r.cost(fitted).seconds(), r.isCold() ? ", cold" : ""));
		return new CostCalibration(device, constants, runs.size(), error(runs, device), error(runs, fitted));
	}

	/**
	 * Runs each in turn until it is settled, and then the large ones one by one. Half of the time is left for the large ones. Turns let compilation proceed,
	 * and spread slow spells of the machine over all runs.
	 */
	private static void takeTurns(final Device device, final List<Run> runs, final double limit, final Monitor monitor,
		final LongSupplier clock) {
		final long start = clock.getAsLong();
		// with the time in which drivers compile kernels, which no limit can foresee
		final AtomicLong end = new AtomicLong(start + (long) (1e9 * limit));
		final Monitor deadline = Monitor.canceledIf(() -> clock.getAsLong() > end.get() || monitor.canceled());
		monitor.total((long) (1e3 * limit));
		long reported = 0;
		try {
			for (int i = 0; !deadline.canceled(); i++) {
				final List<Run> unsettled = runs.stream().filter(r -> !r.isSettled()).toList();
				if (unsettled.isEmpty()) break;
				final int small = (int) unsettled.stream().filter(r -> !r.large).count();
				final boolean large = small == 0 || small < unsettled.size() && clock.getAsLong() > end.get() - (long) (0.5e9 * limit);
				final Run r = unsettled.get(large ? small : i % small);
				try {
					final boolean first = r.first == 0;
					r.once(device, first ? monitor : deadline);
					if (first && r.first > LONG_START) end.addAndGet((long) (1e9 * r.first));
					RunCounter.started(r.algorithm);
				}
				catch (final DeviceException e) {
					LOG.log(System.Logger.Level.WARNING,
						"cannot calibrate " + r.algorithm.id() + " on " + device.name() + ": " + e.getMessage());
					runs.remove(r);
				}
				final long elapsed = Math.min((long) (1e3 * limit), (clock.getAsLong() - start) / 1_000_000);
				monitor.done(elapsed - reported);
				reported = elapsed;
			}
		}
		catch (final CancellationException e) {
			// the time limit stopped the last run
		}
		monitor.done((long) (1e3 * limit) - reported);
		monitor.requireNotCanceled();
	}

	/** Whether constant {@code k} affects the start time of an algorithm. */
	private static boolean starts(final Device device, final List<Run> runs, final List<String> names, final int k) {
		final double[] only = new double[names.size()];
		only[k] = 1;
		final Device other = device.with(CostFit.scaled(names, only));
		return runs.stream().anyMatch(r -> r.cost(other).startSeconds() != r.cost(device).startSeconds());
	}

	/** The median, over the runs, of max(measured / predicted, predicted / measured), less one. */
	private static double error(final List<Run> runs, final Device device) {
		final double[] errors = runs.stream().mapToDouble(r -> Math.abs(Math.log(r.cost(device).seconds() / r.seconds())))
			.sorted().toArray();
		return errors.length == 0 ? 0 : Math.exp(errors[errors.length / 2]) - 1;
	}
}
