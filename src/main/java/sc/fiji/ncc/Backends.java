package sc.fiji.ncc;

import java.util.List;

import sc.fiji.ncc.cpu.CpuBackend;
import sc.fiji.ncc.cuda.CudaBackend;
import sc.fiji.ncc.plan.Backend;

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
	 * @param memory the bytes of working memory on the host
	 * @throws IllegalArgumentException if a number is below 1
	 */
	public static List<Backend> all(final int threads, final long memory) {
		return List.of(new CpuBackend(threads, memory), new CudaBackend(memory));
	}
}
