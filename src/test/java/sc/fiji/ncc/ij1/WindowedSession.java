package sc.fiji.ncc.ij1;

import java.awt.Dialog;
import java.awt.Frame;
import java.awt.event.KeyEvent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import ij.IJ;
import ij.ImageJ;
import ij.ImagePlus;
import ij.ImageStack;
import ij.WindowManager;
import ij.gui.OvalRoi;
import ij.gui.Roi;
import ij.measure.ResultsTable;
import ij.plugin.frame.Recorder;
import ij.plugin.frame.RoiManager;
import ij.process.FloatProcessor;
import ij.process.ImageProcessor;

import sc.fiji.ncc.command.program.FrontEnd;

/** A user session in plain ImageJ. Prints a line for each step. */
final class WindowedSession {

	private static final String CORRELATE = "Normalized Cross-Correlation", FIND = "Find Matches", TRACK = "Track Templates", CONVOLVE = "Convolve Image", PLAN = "Plan";
	private static final int FRAMES = 25;

	private final Screen screen;
	/** The folder of two tiles. */
	private Path tiles;

	private WindowedSession(final Screen screen) {
		this.screen = screen;
	}

	/** @param args the folder for pictures */
	public static void main(final String[] args) throws Exception {
		Screen.session(args[0], screen -> new WindowedSession(screen).work());
	}

	private void work() throws Exception {
		Screen.say("menu", Screen.labels("Plugins", "NCC"));
		withoutAnImage();
		Screen.choose("File", "Open Samples", "NCC Coins");
		final ImagePlus coins = Screen.await("coins", () -> WindowManager.getImage("coins.png"));
		Screen.await("window", () -> coins.getWindow() != null && coins.getWindow().isShowing());
		// ImageJ makes the calibration when it first paints the window
		Screen.pause(700);
		coins.getCalibration().setUnit("mm");
		coins.getCalibration().pixelWidth = coins.getCalibration().pixelHeight = 0.1;
		beforeDialogs(coins);
		coins.setRoi(new Roi(274, 235, 56, 56));
		coins.repaintWindow();
		new Recorder();
		find(coins);
		correlate(coins);
		convolve(coins);
		track(coins);
		Screen.say("recorded", Recorder.getInstance().getText().lines().filter(line -> line.startsWith("run(\"Norm") || line.startsWith("run(\"Find")).toList());
		replay();
		plan();
		devices();
		rowsInMacros(coins);
		smallMap();
		afterAnError();
		misspelt();
		keptMeasurements(coins);
		advancedOfRotated(coins);
		regionsInBatchMode();
		escape();
	}

	/** The advanced dialog has no fields that the command refuses. */
	private void advancedOfRotated(final ImagePlus coins) {
		activate(coins);
		coins.setRoi(new Roi(30, 30, 40, 40));
		Screen.choose("Plugins", "NCC", "Find Rotated Matches...");
		final Dialog dialog = Screen.dialog("Find Rotated Matches");
		final Dialog advanced = Screen.advanced(dialog);
		Screen.say("advanced of rotated", Screen.fields(advanced));
		Screen.accept(advanced);
		Screen.press(dialog, "Cancel");
	}

	/** ImageJ's results table holds measurements. They stay, and ImageJ does not ask whether to save them. */
	private void keptMeasurements(final ImagePlus coins) {
		ResultsTable.getResultsTable().reset();
		activate(coins);
		IJ.run(coins, "Measure", "");
		Screen.choose("Plugins", "NCC", "Find Matches...");
		Screen.press(Screen.dialog(FIND), "OK");
		Screen.await("matches", () -> matches() != null && matches().size() > 10);
		final ResultsTable measured = ResultsTable.getResultsTable();
		Screen.say("kept", measured.size() + " " + measured.columnExists("Score") + " " + (matches().size() > 10));
	}

	/** The table of the matches; null if it is not open. */
	private static ResultsTable matches() {
		return ResultsTable.getResultsTable(FrontEnd.MATCHES);
	}

	private void withoutAnImage() throws Exception {
		Screen.choose("Plugins", "NCC", "Find Matches...");
		final Dialog message = Screen.dialog("NCC");
		screen.photograph(message, "no-image");
		Screen.press(message, "OK");
		Screen.say("no image", "said");
	}

