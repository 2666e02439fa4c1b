package sc.fiji.ncc.cpu.convolution;

import java.util.List;

import sc.fiji.ncc.cpu.execution.TileMethod;
import sc.fiji.ncc.cpu.execution.TiledPlan;
import sc.fiji.ncc.plan.SlidingAlgorithm;
import sc.fiji.ncc.plan.Cost;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.SlidingPlan;
import sc.fiji.ncc.plan.Sliding.Convolution;
import sc.fiji.ncc.plan.Template;

/** The base of the convolution algorithms: tiles of plain sums, in float or in double. */
abstract class CpuConvolution implements SlidingAlgorithm<Convolution> {

	private final String id;

	CpuConvolution(final String id) {
		this.id = id;
	}

	@Override
	public final String id() {
		return id;
	}

	@Override
	public final Class<Convolution> kind() {
		return Convolution.class;
	}

	abstract Cost cost(Convolution p, Device device);

	/** @param kernels kernels of one size and type */
	abstract TileMethod tiles(List<Template> kernels, Convolution p, Device device);

	/** The device with as many threads as its memory suffices for. Default: all. */
	Device limited(final Convolution p, final Device device) {
		return device;
	}

	@Override
	public final SlidingPlan plan(final Convolution problem, final Device device) {
		final Device limited = limited(problem, device);
		return new TiledPlan(id(), cost(problem, limited), problem, limited, kernels -> tiles(kernels, problem, limited));
	}
}
