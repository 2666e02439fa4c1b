package sc.fiji.ncc.ij1;

import java.awt.Component;
import java.awt.Dialog;
import java.awt.Frame;
import java.awt.Rectangle;
import java.awt.Window;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.Stream;

import ij.ImageJ;
import ij.ImagePlus;
import ij.WindowManager;
import ij.gui.ImageCanvas;
import ij.gui.OvalRoi;
import ij.gui.Overlay;
import ij.gui.Roi;
import ij.measure.ResultsTable;
import ij.plugin.frame.Recorder;
import ij.process.ByteProcessor;
import ij.text.TextPanel;
import ij.text.TextWindow;

import sc.fiji.ncc.command.program.FrontEnd;

/** A user session with the preview of Find Matches in plain ImageJ. Prints a line for each step. */
final class PreviewSession {

	private static final String FIND = "Find Matches", GRAPH = "Scores of ";
	private static final int SIDE = 2000;

	private final Screen screen;

	private PreviewSession(final Screen screen) {
		this.screen = screen;
	}

	/** @param args the folder for pictures */
	public static void main(final String[] args) throws Exception {
		Screen.session(args[0], screen -> new PreviewSession(screen).work());
	}

	private void work() throws Exception {
		Screen.choose("File", "Open Samples", "NCC Coins");
		final ImagePlus coins = Screen.await("coins", () -> WindowManager.getImage("coins.png"));
		Screen.await("window", () -> coins.getWindow() != null && coins.getWindow().isShowing());
		coins.setRoi(new Roi(274, 235, 56, 56));
		final Overlay own = new Overlay(new OvalRoi(5, 5, 20, 20));
		coins.setOverlay(own);
		cancel(coins, own);
		accept(coins, own);
		rowsAndBoxes(coins);
		large();
	}

	private static long boxes(final ImagePlus imp) {
		return imp.getOverlay() == null ? 0 : Arrays.stream(imp.getOverlay().toArray()).filter(roi -> roi.getProperty("ncc") != null).count();
	}

	private static boolean isGraphShown(final ImagePlus imp) {
		return graphs(imp).findAny().isPresent();
	}

	private static Stream<Window> graphs(final ImagePlus imp) {
		return Arrays.stream(Window.getWindows()).filter(w -> w instanceof Frame && w.isShowing() && ((Frame) w).getTitle().equals(GRAPH + imp.getTitle()));
	}

	private static Dialog open() {
		Screen.choose("Plugins", "NCC", "Find Matches...");
		return Screen.dialog(FIND);
	}

	/** Changes a field, and waits until the boxes follow. */
	private static long change(final Dialog dialog, final ImagePlus imp, final String label, final String value) {
		final Overlay before = imp.getOverlay();
		Screen.fill(dialog, label, value);
		Screen.await("boxes for " + label + " " + value, () -> imp.getOverlay() != before);
		return boxes(imp);
	}

	private void cancel(final ImagePlus coins, final Overlay own) throws Exception {
		final String images = Arrays.toString(WindowManager.getImageTitles());
		final Dialog dialog = open();
		Screen.fill(dialog, "Minimum score", "0.55");
		Screen.fill(dialog, "Preview", "true");
		Screen.await("boxes", () -> boxes(coins) > 0);
		Screen.await("graph", () -> isGraphShown(coins));
		Screen.say("boxes", boxes(coins) + " " + coins.getOverlay().size());
		Screen.say("higher score", change(dialog, coins, "Minimum score", "0.8"));
		Screen.say("lower score", change(dialog, coins, "Minimum score", "0.05"));
		Screen.say("three", change(dialog, coins, "Maximum number", "3"));
		final Dialog advanced = Screen.advanced(dialog);
		Screen.say("total", change(advanced, coins, "Total number", "2"));
		Screen.fill(dialog, "Minimum score", "0.");
		Screen.fill(dialog, "Minimum score", "?");
		Screen.await("message", () -> ImageJ.getStatusBarText().contains("minscore=? is not a number"));
		Screen.fill(dialog, "Maximum number", "0");
		Screen.fill(advanced, "Total number", "0");
		Screen.accept(advanced);
		Screen.say("auto", change(dialog, coins, "Minimum score", "auto"));
		Screen.await("text", () -> ImageJ.getStatusBarText().contains("minimum score"));
		Screen.say("status", ImageJ.getStatusBarText());
		Screen.pause(500);
		final Rectangle graph = graphs(coins).findFirst().orElseThrow().getBounds();
		Screen.say("places", graph.intersects(dialog.getBounds()) + " " + graph.intersects(coins.getWindow().getBounds()) + " "
			+ dialog.getBounds().intersects(coins.getWindow().getBounds()));
		screen.photograph("preview");
		Screen.fill(dialog, "Preview", "false");
		Screen.await("end of preview", () -> coins.getOverlay() == own && !isGraphShown(coins));
		Screen.fill(dialog, "Preview", "true");
		Screen.await("boxes", () -> boxes(coins) > 0);
		Screen.press(dialog, "Cancel");
		Screen.await("end of preview", () -> coins.getOverlay() == own && !isGraphShown(coins));
		Screen.say("canceled", own.size() + " " + coins.getRoi().getBounds() + " " + images.equals(Arrays.toString(WindowManager.getImageTitles())) + " " + WindowManager.getCurrentImage().getTitle());
	}

