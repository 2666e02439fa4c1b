package sc.fiji.ncc.cuda;

import sc.fiji.ncc.cuda.driver.CudaDevice;
import sc.fiji.ncc.cuda.method.ConvolveTilesMethod;
import sc.fiji.ncc.cuda.run.CudaMethod;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Sliding.Convolution;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Template;

/**
 * Convolution by Fourier transforms of tiles, as {@link CudaFourierTiles}, in float or in double. The cost of a lag grows little with the kernel.
 * Errors are estimated.
 */
final class CudaConvolveFourier extends CudaConvolution {

	CudaConvolveFourier() {
		super("cuda-convolve-fourier");
	}

	@Override
	CudaMethod prepare(final CudaDevice device, final Template template, final Convolution problem) {
		return new ConvolveTilesMethod(device, template, problem);
	}

	@Override
	boolean inSlabs() {
		return false;
	}

	@Override
	double deviceSeconds(final CudaCost costs, final Size t, final Convolution p) {
		return CudaFourierTiles.seconds(costs, t, p.lags().count(), p.precision() == Precision.DOUBLE);
	}
}
