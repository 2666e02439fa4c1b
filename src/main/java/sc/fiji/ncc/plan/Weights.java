package sc.fiji.ncc.plan;

/** The kind of weights of the template's pixels. */
public enum Weights {

	/** All pixels have weight 1. */
	NONE("no mask"),

	/** A mask of zeros and ones. */
	BINARY("a mask"),

	/** Finite weights of at least 0. */
	REAL("real weights");

	private final String words;

	Weights(final String words) {
		this.words = words;
	}

	/** The kind of weights of a template. */
	public static Weights of(final Template template) {
		if (template.weights() == null) return NONE;
		for (final double w : template.weights())
			if (w != 0 && w != 1) return REAL;
		return BINARY;
	}

	@Override
	public String toString() {
		return words;
	}
}
