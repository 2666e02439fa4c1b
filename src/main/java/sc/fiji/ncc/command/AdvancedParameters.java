package sc.fiji.ncc.command;

import java.util.Optional;

import sc.fiji.ncc.front.ChoiceText;
import sc.fiji.ncc.option.ComputeOptions;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.planner.Effort;
import sc.fiji.ncc.planner.Planner;

/**
 * The values of the parameters of the group {@link Groups#COMPUTATION}. {@link ComputingCommand} declares those that are alike for all commands. SciJava lists
 * the parameters of a base class first; {@link Groups#ordered} puts them in their order.
 *
 * @param precision {@code single} or {@code double}
 * @param backend id of a backend, or {@code auto} for any
 * @param algorithm id of an algorithm, or {@code auto} for any
 * @param effort {@code estimate} or {@code measure}
 * @param threads number of CPU threads; 0 for one per processor
 * @param memory working memory of the CPU in MB; 0 for all of the Java heap
 */
record AdvancedParameters(String precision, String backend, String algorithm, String effort, int threads, int memory) {

	static final String AUTO = "auto";
	static final String SINGLE = "single";

	/** Tooltips of dialogs. */
	static final String PRECISION = "single: error below about 1e-5. double: error below about 1e-10; slower. Default: single."
		+ " ImageJ shows and saves 32-bit values in both cases. Scores of matches are always exact.";
	static final String BACKEND = "cpu: the processor. cuda: an NVIDIA GPU. Default: auto, the fastest. Plugins > NCC > Devices... lists them.";
	static final String ALGORITHM = "Default: auto, the fastest. Plugins > NCC > Devices... lists the algorithms that this computer can run.";
	static final String EFFORT =
		"How the fastest algorithm is found. estimate: by models and earlier measurements. measure: each algorithm is timed on noise first, for up to 5 s. Default: estimate.";
	static final String THREADS = "Number of threads. Default: 0, one for each processor.";
	static final String MEMORY = "Working memory in MB, besides images and maps. With less memory, Fourier methods are slower. Default: 0, all of the Java heap.";

	/** @throws IllegalArgumentException if a value is not one of the choices */
	ComputeOptions options() {
		return ComputeOptions.DEFAULT.precision(exactness()).backend(only(backend).orElse(AUTO)).algorithm(only(algorithm).orElse(AUTO))
			.effort(measuring(), Planner.MEASURING_SECONDS).threads(count()).memory(bytes());
	}

	/** @throws IllegalArgumentException if it is neither of them */
	Precision exactness() {
		return ChoiceText.of("precision", precision, Precision.values());
	}

	/** @throws IllegalArgumentException if the value is unknown */
	Effort measuring() {
		return ChoiceText.of("effort", effort, Effort.values());
	}

	Optional<String> onlyBackend() {
		return only(backend);
	}

	Optional<String> onlyAlgorithm() {
		return only(algorithm);
	}

	/** @return the number of threads, above 0 */
	int count() {
		return threads == 0 ? Runtime.getRuntime().availableProcessors() : threads;
	}

	/** @return the working memory in bytes */
	long bytes() {
		return memory == 0 ? Runtime.getRuntime().maxMemory() : memory * 1_000_000L;
	}

	/** @return the id; empty if any will do */
	private static Optional<String> only(final String id) {
		final String name = id.trim();
		return name.isEmpty() || name.equalsIgnoreCase(AUTO) ? Optional.empty() : Optional.of(name);
	}
}
