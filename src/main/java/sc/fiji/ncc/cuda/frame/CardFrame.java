package sc.fiji.ncc.cuda.frame;

import java.nio.ByteBuffer;

import jcuda.driver.CUdeviceptr;

import sc.fiji.ncc.cuda.driver.Addresses;
import sc.fiji.ncc.cuda.driver.CudaDevice;
import sc.fiji.ncc.cuda.driver.MemoryPool;
import sc.fiji.ncc.cuda.driver.Transforms;

/** A frame on a card: its deviations, its spectrum and its sums, in one block. It stays there until it is closed. */
public final class CardFrame implements AutoCloseable {

	/** Bytes of the totals, of which the first {@link #WORDS} eight are in use, and of {@code struct Frame}. */
	static final int TOTALS = 256, STRUCT = 40;
	static final int WORDS = 5;
	/** The sum of 65536 plus the largest and of 65536 minus the smallest pixel, if both are equal. */
	private static final long EQUAL = 131_072;

	private final CudaDevice device;
	private final long deviations, spectrum, sums;
	private MemoryPool.DeviceBlock block;
	private boolean flat;

	CardFrame(final CudaDevice device, final int width, final int height, final Transforms.Extents e) {
		this.device = device;
		deviations = aligned(4L * width * height);
		spectrum = aligned(8 * e.complexes());
		sums = aligned(8L * (width + 1) * (height + 1));
		block = device.memory().onDevice(bytes(width, height, e));
	}

	static long bytes(final int width, final int height, final Transforms.Extents e) {
		return TOTALS + aligned(4L * width * height) + aligned(8 * e.complexes()) + 2 * aligned(8L * (width + 1) * (height + 1));
	}

	private static long aligned(final long bytes) {
		return (bytes + 255) / 256 * 256;
	}

	CUdeviceptr totals() {
		return block.pointer();
	}

	CUdeviceptr spectrum() {
		return block.pointer().withByteOffset(TOTALS + deviations);
	}

	/** The address of the deviations. */
	long deviations() {
		return Addresses.of(block.pointer()) + TOTALS;
	}

	/** Appends {@code struct Frame} of the kernels. */
	void put(final ByteBuffer to) {
		final long start = Addresses.of(block.pointer()), tables = start + TOTALS + deviations + spectrum;
		to.putLong(start).putLong(start + TOTALS).putLong(start + TOTALS + deviations).putLong(tables).putLong(tables + sums);
	}

	/** Reads the totals that the card has computed, see {@code frames.cu}. */
	void read(final ByteBuffer totals, final int at) {
		flat = totals.getLong(at + 16) + totals.getLong(at + 24) == EQUAL;
	}

	/** Whether all pixels are equal. */
	public boolean isFlat() {
		return flat;
	}

	/** Releases the memory. Call it only when no work that uses the frame is under way. */
	@Override
	public synchronized void close() {
		if (block != null) device.memory().release(block);
		block = null;
	}
}
