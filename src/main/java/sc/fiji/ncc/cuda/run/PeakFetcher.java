package sc.fiji.ncc.cuda.run;

import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.util.Arrays;

import jcuda.Pointer;
import jcuda.driver.CUdeviceptr;

import sc.fiji.ncc.cuda.driver.GpuKernel;
import sc.fiji.ncc.plan.Sink.SampledRows;

/**
 * The local maxima of a slab's maps, found on the GPU. If there are too many of them, for example in a flat map, the maps are fetched instead and the sink
 * searches them.
 */
final class PeakFetcher extends ResultFetcher {

	/** The number of records that are fetched together with the counters. There are seldom more. */
	private static final int FEW = 2048;
	/** The memory holds one record per this number of responses. This suffices for all maxima of noise. */
	private static final int RESPONSES_PER_RECORD = 8;
	private static final int BYTES = 8, THREADS = 256;
	/** A record holds an index and two flags in 32 bits, so larger maps are fetched. */
	private static final int MAX_RESPONSES = 1 << 29;

	private final MapFetcher maps;
	private final GpuKernel peaks;
	/** The counters of the templates that were fetched last. */
	private ByteBuffer counters;
	/** Whether the responses of these templates were computed again. */
	private boolean isFinal;
	/** What was fetched with these counters; null if the sink takes no sample. */
	private SlabSample sampled;

	PeakFetcher(final MapFetcher maps) {
		super(maps.context, maps.out, maps.monitor, maps.min, maps.size);
		this.maps = maps;
		peaks = context.device.kernels().get("peaks", "peaks");
	}

	private static int maxRecords(final int responses) {
		return Math.max(FEW, responses / RESPONSES_PER_RECORD);
	}

	@Override
	CUdeviceptr counts(final int round, final int responses) {
		return context.buffer("counts", COUNTERS + (long) BYTES * maxRecords(responses));
	}

	@Override
	void clear(final CUdeviceptr counts) {
		context.clear(counts, (COUNTERS + BYTES * FEW) / 4);
	}

	@Override
	void fetch(final DeviceMaps maps, final CUdeviceptr counts, final int round, final int first, final boolean isFinal) {
		this.isFinal = isFinal;
		search(maps, counts, isFinal);
	}

	@Override
	ByteBuffer counted(final int round) {
		return counters;
	}

	/** @param isFinal whether all responses are final, even if the counters show unresolved suspects */
	private void search(final DeviceMaps maps, final CUdeviceptr counts, final boolean isFinal) {
		final int responses = maps.responses();
		context.launch(peaks, new GpuKernel.Grid(Math.min(16 * context.device.processors, (responses + THREADS - 1) / THREADS), 1, 1, THREADS, 1), 0,
			maps.pointer(), size.length,
			maps.lags()[0], maps.lags()[1], maps.lags()[2], maps.pitch(), maps.templates(), out.minScore(), counts, isFinal ? 1 : 0, counts.withByteOffset(COUNTERS),
			responses < MAX_RESPONSES ? maxRecords(responses) : 0);
		final int bytes = COUNTERS + BYTES * FEW;
		context.fetch(context.pinnedPointer("counted", bytes), counts, bytes);
		fetchSample(maps);
		counters = context.pinned("counted", bytes);
	}

	/** Whether the counters show suspects, and none computed again. The kernel then found nothing, because the responses could still change. */
	private boolean isUnresolved() {
		return counters.getInt(4) != 0 && counters.getInt(8) == 0;
	}

