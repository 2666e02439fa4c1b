package sc.fiji.ncc.front;

import java.util.OptionalDouble;

/** A minimum score as users write it: a number from -1 to 1, or the word auto. */
public final class MinScoreText {

	private static final String AUTO = "auto";

	private MinScoreText() {}

	/**
	 * Parses a minimum score.
	 *
	 * @param option the name of the option as users write it before the value, for messages
	 * @return the score; empty for auto
	 * @throws IllegalArgumentException if the text is neither
	 */
	public static OptionalDouble of(final String option, final String text) {
		if (text.trim().equalsIgnoreCase(AUTO)) return OptionalDouble.empty();
		final double score;
		try {
			score = WrittenNumber.toDouble(text.trim());
		}
		catch (final NumberFormatException e) {
			throw new IllegalArgumentException(option + e.getMessage() + ": give a number from -1 to 1, such as 0.7, or auto", e);
		}
		if (!(score >= -1 && score <= 1)) throw new IllegalArgumentException(option + text + ": give a number from -1 to 1, or auto");
		return OptionalDouble.of(score);
	}
}
