package sc.fiji.ncc.command;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Parameters that take one of a few words: a macro may say anything. */
final class Choice {

	private Choice() {}

	/**
	 * The value of that name in lower case.
	 *
	 * @throws IllegalArgumentException if there is none
	 */
	@SafeVarargs
	static <E> E of(final String key, final String name, final E... values) {
		final List<String> names = Arrays.stream(values).map(value -> value.toString().toLowerCase(Locale.ROOT)).collect(Collectors.toList());
		final int index = names.indexOf(name.trim().toLowerCase(Locale.ROOT));
		if (index < 0) throw new IllegalArgumentException("There is no " + key + " '" + name + "'. There are: " + String.join(", ", names) + ".");
		return values[index];
	}
}
