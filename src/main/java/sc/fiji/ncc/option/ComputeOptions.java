package sc.fiji.ncc.option;

import java.util.Locale;
import java.util.Optional;

import sc.fiji.ncc.plan.Given;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Problem;
import sc.fiji.ncc.planner.Effort;
import sc.fiji.ncc.planner.Planner;
import sc.fiji.ncc.planner.Ranking;

/**
 * How an operation computes. None of these options changes which responses are computed.
 *
 * @param backend the id of the only backend to use; empty for any
 * @param algorithm the id of the only algorithm to use; empty for any
 * @param effort how the planner finds the fastest algorithm
 * @param measuringSeconds the maximum time, in seconds, to measure a new problem with {@link Effort#MEASURE}
 * @param threads the maximum number of CPU threads, at least 1
 * @param memory the bytes of working memory for algorithms of the CPU, besides images and maps: Fourier methods then take smaller blocks and fewer threads.
 *            At least 1
 * @param precision the precision of the responses
 * @param monitor receives the progress, and can cancel
 * @param planner the planner, with its backends; empty for a planner with all backends
 */
public record ComputeOptions(Optional<String> backend, Optional<String> algorithm, Effort effort, double measuringSeconds, int threads, long memory,
	Precision precision, Monitor monitor, Optional<Planner> planner)
{

	private static final String AUTO = "auto";

	/** Any backend and algorithm, estimated times, one thread per processor, the memory of the Java heap, single precision, no monitor. */
	public static final ComputeOptions DEFAULT = new ComputeOptions(Optional.empty(), Optional.empty(), Effort.ESTIMATE, Planner.MEASURING_SECONDS,
		Runtime.getRuntime().availableProcessors(), Runtime.getRuntime().maxMemory(), Precision.SINGLE, Monitor.NONE, Optional.empty());

	public ComputeOptions {
		Given.nonNull(backend, "backend");
		Given.nonNull(algorithm, "algorithm");
		Given.nonNull(effort, "effort");
		Given.nonNull(precision, "precision");
		Given.nonNull(monitor, "monitor");
		Given.nonNull(planner, "planner");
		Range.COUNT.of("the number of threads is ", threads);
		Range.COUNT.of("the memory in bytes is ", memory);
	}

	/** @param id the id of a backend; {@code auto} or null for any */
	public ComputeOptions backend(final String id) {
		return Components.with(this, ComputeOptions::backend, selected(id));
	}

	/** @param id the id of an algorithm; {@code auto} or null for any */
	public ComputeOptions algorithm(final String id) {
		return Components.with(this, ComputeOptions::algorithm, selected(id));
	}

	/** @param seconds the maximum time to measure a new problem */
	public ComputeOptions effort(final Effort newEffort, final double seconds) {
		return Components.with(Components.with(this, ComputeOptions::effort, newEffort), ComputeOptions::measuringSeconds, seconds);
	}

	/** @throws IllegalArgumentException if the number is below 1 */
	public ComputeOptions threads(final int number) {
		return Components.with(this, ComputeOptions::threads, number);
	}

	/** @throws IllegalArgumentException if the number of bytes is below 1 */
	public ComputeOptions memory(final long bytes) {
		return Components.with(this, ComputeOptions::memory, bytes);
	}

	public ComputeOptions precision(final Precision newPrecision) {
		return Components.with(this, ComputeOptions::precision, newPrecision);
	}

	public ComputeOptions monitor(final Monitor newMonitor) {
		return Components.with(this, ComputeOptions::monitor, newMonitor);
	}

	/** @param newPlanner null for a planner with all backends */
	public ComputeOptions planner(final Planner newPlanner) {
		return Components.with(this, ComputeOptions::planner, Optional.ofNullable(newPlanner));
	}

	/**
	 * Ranks the algorithms for a problem with these options.
	 *
	 * @throws java.util.NoSuchElementException if the options have no planner
	 * @throws IllegalArgumentException if the backend or the algorithm does not exist, or if no candidate applies
	 * @throws java.util.concurrent.CancellationException if the monitor cancels a measurement
	 */
	public Ranking rank(final Problem problem) {
		return planner.orElseThrow().rank(problem, backend, algorithm, effort, measuringSeconds, monitor);
	}

	private static Optional<String> selected(final String id) {
		return AUTO.equals(id) ? Optional.empty() : Optional.ofNullable(id);
	}

	/** Such as {@code backend any, algorithm any, effort estimate, 8 threads, 4096 MiB, single precision}. */
	@Override
	public String toString() {
		return "backend " + backend.orElse("any") + ", algorithm " + algorithm.orElse("any") + ", effort " + effort.name().toLowerCase(Locale.ROOT) + ", " + threads
			+ (threads == 1 ? " thread, " : " threads, ") + (memory >> 20) + " MiB, " + precision.name().toLowerCase(Locale.ROOT) + " precision";
	}
}
