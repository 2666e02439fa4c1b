package sc.fiji.ncc.cuda.driver;

/** For tests outside of this package: what the first GPU's memory looks like, and what goes wrong with the GPU. */
public final class GpuMemory {

	private GpuMemory() {}

	private static CudaDevice device() {
		final CudaDevice device = Driver.devices().list().get(0);
		device.enter();
		return device;
	}

	/** Bytes of the GPU that this process holds. */
	public static long onGpu() {
		return device().memory().deviceBytes();
	}

	/** Bytes of pinned memory that this process holds. */
	public static long pinned() {
		return device().memory().pinnedBytes();
	}

	/** Gives back what waits, and makes it as if no GPU had more than this. */
	public static void limit(final long bytes) {
		for (final CudaDevice device : Driver.devices().list()) {
			device.enter();
			device.memory().trim();
			device.memory().limit(bytes);
		}
	}

	/** Has a kernel trap: the GPU is off for this process then. */
	public static void trap() {
		TrappedKernel.trap(device());
	}
}
