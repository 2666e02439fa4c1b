package sc.fiji.ncc.cuda.run;

import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.nio.ShortBuffer;

import jcuda.driver.CUdeviceptr;

import sc.fiji.ncc.cuda.driver.GpuKernel;

/** The greatest response of each lag over all templates, and the index of its template. The GPU compares the templates. */
final class BestFetcher extends ResultFetcher {

	private static final int THREADS = 256;

	private final MapFetcher maps;
	private final GpuKernel best;
	private final int lags;
	private final CUdeviceptr greatest, which;
	private boolean isFirst = true;

	/** @param maxElements the number of elements of the largest maps that are computed at once */
	BestFetcher(final MapFetcher maps, final long maxElements) {
		super(maps.context, maps.out, maps.monitor, maps.min, maps.size);
		this.maps = maps;
		best = context.device.kernels().get("peaks", "best");
		int n = 1;
		for (final int s : size) n *= s;
		lags = n;
		greatest = context.buffer("greatest", 4L * n);
		which = context.buffer("which", 2L * n);
		// it is read while the work of the next templates is enqueued, so it must not grow then
		context.buffer("map", 4L * maxElements);
	}

	@Override
	ByteBuffer fetch(final DeviceMaps maps, final CUdeviceptr counts) {
		context.fetch(context.pinnedPointer("counted", COUNTERS), counts, COUNTERS);
		return context.pinned("counted", COUNTERS);
	}

	@Override
	void take(final DeviceMaps maps, final CUdeviceptr counts, final int first) {
		context.launch(best, new GpuKernel.Grid(Math.min(16 * context.device.processors, (lags + THREADS - 1) / THREADS), 1, 1, THREADS, 1), 0, maps.pointer(), lags,
			maps.lags()[0], maps.pitch(), maps.templates(), first, isFirst ? 1 : 0, greatest, which);
		isFirst = false;
		monitor.done(maps.responses());
	}

	@Override
	void end() {
		context.fetch(context.pinnedPointer("responses", 4L * lags), greatest, 4L * lags);
		context.fetch(context.pinnedPointer("templates", 2L * lags), which, 2L * lags);
		context.await(monitor);
		final FloatBuffer scores = context.pinned("responses", 4L * lags).asFloatBuffer();
		final ShortBuffer indices = context.pinned("templates", 2L * lags).asShortBuffer();
		maps.pieces.copy(size, (from, part, first, elements) -> {
			final long[] start = min.clone();
			start[start.length - 1] += from;
			out.best(start, part, (FloatBuffer) ParallelCopy.of(scores, first, elements), (ShortBuffer) ParallelCopy.of(indices, first, elements));
		});
	}
}
