package sc.fiji.ncc.plan;

import java.util.List;

/** Checks the arguments of the public API. */
public final class Given {

	private Given() {}

	/**
	 * A value that is not null.
	 *
	 * @param noun what it is, for the message: {@code image}
	 * @throws IllegalArgumentException if it is null
	 */
	public static <T> T nonNull(final T value, final String noun) {
		if (value == null) throw new IllegalArgumentException("the " + noun + " is null: give " + (noun.matches("[aeiou].*") ? "an " : "a ") + noun);
		return value;
	}

	/**
	 * A list without null.
	 *
	 * @param noun what its elements are
	 * @throws IllegalArgumentException if the list or an element is null; and if it is empty
	 */
	public static <T, L extends List<T>> L list(final L values, final String noun) {
		if (values == null) throw new IllegalArgumentException("the list is null: give at least one " + noun);
		if (values.isEmpty()) throw new IllegalArgumentException("the list is empty: give at least one " + noun);
		for (int i = 0; i < values.size(); i++)
			if (values.get(i) == null) throw new IllegalArgumentException(noun + " " + i + " of " + values.size() + " is null, counted from 0: give a "
				+ noun + ", or leave it out");
		return values;
	}
}
