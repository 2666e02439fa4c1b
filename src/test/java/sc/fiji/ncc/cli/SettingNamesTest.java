package sc.fiji.ncc.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.scijava.plugin.Parameter;

import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

import sc.fiji.ncc.Convolution;
import sc.fiji.ncc.DriftCorrection;
import sc.fiji.ncc.MotionField;
import sc.fiji.ncc.NormalizedCrossCorrelation;
import sc.fiji.ncc.PoseSearch;
import sc.fiji.ncc.Registration;
import sc.fiji.ncc.Stitching;
import sc.fiji.ncc.TemplateMatching;
import sc.fiji.ncc.TemplateTracking;
import sc.fiji.ncc.cli.output.Terminal;
import sc.fiji.ncc.fixture.Settings;
import sc.fiji.ncc.register.DriftSettings;

/** One name a setting in Java, command line and macros, and one way to count: the glossary against all settings, by reflection. */
class SettingNamesTest {

	private static final Path GLOSSARY = Path.of("src", "doc", "glossary.md");
	private static final List<Class<?>> ENTRIES = List.of(NormalizedCrossCorrelation.class, TemplateMatching.class, TemplateTracking.class,
		PoseSearch.class, Registration.class,
		DriftCorrection.class, Stitching.class, MotionField.class, Convolution.class);
	/** What counts from 1, and does not here. Pixels count from 0. */
	private static final Pattern COUNTED = Pattern.compile("(?!.*\\bpixels?\\b).*\\b(channel|slice|frame|plane|template|peak)s?\\b.*\\bcount(s|ed)? from 0\\b.*");
	private static final Pattern NAME = Pattern.compile("`([^`]+)`");

	/** A row of the table: its names in Java, on the command line and in macros. */
	private record Row(List<List<String>> names) {

		Set<String> common() {
			final Set<String> common = new HashSet<>();
			for (final List<String> front : names) if (!front.isEmpty()) {
				final Set<String> words = front.stream().map(SettingNamesTest::word).collect(Collectors.toSet());
				if (common.isEmpty()) common.addAll(words);
				else common.retainAll(words);
				if (common.isEmpty()) return common;
			}
			return common;
		}
	}

	/** A name as one word in lower case: minScore, --min-score and minscore are the same. */
	private static String word(final String name) {
		return name.replaceFirst("^--(no-)?", "").replace("-", "").toLowerCase(Locale.ROOT);
	}

	private static List<Row> table() throws IOException {
		final String text = Files.readString(GLOSSARY);
		final String section = text.substring(text.indexOf("## Names of settings"));
		return section.lines().filter(l -> l.startsWith("| ") && !l.startsWith("| setting ")).map(l -> l.split("\\|"))
			.map(cells -> new Row(Stream.of(2, 3, 4).map(i -> NAME.matcher(cells[i]).results().map(m -> m.group(1)).toList()).toList())).toList();
	}

	private static List<CommandSpec> subcommands() {
		final PrintStream none = new PrintStream(PrintStream.nullOutputStream());
		final CommandLine line = Main.commandLine("", new Terminal(none, none, false), null);
		return line.getSubcommands().values().stream().map(CommandLine::getCommandSpec).toList();
	}

	private static Set<String> options() {
		return subcommands().stream().flatMap(c -> c.options().stream()).map(OptionSpec::longestName)
			.filter(n -> !n.equals("--help") && !n.equals("--version")).collect(Collectors.toCollection(TreeSet::new));
	}

	/** The methods of the entry points that change a setting: they return the entry point. */
	private static Set<String> setters() {
		return ENTRIES.stream().flatMap(c -> Arrays.stream(c.getMethods()).filter(m -> !Modifier.isStatic(m.getModifiers()) && m.getParameterCount() > 0
			&& m.getReturnType().getName().startsWith("sc.fiji.ncc.") && m.getReturnType().isAssignableFrom(c)).map(m -> m.getName()))
			.collect(Collectors.toCollection(TreeSet::new));
	}

	@Test
	void everySettingHasOneName() throws IOException {
		final List<Row> rows = table();
		assertTrue(rows.size() > 50, "rows " + rows.size());
		for (final Row row : rows)
			if (row.names().stream().filter(n -> !n.isEmpty()).count() > 1) assertFalse(row.common().isEmpty(), "no common name in " + row.names());
	}

	@Test
	void theTableIsComplete() throws Exception {
		final List<Row> rows = table();
		final List<Set<String>> present = List.of(setters(), options(), Settings.parameters().values().stream().map(Field::getName)
			.collect(Collectors.toCollection(TreeSet::new)));
		for (int front = 0; front < 3; front++) {
			final int i = front;
			final List<String> listed = rows.stream().flatMap(r -> r.names().get(i).stream()).sorted().toList();
			assertEquals(new ArrayList<>(present.get(front)), listed, List.of("Java", "command line", "macros").get(front));
		}
	}

