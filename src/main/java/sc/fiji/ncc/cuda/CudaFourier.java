package sc.fiji.ncc.cuda;

import java.util.Optional;
import java.util.Set;

import sc.fiji.ncc.cuda.driver.CudaDevice;
import sc.fiji.ncc.cuda.driver.Cufft;
import sc.fiji.ncc.cuda.driver.Transforms;
import sc.fiji.ncc.cuda.method.FourierMethod;
import sc.fiji.ncc.cuda.method.MaskedFourierMethod;
import sc.fiji.ncc.cuda.method.WindowSumsKernel;
import sc.fiji.ncc.cuda.run.CudaMethod;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Problem;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.plan.Weights;

/**
 * Numerators by Fourier transforms of the whole box (cuFFT), window sums beside them: what a response costs hardly grows with the template.
 * Each has an error estimate; if too many do not stand above it the transforms are done again in double, and what then remains by the definition.
 * Under a mask or weights, and where windows leave the image, the window sums are transforms, too, all of them in double.
 * Without cuFFT it is not offered: 8- and 16-bit pictures then go to the matrix units, which keep up with it to about 64x64.
 */
final class CudaFourier extends CudaAlgorithm {

	/** A pixel of a transform there and back, on one multiprocessor. */
	private static final double PIXEL = 132 * 25e-12;
	/** Double beside float, where it is half as quick. */
	private static final double IN_DOUBLE = 2.3;
	/** What three products take of the time of one. */
	private static final double PRODUCTS = 2.3;

	CudaFourier() {
		super("cuda-fourier");
	}

	@Override
	public Set<Precision> precisions() {
		return Set.of(Precision.values());
	}

	@Override
	Optional<String> unsupportedShape(final Problem p) {
		return Optional.ofNullable(Cufft.missing());
	}

	@Override
	boolean weighs() {
		return true;
	}

	private static boolean plain(final Size t, final Problem p) {
		return p.weights() == Weights.NONE && !p.lags().partial() && WindowSumsKernel.fit(t.get(0), false);
	}

	@Override
	CudaMethod prepare(final CudaDevice device, final Template template, final Problem problem) {
		return plain(template.size(), problem) ? new FourierMethod(device, template, problem) : new MaskedFourierMethod(device, template, problem);
	}

	@Override
	boolean inSlabs() {
		return false;
	}

	@Override
	double preparation() {
		return CudaCost.PREPARE + CudaCost.PLANS;
	}

	@Override
	double deviceSeconds(final CudaDevice device, final Size t, final Problem p) {
		double pixels = 1;
		for (int d = 0; d < p.size().dimensions(); d++) pixels *= Transforms.Extents.best((int) (Math.min(p.lags().count().get(d), 8192) + t.get(d) - 1))
			* Math.max(1, p.lags().count().get(d) / 8192.0);
		final boolean plain = plain(t, p);
		return pixels * PIXEL * (plain && p.precision() == Precision.SINGLE ? 1 : IN_DOUBLE * device.slowdownOfDouble() * (plain ? 1 : PRODUCTS)) / device.processors;
	}
}
