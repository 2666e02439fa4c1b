package sc.fiji.ncc.cuda;

import java.util.Optional;
import java.util.Set;

import sc.fiji.ncc.cuda.driver.CudaDevice;
import sc.fiji.ncc.cuda.method.HandbookMethod;
import sc.fiji.ncc.cuda.run.CudaMethod;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Sliding.Correlation;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.plan.Weights;

/**
 * The two methods of Wilt, The CUDA Handbook, chapter 15, for comparison. Only the last step, from sums to responses, differs from the book.
 * {@code cuda-handbook-texture} reads image and template through the texture unit and computes all five sums in the kernel (15.2).
 * {@code cuda-handbook-constant} has the template in constant memory and computes its sums in advance (15.3).
 */
final class CudaHandbook extends CudaAlgorithm<Correlation> {

	/** Seconds of one multiprocessor for a pixel of the template at one lag. */
	private static final double TEXTURE_COEFFICIENT = 132 / 5.1e11, CONSTANT_COEFFICIENT = 132 / 1e12;
	/** Loading a template into constant memory: a copy of the kernels for each. */
	private static final double LOADING = 300e-6;

	private final boolean constant;

	CudaHandbook(final boolean constant) {
		super(constant ? "cuda-handbook-constant" : "cuda-handbook-texture", Correlation.class);
		this.constant = constant;
	}

	@Override
	public Set<Precision> precisions() {
		return Set.of(Precision.SINGLE);
	}

	@Override
	Optional<String> unsupportedShape(final Correlation p) {
		for (final PixelType t : new PixelType[] { p.image(), p.template() })
			if (!t.exact() || t.bytes > 1) return Optional.of("the Handbook's kernels support 8-bit pixels, not " + t);
		if (p.size().get(2) > 1) return Optional.of("the Handbook's kernels support planes, not an image of " + p.size());
		if (p.weights() != Weights.NONE) return Optional.of("the Handbook's kernels do not support masks: use cuda-direct");
		if (p.lags().partial()) return Optional.of("the Handbook's kernels support windows inside the image only: use cuda-direct");
		for (final Size t : p.templates()) {
			if (constant && t.pixels() > HandbookMethod.MAX_CONSTANT)
				return Optional.of("constant memory holds templates of at most " + HandbookMethod.MAX_CONSTANT + " pixels, not " + t);
			if (t.pixels() > HandbookMethod.MAX)
				return Optional.of("its 32-bit sums hold templates of at most " + HandbookMethod.MAX + " pixels, not " + t);
		}
		if (p.size().get(0) > 131_072 || p.size().get(1) > 65_000) return Optional.of("an image of " + p.size()
			+ " is larger than a texture");
		return Optional.empty();
	}

	@Override
	CudaMethod prepare(final CudaDevice device, final Template template, final Correlation problem) {
		return new HandbookMethod(device, template, problem, constant);
	}

	@Override
	double preparation(final CudaCost costs, final Correlation p) {
		return super.preparation(costs, p) + (constant ? p.templates().size() * costs.seconds("constant-template", LOADING) : 0);
	}

	@Override
	double deviceSeconds(final CudaCost costs, final Size t, final Correlation p) {
		return p.lags().count().pixels() * (double) t.pixels() * (constant ? costs.shared("constant-tap",
			CONSTANT_COEFFICIENT) : costs.shared("texture-tap", TEXTURE_COEFFICIENT));
	}
}
