package sc.fiji.ncc.cuda.driver;

import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;

import jcuda.CudaException;
import jcuda.driver.CUcontext;
import jcuda.driver.CUdevice;
import jcuda.driver.CUdevice_attribute;
import jcuda.driver.CUresult;
import jcuda.driver.CUstream;
import jcuda.driver.JCudaDriver;

import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.DeviceException;

/**
 * One GPU: its primary context, which is opened at the first use, its memory and its kernels. Several threads may use it. Each thread calls {@link #enter}
 * before it calls the driver.
 */
public final class CudaDevice {

	final int index;
	/** Compute capability times ten, for example 90. */
	final int architecture;
	/** The number of streaming multiprocessors, and the maximum shared memory of a block in bytes. */
	public final int processors, sharedMemory;
	/** The time of double arithmetic divided by that of float arithmetic: 2 on GPUs for data centres, 32 or 64 on others. */
	private final int ratioOfDouble;
	public final Device device;
	private final CUdevice handle;
	private CUcontext context;
	private MemoryPool memory;
	/** Streams that no one uses. */
	private final Queue<CUstream> streams = new ConcurrentLinkedQueue<>();
	private GpuKernels kernels;
	private volatile String lost;

	/**
	 * What the driver states of a GPU.
	 *
	 * @param name as in the table of devices
	 * @param architecture compute capability times ten
	 * @param processors the number of multiprocessors
	 * @param sharedMemory that a block can have, in bytes
	 * @param ratioOfDouble the time of double arithmetic divided by that of float arithmetic
	 * @param memory in bytes
	 */
	record Properties(String name, int architecture, int processors, int sharedMemory, int ratioOfDouble, long memory) {

		static Properties of(final CUdevice handle) {
			final byte[] name = new byte[256];
			DriverError.check(JCudaDriver.cuDeviceGetName(name, name.length, handle), "querying a device's name");
			final long[] bytes = new long[1];
			DriverError.check(JCudaDriver.cuDeviceTotalMem(bytes, handle), "querying a device's memory");
			int length = 0;
			while (length < name.length && name[length] != 0) length++;
			return new Properties(new String(name, 0, length, StandardCharsets.US_ASCII),
				10 * attribute(handle, CUdevice_attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)
					+ attribute(handle, CUdevice_attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR),
				attribute(handle, CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT),
				attribute(handle, CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN),
				attribute(handle, CUdevice_attribute.CU_DEVICE_ATTRIBUTE_SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO), bytes[0]);
		}

		private static int attribute(final CUdevice handle, final int id) {
			final int[] value = new int[1];
			DriverError.check(JCudaDriver.cuDeviceGetAttribute(value, id, handle), "querying a device's attribute " + id);
			return value[0];
		}
	}

	CudaDevice(final int index, final CUdevice handle, final int driverVersion, final Properties properties) {
		this.index = index;
		this.handle = handle;
		architecture = properties.architecture;
		processors = properties.processors;
		sharedMemory = properties.sharedMemory;
		ratioOfDouble = properties.ratioOfDouble;
		final String pairs = wide() == ExtendedPrecision.PAIRS ? ", pairs of floats for double" : "";
		device = new Device("cuda" + index, properties.name + ", compute " + architecture / 10 + "." + architecture % 10
			+ ", driver for CUDA " + driverVersion / 1000 + "." + driverVersion % 1000 / 10 + pairs, processors, properties.memory);
	}

	/** The time of double arithmetic, relative to GPUs with half as many units for double as for float. */
	public double slowdownOfDouble() {
		return Math.max(1, ratioOfDouble / 2.0);
	}

	/** The arithmetic beyond float in kernels with float responses. */
	public ExtendedPrecision wide() {
		return ExtendedPrecision.of(ratioOfDouble);
	}

	/** The reason why the device is off until Java is started again; null if it is not off. */
	public String lost() {
		return lost;
	}

	/** Makes the context current in the calling thread. */
	public synchronized void enter() {
		if (lost != null) throw new DeviceException(lost);
		if (context == null) {
			final CUcontext c = new CUcontext();
			check(JCudaDriver.cuDevicePrimaryCtxRetain(c, handle), "opening the device");
			context = c;
		}
		check(JCudaDriver.cuCtxSetCurrent(context), "entering the device's context");
	}

	/** Prepares work on the device. @throws DeviceException if the device is off, or fails */
	public <T> T prepared(final Supplier<T> work) {
		try {
			enter();
			return work.get();
		}
		catch (final CudaException e) {
			throw new DeviceException(e.getMessage(), e);
		}
	}

	/** Whether the context is open, so that opening it costs no more time. */
	public synchronized boolean started() {
		return context != null;
	}

	/** The memory of the device. Call {@link #enter} before. */
	public synchronized MemoryPool memory() {
		if (memory == null) memory = new MemoryPool(this);
		return memory;
	}

	/** The kernels of the device. Call {@link #enter} before. */
	public synchronized GpuKernels kernels() {
		if (kernels == null) kernels = new GpuKernels(this);
		return kernels;
	}

	/** Releases memory, kernels and the context. The next use opens them again. Call it only while no execution is open. */
	public synchronized void release() {
		if (context == null || lost != null) return;
		enter();
		if (memory != null) memory.trim();
		if (kernels != null) kernels.close();
		for (CUstream s = streams.poll(); s != null; s = streams.poll()) check(JCudaDriver.cuStreamDestroy(s), "closing a stream");
		memory = null;
		kernels = null;
		context = null;
		check(JCudaDriver.cuDevicePrimaryCtxRelease(handle), "closing the device");
	}

	/** A stream that no one uses, kept from before or a new one. */
	CUstream stream() {
		final CUstream kept = streams.poll();
		if (kept != null) return kept;
		final CUstream s = new CUstream();
		// 1: not synchronized with the default stream
		check(JCudaDriver.cuStreamCreate(s, 1), "creating a stream");
		return s;
	}

	/** Keeps a stream for its next user. */
	void release(final CUstream stream) {
		streams.add(stream);
	}

	/** The free memory of the GPU in bytes. */
	public long freeMemory() {
		enter();
		final long[] free = new long[1], total = new long[1];
		check(JCudaDriver.cuMemGetInfo(free, total), "querying the free memory");
		return free[0];
	}

	/**
	 * @param code the result of a call of the driver
	 * @param operation the operation, in words
	 * @throws DeviceException if the code is an error. After an error that corrupts the context, the device is off until Java is started again
	 */
	public void check(final int code, final String operation) {
		if (code == CUresult.CUDA_SUCCESS) return;
		final String failure = operation + " failed: " + DriverError.name(code);
		if (DriverError.isFatal(code) && lost == null) {
			lost = device.name() + " is off until Java is started again, because " + failure;
			System.getLogger("sc.fiji.ncc").log(System.Logger.Level.WARNING, lost);
		}
		throw new DeviceException(failure);
	}
}
