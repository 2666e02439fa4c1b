package sc.fiji.ncc.cuda;

import java.nio.ByteBuffer;
import java.util.Arrays;

import jcuda.Pointer;
import jcuda.driver.CUdeviceptr;

/**
 * The local maxima of a slab's maps, found on the card. Where there are too many of them, of a flat map for instance, the maps come instead and the sink
 * looks for itself.
 */
final class PeakAnswer extends Answer {

	/** As many come with the counters; there are seldom more. */
	private static final int FEW = 2048;
	/** One for so many responses is room enough for noise of which every maximum is wanted. */
	private static final int RESPONSES_FOR_EACH = 8;
	private static final int BYTES = 8, THREADS = 256;
	/** An index and two bits must fit into a word, beside the value in a long. */
	private static final int MOST_RESPONSES = 1 << 29;

	private final MapAnswer whole;
	private final Kernel peaks;
	/** Of the templates that were fetched last. */
	private ByteBuffer counters;
	/** How often these were looked at: once more if they were computed again. */
	private int looks;

	PeakAnswer(final MapAnswer whole) {
		super(whole.slot, whole.out, whole.monitor, whole.min, whole.size);
		this.whole = whole;
		peaks = slot.device.kernels().get("peaks", "peaks");
	}

	private static int room(final int responses) {
		return Math.max(FEW, responses / RESPONSES_FOR_EACH);
	}

	@Override
	CUdeviceptr counts(final int responses) {
		return slot.buffer("counts", COUNTERS + (long) BYTES * room(responses));
	}

	@Override
	void clear(final CUdeviceptr counts) {
		slot.clear(counts, (COUNTERS + BYTES * FEW) / 4);
	}

	@Override
	ByteBuffer fetch(final Maps maps, final CUdeviceptr counts) {
		look(maps, counts, looks > 0);
		looks++;
		return counters;
	}

	/** @param sure whether all responses stand, even if the counters look as if suspects had been left */
	private void look(final Maps maps, final CUdeviceptr counts, final boolean sure) {
		final int responses = maps.responses();
		slot.launch(peaks, new Kernel.Grid(Math.min(16 * slot.device.processors, (responses + THREADS - 1) / THREADS), 1, 1, THREADS, 1), 0, maps.pointer(), size.length,
			maps.lags()[0], maps.lags()[1], maps.lags()[2], maps.pitch(), maps.templates(), out.least(), counts, sure ? 1 : 0, counts.withByteOffset(COUNTERS),
			responses < MOST_RESPONSES ? room(responses) : 0);
		final int bytes = COUNTERS + BYTES * FEW;
		slot.fetch(slot.pinnedPointer("counted", bytes), counts, bytes);
		counters = slot.pinned("counted", bytes);
	}

	/** Whether all suspects were left, or none of them had a response after all. */
	private boolean left() {
		return counters.getInt(4) != 0 && counters.getInt(8) == 0;
	}

	@Override
	void take(final Maps maps, final CUdeviceptr counts, final int first) {
		if (looks == 1 && left()) {
			look(maps, counts, true);
			slot.await(monitor);
		}
		looks = 0;
		final int count = counters.getInt(COUNTERS - 4), responses = maps.responses(), each = maps.each();
		if (count > room(responses) || responses >= MOST_RESPONSES) {
			whole.fetch(maps);
			slot.await(monitor);
			whole.take(maps, counts, first);
			return;
		}
		final long[] found = new long[count];
		read(counters, COUNTERS, found, 0, Math.min(FEW, count));
		if (count > FEW) {
			final long bytes = (long) BYTES * (count - FEW);
			final Pointer rest = slot.pinnedPointer("found", bytes);
			slot.fetch(rest, counts.withByteOffset(COUNTERS + (long) BYTES * FEW), bytes);
			slot.await(monitor);
			read(slot.pinned("found", bytes), 0, found, FEW, count - FEW);
		}
		Arrays.sort(found);
		for (int k = 0, from = 0; k < maps.templates(); k++) {
			int to = from;
			while (to < count && BoxRecords.index(found[to]) < (k + 1) * each) to++;
			out.peaks(first + k, BoxRecords.peaks(min, size, found, from, to, k * each));
			monitor.done(each);
			from = to;
		}
	}

	private static void read(final ByteBuffer from, final int offset, final long[] to, final int first, final int n) {
		for (int i = 0; i < n; i++) to[first + i] = BoxRecords.of(from.getInt(offset + BYTES * i), from.getInt(offset + BYTES * i + 4));
	}
}
