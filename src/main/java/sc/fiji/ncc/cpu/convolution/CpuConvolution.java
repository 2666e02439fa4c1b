package sc.fiji.ncc.cpu.convolution;

import java.util.List;
import java.util.Optional;
import java.util.Set;

import sc.fiji.ncc.cpu.execution.TileMethod;
import sc.fiji.ncc.cpu.execution.TiledExecution;
import sc.fiji.ncc.plan.Algorithm;
import sc.fiji.ncc.plan.Cost;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.Execution;
import sc.fiji.ncc.plan.Operation;
import sc.fiji.ncc.plan.Plan;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Problem;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.plan.Weights;

/** What the ways to convolve share: tiles of plain sums, in float or in double. */
abstract class CpuConvolution implements Algorithm {

	private final String id;
	final Precision precision;

	CpuConvolution(final String id, final Precision precision) {
		this.id = precision == Precision.SINGLE ? id : id + "-double";
		this.precision = precision;
	}

	@Override
	public final String id() {
		return id;
	}

	@Override
	public final Operation operation() {
		return Operation.CONVOLUTION;
	}

	@Override
	public final Set<Precision> precisions() {
		return Set.of(precision);
	}

	@Override
	public final Optional<String> unsupported(final Problem p) {
		final Optional<String> unlike = p.mismatch(Operation.CONVOLUTION, precision);
		if (unlike.isPresent()) return unlike;
		if (p.weights() != Weights.NONE) return Optional.of("a kernel has no mask: set its taps to 0 where none shall be");
		return unsuited(p);
	}

	/** Why it does not apply to kernels of these sizes, in words; empty if it does. */
	abstract Optional<String> unsuited(Problem p);

	abstract Cost cost(Problem p, Device device);

	/** @param kernels of one size and type */
	abstract TileMethod tiles(List<Template> kernels, Problem p);

	@Override
	public final Plan plan(final Problem problem, final Device device) {
		final Cost cost = cost(problem, device);
		return new Plan() {

			@Override
			public Cost cost() {
				return cost;
			}

			@Override
			public Execution prepare(final List<Template> kernels) {
				return new TiledExecution(kernels, problem.precision(), device.parallelism(), k -> tiles(k, problem));
			}
		};
	}
}
