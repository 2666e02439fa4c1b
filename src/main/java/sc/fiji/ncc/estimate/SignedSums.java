package sc.fiji.ncc.estimate;

/**
 * Sums of columns with random signs. Their sum of squares in each row is, in the mean, that of all columns, in the pixels as in their transform. (N.
 * Alon, Y. Matias, M. Szegedy 1999, doi:10.1006/jcss.1997.1545.) So the energy of the rows of an inverse transform is estimated without the transform
 * of columns that are no lags.
 */
public final class SignedSums {

	/** The number of sums: the standard deviation of the energy is a third of it. */
	public static final int COUNT = 16;

	private SignedSums() {}

	/** The columns of a transform, of which the first are lags, that must be transformed back: the lags and the sums of the others; or all. */
	public static int columns(final int lags, final int width) {
		return Math.min(width, lags + COUNT);
	}

	/** The place of a column: its own if it is a lag or if no sums are needed, else that of its sum. */
	public static int place(final int x, final int lags) {
		return x < lags + COUNT ? x : lags + (x - lags) % COUNT;
	}

	/** Adds a column with its sign. */
	public static void add(final int x, final float[] column, final int from, final float[] to, final int at, final int n) {
		// the upper bit of a product with the golden ratio
		if (x * 0x9E3779B9 * (x + 0x7F4A7C15) < 0) for (int i = 0; i < n; i++) to[at + i] -= column[from + i];
		else for (int i = 0; i < n; i++) to[at + i] += column[from + i];
	}
}
