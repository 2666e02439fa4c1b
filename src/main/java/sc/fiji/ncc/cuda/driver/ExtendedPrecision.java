package sc.fiji.ncc.cuda.driver;

/**
 * The arithmetic of kernels where float's 24 bits do not suffice (see {@code wide.cuh}): double, or pairs of floats and integers. GPUs for games and
 * workstations have one unit for double per 32 or 64 units for float, GPUs for data centres one per two. Double precision and the recheck use double on all
 * GPUs.
 */
public enum ExtendedPrecision {

	DOUBLE, PAIRS;

	/** The ratio of double to float time from which on pairs are faster: a multiply-add of pairs takes about 20 operations, several of them in parallel. */
	private static final int MIN_RATIO_FOR_PAIRS = 8;

	/**
	 * @param ratio the time of double arithmetic divided by that of float. The system property {@code ncc.cuda.wide}, {@code pairs} or {@code double},
	 * overrides it
	 */
	static ExtendedPrecision of(final int ratio) {
		final String property = System.getProperty("ncc.cuda.wide");
		if (property == null) return ratio >= MIN_RATIO_FOR_PAIRS ? PAIRS : DOUBLE;
		for (final ExtendedPrecision w : values()) if (w.name().equalsIgnoreCase(property)) return w;
		throw new IllegalArgumentException("the system property ncc.cuda.wide is " + property + ": choose pairs or double");
	}

	/** The compiler's options for the kernels. */
	String[] options() {
		return this == PAIRS ? new String[] { "-DPAIRS" } : new String[0];
	}
}
