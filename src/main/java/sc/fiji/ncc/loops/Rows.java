package sc.fiji.ncc.loops;

/** Loops over one row. They are small so that C2 vectorises each of them. Where the Vector API is faster and present, it is used. */
public final class Rows {

	private Rows() {}

	/**
	 * Allocates rows of at least {@code n} floats. With its header of 16 bytes, the length of each row is a multiple of 64 bytes. Rows that are allocated
	 * one after the other therefore begin at the same place of a cache line, and a loop over several rows aligns its vectors in all of them. This reduces
	 * the time of direct sums by a quarter.
	 */
	public static float[][] floats(final int rows, final int n) {
		return new float[rows][(n + 4 + 15) / 16 * 16 - 4];
	}

	/** As {@link #floats}. */
	public static double[][] doubles(final int rows, final int n) {
		return new double[rows][(n + 2 + 7) / 8 * 8 - 2];
	}

	/** As {@link #floats}. */
	public static int[][] ints(final int rows, final int n) {
		return new int[rows][(n + 4 + 15) / 16 * 16 - 4];
	}

	public static void square(final int[] a, final int[] to, final int n) {
		for (int x = 0; x < n; x++) to[x] = a[x] * a[x];
	}

	public static void square(final double[] a, final double[] to, final int n) {
		for (int x = 0; x < n; x++) to[x] = a[x] * a[x];
	}

	public static void square(final float[] a, final float[] to, final int n) {
		for (int x = 0; x < n; x++) to[x] = a[x] * a[x];
	}

	public static void addWithSquares(final int[] a, final int[] values, final int[] squares, final int n) {
		for (int x = 0; x < n; x++) {
			values[x] += a[x];
			squares[x] += a[x] * a[x];
		}
	}

	public static void subtractWithSquares(final int[] a, final int[] values, final int[] squares, final int n) {
		for (int x = 0; x < n; x++) {
			values[x] -= a[x];
			squares[x] -= a[x] * a[x];
		}
	}

	public static void addWithSquares(final double[] a, final double[] values, final double[] squares, final int n) {
		for (int x = 0; x < n; x++) {
			values[x] += a[x];
			squares[x] += a[x] * a[x];
		}
	}

	public static void subtractWithSquares(final double[] a, final double[] values, final double[] squares, final int n) {
		for (int x = 0; x < n; x++) {
			values[x] -= a[x];
			squares[x] -= a[x] * a[x];
		}
	}

	/** {@code values += next - last}, and the same with the squares. */
	public static void slideWithSquares(final int[] next, final int[] last, final int[] values, final int[] squares, final int n) {
		for (int x = 0; x < n; x++) {
			values[x] += next[x] - last[x];
			squares[x] += next[x] * next[x] - last[x] * last[x];
		}
	}

	/** {@code to += next - last} */
	public static void slide(final int[] to, final int[] next, final int[] last, final int n) {
		for (int x = 0; x < n; x++) to[x] += next[x] - last[x];
	}

	/** {@code values += next - last}, and the same with the squares. */
	public static void slideWithSquares(final double[] next, final double[] last, final double[] values, final double[] squares, final int n) {
		for (int x = 0; x < n; x++) {
			values[x] += next[x] - last[x];
			squares[x] += next[x] * next[x] - last[x] * last[x];
		}
	}

	/** {@code to += next - last} */
	public static void slide(final double[] to, final double[] next, final double[] last, final int n) {
		for (int x = 0; x < n; x++) to[x] += next[x] - last[x];
	}

	public static void add(final int[] a, final int[] b, final int n) {
		for (int x = 0; x < n; x++) a[x] += b[x];
	}

	public static void add(final double[] a, final double[] b, final int n) {
		for (int x = 0; x < n; x++) a[x] += b[x];
	}

	public static void subtract(final double[] a, final double[] b, final int n) {
		for (int x = 0; x < n; x++) a[x] -= b[x];
	}

	public static float[] toFloat(final double[] a) {
		final float[] f = new float[a.length];
		toFloat(a, f, a.length);
		return f;
	}

	public static double[] toDouble(final float[] a) {
		final double[] d = new double[a.length];
		toDouble(a, d, a.length);
		return d;
	}

	public static void toFloat(final double[] from, final float[] to, final int n) {
		for (int x = 0; x < n; x++) to[x] = (float) from[x];
	}

	/** Rounds numbers between -2 and 2 to float. Returns true if a value is NaN. */
	public static boolean toFloat(final double[] from, final float[] to, final int o, final int n) {
		if (Vectors.USED) return VectorRows.toFloat(from, to, o, n);
		long bits = 0;
		for (int x = 0; x < n; x++) {
			to[o + x] = (float) from[x];
			bits |= Double.doubleToRawLongBits(from[x]);
		}
		// the highest bit of the exponent is 0 for magnitudes below 2
		return (bits & 1L << 62) != 0;
	}

	/** Keeps the value of {@code a - reference} with the greatest magnitude for each column. A column that meets NaN stays NaN. */
	public static void farthest(final float[] a, final float reference, final float[] max, final int n) {
		for (int x = 0; x < n; x++) max[x] = Math.max(max[x], Math.abs(a[x] - reference));
	}

	public static void toDouble(final float[] from, final double[] to, final int n) {
		for (int x = 0; x < n; x++) to[x] = from[x];
	}

	public static void subtract(final float[] a, final float b, final int n) {
		for (int x = 0; x < n; x++) a[x] -= b;
	}