	private void accept(final ImagePlus coins, final Overlay own) throws Exception {
		new Recorder();
		WindowManager.setCurrentWindow(coins.getWindow());
		final Dialog dialog = open();
		Screen.fill(dialog, "Minimum score", "0.55");
		Screen.fill(dialog, "Preview", "true");
		Screen.await("boxes", () -> boxes(coins) > 0);
		final long shown = boxes(coins);
		Screen.press(dialog, "OK");
		Screen.await("matches", () -> matches() != null && matches().size() > 0);
		Screen.await("overlay", () -> coins.getOverlay() == own && boxes(coins) > 0);
		Screen.say("accepted", (shown == matches().size()) + " " + (boxes(coins) == shown) + " " + isGraphShown(coins));
		Screen.say("recorded", Screen.await("recorded line", () -> Recorder.getInstance().getText().lines().filter(line -> line.startsWith("run(\"Find")).findFirst().orElse(null)));
		Recorder.getInstance().close();
	}

	/** The table of the matches; null if it is not open. */
	private static ResultsTable matches() {
		return ResultsTable.getResultsTable(FrontEnd.MATCHES);
	}

	private void rowsAndBoxes(final ImagePlus coins) throws Exception {
		final TextPanel table = ((TextWindow) WindowManager.getWindow(FrontEnd.MATCHES)).getTextPanel();
		final ResultsTable rows = matches();
		Screen.say("labels", rows.getLabel(0) + " " + rows.getLabel(4) + " " + coins.getOverlay().get(5).getName());
		final Window results = WindowManager.getWindow(FrontEnd.MATCHES);
		results.setLocation(0, 450);
		Screen.pause(500);
		final Component lines = Arrays.stream(table.getComponents()).filter(c -> c.getMouseMotionListeners().length > 0).findFirst().orElseThrow();
		screen.click(results, lines, 60, lines.getHeight() / 2, "a thick box", () -> !thick(coins).isEmpty());
		Screen.say("box of the row", thick(coins).equals(rows.getLabel(table.getSelectionStart())));
		final ImageCanvas canvas = coins.getCanvas();
		final Roi box = Arrays.stream(coins.getOverlay().toArray()).filter(roi -> roi.getName() != null && roi.getName().startsWith("7:")).findFirst().orElseThrow();
		screen.click(coins.getWindow(), canvas, canvas.screenX(box.getBounds().x + 3), canvas.screenY(box.getBounds().y + 3), "the thick box 7",
			() -> thick(coins).equals("7"));
		Screen.say("selected", table.getSelectionStart() + " " + table.getSelectionEnd());
		screen.photograph("selected");
	}

	/** The label of the boxes with thick lines. */
	private static String thick(final ImagePlus imp) {
		return String.join(",", Arrays.stream(imp.getOverlay().toArray()).filter(roi -> roi.getProperty("ncc") != null && roi.getStrokeWidth() > 1)
			.map(roi -> roi.getName().substring(0, roi.getName().indexOf(':'))).toList());
	}

	/** The time from a change of the score until the boxes follow. */
	private void large() throws Exception {
		final ByteProcessor pixels = new ByteProcessor(SIDE, SIDE);
		final Random random = new Random(1);
		for (int i = 0; i < SIDE * SIDE; i++) pixels.set(i, random.nextInt(256));
		pixels.blurGaussian(2);
		pixels.resetMinAndMax();
		final ImagePlus large = new ImagePlus("large", pixels);
		large.show();
		large.setRoi(new Roi(700, 800, 32, 32));
		Screen.await("window", () -> large.getWindow() != null && large.getWindow().isShowing());
		WindowManager.setCurrentWindow(large.getWindow());
		final Dialog dialog = open();
		Screen.fill(dialog, "Minimum score", "0.4");
		Screen.fill(dialog, "Preview", "true");
		Screen.await("boxes", () -> boxes(large) > 0);
		final double[] times = new double[20];
		for (int i = 0; i < times.length; i++) {
			Screen.pause(100);
			final Overlay before = large.getOverlay();
			final long start = System.nanoTime();
			Screen.fill(dialog, "Minimum score", String.format("%.3f", 0.39 - 0.005 * i));
			while (large.getOverlay() == before && System.nanoTime() - start < 20e9) Thread.onSpinWait();
			times[i] = 1e-6 * (System.nanoTime() - start);
		}
		Screen.say("boxes at the end", boxes(large));
		Arrays.sort(times);
		Screen.say("milliseconds", String.format("%.0f %.0f %.0f", times[0], times[times.length / 2], times[times.length - 1]));
		screen.photograph("preview-large");
		Screen.press(dialog, "Cancel");
		Screen.await("end of preview", () -> large.getOverlay() == null);
	}
}
