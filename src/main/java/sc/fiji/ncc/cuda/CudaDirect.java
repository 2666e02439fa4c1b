package sc.fiji.ncc.cuda;

import sc.fiji.ncc.cuda.driver.CudaDevice;
import sc.fiji.ncc.cuda.method.GeneralDirectMethod;
import sc.fiji.ncc.cuda.method.TiledDirectMethod;
import sc.fiji.ncc.cuda.method.WindowSumsKernel;
import sc.fiji.ncc.cuda.run.CudaMethod;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Sliding.Correlation;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.plan.Weights;

/**
 * Direct correlation in float, for pixels of any type: one pass over the zero-mean template (Papamakarios, Rizos, Pitsianis, FLCC, eq. 6), and
 * the window sums in double. Each response has an error estimate. Responses above the tolerance are rechecked: they are computed by the
 * definition, in compensated double. Double precision uses double everywhere. Templates with a mask or weights, those wider than {@link
 * WindowSumsKernel#fit}, in single precision those of more than about two million pixels, windows partly outside the image, missing pixels and several
 * channels are summed in double, one lag per thread.
 */
final class CudaDirect extends CudaAlgorithm<Correlation> {

	/** Seconds of one multiprocessor for a multiply-add in float, for one in double, for a pixel with its sums in double, and for one that may be missing. */
	private static final double COEFFICIENT = 132 / 1.9e13, DOUBLE_COEFFICIENT = 132 / 6.5e12, PIXEL = 132 / 6.5e11,
		PRESENT_PIXEL = 132 / 4.5e11;
	/** The launches of a template in one of many frames. */
	private static final double OF_MANY = 20e-6;

	CudaDirect() {
		super("cuda-direct", Correlation.class);
	}

	@Override
	boolean weighs() {
		return true;
	}

	@Override
	boolean joins() {
		return true;
	}

	private static boolean tiled(final Size t, final Correlation p) {
		return p.weights() == Weights.NONE && !p.lags().partial() && p.channels() == 1 && WindowSumsKernel.fit(t.get(0), false)
			&& TiledDirectMethod.fits(t, p.precision());
	}

	@Override
	CudaMethod prepare(final CudaDevice device, final Template template, final Correlation problem) {
		return tiled(template.size(), problem) ? new TiledDirectMethod(device, template, problem)
			: new GeneralDirectMethod(device, template, problem, false);
	}

	@Override
	double preparation(final CudaCost costs, final Correlation p) {
		if (!tiled(p.templates().get(0), p)) return super.preparation(costs, p);
		return costs.prepare() + costs.templatesOneByOne(p, "float-template-pixel", CudaCost.FLOAT_TEMPLATE);
	}

	@Override
	double deviceSeconds(final CudaCost costs, final Size t, final Correlation p) {
		final double lags = p.lags().count().pixels();
		if (!tiled(t, p)) return p.channels() * lags * t.pixels() * pixel(costs, p) * costs.slowdown * costs.idle(p, 32, 8);
		// the kernel sums complete chunks of 8 columns
		return lags * ((t.get(0) + 7) / 8 * 8.0 * t.get(1) * t.get(2) * coefficient(costs, p)
			+ (TiledDirectMethod.inOnePass(costs.gpu, t, p) ? 0 : costs.lag()))
			* costs.idle(p, 256, 32) + (p.frames() > 1 ? costs.seconds("direct-of-many", OF_MANY) : 0);
	}

	/** The seconds for a coefficient of a tiled template. */
	private static double coefficient(final CudaCost costs, final Correlation p) {
		return p.precision() == Precision.SINGLE ? costs.shared("direct-tap", COEFFICIENT)
			: costs.shared("direct-tap-double", DOUBLE_COEFFICIENT) * costs.slowdown;
	}

	/** The seconds for a pixel of a window with its sums in double. */
	private static double pixel(final CudaCost costs, final Correlation p) {
		return p.lags().masked() || p.channels() > 1 ? costs.shared("direct-present-pixel", PRESENT_PIXEL)
			: costs.shared("direct-pixel", PIXEL);
	}
}
