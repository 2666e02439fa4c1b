package sc.fiji.ncc.command;

import sc.fiji.ncc.option.ComputeOptions;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import ij.Macro;
import ij.WindowManager;
import ij.macro.Interpreter;
import ij.measure.ResultsTable;

import net.imglib2.Cursor;
import net.imglib2.img.Img;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.type.numeric.integer.UnsignedByteType;
import net.imglib2.type.numeric.real.DoubleType;
import net.imglib2.type.numeric.real.FloatType;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.scijava.ItemIO;
import org.scijava.command.CommandInfo;
import org.scijava.command.CommandModule;
import org.scijava.event.EventHandler;
import org.scijava.event.EventService;
import org.scijava.event.EventSubscriber;
import org.scijava.module.ModuleItem;
import org.scijava.task.event.TaskEvent;

import sc.fiji.ncc.Backends;
import sc.fiji.ncc.command.program.Keys;
import sc.fiji.ncc.fixture.MacroCase;
import sc.fiji.ncc.planner.Planner;
import sc.fiji.ncc.planner.Wisdom;
import sc.fiji.ncc.result.Match;

/** The commands, run by SciJava. */
class CommandInSciJavaTest extends InSciJava {

	@Test
	void correlatesWithDefaults() throws Exception {
		final CommandModule module = run("image", noise(30, 20), "template", cut(noise(30, 20), 7, 5, 6, 4));
		assertFalse(module.isCanceled(), module.getCancelReason());
		final Img<?> map = (Img<?>) module.getOutput("output");
		assertArrayEquals(new long[] { 25, 17 }, map.dimensionsAsLongArray());
		assertEquals(1, ((FloatType) map.getAt(7, 5)).get(), 1e-5);
		for (final Object value : map) assertTrue(Math.abs(((FloatType) value).get()) <= 1);
	}

	@Test
	void whatIsLeftOutHasItsDefaultAndNotTheValueOfTheLastTime() throws Exception {
		final Img<UnsignedByteType> image = noise(12, 12);
		final Img<?> template = cut(image, 1, 2, 5, 5);
		assertArrayEquals(new long[] { 12, 12 },
			((Img<?>) run("image", image, "template", template, "extent", "same").getOutput("output")).dimensionsAsLongArray());
		assertArrayEquals(new long[] { 8, 8 },
			((Img<?>) run("image", image, "template", template).getOutput("output")).dimensionsAsLongArray());
	}

	@Test
	void undefinedAndBorderReachTheMap() throws Exception {
		final Img<UnsignedByteType> flat = ArrayImgs.unsignedBytes(9, 9);
		flat.getAt(0, 0).set(9);
		final Img<?> template = cut(noise(9, 9), 0, 0, 3, 3);
		final Img<?> map = (Img<?>) run("image", flat, "template", template, "undefined", "nan", "extent", "same", "border", "constant",
			"constant", 5.0).getOutput("output");
		assertTrue(Float.isNaN(((FloatType) map.getAt(4, 4)).get()), "flat");
		assertFalse(Float.isNaN(((FloatType) map.getAt(8, 8)).get()), "at the border zeros meet fives");
	}

	@Test
	void aTemplateLargerThanTheImageIsRefusedInWords() throws Exception {
		final String reason = reason("image", noise(5, 6), "template", noise(8, 7));
		assertTrue(reason.contains("5x6") && reason.contains("8x7"), reason);
	}

	@Test
	void inDoublePrecisionTheMapIsOfDoubles() throws Exception {
		final Img<UnsignedByteType> image = noise(30, 20);
		final Img<DoubleType> template = cut(image, 7, 5, 6, 4);
		final Img<?> map = (Img<?>) run("image", image, "template", template, "precision", "double").getOutput("output");
		for (int y = 0; y < 17; y++)
			for (int x = 0; x < 25; x++) assertEquals(coefficient(cut(image, x, y, 6, 4), template), ((DoubleType) map.getAt(x, y)).get(), 1e-10, x + "," + y);
		assertEquals("Unknown precision 'half'. Known: single, double.", reason("image", image, "template", template, "precision", "half"));
	}

