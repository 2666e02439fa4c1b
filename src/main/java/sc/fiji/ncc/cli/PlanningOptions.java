package sc.fiji.ncc.cli;

import java.io.PrintStream;
import java.util.List;

import picocli.CommandLine.Option;

import sc.fiji.ncc.option.ComputeOptions;
import sc.fiji.ncc.option.Range;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.planner.Effort;
import sc.fiji.ncc.planner.Planner;
import sc.fiji.ncc.planner.Ranking;

/** The options that choose how to compute. They do not change the problem. */
class PlanningOptions {

	/** These options, and the one that explains the choice of a run. */
	static final class OfRun extends PlanningOptions {

		@Option(names = "--explain", description = "After the run, print the ranking of algorithms by which it chose: the expected time of each, and why it was "
			+ "chosen or not.")
		boolean explain;

		/** Prints the rankings by which a run chose its algorithms, if the user wants them. */
		void explain(final List<Ranking> rankings, final PrintStream to) {
			if (explain) for (final Ranking ranking : rankings) to.println(ranking.explain());
		}
	}

	@Option(names = "--backend", paramLabel = "auto|cpu|cuda", defaultValue = "auto", description = "What computes; see 'ncc devices'. Default: auto, the fastest by estimate.")
	String backend;

	@Option(names = "--algorithm", paramLabel = "ID", defaultValue = "auto", description = "The algorithm; see 'ncc devices'. Default: auto, the fastest by estimate.")
	String algorithm;

	@Option(names = "--threads", paramLabel = "N", description = "The number of CPU threads. Default: all.")
	Integer threads;

	@Option(names = "--memory", paramLabel = "MB", description = {
		"The working memory of CPU algorithms in MB, besides images and maps. With less memory, Fourier methods take smaller blocks and fewer threads.",
		"Default: all of the Java heap." })
	Integer memory;

	@Option(names = "--effort", paramLabel = "estimate|measure", defaultValue = "estimate", description = {
		"How the fastest algorithm is found. estimate: by earlier measurements and by cost models.",
		"measure: runs the candidates on random data of this size first, in less than 5 s, and keeps the times; see 'ncc wisdom'. Default: estimate." })
	Effort effort;

	/** @throws IllegalArgumentException if the number of threads or the memory is less than 1 */
	void check() {
		if (threads != null) Range.COUNT.of("--threads ", threads);
		if (memory != null) Range.COUNT.of("--memory (MB) ", memory);
	}

	private int defaultThreads = Runtime.getRuntime().availableProcessors();
	private long heap = Runtime.getRuntime().maxMemory();

	/** Plans for processes with this number of threads, if none is given, and this heap in bytes. Default: this process. */
	void processes(final int newThreads, final long newHeap) {
		defaultThreads = newThreads;
		heap = newHeap;
	}

	/** Plans for the processes of a cluster, which have no GPUs here. Measured times would differ from process to process. */
	void measuredOn(final Cluster cluster) {
		ClusterTask.requireAbsent("--backend cuda", backend.equals("cuda"));
		ClusterTask.requireAbsent("--algorithm " + algorithm, algorithm.startsWith("cuda"));
		ClusterTask.requireAbsent("--effort measure", effort == Effort.MEASURE);
		processes(cluster.threads(), cluster.heap());
	}

	int threads() {
		return threads == null ? defaultThreads : threads;
	}

	long heap() {
		return heap;
	}

	/** The working memory in bytes. Default: the heap of a process. */
	long memory() {
		return memory == null ? heap : memory * 1_000_000L;
	}

	ComputeOptions options(final Precision precision) {
		return ComputeOptions.DEFAULT.backend(backend).algorithm(algorithm).threads(threads()).memory(memory())
			.effort(effort, Planner.MEASURING_SECONDS).precision(precision);
	}
}
