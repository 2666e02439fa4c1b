package sc.fiji.ncc.plan;

import java.util.Set;

/** A method for templates or kernels that slide over an image, for example direct or Fourier correlation. */
public interface SlidingAlgorithm extends Algorithm<Sliding> {

	/** The operation that it computes. Default: normalized cross-correlation. */
	default Operation operation() {
		return Operation.NCC;
	}

	/** The precisions that it supports. Default: single. */
	default Set<Precision> precisions() {
		return Set.of(Precision.SINGLE);
	}

	@Override
	default Class<Sliding> kind() {
		return Sliding.class;
	}

	/** An algorithm for another operation or precision is a candidate only if the caller names it. */
	@Override
	default boolean isCandidate(final Sliding problem) {
		return operation() == problem.operation() && precisions().contains(problem.precision());
	}

	@Override
	SlidingPlan plan(Sliding problem, Device device);
}
