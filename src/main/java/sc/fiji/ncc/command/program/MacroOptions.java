package sc.fiji.ncc.command.program;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The options of a macro's {@code run()}: {@code key=value key=[a value] key='a value' key}. A key without a value means {@code key=true}. */
public final class MacroOptions {

	private final Map<String, String> values = new LinkedHashMap<>();

	private final Set<String> twice = new LinkedHashSet<>();

	public MacroOptions(final String options) {
		for (int i = 0; i < options.length();) {
			if (options.charAt(i) == ' ') {
				i++;
				continue;
			}
			int end = i;
			while (end < options.length() && options.charAt(end) != ' ' && options.charAt(end) != '=') end++;
			final String key = options.substring(i, end).toLowerCase(Locale.ROOT);
			String value = "true";
			if (end < options.length() && options.charAt(end) == '=') {
				final int start = end + 1;
				end = end(options, start);
				value = options.substring(start, end);
				if (value.startsWith("[") && value.endsWith("]") || value.length() > 1 && value.startsWith("'") && value.endsWith("'")) value = value.substring(1, value.length() - 1);
			}
			if (values.putIfAbsent(key, value) != null) twice.add(key);
			i = end;
		}
	}

	/**
	 * The end of a value: the next blank or, for a value in brackets, the matching closing bracket. If the brackets in a title do not match: the first closing
	 * bracket at the end of the options or before a blank.
	 */
	private static int end(final String options, final int start) {
		final int blank = options.indexOf(' ', start), quote = options.startsWith("'", start) ? options.indexOf('\'', start + 1) : -1;
		if (quote > 0) return quote + 1;
		if (start == options.length() || options.charAt(start) != '[') return blank < 0 ? options.length() : blank;
		for (int i = start, depth = 0; i < options.length(); i++) {
			depth += options.charAt(i) == '[' ? 1 : options.charAt(i) == ']' ? -1 : 0;
			if (depth == 0 && (i + 1 == options.length() || options.charAt(i + 1) == ' ')) return i + 1;
		}
		final int bracket = (options + ' ').indexOf("] ", start);
		return bracket < 0 ? options.length() : bracket + 1;
	}

	/** @return the value of a key without brackets; empty if the options do not have the key */
	public Optional<String> get(final String key) {
		return Optional.ofNullable(values.get(key));
	}

	/** @return whether the options have at least one of these keys */
	public boolean givesAny(final Collection<String> keys) {
		return !Collections.disjoint(values.keySet(), keys);
	}

	/**
	 * Checks that each key is known and appears once. Without this check, a misspelt key would have no effect.
	 *
	 * @param known the keys of the command
	 * @param command label in the menu, for the message
	 * @throws IllegalArgumentException if a key is unknown or appears twice
	 */
	public void requireKnown(final Collection<String> known, final String command) {
		if (!twice.isEmpty()) throw new IllegalArgumentException("The macro gives the key '" + String.join("', '", twice) + "' twice. Give each key once.");
		final List<String> unknown = new ArrayList<>(values.keySet());
		unknown.removeAll(known);
		if (!unknown.isEmpty()) throw new IllegalArgumentException(command + " has no key '" + String.join("', '", unknown) + "'. Known keys: "
			+ String.join(", ", known) + ".");
	}
}
