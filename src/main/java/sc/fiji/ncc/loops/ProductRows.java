package sc.fiji.ncc.loops;

import java.util.Arrays;

/**
 * Rows of sums of products in float, {@code Σ c·row}. All rows share one index, so C2 vectorises the loops. A row is held as a float. Once a run of groups
 * has been added, it is also held as a pair of floats, {@code high + low}, to which a float is added with negligible error (the exact sum of Knuth and
 * Møller).
 */
public final class ProductRows {

	/**
	 * The maximum number of products in one loop: where sums start anew, and where they continue in a row that keeps NaN. C2 does not vectorise
	 * loops over more.
	 */
	public static final int MAX = 6, MAX_KEPT = 8;
	/**
	 * No row is longer than this. C2 of Java 17 vectorises a loop over eight arrays or more only if the bounds of its length are known. A loop over nine
	 * arrays then takes a tenth of the time.
	 */
	private static final int LENGTHS = 0xffffff;

	private final float[][] sums;
	/** The rows in progress: row {@code r} has pair {@code r % high.length}. */
	private final float[][] high, low;
	private final int[] pending;
	private final int run;
	private final boolean keepsNaN;
	private int lags;

	/**
	 * Uses shared memory: rows that are allocated one after the other have the same alignment, so that loops over several rows load whole cache lines.
	 *
	 * @param memory the rows from {@code first} on belong to this object; {@link #memory} says how many
	 * @param rows the number of rows of sums
	 * @param together how many consecutive rows are in progress at a time
	 * @param groups the number of groups of products that go to each row
	 * @param run how many groups are added up in float
	 * @param keepsNaN whether a row that held NaN or infinity stays NaN until {@link #begin}: see {@link #finite}
	 */
	public ProductRows(final float[][] memory, final int first, final int rows, final int together, final int groups, final int run,
		final boolean keepsNaN)
	{
		this.run = run;
		this.keepsNaN = keepsNaN;
		pending = new int[rows];
		sums = Arrays.copyOfRange(memory, first, first + rows);
		high = run < groups ? Arrays.copyOfRange(memory, first + rows, first + rows + together) : null;
		low = run < groups ? Arrays.copyOfRange(memory, first + rows + together, first + rows + 2 * together) : null;
	}

	/** The number of rows of memory that an object needs. */
	public static int memory(final int rows, final int together, final int groups, final int run) {
		return run < groups ? rows + 2 * together : rows;
	}

	/** The start of each group when {@code n} products are split into groups of nearly equal size, one loop each; then {@code n}. */
	public static int[] groups(final int n) {
		return groups(n, MAX);
	}

	/** @param max the maximum number of products in a group */
	public static int[] groups(final int n, final int max) {
		final int count = (n + max - 1) / max;
		final int[] begins = new int[count + 1];
		for (int g = 0; g <= count; g++) begins[g] = (int) ((long) n * g / count);
		return begins;
	}

	/** Sets all rows to zero. */
	public void begin(final int lags) {
		this.lags = lags;
		Arrays.fill(pending, 0);
		if (keepsNaN) for (final float[] s : sums) Arrays.fill(s, 0, lags, 0);
		if (high == null) return;
		for (int i = 0; i < high.length; i++) clear(i);
	}

	private void clear(final int pair) {
		Arrays.fill(high[pair], 0, lags, 0);
		Arrays.fill(low[pair], 0, lags, 0);
	}

	/** Adds a group of 1 to {@link #MAX} products, or {@link #MAX_KEPT}: {@code Σ c[o + i]·rows[first + i]}. */
	public void add(final int row, final float[][] rows, final int first, final float[] c, final int o, final int n) {
		final float[] s = sums[row];
		if (pending[row] > 0) add(s, rows, first, c, o, n, lags);
		else if (keepsNaN) restart(s, rows, first, c, o, n, lags);
		else set(s, rows, first, c, o, n, lags);
		if (++pending[row] < run || high == null) return;
		pair(high[row % high.length], low[row % high.length], s, lags);
		pending[row] = 0;
	}

