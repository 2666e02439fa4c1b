package sc.fiji.ncc.ij1;

import java.awt.Dialog;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

import ij.IJ;
import ij.ImagePlus;
import ij.ImageStack;
import ij.WindowManager;
import ij.gui.Roi;
import ij.measure.ResultsTable;
import ij.process.ImageProcessor;

/** A user session with the commands for motion and mosaics in plain ImageJ. Prints a line for each step. */
final class MotionSession {

	private static final int FRAMES = 3;
	/** The largest motion of a pixel, in pixels; the angle between two frames, in degrees. */
	private static final double AMPLITUDE = 4, ANGLE = 2;

	private final Screen screen;
	private final Path tiles;

	private MotionSession(final Screen screen, final Path folder) throws Exception {
		this.screen = screen;
		tiles = Files.createDirectories(folder.resolve("tiles"));
	}

	/** @param args the folder for pictures */
	public static void main(final String[] args) throws Exception {
		Screen.session(args[0], screen -> new MotionSession(screen, Path.of(args[0])).work());
	}

	private void work() throws Exception {
		Screen.choose("File", "Open Samples", "NCC Coins");
		final ImagePlus coins = shown("coins.png");
		Screen.pause(700);
		dialogs(coins);
		correctMotion(coins);
		motionField(coins);
		stitch(coins);
	}

	private static ImagePlus shown(final String title) {
		final ImagePlus image = Screen.await(title, () -> WindowManager.getImage(title));
		Screen.await("window of " + title, () -> image.getWindow() != null && image.getWindow().isShowing());
		return image;
	}

	private static Dialog open(final String command) {
		Screen.choose("Plugins", "NCC", command + "...");
		return Screen.dialog(command);
	}

	/** Dialogs that are not accepted. */
	private void dialogs(final ImagePlus coins) throws Exception {
		coins.setRoi(new Roi(274, 235, 56, 56));
		final Dialog rotated = open("Find Rotated Matches");
		screen.photograph(rotated, "find-rotated-matches");
		Screen.press(rotated, "Cancel");
		Screen.await("end of " + rotated.getTitle(), () -> !rotated.isShowing());
		coins.killRoi();
		final ImagePlus moved = coins.duplicate();
		moved.setTitle("moved coins");
		moved.show();
		final Dialog register = open("Register Images");
		screen.photograph(register, "register-images");
		Screen.press(register, "Cancel");
		Screen.await("end of " + register.getTitle(), () -> !register.isShowing());
		moved.changes = false;
		moved.close();
	}

	/** Rows of the coins move to and fro along x. */
	private static ImagePlus waving(final ImagePlus coins) {
		final ImageStack frames = new ImageStack(coins.getWidth(), coins.getHeight());
		for (int f = 0; f < FRAMES; f++) {
			final ImageProcessor from = coins.getProcessor(), to = from.duplicate();
			for (int y = 0; y < to.getHeight(); y++)
				for (int x = 0; x < to.getWidth(); x++) to.setf(x, y, (float) from.getInterpolatedValue(x - shift(f, y), y));
			frames.addSlice(to);
		}
		final ImagePlus stack = new ImagePlus("waving coins", frames);
		stack.setDimensions(1, 1, FRAMES);
		return stack;
	}

	private static double shift(final int frame, final int y) {
		return AMPLITUDE * frame / (FRAMES - 1) * Math.sin(2 * Math.PI * y / 150);
	}

