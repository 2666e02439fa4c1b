package sc.fiji.ncc.cuda.run;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.util.concurrent.CancellationException;

import jcuda.Pointer;
import jcuda.driver.CUdeviceptr;

import sc.fiji.ncc.cuda.driver.StreamContext;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Sink;

/** Fetches all responses into pinned memory. Several threads copy them from there. */
final class MapFetcher extends ResultFetcher {

	final ParallelCopy pieces;
	private final Precision precision;

	MapFetcher(final Precision precision, final ParallelCopy pieces, final StreamContext context, final Sink out, final Monitor monitor,
		final long[] min, final int[] size)
	{
		super(context, out, monitor, min, size);
		this.precision = precision;
		this.pieces = pieces;
	}

	@Override
	void fetch(final DeviceMaps maps, final CUdeviceptr counts, final int round, final int first, final boolean isFinal) {
		context.fetch(context.pinnedPointer("counted", COUNTERS), counts, COUNTERS);
		fetch(maps);
	}

	@Override
	ByteBuffer counted(final int round) {
		return context.pinned("counted", COUNTERS);
	}

	/** Enqueues the copy of responses to the host. */
	void fetch(final DeviceMaps maps) {
		final Pointer to = context.pinnedPointer("responses", (long) precision.bytes * maps.responses());
		context.fetchRows(to, maps.pointer(), precision.bytes * maps.lags()[0], precision.bytes * maps.pitch(), maps.rows());
	}

	@Override
	void take(final DeviceMaps maps, final CUdeviceptr counts, final int first) {
		final int lags = maps.lagsPerMap();
		final ByteBuffer fetched = context.pinned("responses", (long) precision.bytes * maps.responses());
		final Buffer responses = precision == Precision.SINGLE ? fetched.asFloatBuffer() : fetched.asDoubleBuffer();
		for (int k = 0; k < maps.templates(); k++) {
			if (monitor.canceled()) throw new CancellationException("canceled");
			final int template = first + k, begin = k * lags;
			pieces.copy(size, (from, part, offset, elements) -> {
				final long[] start = min.clone();
				start[start.length - 1] += from;
				out.map(template, start, part, ParallelCopy.of(responses, begin + offset, elements));
			});
			monitor.done(lags);
		}
	}
}
