package sc.fiji.ncc.cuda;

import java.nio.ByteBuffer;

import jcuda.driver.CUdeviceptr;

import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Result;
import sc.fiji.ncc.plan.Sink;

/** Brings back from the card what is wanted of a slab's responses: all of them, their maxima, or the greatest of each lag. */
abstract class Answer {

	/** Bytes of the counters of an {@link Outcome}, with one more that is free. */
	static final int COUNTERS = 16;

	final Slot slot;
	final Sink out;
	final Monitor monitor;
	/** The slab's first lag, counted from the submission's, and its extents. */
	final long[] min;
	final int[] size;

	Answer(final Slot slot, final Sink out, final Monitor monitor, final long[] min, final int[] size) {
		this.slot = slot;
		this.out = out;
		this.monitor = monitor;
		this.min = min;
		this.size = size;
	}

	/**
	 * @param kind what comes back; all responses where they are doubles
	 * @param templates how many have a map in this slab, over all methods
	 * @param room elements of the largest maps that are computed at once
	 */
	static Answer of(final Result kind, final Precision precision, final int templates, final long room, final Pieces pieces, final Slot slot, final Sink out, final Monitor monitor,
		final long[] min, final int[] size)
	{
		final MapAnswer maps = new MapAnswer(precision, pieces, slot, out, monitor, min, size);
		if (kind == Result.PEAKS) return new PeakAnswer(maps);
		// the map of one template is the best; and indices must fit into 16 bits
		return kind == Result.BEST && templates > 1 && templates < 1 << 16 ? new BestAnswer(maps, room) : maps;
	}

	/** The counters on the card for so many responses. */
	CUdeviceptr counts(final int responses) {
		return slot.buffer("counts", COUNTERS);
	}

	/** Clears the counters, before anything is computed. */
	void clear(final CUdeviceptr counts) {
		slot.clear(counts, COUNTERS / 4);
	}

	/**
	 * Puts on the stream, behind what computes the responses, what shall follow. May come again, if they are computed again.
	 *
	 * @return the counters, once the stream is done
	 */
	abstract ByteBuffer fetch(Maps maps, CUdeviceptr counts);

	/**
	 * The stream is done, and the responses are good.
	 *
	 * @param first the templates' first, of all
	 */
	abstract void take(Maps maps, CUdeviceptr counts, int first);

	/** All templates were taken. */
	void end() {}
}
