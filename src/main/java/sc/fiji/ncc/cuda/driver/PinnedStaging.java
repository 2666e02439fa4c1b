package sc.fiji.ncc.cuda.driver;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

import sc.fiji.ncc.plan.DeviceException;
import sc.fiji.ncc.plan.SlidingPlan.Staging;

/** Pinned memory of the host, which a GPU reads directly. */
public final class PinnedStaging implements Staging {

	private final MemoryPool pool;
	private final ByteBuffer bytes;
	private MemoryPool.PinnedBlock block;

	private PinnedStaging(final MemoryPool pool, final long bytes) {
		this.pool = pool;
		block = pool.pinned(bytes);
		this.bytes = block.pointer().getByteBuffer(0, bytes).order(ByteOrder.nativeOrder());
	}

	/** Null if there is not enough memory, or if the size exceeds that of a Java buffer. */
	public static PinnedStaging of(final CudaDevice device, final long bytes) {
		if (bytes > Integer.MAX_VALUE) return null;
		try {
			device.enter();
			return new PinnedStaging(device.memory(), bytes);
		}
		catch (final DeviceException e) {
			System.getLogger("sc.fiji.ncc").log(System.Logger.Level.INFO, "no pinned memory, frames stay on the heap: " + e.getMessage());
			return null;
		}
	}

	@Override
	public ByteBuffer bytes() {
		return bytes;
	}

	@Override
	public synchronized void close() {
		if (block == null) return;
		pool.release(block);
		block = null;
	}
}
