package sc.fiji.ncc;

/**
 * What stands where the template does not fit into the image, in {@link Extent#SAME} and {@link Extent#FULL}.
 *
 * @param kind the policy
 * @param value what pixels outside the image read, with {@link Kind#CONSTANT}
 */
public record Border(Kind kind, double value) {

	public enum Kind {
		/** The response is undefined. */
		UNDEFINED,
		/** The image goes on mirrored about its edge pixels, which are not repeated. */
		MIRROR,
		/** The image goes on with its edge pixels. */
		EDGE,
		/** The image goes on with one value. */
		CONSTANT,
		/** Correlation over the part of the template that overlaps the image; of a convolution the sum over that part, as with zeros beyond. */
		OVERLAP
	}

	public static final Border UNDEFINED = new Border(Kind.UNDEFINED, 0);
	public static final Border MIRROR = new Border(Kind.MIRROR, 0);
	public static final Border EDGE = new Border(Kind.EDGE, 0);
	public static final Border OVERLAP = new Border(Kind.OVERLAP, 0);

	public static Border constant(final double value) {
		if (!Double.isFinite(value)) throw new IllegalArgumentException("the border's constant must be a finite number, not " + value);
		return new Border(Kind.CONSTANT, value);
	}
}
