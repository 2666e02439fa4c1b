package sc.fiji.ncc.cuda.driver;

import java.util.Arrays;

import jcuda.Pointer;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUstream;
import jcuda.driver.JCudaDriver;

/** A copy of an array on the GPU. It stays there until it is closed. */
public final class DeviceArray implements AutoCloseable {

	private final CudaDevice device;
	private MemoryPool.DeviceBlock block;

	/** @param each the bytes of each part */
	private DeviceArray(final CudaDevice device, final long each, final Pointer... parts) {
		final long bytes = each * parts.length;
		this.device = device;
		block = device.memory().onDevice(bytes);
		try {
			for (int i = 0; i < parts.length; i++) device.check(JCudaDriver.cuMemcpyHtoD(block.pointer().withByteOffset(i * each), parts[i], each),
				"sending " + bytes + " bytes");
			// a copy from pageable memory can return before the data has arrived, and our streams do not wait for the default stream
			device.check(JCudaDriver.cuStreamSynchronize(new CUstream()), "sending " + bytes + " bytes");
		}
		catch (final RuntimeException e) {
			close();
			throw e;
		}
	}

	public static DeviceArray of(final CudaDevice device, final byte[] a) {
		return new DeviceArray(device, a.length, Pointer.to(a));
	}

	public static DeviceArray of(final CudaDevice device, final int[] a) {
		return new DeviceArray(device, 4L * a.length, Pointer.to(a));
	}

	public static DeviceArray of(final CudaDevice device, final float[] a) {
		return new DeviceArray(device, 4L * a.length, Pointer.to(a));
	}

	/** Rows of one length, one after the other. */
	public static DeviceArray of(final CudaDevice device, final float[][] rows) {
		return new DeviceArray(device, 4L * rows[0].length, Arrays.stream(rows).map(Pointer::to).toArray(Pointer[]::new));
	}

	public static DeviceArray of(final CudaDevice device, final double[] a) {
		return new DeviceArray(device, 8L * a.length, Pointer.to(a));
	}

	public static DeviceArray of(final CudaDevice device, final long[] a) {
		return new DeviceArray(device, 8L * a.length, Pointer.to(a));
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
