package sc.fiji.ncc.command;

import java.util.Optional;

import sc.fiji.ncc.SlidingOp;
import sc.fiji.ncc.TemplateTracking;
import sc.fiji.ncc.plan.Effort;
import sc.fiji.ncc.plan.Planner;
import sc.fiji.ncc.plan.Precision;

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

	/** The heading above them, and what a dialog says of them. */
	static final String HEADING = "Precision, what computes, and how the method is chosen";
	static final String PRECISION = "single: 32-bit numbers, within 1e-5 of the exact coefficient. double: 64-bit numbers, within 1e-10; slower."
		+ " ImageJ's windows and files hold 32 bits of either. Scores of matches are always exact.";
	static final String BACKEND = "Where to compute: auto takes the fastest. Plugins > NCC > Devices... says what there is.";
	static final String ALGORITHM = "auto takes the fastest; or an id that Plugins > NCC > Devices... lists.";
	static final String EFFORT =
		"How the fastest method is found. estimate: by cost models and what was measured before. measure: tries them on noise first, in less than 5 s.";
	static final String THREADS = "Processors at work; 0 takes all of them.";

	/** @return {@code op}, set so */
	<O extends SlidingOp<O>> O set(final O op) {
		return op.precision(exactness()).backend(only(backend).orElse(AUTO)).algorithm(only(algorithm).orElse(AUTO))
			.effort(measuring(), Planner.MEASURING_SECONDS).threads(count());
	}

	/** @return {@code op}, set so */
	TemplateTracking set(final TemplateTracking op) {
		return op.precision(exactness()).backend(only(backend).orElse(AUTO)).algorithm(only(algorithm).orElse(AUTO)).effort(measuring(), Planner.MEASURING_SECONDS).threads(count());
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
