package sc.fiji.ncc.cuda.driver;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

import jcuda.Pointer;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUresult;
import jcuda.driver.JCudaDriver;

import sc.fiji.ncc.plan.DeviceException;
import sc.fiji.ncc.plan.support.Parallel;

/**
 * Memory of the GPU and pinned memory of the host. Returned blocks are kept for reuse, because allocating pinned memory takes milliseconds. After
 * {@link #PATIENCE} seconds without a request, or when the driver has no more memory, all unused blocks are released to the driver. Several threads may use it.
 */
public final class MemoryPool {

	/** The time in seconds for which unused blocks are kept. */
	public static final int PATIENCE = 3;
	private static final long MIN_STEP = 1 << 16;
	private static final ScheduledExecutorService TIMER = Executors.newSingleThreadScheduledExecutor(Parallel.daemons("ncc-cuda-memory"));

	/** A block of the GPU's memory. */
	public record DeviceBlock(CUdeviceptr pointer, long bytes) {}

	/** A block of the host's memory that the GPU accesses directly. */
	record PinnedBlock(Pointer pointer, long bytes) {}

	private final CudaDevice gpu;
	private final TreeMap<Long, Deque<DeviceBlock>> idleOnDevice = new TreeMap<>();
	private final TreeMap<Long, Deque<PinnedBlock>> idlePinned = new TreeMap<>();
	private long lastUse;
	private boolean scheduled;
	/** The maximum memory of the GPU in bytes; the allocated memory of the GPU, and the allocated pinned memory, unused blocks included. */
	private long limit = Long.MAX_VALUE, taken, pinned;

	MemoryPool(final CudaDevice gpu) {
		this.gpu = gpu;
	}

	/** For tests: limits the GPU's memory to this number of bytes. */
	public synchronized void limit(final long bytes) {
		limit = bytes;
	}

	/** The bytes of the GPU's memory allocated from the driver, unused blocks included. */
	public synchronized long deviceBytes() {
		return taken;
	}

	/** The bytes of pinned memory allocated from the driver, unused blocks included. */
	public synchronized long pinnedBytes() {
		return pinned;
	}

	/** @throws DeviceException if there is not enough memory */
	public synchronized DeviceBlock onDevice(final long bytes) {
		final long size = rounded(bytes);
		lastUse = System.nanoTime();
		final DeviceBlock idle = take(idleOnDevice, size);
		if (idle != null) return idle;
		final CUdeviceptr p = new CUdeviceptr();
		int code = allocate(p, size);
		if (code == CUresult.CUDA_ERROR_OUT_OF_MEMORY) {
			trim();
			code = allocate(p, size);
		}
		gpu.check(code, "allocating " + size / 1_000_000 + " MB on " + gpu.device.name());
		taken += size;
		return new DeviceBlock(p, size);
	}

	private int allocate(final CUdeviceptr p, final long size) {
		return taken + size > limit ? CUresult.CUDA_ERROR_OUT_OF_MEMORY : JCudaDriver.cuMemAlloc(p, size);
	}

	/** @throws DeviceException if there is not enough memory */
	synchronized PinnedBlock pinned(final long bytes) {
		final long size = rounded(bytes);
		lastUse = System.nanoTime();
		final PinnedBlock idle = take(idlePinned, size);
		if (idle != null) return idle;
		final Pointer p = new Pointer();
		int code = JCudaDriver.cuMemHostAlloc(p, size, 1);
		if (code == CUresult.CUDA_ERROR_OUT_OF_MEMORY) {
			trim();
			code = JCudaDriver.cuMemHostAlloc(p, size, 1);
		}
		gpu.check(code, "allocating " + size / 1_000_000 + " MB of pinned memory");
		pinned += size;
		return new PinnedBlock(p, size);
	}

	/** Rounds a size up, by at most an eighth, so that blocks of similar sizes can be reused. */
	private static long rounded(final long bytes) {
		final long step = Math.max(MIN_STEP, Long.highestOneBit(Math.max(1, bytes)) / 8);
		return (Math.max(1, bytes) + step - 1) / step * step;
	}

	private static <B> B take(final TreeMap<Long, Deque<B>> idle, final long size) {
		final Deque<B> blocks = idle.get(size);
		return blocks == null ? null : blocks.poll();
	}

	public synchronized void release(final DeviceBlock block) {
		idleOnDevice.computeIfAbsent(block.bytes, b -> new ArrayDeque<>()).add(block);
		scheduleRelease();
	}

	synchronized void release(final PinnedBlock block) {
		idlePinned.computeIfAbsent(block.bytes, b -> new ArrayDeque<>()).add(block);
		scheduleRelease();
	}

	private void scheduleRelease() {
		lastUse = System.nanoTime();
		if (scheduled) return;
		scheduled = true;
		TIMER.schedule(this::releaseIfUnused, PATIENCE, TimeUnit.SECONDS);
	}

	private synchronized void releaseIfUnused() {
		scheduled = false;
		if (idleOnDevice.isEmpty() && idlePinned.isEmpty()) return;
		if (System.nanoTime() - lastUse < PATIENCE * 900_000_000L) {
			scheduled = true;
			TIMER.schedule(this::releaseIfUnused, PATIENCE, TimeUnit.SECONDS);
			return;
		}
		try {
			gpu.enter();
			trim();
		}
		catch (final DeviceException e) {
			// the device is lost, and its memory with it; this was logged
		}
	}

	/** Releases all unused blocks to the driver. A block that cannot be released is given up. */
	public synchronized void trim() {
		for (final Deque<DeviceBlock> blocks : idleOnDevice.values())
			for (DeviceBlock b = blocks.poll(); b != null; b = blocks.poll()) {
				taken -= b.bytes;
				gpu.check(JCudaDriver.cuMemFree(b.pointer), "releasing memory");
			}
		idleOnDevice.clear();
		for (final Deque<PinnedBlock> blocks : idlePinned.values())
			for (PinnedBlock b = blocks.poll(); b != null; b = blocks.poll()) {
				pinned -= b.bytes;
				gpu.check(JCudaDriver.cuMemFreeHost(b.pointer), "releasing pinned memory");
			}
		idlePinned.clear();
	}
}
