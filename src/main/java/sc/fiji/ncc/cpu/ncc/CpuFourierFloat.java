package sc.fiji.ncc.cpu.ncc;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import sc.fiji.ncc.cpu.correlator.RunCorrelator;
import sc.fiji.ncc.cpu.execution.TileMethod;
import sc.fiji.ncc.cpu.execution.TiledExecution;
import sc.fiji.ncc.cpu.fft.TileFft;
import sc.fiji.ncc.cpu.fourier.DoubleFourierNumerator;
import sc.fiji.ncc.cpu.fourier.FourierNumerator;
import sc.fiji.ncc.cpu.fourier.FourierShape;
import sc.fiji.ncc.cpu.fourier.Spectrum;
import sc.fiji.ncc.cpu.tile.TemplatePlanes;
import sc.fiji.ncc.loops.Rows;
import sc.fiji.ncc.numeric.Weighting;
import sc.fiji.ncc.numeric.ZeroMean;
import sc.fiji.ncc.numeric.ZeroMeanTemplate;
import sc.fiji.ncc.plan.Algorithm;
import sc.fiji.ncc.plan.Constants;
import sc.fiji.ncc.plan.Cost;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.Execution;
import sc.fiji.ncc.plan.Operation;
import sc.fiji.ncc.plan.Plan;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Problem;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.plan.Weights;

/**
 * Numerators by Fourier transforms of tiles that stay in cache (overlap-save), window sums beside them: what a response costs hardly grows
 * with the template. Accuracy as in {@link FallbackTiles}.
 */
public final class CpuFourierFloat implements Algorithm {

	/**
	 * What each further template of a size costs of what the first one does: reading, window moments and forward transforms are shared. Measured with 16
	 * templates of 16x16 and 32x32 on 1000x1000 (bench {@code Bank}).
	 */
	private static final double FURTHER = 0.5;
	/** What a frame takes more than by the direct ways, as images of 32x32 show. */
	private static final double FRAME = 25e-6;
	/** That responses are looked at again, since of few pixels many windows have hardly any contrast: falls with the square of the pixels, as 2x2 to 5x5 show. */
	private static final double AGAIN = 1.6e-6;

	@Override
	public String id() {
		return "cpu-fourier";
	}

	@Override
	public Optional<String> unsupported(final Problem p) {
		final Optional<String> unlike = p.mismatch(Operation.NCC, Precision.SINGLE);
		if (unlike.isPresent()) return unlike;
		return FourierShape.unsuited(p);
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

	/** What it costs in float. */
	static Cost cost(final Problem p, final Device device) {
		double work = 0;
		long memory = 0;
		final Set<Size> seen = new HashSet<>();
		for (final Size t : p.templates()) {
			final boolean first = seen.add(t);
			final FourierShape shape = FourierShape.of(t, p.lags().count());
			// the runs of the mask are not known yet: at worst there are none
			final boolean transformed = p.weights() != Weights.NONE && transformsMoments(shape, t.pixels());
			double perLag = shape.secondsPerLag(device.constants()) * (transformed && first ? 2.5 : 1) + DirectCost.response(device, t);
			if (p.weights() != Weights.NONE && !transformed && first) perLag += DirectCost.mask(device.constants(), t.pixels());
			final double again = device.constants().get("fourier-again", AGAIN) / ((double) t.pixels() * t.pixels());
			work += p.lags().count().pixels() * (perLag * (first ? 1 : FURTHER) + again);
			memory += (first ? shape.bytes(p.image(), transformed) : shape.templateBytes()) * device.parallelism();
		}
		return new Cost(p.frames() * (work / FourierShape.busy(p, device) + DirectCost.submission(device) + device.constants().get("fourier-frame", FRAME)), FourierShape.start(device),
			memory, 0);
	}

	/**
	 * Whether the moments of masked windows are worth their transforms: three more for two blocks, beside the two of the numerator, which count twice
	 * because in a photograph many of their windows are done again, and of direct sums none. By the constants that ship: a calibration must not
	 * change what an execution does.
	 *
	 * @param taps what each direct sum costs
	 */
	static boolean transformsMoments(final FourierShape shape, final double taps) {
		return 2 * 1.5 * shape.secondsPerLag(Constants.SHIPPED) < DirectCost.mask(Constants.SHIPPED, taps);
	}

	private static TileMethod tiles(final List<Template> templates, final Problem problem) {
		final Template first = templates.get(0);
		final TemplatePlanes planes = new TemplatePlanes(first.size());
		final FourierShape shape = FourierShape.of(first.size(), problem.lags().count());
		final int[] lags = shape.maxLags(), block = shape.block();
		final TileFft fft = TileFft.of(block[0], block[1], block[2]);
		final Weighting given = Weighting.of(first);
		final boolean transformed = first.weights() != null && given.suitsFloat()
			&& transformsMoments(shape, RunCorrelator.cost(planes.width, planes.height, planes.cut(given.values())));
		// what is transformed is rounded to float, and then all sums take the same
		final Weighting weights = transformed ? given.toFloat() : given;
		final double[] moments = transformed ? weights.values() : null;
		final Spectrum mask = transformed ? new Spectrum(fft, planes, Rows.toFloat(moments)) : null;
		final List<ZeroMeanTemplate> zeroMeans = ZeroMeanTemplate.of(templates, weights);
		final List<double[]> coefficients = ZeroMeanTemplate.coefficients(zeroMeans);
		final List<Spectrum> spectra = new ArrayList<>();
		for (final float[] taps : ZeroMean.toFloat(zeroMeans, weights, problem.lags())) spectra.add(new Spectrum(fft, planes, taps));
		return new FallbackTiles(templates, zeroMeans, weights, problem.image(), problem.lags(), Precision.SINGLE, lags, shape.unit(),
			() -> new FourierNumerator(planes, spectra, mask, weights.sum(), problem.image().exact(), lags),
			() -> new DoubleFourierNumerator(planes, coefficients, moments, weights.sum(), block, new int[] { lags[0], lags[1], 1 }, Precision.SINGLE),
			way -> ((FourierNumerator) way).exchange(spectra), transformed, size -> FourierNumerator.spectraBytes(planes, fft, size));
	}
}
