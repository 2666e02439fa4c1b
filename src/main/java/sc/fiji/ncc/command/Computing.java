package sc.fiji.ncc.command;

import java.util.Optional;

import sc.fiji.ncc.option.ComputeOptions;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.planner.Effort;
import sc.fiji.ncc.planner.Planner;

/**
 * The parameters under "Advanced": how exactly, what computes, and how the method is chosen. Every command declares them as its last ones, in this
 * order, with the descriptions here: SciJava shows what a base class declares first.
 *
 * @param precision {@code single} or {@code double}
 * @param backend {@code auto}, or the id of a backend
 * @param algorithm {@code auto}, or the id of an algorithm
 * @param effort {@code estimate} or {@code measure}
 * @param threads of the CPU; 0 for all
 */
record Computing(String precision, String backend, String algorithm, String effort, int threads) {

	static final String AUTO = "auto";
	static final String SINGLE = "single";

	/** What a dialog says of them. */
	static final String ADVANCED = "Precision, backend, algorithm, effort and threads. The defaults suit most images.";
	static final String PRECISION = "single: error below about 1e-5. double: error below about 1e-10; slower. Default: single."
		+ " ImageJ shows and saves 32-bit values in both cases. Scores of matches are always exact.";
	static final String BACKEND = "What computes: the processor (cpu) or an NVIDIA card (cuda). Default: auto, the fastest. Plugins > NCC > Devices... lists them.";
	static final String ALGORITHM = "Default: auto, the fastest. Plugins > NCC > Devices... says which ones this computer can run.";
	static final String EFFORT =
		"How the fastest algorithm is found. estimate: from models and earlier measurements. measure: each is timed on noise first, for up to 5 s. Default: estimate.";
	static final String THREADS = "Number of threads. Default: 0, one for each processor.";

	/** @throws IllegalArgumentException if a value is not one of the choices */
	ComputeOptions options() {
		return ComputeOptions.DEFAULT.precision(exactness()).backend(only(backend).orElse(AUTO)).algorithm(only(algorithm).orElse(AUTO))
			.effort(measuring(), Planner.MEASURING_SECONDS).threads(count());
	}

	/** @throws IllegalArgumentException if it is neither of them */
	Precision exactness() {
		return Choice.of("precision", precision, Precision.values());
	}

	/** @throws IllegalArgumentException if it is neither of them */
	Effort measuring() {
		return Choice.of("effort", effort, Effort.values());
	}

	Optional<String> onlyBackend() {
		return only(backend);
	}

	Optional<String> onlyAlgorithm() {
		return only(algorithm);
	}

	/** @throws IllegalArgumentException if it is negative */
	int count() {
		if (threads < 0) throw new IllegalArgumentException("threads=" + threads + ": give 0 for all processors, or a number above 0.");
		return threads == 0 ? Runtime.getRuntime().availableProcessors() : threads;
	}

	/** As the planner takes it: empty for any. */
	private static Optional<String> only(final String id) {
		final String name = id.trim();
		return name.isEmpty() || name.equalsIgnoreCase(AUTO) ? Optional.empty() : Optional.of(name);
	}
}
