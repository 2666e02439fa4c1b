package sc.fiji.ncc.cuda;

import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.nio.ShortBuffer;

import jcuda.driver.CUdeviceptr;

/** The greatest response of each lag over all templates, and by which of them it is: compared on the card. */
final class BestAnswer extends Answer {

	private static final int THREADS = 256;

	private final MapAnswer whole;
	private final Kernel best;
	private final int lags;
	private final CUdeviceptr greatest, which;
	private boolean fresh = true;

	/** @param room elements of the largest maps that are computed at once */
	BestAnswer(final MapAnswer whole, final long room) {
		super(whole.slot, whole.out, whole.monitor, whole.min, whole.size);
		this.whole = whole;
		best = slot.device.kernels().get("peaks", "best");
		int n = 1;
		for (final int s : size) n *= s;
		lags = n;
		greatest = slot.buffer("greatest", 4L * n);
		which = slot.buffer("which", 2L * n);
		// it is read while the next templates' work is put on the stream: it must not have to grow then
		slot.buffer("map", 4L * room);
	}

	@Override
	ByteBuffer fetch(final Maps maps, final CUdeviceptr counts) {
		slot.fetch(slot.pinnedPointer("counted", COUNTERS), counts, COUNTERS);
		return slot.pinned("counted", COUNTERS);
	}

	@Override
	void take(final Maps maps, final CUdeviceptr counts, final int first) {
		slot.launch(best, new Kernel.Grid(Math.min(16 * slot.device.processors, (lags + THREADS - 1) / THREADS), 1, 1, THREADS, 1), 0, maps.pointer(), lags,
			maps.lags()[0], maps.pitch(), maps.templates(), first, fresh ? 1 : 0, greatest, which);
		fresh = false;
		monitor.done(maps.responses());
	}

	@Override
	void end() {
		slot.fetch(slot.pinnedPointer("responses", 4L * lags), greatest, 4L * lags);
		slot.fetch(slot.pinnedPointer("templates", 2L * lags), which, 2L * lags);
		slot.await(monitor);
		final FloatBuffer scores = slot.pinned("responses", 4L * lags).asFloatBuffer();
		final ShortBuffer indices = slot.pinned("templates", 2L * lags).asShortBuffer();
		whole.pieces.copy(size, (from, part, at, elements) -> {
			final long[] start = min.clone();
			start[start.length - 1] += from;
			out.best(start, part, (FloatBuffer) Pieces.of(scores, at, elements), (ShortBuffer) Pieces.of(indices, at, elements));
		});
	}
}
