package sc.fiji.ncc;

import java.util.List;

import sc.fiji.ncc.cpu.CpuBackend;
import sc.fiji.ncc.cuda.CudaBackend;
import sc.fiji.ncc.plan.Backend;

/** The backends there are, in the order in which devices are listed. */
public final class Backends {

	private Backends() {}

	/**
	 * @param threads how many threads the CPU may use
	 * @throws IllegalArgumentException if that is below 1
	 */
	public static List<Backend> all(final int threads) {
		return List.of(new CpuBackend(threads), new CudaBackend());
	}
}
