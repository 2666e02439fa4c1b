package sc.fiji.ncc.plan;

import java.util.regex.Pattern;

/**
 * Numbers as people write them, in options, macros and files: the digits 0 to 9, a sign, a decimal point, an exponent. Java's own parsers take the digits of
 * every script and suffixes such as {@code 1f}, which are slips here.
 */
public final class WrittenNumber {

	private static final Pattern WHOLE = Pattern.compile("[+-]?[0-9]+");
	private static final Pattern REAL = Pattern.compile("[+-]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]+)?|NaN|[+-]?Infinity");

	private WrittenNumber() {}

	/** @throws NumberFormatException if the text is no whole number, or one beyond 32 bits */
	public static int toInt(final String text) {
		return Integer.parseInt(checked(text, WHOLE));
	}

	/** @throws NumberFormatException if the text is no whole number, or one beyond 64 bits */
	public static long toLong(final String text) {
		return Long.parseLong(checked(text, WHOLE));
	}

	/** @throws NumberFormatException if the text is no number; {@code NaN} and {@code Infinity} are some */
	public static double toDouble(final String text) {
		return Double.parseDouble(checked(text, REAL));
	}

	private static String checked(final String text, final Pattern form) {
		if (!form.matcher(text).matches()) throw new NumberFormatException("'" + text + "' is not a number");
		return text;
	}
}