	/** Messages in place of a dialog if an image is missing, and the images that a dialog proposes without a selection. */
	private void beforeDialogs(final ImagePlus coins) {
		coins.killRoi();
		Screen.say("no template", refused("Find Matches..."));
		Screen.say("no kernel", refused("Convolve Image..."));
		Screen.say("no stack", refused("Track Templates..."));
		final ImagePlus part = new ImagePlus("part", coins.getProcessor().crop().resize(50)), larger = IJ.createImage("larger", "8-bit ramp", 900, 800, 1);
		larger.show();
		part.show();
		activate(coins);
		Screen.choose("Plugins", "NCC", "Find Matches...");
		final Dialog dialog = Screen.dialog(FIND);
		Screen.say("proposed without a selection", Screen.read(dialog, "Image") + ", " + Screen.read(dialog, "Template"));
		Screen.press(dialog, "Cancel");
		part.close();
		larger.close();
		WindowManager.setCurrentWindow(coins.getWindow());
	}

	/** Waits until earlier windows have become active, then activates an image. */
	private static void activate(final ImagePlus image) {
		Screen.pause(700);
		WindowManager.setCurrentWindow(image.getWindow());
	}

	private static String refused(final String command) {
		Screen.choose("Plugins", "NCC", command);
		final Dialog message = Screen.dialog("NCC");
		final String text = IJ.getErrorMessage().replace('\n', ' ');
		Screen.press(message, "OK");
		Screen.await("end of the message", () -> !message.isShowing());
		return text;
	}

	private void find(final ImagePlus coins) throws Exception {
		Screen.choose("Plugins", "NCC", "Find Matches...");
		final Dialog dialog = Screen.dialog(FIND);
		Screen.say("proposed", Screen.read(dialog, "Image") + ", " + Screen.read(dialog, "Template") + ", " + Screen.read(dialog, "Minimum score"));
		Screen.fill(dialog, "Minimum score", "0.55");
		Screen.fill(dialog, "Maximum overlap", "0.3");
		Screen.fill(dialog, "Add boxes", "true");
		screen.photograph(dialog, "find-matches");
		Screen.press(dialog, "OK");
		Screen.await("matches", () -> matches() != null && matches().size() > 0);
		Screen.await("overlay", () -> coins.getOverlay() != null && RoiManager.getInstance() != null && RoiManager.getInstance().getCount() > 0);
		final ResultsTable table = matches();
		Screen.say("found", table.size() + " " + table.getValue("Score", 0) + " " + table.getValue("CalibratedX", 0) + " " + table.getStringValue("Unit", 0));
		Screen.say("boxes", coins.getOverlay().size() + " " + RoiManager.getInstance().getCount());
		screen.photograph(coins.getWindow(), "matches");
		final Frame results = WindowManager.getFrame(FrontEnd.MATCHES);
		Screen.say("table", coins.getWindow().getBounds().intersects(results.getBounds()) ? "over the image" : "beside the image");
		results.setSize(900, 260);
		screen.photograph(results, "results");
		RoiManager.getInstance().close();
	}

	private void correlate(final ImagePlus coins) throws Exception {
		WindowManager.setCurrentWindow(coins.getWindow());
		Screen.choose("Plugins", "NCC", "Normalized Cross-Correlation...");
		final Dialog dialog = Screen.dialog(CORRELATE);
		Screen.fill(dialog, "Extent", "same");
		Screen.fill(dialog, "Border", "mirror");
		screen.photograph(dialog, "correlate");
		Screen.press(dialog, "OK");
		final ImagePlus map = Screen.await("map", () -> WindowManager.getImage("NCC of coins.png"));
		Screen.await("window", () -> map.getWindow() != null && map.getWindow().isShowing());
		Screen.say("map", map.getWidth() + " " + map.getHeight() + " " + Math.round(1e5 * map.getProcessor().getf(302, 263)) + " " + map.getDisplayRangeMin() + " "
			+ map.getDisplayRangeMax() + " " + map.getCalibration().getUnit() + " " + map.getProp("NCC.extent"));
		screen.photograph(map.getWindow(), "map");
		map.close();
	}

