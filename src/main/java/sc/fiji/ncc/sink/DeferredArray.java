package sc.fiji.ncc.sink;

import java.nio.Buffer;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.function.IntFunction;

import sc.fiji.ncc.plan.DeviceException;

/**
 * The array of a new map, which the submitting thread allocates while other threads compute the first responses: Java clears an array on one thread, which
 * takes as long as many threads take to compute a map. Responses that are complete before wait in copies.
 * <p>
 * The volatile {@link #array} publishes the array with its fill: a thread that reads it sees both. A thread adds its copy to the queue before it reads the array,
 * and the allocating thread writes the array before it reads the queue. In the total order of volatile accesses one of both comes first, so that no copy
 * remains in the queue. Any thread may write the copy of another one. It does so before its own call returns, so all responses are in the array when all calls
 * that began before have returned. The end of a submission comes after these calls.
 * <p>
 * If the allocation fails, the copies are discarded: they would take the memory that another attempt needs. Until {@link #begin} further responses fail for the
 * same reason, so that the box ends early.
 */
final class DeferredArray {

	private final IntFunction<Buffer> allocation;
	private final int length;
	private final Queue<Consumer<Buffer>> waiting = new ConcurrentLinkedQueue<>();
	private volatile Buffer array;
	/** Null unless the last allocation failed. */
	private volatile OutOfMemoryError failure;

	/** @param allocation makes the array of a length, with what pixels contain that are not computed */
	DeferredArray(final IntFunction<Buffer> allocation, final int length) {
		this.allocation = allocation;
		this.length = length;
	}

	/** Begins a box, also again after a failure. As long as there is no array, no other box may be in progress. */
	void begin() {
		if (array != null) return;
		failure = null;
		waiting.clear();
	}

	/** Allocates the array, unless this has been done. */
	void allocate() {
		synchronized (this) {
			if (array == null) {
				try {
					array = allocation.apply(length);
				}
				catch (final OutOfMemoryError e) {
					failure = e;
					waiting.clear();
					throw e;
				}
			}
		}
		get();
	}

	/** The array, which then holds all responses that waited or that other calls are writing; null if it is not allocated yet. */
	Buffer get() {
		final Buffer a = array;
		if (a != null)
			for (Consumer<Buffer> write = waiting.poll(); write != null; write = waiting.poll()) write.accept(a);
		return a;
	}

	/**
	 * Writes some responses when there is an array.
	 *
	 * @throws DeviceException if its allocation failed
	 */
	void later(final Consumer<Buffer> write) {
		final OutOfMemoryError e = failure;
		if (e != null) throw DeviceException.outOfHeap(e);
		waiting.add(write);
		get();
	}
}
