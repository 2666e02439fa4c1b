package sc.fiji.ncc.cpu;

import java.util.Optional;

import sc.fiji.ncc.plan.Algorithm;
import sc.fiji.ncc.plan.Cost;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.Execution;
import sc.fiji.ncc.plan.Plan;
import sc.fiji.ncc.plan.Problem;
import sc.fiji.ncc.plan.Template;

/**
 * Direct correlation in float, for pixels of any type: one pass over the zero-mean template (Papamakarios, Rizos, Pitsianis, FLCC, eq. 6),
 * with the window sums in double beside it. Every response has an error estimate; those above the tolerance are computed again, a tile at
 * a time in double, then one at a time in compensated sums (see {@link FloatTiles}).
 */
final class DirectFloat implements Algorithm {

	@Override
	public String id() {
		return "cpu-direct";
	}

	@Override
	public Optional<String> unsupported(final Problem p) {
		return p.templates().stream().anyMatch(t -> t.pixels() > 1 << 26)
			? Optional.of("a direct sum over more than 2^26 template pixels is not worth trying") : Optional.empty();
	}

	@Override
	public Plan plan(final Problem problem, final Device device) {
		final Cost cost = DirectCost.of(problem, device, true);
		return new Plan() {

			@Override
			public Cost cost() {
				return cost;
			}

			@Override
			public Execution prepare(final java.util.List<Template> templates) {
				return new TiledExecution(templates, device.parallelism(), t -> new FloatTiles(t, problem.image(), problem.lags()));
			}
		};
	}
}
