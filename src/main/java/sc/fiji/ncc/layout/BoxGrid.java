package sc.fiji.ncc.layout;

import java.util.ArrayList;
import java.util.List;

import sc.fiji.ncc.plan.Size;

/**
 * The division of lags into boxes.
 *
 * @param lags the number of lags along each dimension; 0 if none are computed
 * @param step the extents of a box
 * @param anchor the lag at which a box begins, in [0, step): boxes begin at {@code anchor + k·step}. Boxes at the ends are cut
 */
public record BoxGrid(long[] lags, long[] step, long[] anchor) {

	/** Boxes of at most {@code maxLags} lags: whole rows and planes if they fit. */
	public static BoxGrid of(final long[] lags, final long maxLags) {
		final long[] step = lags.clone();
		for (int d = step.length - 1; d >= 0 && product(step) > maxLags; d--) step[d] = Math.max(1, step[d] * maxLags / product(step));
		return new BoxGrid(lags, step, new long[lags.length]);
	}

	/**
	 * Boxes of whole chunks, with extents as equal as possible, because neighbouring boxes then share the fewest pixels.
	 *
	 * @param place the position of lag 0 in the map; the first chunk begins at the map's first response
	 * @param maxLags the maximum number of lags of a box; a box holds at least one chunk
	 */
	public static BoxGrid ofChunks(final long[] lags, final long[] place, final int[] chunk, final long maxLags) {
		final long[] step = new long[lags.length], anchor = new long[lags.length];
		for (int d = 0; d < step.length; d++) step[d] = chunk[d];
		while (true) {
			int shortest = -1;
			for (int d = 0; d < step.length; d++) {
				final boolean grows = step[d] < place[d] + lags[d] && product(step) / step[d] * (step[d] + chunk[d]) <= maxLags;
				if (grows && (shortest < 0 || step[d] < step[shortest])) shortest = d;
			}
			if (shortest < 0) break;
			step[shortest] += chunk[shortest];
		}
		for (int d = 0; d < step.length; d++) anchor[d] = Math.floorMod(-place[d], step[d]);
		return new BoxGrid(lags, step, anchor);
	}

	private static long product(final long[] extents) {
		long n = 1;
		for (final long e : extents) n = Math.multiplyExact(n, e);
		return n;
	}

	boolean empty() {
		for (final long l : lags)
			if (l == 0) return true;
		return false;
	}

	/** The extents of the largest box. */
	public Size largest() {
		final long[] size = new long[lags.length];
		for (int d = 0; d < size.length; d++) {
			// the first box can be cut; the second box is whole unless it reaches the end
			final long first = anchor[d] == 0 ? Math.min(step[d], lags[d]) : Math.min(anchor[d], lags[d]);
			size[d] = Math.max(first, Math.min(step[d], lags[d] - first));
		}
		return Size.of(size);
	}

	/** The number of boxes. */
	public long count() {
		if (empty()) return 0;
		long n = 1;
		for (int d = 0; d < lags.length; d++) n = Math.multiplyExact(n, cuts(d));
		return n;
	}

	private long cuts(final int d) {
		final long cut = (anchor[d] == 0 ? 0 : step[d] - anchor[d]) + lags[d];
		return (cut + step[d] - 1) / step[d];
	}

	/** The first lag and the size of each box, x fastest. */
	public List<long[][]> boxes() {
		final List<long[][]> boxes = new ArrayList<>();
		final long n = count();
		for (long i = 0; i < n; i++) boxes.add(box(i));
		return boxes;
	}

	/**
	 * The first lag and the size of a box.
	 *
	 * @param index from 0 to {@link #count} - 1, x fastest
	 */
	public long[][] box(final long index) {
		final long[] min = new long[lags.length], size = new long[lags.length];
		long rest = index;
		for (int d = 0; d < lags.length; d++) {
			final long k = rest % cuts(d), shift = anchor[d] == 0 ? 0 : step[d] - anchor[d];
			rest /= cuts(d);
			min[d] = Math.max(0, k * step[d] - shift);
			size[d] = Math.min(lags[d], (k + 1) * step[d] - shift) - min[d];
		}
		return new long[][] { min, size };
	}
}
