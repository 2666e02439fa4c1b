package sc.fiji.ncc.cpu.ncc;

import java.util.List;
import java.util.Optional;
import java.util.Set;

import sc.fiji.ncc.cpu.execution.TileMethod;
import sc.fiji.ncc.cpu.execution.TiledExecution;
import sc.fiji.ncc.cpu.tile.TemplatePlanes;
import sc.fiji.ncc.cpu.tile.TileShape;
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
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Template;

/**
 * {@link CpuDirectFloat} in double, for responses within 1e-10: numerators in double, the windows' sums beside them in pairs of doubles. What its estimate
 * still doubts is computed again about a reference of its own, then one window at a time in compensated sums (see {@link FallbackTiles}).
 */
public final class CpuDirectDouble implements Algorithm {

	@Override
	public String id() {
		return "cpu-direct-double";
	}

	@Override
	public Set<Precision> precisions() {
		return Set.of(Precision.DOUBLE);
	}

	@Override
	public Optional<String> unsupported(final Problem p) {
		final Optional<String> unlike = p.mismatch(Operation.NCC, Precision.DOUBLE);
		if (unlike.isPresent()) return unlike;
		for (final Size t : p.templates())
			if (t.pixels() > CpuDirectFloat.MOST_PIXELS) return Optional.of("a direct sum over " + t + " template pixels is not worth trying");
		return Optional.empty();
	}

	@Override
	public Plan plan(final Problem problem, final Device device) {
		final Cost cost = DirectCost.of(problem, device, false, false);
		return new Plan() {

			@Override
			public Cost cost() {
				return cost;
			}

			@Override
			public Execution prepare(final List<Template> templates) {
				return new TiledExecution(templates, Precision.DOUBLE, device.parallelism(), t -> tiles(t, problem));
			}
		};
	}

	private static TileMethod tiles(final List<Template> templates, final Problem problem) {
		final TemplatePlanes planes = new TemplatePlanes(templates.get(0).size());
		final Weighting weights = Weighting.of(templates.get(0));
		final int[] lags = TileShape.direct(planes);
		final List<ZeroMeanTemplate> zeroMeans = ZeroMeanTemplate.of(templates, weights);
		final List<double[]> taps = ZeroMeanTemplate.coefficients(zeroMeans);
		final double[] limits = DirectNumerator.doubleLimits(planes, zeroMeans, weights);
		return new FallbackTiles(templates, zeroMeans, weights, problem.image(), problem.lags(), Precision.DOUBLE, lags, TileShape.unit(),
			() -> DirectNumerator.inDouble(planes, taps, limits, weights, lags[0]), () -> DirectNumerator.inDouble(planes, taps, limits, weights, lags[0]),
			way -> ((DirectNumerator) way).exchangeInDouble(taps, limits), false, size -> 0);
	}
}
