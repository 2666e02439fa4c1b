package sc.fiji.ncc.sink;

import java.nio.Buffer;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;

import sc.fiji.ncc.plan.Buffers;
import sc.fiji.ncc.plan.Precision;

/**
 * The array of a new map, which the submitting thread allocates while other threads compute the first responses: Java clears an array on one thread, which
 * takes as long as many threads take to compute a map. Responses that are complete before wait in copies.
 */
final class LateArray {

	private final Precision precision;
	private final int length;
	/** What pixels contain that are not computed. */
	private final float fill;
	private final Queue<Consumer<Buffer>> waiting = new ConcurrentLinkedQueue<>();
	private volatile Buffer array;

	LateArray(final Precision precision, final int length, final float fill) {
		this.precision = precision;
		this.length = length;
		this.fill = fill;
	}

	/** Allocates the array, unless this has been done. */
	void allocate() {
		synchronized (this) {
			if (array == null) {
				final Buffer a = precision.allocate(length);
				if (Float.floatToRawIntBits(fill) != 0) Buffers.fill(a, fill);
				array = a;
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

	/** Writes some responses when there is an array. */
	void later(final Consumer<Buffer> write) {
		waiting.add(write);
		get();
	}
}
