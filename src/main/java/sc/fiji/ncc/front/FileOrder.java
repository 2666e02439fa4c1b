package sc.fiji.ncc.front;

import java.util.Comparator;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The order of the files of a folder, the same in all front ends. */
public final class FileOrder {

	private static final Pattern NUMBER = Pattern.compile("\\d+");

	/** By name; numbers in names count as numbers. */
	public static final Comparator<String> BY_NUMBERS = Comparator.comparing(FileOrder::sortKey).thenComparing(Comparator.naturalOrder());

	private FileOrder() {}

	/** A key that sorts numbers in names by value: each number is preceded by its count of digits. */
	private static String sortKey(final String name) {
		final Matcher m = NUMBER.matcher(name.toLowerCase(Locale.ROOT));
		return m.replaceAll(n -> {
			final String digits = n.group().replaceFirst("^0+(?=\\d)", "");
			return String.format(Locale.ROOT, "%03d%s", digits.length(), digits);
		});
	}
}
