package sc.fiji.ncc.cpu.convolution;

import java.util.List;
import java.util.Optional;

import sc.fiji.ncc.cpu.execution.BusyThreads;
import sc.fiji.ncc.cpu.execution.TileMethod;
import sc.fiji.ncc.cpu.ncc.CpuCost;
import sc.fiji.ncc.cpu.tile.TemplatePlanes;
import sc.fiji.ncc.cpu.tile.TileShape;
import sc.fiji.ncc.loops.Vectors;
import sc.fiji.ncc.numeric.ConvolutionKernel;
import sc.fiji.ncc.plan.Cost;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Sliding.Convolution;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Template;

/** Convolution by one multiply-add for each kernel value and lag, with proved errors: kernels of any shape and number of dimensions. */
public final class CpuConvolveDirect extends CpuConvolution {

	private static final long MAX_COEFFICIENTS = 1 << 26;
	/** The seconds of a sum in double besides its products: pixels are inspected first. */
	private static final double DOUBLE_SUM = 3e-9;

	public CpuConvolveDirect() {
		super("cpu-convolve-direct");
	}

	@Override
	public Optional<String> unsupported(final Convolution p) {
		for (final Size k : p.templates())
			if (k.pixels() > MAX_COEFFICIENTS) return Optional.of("direct sums support kernels of at most " + MAX_COEFFICIENTS
				+ " values, not " + k);
		return Optional.empty();
	}

	@Override
	Cost cost(final Convolution p, final Device device) {
		long bytes = 0;
		for (final Size k : p.templates()) bytes = Math.max(bytes, TileShape.bytes(k, p.image()));
		return ConvolutionCost.of(p, device, (k, constants) -> {
			if (p.precision() == Precision.DOUBLE) return DOUBLE_SUM + k.pixels() * CpuCost.doubleCoefficient(constants);
			// each row is shifted once for all rows of sums that use it
			final double shifts = Vectors.USED ? 0 : k.pixels() / (double) k.get(1)
				* (ConvolutionCost.shifted(constants) - ConvolutionCost.row(constants));
			return shifts + k.pixels() * CpuCost.row(p.lags().count()) * ConvolutionCost.coefficient(k, constants)
				+ (CpuCost.depth(k) - 1) * CpuCost.plane(constants);
		}, BusyThreads.of(p, device, k -> List.of(tile(new TemplatePlanes(k), p.precision()), TileShape.unit())),
			CpuCost.start(device), bytes);
	}

	/** The maximum number of lags of a tile along x, y and z. */
	private static int[] tile(final TemplatePlanes planes, final Precision precision) {
		return precision == Precision.DOUBLE ? TileShape.direct(planes) : TileShape.sums(planes.width, planes.height);
	}

	@Override
	TileMethod tiles(final List<Template> kernels, final Convolution p, final Device device) {
		final TemplatePlanes planes = new TemplatePlanes(kernels.get(0).size());
		final List<ConvolutionKernel> scaled = kernels.stream().map(ConvolutionKernel::of).toList();
		final int[] lags = tile(planes, p.precision());
		if (p.precision() == Precision.DOUBLE)
			return new ConvolutionTiles(kernels, scaled, p, lags, TileShape.unit(), new ConvolutionTiles.Sums(true,
				() -> new DirectDoubleSums(planes, scaled, lags[0]), null));
		return new ConvolutionTiles(kernels, scaled, p, lags, TileShape.unit(), new ConvolutionTiles.Sums(false,
			() -> new DirectSums(planes, scaled, p.image(), lags[0]), null));
	}
}
