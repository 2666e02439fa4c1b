package sc.fiji.ncc.command.imagej;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;

import ij.IJ;
import ij.ImagePlus;
import ij.gui.Roi;
import ij.measure.ResultsTable;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import sc.fiji.ncc.command.program.Box;
import sc.fiji.ncc.command.program.TrackLine;
import sc.fiji.ncc.front.ShownNumber;
import sc.fiji.ncc.front.Table;

/** What ImageJ shows of tables and tracks. */
class ShownResultsTest {

	@BeforeAll
	static void runsWithoutAScreen() {
		System.setProperty("java.awt.headless", "true");
	}

	@Test
	void numbersHaveTheirDigits() {
		final Table table = new Table("numbers", "Score", "FalseAlarms", "X").decimals(ShownNumber.SCORE, List.of("Score"))
			.decimals(ShownNumber.PROBABILITY, List.of("FalseAlarms"));
		ImageJ1.show(table.row(0.75, 2.9249e-14, 3.25).row(1.0 / 3, 261.7, 4.0), false, false);
		final ResultsTable shown = ResultsTable.getResultsTable();
		assertEquals("0.750000 2.92E-14 3.2500", row(shown, 0));
		assertEquals("0.333333 2.62E2 4.0000", row(shown, 1));
	}

	/** ImageJ draws a label in the middle of its box. The boxes keep their names, for the ROI Manager, and for users who show the labels. */
	@Test
	void labelsHideNoSmallBoxes() {
		final ImagePlus image = IJ.createImage("frame", "8-bit black", 300, 200, 1);
		for (final int[] size : new int[][] { { 56, 56 }, { 32, 32 }, { 24, 24 }, { 9, 9 }, { 9, 200 }, { 200, 9 }, { 200, 40 } }) {
			final Box large = new Box("1: 1.00", 0, 5, 5, 56, 56, 0, 0, 0, 1, 1, 1),
				box = new Box("2: 0.95", 0, 70, 0, size[0], size[1], 0, 0, 0, 1, 1, 1);
			new ImageJImage(image).mark(List.of(large, box), List.of(), false);
			assertEquals(size[0] * size[1] >= 32 * 32, image.getOverlay().getDrawLabels(), Arrays.toString(size));
			assertEquals(List.of("1: 1.00", "2: 0.95"), Arrays.stream(image.getOverlay().toArray()).map(Roi::getName).toList());
		}
	}

	private static String row(final ResultsTable table, final int row) {
		return String.join(" ", table.getStringValue("Score", row), table.getStringValue("FalseAlarms", row), table.getStringValue("X", row));
	}

	/** A name is centred below its box, but not beyond the left or the right border. */
	@Test
	void theImageHasTheWholeNameOfATrack() {
		final ImagePlus image = IJ.createImage("frame", "8-bit black", 300, 200, 1);
		final List<Box> boxes = Arrays.stream(new int[] { 0, 140, 290 })
			.mapToObj(x -> new Box("a long name " + x, 0, x, 50, 10, 10, 0, 0, 0, 1, 1, 1, null)).toList();
		new ImageJImage(image).mark(boxes, List.of(new TrackLine("line", 0, new double[] { 1, 2 }, new double[] { 1, 2 }, 0, 0, 0)), false);
		final int[] x = Arrays.stream(image.getOverlay().toArray()).filter(roi -> roi.getName() != null).mapToInt(roi -> roi.getBounds().x).toArray();
		assertEquals(3, x.length, Arrays.stream(image.getOverlay().toArray()).map(Roi::toString).toList().toString());
		assertTrue(image.getOverlay().getDrawLabels());
		assertEquals(145, x[1]);
		// half of fourteen letters of about five pixels
		assertTrue(x[0] > 25 && x[0] < 60 && x[2] < 300 - 25 && x[2] > 300 - 60, Arrays.toString(x));
	}

	/** A name lies below its box, and above it where the image ends below. */
	@Test
	void aNameLiesBesideItsBox() {
		final ImagePlus image = IJ.createImage("frame", "8-bit black", 300, 200, 1);
		final List<Box> boxes = Arrays.stream(new int[] { 0, 174, 175, 190 }).mapToObj(y -> new Box("name", 0, 100, y, 10, 10, 0, 0, 0, 1, 1, 1, null))
			.toList();
		new ImageJImage(image).mark(boxes, List.of(new TrackLine("line", 0, new double[] { 1, 2 }, new double[] { 1, 2 }, 0, 0, 0)), false);
		final int[] y = Arrays.stream(image.getOverlay().toArray()).filter(roi -> roi.getName() != null).mapToInt(roi -> roi.getBounds().y).toArray();
		assertArrayEquals(new int[] { 10 + 8, 184 + 8, 175 - 8, 190 - 8 }, y);
	}
}