	/** Returns the finished sums of a row and sets the row to zero. The next group overwrites the array. */
	public float[] finish(final int row) {
		final float[] s = sums[row];
		// 0 times NaN or infinity is NaN
		if (pending[row] == 0 && keepsNaN) times(s, 0, lags);
		else if (pending[row] == 0) Arrays.fill(s, 0, lags, 0);
		pending[row] = 0;
		if (high == null) return s;
		final int p = row % high.length;
		pair(high[p], low[p], s, lags);
		sum(high[p], low[p], s, lags);
		clear(p);
		return s;
	}

	/** Whether all sums since {@link #begin} were finite, if rows keep NaN. Valid until the next group is added. */
	public boolean finite() {
		final float[] all = sums[0];
		for (final float[] s : sums) {
			times(s, 0, lags);
			if (s != all) sum(all, s, all, lags);
		}
		float a = 0;
		for (int x = 0; x < lags; x++) a += all[x];
		return a == 0;
	}

	// keep these methods small: C2 does not vectorise them when they are inlined into a larger loop

	private static void pair(final float[] high, final float[] low, final float[] a, final int n) {
		for (int x = 0; x < n; x++) {
			final float h = high[x], v = a[x], s = h + v, b = s - h;
			low[x] += (h - (s - b)) + (v - b);
			high[x] = s;
		}
	}

	private static void times(final float[] a, final float factor, final int n) {
		for (int x = 0; x < n; x++) a[x] *= factor;
	}

	private static void sum(final float[] a, final float[] b, final float[] to, final int n) {
		for (int x = 0; x < n; x++) to[x] = a[x] + b[x];
	}

	/** {@code sum += Σ factors[o + i]·rows[first + i]}, for 1 to {@link #MAX_KEPT} products. */
	public static void add(final float[] sum, final float[][] rows, final int first, final float[] factors, final int o, final int n, final int lags) {
		switch (n) {
			case 1: one(1, sum, rows, first, factors, o, lags); break;
			case 2: two(1, sum, rows, first, factors, o, lags); break;
			case 3: three(1, sum, rows, first, factors, o, lags); break;
			case 4: four(1, sum, rows, first, factors, o, lags); break;
			case 5: five(1, sum, rows, first, factors, o, lags); break;
			case 6: six(1, sum, rows, first, factors, o, lags); break;
			case 7: seven(1, sum, rows, first, factors, o, lags); break;
			default: eight(1, sum, rows, first, factors, o, lags);
		}
	}

	/** {@code sum += Σ factors[o + i]·rows[first + i]} in double, four products in one loop. */
	public static void add(final double[] sum, final double[][] rows, final int first, final double[] factors, final int o, final int n, final int lags) {
		int i = 0;
		for (; i + 4 <= n; i += 4) four(sum, rows, first + i, factors, o + i, lags);
		for (; i < n; i++) one(sum, rows[first + i], factors[o + i], lags);
	}

	private static void four(final double[] sum, final double[][] rows, final int first, final double[] factors, final int o, final int n) {
		final double[] p = rows[first], q = rows[first + 1], r = rows[first + 2], s = rows[first + 3];
		final double a = factors[o], b = factors[o + 1], c = factors[o + 2], d = factors[o + 3];
		for (int x = 0; x < n; x++) sum[x] += Fused.add(a, p[x], Fused.add(b, q[x], Fused.add(c, r[x], d * s[x])));
	}

	private static void one(final double[] sum, final double[] p, final double a, final int n) {
		for (int x = 0; x < n; x++) sum[x] = Fused.add(a, p[x], sum[x]);
	}

	/** {@code sum = 0·sum + Σ factors[o + i]·rows[first + i]}: NaN stays. */
	private static void restart(final float[] sum, final float[][] rows, final int first, final float[] factors, final int o, final int n, final int lags) {
		switch (n) {
			case 1: one(0, sum, rows, first, factors, o, lags); break;
			case 2: two(0, sum, rows, first, factors, o, lags); break;
			case 3: three(0, sum, rows, first, factors, o, lags); break;
			case 4: four(0, sum, rows, first, factors, o, lags); break;
			case 5: five(0, sum, rows, first, factors, o, lags); break;
			case 6: six(0, sum, rows, first, factors, o, lags); break;
			case 7: seven(0, sum, rows, first, factors, o, lags); break;
			default: eight(0, sum, rows, first, factors, o, lags);
		}
	}

