package sc.fiji.ncc.cuda;

import java.nio.charset.StandardCharsets;

import jcuda.driver.CUcontext;
import jcuda.driver.CUdevice;
import jcuda.driver.CUdevice_attribute;
import jcuda.driver.CUresult;
import jcuda.driver.CUstream;
import jcuda.driver.JCudaDriver;

import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.DeviceException;

/**
 * One card: its primary context, which is retained at the first use, its memory and its kernels. Safe for use by several threads; each makes
 * the context its own by {@link #enter} before it calls the driver.
 */
final class CudaDevice {

	final int index;
	/** Compute capability, as in 90. */
	final int architecture;
	/** Streaming multiprocessors, bytes of shared memory that a block may ask for, version of the driver as in 12080. */
	final int processors, sharedMemory, driverVersion;
	/** How many times slower arithmetic in double is than in float: 2 on cards for data centres, 32 or 64 on others. */
	private final int ratioOfDouble;
	final Device device;
	private final CUdevice handle;
	private CUcontext context;
	private MemoryPool memory;
	private Kernels kernels;
	private volatile String lost;

	CudaDevice(final int index, final CUdevice handle, final int driverVersion) {
		this.index = index;
		this.handle = handle;
		this.driverVersion = driverVersion;
		architecture = 10 * attribute(CUdevice_attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)
			+ attribute(CUdevice_attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
		processors = attribute(CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
		sharedMemory = attribute(CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
		ratioOfDouble = attribute(CUdevice_attribute.CU_DEVICE_ATTRIBUTE_SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO);
		final byte[] name = new byte[256];
		Driver.check(JCudaDriver.cuDeviceGetName(name, name.length, handle), "asking for a device's name");
		final long[] bytes = new long[1];
		Driver.check(JCudaDriver.cuDeviceTotalMem(bytes, handle), "asking for a device's memory");
		int length = 0;
		while (length < name.length && name[length] != 0) length++;
		device = new Device("cuda" + index, new String(name, 0, length, StandardCharsets.US_ASCII) + ", compute " + architecture / 10 + "."
			+ architecture % 10 + ", driver for CUDA " + driverVersion / 1000 + "." + driverVersion % 1000 / 10 + (wide() == Wide.PAIRS ? ", pairs of floats for double" : ""), processors, bytes[0]);
	}

	/** How much slower arithmetic in double is than on cards that have half as many units for it as for float: some have a 32nd or a 64th. */
	double slowdownOfDouble() {
		return Math.max(1, ratioOfDouble / 2.0);
	}

	/** What kernels for responses in float take beyond float. */
	Wide wide() {
		return Wide.of(ratioOfDouble);
	}

	private int attribute(final int which) {
		final int[] value = new int[1];
		Driver.check(JCudaDriver.cuDeviceGetAttribute(value, which, handle), "asking for a device's attribute " + which);
		return value[0];
	}

	/** Why it is off until Java is started again; null if it is not. */
	String lost() {
		return lost;
	}

	/** Makes the device's context the calling thread's. */
	synchronized void enter() {
		if (lost != null) throw new DeviceException(lost);
		if (context == null) {
			final CUcontext c = new CUcontext();
			check(JCudaDriver.cuDevicePrimaryCtxRetain(c, handle), "opening the device");
			context = c;
		}
		check(JCudaDriver.cuCtxSetCurrent(context), "entering the device's context");
	}

	/** Whether somebody has entered it, so that its start lies behind. */
	synchronized boolean started() {
		return context != null;
	}

	/** The device's memory; only after {@link #enter}. */
	synchronized MemoryPool memory() {
		if (memory == null) memory = new MemoryPool(this);
		return memory;
	}

	/** The device's kernels; only after {@link #enter}. */
	synchronized Kernels kernels() {
		if (kernels == null) kernels = new Kernels(this);
		return kernels;
	}

	/** Gives back memory, kernels and the context; what enters later opens them anew. Only while no execution is open. */
	synchronized void release() {
		if (context == null || lost != null) return;
		enter();
		if (memory != null) memory.trim();
		if (kernels != null) kernels.close();
		memory = null;
		kernels = null;
		context = null;
		check(JCudaDriver.cuDevicePrimaryCtxRelease(handle), "closing the device");
	}

	CUstream stream() {
		final CUstream s = new CUstream();
		// 1: not ordered with what others do on the default stream
		check(JCudaDriver.cuStreamCreate(s, 1), "making a stream");
		return s;
	}

	/** Bytes of the card that nobody uses. */
	long freeMemory() {
		enter();
		final long[] free = new long[1], total = new long[1];
		check(JCudaDriver.cuMemGetInfo(free, total), "asking for free memory");
		return free[0];
	}

	/**
	 * @param what was tried, in words
	 * @throws DeviceException if the code is an error. After one that poisons the context the device is off until Java is started again
	 */
	void check(final int code, final String what) {
		if (code == CUresult.CUDA_SUCCESS) return;
		final String words = what + " failed: " + Driver.name(code);
		if (Driver.isFatal(code) && lost == null) {
			lost = device.name() + " is off until Java is started again, since " + words;
			System.getLogger("sc.fiji.ncc").log(System.Logger.Level.WARNING, lost);
		}
		throw new DeviceException(words);
	}
}
