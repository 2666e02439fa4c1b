package sc.fiji.ncc.pose;

import java.util.Arrays;

import sc.fiji.ncc.plan.bank.Bounds;

/**
 * The best score at each position at which a pose reaches the minimum score, of one template in one frame. An entry is exact, or within {@link
 * Bounds#RESPONSE}; then its pose can be unknown. Entries are computed exactly when a decision depends on it. Memory: 28 bytes per entry.
 */
final class PoseScores {

	/** Computes an entry exactly. */
	@FunctionalInterface
	interface Exact {

		/**
		 * @param position the position, as a key
		 * @param code the pose or the family, see {@link #code}
		 * @param result receives the score and the pose's number
		 */
		void of(long position, int code, double[] result);
	}

	/** Entries of several families are merged when this many came. */
	private static final int MERGE = 1 << 22;
	private static final double ERROR = Bounds.RESPONSE;

	private final Exact exact;
	/** The distances between the keys of neighbours along each dimension. There is one unused key after each row, so that neighbours do not wrap. */
	private final long[] strides;
	private long[] keys = new long[256];
	private double[] values = new double[256];
	private int[] codes = new int[256];
	private int count, merged;
	private final double[] result = new double[2];

	PoseScores(final long[] strides, final Exact exact) {
		this.strides = strides;
		this.exact = exact;
	}

	/** An exact entry has the pose's number. Others are negative: -1 - pose, or -1 - poses - family if the pose is unknown. */
	static int approximate(final int pose) {
		return -1 - pose;
	}

	synchronized void add(final long[] newKeys, final double[] newValues, final int[] newCodes, final int n) {
		if (count + n > keys.length) {
			final int length = (int) Math.min(Integer.MAX_VALUE - 8, Math.max(2L * keys.length, (long) count + n));
			if (length < count + n) throw new IllegalArgumentException("more than " + length + " positions reach the minimum score: give a higher one");
			keys = Arrays.copyOf(keys, length);
			values = Arrays.copyOf(values, length);
			codes = Arrays.copyOf(codes, length);
		}
		System.arraycopy(newKeys, 0, keys, count, n);
		System.arraycopy(newValues, 0, values, count, n);
		System.arraycopy(newCodes, 0, codes, count, n);
		count += n;
		if (count > 2L * merged + MERGE) merge();
	}

	synchronized void clear() {
		count = 0;
		merged = 0;
	}

	/** Sorts the entries by position and keeps the best of each position. */
	synchronized void merge() {
		sort();
		int kept = 0;
		for (int i = 0; i < count; kept++) {
			int end = i;
			double best = Double.NEGATIVE_INFINITY;
			while (end < count && keys[end] == keys[i]) best = Math.max(best, values[end] - error(end++));
			int winner = -1;
			int rivals = 0;
			for (int j = i; j < end; j++)
				if (values[j] + error(j) >= best) {
					rivals++;
					winner = j;
				}
			if (rivals > 1) {
				winner = -1;
				for (int j = i; j < end; j++)
					if (values[j] + error(j) >= best) {
						resolve(j);
						if (winner < 0 || values[j] > values[winner] || values[j] == values[winner] && codes[j] < codes[winner]) winner = j;
					}
			}
			keys[kept] = keys[winner];
			values[kept] = values[winner];
			codes[kept] = codes[winner];
			i = end;
		}
		count = kept;
		merged = kept;
	}

	private void sort() {
		boolean sorted = true;
		for (int i = 1; i < count; i++) sorted &= keys[i - 1] <= keys[i];
		if (sorted) return;
		long max = 0;
		for (int i = 0; i < count; i++) max = Math.max(max, keys[i]);
		final int bits = 32 - Integer.numberOfLeadingZeros(count);
		if (Long.numberOfLeadingZeros(max) <= bits) throw new IllegalArgumentException("the image has too many positions for " + count + " scores: search a part of it");
		final long[] order = new long[count];
		for (int i = 0; i < count; i++) order[i] = keys[i] << bits | i;
		Arrays.parallelSort(order);
		final double[] v = new double[count];
		final int[] c = new int[count];
		for (int i = 0; i < count; i++) {
			final int from = (int) (order[i] & (1L << bits) - 1);
			v[i] = values[from];
			c[i] = codes[from];
			keys[i] = order[i] >>> bits;
		}
		System.arraycopy(v, 0, values, 0, count);
		System.arraycopy(c, 0, codes, 0, count);
	}

	int size() {
		return count;
	}

	long key(final int i) {
		return keys[i];
	}

	double value(final int i) {
		return values[i];
	}

	/** The number of the pose; negative if it is unknown. */
	int pose(final int i, final int poses) {
		return codes[i] >= 0 ? codes[i] : -1 - codes[i] < poses ? -1 - codes[i] : -1;
	}

	/** The largest error of an entry's value. */
	double error(final int i) {
		return codes[i] >= 0 ? 0 : ERROR;
	}

	/** The entry with this key; negative if there is none. Needs merged entries. */
	int find(final long key) {
		return Arrays.binarySearch(keys, 0, count, key);
	}

	/** Makes an entry exact, and returns its score. */
	double resolve(final int i) {
		if (codes[i] < 0) {
			exact.of(keys[i], codes[i], result);
			values[i] = result[0];
			codes[i] = (int) result[1];
		}
		return values[i];
	}

	/** Whether each entry can be a local maximum, given the errors. Needs merged entries. */
	boolean[] candidates() {
		final boolean[] is = new boolean[count];
		Arrays.fill(is, true);
		for (final long step : earlier())
			for (int i = 0, j = 0; i < count; i++) {
				while (keys[j] < keys[i] - step) j++;
				if (keys[j] != keys[i] - step) continue;
				if (values[i] + error(i) < values[j] - error(j)) is[i] = false;
				if (values[j] + error(j) < values[i] - error(i)) is[j] = false;
			}
		return is;
	}

	/**
	 * Whether an entry is a local maximum: no neighbour has a greater score, and no neighbour before it in raster order an equal one. Makes exact what the
	 * answer depends on.
	 */
	boolean isMaximum(final int i) {
		final double value = resolve(i);
		for (final long step : earlier())
			for (int sign = -1; sign <= 1; sign += 2) {
				final int j = find(keys[i] + sign * step);
				if (j < 0 || values[j] + error(j) < value) continue;
				final double other = resolve(j);
				if (other > value || other == value && sign < 0) return false;
			}
		return true;
	}

	/** The differences of the keys of a position and those of its neighbours that come before it. */
	private long[] earlier() {
		int n = 1;
		for (int d = 0; d < strides.length; d++) n *= 3;
		final long[] steps = new long[n / 2];
		for (int i = 0; i < n / 2; i++) {
			// the code of a neighbour before the centre in raster order, most significant digit last
			long step = 0;
			for (int d = 0, rest = i; d < strides.length; d++) {
				step -= (rest % 3 - 1) * strides[d];
				rest /= 3;
			}
			steps[i] = step;
		}
		return steps;
	}
}
