package sc.fiji.ncc.plan;

/**
 * The lags of one problem.
 *
 * @param count the maximum number of lags along each dimension in one submission
 * @param partial whether windows may extend beyond the image; pixels outside the image then have weight 0
 * @param minOverlap with {@code partial}, the smallest share of the template's weight that must lie inside the image, in [0, 1]. A response with
 *        less overlap is undefined
 */
public record Lags(Size count, boolean partial, double minOverlap) {

	/** Every window lies inside the image. */
	public static Lags inside(final Size count) {
		return new Lags(count, false, 1);
	}
}
