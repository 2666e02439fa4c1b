package sc.fiji.ncc.front;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

import sc.fiji.ncc.option.Border;
import sc.fiji.ncc.option.Undefined;

/** Options whose value is one of a few words. Upper and lower case are the same. */
public final class ChoiceText {

	private ChoiceText() {}

	/**
	 * The value whose name in lower case is the text.
	 *
	 * @param key the option, for messages
	 * @throws IllegalArgumentException if there is none
	 */
	@SafeVarargs
	public static <E> E of(final String key, final String text, final E... values) {
		final List<String> names = Arrays.stream(values).map(value -> value.toString().toLowerCase(Locale.ROOT)).toList();
		final int index = names.indexOf(text.trim().toLowerCase(Locale.ROOT));
		if (index < 0) throw new IllegalArgumentException("Unknown " + key + " '" + text + "'. Known: " + String.join(", ", names) + ".");
		return values[index];
	}

	/**
	 * A border, as in {@code mirror} or {@code constant:12.5}.
	 *
	 * @param constant the value of {@code constant} without a value of its own
	 * @throws IllegalArgumentException if there is no such border, or the value is not a finite number
	 */
	public static Border border(final String text, final double constant) {
		final String[] parts = text.split(":", 2);
		final Border.Kind kind = of("border", parts[0], Border.Kind.values());
		if (kind == Border.Kind.CONSTANT) return Border.constant(parts.length == 1 ? constant
			: WrittenNumber.read(parts[1], WrittenNumber::toDouble, "'" + parts[1] + "' in '" + text + "' is not a finite number"));
		if (parts.length == 2) throw new IllegalArgumentException("'" + text + "': only constant takes a value");
		return new Border(kind, 0);
	}

	/** @throws IllegalArgumentException if the text is neither {@code 0} nor {@code nan} */
	public static Undefined undefined(final String text) {
		return of("undefined", text, "0", "nan").equals("0") ? Undefined.ZERO : Undefined.NAN;
	}
}
