package sc.fiji.ncc.cuda;

import java.util.Optional;
import java.util.Set;

import sc.fiji.ncc.cuda.driver.CudaDevice;
import sc.fiji.ncc.cuda.method.AnyMethod;
import sc.fiji.ncc.cuda.method.FloatMethod;
import sc.fiji.ncc.cuda.method.WindowSumsKernel;
import sc.fiji.ncc.cuda.run.CudaMethod;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Problem;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.plan.Weights;

/**
 * Direct correlation in float, for pixels of any type: one pass over the zero-mean template (Papamakarios, Rizos, Pitsianis, FLCC, eq. 6), with
 * the window sums in double beside it. Every response has an error estimate; those above the tolerance are computed again by the
 * definition, in double with compensation. The same in double for double precision. Templates with a mask or weights, and windows partly outside
 * the image, are summed in double, one lag a thread.
 */
final class CudaDirect extends CudaAlgorithm {

	/** One multiply-add in float and in double on one multiprocessor; and one pixel with its sums in double. */
	private static final double TAP = 132 / 1.6e13, DOUBLE_TAP = 132 / 6.5e12, PIXEL = 132 / 6.5e11;

	CudaDirect() {
		super("cuda-direct");
	}

	@Override
	public Set<Precision> precisions() {
		return Set.of(Precision.values());
	}

	@Override
	boolean weighs() {
		return true;
	}

	@Override
	Optional<String> unsupportedShape(final Problem p) {
		return Optional.empty();
	}

	private static boolean tiled(final Size t, final Problem p) {
		return p.weights() == Weights.NONE && !p.lags().partial() && WindowSumsKernel.fit(t.get(0), false);
	}

	@Override
	CudaMethod prepare(final CudaDevice device, final Template template, final Problem problem) {
		return tiled(template.size(), problem) ? new FloatMethod(device, template, problem) : new AnyMethod(device, template, problem, false);
	}

	@Override
	double deviceSeconds(final CudaDevice device, final Size t, final Problem p) {
		final double lags = p.lags().count().pixels();
		if (!tiled(t, p)) return lags * t.pixels() * PIXEL * device.slowdownOfDouble() / device.processors;
		final double tap = p.precision() == Precision.SINGLE ? TAP : DOUBLE_TAP * device.slowdownOfDouble();
		// chunks of 8 columns are summed whole
		return lags * ((t.get(0) + 7) / 8 * 8.0 * t.get(1) * t.get(2) * tap + CudaCost.LAG) / device.processors * CudaCost.idle(device, p.lags().count(), 256, 32);
	}
}