	/** The definition of the correlation coefficient, with the means subtracted. */
	private static double coefficient(final Img<DoubleType> window, final Img<DoubleType> template) {
		double p = 0, t = 0, pt = 0, pp = 0, tt = 0;
		final int n = (int) window.size();
		for (final DoubleType v : window) p += v.get() / n;
		for (final DoubleType v : template) t += v.get() / n;
		final Cursor<DoubleType> a = window.cursor(), b = template.cursor();
		while (a.hasNext()) {
			final double x = a.next().get() - p, y = b.next().get() - t;
			pt += x * y;
			pp += x * x;
			tt += y * y;
		}
		return pt / Math.sqrt(pp * tt);
	}

	@Test
	void coloursAreRefusedInWords() throws Exception {
		final String reason = reason("image", noise(9, 9), "template", ArrayImgs.argbs(3, 3));
		assertTrue(reason.startsWith("The template 'image' is a colour (RGB) image") && reason.contains("Image > Type > 8-bit"), reason);
	}

	@Test
	void aMissingTemplateIsReported() throws Exception {
		final String reason = reason("image", noise(9, 9));
		assertTrue(reason.startsWith("The template is missing"), reason);
	}

	@Test
	void anUnknownChoiceIsReported() throws Exception {
		final Img<UnsignedByteType> image = noise(9, 9);
		final Img<?> template = cut(image, 0, 0, 3, 3);
		assertEquals("Unknown border 'miror'. Known: undefined, mirror, edge, constant, overlap.",
			reason("image", image, "template", template, "extent", "same", "border", "miror"));
		assertEquals("Unknown undefined 'x'. Known: 0, nan.", reason("image", image, "template", template, "undefined", "x"));
	}

	@Test
	void theTaskWindowStopsIt() throws Exception {
		final CommandModule module = runCanceled(NormalizedCrossCorrelationCommand.class, "image", ArrayImgs.doubles(ramp(4000 * 4000), 4000, 4000),
			"template", noise(200, 200), "threads", 1);
		assertNull(module.getOutput("output"));
	}

	/** A canceled run does not keep its measurements. A complete run keeps them. */
	@Test
	void theTaskWindowStopsMeasuring() throws Exception {
		final Object xOfTheTaskWindow = new Object() {

			@EventHandler
			private void onEvent(final TaskEvent event) {
				if (!event.getTask().isDone() && !event.getTask().isCanceled()) event.getTask().cancel("");
			}
		};
		final CommandModule module;
		final List<EventSubscriber<?>> subscribed = context.service(EventService.class).subscribe(xOfTheTaskWindow);
		try {
			module = run("image", noise(143, 131), "template", noise(13, 11), "effort", "measure");
		}
		finally {
			context.service(EventService.class).unsubscribe(subscribed);
		}
		assertTrue(module.isCanceled());
		final List<Wisdom.Entry> kept = new Planner(Backends.all(Runtime.getRuntime().availableProcessors())).wisdom().entries();
		assertTrue(kept.stream().noneMatch(entry -> entry.problem().contains("143x131")), kept.toString());
	}

	/** ImageJ's recorder shortens keys to their first word in lower case, and takes a key for a duplicate if an earlier one ends with it. */
	@Test
	void theRecorderWritesEachKeyAsItIs() {
		for (final CommandInfo command : ours()) {
			final List<String> keys = Keys.of(command);
			for (final String key : keys) {
				assertEquals(key, Macro.trimKey(key), command.getTitle());
				final List<String> earlier = keys.subList(0, keys.indexOf(key) + 1);
				assertEquals(List.of(key), earlier.stream().filter(other -> other.endsWith(key)).toList(), command.getTitle());
			}
		}
	}

	@Test
	void everyParameterHasALabel() {
		for (final CommandInfo command : ours())
			for (final ModuleItem<?> input : command.inputs())
				if (Keys.isChosen(input)) assertTrue(input.getLabel() != null && !input.getLabel().isBlank(), command.getTitle() + " " + input.getName());
	}

	@Test
	void imagesAreNotRememberedAndTheTemplateIsNeverFilledIn() {
		for (final CommandInfo command : ours())
			for (final ModuleItem<?> input : command.inputs())
				if (Img.class.isAssignableFrom(input.getType())) {
					assertFalse(input.isPersisted(), input.getName());
					assertEquals(input.getName().equals("image"), input.isAutoFill(), input.getName());
					assertEquals(ItemIO.INPUT, input.getIOType());
				}
	}

