package sc.fiji.ncc.command;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

import net.imglib2.img.Img;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.type.numeric.integer.UnsignedByteType;
import net.imglib2.type.numeric.real.FloatType;
import net.imglib2.type.numeric.real.DoubleType;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.scijava.Context;
import org.scijava.ItemIO;
import org.scijava.command.CommandInfo;
import org.scijava.command.CommandModule;
import org.scijava.command.CommandService;
import org.scijava.event.EventHandler;
import org.scijava.event.EventService;
import org.scijava.module.ModuleItem;
import org.scijava.task.event.TaskEvent;

import ij.WindowManager;
import ij.macro.Interpreter;
import ij.measure.ResultsTable;

import sc.fiji.ncc.Match;

/** The commands as SciJava runs them. */
class CommandInSciJavaTest {

	@TempDir
	static Path preferences;

	private static Context context;
	private static CommandService commands;

	@BeforeAll
	static void start() {
		// what SciJava keeps of a run shall not reach the user's own preferences
		System.setProperty("java.util.prefs.userRoot", preferences.toString());
		System.setProperty("java.awt.headless", "true");
		context = new Context();
		commands = context.service(CommandService.class);
	}

	@AfterAll
	static void stop() {
		context.dispose();
	}

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
		final Img<?> image = noise(12, 12), template = cut(image, 1, 2, 5, 5);
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
	void coloursAreRefusedInWords() throws Exception {
		final String reason = reason("image", noise(9, 9), "template", ArrayImgs.argbs(3, 3));
		assertTrue(reason.startsWith("The template 'image' is an RGB image") && reason.contains("Image > Type > 8-bit"), reason);
	}

	@Test
	void aMissingTemplateIsSaid() throws Exception {
		final String reason = reason("image", noise(9, 9));
		assertTrue(reason.startsWith("The template is missing"), reason);
	}

	@Test
	void aChoiceThatIsNoneIsNamed() throws Exception {
		final Img<?> image = noise(9, 9), template = cut(image, 0, 0, 3, 3);
		assertEquals("There is no border 'miror'. There are: undefined, mirror, edge, constant, overlap.",
			reason("image", image, "template", template, "extent", "same", "border", "miror"));
		assertEquals("There is no undefined 'x'. There are: 0, nan.", reason("image", image, "template", template, "undefined", "x"));
	}

	@Test
	void theTaskWindowStopsItWithinASecond() throws Exception {
		final AtomicLong canceled = new AtomicLong();
		final Object xOfTheTaskWindow = new Object() {

			@EventHandler
			private void onEvent(final TaskEvent event) {
				if (event.getTask().getProgressValue() == 0 || event.getTask().isDone() || event.getTask().isCanceled()) return;
				canceled.set(System.nanoTime());
				event.getTask().cancel("");
			}
		};
		context.service(EventService.class).subscribe(xOfTheTaskWindow);
		final CommandModule module = run("image", ArrayImgs.doubles(ramp(4000 * 4000), 4000, 4000), "template", noise(200, 200), "threads", 1);
		assertTrue(module.isCanceled());
		assertEquals("", module.getCancelReason());
		assertNull(module.getOutput("output"));
		assertTrue(canceled.get() != 0 && System.nanoTime() - canceled.get() < 1_000_000_000L);
	}

	@Test
	void aKeyIsTheFirstWordOfItsLabel() {
		for (final CommandInfo command : ours())
			for (final ModuleItem<?> input : command.inputs())
				if (Keys.isChosen(input))
					assertEquals(input.getName(), input.getLabel().split(" ")[0].toLowerCase(Locale.ROOT), command.getTitle());
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
			final String page = ((NccCommand) command.createModule().getDelegateObject()).helpPage();
			final String[] parts = page.substring(page.lastIndexOf('/') + 1).split("#");
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

	@Test
	void matchesAreFoundAndGivenToScripts() throws Exception {
		final Img<?> image = noise(30, 20);
		final CommandModule module = commands.run(FindMatchesCommand.class, true, "image", image, "template", cut(image, 7, 5, 6, 4), "score", 0.9).get();
		assertFalse(module.isCanceled(), module.getCancelReason());
		final List<?> matches = (List<?>) module.getOutput("matches");
		assertEquals(1, matches.size());
		assertArrayEquals(new long[] { 7, 5 }, ((Match) matches.get(0)).position());
		final ResultsTable table = ResultsTable.getResultsTable();
		assertEquals(1, table.size());
		assertEquals(7 + 6 / 2.0, table.getValue("CenterX", 0));
	}

	@Test
	void aWildcardWithoutImagesIsSaid() throws Exception {
		final CommandModule module = commands.run(FindMatchesCommand.class, true, "image", noise(30, 20), "templates", "coin*").get();
		assertEquals("No open image is called 'coin*'. No image is open.", module.getCancelReason());
	}

	@Test
	void planAndDevicesFillATable() throws Exception {
		final CommandModule plan = commands.run(PlanCommand.class, true, "size", "300x200", "template", "9x9").get();
		assertFalse(plan.isCanceled(), plan.getCancelReason());
		assertTrue(ResultsTable.getResultsTable().getStringValue("Method", 0).startsWith("c"));
		assertTrue(ResultsTable.getResultsTable().getStringValue("Why", 0).startsWith("taken"));
		final CommandModule devices = commands.run(DevicesCommand.class, true).get();
		assertFalse(devices.isCanceled(), devices.getCancelReason());
		assertEquals("ready", ResultsTable.getResultsTable().getStringValue("State", 0));
	}

	@Test
	void aSizeThatIsNoneIsSaid() throws Exception {
		assertEquals("size=300 by 200 is no size: give whole pixels above 0, as in 2000x1500 or 512x512x40.",
			commands.run(PlanCommand.class, true, "size", "300 by 200").get().getCancelReason());
	}

	@Test
	void theSampleOpens() throws Exception {
		Interpreter.batchMode = true; // else it would open a window
		try {
			assertFalse(commands.run(CoinsSampleCommand.class, true).get().isCanceled());
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

	private static CommandModule run(final Object... inputs) throws InterruptedException, ExecutionException {
		return commands.run(NormalizedCrossCorrelationCommand.class, true, inputs).get();
	}

	private static String reason(final Object... inputs) throws InterruptedException, ExecutionException {
		final CommandModule module = run(inputs);
		assertTrue(module.isCanceled());
		assertNull(module.getOutput("output"));
		return module.getCancelReason();
	}

	private static Img<UnsignedByteType> noise(final int width, final int height) {
		final byte[] pixels = new byte[width * height];
		new Random(3).nextBytes(pixels);
		return ArrayImgs.unsignedBytes(pixels, width, height);
	}

	private static double[] ramp(final int length) {
		final double[] values = new double[length];
		for (int i = 0; i < length; i++) values[i] = i % 1013;
		return values;
	}

	private static Img<DoubleType> cut(final Img<?> image, final int x, final int y, final int width, final int height) {
		final Img<DoubleType> cut = ArrayImgs.doubles(width, height);
		for (int j = 0; j < height; j++)
			for (int i = 0; i < width; i++) cut.getAt(i, j).set(((UnsignedByteType) image.getAt(x + i, y + j)).get());
		return cut;
	}
}
