package sc.fiji.ncc.cuda;

import sc.fiji.ncc.plan.Sliding.Convolution;

/** The base of the convolutions on CUDA devices: plain sums, in float or in double. */
abstract class CudaConvolution extends CudaAlgorithm<Convolution> {

	/** Seconds on one multiprocessor to convert a pixel and write a sum; seconds to find the range of pixels and those that are NaN or infinite. */
	private static final double LAG = 132 * 6e-12, LOOK = 132 * 7e-12;

	CudaConvolution(final String id) {
		super(id, Convolution.class);
	}

	@Override
	final double lagSeconds(final CudaCost costs, final Convolution p) {
		return costs.shared("sum-lag", LAG) + (p.image().exact() ? 0 : costs.shared("range-lag", LOOK));
	}
}
