package sc.fiji.ncc.cuda;

import java.util.List;
import java.util.Optional;

import sc.fiji.ncc.cuda.driver.CudaDevice;
import sc.fiji.ncc.cuda.driver.Cufft;
import sc.fiji.ncc.cuda.driver.TransformExtents;
import sc.fiji.ncc.cuda.method.FourierBank;
import sc.fiji.ncc.cuda.method.FourierMethod;
import sc.fiji.ncc.cuda.method.MaskedFourierMethod;
import sc.fiji.ncc.cuda.method.WindowSumsKernel;
import sc.fiji.ncc.cuda.run.CudaMethod;
import sc.fiji.ncc.cuda.run.Slabs;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Sliding.Correlation;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.plan.Weights;

/**
 * Numerators by Fourier transforms of the whole box (in passes or by cuFFT), and window sums. The cost of a response grows little with the template.
 * Each response has an error estimate. If too many are above the tolerance, the transforms run in double; the remaining ones are computed by the definition.
 * With a mask or weights, and for windows partly outside the image, the window sums are transforms as well, all in double. It needs cuFFT.
 */
final class CudaFourier extends CudaAlgorithm<Correlation> {

	/**
	 * Seconds of one multiprocessor for a pixel of a forward and an inverse transform, by cuFFT, in passes, and of each template of a bank.
	 */
	private static final double PIXEL = 132 * 25e-12, PIXEL_IN_PASSES = 132 * 22e-12, PIXEL_IN_BANK = 132 * 13e-12;
	/**
	 * The time of a pixel of a volume in passes relative to that of a plane; and what sums of windows of real pixels add to a lag of a volume.
	 */
	private static final double VOLUME = 1.1, REAL_LAG_OF_VOLUME = 132 * 28e-12;
	/** The additional time of a single image: as for other images that are not cut, and with the transforms of the templates. */
	private static final double FRAME = 400e-6;
	/** The launches of a template in one of many frames. */
	private static final double OF_MANY = 110e-6;
	/** Compiling the passes for the lengths of an image: all files at the same time. */
	private static final double COMPILE = 1;
	/** The time of double relative to float, if double is half as fast as float. */
	private static final double IN_DOUBLE = 2.3;
	/** The time of three products relative to one: five transforms relative to two. */
	private static final double PRODUCTS = 2.3;

	CudaFourier() {
		super("cuda-fourier", Correlation.class);
	}

	@Override
	boolean joins() {
		return true;
	}

	@Override
	Optional<String> unsupportedShape(final Correlation p) {
		return Optional.ofNullable(Cufft.missing());
	}

	@Override
	boolean weighs() {
		return true;
	}

	private static boolean plain(final Size t, final Correlation p) {
		return p.weights() == Weights.NONE && !p.lags().partial() && p.channels() == 1 && WindowSumsKernel.fit(t.get(0), false);
	}

	@Override
	CudaMethod prepare(final CudaDevice device, final Template template, final Correlation problem) {
		return plain(template.size(), problem) ? new FourierMethod(device, template, problem)
			: new MaskedFourierMethod(device, template, problem);
	}

	@Override
	int together(final CudaDevice device, final List<Template> templates, final Correlation problem) {
		return bank(device, templates.stream().map(Template::size).toList(), problem);
	}

	/**
	 * The number of templates, from the first on, that each kernel computes together, and that share the window sums: in planes in passes, as many as the
	 * GPU's memory holds.
	 */
	private static int bank(final CudaDevice device, final List<Size> templates, final Correlation p) {
		final Size t = templates.get(0);
		if (p.size().dimensions() > 2 || p.lags().apart() || p.precision() == Precision.DOUBLE || inPasses(device, t, p) == null
			|| !FourierMethod.respondsAtOnce(device, p)) return 1;
		int n = 1;
		while (n < Math.min(FourierBank.MOST, templates.size()) && templates.get(n).equals(t)
			&& Slabs.fits(device, p.lags().count().pixels(), FourierBank.bytesPerLag(n + 1), p.result(), n + 1)) n++;
		return n;
	}

	@Override
	CudaMethod prepare(final CudaDevice device, final List<Template> templates, final Correlation problem) {
		if (templates.size() == 1) return prepare(device, templates.get(0), problem);
		return new FourierBank(inParallel(device, templates, t -> new FourierMethod(device, t, problem)));
	}

