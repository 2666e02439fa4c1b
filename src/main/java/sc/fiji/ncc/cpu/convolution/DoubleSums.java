package sc.fiji.ncc.cpu.convolution;

import java.util.List;
import java.util.function.BooleanSupplier;

import sc.fiji.ncc.cpu.fourier.DoubleFourierNumerator;
import sc.fiji.ncc.cpu.tile.SumsPlace;
import sc.fiji.ncc.cpu.tile.TileInput;
import sc.fiji.ncc.cpu.tile.TileReader;
import sc.fiji.ncc.cpu.tile.TileScale;
import sc.fiji.ncc.numeric.ConvolutionKernel;

/** {@link KernelSums} by transforms in double: the fallback of transforms in float, and the primary sums in double. */
final class DoubleSums implements KernelSums {

	private final DoubleFourierNumerator numerator;
	/** The maximum error of the sums of each kernel, over max|pixel|. */
	private final double[] bounds;
	private final double[] row;
	private TileScale scale;
	private int lagsX, kernel;
	private SumsPlace to;

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
	public void begin(final TileReader[] readers, final TileScale scale, final int lagsX, final int lagsY, final int lagsZ, final int kernels,
		final BooleanSupplier stop)
	{
		this.scale = scale;
		this.lagsX = lagsX;
		numerator.begin(TileInput.of(readers, scale, new int[] { lagsX, lagsY, lagsZ }, stop), null);
	}

	@Override
	public void select(final int kernel, final SumsPlace place) {
		to = place;
		this.kernel = kernel;
		numerator.correlate(kernel);
	}

	@Override
	public void row(final int z, final int y) {
		numerator.row(z, y, row);
		DirectDoubleSums.store(to, z, y, row, lagsX);
	}

	@Override
	public boolean accurate() {
		return numerator.worstError() <= bounds[kernel] * scale.maxMagnitude;
	}
}
