package sc.fiji.ncc.plan;

/**
 * The lags of one problem, and which pixels of their windows count.
 *
 * @param count the maximum number of lags along each dimension in one submission
 * @param beyond whether windows may extend beyond the image; pixels outside the image then have weight 0
 * @param masked whether pixels of the image may be missing, as {@link Pixels#mask} says; they then have weight 0
 * @param minOverlap where pixels may have weight 0, the smallest share of the template's weight that must remain, in [0, 1]. A response with less is
 *        undefined
 * @param apart whether each template has lags of its own, so that templates share no transform of the image
 */
public record Lags(Size count, boolean beyond, boolean masked, double minOverlap, boolean apart) {

	/** Lags that all templates have. */
	public Lags(final Size count, final boolean beyond, final boolean masked, final double minOverlap) {
		this(count, beyond, masked, minOverlap, false);
	}

	/** Lags of an image without missing pixels. */
	public Lags(final Size count, final boolean beyond, final double minOverlap) {
		this(count, beyond, false, minOverlap);
	}

	/** Every window lies inside the image, and no pixel is missing. */
	public static Lags inside(final Size count) {
		return new Lags(count, false, 1);
	}

	/** The same with another number of lags. */
	public Lags of(final Size otherCount) {
		return new Lags(otherCount, beyond, masked, minOverlap, apart);
	}

	/** The same if each template has lags of its own. */
	public Lags apart(final boolean own) {
		return new Lags(count, beyond, masked, minOverlap, own);
	}

	/** {@code 329x248 lags}: readable, and complete. */
	@Override
	public String toString() {
		return count + " lags" + (apart ? " of each template" : "") + (partial() ? " that overlap by " + minOverlap : "") + (!masked ? "" : beyond
			? " with missing pixels"
			: " with missing pixels, inside");
	}

	/** Whether a window may have fewer pixels than the template. */
	public boolean partial() {
		return beyond || masked;
	}
}
