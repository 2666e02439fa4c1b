package sc.fiji.ncc.cuda.run;

import java.util.Arrays;

import sc.fiji.ncc.peaks.Neighbours;
import sc.fiji.ncc.plan.Sink.BoxPeaks;

/**
 * Converts the records of the kernel {@code peaks} to {@link BoxPeaks}. A record is a long: 29 bits of index, one bit if a neighbour exceeds the response, one
 * bit if a neighbour equals it, and 32 bits of value. Thus sorting puts the records in raster order.
 */
final class BoxRecords {

	private static final long EXCEEDED = 1L << 33, TIED = 1L << 32;
	private static final int INDEX = 34;

	private final int[] size;
	private final Neighbours neighbours;
	private final long[] records;
	private final int from, to, offset;
	/** For each record the first known record of its plateau. For that first record: whether a neighbour exceeds the plateau, and whether it touches a face. */
	private final int[] first;
	private final boolean[] exceeded, open;

	private BoxRecords(final int[] size, final long[] records, final int from, final int to, final int offset) {
		this.size = size;
		neighbours = new Neighbours(Arrays.stream(size).asLongStream().toArray());
		this.records = records;
		this.from = from;
		this.to = to;
		this.offset = offset;
		first = new int[to - from];
		exceeded = new boolean[to - from];
		open = new boolean[to - from];
	}

	/** A record from the two words that the kernel writes. The two highest bits of {@code at} are the flags. */
	static long of(final int at, final int value) {
		return (long) (at & 0x1fff_ffff) << INDEX | (at < 0 ? EXCEEDED : 0) | ((at & 1 << 30) != 0 ? TIED : 0) | value & 0xffff_ffffL;
	}

	static int index(final long record) {
		return (int) (record >> INDEX);
	}

	private static float value(final long record) {
		return Float.intBitsToFloat((int) record);
	}

	/**
	 * @param records the sorted records; those of this box are at {@code from} to {@code to - 1}
	 * @param offset the index of the first response of the box
	 */
	static BoxPeaks peaks(final long[] min, final int[] size, final long[] records, final int from, final int to, final int offset) {
		return new BoxRecords(size, records, from, to, offset).peaks(min);
	}

	private BoxPeaks peaks(final long[] min) {
		final int n = to - from;
		int rims = 0;
		for (int i = 0; i < n; i++) {
			first[i] = i;
			exceeded[i] = (records[from + i] & EXCEEDED) != 0;
			open[i] = neighbours.atAFace(at(i));
			if (open[i]) rims++;
		}
		final boolean[] face = open.clone();
		for (int i = 0; i < n; i++) if ((records[from + i] & TIED) != 0) joinWithPreceding(i);
		final int[] peaks = new int[n], rim = new int[rims], plateaus = new int[rims];
		final float[] values = new float[n], rimValues = new float[rims];
		int count = 0, r = 0;
		for (int i = 0; i < n; i++) {
			final int root = root(i);
			if (face[i]) {
				rim[r] = at(i);
				rimValues[r] = value(records[from + i]);
				plateaus[r++] = exceeded[root] ? -1 : at(root);
			}
			else if (root == i && !exceeded[i] && !open[i]) {
				peaks[count] = at(i);
				values[count++] = value(records[from + i]);
			}
		}
		return new BoxPeaks(min.clone(), size.clone(), Arrays.copyOf(peaks, count), Arrays.copyOf(values, count), rim, rimValues, plateaus);
	}

	/** The index in the box of record {@code i}. */
	private int at(final int i) {
		return index(records[from + i]) - offset;
	}

	private int root(final int i) {
		int r = i;
		while (first[r] != r) {
			first[r] = first[first[r]];
			r = first[r];
		}
		return r;
	}

	/** Joins the plateau of a record with those of its equal preceding neighbours. These have records, too. */
	private void joinWithPreceding(final int i) {
		final int index = at(i);
		final float value = value(records[from + i]);
		for (final long other : neighbours.before(index)) {
			final int k = find((int) other, i);
			if (k < 0 || value(records[from + k]) != value) continue;
			final int a = root(k), b = root(i), root = Math.min(a, b), leaf = Math.max(a, b);
			if (root == leaf) continue;
			first[leaf] = root;
			exceeded[root] |= exceeded[leaf];
			open[root] |= open[leaf];
		}
	}

	/** The record before record {@code i} that has this index in the box; -1 if there is none. */
	private int find(final int index, final int i) {
		int low = 0, high = i - 1;
		while (low <= high) {
			final int middle = (low + high) >>> 1, at = at(middle);
			if (at == index) return middle;
			if (at < index) low = middle + 1;
			else high = middle - 1;
		}
		return -1;
	}
}
