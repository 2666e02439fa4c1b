package sc.fiji.ncc.cuda;

import java.util.Optional;
import java.util.Set;

import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Sliding.Convolution;

/** The base of the convolutions on CUDA devices: plain sums, in float or in double. */
abstract class CudaConvolution extends CudaAlgorithm<Convolution> {

	/** Seconds on one multiprocessor to convert a pixel and write a sum; seconds to find the range of pixels and those that are NaN or infinite. */
	private static final double LAG = 132 * 6e-12, LOOK = 132 * 7e-12;

	CudaConvolution(final String id) {
		super(id, Convolution.class);
	}

	@Override
	public final Set<Precision> precisions() {
		return Set.of(Precision.values());
	}

	@Override
	Optional<String> unsupportedShape(final Convolution p) {
		return Optional.empty();
	}

	@Override
	final double lagSeconds(final CudaCost costs, final Convolution p) {
		return costs.shared("sum-lag", LAG) + (p.image().exact() ? 0 : costs.shared("range-lag", LOOK));
	}
}
