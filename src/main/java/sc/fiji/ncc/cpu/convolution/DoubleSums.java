package sc.fiji.ncc.cpu.convolution;

import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

import sc.fiji.ncc.cpu.fourier.DoubleFourierNumerator;
import sc.fiji.ncc.cpu.tile.TileInput;
import sc.fiji.ncc.numeric.ConvolutionKernel;

/** {@link KernelSums} by transforms in double: the fallback of transforms in float, and the primary sums in double. Each z is computed by itself. */
final class DoubleSums extends KernelSums {

	private final DoubleFourierNumerator numerator;
	/** The maximum error of the sums of each kernel, over max|pixel|. */
	private final double[] bounds;
	private final int planes;
	private final double[] row;
	private int kernel, z;
	/** The maximum estimated error so far. */
	private double worst;

	/**
	 * @param numerator creates a numerator for tiles of one z, with the kernels in place of zero-mean templates
	 * @param tolerance the tolerance of the sums, over max|pixel|·Σ|value|
	 */
	DoubleSums(final Supplier<DoubleFourierNumerator> numerator, final List<ConvolutionKernel> kernels, final double tolerance, final int planes,
		final int maxLags)
	{
		this.numerator = numerator.get();
		// rounding errors besides those of the transforms are negligible
		bounds = kernels.stream().mapToDouble(k -> 0.99 * tolerance * k.magnitude()).toArray();
		this.planes = planes;
		row = new double[maxLags];
	}

	@Override
	void select(final int kernel) {
		this.kernel = kernel;
		z = -1;
		worst = 0;
	}

	@Override
	void row(final int z, final int y) {
		if (z != this.z) {
			this.z = z;
			numerator.begin(TileInput.of(Arrays.copyOfRange(readers, z, z + planes), scale, new int[] { lagsX, lagsY, 1 }, stop), null);
			numerator.correlate(kernel);
			worst = Math.max(worst, numerator.worstError());
		}
		numerator.row(0, y, row);
		DirectDoubleSums.store(to, z, y, row, lagsX);
	}

	@Override
	boolean accurate() {
		return worst <= bounds[kernel] * scale.maxMagnitude;
	}
}
