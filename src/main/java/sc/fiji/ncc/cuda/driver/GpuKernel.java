package sc.fiji.ncc.cuda.driver;

import jcuda.NativePointerObject;
import jcuda.Pointer;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUfunction;
import jcuda.driver.CUfunction_attribute;
import jcuda.driver.CUmodule;
import jcuda.driver.CUstream;
import jcuda.driver.JCudaDriver;

/** One kernel. Any thread that has entered the device can launch it. */
public final class GpuKernel {

	/** The shared memory in bytes that every block may use. */
	private static final int DEFAULT_SHARED = 48 << 10;

	private final CudaDevice gpu;
	private final String name;
	private final CUfunction function = new CUfunction();
	/** The shared memory in bytes that a block may use now. It only grows, after the driver has set it: other threads may be about to launch with it. */
	private volatile int allowed = DEFAULT_SHARED;

	public GpuKernel(final CudaDevice gpu, final CUmodule module, final String name) {
		this.gpu = gpu;
		this.name = name;
		gpu.check(JCudaDriver.cuModuleGetFunction(function, module, name), "finding kernel " + name);
	}

	/** The number of blocks along x, y, z; the number of threads of a block along x and y. */
	public record Grid(long x, long y, long z, int threadsX, int threadsY) {

		/** One thread for each of x by y by z elements. */
		public static Grid over(final long x, final long y, final long z, final int threadsX, final int threadsY) {
			return new Grid((x + threadsX - 1) / threadsX, (y + threadsY - 1) / threadsY, z, threadsX, threadsY);
		}
	}

	/**
	 * @param shared the dynamic shared memory in bytes
	 * @param arguments Integer, Long, Float, Double, int[] (a structure), long[] (a structure) or CUdeviceptr, as the kernel declares them
	 */
	void launch(final CUstream stream, final Grid grid, final int shared, final Object... arguments) {
		if (shared > allowed) allow(shared);
		final NativePointerObject[] pointers = new NativePointerObject[arguments.length];
		for (int i = 0; i < arguments.length; i++) pointers[i] = pointer(arguments[i]);
		gpu.check(JCudaDriver.cuLaunchKernel(function, Math.toIntExact(grid.x), Math.toIntExact(grid.y),
			Math.toIntExact(grid.z), grid.threadsX, grid.threadsY, 1, shared, stream, Pointer.to(pointers), null), "launching " + name);
	}

	private synchronized void allow(final int shared) {
		if (shared <= allowed) return;
		gpu.check(JCudaDriver.cuFuncSetAttribute(function, CUfunction_attribute.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, shared),
			"setting the shared memory of " + name + " to " + shared + " bytes");
		allowed = shared;
	}

	private static Pointer pointer(final Object a) {
		if (a instanceof Integer) return Pointer.to(new int[] { (Integer) a });
		if (a instanceof Long) return Pointer.to(new long[] { (Long) a });
		if (a instanceof Float) return Pointer.to(new float[] { (Float) a });
		if (a instanceof Double) return Pointer.to(new double[] { (Double) a });
		if (a instanceof int[]) return Pointer.to((int[]) a);
		if (a instanceof long[]) return Pointer.to((long[]) a);
		if (a instanceof CUdeviceptr) return Pointer.to((CUdeviceptr) a);
		throw new IllegalArgumentException("internal error: a kernel argument of " + a.getClass());
	}
}
