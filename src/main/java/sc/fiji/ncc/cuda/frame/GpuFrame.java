package sc.fiji.ncc.cuda.frame;

import java.nio.ByteBuffer;
import java.util.Arrays;

import jcuda.driver.CUdeviceptr;

import sc.fiji.ncc.cuda.driver.Addresses;
import sc.fiji.ncc.cuda.driver.CudaDevice;
import sc.fiji.ncc.cuda.driver.MemoryPool;

/** A frame on a GPU: its deviations, its spectrum and its sums, in one block. It stays there until it is closed. */
public final class GpuFrame implements AutoCloseable {

	/** Bytes of the totals, of which the first {@link #WORDS} eight are in use, and of {@code struct Frame}. */
	static final int TOTALS = 256, STRUCT = 56;
	static final int WORDS = 5;

	private final CudaDevice device;
	private final int pixels;
	/** The bytes of totals, deviations, values, counts, the spectrum and both tables; 0 for those that are left out. */
	private final long[] parts;
	private MemoryPool.DeviceBlock block;
	private boolean flat;
	private long count;

	/** @param ofFixed whether it has the extents of fixed frames */
	GpuFrame(final CudaDevice device, final FrameRange range, final boolean ofFixed) {
		this.device = device;
		pixels = range.pixels(ofFixed);
		parts = parts(range, ofFixed);
		block = device.memory().onDevice(Arrays.stream(parts).sum());
	}

	private static long[] parts(final FrameRange range, final boolean ofFixed) {
		final int[] size = range.size(ofFixed);
		final long n = range.pixels(ofFixed), table = aligned(8L * (size[0] + 1) * (size[1] + 1) * size[2]);
		return new long[] { TOTALS, aligned(4 * n), range.exact() ? 0 : aligned(8 * n), range.missing() ? aligned(n) : 0,
			aligned(8 * range.transforms().complexes()), table, table };
	}

	static long bytes(final FrameRange range, final boolean ofFixed) {
		return Arrays.stream(parts(range, ofFixed)).sum();
	}

	private static long aligned(final long bytes) {
		return (bytes + 255) / 256 * 256;
	}

	CUdeviceptr totals() {
		return block.pointer();
	}

	CUdeviceptr spectrum() {
		return block.pointer().withByteOffset(parts[0] + parts[1] + parts[2] + parts[3]);
	}

	/** The address of the deviations. */
	long deviations() {
		return Addresses.of(block.pointer()) + parts[0];
	}

	/** The address of what counts; 0 if all pixels do. */
	long counts() {
		return isMasked() ? deviations() + parts[1] + parts[2] : 0;
	}

	/** Appends {@code struct Frame} of the kernels. */
	void put(final ByteBuffer to) {
		long at = Addresses.of(block.pointer());
		for (final long part : parts) {
			to.putLong(part == 0 ? 0 : at);
			at += part;
		}
	}

	/** Reads the totals that the GPU has computed, see {@code frames.cu}. */
	void read(final ByteBuffer totals, final int at) {
		count = totals.getLong(at);
		flat = count == 0 || ~totals.getLong(at + 8) == totals.getLong(at + 16);
	}

	/** Whether all pixels that count are equal. */
	public boolean isFlat() {
		return flat;
	}

	/** Whether some pixels do not count. */
	boolean isMasked() {
		return count < pixels;
	}

	/** The number of pixels that count. */
	long count() {
		return count;
	}

	/** Releases the memory. Call it only when no work that uses the frame is under way. */
	@Override
	public synchronized void close() {
		if (block != null) device.memory().release(block);
		block = null;
	}
}