	@Test
	void plainImageJHasTheSameMenu() throws IOException {
		// ImageJ2 takes its menu from plugins.config, and would list visible commands a second time
		for (final CommandInfo command : ours()) assertFalse(command.isVisible(), command.getTitle());
		final List<String> lines = Files.readAllLines(Paths.get("plugins.config")).stream()
			.filter(line -> !line.startsWith("#")).sorted().collect(Collectors.toList());
		assertEquals(ours().stream().map(command -> folder(command) + ", \"" + command.getMenuPath().getLeaf().getName()
			+ "\", sc.fiji.ncc.ij1.NccPlugIn(\"" + command.getClassName() + "\")").sorted().collect(Collectors.toList()), lines);
		for (final CommandInfo command : ours()) assertTrue(List.of("Plugins>NCC", "File>Open Samples").contains(folder(command)), folder(command));
	}

	private static String folder(final CommandInfo command) {
		return command.getMenuPath().stream().limit(command.getMenuPath().size() - 1).map(entry -> entry.getName()).collect(Collectors.joining(">"));
	}

	@Test
	void everyHelpButtonLeadsToAHeading() throws Exception {
		for (final CommandInfo command : ours()) {
			final String page = ((NccCommand) command.createModule().getDelegateObject()).section();
			final String[] parts = page.split("#");
			final List<String> headings = Files.readAllLines(Paths.get("src", "doc", parts[0])).stream().filter(line -> line.startsWith("#"))
				.map(line -> line.replaceFirst("#+ ", "").toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9 -]", "").replace(' ', '-')).collect(Collectors.toList());
			assertTrue(headings.contains(parts[1]), page + " in " + headings);
		}
	}

	@Test
	void everyKeyIsExplained() throws IOException {
		final String page = Files.readString(Paths.get("src", "doc", "macros.md"));
		for (final CommandInfo command : ours()) {
			final String title = NccCommand.title(command);
			if (Keys.of(command).isEmpty()) continue;
			final int start = page.indexOf("## " + title);
			assertTrue(start >= 0, title);
			final int end = page.indexOf("\n## ", start + 1);
			for (final String key : Keys.of(command))
				assertTrue(page.substring(start, end < 0 ? page.length() : end).contains("`" + key + "`"), title + " " + key);
		}
	}

	/** The tables of options in the user guide, which name the key after the label. */
	@Test
	void theOptionsOfACommandAreItsKeys() throws Exception {
		final Pattern option = Pattern.compile("(?m)^\\| [^|`]+((?: `[a-z]+`)+) \\|");
		int found = 0;
		for (final CommandInfo command : ours()) {
			final String section = Arrays.stream(Files.readString(Paths.get("src", "doc", "user-guide.md")).split("\n## "))
				.filter(text -> text.startsWith(NccCommand.title(command) + "\n")).findFirst().orElse("");
			for (final Matcher row = option.matcher(section); row.find(); found++)
				for (final String key : row.group(1).replace("`", "").trim().split(" ")) assertTrue(Keys.of(command).contains(key),
					NccCommand.title(command) + " " + key);
		}
		assertTrue(found > 0);
	}

	@Test
	void matchesAreFoundAndGivenToScripts() throws Exception {
		final Img<UnsignedByteType> image = noise(30, 20);
		final CommandModule module = run(FindMatchesCommand.class, "image", image, "template", cut(image, 7, 5, 6, 4), "minscore", 0.9);
		assertFalse(module.isCanceled(), module.getCancelReason());
		final List<?> matches = (List<?>) module.getOutput("matches");
		assertEquals(1, matches.size());
		assertArrayEquals(new long[] { 7, 5 }, ((Match) matches.get(0)).position());
		final ResultsTable table = ResultsTable.getResultsTable();
		assertEquals(1, table.size());
		assertEquals(7 + 6 / 2.0, table.getValue("CenterX", 0));
	}

	@Test
	void aWildcardWithoutImagesIsReported() throws Exception {
		final CommandModule module = run(FindMatchesCommand.class, "image", noise(30, 20), "templates", "coin*");
		assertEquals("No open image is called 'coin*'. No image is open.", module.getCancelReason());
	}

