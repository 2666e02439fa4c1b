package sc.fiji.ncc.front;

import java.util.OptionalDouble;

import sc.fiji.ncc.option.Range;

/** A setting as users write it: a number, or the word auto. */
public final class NumberOrAuto {

	private static final String AUTO = "auto";

	private NumberOrAuto() {}

	/**
	 * Parses a setting.
	 *
	 * @param option the name of the option as users write it before the value, for messages
	 * @return the number; empty for auto
	 * @throws IllegalArgumentException if the text is neither, or the number is out of range
	 */
	public static OptionalDouble of(final String option, final String text, final Range range) {
		if (text.trim().equalsIgnoreCase(AUTO)) return OptionalDouble.empty();
		try {
			return OptionalDouble.of(range.of(option, WrittenNumber.toDouble(text.trim())));
		}
		catch (final NumberFormatException e) {
			throw new IllegalArgumentException(option + e.getMessage() + ": give " + range.words() + ", such as 0.7, or auto", e);
		}
		catch (final IllegalArgumentException e) {
			throw new IllegalArgumentException(e.getMessage() + ", or auto", e);
		}
	}
}