	/** The number that counts if none is given is the same on the command line and in the menu. There, 0 can stand for what is shown. */
	@Test
	void numbersHaveOneDefault() throws Exception {
		final Map<String, Field> parameters = Settings.parameters();
		final Map<String, List<String>> same = Map.of("align", List.of("Correct Drift", "Correct Motion"), "register", List.of("Register Images"),
			"stitch", List.of("Stitch Tiles"), "motion", List.of("Motion Field"), "track", List.of("Track Templates"), "match", List.of("Find Matches"));
		final Map<String, String> differ = new TreeMap<>();
		final Set<String> compared = new TreeSet<>();
		for (final CommandSpec c : subcommands()) for (final String label : same.getOrDefault(c.name(), List.of()))
			for (final OptionSpec o : c.options()) {
				final Field f = parameters.get(label + " " + word(o.longestName()));
				if (f == null || o.defaultValue() == null || f.getType() != double.class && f.getType() != int.class
					|| f.getAnnotation(Parameter.class).label().endsWith("(0: automatic)")) continue;
				f.setAccessible(true);
				final double here = Double.parseDouble(o.defaultValue()), there = ((Number) f.get(command(label))).doubleValue();
				compared.add(word(o.longestName()));
				if (here != there) differ.put(c.name() + " " + o.longestName(), here + ", in " + label + " " + there);
			}
		assertEquals(Map.of(), differ);
		assertTrue(compared.containsAll(List.of("minoverlap", "minscore")), compared::toString);
		assertEquals(Registration.MIN_OVERLAP, DriftSettings.DEFAULT.minOverlap());
	}

	private static Object command(final String label) throws ReflectiveOperationException, IOException {
		final Matcher name = Pattern.compile("\"" + label + "(\\.\\.\\.)?\", [\\w.]+\\(\"(sc\\.fiji\\.ncc\\.command\\.\\w+)\"\\)").matcher(
			Files.readString(Path.of("plugins.config")));
		assertTrue(name.find(), label);
		return Class.forName(name.group(2)).getDeclaredConstructor().newInstance();
	}

	/** Steps in the documents name fields of dialogs as the dialogs do. */
	@Test
	void stepsNameTheFieldsOfDialogs() throws Exception {
		final List<String> labels = Settings.parameters().values().stream().map(f -> f.getAnnotation(Parameter.class).label()).toList();
		final List<String> steps = new ArrayList<>();
		try (Stream<Path> files = Files.list(Path.of("src/doc"))) {
			for (final Path file : files.filter(f -> f.toString().endsWith(".md")).toList())
				Files.readAllLines(file).stream().filter(line -> line.matches("\\d+\\. .*Enter .*")).forEach(steps::add);
		}
		assertFalse(steps.isEmpty());
		for (final String step : steps)
			Pattern.compile("(?<!\\*)\\*([^*]+)\\*(?!\\*)").matcher(step).results().map(m -> m.group(1))
				.forEach(name -> assertTrue(labels.stream().anyMatch(label -> label.startsWith(name)), name + " in: " + step));
	}

	/** 0 is refused by each option that counts, with the way to count. */
	@Test
	void thereIsNoFrameChannelOrSlice0() {
		int refused = 0;
		for (final CommandSpec c : subcommands())
			for (final String option : List.of("--reference", "--slice", "--channels")) {
				if (c.findOption(option) == null) continue;
				final ByteArrayOutputStream said = new ByteArrayOutputStream();
				final String words = c.name() + (c.name().equals("track") ? " a.tif --roi 1,1,9,9" : " a.tif b.tif") + " -o o."
					+ (c.findOption("--table") == null ? "csv" : "tif") + " " + option + " 0";
				assertEquals(2, Main.run(words.replace(c.name().equals("align") ? " b.tif" : "\0", "").split(" "), new PrintStream(said),
					new PrintStream(said), false), words);
				assertTrue(said.toString().contains("from 1") && said.toString().contains(option.substring(2)), words + ": " + said);
				refused++;
			}
		assertEquals(12, refused);
	}

	/** The text of each option and parameter says that channels, slices, frames, templates and peaks count from 1. */
	@Test
	void onlyPixelsCountFrom0() throws Exception {
		final Map<String, String> texts = new TreeMap<>();
		for (final CommandSpec c : subcommands()) {
			texts.put(c.name(), String.join(" ", c.usageMessage().description()));
			for (final ArgSpec a : c.args()) texts.put(c.name() + " " + a.paramLabel() + " " + (a instanceof OptionSpec o ? o.longestName() : ""),
				String.join(" ", a.description()));
		}
		Settings.parameters().forEach((name, f) -> texts.put(name, f.getAnnotation(Parameter.class).description()));
		int from1 = 0;
		for (final Map.Entry<String, String> t : texts.entrySet()) {
			for (final String part : t.getValue().split("[.:;]")) assertFalse(COUNTED.matcher(part).matches(), t.getKey() + ":" + part);
			if (t.getValue().contains("from 1")) from1++;
		}
		assertTrue(from1 >= 12, "from 1: " + from1);
		for (final String name : List.of("align N --slice", "track N --reference")) assertTrue(texts.keySet().stream().anyMatch(t -> t.equals(name))
			&& texts.get(name).contains("counted from 1"), name);
	}
}