	@Test
	void planAndDevicesFillATable() throws Exception {
		final CommandModule plan = run(ReportPlanCommand.class, "image", "300x200", "template", "9x9");
		assertFalse(plan.isCanceled(), plan.getCancelReason());
		assertTrue(ResultsTable.getResultsTable().getStringValue("Method", 0).startsWith("c"));
		assertTrue(ResultsTable.getResultsTable().getStringValue("Why", 0).startsWith("selected"));
		final CommandModule devices = run(ListDevicesCommand.class);
		assertFalse(devices.isCanceled(), devices.getCancelReason());
		final ResultsTable table = ResultsTable.getResultsTable();
		for (int i = 0; i < table.size(); i++) if (table.getStringValue("Backend", i).equals("cpu"))
			assertEquals("ready", table.getStringValue("State", i), table.getStringValue("Algorithm", i));
		assertTrue(IntStream.range(0, table.size()).anyMatch(i -> table.getStringValue("Backend", i).equals("cpu") && table.getStringValue("Algorithm",
			i).equals("cpu-frames")));
		final String vectors = table.getStringValue("State", table.size() - 1);
		assertTrue(vectors.equals("used") || vectors.contains("--add-modules=jdk.incubator.vector"), vectors);
	}

	@Test
	void planRanksTheAlgorithmsOfConvolution() throws Exception {
		final CommandModule plan = run(ReportPlanCommand.class, "operation", "convolve", "image", "300x200", "template", "9x9");
		assertFalse(plan.isCanceled(), plan.getCancelReason());
		final ResultsTable table = ResultsTable.getResultsTable();
		final List<String> methods = IntStream.range(0, table.size()).mapToObj(i -> table.getStringValue("Method", i)).filter(m -> m.contains("-")).toList();
		assertTrue(methods.contains("cpu-convolve-direct") && methods.stream().allMatch(m -> m.contains("-convolve-")), String.valueOf(methods));
		assertTrue(table.getStringValue("Why", 0).startsWith("selected"));
		assertEquals("Unknown operation 'blur'. Known: correlate, convolve, rotate, align, move, motion, deform.", run(ReportPlanCommand.class,
			"operation", "blur").getCancelReason());
	}

	@Test
	void planRanksTheAlgorithmsOfAllOperations() throws Exception {
		for (final String[] each : new String[][] { { "rotate", "cpu-every-pose" }, { "align", "cpu-frames" }, { "move",
			"cpu-resample" }, { "motion", "cpu-windows" }, { "deform", "cpu-deform" } }) {
			final CommandModule plan = run(ReportPlanCommand.class, "operation", each[0], "image", "300x200", "frames", 4);
			assertFalse(plan.isCanceled(), plan.getCancelReason());
			final ResultsTable table = ResultsTable.getResultsTable();
			final List<String> methods = IntStream.range(0, table.size()).mapToObj(i -> table.getStringValue("Method", i)).toList();
			assertTrue(methods.contains(each[1]), each[0] + ": " + methods);
			assertTrue(table.getStringValue("Why", 0).startsWith("selected"));
		}
		final double few = predicted("rotate", "poses", 10), many = predicted("rotate", "poses", 1000), cubic = predicted("move", "interpolation", "cubic"),
			fourier = predicted("move", "interpolation", "fourier"), deformed = predicted("move", "deformed", true);
		assertTrue(few < many, few + " and " + many);
		assertTrue(cubic < fourier, cubic + " and " + fourier);
		assertTrue(cubic < deformed, cubic + " and " + deformed);
		assertTrue(predicted("correlate", "responsetype", "8-bit") < predicted("correlate", "responsetype", "float"));
	}

	/** Recorded macros have the defaults of all keys, so these are no mistake. */
	@ParameterizedTest
	@CsvSource({ "correlate, poses, 9", "convolve, interpolation, linear", "rotate, extent, full", "rotate, map, true", "align, template, 9x9", "align, poses, 9",
		"align, map, true", "align, deformed, true", "convolve, responsetype, 8-bit",
		"move, precision, double", "move, template, 9x9", "motion, poses, 9", "deform, extent, full" })
	void planRefusesKeysOfOtherOperations(final String operation, final String key, final String value) throws Exception {
		final Object typed = key.equals("poses") ? (Object) Integer.valueOf(value) : key.equals("map") || key.equals("deformed")
			? (Object) Boolean.valueOf(value) : value;
		final String reason = run(ReportPlanCommand.class, "operation", operation, "image", "300x200", key, typed).getCancelReason();
		assertTrue(reason != null && reason.startsWith(key + " needs operation=") && reason.endsWith(", and the operation is " + operation + ": leave " + key
			+ " out, or change the operation"), reason);
		final CommandModule defaults = run(ReportPlanCommand.class, "operation", operation, "image", "300x200", "template", "32x32", "poses", 360,
			"interpolation", "cubic", "extent", "valid", "precision", "single", "map", false);
		assertFalse(defaults.isCanceled(), defaults.getCancelReason());
	}

