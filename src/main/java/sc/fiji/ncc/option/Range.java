package sc.fiji.ncc.option;

import sc.fiji.ncc.plan.Given;

/**
 * The numbers that a setting can have. Java, the command line and the commands of the menu check a setting by the same range, and refuse it
 * in the same words.
 */
public enum Range {

	/** A number of things. */
	COUNT(1, Double.POSITIVE_INFINITY, true, "at least 1"),
	/** A share of something that can be missing. */
	SHARE(0, 1, true, "a share from 0 to 1"),
	/** A share of something that cannot be missing. */
	PART(0, 1, false, "a number above 0 and up to 1"),
	/** A correlation coefficient. */
	SCORE(-1, 1, true, "a number from -1 to 1"),
	/** An expected number of false matches. Far below it no score is high enough; far above it every maximum of a map of 10^9 responses is a match. */
	FALSE_ALARMS(1e-12, 1e9, true, "a number from 1e-12 to 1e9, such as 0.05");

	private final double least, most;
	private final boolean closed;
	private final String words;

	/** @param closed whether the least number is in the range */
	Range(final double least, final double most, final boolean closed, final String words) {
		this.least = least;
		this.most = most;
		this.closed = closed;
		this.words = words;
	}

	/**
	 * Checks a number.
	 *
	 * @param before the text before the number in the message: {@code "the minimum score is "}, or {@code "--min-score "}
	 * @return the number
	 * @throws IllegalArgumentException if it is not in the range
	 */
	public double of(final String before, final double number) {
		if (!(number >= least && number <= most && (closed || number > least))) throw wrong(before + number);
		return number;
	}

	/** The same for a whole number. */
	public int of(final String before, final int number) {
		if (!(number >= least && number <= most)) throw wrong(before + number);
		return number;
	}

	/** The same for a long number. */
	public long of(final String before, final long number) {
		if (!(number >= least && number <= most)) throw wrong(before + number);
		return number;
	}

	/** The range in words: {@code a number from -1 to 1}. */
	public String words() {
		return words;
	}

	private IllegalArgumentException wrong(final String given) {
		return new IllegalArgumentException(given + ": give " + words);
	}

	/**
	 * Checks the maximum shift along each dimension.
	 *
	 * @param what what has the dimensions, for the message: images, templates
	 * @return a copy
	 * @throws IllegalArgumentException if a number is negative, or their number differs from the number of dimensions
	 */
	public static long[] distances(final long[] pixels, final int dimensions, final String what) {
		Given.nonNull(pixels, "maximum shift");
		if (pixels.length != dimensions) throw new IllegalArgumentException("the maximum shift has " + pixels.length + " numbers, the " + what + " have " + dimensions
			+ " dimensions: give one number per dimension");
		for (final long s : pixels) if (s < 0) throw new IllegalArgumentException("the maximum shift is " + s + " pixels: give 0 or more");
		return pixels.clone();
	}
}
