package sc.fiji.ncc.cpu.convolution;

import java.util.List;

import sc.fiji.ncc.cpu.fft.BlockSpectra;
import sc.fiji.ncc.cpu.fourier.FourierNumerator;
import sc.fiji.ncc.cpu.fourier.PartSpectra;
import sc.fiji.ncc.cpu.tile.TileInput;
import sc.fiji.ncc.numeric.ConvolutionKernel;
import sc.fiji.ncc.numeric.Tolerance;
import sc.fiji.ncc.plan.PixelType;

/**
 * {@link KernelSums} by Fourier transforms of blocks, with {@link FourierNumerator}. The mean of each block is subtracted, and its product with the sum of
 * the kernel is added to the results. The error is estimated.
 */
final class FourierSums extends KernelSums {

	private final FourierNumerator blocks;
	private final List<PartSpectra> spectra;
	private final List<ConvolutionKernel> kernels;
	/** Memory for the transforms of a tile. */
	private BlockSpectra buffer;
	/** The maximum error of the transforms for each kernel, in eps·max|pixel|·Σ|value|. */
	private final double[] bounds;
	private int kernel;

	/**
	 * @param spectra the spectra of the kernels
	 * @param maxLags the maximum number of lags of a tile along x, y and z
	 */
	FourierSums(final List<ConvolutionKernel> kernels, final List<PartSpectra> spectra, final PixelType image, final int[] maxLags)
	{
		this.kernels = kernels;
		this.spectra = spectra;
		// the product of mean and kernel sum is rounded, too, and so is the result; a pixel minus a mean may be twice as large
		bounds = kernels.stream().mapToDouble(k -> k.bound(image) - 4).toArray();
		blocks = new FourierNumerator(spectra, null, kernels.get(0).values().length, false, maxLags);
	}

	@Override
	void begin(final TileInput input, final int kernelCount) {
		super.begin(input, kernelCount);
		blocks.begin(input, null);
		if (kernelCount > 1) buffer = blocks.share(buffer);
	}

	@Override
	void select(final int kernel) {
		this.kernel = kernel;
		blocks.correlate(kernel);
	}

	@Override
	void row(final int z, final int y) {
		final float[] sums = blocks.sums(z, y);
		final int segment = blocks.segment();
		for (int b = 0; b * segment < lagsX; b++)
			add(sums, (float) (blocks.mean(z, y, b) * kernels.get(kernel).sum()), b * segment, Math.min((b + 1) * segment, lagsX));
		System.arraycopy(sums, 0, to.floats(), to.row(z, y), lagsX);
	}

	private static void add(final float[] a, final float b, final int from, final int until) {
		for (int x = from; x < until; x++) a[x] += b;
	}

	@Override
	boolean accurate() {
		return blocks.worstError() * spectra.get(kernel).norm
			<= bounds[kernel] * Tolerance.EPS_FLOAT * scale.maxMagnitude * kernels.get(kernel).magnitude();
	}
}
