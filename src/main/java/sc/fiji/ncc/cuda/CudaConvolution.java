package sc.fiji.ncc.cuda;

import java.util.Optional;
import java.util.Set;

import sc.fiji.ncc.plan.Operation;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Sliding;
import sc.fiji.ncc.plan.Weights;

/** The base of the convolutions on CUDA devices: plain sums, in float or in double. */
abstract class CudaConvolution extends CudaAlgorithm {

	/** Seconds on one multiprocessor to convert a pixel and write a sum; seconds to find the range of pixels and those that are NaN or infinite. */
	private static final double LAG = 132 * 6e-12, LOOK = 132 * 7e-12;

	CudaConvolution(final String id) {
		super(id);
	}

	@Override
	public final Operation operation() {
		return Operation.CONVOLUTION;
	}

	@Override
	public final Set<Precision> precisions() {
		return Set.of(Precision.values());
	}

	@Override
	final Optional<String> unsupportedShape(final Sliding p) {
		return p.weights() != Weights.NONE ? Optional.of("a kernel cannot have a mask: set the values outside it to 0") : unsuited(p);
	}

	/** The reason why it does not apply to kernels of these sizes; empty if it applies. */
	Optional<String> unsuited(final Sliding p) {
		return Optional.empty();
	}

	@Override
	final double lagSeconds(final Sliding p) {
		return p.image().exact() ? LAG : LAG + LOOK;
	}
}
