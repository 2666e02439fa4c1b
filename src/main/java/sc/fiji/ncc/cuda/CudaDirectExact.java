package sc.fiji.ncc.cuda;

import java.util.List;
import java.util.Optional;

import sc.fiji.ncc.cuda.driver.CudaDevice;
import sc.fiji.ncc.cuda.method.GeneralDirectMethod;
import sc.fiji.ncc.cuda.method.BankMethod;
import sc.fiji.ncc.cuda.method.ExactMethod;
import sc.fiji.ncc.cuda.method.OnePassMethod;
import sc.fiji.ncc.cuda.run.CudaMethod;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Sliding.Correlation;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.plan.Weights;

/**
 * Direct correlation of 8- and 16-bit images in exact integers, on the matrix units. 16-bit pixels are two planes of bytes. Sums have 64
 * bits, N·ΣPT - ΣP·ΣT has 128. The results have the same bits as those of {@code cpu-direct-exact}, in both precisions. Templates with a mask, windows partly
 * outside the image, missing pixels and several channels are summed by one thread per lag.
 */
final class CudaDirectExact extends CudaAlgorithm<Correlation> {

	/** Seconds of one multiprocessor for a multiply-add of 8-bit numbers on the matrix units; and for a pixel with its sums without them. */
	private static final double COEFFICIENT = 132 / 3e14, PLAIN_COEFFICIENT = 132 / 7.5e11;
	/** The additional seconds of a response in double on one multiprocessor: to write and read its sums; to compute its quotient. */
	private static final double DOUBLE_LAG = 132 * 10e-12, DOUBLE_QUOTIENT = 132 * 4e-12;
	/** The maximum number of templates that share the work on the image. */
	private static final int MAX_TOGETHER = 32;
	/** Σ of products of two centred 16-bit values stays below 2^63. */
	private static final long MAX_PIXELS = 1L << 26;

	CudaDirectExact() {
		super("cuda-direct-exact", Correlation.class);
	}

	@Override
	boolean joins() {
		return true;
	}

	@Override
	Optional<String> unsupportedShape(final Correlation p) {
		if (!p.image().exact() || !p.template().exact())
			return Optional.of("exact sums support 8- and 16-bit pixels, not " + p.image() + " with " + p.template());
		for (final Size t : p.templates())
			if (t.pixels() * p.channels() > MAX_PIXELS) return Optional.of("exact sums support templates of at most "
				+ MAX_PIXELS / p.channels() + " pixels, not " + t);
		return Optional.empty();
	}

	private static boolean inOnePass(final CudaDevice device, final Size t, final Correlation p) {
		return p.precision() == Precision.SINGLE && p.weights() == Weights.NONE && !p.lags().partial() && p.channels() == 1
			&& p.template().bytes <= p.image().bytes && OnePassMethod.fits(device, p.image().bytes, t);
	}

	private static boolean onMatrixUnits(final CudaDevice device, final Size t, final Correlation p) {
		return p.weights() == Weights.NONE && !p.lags().partial() && p.channels() == 1
			&& ExactMethod.fits(device, t.get(0), p.image().bytes == 1 && t.pixels() < 1 << 17);
	}

	@Override
	CudaMethod prepare(final CudaDevice device, final Template template, final Correlation problem) {
		if (inOnePass(device, template.size(), problem)) return new OnePassMethod(device, List.of(template), problem);
		return onMatrixUnits(device, template.size(), problem) ? new ExactMethod(device, template, problem)
			: new GeneralDirectMethod(device, template, problem, true);
	}

	@Override
	int together(final CudaDevice device, final List<Template> templates, final Correlation problem) {
		final Size size = templates.get(0).size();
		if (!inOnePass(device, size, problem)) return 1;
		int n = 1;
		while (n < Math.min(MAX_TOGETHER, templates.size()) && templates.get(n).size().equals(size)) n++;
		return n;
	}

	@Override
	CudaMethod prepare(final CudaDevice device, final List<Template> templates, final Correlation problem) {
		if (templates.size() == 1) return prepare(device, templates.get(0), problem);
		final Size size = templates.get(0).size();
		final boolean bank = problem.image().bytes == 1 && BankMethod.fits(device, templates.size(), size.get(0), size.get(1), size.get(2),
			problem.lags().count().get(0));
		return bank ? new BankMethod(device, templates, problem) : new OnePassMethod(device, templates, problem);
	}

	@Override
	int rounds(final CudaDevice device, final Correlation p) {
		int rounds = 0, together = 0;
		for (int t = 0; t < p.templates().size(); t++) {
			final Size size = p.templates().get(t);
			// templates with lags of their own need other pixels
			final boolean joins = t > 0 && !p.lags().apart() && together < MAX_TOGETHER && size.equals(p.templates().get(t - 1))
				&& inOnePass(device, size, p);
			together = joins ? together + 1 : 1;
			if (!joins) rounds++;
		}
		return rounds;
	}

	@Override
	double deviceSeconds(final CudaCost costs, final Size t, final Correlation p) {
		return coefficients(costs, t, p) + (p.precision() == Precision.SINGLE ? 0
			: p.lags().count().pixels() * (DOUBLE_LAG + DOUBLE_QUOTIENT * costs.slowdown) / costs.processors);
	}

	private static double coefficients(final CudaCost costs, final Size t, final Correlation p) {
		final double lags = p.lags().count().pixels();
		if (!onMatrixUnits(costs.gpu, t, p)) return p.channels() * lags * t.pixels() * costs.shared("exact-plain-tap", PLAIN_COEFFICIENT);
		final double coefficients = 32.0 * ExactMethod.steps((int) t.get(0)) * t.get(1) * t.get(2);
		// in one pass, coefficients for 16-bit pixels are two planes of bytes in any case
		final int products = p.image().bytes * (inOnePass(costs.gpu, t, p) ? p.image().bytes : p.template().bytes);
		return lags * coefficients * products * costs.shared("exact-tap", COEFFICIENT) * costs.idle(p, 128, 32);
	}
}
