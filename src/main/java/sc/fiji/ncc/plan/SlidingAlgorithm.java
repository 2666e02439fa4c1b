package sc.fiji.ncc.plan;

import java.util.Optional;
import java.util.Set;

/**
 * A method for templates or kernels that slide over an image, for example direct or Fourier correlation.
 *
 * @param <P> correlation or convolution
 */
public interface SlidingAlgorithm<P extends Sliding> extends Algorithm<P> {

	/** A method for templates. */
	interface Correlating extends SlidingAlgorithm<Sliding.Correlation> {

		@Override
		default Class<Sliding.Correlation> kind() {
			return Sliding.Correlation.class;
		}
	}

	/** The precisions that it supports. Default: all. */
	default Set<Precision> precisions() {
		return Set.of(Precision.values());
	}

	/** An algorithm for another precision is a candidate only if the caller names it. */
	@Override
	default boolean isCandidate(final P problem) {
		return precisions().contains(problem.precision());
	}

	/** The reason why it does not support the precision of a problem. Empty if it supports it. */
	default Optional<String> otherPrecision(final P problem) {
		return precisions().contains(problem.precision()) ? Optional.empty()
			: Optional.of("it computes in " + precisions().iterator().next() + " precision, not " + problem.precision());
	}

	@Override
	SlidingPlan plan(P problem, Device device);

	@Override
	default SlidingPlan planAny(final Problem problem, final Device device) {
		return plan(kind().cast(problem), device);
	}
}
