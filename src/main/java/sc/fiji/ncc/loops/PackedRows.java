package sc.fiji.ncc.loops;

/**
 * Sums of 8-bit pixels and of their squares in one double: a pixel v about a reference is {@code v²·unit + v}. A sum of such pixels is {@code Σv²·unit
 * + Σv}. It is exact below 2^53 if the unit is a power of two with {@code |Σv| < unit/2}.
 */
public final class PackedRows {

	/** The packed value of each byte. */
	private final double[] table = new double[256];
	private final double reference, unit;
	private final boolean signed;

	/** @param signed whether bytes are signed */
	public PackedRows(final boolean signed, final double reference, final double unit) {
		this.signed = signed;
		this.reference = reference;
		this.unit = unit;
		for (int b = 0; b < table.length; b++) {
			final double v = (signed ? (byte) b : b) - reference;
			table[b] = v * v * unit + v;
		}
	}

	/** Adds the {@code n} pixels from {@code next} on to {@code to[t..]}, and subtracts those from {@code last} on. A negative index stands for zeros. */
	public void slide(final byte[] from, final int next, final int last, final double[] to, final int t, final int n) {
		if (Vectors.USED && !signed) VectorRows.slide(from, next, last, to, t, n, reference, unit);
		else if (last < 0) add(from, next, to, t, n, table);
		else if (next < 0) subtract(from, last, to, t, n, table);
		else slide(from, next, last, to, t, n, table);
	}

	private static void add(final byte[] from, final int next, final double[] to, final int t, final int n, final double[] table) {
		for (int x = 0; x < n; x++) to[t + x] += table[from[next + x] & 0xff];
	}

	private static void subtract(final byte[] from, final int last, final double[] to, final int t, final int n, final double[] table) {
		for (int x = 0; x < n; x++) to[t + x] -= table[from[last + x] & 0xff];
	}

	private static void slide(final byte[] from, final int next, final int last, final double[] to, final int t, final int n, final double[] table) {
		for (int x = 0; x < n; x++) to[t + x] += table[from[next + x] & 0xff] - table[from[last + x] & 0xff];
	}

	/** Separates the sums of pixels and of squares. */
	public void unpack(final double[] a, final double[] sums, final double[] squares, final int n) {
		final double perUnit = 1 / unit;
		for (int x = 0; x < n; x++) squares[x] = Math.rint(a[x] * perUnit);
		for (int x = 0; x < n; x++) sums[x] = a[x] - squares[x] * unit;
	}
}
