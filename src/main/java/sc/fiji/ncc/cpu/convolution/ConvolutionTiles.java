package sc.fiji.ncc.cpu.convolution;

import java.util.List;
import java.util.function.Supplier;

import sc.fiji.ncc.cpu.execution.TileMethod;
import sc.fiji.ncc.cpu.tile.TemplatePlanes;
import sc.fiji.ncc.numeric.ConvolutionKernel;
import sc.fiji.ncc.plan.Lags;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Sliding;
import sc.fiji.ncc.plan.Template;

/**
 * Kernels of one size and pixel type. The error of a convolution is at most {@link sc.fiji.ncc.numeric.RoundingBound#TOLERANCE} times max|pixel|·Σ|kernel|
 * in float, and {@link sc.fiji.ncc.numeric.DoubleSeparation#TOLERANCE} times max|pixel|·Σ|kernel| in double.
 * <ol>
 * <li>The tile is computed with the primary sums. If these bound their errors, its pixels are not scaled; else they are scaled about 0 by a power of
 * two.</li>
 * <li>If pixels are NaN, infinite, very large or very small, or the error estimate of a transform exceeds the tolerance, the whole tile is computed with
 * the fallback sums from scaled pixels.</li>
 * </ol>
 * A sum is undefined exactly where a pixel that is NaN or infinite meets a kernel value other than 0, or too little of the kernel overlaps the image.
 */
final class ConvolutionTiles extends TileMethod {

	final List<Template> templates;
	final List<ConvolutionKernel> kernels;
	final TemplatePlanes planes;
	final PixelType image;
	final Lags lags;
	final Sums sums;

	/**
	 * The sums of products.
	 *
	 * @param scalesFirst whether the primary sums need scaled pixels
	 * @param primary creates a thread's primary sums
	 * @param fallback creates a thread's fallback sums; null if they are the primary sums of scaled pixels
	 */
	record Sums(boolean scalesFirst, Supplier<KernelSums> primary, Supplier<KernelSums> fallback) {}

	/**
	 * @param templates the original kernels
	 * @param maxLags see {@link TileMethod#maxLags}
	 * @param unit see {@link TileMethod#unit}
	 */
	ConvolutionTiles(final List<Template> templates, final List<ConvolutionKernel> kernels, final Sliding.Convolution problem, final int[] maxLags,
		final int[] unit, final Sums sums)
	{
		super(maxLags, unit);
		this.templates = templates;
		this.kernels = kernels;
		image = problem.image();
		lags = problem.lags();
		this.sums = sums;
		planes = new TemplatePlanes(templates.get(0).size());
	}

	/** Nothing is kept. */
	@Override
	public long sharedBytes(final int[] size) {
		return 0;
	}

	@Override
	public Worker worker() {
		return new ConvolutionWorker(this);
	}
}
