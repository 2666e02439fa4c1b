package sc.fiji.ncc.front;

import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * Numbers in options, macros and files: digits 0 to 9, a sign, a decimal point and an exponent. Java's own parsers also accept the digits of other scripts
 * and suffixes such as {@code 1f}. Here these are errors.
 */
public final class WrittenNumber {

	private static final Pattern WHOLE = Pattern.compile("[+-]?[0-9]+");
	private static final Pattern BETWEEN = Pattern.compile("\\s*,\\s*|\\s+");
	private static final Pattern REAL = Pattern.compile("[+-]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]+)?|NaN|[+-]?Infinity");

	private WrittenNumber() {}

	/**
	 * Reads a text.
	 *
	 * @param refusal the message if the parser refuses the text
	 * @throws IllegalArgumentException with this message
	 */
	public static <T> T read(final String text, final Function<? super String, T> parser, final String refusal) {
		try {
			return parser.apply(text);
		}
		catch (final IllegalArgumentException e) {
			throw new IllegalArgumentException(refusal, e);
		}
	}

	/** @throws NumberFormatException if the text is not a whole number of 32 bits */
	public static int toInt(final String text) {
		return Integer.parseInt(checked(text, WHOLE));
	}

	/** @throws NumberFormatException if the text is not a whole number of 64 bits */
	public static long toLong(final String text) {
		return Long.parseLong(checked(text, WHOLE));
	}

	/** Reads a number, {@code NaN} or {@code Infinity}. @throws NumberFormatException if the text is something else */
	public static double toDouble(final String text) {
		return Double.parseDouble(checked(text, REAL));
	}

	/**
	 * Reads the numbers of a line, with blanks, or one comma with or without blanks, between them.
	 *
	 * @throws NumberFormatException if a part is not a number, or there is no number before, between or after commas
	 */
	public static double[] row(final String line) {
		final String[] parts = BETWEEN.split(line.trim(), -1);
		final double[] row = new double[parts.length];
		for (int i = 0; i < row.length; i++) {
			if (parts[i].isEmpty()) throw new NumberFormatException("a number is missing at a comma");
			row[i] = toDouble(parts[i]);
		}
		return row;
	}

	private static String checked(final String text, final Pattern form) {
		if (!form.matcher(text).matches()) throw new NumberFormatException("'" + text + "' is not a number");
		return text;
	}
}
