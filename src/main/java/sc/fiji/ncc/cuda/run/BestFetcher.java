package sc.fiji.ncc.cuda.run;

import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.nio.ShortBuffer;

import jcuda.driver.CUdeviceptr;

import sc.fiji.ncc.cuda.driver.GpuKernel;

/** The greatest response of each lag over all templates, and the index of its template. The card compares the templates. */
final class BestFetcher extends ResultFetcher {

	private static final int THREADS = 256;

	private final MapFetcher maps;
	private final GpuKernel best;
	private final int lags;
	private final CUdeviceptr greatest, which;
	private boolean isFirst = true;

	/** @param maxElements the number of elements of the largest maps that are computed at once */
	BestFetcher(final MapFetcher maps, final long maxElements) {
		super(maps.slot, maps.out, maps.monitor, maps.min, maps.size);
		this.maps = maps;
		best = slot.device.kernels().get("peaks", "best");
		int n = 1;
		for (final int s : size) n *= s;
		lags = n;
		greatest = slot.buffer("greatest", 4L * n);
		which = slot.buffer("which", 2L * n);
		// it is read while the work of the next templates is enqueued, so it must not grow then
		slot.buffer("map", 4L * maxElements);
	}

	@Override
	ByteBuffer fetch(final Maps maps, final CUdeviceptr counts) {
		slot.fetch(slot.pinnedPointer("counted", COUNTERS), counts, COUNTERS);
		return slot.pinned("counted", COUNTERS);
	}

	@Override
	void take(final Maps maps, final CUdeviceptr counts, final int first) {
		slot.launch(best, new GpuKernel.Grid(Math.min(16 * slot.device.processors, (lags + THREADS - 1) / THREADS), 1, 1, THREADS, 1), 0, maps.pointer(), lags,
			maps.lags()[0], maps.pitch(), maps.templates(), first, isFirst ? 1 : 0, greatest, which);
		isFirst = false;
		monitor.done(maps.responses());
	}

	@Override
	void end() {
		slot.fetch(slot.pinnedPointer("responses", 4L * lags), greatest, 4L * lags);
		slot.fetch(slot.pinnedPointer("templates", 2L * lags), which, 2L * lags);
		slot.await(monitor);
		final FloatBuffer scores = slot.pinned("responses", 4L * lags).asFloatBuffer();
		final ShortBuffer indices = slot.pinned("templates", 2L * lags).asShortBuffer();
		maps.pieces.copy(size, (from, part, first, elements) -> {
			final long[] start = min.clone();
			start[start.length - 1] += from;
			out.best(start, part, (FloatBuffer) Pieces.of(scores, first, elements), (ShortBuffer) Pieces.of(indices, first, elements));
		});
	}
}
