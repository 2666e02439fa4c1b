package sc.fiji.ncc.stitch;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The names of tiles with their place in a grid: {@code {x}} stands for the number of the column, {@code {y}} for that of the row, as in
 * {@code tile_{y}_{x}.tif}. Numbers may have zeros before them. The smallest ones are the first column and row.
 *
 * @param text the pattern of a file name, without a folder
 */
public record TilePattern(String text) {

	private static final Pattern NUMBERS = Pattern.compile("\\{([xy])\\}");

	/** @throws IllegalArgumentException if the text does not hold {x} once and {y} once */
	public TilePattern {
		final List<String> letters = new ArrayList<>();
		for (final Matcher m = NUMBERS.matcher(text); m.find();) letters.add(m.group(1));
		if (letters.size() != 2 || letters.get(0).equals(letters.get(1))) throw new IllegalArgumentException("the pattern " + text
			+ " does not hold {x} and {y} once: give both, as in tile_{y}_{x}.tif");
	}

	/** Whether a text holds {x} or {y}. */
	public static boolean is(final String text) {
		return NUMBERS.matcher(text).find();
	}

	/** The column and the row in a file name; empty if the name does not match. */
	public Optional<int[]> place(final String name) {
		final StringBuilder regex = new StringBuilder();
		final Matcher m = NUMBERS.matcher(text);
		int at = 0;
		while (m.find()) {
			regex.append(Pattern.quote(text.substring(at, m.start()))).append("(?<").append(m.group(1)).append(">\\d{1,6})");
			at = m.end();
		}
		final Matcher found = Pattern.compile(regex + Pattern.quote(text.substring(at))).matcher(name);
		return found.matches() ? Optional.of(new int[] { Integer.parseInt(found.group("x")), Integer.parseInt(found.group("y")) }) : Optional.empty();
	}

	/** The columns and the rows of tiles, both from 0. */
	List<int[]> places(final List<String> names) {
		final List<int[]> places = names.stream().map(PositionsFile::base).map(n -> place(n).orElseThrow()).toList();
		final int x = places.stream().mapToInt(p -> p[0]).min().orElseThrow(), y = places.stream().mapToInt(p -> p[1]).min().orElseThrow();
		return places.stream().map(p -> new int[] { p[0] - x, p[1] - y }).toList();
	}
}
