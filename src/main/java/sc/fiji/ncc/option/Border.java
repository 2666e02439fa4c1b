package sc.fiji.ncc.option;

import java.util.Locale;

import sc.fiji.ncc.plan.Given;

/**
 * The pixels beyond the image, for windows that extend beyond it in {@link Extent#SAME} and {@link Extent#FULL}.
 *
 * @param kind the policy
 * @param value the value of pixels outside the image with {@link Kind#CONSTANT}
 */
public record Border(Kind kind, double value) {

	public Border {
		Given.nonNull(kind, "policy");
	}

	public enum Kind {
		/** The response is undefined. */
		UNDEFINED,
		/** The image is mirrored about its edge pixels, which are not repeated. */
		MIRROR,
		/** The edge pixels are repeated. */
		EDGE,
		/** All pixels outside have one value. */
		CONSTANT,
		/** The correlation of the part of the template that overlaps the image. A convolution sums over that part, as with pixels of 0 outside. */
		OVERLAP
	}

	/** The policy {@link Kind#UNDEFINED}. */
	public static final Border UNDEFINED = new Border(Kind.UNDEFINED, 0);
	/** The policy {@link Kind#MIRROR}. */
	public static final Border MIRROR = new Border(Kind.MIRROR, 0);
	/** The policy {@link Kind#EDGE}. */
	public static final Border EDGE = new Border(Kind.EDGE, 0);
	/** The policy {@link Kind#OVERLAP}. */
	public static final Border OVERLAP = new Border(Kind.OVERLAP, 0);

	/**
	 * The policy {@link Kind#CONSTANT}.
	 *
	 * @param value the value of pixels outside the image; the image's pixel type must be able to hold it
	 * @throws IllegalArgumentException if the value is not finite
	 */
	public static Border constant(final double value) {
		if (!Double.isFinite(value)) throw new IllegalArgumentException("the border's constant is " + value + ": choose a finite number");
		return new Border(Kind.CONSTANT, value);
	}

	/** Such as {@code mirror} and {@code constant:3.0}. */
	@Override
	public String toString() {
		final String word = kind.name().toLowerCase(Locale.ROOT);
		return kind == Kind.CONSTANT ? word + ":" + value : word;
	}
}