	@Override
	void take(final DeviceMaps maps, final CUdeviceptr counts, final int first) {
		if (!isFinal && isUnresolved()) {
			search(maps, counts, true);
			context.await(monitor);
		}
		final int count = counters.getInt(COUNTERS - 4), responses = maps.responses(), lags = maps.lagsPerMap();
		if (count > maxRecords(responses) || responses >= MAX_RESPONSES) {
			this.maps.fetch(maps);
			context.await(monitor);
			this.maps.take(maps, counts, first);
			return;
		}
		final long[] records = new long[count];
		read(counters, COUNTERS, records, 0, Math.min(FEW, count));
		if (count > FEW) {
			final long bytes = (long) BYTES * (count - FEW);
			final Pointer rest = context.pinnedPointer("found", bytes);
			context.fetch(rest, counts.withByteOffset(COUNTERS + (long) BYTES * FEW), bytes);
			context.await(monitor);
			read(context.pinned("found", bytes), 0, records, FEW, count - FEW);
		}
		sample(maps.templates(), first);
		Arrays.sort(records);
		for (int k = 0, from = 0; k < maps.templates(); k++) {
			int to = from;
			while (to < count && BoxRecords.index(records[to]) < (k + 1) * lags) to++;
			out.peaks(first + k, BoxRecords.peaks(min, size, records, from, to, k * lags));
			monitor.done(lags);
			from = to;
		}
	}

	/** The rows of a slab that the sink samples. */
	private record SlabSample(int[] planes, int[] from, int[] count, int stride, int width, long responses) {}

	private SlabSample slabSample(final DeviceMaps maps) {
		final SampledRows rows = out.sampled().orElse(null);
		if (rows == null) return null;
		final int[] lags = maps.lags(), planes = rows.all(min, 2, lags[2]), from = new int[SampledRows.ROWS], count = new int[SampledRows.ROWS];
		long perPlane = 0;
		for (int r = 0; r < SampledRows.ROWS; r++) {
			from[r] = rows.first(min, 1, r);
			count[r] = from[r] < lags[1] ? (lags[1] - 1 - from[r]) / rows.stride() + 1 : 0;
			perPlane += count[r];
		}
		return new SlabSample(planes, from, count, rows.stride(), lags[0], (long) maps.templates() * planes.length * perPlane * lags[0]);
	}

	/** Fetches the sampled rows together with the counters: first rows, second rows and third rows of all blocks of a plane with one copy each. */
	private void fetchSample(final DeviceMaps maps) {
		sampled = slabSample(maps);
		if (sampled == null || sampled.responses == 0) return;
		final int[] lags = maps.lags();
		final int bytes = Float.BYTES * lags[0], pitch = Float.BYTES * maps.pitch();
		final Pointer to = context.pinnedPointer("sampled", Float.BYTES * sampled.responses);
		long at = 0;
		for (int k = 0; k < maps.templates(); k++) for (final int z : sampled.planes) for (int r = 0; r < SampledRows.ROWS; r++) {
			final int count = sampled.count[r];
			if (count == 0) continue;
			final long row = ((long) k * lags[2] + z) * lags[1] + sampled.from[r];
			// the distance of the blocks can exceed the slab
			context.fetchRows(to.withByteOffset(at), maps.pointer().withByteOffset(row * pitch), bytes, count > 1 ? pitch * sampled.stride : bytes, count);
			at += (long) count * bytes;
		}
	}

	/** Passes the fetched rows on to the sink. */
	private void sample(final int templates, final int first) {
		if (sampled == null || sampled.responses == 0) return;
		final FloatBuffer fetched = context.pinned("sampled", Float.BYTES * sampled.responses).asFloatBuffer();
		final int[] extents = new int[size.length];
		Arrays.fill(extents, 1);
		extents[0] = sampled.width;
		int next = 0;
		for (int k = 0; k < templates; k++) for (final int z : sampled.planes) for (int r = 0; r < SampledRows.ROWS; r++) for (int b =
			0; b < sampled.count[r]; b++, next += sampled.width) {
			final long[] place = min.clone();
			if (place.length > 1) place[1] += sampled.from[r] + (long) b * sampled.stride;
			if (place.length > 2) place[2] += z;
			out.sample(first + k, place, extents, fetched.slice(next, sampled.width));
		}
	}

	private static void read(final ByteBuffer from, final int offset, final long[] to, final int first, final int n) {
		for (int i = 0; i < n; i++) to[first + i] = BoxRecords.of(from.getInt(offset + BYTES * i), from.getInt(offset + BYTES * i + 4));
	}
}
