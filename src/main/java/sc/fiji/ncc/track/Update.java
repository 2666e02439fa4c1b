package sc.fiji.ncc.track;

import java.util.Locale;

import sc.fiji.ncc.option.Range;
import sc.fiji.ncc.plan.Given;

/**
 * How a template changes after it is found in a frame. A lost template does not change.
 *
 * @param kind the policy
 * @param weight the weight of the newest window in a running mean, in (0, 1]; 1 for the other policies
 * @param anchor below this score a changed template is compared with the initial template; -1 for never
 */
public record Update(Kind kind, double weight, double anchor) {

	/** The policies. */
	public enum Kind {

		/** The template does not change. No error accumulates, but an object that changes its appearance is lost in time. */
		FIXED,

		/** The template becomes the window at which it was found. It follows any change, but accumulates the error of each frame. */
		PREVIOUS,

		/** The template becomes the running mean of itself and the window at which it was found. */
		MEAN
	}

	/** Default weight of the newest window in a running mean. */
	public static final double WEIGHT = 0.1;

	public static final Update FIXED = new Update(Kind.FIXED, 1, -1), PREVIOUS = new Update(Kind.PREVIOUS, 1, -1), MEAN = mean(WEIGHT);

	public Update {
		Given.nonNull(kind, "policy");
		Range.PART.of("the weight of the newest window is ", weight);
		Range.SCORE.of("the anchor score is ", anchor);
		if (kind == Kind.FIXED && anchor > -1) throw new IllegalArgumentException("a fixed template has no anchor score, here " + anchor
			+ ": choose the update policy previous or mean, or leave the anchor score out");
	}

	/**
	 * The running mean {@code template ← (1 − weight)·template + weight·window}.
	 *
	 * @param weight the weight of the newest window, in (0, 1]
	 *
	 * @throws IllegalArgumentException if the weight does not lie in (0, 1]
	 */
	public static Update mean(final double weight) {
		return new Update(Kind.MEAN, weight, -1);
	}

	/**
	 * The same policy with an anchor. If the changed template has a lower score in a frame, the initial template is also searched. If its score is higher, its
	 * position counts, and the template is reset to the initial one.
	 *
	 * @throws IllegalArgumentException if the score does not lie in [-1, 1], or the policy is {@link Kind#FIXED}
	 */
	public Update anchoredBelow(final double score) {
		return new Update(kind, weight, score);
	}

	/** Such as {@code fixed} and {@code mean with weight 0.1, anchored below 0.7}. */
	@Override
	public String toString() {
		return kind.name().toLowerCase(Locale.ROOT) + (kind == Kind.MEAN ? " with weight " + weight : "") + (anchor > -1 ? ", anchored below " + anchor : "");
	}
}
