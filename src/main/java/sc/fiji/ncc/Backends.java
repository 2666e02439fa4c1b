package sc.fiji.ncc;

import java.util.List;

import sc.fiji.ncc.cpu.CpuBackend;
import sc.fiji.ncc.cuda.CudaBackend;
import sc.fiji.ncc.loops.Vectors;
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
		return List.of(new CpuBackend(threads), new CudaBackend());
	}

	/** Whether the CPU uses the Vector API; if not, how to get it and, measured at the first call, what it would bring. One line, for the user. */
	public static String vectors() {
		return VectorGain.describe(Vectors.USED);
	}
}
