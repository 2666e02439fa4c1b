package sc.fiji.ncc.cpu;

import java.util.List;
import java.util.Optional;

import sc.fiji.ncc.plan.Algorithm;
import sc.fiji.ncc.plan.Cost;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.Execution;
import sc.fiji.ncc.plan.Plan;
import sc.fiji.ncc.plan.Problem;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Template;

/**
 * Direct correlation in float, for pixels of any type: one pass over the zero-mean template (Papamakarios, Rizos, Pitsianis, FLCC, eq. 6),
 * with the window sums in double beside it. Every response has an error estimate; those above the tolerance are computed again, a tile at
 * a time in double, then one at a time in compensated sums (see {@link LadderTiles}).
 */
final class DirectFloat implements Algorithm {

	private static final long MOST_PIXELS = 1 << 26;

	@Override
	public String id() {
		return "cpu-direct";
	}

	@Override
	public Optional<String> unsupported(final Problem p) {
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
				return new TiledExecution(templates, device.parallelism(), t -> tiles(t, problem));
			}
		};
	}

	private static TileMethod tiles(final List<Template> templates, final Problem problem) {
		final TemplatePlanes planes = new TemplatePlanes(templates.get(0).size());
		final double n = TemplatePlanes.weight(templates.get(0));
		final int[] lags = TileShape.direct(planes.height);
		final List<double[]> zeroMeans = ZeroMean.of(templates);
		final List<float[]> taps = ZeroMean.toFloat(zeroMeans, problem.lags());
		return new LadderTiles(templates, zeroMeans, problem.image(), problem.lags(), lags, TileShape.unit(),
			() -> DirectNumerator.inFloat(planes, taps, n, lags[0]), () -> DirectNumerator.inDouble(planes, zeroMeans, lags[0]),
			way -> ((DirectNumerator) way).exchange(taps, n), false, size -> 0);
	}
}
