package sc.fiji.ncc.option;

import java.util.Locale;

import sc.fiji.ncc.plan.Given;

/**
 * What a corrected frame shows where the recorded frame has no pixels.
 *
 * @param kind the policy
 * @param value the value of pixels outside, with {@link Kind#CONSTANT} and {@link Kind#UNION}
 */
public record Outside(Kind kind, double value) {

	public Outside {
		Given.nonNull(kind, "policy");
	}

	public enum Kind {
		/** The nearest pixel of the frame. */
		EDGE,
		/** One value. */
		CONSTANT,
		/** NaN. Only for pixels of 32- or 64-bit floats. */
		NAN,
		/** Frames are cropped to the region that all of them show. */
		CROP,
		/** Frames are enlarged to the region that any of them shows; the rest has one value. */
		UNION
	}

	public static final Outside EDGE = new Outside(Kind.EDGE, 0), BLACK = new Outside(Kind.CONSTANT, 0), NAN = new Outside(Kind.NAN, 0),
		CROP = new Outside(Kind.CROP, 0), UNION = new Outside(Kind.UNION, 0);

	/**
	 * Reads a text such as {@code edge} or {@code constant:12.5}.
	 *
	 * @throws IllegalArgumentException if it is not edge, constant, nan, crop or union, with a finite number after constant: or union:
	 */
	public static Outside of(final String text) {
		Given.nonNull(text, "text");
		final String[] parts = text.trim().split(":", 2);
		final String word = parts[0].toLowerCase(Locale.ROOT);
		for (final Kind kind : Kind.values()) {
			if (!kind.name().toLowerCase(Locale.ROOT).equals(word)) continue;
			if (parts.length == 1) return new Outside(kind, 0);
			if (kind == Kind.CONSTANT || kind == Kind.UNION) return new Outside(kind, number(parts[1], text));
			throw new IllegalArgumentException("'" + text + "': only constant and union take a value");
		}
		throw new IllegalArgumentException("unknown border '" + text + "': give edge, constant, constant:VALUE, nan, crop, union or union:VALUE");
	}

	private static double number(final String text, final String whole) {
		try {
			final double value = Double.parseDouble(text.trim());
			if (Double.isFinite(value)) return value;
		}
		catch (final NumberFormatException e) {
			// reported below
		}
		throw new IllegalArgumentException("'" + text + "' in '" + whole + "' is not a finite number");
	}

	@Override
	public String toString() {
		final String word = kind.name().toLowerCase(Locale.ROOT);
		return kind == Kind.CONSTANT || kind == Kind.UNION ? word + ":" + value : word;
	}
}
