package sc.fiji.ncc.cpu.convolution;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import sc.fiji.ncc.cpu.execution.TileMethod;
import sc.fiji.ncc.cpu.fft.TileFft;
import sc.fiji.ncc.cpu.fourier.DoubleFourierNumerator;
import sc.fiji.ncc.cpu.fourier.DoubleSpectra;
import sc.fiji.ncc.cpu.fourier.FourierShape;
import sc.fiji.ncc.cpu.fourier.PartSpectra;
import sc.fiji.ncc.cpu.fourier.TemplateParts;
import sc.fiji.ncc.cpu.ncc.CpuFourier;
import sc.fiji.ncc.cpu.tile.TemplatePlanes;
import sc.fiji.ncc.numeric.ConvolutionKernel;
import sc.fiji.ncc.numeric.DoubleSeparation;
import sc.fiji.ncc.loops.Rows;
import sc.fiji.ncc.numeric.RoundingBound;
import sc.fiji.ncc.plan.Cost;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Sliding.Convolution;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Template;

/**
 * Convolution by Fourier transforms of overlapping blocks (overlap-save; see {@link FourierShape}). In single precision, transforms are in float; a
 * tile whose estimated error exceeds the tolerance is computed again in double. In double precision, transforms are in double; such a tile is
 * computed again by direct sums. The cost of a lag hardly grows with the kernel.
 */
public final class CpuConvolveFourier extends CpuConvolution {

	/** The cost of each further kernel of a size, as a share of the first one's: reading and forward transforms are shared. */
	private static final double FURTHER = 0.5;
	/**
	 * Tiles of textures are usually repeated in double for kernels of at most so many values: the smaller a kernel, the larger is the estimated error of its sums
	 * beside the sum of its magnitudes.
	 */
	private static final int REPEATED = 80;

	public CpuConvolveFourier() {
		super("cpu-convolve-fourier");
	}

	@Override
	public Optional<String> unsupported(final Convolution p) {
		return FourierShape.unsuited(p);
	}

	@Override
	Cost cost(final Convolution p, final Device device) {
		long shared = 0;
		double once = 0;
		final Set<Size> seen = new HashSet<>();
		for (final Size k : p.templates()) {
			final FourierShape shape = FourierShape.of(k, p.lags().count(), device);
			shared += shape.templateBytes();
			once += shape.templateSeconds(device.constants());
		}
		final double inDouble = CpuFourier.DOUBLE_COST, times = p.precision() == Precision.SINGLE ? 1 : inDouble;
		final Cost frames = ConvolutionCost.of(p, device, (k, constants) -> {
			final double each = p.precision() == Precision.SINGLE && k.pixels() <= REPEATED ? 1 + inDouble : times;
			return each * FourierShape.of(k, p.lags().count(), device).secondsPerLag(constants) * (seen.add(k) ? 1 : FURTHER);
		}, FourierShape.busy(p, device),
			FourierShape.start(device), bytesOfThread(p, device));
		return new Cost(frames.seconds() + times * once, times * once, frames.startSeconds(),
			frames.hostBytes() + (p.precision() == Precision.SINGLE ? 1 : 2) * shared, 0);
	}

	private static long bytesOfThread(final Convolution p, final Device device) {
		long bytes = 0;
		for (final Size k : new HashSet<>(p.templates())) bytes += FourierShape.of(k, p.lags().count(), device).bytes(p.image(), false);
		return p.precision() == Precision.SINGLE ? bytes : 2 * bytes;
	}

	@Override
	Device limited(final Convolution p, final Device device) {
		return device.with(FourierShape.threads(device, bytesOfThread(p, device)));
	}

	@Override
	TileMethod tiles(final List<Template> kernels, final Convolution p, final Device device) {
		final TemplatePlanes planes = new TemplatePlanes(kernels.get(0).size());
		final FourierShape shape = FourierShape.of(planes.size, p.lags().count(), device);
		final int[] lags = shape.maxLags();
		final TemplateParts parts = new TemplateParts(planes, shape);
		final TileFft fft = parts.fft();
		final List<ConvolutionKernel> scaled = kernels.stream().map(ConvolutionKernel::of).toList();
		final DoubleSpectra inDouble = new DoubleSpectra(parts, scaled.stream().map(ConvolutionKernel::values).toList(), null);
		if (p.precision() == Precision.DOUBLE) return new ConvolutionTiles(kernels, scaled, p, lags, shape.unit(), new ConvolutionTiles.Sums(true,
			() -> doubleSums(planes, inDouble, scaled, DoubleSeparation.TOLERANCE, lags), () -> new DirectDoubleSums(planes, scaled, lags[0])));
		final List<PartSpectra> spectra = scaled.stream().map(k -> new PartSpectra(fft, parts, Rows.toDouble(k.coefficients()))).toList();
		return new ConvolutionTiles(kernels, scaled, p, lags, shape.unit(), new ConvolutionTiles.Sums(true,
			() -> new FourierSums(scaled, spectra, p.image(), lags),
			// their errors are negligible beside those of float: no further fallback is needed
			() -> doubleSums(planes, inDouble, scaled, RoundingBound.TOLERANCE, lags)));
	}

	private static KernelSums doubleSums(final TemplatePlanes planes, final DoubleSpectra spectra, final List<ConvolutionKernel> kernels, final double tolerance,
		final int[] lags)
	{
		return new DoubleSums(new DoubleFourierNumerator(spectra, planes.size.pixels(), lags, Precision.DOUBLE), kernels, tolerance, lags[0]);
	}
}
