package sc.fiji.ncc.plan;

/**
 * The lags of one submission: boxes of one size, each template's box at its own origin.
 *
 * @param origins the first lag of each template, in pixels of the image; negative only if lags may be partial
 * @param size the number of lags along each dimension
 */
public record LagBox(long[][] origins, int[] size) {

	/** The number of lags of one template. */
	public long lags() {
		long n = 1;
		for (final int s : size) n *= s;
		return n;
	}
}
