package sc.fiji.ncc.cuda;

import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.util.concurrent.CancellationException;

import jcuda.driver.CUdeviceptr;

import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.Sink;

/** Every response: fetched into pinned memory, and copied on by several threads. */
final class MapAnswer extends Answer {

	final Pieces pieces;

	MapAnswer(final Pieces pieces, final Slot slot, final Sink out, final Monitor monitor, final long[] min, final int[] size) {
		super(slot, out, monitor, min, size);
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
		slot.fetch(slot.pinnedPointer("responses", 4L * count), map, 4L * count);
	}

	@Override
	void take(final CUdeviceptr map, final CUdeviceptr counts, final int first, final int templates, final int each) {
		final FloatBuffer all = slot.pinned("responses", 4L * templates * each).asFloatBuffer();
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