	private void convolve(final ImagePlus coins) throws Exception {
		final ImagePlus kernel = new ImagePlus("edges", new FloatProcessor(3, 3, new float[] { 1, 0, -1, 2, 0, -2, 1, 0, -1 }));
		kernel.show();
		activate(coins);
		Screen.choose("Plugins", "NCC", "Convolve Image...");
		final Dialog dialog = Screen.dialog(CONVOLVE);
		Screen.say("proposed to convolve", Screen.read(dialog, "Image") + ", " + Screen.read(dialog, "Kernel") + ", " + Screen.read(dialog, "Extent") + ", " + Screen.read(dialog, "Border"));
		Screen.fill(dialog, "Image", "coins.png");
		Screen.fill(dialog, "Kernel", "edges");
		Screen.fill(dialog, "Border", "mirror");
		screen.photograph(dialog, "convolve");
		Screen.press(dialog, "OK");
		final ImagePlus result = Screen.await("convolved image", () -> WindowManager.getImage("Convolution of coins.png"));
		Screen.await("window", () -> result.getWindow() != null && result.getWindow().isShowing());
		boolean right = true;
		for (int y = 1; y < 302; y++)
			for (int x = 1; x < 383; x++) {
				double sum = 0;
				for (int j = 0; j < 9; j++) sum += kernel.getProcessor().getf(j) * coins.getProcessor().getf(x - j % 3 + 1, y - j / 3 + 1);
				right &= Math.abs(sum - result.getProcessor().getf(x, y)) < 1e-2;
			}
		Screen.say("convolved", result.getWidth() + " " + result.getHeight() + " " + result.getBitDepth() + " " + result.getCalibration().getUnit() + " " + right);
		screen.photograph(result.getWindow(), "convolved");
		result.close();
		kernel.changes = false;
		kernel.close();
	}

	/** Tracks coins that move along an ellipse. */
	private void track(final ImagePlus coins) throws Exception {
		final ImageStack frames = new ImageStack(200, 160);
		for (int f = 0; f < FRAMES; f++) {
			final ImageProcessor scene = coins.getProcessor().duplicate();
			scene.setRoi(90 - right(f), 90 - down(f), 200, 160);
			frames.addSlice(scene.crop());
		}
		final ImagePlus stack = new ImagePlus("moving coins", frames);
		stack.setDimensions(1, 1, FRAMES);
		stack.setCalibration(coins.getCalibration().copy());
		stack.getCalibration().frameInterval = 0.2;
		stack.show();
		stack.setSlice(1);
		final RoiManager manager = RoiManager.getRoiManager();
		final Roi left = new OvalRoi(41, 86, 46, 46), right = new Roi(96, 78, 52, 52);
		left.setName("left");
		right.setName("right");
		manager.addRoi(left);
		manager.addRoi(right);
		WindowManager.setCurrentWindow(stack.getWindow());
		Screen.choose("Plugins", "NCC", "Track Templates...");
		final Dialog dialog = Screen.dialog(TRACK);
		Screen.say("proposed to track", Screen.read(dialog, "Image") + ", " + Screen.read(dialog, "Templates") + ", " + Screen.read(dialog, "Maximum shift"));
		Screen.fill(dialog, "Maximum shift", "6,4");
		screen.photograph(dialog, "track-templates");
		Screen.press(dialog, "OK");
		final ImagePlus plot = Screen.await("plot", () -> WindowManager.getImage("Motion of moving coins"));
		Screen.await("window", () -> plot.getWindow() != null && plot.getWindow().isShowing());
		final ResultsTable table = ResultsTable.getResultsTable(FrontEnd.TRACKS);
		double worst = 0;
		for (int row = 0; row < table.size(); row++) {
			final int f = row % FRAMES;
			worst = Math.max(worst, Math.max(Math.abs(10 * table.getValue("MotionX", row) - right(f)), Math.abs(10 * table.getValue("MotionY", row) - down(f))));
		}
		Screen.say("tracked", table.size() + " " + stack.getOverlay().size() + " " + table.getStringValue("Template", FRAMES) + " " + (worst < 0.2));
		plot.getWindow().setLocation(20, 150);
		screen.photograph(plot.getWindow(), "motion");
		plot.close();
		stack.setSlice(FRAMES / 3);
		stack.killRoi();
		IJ.run(stack, "In [+]", "");
		screen.photograph(stack.getWindow(), "tracks");
		final String line = Recorder.getInstance().getText().lines().filter(l -> l.startsWith("run(\"Track")).findFirst().orElseThrow();
		Screen.say("recorded to track", line);
		ResultsTable.getResultsTable().reset();
		Screen.say("tracked again", IJ.runMacro(line + " return \"\" + nResults;"));
		manager.close();
		stack.changes = false;
		stack.close();
	}

	private static int right(final int frame) {
		return (int) Math.round(20 * Math.sin(2 * Math.PI * frame / (FRAMES - 1)));
	}

