package sc.fiji.ncc.cuda;

import java.util.Optional;

import sc.fiji.ncc.cuda.driver.CudaDevice;
import sc.fiji.ncc.cuda.method.ConvolveSeparableMethod;
import sc.fiji.ncc.cuda.run.CudaMethod;
import sc.fiji.ncc.plan.Sliding.Convolution;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Template;

/**
 * Convolution along one dimension after the other, for kernels that are sums of a few products of one-dimensional kernels (see {@link
 * sc.fiji.ncc.numeric.Separation}).
 */
final class CudaConvolveSeparable extends CudaConvolution {

	/** Seconds of one multiprocessor for a coefficient, and for a number that is written and read. */
	private static final double COEFFICIENT = 132 / 6e12, NUMBER = 132 * 8e-12;
	private static final int MAX_WIDTH = 1024;

	CudaConvolveSeparable() {
		super("cuda-convolve-separable");
	}

	@Override
	Optional<String> unsupportedShape(final Convolution p) {
		if (p.terms() == 0) return Optional.of("within the tolerance, the kernel is not a sum of a few products of one-dimensional kernels");
		for (final Size k : p.templates())
			if (k.get(0) > MAX_WIDTH) return Optional.of("it supports kernels up to " + MAX_WIDTH + " pixels wide, not " + k);
		return p.size().dimensions() < 2 ? Optional.of("it supports two or three dimensions, but the kernel has " + p.size().dimensions()) : Optional.empty();
	}

	@Override
	CudaMethod prepare(final CudaDevice device, final Template template, final Convolution problem) {
		return new ConvolveSeparableMethod(device, template, problem);
	}

	@Override
	double deviceSeconds(final CudaCost costs, final Size t, final Convolution p) {
		final double coefficients = t.get(0) + t.get(1) + (t.get(2) > 1 ? t.get(2) : 0), numbers = t.get(2) > 1 ? 2 : 1;
		return p.lags().count().pixels() * p.terms() * (coefficients * costs.shared("separable-tap", COEFFICIENT) * costs.slowdown
			+ numbers * costs.shared("separable-number", NUMBER));
	}
}
