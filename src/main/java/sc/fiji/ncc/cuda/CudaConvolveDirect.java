package sc.fiji.ncc.cuda;

import sc.fiji.ncc.cuda.driver.CudaDevice;
import sc.fiji.ncc.cuda.method.DirectSumsMethod;
import sc.fiji.ncc.cuda.run.CudaMethod;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Problem;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Template;

/** Convolution by a multiply-add for each tap and lag, in float or in double, with errors that are bounded. */
final class CudaConvolveDirect extends CudaConvolution {

	/** A tap in float on one multiprocessor, and one in double where those are half as many. */
	private static final double TAP = 132 / 1.4e13, DOUBLE_TAP = 132 / 7.5e12;

	CudaConvolveDirect() {
		super("cuda-convolve-direct");
	}

	@Override
	CudaMethod prepare(final CudaDevice device, final Template template, final Problem problem) {
		return new DirectSumsMethod(device, template, problem);
	}

	@Override
	double deviceSeconds(final CudaDevice device, final Size t, final Problem p) {
		final double taps = p.lags().count().pixels() * t.pixels();
		return taps * (p.precision() == Precision.SINGLE ? TAP : DOUBLE_TAP * device.slowdownOfDouble()) / device.processors;
	}
}
