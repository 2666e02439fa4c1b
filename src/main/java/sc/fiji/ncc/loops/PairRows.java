package sc.fiji.ncc.loops;

/**
 * {@link Rows} of numbers of about 100 bits. Each is an unevaluated sum of two doubles: the second holds the rounding error of the first (error-free
 * transformations of Knuth and Dekker). No loop has a branch, so C2 vectorises each.
 */
public final class PairRows {

	private PairRows() {}

	/** {@code to += a} */
	public static void add(final double[] to, final double[] toLow, final double[] a, final int n) {
		for (int x = 0; x < n; x++) {
			final double p = to[x], q = a[x], s = p + q, part = s - p;
			toLow[x] += (p - (s - part)) + (q - part);
			to[x] = s;
		}
	}

	/** {@code to += a} */
	public static void add(final double[] to, final double[] toLow, final double[] a, final double[] aLow, final int n) {
		for (int x = 0; x < n; x++) {
			final double p = to[x], q = a[x], s = p + q, part = s - p;
			final double low = toLow[x] + aLow[x] + ((p - (s - part)) + (q - part));
			final double t = s + low;
			to[x] = t;
			toLow[x] = low - (t - s);
		}
	}

	/** {@code to -= a} */
	public static void subtract(final double[] to, final double[] toLow, final double[] a, final double[] aLow, final int n) {
		for (int x = 0; x < n; x++) {
			final double p = to[x], q = -a[x], s = p + q, part = s - p;
			final double low = toLow[x] - aLow[x] + ((p - (s - part)) + (q - part));
			final double t = s + low;
			to[x] = t;
			toLow[x] = low - (t - s);
		}
	}

	/** {@code to = a²} */
	public static void square(final double[] a, final double[] to, final double[] toLow, final int n) {
		for (int x = 0; x < n; x++) {
			final double v = a[x], s = v * v;
			to[x] = s;
			toLow[x] = Fused.roundingError(v, v, s);
		}
	}

	/** {@code to += a²} */
	public static void addSquares(final double[] a, final double[] to, final double[] toLow, final int n) {
		for (int x = 0; x < n; x++) {
			final double v = a[x], q = v * v, p = to[x], s = p + q, part = s - p;
			toLow[x] += Fused.roundingError(v, v, q) + ((p - (s - part)) + (q - part));
			to[x] = s;
		}
	}

	/**
	 * Writes {@code ΣP² - (ΣP)²/N} to {@code to}, and {@code (ΣP)²/N} to {@code mean}.
	 *
	 * @param to may be the same array as {@code energies}
	 */
	public static void variances(final double[] sums, final double[] energies, final double n, final double[] mean, final double[] to, final int lags) {
		for (int x = 0; x < lags; x++) {
			final double s = sums[x], square = s * s, m = square / n;
			mean[x] = m;
			to[x] = energies[x] - m - (Fused.roundingError(s, s, square) - Fused.roundingError(m, n, square)) / n;
		}
	}

	/** A row of numbers, and of their low-order parts. */
	public record Pair(double[] high, double[] low) {}

	/** The same with the low-order parts of sums and energies. */
	public static void variances(final Pair ofSums, final Pair ofEnergies, final double n, final double[] mean, final double[] to, final int lags) {
		final double[] sums = ofSums.high, lowSums = ofSums.low, energies = ofEnergies.high, lowEnergies = ofEnergies.low;
		for (int x = 0; x < lags; x++) {
			final double s = sums[x], square = s * s, m = square / n;
			mean[x] = m;
			to[x] = energies[x] - m + (lowEnergies[x] - (Fused.roundingError(s, s, square) - Fused.roundingError(m, n, square) + 2 * s * lowSums[x]) / n);
		}
	}

	/** {@code ΣP² - (ΣP)²/N} of one window. */
	public static double variance(final double s, final double lowSum, final double energy, final double lowEnergy, final double n) {
		final double square = s * s, m = square / n;
		return energy - m + (lowEnergy - (Fused.roundingError(s, s, square) - Fused.roundingError(m, n, square) + 2 * s * lowSum) / n);
	}
}
