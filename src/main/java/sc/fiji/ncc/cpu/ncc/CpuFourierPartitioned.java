package sc.fiji.ncc.cpu.ncc;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import sc.fiji.ncc.cpu.execution.BusyThreads;
import sc.fiji.ncc.cpu.execution.TileMethod;
import sc.fiji.ncc.cpu.execution.TiledExecution;
import sc.fiji.ncc.cpu.fft.TileFft;
import sc.fiji.ncc.cpu.fourier.DoubleFourierNumerator;
import sc.fiji.ncc.cpu.fourier.FourierShape;
import sc.fiji.ncc.cpu.fourier.PartitionShape;
import sc.fiji.ncc.cpu.fourier.PartitionedNumerator;
import sc.fiji.ncc.cpu.fourier.PartitionedSpectrum;
import sc.fiji.ncc.cpu.tile.TemplatePlanes;
import sc.fiji.ncc.loops.Vectors;
import sc.fiji.ncc.numeric.Weighting;
import sc.fiji.ncc.numeric.ZeroMean;
import sc.fiji.ncc.numeric.ZeroMeanTemplate;
import sc.fiji.ncc.plan.Algorithm;
import sc.fiji.ncc.plan.Constants;
import sc.fiji.ncc.plan.Cost;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.Execution;
import sc.fiji.ncc.plan.Plan;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Problem;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.plan.Weights;

/**
 * Large templates over small shifts (the numerators of Moore, Leeser and Smith King, by Fourier transforms): the template is cut into parts, whose
 * spectra are summed before they are transformed back (see {@link PartitionedNumerator}). Accuracy as in {@link FallbackTiles}.
 */
public final class CpuFourierPartitioned implements Algorithm {

	/** Window sums of a pixel of the tile, and the estimates of a response, on one thread. */
	private static final double PIXEL = Vectors.USED ? 1.8e-9 : 2.7e-9, RESPONSE = Vectors.USED ? 3e-9 : 4.5e-9;

	@Override
	public String id() {
		return "cpu-fourier-partitioned";
	}

	@Override
	public Optional<String> unsupported(final Problem p) {
		return PartitionShape.unsuited(p);
	}

	@Override
	public Plan plan(final Problem problem, final Device device) {
		final Cost cost = cost(problem, device);
		return new Plan() {

			@Override
			public Cost cost() {
				return cost;
			}

			@Override
			public Execution prepare(final List<Template> templates) {
				return new TiledExecution(templates, problem.precision(), device.parallelism(), group -> tiles(group, problem));
			}
		};
	}

	private static Cost cost(final Problem p, final Device device) {
		final Constants k = device.constants();
		final Size lags = p.lags().count();
		final Map<Size, Integer> counts = new HashMap<>();
		for (final Size t : p.templates()) counts.merge(t, 1, Integer::sum);
		double work = 0;
		long memory = 0;
		for (final Map.Entry<Size, Integer> e : counts.entrySet()) {
			final Size t = e.getKey();
			final int count = e.getValue();
			final PartitionShape shape = PartitionShape.of(t, lags, count);
			final double pixels = (double) (t.get(0) + lags.get(0) - 1) * (t.get(1) + lags.get(1) - 1);
			work += pixels * k.get("parts-pixel", PIXEL) + shape.forward(k)
				+ count * (shape.inverse(k) + lags.pixels() * k.get("parts-response", RESPONSE));
			if (p.weights() != Weights.NONE) work += lags.pixels() * DirectCost.mask(k, t.pixels());
			memory += count * shape.templateBytes() + shape.bytes(p.image(), lags) * device.parallelism();
		}
		final int[] all = lags.toIntArray();
		final double busy = BusyThreads.of(p, device, t -> List.of(new int[] { all[0], all[1], 1 }, new int[] { all[0], all[1], 1 }));
		return new Cost(p.frames() * (work / busy + DirectCost.submission(device)), PartitionShape.start(device), memory, 0);
	}

	private static TileMethod tiles(final List<Template> templates, final Problem problem) {
		final Template first = templates.get(0);
		final Size count = problem.lags().count();
		final TemplatePlanes planes = new TemplatePlanes(first.size());
		final PartitionShape shape = PartitionShape.of(first.size(), count, templates.size());
		final TileFft fft = TileFft.of(shape.width, shape.height, 1);
		final Weighting weights = Weighting.of(first);
		final List<ZeroMeanTemplate> zeroMeans = ZeroMeanTemplate.of(templates, weights);
		final List<PartitionedSpectrum> spectra = new ArrayList<>();
		for (final float[] taps : ZeroMean.toFloat(zeroMeans, weights, problem.lags())) spectra.add(new PartitionedSpectrum(fft, shape, planes, taps));
		final int[] lags = { (int) count.get(0), (int) count.get(1), 1 };
		final List<double[]> coefficients = ZeroMeanTemplate.coefficients(zeroMeans);
		final int[] block = FourierShape.of(first.size(), count).block();
		return new FallbackTiles(templates, zeroMeans, weights, problem.image(), problem.lags(), Precision.SINGLE, lags, lags,
			() -> new PartitionedNumerator(planes, shape, fft, spectra, weights.sum(), problem.image().exact(), lags),
			() -> new DoubleFourierNumerator(planes, coefficients, null, weights.sum(), block, lags, Precision.SINGLE),
			way -> ((PartitionedNumerator) way).exchange(spectra), false, size -> PartitionedNumerator.spectraBytes(shape, fft));
	}
}
