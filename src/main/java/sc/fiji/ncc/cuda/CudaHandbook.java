package sc.fiji.ncc.cuda;

import java.util.Optional;

import sc.fiji.ncc.cuda.driver.CudaDevice;
import sc.fiji.ncc.cuda.method.HandbookMethod;
import sc.fiji.ncc.cuda.run.CudaMethod;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Problem;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.plan.Weights;

/**
 * The two ways of Wilt, The CUDA Handbook, chapter 15, as they are printed but for the last combination: kept to compare with.
 * {@code cuda-handbook-texture} reads image and template through the texture unit and takes all five sums in the kernel (15.2);
 * {@code cuda-handbook-constant} has the template in constant memory and its sums beforehand (15.3).
 */
final class CudaHandbook extends CudaAlgorithm {

	/** One pixel of the template under one lag, on one multiprocessor. */
	private static final double TEXTURE_TAP = 132 / 5.1e11, CONSTANT_TAP = 132 / 1e12;

	private final boolean constant;

	CudaHandbook(final boolean constant) {
		super(constant ? "cuda-handbook-constant" : "cuda-handbook-texture");
		this.constant = constant;
	}

	@Override
	Optional<String> unsupportedShape(final Problem p) {
		for (final PixelType t : new PixelType[] { p.image(), p.template() })
			if (!t.exact() || t.bytes > 1) return Optional.of("the Handbook's kernels are for 8-bit pixels, not " + t);
		if (p.size().get(2) > 1) return Optional.of("the Handbook's kernels are for planes, not for an image of " + p.size());
		if (p.weights() != Weights.NONE) return Optional.of("the Handbook's kernels know no mask");
		if (p.lags().partial()) return Optional.of("the Handbook's kernels are for windows inside the image");
		for (final Size t : p.templates()) {
			if (constant && t.pixels() > HandbookMethod.MOST_CONSTANT)
				return Optional.of("constant memory holds templates of at most " + HandbookMethod.MOST_CONSTANT + " pixels, not " + t);
			if (t.pixels() > HandbookMethod.MOST)
				return Optional.of("its 32-bit sums hold templates of at most " + HandbookMethod.MOST + " pixels, not " + t);
		}
		if (p.size().get(0) > 131_072 || p.size().get(1) > 65_000) return Optional.of("an image of " + p.size() + " is larger than a texture");
		return Optional.empty();
	}

	@Override
	CudaMethod prepare(final CudaDevice device, final Template template, final Problem problem) {
		return new HandbookMethod(device, template, problem, constant);
	}

	@Override
	double deviceSeconds(final CudaDevice device, final Size t, final Problem p) {
		return p.lags().count().pixels() * (double) t.pixels() * (constant ? CONSTANT_TAP : TEXTURE_TAP) / device.processors;
	}
}
