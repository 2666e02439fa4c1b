package sc.fiji.ncc.cli;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** The known word that is most similar to a misspelt word. */
final class Suggestion {

	private Suggestion() {}

	/** {@code ; did you mean 'match'?}, or an empty text if no word is similar. */
	static String of(final String word, final Collection<String> known) {
		final String lower = word.toLowerCase(Locale.ROOT);
		final Optional<String> nearest = known.stream().min(Comparator.comparingInt((String k) -> distance(lower, k))
			.thenComparing(String::length).thenComparing(k -> k));
		return nearest.filter(k -> distance(lower, k) <= Math.max(1, k.length() / 3)).map(k -> "; did you mean '" + k + "'?").orElse("");
	}

	/** The number of letters to change, add, remove or swap with a neighbour to get from a to b. 1 if a is the beginning of b. */
	static int distance(final String a, final String b) {
		final int[][] d = new int[a.length() + 1][b.length() + 1];
		for (int i = 0; i <= a.length(); i++)
			for (int j = 0; j <= b.length(); j++) {
				if (i == 0 || j == 0) {
					d[i][j] = i + j;
					continue;
				}
				d[i][j] = Math.min(Math.min(d[i - 1][j], d[i][j - 1]) + 1, d[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1));
				if (i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1)) d[i][j] = Math.min(d[i][j], d[i - 2][j - 2] + 1);
			}
		final boolean beginning = a.replace("-", "").length() > 1 && b.startsWith(a) && !a.equals(b);
		return beginning ? 1 : d[a.length()][b.length()];
	}
}
