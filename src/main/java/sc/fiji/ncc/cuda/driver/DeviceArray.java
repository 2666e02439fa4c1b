package sc.fiji.ncc.cuda.driver;

import jcuda.Pointer;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUstream;
import jcuda.driver.JCudaDriver;

/** A copy of an array on the GPU. It stays there until it is closed. */
public final class DeviceArray implements AutoCloseable {

	private final CudaDevice device;
	private MemoryPool.DeviceBlock block;

	private DeviceArray(final CudaDevice device, final Pointer from, final long bytes) {
		this.device = device;
		block = device.memory().onDevice(bytes);
		try {
			device.check(JCudaDriver.cuMemcpyHtoD(block.pointer(), from, bytes), "sending " + bytes + " bytes");
			// a copy from pageable memory can return before the data has arrived, and our streams do not wait for the default stream
			device.check(JCudaDriver.cuStreamSynchronize(new CUstream()), "sending " + bytes + " bytes");
		}
		catch (final RuntimeException e) {
			close();
			throw e;
		}
	}

	public static DeviceArray of(final CudaDevice device, final byte[] a) {
		return new DeviceArray(device, Pointer.to(a), a.length);
	}

	public static DeviceArray of(final CudaDevice device, final int[] a) {
		return new DeviceArray(device, Pointer.to(a), 4L * a.length);
	}

	public static DeviceArray of(final CudaDevice device, final float[] a) {
		return new DeviceArray(device, Pointer.to(a), 4L * a.length);
	}

	public static DeviceArray of(final CudaDevice device, final double[] a) {
		return new DeviceArray(device, Pointer.to(a), 8L * a.length);
	}

	public static DeviceArray of(final CudaDevice device, final long[] a) {
		return new DeviceArray(device, Pointer.to(a), 8L * a.length);
	}

	public CUdeviceptr pointer() {
		return block.pointer();
	}

	@Override
	public void close() {
		if (block != null) device.memory().release(block);
		block = null;
	}
}
