package sc.fiji.ncc.track;

/**
 * What a template becomes when it was found in a frame. A template that is lost stays as it is.
 *
 * @param kind which policy
 * @param weight of the newest window in a running mean, in (0, 1]; 1 for the others
 * @param anchor below this score a template that has changed is compared with the one it began as; -1 for never
 */
public record Update(Kind kind, double weight, double anchor) {

	/** The policies. */
	public enum Kind {

		/** The template stays as it is: nothing drifts, but what changes its looks is lost in time. */
		FIXED,

		/** It becomes the window that was found: follows any change, and adds up the error of each frame. */
		PREVIOUS,

		/** It becomes the running mean of what it was and of the window that was found. */
		MEAN
	}

	/** Of the running mean unless said. */
	public static final double WEIGHT = 0.1;

	public static final Update FIXED = new Update(Kind.FIXED, 1, -1), PREVIOUS = new Update(Kind.PREVIOUS, 1, -1), MEAN = mean(WEIGHT);

	public Update {
		if (!(weight > 0 && weight <= 1)) throw new IllegalArgumentException("the weight of the newest window must lie in (0, 1], unlike " + weight);
		if (!(anchor >= -1 && anchor <= 1)) throw new IllegalArgumentException("the score below which a template is anchored anew must lie in [-1, 1], unlike " + anchor);
		if (kind == Kind.FIXED && anchor > -1) throw new IllegalArgumentException("a fixed template is never anchored anew: choose the update policy previous or mean, or leave the score "
			+ anchor + " out");
	}

	/**
	 * {@code template ← (1 − weight)·template + weight·window}
	 *
	 * @throws IllegalArgumentException if the weight does not lie in (0, 1]
	 */
	public static Update mean(final double weight) {
		return new Update(Kind.MEAN, weight, -1);
	}

	/**
	 * The same, re-anchored: in a frame in which the changed template scores less, the one it began as is looked for, too. If that scores more, its
	 * place counts, and the template begins anew.
	 *
	 * @throws IllegalArgumentException if the score does not lie in [-1, 1], or the policy is {@link Kind#FIXED}
	 */
	public Update anchoredBelow(final double score) {
		return new Update(kind, weight, score);
	}
}
