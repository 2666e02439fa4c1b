package sc.fiji.ncc.cpu;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import sc.fiji.ncc.plan.Algorithm;
import sc.fiji.ncc.plan.Constants;
import sc.fiji.ncc.plan.Cost;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.Execution;
import sc.fiji.ncc.plan.Plan;
import sc.fiji.ncc.plan.Problem;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.plan.Weights;

/**
 * Numerators by Fourier transforms of tiles that stay in cache (overlap-save), window sums beside them: what a response costs hardly grows
 * with the template. Accuracy as in {@link LadderTiles}.
 */
final class FourierFloat implements Algorithm {

	/** To load and compile the code, in a process that has not run it: more of it than the direct way has, roughly. */
	private static final double START = Vectors.USED ? 0.9 : 0.25;

	/**
	 * What each further template of a size costs of what the first one does: reading, window moments and forward transforms are shared. Measured with 16
	 * templates of 16x16 and 32x32 on 1000x1000 (bench {@code Bank}).
	 */
	private static final double FURTHER = 0.5;

	@Override
	public String id() {
		return "cpu-fourier";
	}

	@Override
	public Optional<String> unsupported(final Problem p) {
		if (p.size().dimensions() > 3) return Optional.of("its transforms have at most 3 dimensions, the template has " + p.size().dimensions());
		for (final Size t : p.templates())
			if (t.get(0) > 1024 || t.get(1) > 1024 || t.get(2) > 64)
				return Optional.of("its tiles stay in cache, and the template of " + t + " is larger than they are (1024x1024x64)");
		return Optional.empty();
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
				return new TiledExecution(templates, device.parallelism(), group -> tiles(group, problem));
			}
		};
	}

	private static Cost cost(final Problem p, final Device device) {
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
			work += p.lags().count().pixels() * perLag * (first ? 1 : FURTHER);
			memory += (first ? shape.bytes(p.image(), transformed) : shape.templateBytes()) * device.parallelism();
		}
		return new Cost(p.frames() * (work / device.parallelism() + DirectCost.submission(device)), device.constants().get("fourier-start", START), memory, 0);
	}

	/**
	 * Whether the moments of masked windows are worth their transforms: three more for two blocks, beside the two of the numerator, which count twice
	 * because in a photograph many of their windows are done again, and of direct sums none. By the constants that ship: a calibration must not
	 * change what an execution does.
	 *
	 * @param taps what each direct sum costs
	 */
	private static boolean transformsMoments(final FourierShape shape, final double taps) {
		return 2 * 1.5 * shape.secondsPerLag(Constants.SHIPPED) < DirectCost.mask(Constants.SHIPPED, taps);
	}

	private static TileMethod tiles(final List<Template> templates, final Problem problem) {
		final Template first = templates.get(0);
		final TemplatePlanes planes = new TemplatePlanes(first.size());
		final double n = TemplatePlanes.weight(first);
		final FourierShape shape = FourierShape.of(first.size(), problem.lags().count());
		final int[] lags = shape.mostLags(), block = shape.block();
		final TileFft fft = TileFft.of(block[0], block[1], block[2]);
		final List<double[]> zeroMeans = ZeroMean.of(templates);
		final List<Spectrum> spectra = new ArrayList<>();
		for (final float[] taps : ZeroMean.toFloat(zeroMeans, problem.lags())) spectra.add(new Spectrum(fft, planes, taps));
		final boolean transformed = first.weights() != null
			&& transformsMoments(shape, RunTaps.cost(planes.width, planes.height, planes.cut(first.weights())));
		final double[] weights = transformed ? first.weights() : null;
		final Spectrum mask = weights == null ? null : new Spectrum(fft, planes, Rows.toFloat(weights));
		return new LadderTiles(templates, zeroMeans, problem.image(), problem.lags(), lags, shape.unit(),
			() -> new FourierNumerator(planes, spectra, mask, n, lags), () -> new DoubleFourierNumerator(planes, zeroMeans, weights, n, block, lags),
			way -> ((FourierNumerator) way).exchange(spectra), transformed, size -> FourierNumerator.spectraBytes(planes, fft, size));
	}
}
