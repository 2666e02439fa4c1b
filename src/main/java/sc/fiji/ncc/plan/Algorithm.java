package sc.fiji.ncc.plan;

import java.util.Optional;
import java.util.Set;

/** One method that solves a problem, for example direct or Fourier correlation. Algorithms are stateless. */
public interface Algorithm {

	/** A stable id in lower case that begins with the backend: {@code cpu-direct}. */
	String id();

	/** The operation that it computes. Default: normalized cross-correlation. */
	default Operation operation() {
		return Operation.NCC;
	}

	/** The precisions that it supports. Default: single. */
	default Set<Precision> precisions() {
		return Set.of(Precision.SINGLE);
	}

	/** The reason, for the user, why this algorithm does not support the problem. Empty if it supports the problem. */
	Optional<String> unsupported(Problem problem);

	/** The same on a device, whose memory may not suffice. Default: the device makes no difference. */
	default Optional<String> unsupported(final Problem problem, final Device device) {
		return unsupported(problem);
	}

	/** Makes a plan. This is cheap and allocates no working memory. Call it only for supported problems. */
	Plan plan(Problem problem, Device device);
}
