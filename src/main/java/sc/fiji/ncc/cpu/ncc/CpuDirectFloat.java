package sc.fiji.ncc.cpu.ncc;

import java.util.List;
import java.util.Optional;

import sc.fiji.ncc.cpu.execution.TileMethod;
import sc.fiji.ncc.cpu.execution.TiledExecution;
import sc.fiji.ncc.cpu.tile.TemplatePlanes;
import sc.fiji.ncc.cpu.tile.TileShape;
import sc.fiji.ncc.numeric.Weighting;
import sc.fiji.ncc.numeric.ZeroMean;
import sc.fiji.ncc.numeric.ZeroMeanTemplate;
import sc.fiji.ncc.plan.Algorithm;
import sc.fiji.ncc.plan.Cost;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.Execution;
import sc.fiji.ncc.plan.Operation;
import sc.fiji.ncc.plan.Plan;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Problem;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Template;

/**
 * Direct correlation in float, for pixels of any type: one pass over the zero-mean template (Papamakarios, Rizos, Pitsianis, FLCC, eq. 6),
 * with the window sums in double beside it. Every response has an error estimate; those above the tolerance are computed again, a tile at
 * a time in double, then one at a time in compensated sums (see {@link FallbackTiles}).
 */
public final class CpuDirectFloat implements Algorithm {

	static final long MOST_PIXELS = 1 << 26;

	@Override
	public String id() {
		return "cpu-direct";
	}

	@Override
	public Optional<String> unsupported(final Problem p) {
		final Optional<String> unlike = p.mismatch(Operation.NCC, Precision.SINGLE);
		if (unlike.isPresent()) return unlike;
		for (final Size t : p.templates())
			if (t.pixels() > MOST_PIXELS) return Optional.of("a direct sum over " + t + " template pixels is not worth trying");
		return Optional.empty();
	}

	@Override
	public Plan plan(final Problem problem, final Device device) {
		final Cost cost = DirectCost.of(problem, device, true, false);
		return new Plan() {

			@Override
			public Cost cost() {
				return cost;
			}

			@Override
			public Execution prepare(final List<Template> templates) {
				return new TiledExecution(templates, problem.precision(), device.parallelism(), t -> tiles(t, problem));
			}
		};
	}

	private static TileMethod tiles(final List<Template> templates, final Problem problem) {
		final TemplatePlanes planes = new TemplatePlanes(templates.get(0).size());
		final Weighting weights = Weighting.of(templates.get(0));
		final int[] lags = TileShape.direct(planes);
		final List<ZeroMeanTemplate> zeroMeans = ZeroMeanTemplate.of(templates, weights);
		final List<float[]> taps = ZeroMean.toFloat(zeroMeans, weights, problem.lags());
		final double[] limits = DirectNumerator.floatLimits(planes, zeroMeans, taps, weights, problem.lags());
		return new FallbackTiles(templates, zeroMeans, weights, problem.image(), problem.lags(), Precision.SINGLE, lags, TileShape.unit(),
			() -> DirectNumerator.inFloat(planes, taps, limits, problem.lags(), weights, lags[0]),
			() -> DirectNumerator.inDouble(planes, ZeroMeanTemplate.coefficients(zeroMeans), lags[0]),
			way -> ((DirectNumerator) way).exchange(taps, limits), false, size -> 0);
	}
}
