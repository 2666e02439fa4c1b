package sc.fiji.ncc.ij1;

import java.awt.Dialog;
import java.awt.Window;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

import ij.ImagePlus;
import ij.WindowManager;
import ij.gui.Roi;

import net.imagej.patcher.LegacyInjector;

import org.scijava.Context;
import org.scijava.ui.UIService;

import sc.fiji.ncc.document.DocumentFigure;
import sc.fiji.ncc.document.DocumentTable;
import sc.fiji.ncc.document.Origin;

/**
 * Takes the picture of <em>Find Matches</em> in ImageJ2 for the user guide, with its preview on the sample <em>NCC Coins</em>, and writes the texts of the
 * dialog beside it. From the project's folder, on a display with a window manager:
 *
 * <pre>
 * xvfb-run -a -s "-screen 0 1600x1200x24" mvn -q -Pfiji test-compile exec:exec@picture
 * </pre>
 */
public final class FijiPicture {

	private static final String NAME = "dialog-fiji", GRAPH = "Scores of ";

	static {
		LegacyInjector.preinit();
	}

	private FijiPicture() {}

	public static void main(final String[] args) throws Exception {
		final Path folder = Files.createTempDirectory("fiji");
		Screen.session(folder.toString(), () -> new Context().service(UIService.class).showUI(), screen -> take(screen, folder));
	}

	private static void take(final Screen screen, final Path folder) throws Exception {
		Screen.choose("File", "Open Samples", "NCC Coins");
		final ImagePlus coins = Screen.await("coins", () -> WindowManager.getImage("coins.png"));
		Screen.await("window", () -> coins.getWindow() != null && coins.getWindow().isShowing());
		coins.setRoi(new Roi(274, 235, 56, 56));
		Screen.choose("Plugins", "NCC", "Find Matches...");
		final Dialog dialog = Screen.dialog("Find Matches");
		Screen.fill(dialog, "Preview", "true");
		Screen.await("graph", () -> Arrays.stream(Window.getWindows()).anyMatch(w -> w.isShowing() && WindowTexts.title(w).startsWith(GRAPH)));
		Screen.await("boxes", () -> coins.getOverlay() != null);
		screen.photograph(NAME);
		final DocumentFigure figure = DocumentFigure.ALL.stream().filter(f -> f.name().equals(NAME)).findFirst().orElseThrow();
		Screen.crop(folder.resolve(NAME + ".png"), figure.file());
		final DocumentTable texts = new DocumentTable(Origin.here("", "xvfb-run … mvn -Pfiji test-compile exec:exec@picture"), "kind", "text");
		for (final String line : WindowTexts.of(dialog)) texts.row((Object[]) line.split("\t", 2));
		texts.row("text", coins.getOverlay().size() + " matches");
		texts.write(DocumentTable.FOLDER, figure.tables().get(0));
		System.out.println("wrote " + figure.file());
	}
}