	/** {@code sum = Σ factors[o + i]·rows[first + i]}, for 1 to {@link #MAX} products. */
	public static void set(final float[] sum, final float[][] rows, final int first, final float[] factors, final int o, final int n, final int lags) {
		switch (n) {
			case 1: setOne(sum, rows, first, factors, o, lags); break;
			case 2: setTwo(sum, rows, first, factors, o, lags); break;
			case 3: setThree(sum, rows, first, factors, o, lags); break;
			case 4: setFour(sum, rows, first, factors, o, lags); break;
			case 5: setFive(sum, rows, first, factors, o, lags); break;
			default: setSix(sum, rows, first, factors, o, lags);
		}
	}

	private static void one(final float k, final float[] sum, final float[][] rows, final int first, final float[] factors, final int o, final int lags) {
		final float[] p = rows[first];
		final float a = factors[o];
		for (int x = 0; x < lags; x++) sum[x] = Fused.add(a, p[x], k * sum[x]);
	}

	private static void two(final float k, final float[] sum, final float[][] rows, final int first, final float[] factors, final int o, final int lags) {
		final float[] p = rows[first], q = rows[first + 1];
		final float a = factors[o], b = factors[o + 1];
		for (int x = 0; x < lags; x++) sum[x] = Fused.add(k, sum[x], Fused.add(a, p[x], b * q[x]));
	}

	private static void three(final float k, final float[] sum, final float[][] rows, final int first, final float[] factors, final int o, final int lags) {
		final float[] p = rows[first], q = rows[first + 1], r = rows[first + 2];
		final float a = factors[o], b = factors[o + 1], c = factors[o + 2];
		for (int x = 0; x < lags; x++) sum[x] = Fused.add(k, sum[x], Fused.add(a, p[x], Fused.add(b, q[x], c * r[x])));
	}

	private static void four(final float k, final float[] sum, final float[][] rows, final int first, final float[] factors, final int o, final int lags) {
		final float[] p = rows[first], q = rows[first + 1], r = rows[first + 2], s = rows[first + 3];
		final float a = factors[o], b = factors[o + 1], c = factors[o + 2], d = factors[o + 3];
		for (int x = 0; x < lags; x++) sum[x] = Fused.add(k, sum[x], Fused.add(a, p[x], Fused.add(b, q[x], Fused.add(c, r[x], d * s[x]))));
	}

	private static void five(final float k, final float[] sum, final float[][] rows, final int first, final float[] factors, final int o, final int lags) {
		final float[] p = rows[first], q = rows[first + 1], r = rows[first + 2], s = rows[first + 3], t = rows[first + 4];
		final float a = factors[o], b = factors[o + 1], c = factors[o + 2], d = factors[o + 3], e = factors[o + 4];
		for (int x = 0; x < lags; x++)
			sum[x] = Fused.add(k, sum[x], Fused.add(a, p[x], Fused.add(b, q[x], Fused.add(c, r[x], Fused.add(d, s[x], e * t[x])))));
	}

	private static void six(final float k, final float[] sum, final float[][] rows, final int first, final float[] factors, final int o, final int lags) {
		final float[] p = rows[first], q = rows[first + 1], r = rows[first + 2], s = rows[first + 3], t = rows[first + 4], u = rows[first + 5];
		final float a = factors[o], b = factors[o + 1], c = factors[o + 2], d = factors[o + 3], e = factors[o + 4], f = factors[o + 5];
		for (int x = 0; x < lags; x++)
			sum[x] = Fused.add(k, sum[x], Fused.add(a, p[x], Fused.add(b, q[x], Fused.add(c, r[x],
				Fused.add(d, s[x], Fused.add(e, t[x], f * u[x]))))));
	}

