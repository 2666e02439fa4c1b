package sc.fiji.ncc.ij1;

import java.awt.Dialog;
import java.util.List;

import ij.IJ;
import ij.ImagePlus;
import ij.WindowManager;
import ij.gui.Roi;
import ij.measure.ResultsTable;

import net.imagej.patcher.LegacyInjector;

import org.scijava.Context;
import org.scijava.ui.UIService;

import sc.fiji.ncc.command.program.FrontEnd;

/** Opens the dialog of each command in the window of ImageJ2, and that of its other parameters. Prints a line for each. Two commands run with the defaults. */
public final class FijiDialogs {

	static {
		LegacyInjector.preinit();
	}

	private FijiDialogs() {}

	/** @param args the folder for pictures */
	public static void main(final String[] args) throws Exception {
		Screen.session(args[0], () -> new Context().service(UIService.class).showUI(), FijiDialogs::work);
	}

	private static void work(final Screen screen) throws Exception {
		final List<String> labels = Screen.labels("Plugins", "NCC");
		final ImagePlus stack = sample("NCC Drift", "drift.tif"), rotated = sample("NCC Rotated Coins", "rotated-coins.png"),
			coins = sample("NCC Coins", "coins.png");
		for (final ImagePlus image : List.of(stack, rotated, coins)) image.setRoi(new Roi(30, 30, 56, 56));
		for (final String label : labels) {
			final String title = label.replace("...", "");
			final ImagePlus active = title.matches(".*(Drift|Motion|Track).*") ? stack : title.contains("Rotated") ? rotated : coins;
			Screen.pause(700);
			WindowManager.setCurrentWindow(active.getWindow());
			Screen.choose("Plugins", "NCC", label);
			// a command without inputs has no dialog
			Screen.say(title, title.equals("Devices") ? devices() : dialog(screen, title));
		}
		found(coins, "Find Matches", "Score");
		found(rotated, "Find Rotated Matches", "Angle");
	}

	private static ImagePlus sample(final String label, final String title) {
		Screen.choose("File", "Open Samples", label);
		final ImagePlus image = Screen.await(title, () -> WindowManager.getImage(title));
		Screen.await("window", () -> image.getWindow() != null && image.getWindow().isShowing());
		return image;
	}

	private static String devices() {
		return Screen.await("devices", () -> ResultsTable.getResultsTable("NCC Devices")).size() + " rows";
	}

	private static String dialog(final Screen screen, final String title) throws Exception {
		final Dialog dialog = Screen.dialog(title);
		screen.photograph(dialog, title);
		final Dialog advanced = Screen.advanced(dialog);
		screen.photograph(advanced, title + " Advanced");
		final int fields = Screen.fields(dialog).size(), others = Screen.fields(advanced).size();
		Screen.press(advanced, "Cancel");
		Screen.await("end of " + title + ": Advanced", () -> !advanced.isShowing());
		Screen.press(dialog, "Cancel");
		Screen.await("end of " + title, () -> Screen.dialogs().isEmpty());
		return fields + " fields and " + others;
	}

	/** Presses OK in the dialog, and prints the number of matches and of boxes. */
	private static void found(final ImagePlus image, final String title, final String column) {
		image.setOverlay(null);
		IJ.selectWindow(image.getID());
		Screen.pause(700);
		Screen.choose("Plugins", "NCC", title + "...");
		Screen.press(Screen.dialog(title), "OK");
		Screen.await("boxes", () -> image.getOverlay() != null);
		Screen.await("matches", () -> ResultsTable.getResultsTable(FrontEnd.MATCHES) != null
			&& ResultsTable.getResultsTable(FrontEnd.MATCHES).columnExists(column) && ResultsTable.getResultsTable(FrontEnd.MATCHES).size() > 0);
		Screen.say("rows less boxes of " + title, ResultsTable.getResultsTable(FrontEnd.MATCHES).size() - image.getOverlay().size());
	}
}
