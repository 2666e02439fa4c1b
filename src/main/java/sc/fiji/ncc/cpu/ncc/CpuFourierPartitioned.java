package sc.fiji.ncc.cpu.ncc;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import sc.fiji.ncc.cpu.execution.BusyThreads;
import sc.fiji.ncc.cpu.fft.TileFft;
import sc.fiji.ncc.cpu.fourier.DoubleFourierNumerator;
import sc.fiji.ncc.cpu.fourier.DoubleSpectra;
import sc.fiji.ncc.cpu.fourier.FourierShape;
import sc.fiji.ncc.cpu.fourier.PartitionShape;
import sc.fiji.ncc.cpu.fourier.PartitionedNumerator;
import sc.fiji.ncc.cpu.fourier.PartitionedSpectrum;
import sc.fiji.ncc.cpu.fourier.TemplateParts;
import sc.fiji.ncc.cpu.window.Numerator;
import sc.fiji.ncc.loops.Vectors;
import sc.fiji.ncc.plan.SlidingAlgorithm;
import sc.fiji.ncc.plan.Constants;
import sc.fiji.ncc.plan.Cost;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.SlidingPlan;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Sliding.Correlation;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Weights;

/**
 * Large templates over small shifts (the numerators of Moore, Leeser and Smith King, by Fourier transforms): the template is cut into partitions, whose
 * spectra are summed before the inverse transform (see {@link PartitionedNumerator}). {@link CorrelationWorker} describes the accuracy.
 */
public final class CpuFourierPartitioned implements SlidingAlgorithm.Correlating {

	/** The seconds of the window sums for a pixel of the tile, and of the estimates for a response, on one thread. */
	private static final double PIXEL = Vectors.USED ? 1.8e-9 : 2.7e-9, RESPONSE = Vectors.USED ? 3e-9 : 4.5e-9;

	@Override
	public String id() {
		return "cpu-fourier-partitioned";
	}

	@Override
	public Set<Precision> precisions() {
		return Set.of(Precision.SINGLE);
	}

	@Override
	public Optional<String> unsupported(final Correlation p) {
		return otherPrecision(p).or(() -> PartitionShape.unsuited(p));
	}

	@Override
	public SlidingPlan plan(final Correlation problem, final Device device) {
		final Size lags = problem.lags().count();
		return CorrelationMethod.plan(id(), cost(problem, device), problem, device,
			b -> new Partitions(b, device, new int[] { (int) lags.get(0), (int) lags.get(1), 1 }));
	}

	private static Cost cost(final Correlation p, final Device device) {
		final Constants k = device.constants();
		final Size lags = p.lags().count();
		final Map<Size, Integer> counts = new HashMap<>();
		for (final Size t : p.templates()) counts.merge(t, 1, Integer::sum);
		double work = 0, once = 0;
		long memory = 0;
		for (final Map.Entry<Size, Integer> e : counts.entrySet()) {
			final Size t = e.getKey();
			final int count = e.getValue(), apart = p.lags().apart() ? count : 1;
			final PartitionShape shape = PartitionShape.of(t, lags, count / apart);
			final double pixels = (double) (t.get(0) + lags.get(0) - 1) * (t.get(1) + lags.get(1) - 1);
			work += apart * (pixels * k.get("parts-pixel", PIXEL) + shape.forward(k))
				+ count * (shape.inverse(k) + lags.pixels() * k.get("parts-response", RESPONSE));
			if (p.weights() != Weights.NONE) work += lags.pixels() * CpuCost.mask(k, CpuCost.maskCoefficients(p.weights(), t));
			// one thread transforms the templates
			once += count * (FourierShape.TEMPLATE + shape.forward(k));
			memory += count * shape.templateBytes() + shape.bytes(p.image(), lags) * device.parallelism();
		}
		final int[] extents = lags.toIntArray();
		final double busy = BusyThreads.of(p, device, t ->
			List.of(new int[] { extents[0], extents[1], 1 }, new int[] { extents[0], extents[1], 1 }));
		return new Cost(once + p.frames() * (work / busy + CpuCost.submission(device)), once, PartitionShape.start(device), memory, 0);
	}

	/** Numerators by transforms of partitions in float; the fallback is transforms of the whole template in double. */
	private static final class Partitions extends CorrelationMethod {

		private final PartitionShape shape;
		private final TileFft fft;
		private final List<PartitionedSpectrum> spectra;
		/** For the fallback. */
		private final DoubleSpectra inDouble;

		/** @param lags all lags of the search window along x, y and z */
		Partitions(final TemplateBatch batch, final Device device, final int[] lags) {
			super(batch, lags, lags);
			shape = PartitionShape.of(batch.planes().size, batch.problem().lags().count(), batch.problem().lags().apart() ? 1
				: batch.templates().size());
			fft = TileFft.of(shape.width, shape.height, 1);
			spectra = batch.coefficients().stream().map(c -> new PartitionedSpectrum(fft, shape, batch.planes(), c)).toList();
			final FourierShape whole = FourierShape.of(batch.planes().size, batch.problem().lags().count(), device);
			inDouble = new DoubleSpectra(new TemplateParts(batch.planes(), whole), batch.coefficients(), null);
		}

		@Override
		Numerator numerator(final Numerator previous) {
			return previous == null ? new PartitionedNumerator(batch.planes(), shape, fft, spectra,
				batch.problem().image().exact(), maxLags) : ((PartitionedNumerator) previous).with(spectra);
		}

		@Override
		Numerator fallback() {
			return new DoubleFourierNumerator(inDouble, batch.weights().sum(), maxLags, Precision.SINGLE);
		}

		@Override
		long spectraBytes(final int[] size) {
			return PartitionedNumerator.spectraBytes(shape, fft);
		}
	}
}
