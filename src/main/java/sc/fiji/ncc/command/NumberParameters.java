package sc.fiji.ncc.command;

import java.util.Arrays;

import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.WrittenNumber;

/** Parameters of several whole numbers. */
final class NumberParameters {

	private NumberParameters() {}

	/**
	 * A size, as in {@code 2000x1500}.
	 *
	 * @throws IllegalArgumentException if it is none
	 */
	static Size size(final String key, final String text) {
		try {
			return Size.of(parse(text, "\\s*[xX]\\s*"));
		}
		catch (final IllegalArgumentException e) {
			throw new IllegalArgumentException(key + "=" + text + " is no size: give whole pixels above 0, as in 2000x1500 or 512x512x40.", e);
		}
	}

	/**
	 * Whole numbers between separators.
	 *
	 * @throws NumberFormatException if one of them is none
	 */
	static long[] parse(final String text, final String separator) {
		return Arrays.stream(text.trim().split(separator, -1)).mapToLong(WrittenNumber::toLong).toArray();
	}
}
