package sc.fiji.ncc.cuda;

import java.util.Optional;

import sc.fiji.ncc.plan.Problem;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.plan.Weights;

/**
 * Numerators by Fourier transforms of the whole box (cuFFT), window sums beside them: what a response costs hardly grows with the template.
 * Each has an error estimate; if too many do not stand above it the transforms are done again in double, and what then remains by the definition.
 * Without cuFFT it is not offered: 8- and 16-bit pictures then go to the matrix units, which keep up with it to about 64x64.
 */
final class Fourier extends CudaAlgorithm {

	/** A pixel of a transform there and back, on one multiprocessor. */
	private static final double PIXEL = 132 * 25e-12;

	Fourier() {
		super("cuda-fourier");
	}

	@Override
	Optional<String> unsupportedShape(final Problem p) {
		if (p.weights() != Weights.NONE) return Optional.of("the Fourier way on CUDA knows no mask; cuda-direct does");
		if (p.lags().partial()) return Optional.of("the Fourier way on CUDA is for windows inside the image; cuda-direct is for all");
		for (final Size t : p.templates())
			if (!WindowSums.fit(t.get(0), false)) return Optional.of("its window sums are for templates up to 768 pixels wide, not " + t);
		return Optional.ofNullable(Cufft.missing());
	}

	@Override
	CudaMethod prepare(final CudaDevice device, final Template template, final Problem problem) {
		return new FourierMethod(device, template, problem);
	}

	@Override
	boolean inSlabs() {
		return false;
	}

	@Override
	double deviceSeconds(final CudaDevice device, final Size t, final Problem p) {
		double pixels = 1;
		for (int d = 0; d < p.size().dimensions(); d++) pixels *= Transforms.Extents.best((int) (Math.min(p.lags().count().get(d), 8192) + t.get(d) - 1))
			* Math.max(1, p.lags().count().get(d) / 8192.0);
		return pixels * PIXEL / device.processors;
	}
}
