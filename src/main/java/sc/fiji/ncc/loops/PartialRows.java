package sc.fiji.ncc.loops;

/**
 * Responses of windows of which a part counts, by rows, and the margins of their error estimates. No loop has a branch or uses more than six arrays, so C2
 * vectorises each.
 */
public final class PartialRows {

	private PartialRows() {}

	/** Means, and sums of squares about them: {@code mean = sums/counts}, {@code variance = squares − sums·mean}. */
	public static void variances(final double[] sums, final double[] squares, final double[] counts, final double[] mean, final double[] variance, final int n) {
		for (int x = 0; x < n; x++) {
			final double m = sums[x] / counts[x];
			mean[x] = m;
			variance[x] = squares[x] - sums[x] * m;
		}
	}

	/** {@code root = √v·√w} */
	public static void roots(final double[] v, final double[] w, final double[] root, final int n) {
		for (int x = 0; x < n; x++) root[x] = Math.sqrt(v[x]) * Math.sqrt(w[x]);
	}

	/** {@code (products − sums·meanT)/root}, in [-1, 1]. Overwrites the products. */
	public static void responses(final double[] products, final double[] sums, final double[] meanT, final double[] root, final int n) {
		for (int x = 0; x < n; x++) products[x] = Math.max(-1, Math.min(1, (products[x] - sums[x] * meanT[x]) / root[x]));
	}

	/** {@code margin = v − floor} */
	public static void margins(final double[] v, final double floor, final double[] margin, final int n) {
		for (int x = 0; x < n; x++) margin[x] = v[x] - floor;
	}

	/** {@code margin = min(margin, a − floor)} */
	public static void reduceTo(final double[] a, final double floor, final double[] margin, final int n) {
		for (int x = 0; x < n; x++) margin[x] = Math.min(margin[x], a[x] - floor);
	}

	/** Reduces the margin to that of the estimated error of the products: {@code v − minVariance·norm²/varianceT}. */
	public static void reduceByProducts(final double[] v, final double[] varianceT, final double[] minVariance, final double energy,
		final double[] margin, final int n)
	{
		for (int x = 0; x < n; x++) margin[x] = Math.min(margin[x], v[x] - minVariance[x] * energy / varianceT[x]);
	}

	/** The margin of the squared means over their limits: {@code limits = (1 + limits)·v·varianceT − (v + n·meanP²)·(varianceT + n·meanT²)}. */
	public static void marginsOfMeans(final double[] v, final double[] meanP, final double[] counts, final double[] varianceT, final double[] meanT,
		final double[] limits, final int n)
	{
		for (int x = 0; x < n; x++)
			limits[x] = (1 + limits[x]) * v[x] * varianceT[x] - (v[x] + meanP[x] * meanP[x] * counts[x]) * (varianceT[x] + meanT[x] * meanT[x] * counts[x]);
	}

	/** {@code to = min(to, a)} */
	public static void min(final double[] to, final double[] a, final int n) {
		for (int x = 0; x < n; x++) to[x] = Math.min(to[x], a[x]);
	}

	/** The error of a numerator: {@code to = |p|·(ofValue + |t|·ofWeight)}. */
	public static void errorsOfNumerators(final double[] p, final double[] t, final double[] ofWeight, final double ofValue, final double[] to, final int n) {
		for (int x = 0; x < n; x++) to[x] = Math.abs(p[x]) * (ofValue + Math.abs(t[x]) * ofWeight[x]);
	}

	/** Adds that of the window's variance, both in units of the variances' product: {@code to = 2·to·root + p²·ofWeight·varianceT}. */
	public static void addErrorsOfWindows(final double[] p, final double[] ofWeight, final double[] varianceT, final double[] root, final double[] to,
		final int n)
	{
		for (int x = 0; x < n; x++) to[x] = 2 * to[x] * root[x] + p[x] * p[x] * ofWeight[x] * varianceT[x];
	}

	/** Adds that of the template's variance: {@code to += (ofSquare + |t|·(2·ofValue + |t|·ofWeight))·v}. */
	public static void addErrorsOfTemplates(final double[] t, final double[] ofWeight, final double ofValue, final double ofSquare, final double[] to,
		final double[] v, final int n)
	{
		for (int x = 0; x < n; x++) to[x] += (ofSquare + Math.abs(t[x]) * (2 * ofValue + Math.abs(t[x]) * ofWeight[x])) * v[x];
	}

	/** {@code margin = min(margin, 2·v·varianceT − rounding·errors)} */
	public static void reduceByErrors(final double[] v, final double[] varianceT, final double[] errors, final double rounding, final double[] margin,
		final int n)
	{
		for (int x = 0; x < n; x++) margin[x] = Math.min(margin[x], 2 * v[x] * varianceT[x] - rounding * errors[x]);
	}

	/** {@code to = a + factor·b} */
	public static void linear(final double a, final double factor, final double[] b, final double[] to, final int n) {
		for (int x = 0; x < n; x++) to[x] = a + factor * b[x];
	}
}
