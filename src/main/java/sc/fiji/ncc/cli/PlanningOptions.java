package sc.fiji.ncc.cli;

import java.util.Optional;

import picocli.CommandLine.Option;

import sc.fiji.ncc.option.ComputeOptions;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.planner.Effort;
import sc.fiji.ncc.planner.Planner;

/** What decides which method is taken, apart from the problem. */
final class PlanningOptions {

	@Option(names = "--backend", paramLabel = "auto|cpu|cuda", defaultValue = "auto",
		description = "What computes; see 'ncc devices'. Unless said, what is expected to be quickest.")
	String backend;

	@Option(names = "--algorithm", paramLabel = "ID", defaultValue = "auto",
		description = "Which method; see 'ncc devices'. Unless said, the one that is expected to be quickest.")
	String algorithm;

	@Option(names = "--threads", paramLabel = "N", description = "How many threads of the CPU work. Unless said, as many as it has.")
	Integer threads;

	@Option(names = "--effort", paramLabel = "estimate|measure", defaultValue = "estimate", description = {
		"How the quickest method is found. estimate (unless said): by what was measured before, and by cost models.",
		"measure: each one worth trying runs on noise of the problem's size, in less than 5 s together; the times are kept, see 'ncc wisdom'." })
	Effort effort;

	/** @throws IllegalArgumentException if the number of threads is none */
	void check() {
		if (threads != null && threads < 1) throw new IllegalArgumentException("--threads " + threads + ": give 1 or more, or leave it out to use all");
	}

	int threads() {
		return threads == null ? Runtime.getRuntime().availableProcessors() : threads;
	}

	ComputeOptions options(final Precision precision) {
		return ComputeOptions.DEFAULT.backend(backend).algorithm(algorithm).threads(threads()).effort(effort, Planner.MEASURING_SECONDS).precision(precision);
	}

	/** As the planner takes it: empty for any. */
	static Optional<String> only(final String id) {
		return "auto".equals(id) ? Optional.empty() : Optional.of(id);
	}
}
