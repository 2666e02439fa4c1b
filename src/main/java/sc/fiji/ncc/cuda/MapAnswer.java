package sc.fiji.ncc.cuda;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.util.concurrent.CancellationException;

import jcuda.driver.CUdeviceptr;

import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Sink;

/** Every response: fetched into pinned memory, and copied on by several threads. */
final class MapAnswer extends Answer {

	final Pieces pieces;
	private final Precision precision;

	MapAnswer(final Precision precision, final Pieces pieces, final Slot slot, final Sink out, final Monitor monitor, final long[] min, final int[] size) {
		super(slot, out, monitor, min, size);
		this.precision = precision;
		this.pieces = pieces;
	}

	@Override
	ByteBuffer fetch(final CUdeviceptr map, final CUdeviceptr counts, final int templates, final int each) {
		slot.fetch(slot.pinnedPointer("counted", COUNTERS), counts, COUNTERS);
		fetch(map, templates * each);
		return slot.pinned("counted", COUNTERS);
	}

	/** Puts the fetching of responses on the stream. */
	void fetch(final CUdeviceptr map, final int count) {
		final long bytes = (long) precision.bytes * count;
		slot.fetch(slot.pinnedPointer("responses", bytes), map, bytes);
	}

	@Override
	void take(final CUdeviceptr map, final CUdeviceptr counts, final int first, final int templates, final int each) {
		final ByteBuffer fetched = slot.pinned("responses", (long) precision.bytes * templates * each);
		final Buffer all = precision == Precision.SINGLE ? fetched.asFloatBuffer() : fetched.asDoubleBuffer();
		for (int k = 0; k < templates; k++) {
			if (monitor.canceled()) throw new CancellationException("canceled");
			final int template = first + k, begin = k * each;
			pieces.copy(size, (from, part, at, elements) -> {
				final long[] start = min.clone();
				start[start.length - 1] += from;
				out.map(template, start, part, Pieces.of(all, begin + at, elements));
			});
			monitor.done(each);
		}
	}
}
