package sc.fiji.ncc.cpu.ncc;

import java.util.List;
import java.util.Optional;
import java.util.Set;

import sc.fiji.ncc.cpu.correlator.RunCorrelator;
import sc.fiji.ncc.cpu.execution.TileMethod;
import sc.fiji.ncc.cpu.execution.TiledExecution;
import sc.fiji.ncc.cpu.fourier.DoubleFourierNumerator;
import sc.fiji.ncc.cpu.fourier.FourierShape;
import sc.fiji.ncc.cpu.tile.TemplatePlanes;
import sc.fiji.ncc.loops.Vectors;
import sc.fiji.ncc.numeric.Weighting;
import sc.fiji.ncc.numeric.ZeroMeanTemplate;
import sc.fiji.ncc.plan.Algorithm;
import sc.fiji.ncc.plan.Cost;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.Execution;
import sc.fiji.ncc.plan.Operation;
import sc.fiji.ncc.plan.Plan;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Problem;
import sc.fiji.ncc.plan.Template;

/**
 * {@link CpuFourierFloat} in double, for responses within 1e-10: numerators by transforms in double, the windows' sums beside them in pairs of doubles, or
 * under a mask that is worth it by transforms too. Where its estimate doubts many responses of a tile, direct sums in double take over
 * ({@link CpuDirectDouble}), then compensated ones.
 */
public final class CpuFourierDouble implements Algorithm {

	/**
	 * What it takes of the time in float: 1.2 to 1.5 with templates of 8x8 to 64x64 on 1000x1000, Java 17, beside other work (bench {@code VolumeSizes}); twice
	 * that where floats have vectors, which doubles do without.
	 */
	public static final double SLOWER = Vectors.USED ? 3 : 1.5;

	@Override
	public String id() {
		return "cpu-fourier-double";
	}

	@Override
	public Set<Precision> precisions() {
		return Set.of(Precision.DOUBLE);
	}

	@Override
	public Optional<String> unsupported(final Problem p) {
		final Optional<String> unlike = p.mismatch(Operation.NCC, Precision.DOUBLE);
		return unlike.isPresent() ? unlike : FourierShape.unsuited(p);
	}

	@Override
	public Plan plan(final Problem problem, final Device device) {
		final Cost inFloat = CpuFourierFloat.cost(problem, device);
		final Cost cost = new Cost(SLOWER * inFloat.seconds(), inFloat.startSeconds(), 2 * inFloat.hostBytes(), 0);
		return new Plan() {

			@Override
			public Cost cost() {
				return cost;
			}

			@Override
			public Execution prepare(final List<Template> templates) {
				return new TiledExecution(templates, Precision.DOUBLE, device.parallelism(), group -> tiles(group, problem));
			}
		};
	}

	private static TileMethod tiles(final List<Template> templates, final Problem problem) {
		final Template first = templates.get(0);
		final TemplatePlanes planes = new TemplatePlanes(first.size());
		final FourierShape shape = FourierShape.of(first.size(), problem.lags().count());
		final int[] lags = shape.maxLags(), block = shape.block();
		final Weighting weights = Weighting.of(first);
		final boolean transformed = first.weights() != null
			&& CpuFourierFloat.transformsMoments(shape, RunCorrelator.cost(planes.width, planes.height, planes.cut(weights.values())));
		final List<ZeroMeanTemplate> zeroMeans = ZeroMeanTemplate.of(templates, weights);
		final List<double[]> taps = ZeroMeanTemplate.coefficients(zeroMeans);
		final double[] limits = DirectNumerator.doubleLimits(planes, zeroMeans, weights);
		return new FallbackTiles(templates, zeroMeans, weights, problem.image(), problem.lags(), Precision.DOUBLE, lags, shape.unit(),
			() -> new DoubleFourierNumerator(planes, taps, transformed ? weights.values() : null, weights.sum(), block, lags, Precision.DOUBLE),
			() -> DirectNumerator.inDouble(planes, taps, limits, weights, lags[0]),
			way -> ((DoubleFourierNumerator) way).exchange(taps), transformed, size -> 0);
	}
}
