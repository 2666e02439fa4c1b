package sc.fiji.ncc.cpu.execution;

import java.util.List;
import java.util.function.Function;

import sc.fiji.ncc.plan.Cost;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.Execution;
import sc.fiji.ncc.plan.SlidingPlan;
import sc.fiji.ncc.plan.Sliding;
import sc.fiji.ncc.plan.Template;

/** The plan of every CPU algorithm that slides: a cost, and a method for the tiles of templates of one size, type and mask. */
public final class TiledPlan implements SlidingPlan {

	/** The share of the memory that workers may use if they are kept for the next execution. */
	private static final int SHARE = 8;
	/**
	 * Up to this many threads allocate new memory in each execution: the rows of new blocks lie in order. The garbage collector moves rows that are kept,
	 * and then transforms of large blocks take more time. On many threads the allocation takes longer than that.
	 */
	private static final int FEW_THREADS = 4;

	/** The seconds for each response of a new map of floats: Java clears it on one thread, of which a part passes while other threads compute. */
	private static final double NEW_MAP = 0.5e-9;

	private final Cost cost;
	private final Sliding problem;
	private final Device device;
	private final Function<List<Template>, TileMethod> method;
	private final IdleGroups.Kind kind;

	/**
	 * @param algorithm the id of the algorithm
	 * @param cost the cost for one channel
	 * @param method creates the method for templates of one size, type and mask
	 */
	public TiledPlan(final String algorithm, final Cost cost, final Sliding problem, final Device device, final Function<List<Template>, TileMethod> method) {
		final int n = problem.channels();
		this.cost = new Cost(n * cost.seconds() + newMaps(problem), n * cost.onceSeconds(), cost.startSeconds(), n * cost.hostBytes(), cost.deviceBytes());
		this.problem = problem;
		this.device = device;
		this.method = method;
		// what is kept between calls must not take much of the memory
		kind = device.parallelism() > FEW_THREADS && this.cost.hostBytes() <= device.memory() / SHARE ? new IdleGroups.Kind(algorithm, problem,
			device.parallelism(), device.memory()) : null;
	}

	/** Streams write to the same maps again. */
	private static double newMaps(final Sliding p) {
		return p.result().isMap() && p.frames() == 1 ? NEW_MAP / Float.BYTES * p.responseBytes() * p.lags().count().pixels() * p.templates().size() : 0;
	}

	@Override
	public Cost cost() {
		return cost;
	}

	@Override
	public Execution prepare(final List<Template> templates) {
		return new TiledExecution(templates, problem.precision(), device.parallelism(), problem.frames(), method, kind);
	}
}
