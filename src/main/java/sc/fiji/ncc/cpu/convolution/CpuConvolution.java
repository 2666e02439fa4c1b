package sc.fiji.ncc.cpu.convolution;

import java.util.List;
import java.util.Optional;
import java.util.Set;

import sc.fiji.ncc.cpu.execution.TileMethod;
import sc.fiji.ncc.cpu.execution.TiledPlan;
import sc.fiji.ncc.plan.SlidingAlgorithm;
import sc.fiji.ncc.plan.Cost;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.Operation;
import sc.fiji.ncc.plan.SlidingPlan;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Sliding;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.plan.Weights;

/** The base of the convolution algorithms: tiles of plain sums, in float or in double. */
abstract class CpuConvolution implements SlidingAlgorithm {

	private final String id;

	CpuConvolution(final String id) {
		this.id = id;
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
		return Set.of(Precision.values());
	}

	@Override
	public final Optional<String> unsupported(final Sliding p) {
		final Optional<String> mismatch = p.mismatch(Operation.CONVOLUTION, p.precision());
		if (mismatch.isPresent()) return mismatch;
		if (p.weights() != Weights.NONE) return Optional.of("a kernel has no mask: set the values that shall not count to 0");
		return unsuited(p);
	}

	/** The reason why the algorithm does not support kernels of these sizes. Empty if it supports them. */
	abstract Optional<String> unsuited(Sliding p);

	abstract Cost cost(Sliding p, Device device);

	/** @param kernels kernels of one size and type */
	abstract TileMethod tiles(List<Template> kernels, Sliding p, Device device);

	/** The device with as many threads as its memory suffices for. Default: all. */
	Device limited(final Sliding p, final Device device) {
		return device;
	}

	@Override
	public final SlidingPlan plan(final Sliding problem, final Device device) {
		final Device limited = limited(problem, device);
		return new TiledPlan(id(), cost(problem, limited), problem, limited, kernels -> tiles(kernels, problem, limited));
	}
}