	private static int down(final int frame) {
		return (int) Math.round(10 * (1 - Math.cos(2 * Math.PI * frame / (FRAMES - 1))));
	}

	/** A recorded macro gives the same result, although the dialog remembers other values. */
	private void replay() {
		final String find = Recorder.getInstance().getText().lines().filter(line -> line.startsWith("run(\"Find")).findFirst().orElseThrow();
		Recorder.getInstance().close();
		ResultsTable.getResultsTable().reset();
		Screen.say("replayed", IJ.runMacro(find + " return \"\" + nResults;"));
		Screen.say("left out", IJ.runMacro("run('Find Matches...', 'image=coins.png maxmatches=3'); return \"\" + nResults;"));
	}

	/** A macro replaces the rows of its earlier command without a question, also after a command that reads files, which ends ImageJ's macro mode. */
	private void rowsInMacros(final ImagePlus coins) throws Exception {
		tiles = Files.createTempDirectory("tiles");
		for (int i = 0; i < 2; i++) {
			coins.setRoi(i * 120, 0, 240, 300);
			IJ.saveAsTiff(coins.crop(), tiles.resolve(i + ".tif").toString());
		}
		coins.killRoi();
		final CompletableFuture<String> rows = CompletableFuture.supplyAsync(() ->
			IJ.runMacro("selectImage('coins.png'); makeRectangle(274, 235, 56, 56); run('Find Matches...', "
			+ "'image=coins.png maxmatches=3'); run('Stitch Tiles...', 'folder=[" + tiles + "] grid=2x1 overlap=120'); return '' + nResults;"));
		try {
			Screen.say("rows in macros", rows.get(60, TimeUnit.SECONDS));
		}
		catch (final TimeoutException e) {
			throw new IllegalStateException("the macro waits; open dialogs: " + Screen.dialogs(), e);
		}
		closeStitched();
		activate(coins);
	}

	/** In batch mode a macro has a ROI Manager without a window. */
	private static void regionsInBatchMode() {
		if (RoiManager.getInstance() != null) RoiManager.getInstance().close();
		Screen.say("regions in batch mode", CompletableFuture.supplyAsync(() ->
			IJ.runMacro("setBatchMode(true); selectImage('coins.png'); makeRectangle(274, 235, 56, 56); "
			+ "run('Find Matches...', 'image=coins.png maxmatches=3 addrois'); return '' + nResults + ' ' + roiManager('count');")).join()
			+ " " + (RoiManager.getInstance() == null));
	}

	private static void closeStitched() {
		for (final String title : WindowManager.getImageTitles()) if (title.startsWith("Mosaic of ")
			|| title.startsWith("Links of ")) WindowManager.getImage(title).close();
	}

	/** A map of few pixels is enlarged. */
	private void smallMap() {
		Screen.say("small map", IJ.runMacro("run('Normalized Cross-Correlation...', 'image=coins.png template=coins.png search=270,230,12,9');"
			+ "selectImage('NCC of coins.png'); size = '' + getWidth() + ' ' + getHeight() + ' '; large = getZoom() * getWidth() > 100; close(); return "
			+ "size + large;"));
	}

	/** The dialog opens with the values of the run that failed, until one has succeeded. */
	private void afterAnError() {
		Screen.choose("Plugins", "NCC", "Stitch Tiles...");
		final Dialog first = Screen.dialog("Stitch Tiles");
		Screen.fill(first, "Folder", "no folder");
		Screen.fill(first, "Grid", "2x1");
		Screen.press(first, "OK");
		final Dialog message = Screen.dialog("NCC");
		Screen.press(message, "OK");
		Screen.await("end of the message", () -> !message.isShowing());
		Screen.choose("Plugins", "NCC", "Stitch Tiles...");
		final Dialog second = Screen.dialog("Stitch Tiles");
		Screen.say("after an error", layout(second));
		Screen.fill(second, "Folder", tiles.toString());
		Screen.fill(second, "Overlap", "120");
		Screen.press(second, "OK");
		Screen.await("mosaic", () -> Arrays.stream(WindowManager.getImageTitles()).anyMatch(title -> title.startsWith("Mosaic of ")));
		Screen.await("end of the command",
			() -> Thread.getAllStackTraces().keySet().stream().noneMatch(t -> t.getName().startsWith("Stitch Tiles")));
		Screen.say("summary", ImageJ.getStatusBarText());
		closeStitched();
		Screen.choose("Plugins", "NCC", "Stitch Tiles...");
		final Dialog third = Screen.dialog("Stitch Tiles");
		Screen.say("after success", layout(third));
		Screen.press(third, "Cancel");
	}