	private void correctMotion(final ImagePlus coins) throws Exception {
		coins.setRoi(new Roi(0, 60, 260, 180));
		final ImagePlus part = coins.crop(), stack = waving(part);
		coins.killRoi();
		stack.show();
		WindowManager.setCurrentWindow(shown(stack.getTitle()).getWindow());
		final Dialog drift = open("Correct Drift");
		screen.photograph(drift, "correct-drift");
		Screen.press(drift, "Cancel");
		Screen.await("end of " + drift.getTitle(), () -> !drift.isShowing());
		final Dialog dialog = open("Correct Motion");
		Screen.fill(dialog, "Reference", "first");
		Screen.fill(dialog, "Show before and after", "true");
		screen.photograph(dialog, "correct-motion");
		Screen.press(dialog, "OK");
		final ImagePlus corrected = shown("Corrected waving coins"), pair = shown("Before and after, waving coins");
		shown("Drift of waving coins");
		double before = 0, after = 0;
		for (int y = 20; y < 160; y++)
			for (int x = 20; x < 240; x++) {
				final double still = part.getProcessor().getf(x, y);
				before += Math.abs(stack.getStack().getProcessor(FRAMES).getf(x, y) - still);
				after += Math.abs(corrected.getStack().getProcessor(FRAMES).getf(x, y) - still);
			}
		Screen.say("corrected motion", corrected.getStackSize() + " " + (after < before / 4) + " " + String.format(Locale.ROOT, "%.2f", after / before));
		screen.photograph(pair.getWindow(), "before-after");
		for (final String title : WindowManager.getImageTitles()) if (title.contains("waving coins")) {
			final ImagePlus image = WindowManager.getImage(title);
			image.changes = false;
			image.close();
		}
	}

	private void motionField(final ImagePlus coins) throws Exception {
		// coins that fit into a small picture
		coins.setRoi(new Roi(80, 50, 210, 170));
		final ImagePlus stack = coins.crop();
		coins.killRoi();
		final ImageProcessor turned = stack.getProcessor().duplicate();
		turned.setInterpolationMethod(ImageProcessor.BILINEAR);
		turned.rotate(ANGLE);
		final ImageStack frames = new ImageStack(stack.getWidth(), stack.getHeight());
		frames.addSlice(stack.getProcessor());
		frames.addSlice(turned);
		stack.setStack("turning coins", frames);
		stack.setDimensions(1, 1, 2);
		stack.show();
		WindowManager.setCurrentWindow(shown(stack.getTitle()).getWindow());
		final Dialog dialog = open("Motion Field");
		screen.photograph(dialog, "motion-field");
		Screen.press(dialog, "OK");
		final ImagePlus arrows = shown("Arrows of turning coins");
		final ResultsTable table = ResultsTable.getResultsTable("NCC Motion");
		double worst = 0;
		int valid = 0;
		for (int row = 0; row < table.size(); row++)
			if (table.getValue("Valid", row) > 0) {
				// ImageJ turns clockwise, and y points downwards
				final double x = table.getValue("X", row) - 104.5, y = table.getValue("Y", row) - 84.5, angle = Math.toRadians(ANGLE);
				worst = Math.max(worst, Math.hypot(table.getValue("U", row) + 2 * Math.sin(angle / 2) * y, table.getValue("V", row) - 2 * Math.sin(angle / 2) * x));
				valid++;
			}
		Screen.say("motion", (2 * valid > table.size()) + " " + (worst < 1) + " " + valid + " of " + table.size() + ", " + worst);
		screen.photograph(arrows.getWindow(), "arrows");
		for (final String title : WindowManager.getImageTitles()) if (title.contains("turning coins")) {
			final ImagePlus image = WindowManager.getImage(title);
			image.changes = false;
			image.close();
		}
	}

	private void stitch(final ImagePlus coins) throws Exception {
		for (int i = 0; i < 4; i++) {
			coins.setRoi(i % 2 * 160 + 3 * (i / 2), i / 2 * 120 + 2 * (i % 2), 220, 170);
			IJ.saveAsTiff(coins.crop(), tiles.resolve("tile" + i + ".tif").toString());
		}
		coins.killRoi();
		final Dialog dialog = open("Stitch Tiles");
		Screen.fill(dialog, "Folder of the tiles", "/data/tiles");
		Screen.fill(dialog, "Grid", "2x2");
		Screen.fill(dialog, "Overlap", "50");
		screen.photograph(dialog, "stitch-tiles");
		Screen.fill(dialog, "Folder of the tiles", tiles.toString());
		Screen.press(dialog, "OK");
		final ImagePlus links = shown("Links of tiles"), mosaic = shown("Mosaic of tiles");
		Screen.say("mosaic", mosaic.getWidth() + " " + mosaic.getHeight());
		screen.photograph(links.getWindow(), "links");
	}
}
