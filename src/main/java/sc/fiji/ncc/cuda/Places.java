package sc.fiji.ncc.cuda;

import jcuda.Pointer;
import jcuda.driver.CUdeviceptr;

/** The {@link CountedPixels} on the card: values, and places for boxes of the extents at hand. */
final class Places implements AutoCloseable {

	private final CountedPixels pixels;
	private final DeviceArray values;

	/** @param values one for each pixel that counts */
	Places(final CountedPixels pixels, final DeviceArray values) {
		this.pixels = pixels;
		this.values = values;
	}

	int count() {
		return pixels.count();
	}

	CUdeviceptr values() {
		return values.pointer();
	}

	/** Sends the places for a box. They depend on its pitch and rows, which differ from slab to slab. */
	CUdeviceptr in(final Slot slot, final BoxGeometry box, final String name) {
		final int[] places = pixels.places(box.pitch, box.rows);
		final long bytes = 4L * places.length;
		final Pointer pinned = slot.pinnedPointer(name, bytes);
		slot.pinned(name, bytes).asIntBuffer().put(places);
		final CUdeviceptr to = slot.buffer(name, bytes);
		slot.send(to, pinned, bytes);
		return to;
	}

	@Override
	public void close() {
		values.close();
	}
}
