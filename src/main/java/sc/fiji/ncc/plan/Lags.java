package sc.fiji.ncc.plan;

/**
 * The lags of one problem.
 *
 * @param count how many along each dimension, at most, in one submission
 * @param partial whether windows may leave the image; pixels outside it then weigh nothing
 * @param leastOverlap with {@code partial}, the least share of the template's weight that must lie inside, in [0, 1]; below it a
 *        response is undefined
 */
public record Lags(Size count, boolean partial, double leastOverlap) {

	/** Every window lies inside the image. */
	public static Lags inside(final Size count) {
		return new Lags(count, false, 1);
	}
}
