package sc.fiji.ncc.cpu.ncc;

import java.util.List;
import java.util.Optional;
import java.util.Set;

import sc.fiji.ncc.cpu.execution.TiledExecution;
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
import sc.fiji.ncc.plan.Weights;

/**
 * Direct correlation of 8- and 16-bit pictures in exact whole numbers: five sums a window, one multiply-add for each template pixel and lag.
 * <p>
 * Values are centred on the middle of their type's range, which changes no response. For 8-bit pictures the products are added up in float,
 * which is exact to 2^24, in runs of 1024; otherwise in double, exact to 2^53. Then {@code N·ΣPT - ΣP·ΣT} and both variances in whole
 * numbers of as many bits as it takes, up to 128, and only then double: no window is ever taken for another.
 */
public final class CpuDirectExact implements Algorithm {

	/** Σ of products of two centred 16-bit values stays below 2^53 up to here. */
	private static final long MOST_PIXELS = 1L << 23;

	@Override
	public String id() {
		return "cpu-direct-exact";
	}

	@Override
	public Set<Precision> precisions() {
		return Set.of(Precision.values());
	}

	@Override
	public Optional<String> unsupported(final Problem p) {
		final Optional<String> unlike = p.mismatch(Operation.NCC, p.precision());
		if (unlike.isPresent()) return unlike;
		if (!p.image().exact() || !p.template().exact())
			return Optional.of("exact sums are for 8- and 16-bit pixels, not " + p.image() + " with " + p.template());
		if (p.weights() == Weights.REAL) return Optional.of("exact sums are for masks of zeros and ones, not for " + p.weights());
		for (final Size t : p.templates())
			if (t.pixels() > MOST_PIXELS) return Optional.of("exact sums are for templates of at most " + MOST_PIXELS + " pixels, not " + t);
		return Optional.empty();
	}

	@Override
	public Plan plan(final Problem problem, final Device device) {
		final boolean narrow = problem.image().bytes == 1 && problem.template().bytes == 1;
		final Cost cost = DirectCost.of(problem, device, narrow, true);
		return new Plan() {

			@Override
			public Cost cost() {
				return cost;
			}

			@Override
			public Execution prepare(final List<Template> templates) {
				return new TiledExecution(templates, problem.precision(), device.parallelism(), t -> new ExactTiles(t, problem.image(), problem.lags()));
			}
		};
	}
}
