package sc.fiji.ncc.cuda.method;

import jcuda.driver.CUdeviceptr;

import sc.fiji.ncc.cuda.driver.CudaDevice;
import sc.fiji.ncc.cuda.driver.DeviceArray;
import sc.fiji.ncc.cuda.driver.GpuKernel;
import sc.fiji.ncc.cuda.driver.StreamContext;
import sc.fiji.ncc.cuda.run.BoxGeometry;

/** The {@link CountedPixels} on the GPU: values, weights, and positions for the current box. */
final class CountedPixelArrays implements AutoCloseable {

	private static final int THREADS = 256;

	private final CudaDevice device;
	private final CountedPixels pixels;
	private final DeviceArray values, weights, indices;

	/** @param values one per pixel with positive weight; this object closes them, also if its constructor fails */
	CountedPixelArrays(final CudaDevice device, final CountedPixels pixels, final DeviceArray values) {
		this.device = device;
		this.pixels = pixels;
		this.values = values;
		DeviceArray ofWeights = null;
		try {
			ofWeights = pixels.weights() == null ? null : DeviceArray.of(device, pixels.weights());
			indices = pixels.indices() == null ? null : DeviceArray.of(device, pixels.indices());
		}
		catch (final RuntimeException e) {
			values.close();
			if (ofWeights != null) ofWeights.close();
			throw e;
		}
		weights = ofWeights;
	}

	int count() {
		return pixels.count();
	}

	CUdeviceptr values() {
		return values.pointer();
	}

	/** The weights; a null pointer if all are 1. */
	CUdeviceptr weights() {
		return pointer(weights);
	}

	private static CUdeviceptr pointer(final DeviceArray array) {
		return array == null ? new CUdeviceptr() : array.pointer();
	}

	/** Computes the positions for a box, {@code struct Place} of the kernels. They depend on the pitch and the rows of the box. */
	CUdeviceptr in(final StreamContext context, final BoxGeometry box, final String name) {
		final int width = (int) pixels.size().get(0), height = (int) pixels.size().get(1);
		// offsets are int
		Math.toIntExact(((pixels.size().get(2) - 1) * box.rows + height - 1) * box.pitch + width - 1);
		final CUdeviceptr to = context.buffer(name, 16L * count());
		context.launch(device.kernels().get("recheck", "places"), GpuKernel.Grid.over(count(), 1, 1, THREADS, 1), 0, pointer(indices), count(), width,
			height, box.pitch, box.rows, to);
		return to;
	}

	@Override
	public void close() {
		values.close();
		if (weights != null) weights.close();
		if (indices != null) indices.close();
	}
}
