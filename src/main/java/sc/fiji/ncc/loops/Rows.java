package sc.fiji.ncc.loops;

/** Loops over one row, small so that C2 gives each its vector form; where the Vector API does better and is there, by it. */
public final class Rows {

	private Rows() {}

	/**
	 * Rows of at least {@code n} floats, each as long as a multiple of 64 bytes with its header of 16: allocated one after the other they all begin at
	 * the same place of a cache line, so that a loop over several of them aligns its vectors in all. Direct sums take three quarters of the time.
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
	public static void exchangeWithSquares(final int[] next, final int[] last, final int[] values, final int[] squares, final int n) {
		for (int x = 0; x < n; x++) {
			values[x] += next[x] - last[x];
			squares[x] += next[x] * next[x] - last[x] * last[x];
		}
	}

	/** {@code to += next - last} */
	public static void exchange(final int[] to, final int[] next, final int[] last, final int n) {
		for (int x = 0; x < n; x++) to[x] += next[x] - last[x];
	}

	/** {@code values += next - last}, and the same with the squares. */
	public static void exchangeWithSquares(final double[] next, final double[] last, final double[] values, final double[] squares, final int n) {
		for (int x = 0; x < n; x++) {
			values[x] += next[x] - last[x];
			squares[x] += next[x] * next[x] - last[x] * last[x];
		}
	}

	/** {@code to += next - last} */
	public static void exchange(final double[] to, final double[] next, final double[] last, final int n) {
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

	static void toFloat(final int[] from, final float[] to, final int n) {
		for (int x = 0; x < n; x++) to[x] = from[x];
	}

	/**
	 * The variances {@code ΣP² - (ΣP)²/N}, and by how much they stand above what would make their responses suspect: {@code floor}, and the mean's square
	 * times {@code share/N}. Two loops, as one that writes both C2 does not turn into vectors.
	 */
	public static void variances(final double[] sums, final double[] energies, final double[] variance, final double[] slack, final double perPixel,
		final double share, final double floor, final int n)
	{
		for (int x = 0; x < n; x++) variance[x] = energies[x] - sums[x] * sums[x] * perPixel;
		for (int x = 0; x < n; x++) slack[x] = variance[x] - sums[x] * sums[x] * perPixel * share - floor;
	}

	/** Rounds variances to float; negative if a slack is. */
	public static long toFloat(final double[] variance, final double[] slack, final float[] to, final int n) {
		long signs = 0;
		for (int x = 0; x < n; x++) {
			to[x] = (float) variance[x];
			signs |= Double.doubleToRawLongBits(slack[x]);
		}
		return signs;
	}

	/** Rounds to float; true if a value is NaN. */
	public static boolean toFloat(final double[] from, final float[] to, final int o, final int n) {
		if (Vectors.USED) return VectorRows.toFloat(from, to, o, n);
		boolean broken = false;
		for (int x = 0; x < n; x++) {
			final float v = (float) from[x];
			to[o + x] = v;
			broken |= v != v;
		}
		return broken;
	}

	/** {@code to = scale·a/√b} */
	public static void overRoots(final float[] a, final float[] b, final float scale, final float[] to, final int n) {
		for (int x = 0; x < n; x++) to[x] = a[x] * scale / (float) Math.sqrt(b[x]);
	}

	/** Brings back to ±1 what rounding took beyond. */
	public static void clamp(final float[] a, final int n) {
		for (int x = 0; x < n; x++) a[x] = Math.max(-1f, Math.min(1f, a[x]));
	}

	/** Keeps the greatest |a - reference| of each column; NaN once one is. */
	public static void farthest(final float[] a, final float reference, final float[] most, final int n) {
		for (int x = 0; x < n; x++) most[x] = Math.max(most[x], Math.abs(a[x] - reference));
	}

	public static void toDouble(final float[] from, final double[] to, final int n) {
		for (int x = 0; x < n; x++) to[x] = from[x];
	}

	public static void subtract(final float[] a, final float b, final int n) {
		for (int x = 0; x < n; x++) a[x] -= b;
	}

	public static void sum(final double[] a, final double[] b, final double[] to, final int n) {
		for (int x = 0; x < n; x++) to[x] = a[x] + b[x];
	}

	/** {@code to = a + b} from one place to another. */
	public static void sum(final double[] a, final double b, final double[] to, final int from, final int until) {
		for (int x = from; x < until; x++) to[x] = a[x] + b;
	}

	/** {@code to = (a + b)²} from one place to another. */
	public static void squaredSum(final double[] a, final double b, final double[] to, final int from, final int until) {
		for (int x = from; x < until; x++) to[x] = (a[x] + b) * (a[x] + b);
	}

	/** {@code to = factor·(errors of energies + mean·|sums|·errors of sums)}. */
	public static void varianceErrors(final double[] sums, final double[] ofSums, final double[] ofEnergies, final double mean, final double factor,
		final double[] to, final int n)
	{
		for (int x = 0; x < n; x++) to[x] = (ofEnergies[x] + Math.abs(sums[x]) * mean * ofSums[x]) * factor;
	}

	/** From sums and energies about a reference to those about another: energies grow by {@code slope·sum + square}, sums by {@code shift}. */
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

	/** Adds {@code re² + im²} to each place of {@code to}, and gives their sum; {@code room} for a row is overwritten. */
	public static double addEnergies(final float[] re, final float[] im, final float[] to, final float[] room, final int n) {
		if (Vectors.USED) return VectorRows.addEnergies(re, im, to, n);
		for (int x = 0; x < n; x++) room[x] = re[x] * re[x] + im[x] * im[x];
		add(to, room, n);
		return sum(room, n);
	}

	/** Adds {@code a²} to each place of {@code to}, and gives their sum. */
	public static double addEnergies(final float[] a, final float[] to, final int n) {
		if (Vectors.USED) return VectorRows.addEnergies(a, to, n);
		addSquares(a, to, n);
		return sumOfSquares(a, n);
	}

	/** In eight parts: one addition need not wait for the last one. */
	private static double sumOfSquares(final float[] a, final int n) {
		float p = 0, q = 0, r = 0, s = 0, t = 0, u = 0, v = 0, w = 0;
		int x = 0;
		for (; x + 8 <= n; x += 8) {
			p += a[x] * a[x];
			q += a[x + 1] * a[x + 1];
			r += a[x + 2] * a[x + 2];
			s += a[x + 3] * a[x + 3];
			t += a[x + 4] * a[x + 4];
			u += a[x + 5] * a[x + 5];
			v += a[x + 6] * a[x + 6];
			w += a[x + 7] * a[x + 7];
		}
		for (; x < n; x++) p += a[x] * a[x];
		return (double) (p + q) + (r + s) + ((t + u) + (v + w));
	}

	public static void add(final float[] to, final float[] a, final int n) {
		for (int x = 0; x < n; x++) to[x] += a[x];
	}

	/** The sum of a row, in eight parts. */
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