	private static String layout(final Dialog dialog) {
		return Screen.read(dialog, "Folder") + ", " + Screen.read(dialog, "Grid") + ", " + Screen.read(dialog, "Overlap");
	}

	private void plan() throws Exception {
		Screen.choose("Plugins", "NCC", "Plan...");
		final Dialog dialog = Screen.dialog(PLAN);
		Screen.fill(dialog, "Image size", "1000x800");
		Screen.fill(dialog, "Map", "true");
		screen.photograph(dialog, "plan");
		Screen.press(dialog, "OK");
		final Frame table = Screen.await("plan", () -> WindowManager.getFrame("NCC Plan"));
		final ImagePlus map = Screen.await("planner map", () -> WindowManager.getImage("NCC Planner Map"));
		Screen.await("window", () -> map.getWindow() != null && map.getWindow().isShowing());
		screen.photograph(map.getWindow(), "planner-map");
		screen.photograph(table, "plan-table");
		Screen.say("plan", ResultsTable.getResultsTable("NCC Plan").getStringValue("Method", 0) + " " + ResultsTable.getResultsTable().size());
		map.close();
		Screen.choose("Plugins", "NCC", "Plan...");
		final Dialog again = Screen.dialog(PLAN);
		final Dialog advanced = Screen.advanced(again);
		Screen.say("remembered", Screen.read(again, "Image size") + " " + Screen.read(again, "Map") + " " + Screen.read(advanced, "Clear"));
		Screen.accept(advanced);
		// the map that the last dialog asked for is none of align
		Screen.fill(again, "Operation", "align");
		Screen.press(again, "OK");
		Screen.await("plan of a drift", () -> ResultsTable.getResultsTable("NCC Plan").getStringValue("Method", 0).startsWith("cpu-frames"));
	}

	private void devices() throws Exception {
		Screen.choose("Plugins", "NCC", "Devices...");
		final Frame table = Screen.await("devices", () -> WindowManager.getFrame("NCC Devices"));
		screen.photograph(table, "devices");
		Screen.say("devices", ResultsTable.getResultsTable("NCC Devices").getStringValue("Backend", 0));
	}

	/** ImageJ shows the error of a macro in a window. No dialog of a command opens. */
	private void misspelt() throws Exception {
		final Thread macro = new Thread(() -> IJ.runMacro("run('Find Matches...', 'image=coins.png template=coin.png');"));
		macro.start();
		final Dialog message = Screen.dialog("Macro Error");
		screen.photograph(message, "misspelt");
		Screen.say("misspelt", Screen.dialogs());
		Screen.press(message, "OK");
		macro.join();
	}

	private void escape() throws Exception {
		final ImagePlus large = IJ.createImage("large", "32-bit noise", 5000, 5000, 1);
		large.show();
		large.setRoi(new Roi(100, 100, 120, 120));
		final List<String> before = Arrays.asList(WindowManager.getImageTitles());
		Screen.choose("Plugins", "NCC", "Normalized Cross-Correlation...");
		final Dialog dialog = Screen.dialog(CORRELATE);
		// a slow algorithm, so that there is time to cancel it
		final Dialog advanced = Screen.advanced(dialog);
		Screen.fill(advanced, "Algorithm", "cpu-direct");
		screen.photograph(advanced, "advanced");
		Screen.accept(advanced);
		final Thread work = Thread.getAllStackTraces().keySet().stream().filter(t -> t.getName().startsWith(CORRELATE)).findFirst().orElseThrow();
		Screen.press(dialog, "OK");
		Screen.await("word of how long it takes", () -> ImageJ.getStatusBarText().contains(" left") || !work.isAlive());
		screen.photograph(IJ.getInstance(), "progress");
		Screen.say("status", ImageJ.getStatusBarText() + ", " + work.isAlive());
		IJ.getInstance().keyPressed(new KeyEvent(IJ.getInstance(), KeyEvent.KEY_PRESSED, 0, 0, KeyEvent.VK_ESCAPE, KeyEvent.CHAR_UNDEFINED));
		// the whole run would take some minutes
		work.join(60_000);
		Screen.say("escaped", !work.isAlive());
		Screen.say("left behind", Arrays.asList(WindowManager.getImageTitles()).equals(before) && Screen.dialogs().isEmpty() ? "nothing" : Screen.dialogs());
	}
}
