package sc.fiji.ncc.cuda;

import java.util.Optional;
import java.util.Set;

import sc.fiji.ncc.plan.Operation;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Problem;
import sc.fiji.ncc.plan.Weights;

/** What the ways to convolve on CUDA devices share: plain sums, in float or in double. */
abstract class CudaConvolution extends CudaAlgorithm {

	/** To convert a pixel and to write a sum, on one multiprocessor; and to look how large it is, and for those that are NaN or infinite. */
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
	final Optional<String> unsupportedShape(final Problem p) {
		return p.weights() != Weights.NONE ? Optional.of("a kernel has no mask: set its taps to 0 where none shall be") : unsuited(p);
	}

	/** Why it does not apply to kernels of these sizes, in words; empty if it does. */
	Optional<String> unsuited(final Problem p) {
		return Optional.empty();
	}

	@Override
	final double lagSeconds(final Problem p) {
		return p.image().exact() ? LAG : LAG + LOOK;
	}
}
