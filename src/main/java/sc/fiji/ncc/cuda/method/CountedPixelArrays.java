package sc.fiji.ncc.cuda.method;

import jcuda.Pointer;
import jcuda.driver.CUdeviceptr;

import sc.fiji.ncc.cuda.driver.CudaDevice;
import sc.fiji.ncc.cuda.driver.DeviceArray;
import sc.fiji.ncc.cuda.driver.StreamContext;
import sc.fiji.ncc.cuda.run.BoxGeometry;

/** The {@link CountedPixels} on the card: values, weights, and positions for the current box. */
final class CountedPixelArrays implements AutoCloseable {

	private final CountedPixels pixels;
	private final DeviceArray values, weights;

	/** @param values one per pixel with positive weight; this object closes them, also if its constructor fails */
	CountedPixelArrays(final CudaDevice device, final CountedPixels pixels, final DeviceArray values) {
		this.pixels = pixels;
		this.values = values;
		try {
			weights = pixels.weights() == null ? null : DeviceArray.of(device, pixels.weights());
		}
		catch (final RuntimeException e) {
			values.close();
			throw e;
		}
	}

	int count() {
		return pixels.count();
	}

	CUdeviceptr values() {
		return values.pointer();
	}

	/** The weights; a null pointer if all are 1. */
	CUdeviceptr weights() {
		return weights == null ? new CUdeviceptr() : weights.pointer();
	}

	/** Sends the positions for a box. They depend on the pitch and the rows of the box. */
	CUdeviceptr in(final StreamContext context, final BoxGeometry box, final String name) {
		final int[] places = pixels.places(box.pitch, box.rows);
		final long bytes = 4L * places.length;
		final Pointer pinned = context.pinnedPointer(name, bytes);
		context.pinned(name, bytes).asIntBuffer().put(places);
		final CUdeviceptr to = context.buffer(name, bytes);
		context.send(to, pinned, bytes);
		return to;
	}

	@Override
	public void close() {
		values.close();
		if (weights != null) weights.close();
	}
}
