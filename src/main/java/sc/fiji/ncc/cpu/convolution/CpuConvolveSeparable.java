package sc.fiji.ncc.cpu.convolution;

import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

import sc.fiji.ncc.cpu.execution.BusyThreads;
import sc.fiji.ncc.cpu.execution.TileMethod;
import sc.fiji.ncc.cpu.ncc.CpuCost;
import sc.fiji.ncc.cpu.tile.TemplatePlanes;
import sc.fiji.ncc.cpu.tile.TileShape;
import sc.fiji.ncc.numeric.ConvolutionKernel;
import sc.fiji.ncc.numeric.DoubleSeparation;
import sc.fiji.ncc.numeric.Separation;
import sc.fiji.ncc.plan.Cost;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Sliding.Convolution;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Template;

/** Convolution along one dimension after the other, for kernels that are sums of a few products of one-dimensional kernels (see {@link Separation}). */
public final class CpuConvolveSeparable extends CpuConvolution {

	/** The time in double, as a multiple of the time in float. */
	private static final double DOUBLE = 2.5;

	public CpuConvolveSeparable() {
		super("cpu-convolve-separable");
	}

	@Override
	public Optional<String> unsupported(final Convolution p) {
		if (p.terms() == 0) return Optional.of("the kernel is not a sum of a few products of one-dimensional kernels, within the tolerance");
		return p.size().dimensions() < 2 || p.size().dimensions() > 3 ? Optional.of("separable sums support two or three dimensions, the kernel has "
			+ p.size().dimensions())
			: Optional.empty();
	}

	@Override
	Cost cost(final Convolution p, final Device device) {
		long bytes = 0;
		for (final Size k : p.templates()) {
			final int[] lags = SeparableSums.maxLags(new TemplatePlanes(k), p.terms());
			final long columns = lags[0] + k.get(0), rows = lags[1] + k.get(1), planes = lags[2] + k.get(2);
			bytes = Math.max(bytes, columns * rows * planes * p.image().bytes + 4L * lags[0] * (lags[1] * lags[2] + p.terms() * k.get(1)
				+ (k.get(2) > 1 ? p.terms() * lags[1] * k.get(2) : 0)));
		}
		final double times = p.precision() == Precision.SINGLE ? 1 : DOUBLE;
		return ConvolutionCost.of(p, device, (k, constants) -> {
			final double row = ConvolutionCost.row(constants), shift = ConvolutionCost.shifted(constants) - row;
			final int[] lags = SeparableSums.maxLags(new TemplatePlanes(k), p.terms());
			double perLag = p.terms() * k.get(2) * (k.get(2) > 1 ? row : 0);
			// rows and planes outside the tile are summed, too
			double beyond = (lags[2] + k.get(2) - 1.0) / lags[2];
			perLag += beyond * p.terms() * k.get(1) * row;
			beyond *= (lags[1] + k.get(1) - 1.0) / lags[1];
			return times * (perLag + beyond * k.get(0) * (shift + p.terms() * row));
		}, BusyThreads.of(p, device, k -> List.of(SeparableSums.maxLags(new TemplatePlanes(k), p.terms()), TileShape.unit())), CpuCost.start(device),
			p.precision() == Precision.SINGLE ? bytes : 2 * bytes);
	}

	@Override
	TileMethod tiles(final List<Template> kernels, final Convolution p, final Device device) {
		final TemplatePlanes planes = new TemplatePlanes(kernels.get(0).size());
		final List<ConvolutionKernel> scaled = kernels.stream().map(ConvolutionKernel::of).toList();
		if (p.precision() == Precision.SINGLE) {
			final List<Separation> separations = separations(kernels, k -> Separation.of(scaled.get(k), kernels.get(k).size(), p.image()));
			final int[] lags = SeparableSums.maxLags(planes, separations.stream().mapToInt(Separation::terms).max().getAsInt());
			return new ConvolutionTiles(kernels, scaled, p, lags, TileShape.unit(), new ConvolutionTiles.Sums(false,
				() -> new SeparableSums(planes, separations, p.image(), lags), null));
		}
		final List<DoubleSeparation> separations = separations(kernels, k -> DoubleSeparation.of(scaled.get(k), kernels.get(k).size()));
		final int[] lags = SeparableSums.maxLags(planes, separations.stream().mapToInt(DoubleSeparation::terms).max().getAsInt());
		return new ConvolutionTiles(kernels, scaled, p, lags, TileShape.unit(), new ConvolutionTiles.Sums(true,
			() -> new SeparableDoubleSums(planes, separations, lags), null));
	}

	private static <S> List<S> separations(final List<Template> kernels, final IntFunction<Optional<S>> separation) {
		return IntStream.range(0, kernels.size()).mapToObj(k -> separation.apply(k).orElseThrow(() -> notSeparable(kernels.get(k)))).toList();
	}

	private static IllegalArgumentException notSeparable(final Template t) {
		return new IllegalArgumentException("the kernel of " + t.size()
			+ " is not a sum of a few products of one-dimensional kernels, unlike those it replaces: choose another algorithm");
	}
}
