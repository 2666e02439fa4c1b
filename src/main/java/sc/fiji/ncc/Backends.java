package sc.fiji.ncc;

import java.util.List;

import sc.fiji.ncc.cpu.CpuBackend;
import sc.fiji.ncc.cuda.CudaBackend;
import sc.fiji.ncc.option.ComputeOptions;
import sc.fiji.ncc.plan.Backend;
import sc.fiji.ncc.planner.Planner;

/** All backends. */
public final class Backends {

	private Backends() {}

	/**
	 * All backends, in the order in which their devices are listed.
	 *
	 * @param threads the maximum number of CPU threads
	 * @throws IllegalArgumentException if the number is below 1
	 */
	public static List<Backend> all(final int threads) {
		return all(threads, Runtime.getRuntime().maxMemory());
	}

	/**
	 * All backends, in the order in which their devices are listed.
	 *
	 * @param threads the maximum number of CPU threads
	 * @param memory the bytes of working memory for algorithms of the CPU
	 * @throws IllegalArgumentException if a number is below 1
	 */
	public static List<Backend> all(final int threads, final long memory) {
		return List.of(new CpuBackend(threads, memory), new CudaBackend());
	}

	/** Options with a planner: their own, or one for their threads and memory. */
	static ComputeOptions planned(final ComputeOptions options) {
		return options.planner().isPresent() ? options : options.planner(new Planner(all(options.threads(), options.memory())));
	}
}