	/** {@code a -= b}, and adds the squares of the differences to {@code squares}. Returns the sum of what it added. */
	public static double subtractAndAddEnergies(final float[] a, final float b, final float[] squares, final int n) {
		if (Vectors.USED) return VectorRows.subtractAndAddEnergies(a, b, squares, n);
		for (int x = 0; x < n; x++) {
			final float v = a[x] - b;
			a[x] = v;
			squares[x] = Fused.add(v, v, squares[x]);
		}
		return sumOfSquares(a, n);
	}

	public static void addProduct(final double[] a, final double factor, final double[] to, final int n) {
		for (int x = 0; x < n; x++) to[x] += factor * a[x];
	}

	public static void round(final double[] a, final int n) {
		for (int x = 0; x < n; x++) a[x] = Math.rint(a[x]);
	}

	public static void sum(final float[] a, final double b, final double[] to, final int from, final int until) {
		for (int x = from; x < until; x++) to[x] = a[x] + b;
	}

	public static void sum(final double[] a, final double[] b, final double[] to, final int n) {
		for (int x = 0; x < n; x++) to[x] = a[x] + b[x];
	}

	/** {@code to = a + b} for the indices from {@code from} to before {@code until}. */
	public static void sum(final double[] a, final double b, final double[] to, final int from, final int until) {
		for (int x = from; x < until; x++) to[x] = a[x] + b;
	}

	/** {@code to = (a + b)²} for the indices from {@code from} to before {@code until}. */
	public static void squaredSum(final double[] a, final double b, final double[] to, final int from, final int until) {
		for (int x = from; x < until; x++) to[x] = (a[x] + b) * (a[x] + b);
	}

	/** {@code to = factor·(errors of energies + mean·|sums|·errors of sums)}. */
	public static void varianceErrors(final double[] sums, final double[] ofSums, final double[] ofEnergies, final double mean, final double factor,
		final double[] to, final int n)
	{
		for (int x = 0; x < n; x++) to[x] = (ofEnergies[x] + Math.abs(sums[x]) * mean * ofSums[x]) * factor;
	}

	/** Changes the reference of sums and energies: energies grow by {@code slope·sum + square}, sums by {@code shift}. */
	public static void about(final double[] sums, final double[] energies, final double slope, final double shift, final double square, final int from,
		final int until)
	{
		for (int x = from; x < until; x++) {
			energies[x] += slope * sums[x] + square;
			sums[x] += shift;
		}
	}

	/** {@code a = (a - reference)² - square} */
	public static void squaresAbout(final float[] a, final float reference, final float square, final int n) {
		for (int x = 0; x < n; x++) a[x] = (a[x] - reference) * (a[x] - reference) - square;
	}

	/** {@code to += a²} */
	public static void addSquares(final float[] a, final float[] to, final int n) {
		for (int x = 0; x < n; x++) to[x] += a[x] * a[x];
	}

	/** Adds {@code re² + im²} to {@code to} and returns the sum of what it added. Overwrites {@code buffer}, a row. */
	public static double addEnergies(final float[] re, final float[] im, final float[] to, final float[] buffer, final int n) {
		if (Vectors.USED) return VectorRows.addEnergies(re, im, to, n);
		for (int x = 0; x < n; x++) buffer[x] = re[x] * re[x] + im[x] * im[x];
		add(to, buffer, n);
		return sum(buffer, n);
	}

	/** Adds {@code a²} to {@code to} and returns the sum of what it added. */
	public static double addEnergies(final float[] a, final float[] to, final int n) {
		if (Vectors.USED) return VectorRows.addEnergies(a, to, n);
		addSquares(a, to, n);
		return sumOfSquares(a, n);
	}

	/** Uses eight partial sums, so that an addition does not wait for the previous one. */
	private static double sumOfSquares(final float[] a, final int n) {
		float p = 0, q = 0, r = 0, s = 0, t = 0, u = 0, v = 0, w = 0;
		int x = 0;
		for (; x + 8 <= n; x += 8) {
			p = Fused.add(a[x], a[x], p);
			q = Fused.add(a[x + 1], a[x + 1], q);
			r = Fused.add(a[x + 2], a[x + 2], r);
			s = Fused.add(a[x + 3], a[x + 3], s);
			t = Fused.add(a[x + 4], a[x + 4], t);
			u = Fused.add(a[x + 5], a[x + 5], u);
			v = Fused.add(a[x + 6], a[x + 6], v);
			w = Fused.add(a[x + 7], a[x + 7], w);
		}
		for (; x < n; x++) p = Fused.add(a[x], a[x], p);
		return (double) (p + q) + (r + s) + ((t + u) + (v + w));
	}

	public static void add(final float[] to, final float[] a, final int n) {
		for (int x = 0; x < n; x++) to[x] += a[x];
	}

	/** The sum of a row, from eight partial sums. */
	public static double sum(final float[] a, final int n) {
		if (Vectors.USED) return VectorRows.sum(a, n);
		float p = 0, q = 0, r = 0, s = 0, t = 0, u = 0, v = 0, w = 0;
		int x = 0;
		for (; x + 8 <= n; x += 8) {
			p += a[x];
			q += a[x + 1];
			r += a[x + 2];
			s += a[x + 3];
			t += a[x + 4];
			u += a[x + 5];
			v += a[x + 6];
			w += a[x + 7];
		}
		for (; x < n; x++) p += a[x];
		return (double) (p + q) + (r + s) + ((t + u) + (v + w));
	}
}