	@Override
	int rounds(final CudaDevice device, final Correlation p) {
		final List<Size> templates = p.templates();
		int rounds = 0;
		for (int t = 0; t < templates.size(); rounds++) t += bank(device, templates.subList(t, templates.size()), p);
		return rounds;
	}

	@Override
	boolean inSlabs() {
		return false;
	}

	@Override
	double wholeSeconds(final CudaCost costs) {
		return costs.seconds("frame-fourier", FRAME);
	}

	@Override
	double preparation(final CudaCost costs, final Correlation p) {
		final boolean plain = plain(p.templates().get(0), p);
		return costs.prepare() + transforms(costs, p) + (plain
			? costs.templatesOneByOne(p, "spectral-template-pixel", CudaCost.SPECTRAL_TEMPLATE)
			: costs.templates(p, "tables-pixel", CudaCost.TABLES) + (p.templates().size() - 1) * CudaCost.EACH_WITH_TABLES);
	}

	/** The seconds to prepare the transforms: to plan those of cuFFT, or to compile the passes for lengths that are new on this computer. */
	private static double transforms(final CudaCost costs, final Correlation p) {
		final Size t = p.templates().get(0);
		final TransformExtents inPasses = inPasses(costs.gpu, t, p);
		if (inPasses == null) return costs.seconds("transform-plans", CudaCost.PLANS);
		return FourierMethod.ready(costs.gpu, inPasses, p) ? 0 : COMPILE;
	}

	/** The extents of the transform if it is done in passes; else null. */
	private static TransformExtents inPasses(final CudaDevice device, final Size t, final Correlation p) {
		final Size lags = p.lags().count();
		return !plain(t, p) ? null : FourierMethod.inPasses(device, lags.get(0) + t.get(0) - 1, lags.get(1) + t.get(1) - 1,
			lags.get(2) + t.get(2) - 1);
	}

	@Override
	double roundSeconds(final CudaCost costs, final Correlation p) {
		return costs.round(p, !plain(p.templates().get(0), p));
	}

	@Override
	double lagSeconds(final CudaCost costs, final Correlation p) {
		final boolean real = p.size().dimensions() > 2 && !p.image().exact() && plain(p.templates().get(0), p);
		return costs.lag() / bank(costs.gpu, p.templates(), p) + (real ? costs.shared("real-lag-of-volume", REAL_LAG_OF_VOLUME) : 0);
	}

	@Override
	double deviceSeconds(final CudaCost costs, final Size t, final Correlation p) {
		return transformSeconds(costs, t, p) + (p.frames() > 1 && plain(t, p) ? costs.seconds("fourier-of-many", OF_MANY) : 0);
	}

	private static double transformSeconds(final CudaCost costs, final Size t, final Correlation p) {
		final boolean plain = plain(t, p), masked = p.lags().masked();
		final TransformExtents inPasses = inPasses(costs.gpu, t, p);
		if (inPasses != null) return inPasses.reals() * (bank(costs.gpu, p.templates(), p) > 1 ? costs.shared("bank-point", PIXEL_IN_BANK)
			: costs.shared("passes-point", PIXEL_IN_PASSES)) * (inPasses.z() > 1 ? VOLUME : 1)
			* (p.precision() == Precision.SINGLE ? 1 : IN_DOUBLE * costs.slowdown);
		double pixels = 1;
		for (int d = 0; d < p.size().dimensions(); d++) pixels *=
			TransformExtents.best((int) (Math.min(p.lags().count().get(d), 8192) + t.get(d) - 1))
			* Math.max(1, p.lags().count().get(d) / 8192.0);
		// of each channel, of the squares over all channels, and of the mask of the image
		final double transforms = p.channels() * (masked ? 4 : 3) + 2 + (masked ? 3 : 0);
		if (plain && p.precision() == Precision.SINGLE) return pixels * costs.shared("fourier-point", PIXEL);
		return pixels * costs.shared("fourier-point-double", PIXEL * IN_DOUBLE) * costs.slowdown * (plain ? 1 : PRODUCTS * transforms / 5);
	}
}
