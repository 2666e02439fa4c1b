package sc.fiji.ncc.cuda;

import java.util.Optional;

import sc.fiji.ncc.cuda.driver.CudaDevice;
import sc.fiji.ncc.cuda.method.TileSpectra;
import sc.fiji.ncc.cuda.method.FourierTilesMethod;
import sc.fiji.ncc.cuda.method.WindowSumsKernel;
import sc.fiji.ncc.cuda.run.CudaMethod;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Sliding.Correlation;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.plan.Weights;

/**
 * Numerators by Fourier transforms of tiles, in kernels that keep a tile in shared memory. It needs no library. A template that is too large for a tile is
 * cut into parts; the planes of a volume are parts as well. Error estimates, fallback and recheck are those of {@link CudaFourier}, per tile.
 */
final class CudaFourierTiles extends CudaAlgorithm<Correlation> {

	/** Seconds of one multiprocessor for a number of a forward or inverse transform, and for a number of a product with a part. */
	private static final double NUMBER = 132 * 13e-12, PRODUCT = 132 * 4e-12;
	/** The launches of a template in one of many frames. */
	private static final double OF_MANY = 45e-6;

	/** The time of double relative to float, if double is half as fast as float. */
	private static final double IN_DOUBLE = 1.8;

	CudaFourierTiles() {
		super("cuda-fourier-tiles", Correlation.class);
	}

	@Override
	Optional<String> unsupportedShape(final Correlation p) {
		if (p.weights() != Weights.NONE) return Optional.of("tiles on CUDA do not support masks: use cuda-direct");
		if (p.lags().partial()) return Optional.of("tiles on CUDA support windows inside the image only: use cuda-direct");
		for (final Size t : p.templates())
			if (!WindowSumsKernel.fit(t.get(0), false)) return Optional.of("its window sums support templates up to 768 pixels wide, not "
				+ t);
		return Optional.empty();
	}

	@Override
	CudaMethod prepare(final CudaDevice device, final Template template, final Correlation problem) {
		return new FourierTilesMethod(device, template, problem);
	}

	@Override
	boolean inSlabs() {
		return false;
	}

	@Override
	double preparation(final CudaCost costs, final Correlation p) {
		return costs.prepare() + costs.templatesOneByOne(p, "spectral-template-pixel", CudaCost.SPECTRAL_TEMPLATE);
	}

	@Override
	double deviceSeconds(final CudaCost costs, final Size t, final Correlation p) {
		return seconds(costs, t, p.lags().count(), p.precision() == Precision.DOUBLE)
			+ (p.frames() > 1 ? costs.seconds("tiles-of-many", OF_MANY) : 0);
	}

	static double seconds(final CudaCost costs, final Size t, final Size lags, final boolean inDouble) {
		final TileSpectra.Cut cut = TileSpectra.cut(costs.gpu, t, inDouble);
		final double numbers = (double) cut.side() * cut.side() * cut.across(lags.get(0)) * cut.half(lags.get(1));
		return (inDouble ? IN_DOUBLE * costs.slowdown : 1) * numbers
			* ((2 * lags.get(2) + t.get(2) - 1) * costs.shared("tiles-number", NUMBER)
			+ lags.get(2) * costs.shared("tiles-product", PRODUCT) * cut.partsX() * cut.partsY() * t.get(2));
	}
}
