package sc.fiji.ncc.cpu.convolution;

import java.util.List;

import sc.fiji.ncc.cpu.fourier.DoubleFourierNumerator;
import sc.fiji.ncc.cpu.tile.TileInput;
import sc.fiji.ncc.numeric.ConvolutionKernel;

/** {@link KernelSums} by transforms in double: the fallback of transforms in float, and the primary sums in double. */
final class DoubleSums extends KernelSums {

	private final DoubleFourierNumerator numerator;
	/** The maximum error of the sums of each kernel, over max|pixel|. */
	private final double[] bounds;
	private final double[] row;
	private int kernel;

	/**
	 * @param numerator with the kernels in place of zero-mean templates
	 * @param tolerance the tolerance of the sums, over max|pixel|·Σ|value|
	 * @param maxLags the maximum number of lags of a tile along x
	 */
	DoubleSums(final DoubleFourierNumerator numerator, final List<ConvolutionKernel> kernels, final double tolerance, final int maxLags) {
		this.numerator = numerator;
		// rounding errors besides those of the transforms are negligible
		bounds = kernels.stream().mapToDouble(k -> 0.99 * tolerance * k.magnitude()).toArray();
		row = new double[maxLags];
	}

	@Override
	void begin(final TileInput input, final int kernelCount) {
		super.begin(input, kernelCount);
		numerator.begin(input, null);
	}

	@Override
	void select(final int kernel) {
		this.kernel = kernel;
		numerator.correlate(kernel);
	}

	@Override
	void row(final int z, final int y) {
		numerator.startRow(z, y);
		numerator.doubles(row);
		DirectDoubleSums.store(to, z, y, row, lagsX);
	}

	@Override
	boolean accurate() {
		return numerator.worstError() <= bounds[kernel] * scale.maxMagnitude;
	}
}
