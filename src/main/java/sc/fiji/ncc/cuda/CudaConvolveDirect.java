package sc.fiji.ncc.cuda;

import sc.fiji.ncc.cuda.driver.CudaDevice;
import sc.fiji.ncc.cuda.method.ConvolveDirectMethod;
import sc.fiji.ncc.cuda.run.CudaMethod;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Sliding.Convolution;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Template;

/** Convolution by one multiply-add per coefficient and lag, in float or in double. The error is bounded. */
final class CudaConvolveDirect extends CudaConvolution {

	/** Seconds of one multiprocessor for a coefficient in float, and for a coefficient in double if double is half as fast as float. */
	private static final double COEFFICIENT = 132 / 1.4e13, DOUBLE_COEFFICIENT = 132 / 7.5e12;

	CudaConvolveDirect() {
		super("cuda-convolve-direct");
	}

	@Override
	CudaMethod prepare(final CudaDevice device, final Template template, final Convolution problem) {
		return new ConvolveDirectMethod(device, template, problem);
	}

	@Override
	double deviceSeconds(final CudaCost costs, final Size t, final Convolution p) {
		final double coefficients = p.lags().count().pixels() * t.pixels();
		return coefficients * (p.precision() == Precision.SINGLE ? costs.shared("sum-tap",
			COEFFICIENT) : costs.shared("sum-tap-double", DOUBLE_COEFFICIENT) * costs.slowdown);
	}
}
