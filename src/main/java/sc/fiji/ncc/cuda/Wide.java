package sc.fiji.ncc.cuda;

/**
 * How kernels do what float's 24 bits are too few for (see {@code wide.cuh}): in double, or in pairs of floats and whole numbers. Cards for games and workstations have
 * one unit for double beside 32 or 64 for float, those of data centres one beside two. What is asked in double precision, and the second look, is in double on all.
 */
enum Wide {

	DOUBLE, PAIRS;

	/** From how many times the rate of double that of float is on, pairs are quicker: a multiply-add of a pair takes some 20 operations, several of them at once. */
	private static final int SLOW = 8;

	/** @param ratio how many times slower arithmetic in double is than in float. The system property {@code ncc.cuda.wide}, {@code pairs} or {@code double}, overrules it */
	static Wide of(final int ratio) {
		final String asked = System.getProperty("ncc.cuda.wide");
		if (asked == null) return ratio >= SLOW ? PAIRS : DOUBLE;
		for (final Wide w : values()) if (w.name().equalsIgnoreCase(asked)) return w;
		throw new IllegalArgumentException("the system property ncc.cuda.wide is " + asked + ": pairs or double");
	}

	/** What kernels are compiled with. */
	String[] options() {
		return this == PAIRS ? new String[] { "-DPAIRS" } : new String[0];
	}
}
