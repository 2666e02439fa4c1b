package sc.fiji.ncc.cpu.convolution;

import java.util.List;
import java.util.function.Supplier;

import sc.fiji.ncc.cpu.execution.TileMethod;
import sc.fiji.ncc.cpu.tile.TemplatePlanes;
import sc.fiji.ncc.numeric.ConvolutionKernel;
import sc.fiji.ncc.plan.Lags;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Template;

/**
 * Kernels of one size and pixel type, convolved in float within {@link sc.fiji.ncc.numeric.RoundingBound#TOLERANCE} of max|pixel|·Σ|kernel|, in double within
 * {@link sc.fiji.ncc.numeric.DoubleSeparation#TOLERANCE}.
 * <ol>
 * <li>The tile by the first way, its pixels as they are where that way bounds its errors; else about 0, scaled by a power of two.</li>
 * <li>If its pixels turn out to be NaN, infinite, very large or very small, or the estimate of a transform's error exceeds the tolerance, all of it by
 * the second way, scaled.</li>
 * </ol>
 * A sum is undefined exactly where a pixel that is NaN or infinite meets a tap other than 0, or too little of the kernel overlaps the image.
 */
final class ConvolutionTiles implements TileMethod {

	final List<Template> templates;
	final List<ConvolutionKernel> kernels;
	final TemplatePlanes planes;
	final PixelType image;
	final Lags lags;
	final int[] maxLags;
	private final int[] unit;
	final boolean looksFirst;
	final Supplier<KernelSums> first, second;

	/**
	 * @param templates the kernels as they were given
	 * @param maxLags the most lags of a tile along x, y and z
	 * @param unit see {@link TileMethod#unit}; along x, y and z
	 * @param looksFirst whether the first way wants scaled pixels from the start
	 * @param first makes a thread's first way
	 * @param second makes its second way; null if that is the first one with scaled pixels
	 */
	ConvolutionTiles(final List<Template> templates, final List<ConvolutionKernel> kernels, final PixelType image, final Lags lags, final int[] maxLags,
		final int[] unit, final boolean looksFirst, final Supplier<KernelSums> first, final Supplier<KernelSums> second)
	{
		this.templates = templates;
		this.kernels = kernels;
		this.image = image;
		this.lags = lags;
		this.maxLags = maxLags;
		this.unit = unit;
		this.looksFirst = looksFirst;
		this.first = first;
		this.second = second;
		planes = new TemplatePlanes(templates.get(0).size());
	}

	@Override
	public int maxLags(final int d) {
		return d < 3 ? maxLags[d] : 1;
	}

	@Override
	public int unit(final int d) {
		return d < 3 ? unit[d] : 1;
	}

	@Override
	public boolean writesInPlace() {
		return true;
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