	private static void seven(final float k, final float[] sum, final float[][] rows, final int first, final float[] factors, final int o, final int lags) {
		final float[] p = rows[first], q = rows[first + 1], r = rows[first + 2], s = rows[first + 3], t = rows[first + 4], u = rows[first + 5], v = rows[first + 6];
		final float a = factors[o], b = factors[o + 1], c = factors[o + 2], d = factors[o + 3], e = factors[o + 4], f = factors[o + 5], g = factors[o + 6];
		final int n = lags & LENGTHS;
		for (int x = 0; x < n; x++)
			sum[x] = Fused.add(k, sum[x], Fused.add(a, p[x], Fused.add(b, q[x], Fused.add(c, r[x],
				Fused.add(d, s[x], Fused.add(e, t[x], Fused.add(f, u[x], g * v[x])))))));
	}

	private static void eight(final float k, final float[] sum, final float[][] rows, final int first, final float[] factors, final int o, final int lags) {
		final float[] p = rows[first], q = rows[first + 1], r = rows[first + 2], s = rows[first + 3], t = rows[first + 4],
			u = rows[first + 5], v = rows[first + 6], w = rows[first + 7];
		final float a = factors[o], b = factors[o + 1], c = factors[o + 2], d = factors[o + 3], e = factors[o + 4], f = factors[o + 5],
			g = factors[o + 6], h = factors[o + 7];
		final int n = lags & LENGTHS;
		for (int x = 0; x < n; x++)
			sum[x] = Fused.add(k, sum[x], Fused.add(a, p[x], Fused.add(b, q[x], Fused.add(c, r[x],
				Fused.add(d, s[x], Fused.add(e, t[x], Fused.add(f, u[x], Fused.add(g, v[x], h * w[x]))))))));
	}

	private static void setOne(final float[] sum, final float[][] rows, final int first, final float[] factors, final int o, final int lags) {
		final float[] p = rows[first];
		final float a = factors[o];
		for (int x = 0; x < lags; x++) sum[x] = a * p[x];
	}

	private static void setTwo(final float[] sum, final float[][] rows, final int first, final float[] factors, final int o, final int lags) {
		final float[] p = rows[first], q = rows[first + 1];
		final float a = factors[o], b = factors[o + 1];
		for (int x = 0; x < lags; x++) sum[x] = Fused.add(a, p[x], b * q[x]);
	}

	private static void setThree(final float[] sum, final float[][] rows, final int first, final float[] factors, final int o, final int lags) {
		final float[] p = rows[first], q = rows[first + 1], r = rows[first + 2];
		final float a = factors[o], b = factors[o + 1], c = factors[o + 2];
		for (int x = 0; x < lags; x++) sum[x] = Fused.add(a, p[x], Fused.add(b, q[x], c * r[x]));
	}

	private static void setFour(final float[] sum, final float[][] rows, final int first, final float[] factors, final int o, final int lags) {
		final float[] p = rows[first], q = rows[first + 1], r = rows[first + 2], s = rows[first + 3];
		final float a = factors[o], b = factors[o + 1], c = factors[o + 2], d = factors[o + 3];
		for (int x = 0; x < lags; x++) sum[x] = Fused.add(a, p[x], Fused.add(b, q[x], Fused.add(c, r[x], d * s[x])));
	}

	private static void setFive(final float[] sum, final float[][] rows, final int first, final float[] factors, final int o, final int lags) {
		final float[] p = rows[first], q = rows[first + 1], r = rows[first + 2], s = rows[first + 3], t = rows[first + 4];
		final float a = factors[o], b = factors[o + 1], c = factors[o + 2], d = factors[o + 3], e = factors[o + 4];
		for (int x = 0; x < lags; x++) sum[x] = Fused.add(a, p[x], Fused.add(b, q[x], Fused.add(c, r[x], Fused.add(d, s[x], e * t[x]))));
	}

	private static void setSix(final float[] sum, final float[][] rows, final int first, final float[] factors, final int o, final int lags) {
		final float[] p = rows[first], q = rows[first + 1], r = rows[first + 2], s = rows[first + 3], t = rows[first + 4], u = rows[first + 5];
		final float a = factors[o], b = factors[o + 1], c = factors[o + 2], d = factors[o + 3], e = factors[o + 4], f = factors[o + 5];
		for (int x = 0; x < lags; x++)
			sum[x] = Fused.add(a, p[x], Fused.add(b, q[x], Fused.add(c, r[x], Fused.add(d, s[x], Fused.add(e, t[x], f * u[x])))));
	}
}
