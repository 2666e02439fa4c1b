package sc.fiji.ncc.cuda.run;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;

import jcuda.driver.CUdeviceptr;

import sc.fiji.ncc.cuda.driver.GpuKernel;
import sc.fiji.ncc.plan.support.Boxes;

/** The greatest response of each lag over all templates, and the number of its template. The GPU compares the templates. */
final class BestFetcher extends ResultFetcher {

	private static final int THREADS = 256;
	/** Rounds that are enqueued together: the GPU does not wait for the host, and a cancel takes effect soon. */
	private static final int TOGETHER = 16;
	/** Each byte of a NaN. */
	private static final int NAN = 0xff;
	/** The largest number of templates that a byte can tell apart. */
	private static final int MOST_IN_A_BYTE = 255;

	private final MapFetcher maps;
	private final GpuKernel best;
	private final int lags;
	private final CUdeviceptr greatest, which;
	/** The bytes of the numbers of templates. */
	private final long bytes;
	/** The bytes of the counters of all rounds. */
	private final int counters;

	/**
	 * @param templates the number of templates
	 * @param rounds how often maps are computed
	 * @param maxElements the number of elements of the largest maps that are computed at once
	 */
	BestFetcher(final MapFetcher maps, final int templates, final int rounds, final long maxElements) {
		super(maps.context, maps.out, maps.monitor, maps.min, maps.size);
		this.maps = maps;
		final boolean inBytes = templates <= MOST_IN_A_BYTE;
		best = context.device.kernels().get("peaks", inBytes ? "best_bytes" : "best_shorts");
		final int n = Boxes.pixels(size);
		lags = n;
		counters = Math.multiplyExact(COUNTERS, rounds);
		greatest = context.buffer("greatest", 4L * n);
		bytes = (inBytes ? 1L : 2) * n;
		which = context.buffer("which", bytes + 2);
		// it is read while the work of the next templates is enqueued, so it must not grow then
		context.buffer("map", 4L * maxElements);
		context.buffer("counts", counters);
		context.pinnedPointer("counted", counters);
		context.fill(greatest, Float.isNaN(out.undefinedBest()) ? NAN : 0, 4L * n);
		context.fill(which, 0, bytes);
	}

	@Override
	int together() {
		return TOGETHER;
	}

	@Override
	CUdeviceptr counts(final int round, final int responses) {
		return context.buffer("counts", counters).withByteOffset((long) COUNTERS * round);
	}

	@Override
	void fetch(final DeviceMaps maps, final CUdeviceptr counts, final int round, final int first, final boolean isFinal) {
		context.fetch(context.pinnedPointer("counted", counters).withByteOffset((long) COUNTERS * round), counts, COUNTERS);
		context.launch(best, new GpuKernel.Grid(Math.min(16 * context.device.processors, (lags + THREADS - 1) / THREADS), 1, 1, THREADS, 1),
			0, maps.pointer(), lags, maps.lags()[0], maps.pitch(), maps.templates(), first, counts, isFinal ? 1 : 0, greatest, which);
	}

	@Override
	ByteBuffer counted(final int round) {
		return context.pinned("counted", counters).slice(COUNTERS * round, COUNTERS).order(ByteOrder.nativeOrder());
	}

	@Override
	void take(final DeviceMaps maps, final CUdeviceptr counts, final int first) {
		monitor.done(maps.responses());
	}

	@Override
	void end() {
		context.fetch(context.pinnedPointer("responses", 4L * lags), greatest, 4L * lags);
		context.fetch(context.pinnedPointer("templates", bytes), which, bytes);
		context.await(monitor);
		final FloatBuffer scores = context.pinned("responses", 4L * lags).asFloatBuffer();
		final ByteBuffer fetched = context.pinned("templates", bytes);
		final Buffer ordinals = bytes == lags ? fetched : fetched.asShortBuffer();
		maps.pieces.copy(size, (from, part, first, elements) -> {
			final long[] start = min.clone();
			start[start.length - 1] += from;
			out.best(start, part, (FloatBuffer) ParallelCopy.of(scores, first, elements), ParallelCopy.of(ordinals, first, elements));
		});
	}
}
