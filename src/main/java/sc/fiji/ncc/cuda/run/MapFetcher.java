package sc.fiji.ncc.cuda.run;

import java.nio.Buffer;
import java.nio.ByteBuffer;

import jcuda.Pointer;
import jcuda.driver.CUdeviceptr;

import sc.fiji.ncc.cuda.driver.GpuKernel;
import sc.fiji.ncc.cuda.driver.StreamContext;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.ResponseType;
import sc.fiji.ncc.plan.Sink;

/** Fetches all responses into pinned memory. Several threads copy them from there. The GPU quantizes them first if the sink keeps quantized responses. */
final class MapFetcher extends ResultFetcher {

	final ParallelCopy pieces;
	private static final int THREADS = 256;
	private final Precision precision;
	private final ResponseType type;

	MapFetcher(final Precision precision, final ParallelCopy pieces, final StreamContext context, final Sink out, final Monitor monitor,
		final long[] min, final int[] size)
	{
		super(context, out, monitor, min, size);
		this.precision = precision;
		this.pieces = pieces;
		type = out.responseType();
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
		final Pointer to = context.pinnedPointer("responses", bytes(maps));
		if (type.quantized()) context.fetch(to, quantized(maps), bytes(maps));
		else context.fetchRows(to, maps.pointer(), precision.bytes * maps.lags()[0], precision.bytes * maps.pitch(), maps.rows());
	}

	private long bytes(final DeviceMaps maps) {
		return (long) type.bytes(precision) * maps.responses();
	}

	/** Enqueues the quantization of single-precision responses. */
	private CUdeviceptr quantized(final DeviceMaps maps) {
		final CUdeviceptr to = context.buffer("quantized", bytes(maps));
		context.launch(context.device.kernels().get("quantize", type == ResponseType.BITS_16 ? "quantize16" : "quantize8"),
			new GpuKernel.Grid(Math.min(16 * context.device.processors, (maps.responses() + THREADS - 1) / THREADS), 1, 1, THREADS, 1), 0,
			maps.pointer(), maps.responses(), maps.lags()[0], maps.pitch(), to);
		return to;
	}

	@Override
	void take(final DeviceMaps maps, final CUdeviceptr counts, final int first) {
		final int lags = maps.lagsPerMap();
		final ByteBuffer fetched = context.pinned("responses", bytes(maps));
		final Buffer responses = switch (type) {
			case FLOAT -> precision == Precision.SINGLE ? fetched.asFloatBuffer() : fetched.asDoubleBuffer();
			case BITS_16 -> fetched.asShortBuffer();
			case BITS_8 -> fetched;
		};
		for (int k = 0; k < maps.templates(); k++) {
			monitor.requireNotCanceled();
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
