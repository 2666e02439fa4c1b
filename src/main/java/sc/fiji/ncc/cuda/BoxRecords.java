package sc.fiji.ncc.cuda;

import java.util.Arrays;

import sc.fiji.ncc.peaks.Neighbours;
import sc.fiji.ncc.plan.BoxPeaks;

/**
 * What the kernel {@code peaks} finds in a box, put together to what {@link BoxPeaks} tells. A record is a long, so that sorting puts them in raster order:
 * 29 bits of index, whether a neighbour exceeds it, whether one equals it, 32 bits of value.
 */
final class BoxRecords {

	private static final long EXCEEDED = 1L << 33, TIED = 1L << 32;
	private static final int INDEX = 34;

	private final int[] size;
	private final Neighbours neighbours;
	private final long[] found;
	private final int from, to, offset;
	/** Of each record the first one of its plateau so far as is known; of such a first one, whether something exceeds the plateau, or it touches a face. */
	private final int[] first;
	private final boolean[] dead, open;

	private BoxRecords(final int[] size, final long[] found, final int from, final int to, final int offset) {
		this.size = size;
		neighbours = new Neighbours(Arrays.stream(size).asLongStream().toArray());
		this.found = found;
		this.from = from;
		this.to = to;
		this.offset = offset;
		first = new int[to - from];
		dead = new boolean[to - from];
		open = new boolean[to - from];
	}

	/** As the kernel writes it: the bits are the two highest of the index. */
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
	 * @param found sorted; those of this box stand at {@code from} to {@code to - 1}
	 * @param offset the index of the box's first response
	 */
	static BoxPeaks peaks(final long[] min, final int[] size, final long[] found, final int from, final int to, final int offset) {
		return new BoxRecords(size, found, from, to, offset).peaks(min);
	}

	private BoxPeaks peaks(final long[] min) {
		final int n = to - from;
		int rims = 0;
		for (int i = 0; i < n; i++) {
			first[i] = i;
			dead[i] = (found[from + i] & EXCEEDED) != 0;
			open[i] = neighbours.atAFace(at(i));
			if (open[i]) rims++;
		}
		final boolean[] face = open.clone();
		for (int i = 0; i < n; i++) if ((found[from + i] & TIED) != 0) joinThoseBefore(i);
		final int[] peaks = new int[n], rim = new int[rims], plateaus = new int[rims];
		final float[] values = new float[n], rimValues = new float[rims];
		int count = 0, r = 0;
		for (int i = 0; i < n; i++) {
			final int root = root(i);
			if (face[i]) {
				rim[r] = at(i);
				rimValues[r] = value(found[from + i]);
				plateaus[r++] = dead[root] ? -1 : at(root);
			}
			else if (root == i && !dead[i] && !open[i]) {
				peaks[count] = at(i);
				values[count++] = value(found[from + i]);
			}
		}
		return new BoxPeaks(min.clone(), size.clone(), Arrays.copyOf(peaks, count), Arrays.copyOf(values, count), rim, rimValues, plateaus);
	}

	/** The index in the box. */
	private int at(final int i) {
		return index(found[from + i]) - offset;
	}

	private int root(final int i) {
		int r = i;
		while (first[r] != r) {
			first[r] = first[first[r]];
			r = first[r];
		}
		return r;
	}

	/** Joins a record's plateau with those of its equal neighbours that come before it: they are on record, too. */
	private void joinThoseBefore(final int i) {
		final int index = at(i);
		final float value = value(found[from + i]);
		for (final long other : neighbours.before(index)) {
			final int k = place((int) other, i);
			if (k < 0 || value(found[from + k]) != value) continue;
			final int a = root(k), b = root(i), root = Math.min(a, b), leaf = Math.max(a, b);
			if (root == leaf) continue;
			first[leaf] = root;
			dead[root] |= dead[leaf];
			open[root] |= open[leaf];
		}
	}

	/** Which record before the i-th lies at an index of the box; negative if none does. */
	private int place(final int index, final int i) {
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
