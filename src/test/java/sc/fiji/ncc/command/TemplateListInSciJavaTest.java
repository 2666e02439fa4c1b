package sc.fiji.ncc.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.image.BufferedImage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;

import javax.imageio.ImageIO;

import ij.ImagePlus;
import ij.gui.OvalRoi;
import ij.gui.Overlay;
import ij.gui.Roi;
import ij.measure.ResultsTable;
import ij.process.ByteProcessor;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.scijava.command.Command;
import org.scijava.command.CommandModule;

import sc.fiji.ncc.fixture.RandomPixels;

/** Templates of Find Matches and Find Rotated Matches: regions of the image, and the images of a folder. */
class TemplateListInSciJavaTest extends InSciJava {

	private static final int SIDE = 90;
	private static final byte[] PIXELS = RandomPixels.bytes(7, SIDE * SIDE);

	private static ImagePlus image() {
		return new ImagePlus("image", new ByteProcessor(SIDE, SIDE, PIXELS.clone()));
	}

	/** The names of the templates that were found, and their places. */
	private static String found(final Class<? extends Command> command, final Object... inputs) throws Exception {
		final CommandModule module = run(command, inputs);
		assertFalse(module.isCanceled(), module.getCancelReason());
		final ResultsTable table = ResultsTable.getResultsTable();
		final TreeSet<String> rows = new TreeSet<>();
		for (int i = 0; i < table.size(); i++) rows.add(table.getStringValue("Template", i) + " " + (int) table.getValue("X", i) + " " + (int) table.getValue("Y", i));
		return rows.toString();
	}

	private static String reason(final Object... inputs) throws Exception {
		return run(FindRotatedMatchesCommand.class, inputs).getCancelReason();
	}

	@Test
	void theRegionsOfTheOverlayAreTemplates() throws Exception {
		final ImagePlus image = image();
		final Overlay overlay = new Overlay();
		final Roi left = new Roi(10, 12, 15, 15), right = new OvalRoi(50, 40, 17, 17);
		left.setName("left");
		right.setName("right");
		overlay.add(left);
		overlay.add(right);
		image.setOverlay(overlay);
		assertEquals("[left 10 12, right 50 40]", found(FindMatchesCommand.class, "image", image, "templates", "overlay", "minscore", 0.9));
		image.setOverlay(overlay);
		assertEquals("[left 10 12, right 50 40]", found(FindRotatedMatchesCommand.class, "image", image, "templates", "overlay", "angles", "0:360:30",
			"minscore", 0.9, "refine", false));
		// the dialog always has a template: the image itself, whose selection is one of the regions or none
		image.setOverlay(overlay);
		image.setRoi((Roi) left.clone());
		assertEquals("[left 10 12, right 50 40]", found(FindMatchesCommand.class, "image", image, "template", image, "templates", "overlay", "minscore", 0.9));
	}

	@Test
	void theImagesOfAFolderAreTemplates(@TempDir final Path folder) throws Exception {
		for (int i = 0; i < 3; i++) {
			final BufferedImage part = new BufferedImage(15, 15, BufferedImage.TYPE_BYTE_GRAY);
			for (int p = 0; p < 225; p++) part.getRaster().setSample(p % 15, p / 15, 0, PIXELS[(20 * i + 5 + p / 15) * SIDE + 30 + p % 15] & 0xff);
			ImageIO.write(part, "png", folder.resolve("part" + (i + 9) + ".png").toFile());
		}
		Files.writeString(folder.resolve("notes.txt"), "no image");
		final String all = "[part10.png 30 25, part11.png 30 45, part9.png 30 5]";
		assertEquals(all, found(FindMatchesCommand.class, "image", image(), "templates", folder.toString(), "minscore", 0.9));
		assertEquals(all, found(FindRotatedMatchesCommand.class, "image", image(), "templates", folder.toString(), "angles", "0:360:30",
			"minscore", 0.9, "refine", false));
		Files.write(folder.resolve("broken.png"), new byte[] { 1, 2, 3 });
		assertTrue(reason("image", image(), "templates", folder.toString()).endsWith("broken.png' cannot be read as an image. Remove it from the folder, or save it again."));
	}

	@Test
	void mistakesAreReported(@TempDir final Path folder) throws Exception {
		assertEquals("The folder '" + folder + "' has no images. Give a folder with TIFF, PNG, JPEG, GIF, BMP or PGM files.", reason("image", image(), "templates", folder.toString()));
		assertTrue(reason("image", image(), "templates", "overlay").startsWith("The overlay of 'image' has no region."));
		// Find Matches has no key roi
		assertFalse(reason("image", image(), "templates", "overlay").contains("roi="));
		assertTrue(reason("image", image(), "templates", "manager").startsWith("The ROI Manager has no region. Without windows there is no ROI Manager."));
		assertTrue(reason("image", image(), "templates", "manger").contains("manger"));
		assertTrue(List.of(folder.toFile().list()).isEmpty());
	}
}
