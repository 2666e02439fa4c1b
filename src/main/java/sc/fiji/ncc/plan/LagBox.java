package sc.fiji.ncc.plan;

/**
 * The lags of one submission: for each template a box of the same size, at its own origin.
 *
 * @param origins first lag of each template, in pixels of the image; negative only where lags may be partial
 * @param size how many lags along each dimension
 */
public record LagBox(long[][] origins, int[] size) {

	public long lags() {
		long n = 1;
		for (final int s : size) n *= s;
		return n;
	}
}
