package sc.fiji.ncc.command;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Parsing of parameters with a few possible values. Macros can pass any text. */
final class Choice {

	private Choice() {}

	/**
	 * Finds a value by its name. Upper and lower case do not matter.
	 *
	 * @param key the parameter, for the message
	 * @throws IllegalArgumentException if no value has this name
	 */
	@SafeVarargs
	static <E> E of(final String key, final String name, final E... values) {
		final List<String> names = Arrays.stream(values).map(value -> value.toString().toLowerCase(Locale.ROOT)).collect(Collectors.toList());
		final int index = names.indexOf(name.trim().toLowerCase(Locale.ROOT));
		if (index < 0) throw new IllegalArgumentException("Unknown " + key + " '" + name + "'. Known: " + String.join(", ", names) + ".");
		return values[index];
	}
}
