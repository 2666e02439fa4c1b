package sc.fiji.ncc.document;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

/** Words that the glossary replaces by others stay out of code and documents. */
class WordsTest {

	/** What a person types, and what files hold: options, names of files of data, keys of calibrations. */
	private static final Pattern TYPED = Pattern.compile("--pictures?\\b|\\bpicture-|-tap\\b|\\{pictures}");
	/** The packages of drawings and windows, and of the documents that show them. */
	private static final Pattern DRAWINGS = Pattern.compile("/(drawing|command|ij1|document|cli/map)/|/cli/(Best|Correlate|Streaming|CommandLine)"
		+ "|/(contributing|command-line|glossary|macros|motion|stitching|user-guide)\\.md");
	private static final Pattern KERNELS = Pattern.compile("/(BoxSpectra|FourierPasses|FourierMethod|RealPixels|ConvolveMethod)\\.java");

	/** Strings are names of genes, files and keys in places, so some words count in names and comments only. */
	private enum Word {

		PICTURE("picture", "(?i)pictures?", "image; a picture is a drawing for people", Source::text, file -> DRAWINGS.matcher(file.name).find() || file.draws()),
		TAPS("tap", "\\b[Tt]aps?\\b|[a-z]Taps?\\b|\\bTap[A-Z]|(\\b|_)TAPS?\\b", "coefficients", Source::text, Source::isOfKernels),
		REACH("reach", "\\b[rR]each\\b|\\bREACH", "radius, limit, margin", Source::names, file -> false),
		THE_REACH("reach", "\\b(the|a|its|of|smallest|largest) reach\\b|\\breach of\\b", "radius, limit, margin", Source::comments, file -> false),
		ROOM("room", "\\b(room|Room|ROOM)\\b|[a-z]Room\\b", "buffer, margin", Source::namesAndComments, Source::isOfKernels),
		CARD("card", "\\b[Cc]ards?\\b|[a-z]Cards?(?![a-z])|\\bCARDS?\\b", "GPU", Source::text, file -> false),
		OTHERS("slack,sound,defective,rests,spare,exchang,widen,latearray,lastingexec,rowsarequick",
			"(?i)\\b(slack|sound|defective|rests|spares?|exchang(e|es|ed|ing)|widen(s|ed|ing)?)\\b|\\bLateArray|\\bLastingExecution|rowsAreQuick",
			"margin, finite, low-order parts, swapped, extended", Source::namesAndComments, file -> false);

		/** What a text in lower case must contain: a search for it takes less time than the pattern. */
		final List<String> roots;
		final Pattern pattern;
		final String better;
		final Function<Source, String> part;
		final Predicate<Source> allowed;

		Word(final String roots, final String pattern, final String better, final Function<Source, String> part, final Predicate<Source> allowed) {
			this.roots = List.of(roots.split(","));
			this.pattern = Pattern.compile(pattern);
			this.better = better;
			this.part = part;
			this.allowed = allowed;
		}

		List<String> in(final Source file) {
			final List<String> found = new ArrayList<>();
			if (roots.stream().noneMatch(file.lower::contains) || allowed.test(file)) return found;
			final Matcher m = pattern.matcher(part.apply(file));
			while (m.find()) found.add(file.name + ": '" + m.group() + "', better: " + better);
			return found;
		}
	}

	/** @param names Java without strings and comments; the names of a document are its text */
	private record Source(String name, String text, String lower, String names, String comments) {

		static Source of(final String name, final String text) {
			final String t = text.contains("picture") || text.contains("-tap") ? TYPED.matcher(text).replaceAll("") : text;
			return name.endsWith(".java") ? java(name, t) : new Source(name, t, t.toLowerCase(Locale.ROOT), "", t);
		}

		private static Source java(final String name, final String text) {
			final StringBuilder names = new StringBuilder(), comments = new StringBuilder();
			for (int i = 0; i < text.length();) {
				final String end = text.startsWith("//", i) ? "\n" : text.startsWith("/*", i) ? "*/" : text.startsWith("\"\"\"", i) ? "\"\"\""
					: text.charAt(i) == '"' || text.charAt(i) == '\'' ? text.substring(i, i + 1) : "";
				if (end.isEmpty()) names.append(text.charAt(i++));
				else {
					int until = i + (end.length() == 3 ? 3 : end.length() == 2 ? 2 : 1);
					while (until < text.length() && !text.startsWith(end, until)) until += text.charAt(until) == '\\' ? 2 : 1;
					if (text.charAt(i) == '/') comments.append(text, i, Math.min(until, text.length())).append('\n');
					i = until + end.length();
				}
			}
			return new Source(name, text, text.toLowerCase(Locale.ROOT), names.toString(), comments.toString());
		}

		String namesAndComments() {
			return names + comments;
		}

		boolean draws() {
			return name.endsWith(".java") && (text.contains("BufferedImage") || text.contains("Drawing.") || text.contains("--quiver"));
		}

		/** Whether names are those of GPU kernels. */
		boolean isOfKernels() {
			return KERNELS.matcher(name).find();
		}
	}

	private static List<String> found(final Source file) {
		return Stream.of(Word.values()).flatMap(w -> w.in(file).stream()).toList();
	}

	@Test
	void replacedWordsDoNotComeBack() throws IOException {
		final List<String> all = new ArrayList<>();
		int files = 0;
		for (final String root : new String[] { "src", "macros", "README.md" })
			try (Stream<Path> paths = Files.walk(Path.of(root)).filter(p -> p.toString().matches(".*\\.(java|md|ijm)"))) {
				for (final Path p : (Iterable<Path>) paths.sorted()::iterator) {
					files++;
					final String name = p.toString().replace('\\', '/');
					if (!name.endsWith("/WordsTest.java")) all.addAll(found(Source.of(name, Files.readString(p))));
				}
			}
		assertEquals(List.of(), all);
		assertTrue(files > 1000, files + " files");
	}

	@Test
	void wordsAreFoundWhereTheyCount() {
		final String[] wrong = { "// a picture of cells", "int picture;", "final int[] taps;", "int MAX_TAPS;", "double reach;", "/** The reach of a kernel. */",
			"int room;", "// room for a row", "boolean defective;", "class LateArray {}", "// x and y are exchanged", "/* text\n of the picture */" };
		for (final String text : wrong) assertFalse(found(Source.of("src/A.java", text)).isEmpty(), text);
		final String[] right = { "// scores that reach the least score", "run(\"--picture\");", "genes.pick(\"reach\");", "constants.get(\"direct-tap\");",
			"BufferedImage picture;", "char c = '\"'; // it's \"quoted\"" };
		for (final String text : right) assertEquals(List.of(), found(Source.of("src/A.java", text)), text);
		assertFalse(found(Source.of("src/doc/accuracy.md", "a picture of 32 taps")).isEmpty());
		assertEquals(List.of(), found(Source.of("src/doc/glossary.md", "picture of arrows")));
	}
}
