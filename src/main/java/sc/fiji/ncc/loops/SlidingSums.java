package sc.fiji.ncc.loops;

/** Sums over the windows of a row: a window slides, so each sum is the previous one plus what enters minus what leaves. */
public final class SlidingSums {

	private SlidingSums() {}

	/** {@code to[x] = Σ a[x + i]}, {@code i < width}, for the first {@code n} windows. Four windows slide at a time, so that additions overlap. */
	public static void row(final double[] a, final int width, final double[] to, final int n) {
		if (Vectors.USED) VectorSlidingSums.row(a, width, to, n);
		else {
			final int quarter = n / 4;
			slide(a, width, to, quarter);
			for (int x = 4 * quarter; x < n; x++) to[x] = sum(a, x, width);
		}
	}

	/** The windows that begin in four consecutive parts of the row. */
	private static void slide(final double[] a, final int width, final double[] to, final int part) {
		if (part == 0) return;
		final int b = part, c = 2 * part, d = 3 * part, in = width - 1;
		double p = to[0] = sum(a, 0, width), q = to[b] = sum(a, b, width), r = to[c] = sum(a, c, width), s = to[d] = sum(a, d, width);
		for (int x = 1; x < part; x++) {
			to[x] = p += a[x + in] - a[x - 1];
			to[b + x] = q += a[b + x + in] - a[b + x - 1];
			to[c + x] = r += a[c + x + in] - a[c + x - 1];
			to[d + x] = s += a[d + x + in] - a[d + x - 1];
		}
	}

	private static double sum(final double[] a, final int from, final int n) {
		double p = 0, q = 0, r = 0, s = 0;
		int x = from;
		for (; x + 4 <= from + n; x += 4) {
			p += a[x];
			q += a[x + 1];
			r += a[x + 2];
			s += a[x + 3];
		}
		for (; x < from + n; x++) p += a[x];
		return p + q + (r + s);
	}
}
