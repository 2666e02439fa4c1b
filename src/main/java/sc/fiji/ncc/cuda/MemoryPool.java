package sc.fiji.ncc.cuda;

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

/**
 * Memory on the card and pinned memory of the host. Blocks that are given back wait for the next who asks, since getting pinned memory
 * from the driver takes milliseconds; what has waited for {@link #PATIENCE} seconds without any request goes back to the driver, and all
 * of it as soon as the driver has no more. Safe for use by several threads.
 */
final class MemoryPool {

	/** Seconds that unused blocks wait. */
	static final int PATIENCE = 3;
	private static final long GRAIN = 1 << 16;
	private static final ScheduledExecutorService JANITOR = Executors.newSingleThreadScheduledExecutor(task -> {
		final Thread t = new Thread(task, "ncc-cuda-memory");
		t.setDaemon(true);
		return t;
	});

	/** A piece of memory on the card. */
	record DeviceBlock(CUdeviceptr pointer, long bytes) {}

	/** A piece of the host's memory that the card reaches by itself. */
	record PinnedBlock(Pointer pointer, long bytes) {}

	private final CudaDevice device;
	private final TreeMap<Long, Deque<DeviceBlock>> idleOnDevice = new TreeMap<>();
	private final TreeMap<Long, Deque<PinnedBlock>> idlePinned = new TreeMap<>();
	private long lastUse;
	private boolean watched;
	/** The most bytes of the card that may be taken at once; and how many are, waiting ones included. */
	private long limit = Long.MAX_VALUE, taken, pinned;

	MemoryPool(final CudaDevice device) {
		this.device = device;
	}

	/** For tests: as if the card had no more than this. */
	synchronized void limit(final long bytes) {
		limit = bytes;
	}

	/** Bytes of the card that are taken from the driver, waiting ones included. */
	synchronized long deviceBytes() {
		return taken;
	}

	/** Bytes of pinned memory that are taken from the driver, waiting ones included. */
	synchronized long pinnedBytes() {
		return pinned;
	}

	/** @throws DeviceException if there is not so much */
	synchronized DeviceBlock onDevice(final long bytes) {
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
		device.check(code, "getting " + size / 1_000_000 + " MB on " + device.device.name());
		taken += size;
		return new DeviceBlock(p, size);
	}

	private int allocate(final CUdeviceptr p, final long size) {
		return taken + size > limit ? CUresult.CUDA_ERROR_OUT_OF_MEMORY : JCudaDriver.cuMemAlloc(p, size);
	}

	/** @throws DeviceException if there is not so much */
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
		device.check(code, "getting " + size / 1_000_000 + " MB of pinned memory");
		pinned += size;
		return new PinnedBlock(p, size);
	}

	/** Sizes a little apart serve each other: up to an eighth more than asked for. */
	private static long rounded(final long bytes) {
		final long step = Math.max(GRAIN, Long.highestOneBit(Math.max(1, bytes)) / 8);
		return (Math.max(1, bytes) + step - 1) / step * step;
	}

	private static <B> B take(final TreeMap<Long, Deque<B>> idle, final long size) {
		final Deque<B> of = idle.get(size);
		return of == null ? null : of.poll();
	}

	synchronized void give(final DeviceBlock block) {
		idleOnDevice.computeIfAbsent(block.bytes, b -> new ArrayDeque<>()).add(block);
		watch();
	}

	synchronized void give(final PinnedBlock block) {
		idlePinned.computeIfAbsent(block.bytes, b -> new ArrayDeque<>()).add(block);
		watch();
	}

	private void watch() {
		lastUse = System.nanoTime();
		if (watched) return;
		watched = true;
		JANITOR.schedule(this::tidy, PATIENCE, TimeUnit.SECONDS);
	}

	private synchronized void tidy() {
		watched = false;
		if (idleOnDevice.isEmpty() && idlePinned.isEmpty()) return;
		if (System.nanoTime() - lastUse < PATIENCE * 900_000_000L) {
			watched = true;
			JANITOR.schedule(this::tidy, PATIENCE, TimeUnit.SECONDS);
			return;
		}
		try {
			device.enter();
			trim();
		}
		catch (final DeviceException e) {
			// the device is lost, and its memory with it: that was said
		}
	}

	/** Gives all that waits back to the driver. */
	synchronized void trim() {
		for (final Deque<DeviceBlock> of : idleOnDevice.values())
			for (final DeviceBlock b : of) {
				taken -= b.bytes;
				device.check(JCudaDriver.cuMemFree(b.pointer), "giving memory back");
			}
		idleOnDevice.clear();
		for (final Deque<PinnedBlock> of : idlePinned.values())
			for (final PinnedBlock b : of) {
				pinned -= b.bytes;
				device.check(JCudaDriver.cuMemFreeHost(b.pointer), "giving pinned memory back");
			}
		idlePinned.clear();
	}
}
