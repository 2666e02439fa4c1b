package sc.fiji.ncc.plan.deform;

/**
 * The order of the sums over the pixels of a cell that a step of its windows needs. r is a pixel of the reference, f one of the deformed
 * frame, g the gradient of r, s that of f, w the square of the length of g. First the sums of 1, r, f, r², f² and r·f, then the same with
 * the weight w. Then for each dimension d those of g_d, g_d·r, g_d·f, s_d, s_d·r, and of g_d·g_e and g_d·s_e for each dimension e. Last the
 * sum of w·x for each dimension, with the place x of a pixel in the area.
 */
public final class SumLayout {

	/** The sums of 1, r, f, r², f² and r·f; their number. */
	public static final int N = 0, R = 1, F = 2, RR = 3, FF = 4, RF = 5, PLAIN = 6;

	/** The number of sums of a dimension, and the first of those of places. */
	public final int each, places;
	/** The number of sums. */
	public final int count;

	/** @param n the number of dimensions */
	public SumLayout(final int n) {
		each = 5 + 2 * n;
		places = 2 * PLAIN + each * n;
		count = places + n;
	}

	/** The first sum of a dimension: that of g_d. Those of g_d·r, g_d·f, s_d and s_d·r follow. */
	public int gradient(final int d) {
		return 2 * PLAIN + each * d;
	}

	/** The sum of g_d·g_e. That of g_d·s_e follows. */
	public int gradients(final int d, final int e) {
		return gradient(d) + 5 + 2 * e;
	}
}
