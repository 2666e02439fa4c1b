package sc.fiji.ncc.cpu;

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
			public Execution prepare(final java.util.List<Template> templates) {
				return new TiledExecution(templates, device.parallelism(), t -> tiles(t, problem));
			}
		};
	}

	private static TileMethod tiles(final Template t, final Problem problem) {
		t.requireContrast();
		final TemplatePlanes planes = new TemplatePlanes(t.size());
		final double[] zeroMean = ZeroMean.of(t);
		// a part of a template may have a small share of its contrast: then only its own roundings may weigh
		final float[] taps = problem.lags().partial() ? Rows.toFloat(zeroMean) : ZeroMean.toFloat(zeroMean);
		final double n = TemplatePlanes.weight(t);
		final int[] lags = TileShape.direct(planes.height);
		return new LadderTiles(t, zeroMean, problem.image(), problem.lags(), lags, TileShape.LEAST_ROWS,
			() -> DirectNumerator.inFloat(planes, taps, n, lags[0]), () -> DirectNumerator.inDouble(planes, zeroMean, lags[0]));
	}
}