	/** 0 is the smallest number of frames of an operation. The command line refuses the same numbers: see {@code PlanSubcommandTest}. */
	@ParameterizedTest
	@CsvSource({ "correlate, 1", "rotate, 1", "move, 1", "align, 2", "motion, 2", "deform, 2" })
	void planHasTheSmallestNumberOfFrames(final String operation, final int smallest) throws Exception {
		assertEquals(predicted(operation, "frames", smallest), predicted(operation, "frames", 0));
		final String reason = run(ReportPlanCommand.class, "operation", operation, "image", "300x200", "frames", 1).getCancelReason();
		assertEquals(smallest == 1 ? null : "frames=1: operation=" + operation + " needs at least 2", reason);
	}

	/** A dialog has the values of the last one, also of settings that the operation does not have. */
	@Test
	void planForgetsWhatTheDialogOfAnotherOperationHad() throws Exception {
		final CommandModule module = new CommandModule(new CommandInfo(ReportPlanCommand.class));
		Map.of("operation", "move", "template", "64x64", "poses", 9, "interpolation", "linear", "map", true).forEach(module::setInput);
		((ReportPlanCommand) module.getCommand()).answered(module);
		assertEquals(List.of("32x32", 360, "linear", false), Stream.of("template", "poses", "interpolation", "map").map(module::getInput).toList());
	}

	private double predicted(final String operation, final String key, final Object value) throws Exception {
		assertFalse(run(ReportPlanCommand.class, "operation", operation, "image", "300x200", key, value).isCanceled());
		return Double.parseDouble(ResultsTable.getResultsTable().getStringValue("Predicted (ms)", 0));
	}

	@Test
	void aWrongSizeIsReported() throws Exception {
		assertEquals(MacroCase.BAD_SIZE_MESSAGE, run(ReportPlanCommand.class, "image", MacroCase.BAD_SIZE).getCancelReason());
	}

	@Test
	void theSampleOpens() throws Exception {
		Interpreter.batchMode = true; // without it, a window opens
		try {
			assertFalse(run(CoinsSampleCommand.class).isCanceled());
			assertEquals(List.of("coins.png"), List.of(WindowManager.getImageTitles()));
		}
		finally {
			for (final int id : WindowManager.getIDList()) Interpreter.removeBatchModeImage(WindowManager.getImage(id));
			Interpreter.batchMode = false;
		}
	}

	private static List<CommandInfo> ours() {
		final List<CommandInfo> ours = commands.getCommands().stream()
			.filter(command -> command.getClassName().startsWith("sc.fiji.ncc.command.")).collect(Collectors.toList());
		assertFalse(ours.isEmpty());
		return ours;
	}

	private static CommandModule run(final Object... inputs) throws Exception {
		return run(NormalizedCrossCorrelationCommand.class, inputs);
	}

	private static String reason(final Object... inputs) throws Exception {
		final CommandModule module = run(inputs);
		assertTrue(module.isCanceled());
		assertNull(module.getOutput("output"));
		return module.getCancelReason();
	}

	private static double[] ramp(final int length) {
		final double[] values = new double[length];
		for (int i = 0; i < length; i++) values[i] = i % 1013;
		return values;
	}

	/** Memory is in megabytes. 0 is all of it, and all processors. */
	@Test
	void whatACommandMayUse() throws Exception {
		final CommandModule module = new CommandModule(new CommandInfo(ReportPlanCommand.class));
		final ReportPlanCommand command = (ReportPlanCommand) module.getCommand();
		assertEquals(ComputeOptions.DEFAULT.memory(), command.computing("single", "auto").memory());
		assertEquals(ComputeOptions.DEFAULT.threads(), command.computing("single", "auto").threads());
		module.setInput("memory", 7);
		module.setInput("threads", 3);
		assertEquals(7_000_000, command.computing("single", "auto").memory());
		assertEquals(3, command.computing("single", "auto").threads());
	}
}
