package sc.fiji.ncc.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.Rectangle;
import java.util.Arrays;
import java.util.List;

import ij.ImagePlus;
import ij.ImageStack;
import ij.WindowManager;
import ij.gui.OvalRoi;
import ij.gui.PolygonRoi;
import ij.gui.Roi;
import ij.macro.Interpreter;
import ij.measure.ResultsTable;
import ij.process.ByteProcessor;
import ij.process.ColorProcessor;
import ij.process.ImageProcessor;

import net.imglib2.img.Img;
import net.imglib2.img.array.ArrayImgs;

import org.junit.jupiter.api.Test;
import org.scijava.command.CommandModule;

import sc.fiji.ncc.PoseSearch;
import sc.fiji.ncc.drawing.RotatedCoins;
import sc.fiji.ncc.fixture.RandomPixels;
import sc.fiji.ncc.front.Table;
import sc.fiji.ncc.result.BestPoses;
import sc.fiji.ncc.result.PoseMatch;

/** Find Rotated Matches, run by SciJava. */
class RotatedInSciJavaTest extends InSciJava {

	private static ImagePlus coins() {
		return new ImagePlus("rotated", RotatedCoins.draw(CoinsSampleCommand.image()));
	}

	@Test
	void theSelectionIsFoundInItsPoses() throws Exception {
		final ImagePlus image = coins();
		image.setRoi(30, 30, 56, 56);
		final CommandModule module = run(FindRotatedMatchesCommand.class, "image", image, "angles", "0:360:6", "scales", "0.85:1.2:1.07", "minscore", 0.8);
		assertFalse(module.isCanceled(), module.getCancelReason());
		final List<?> matches = (List<?>) module.getOutput("matches");
		assertEquals(7, matches.size());
		final ResultsTable table = ResultsTable.getResultsTable();
		assertEquals(7, table.size());
		assertEquals(0, table.getValue("Angle", 0), 1e-9);
		final PoseMatch turned = matches.stream().map(m -> (PoseMatch) m).filter(m -> Math.abs(m.pose().angle() - 33) < 1).findFirst().orElseThrow();
		assertEquals(160.25, turned.subpixel()[0] + 27.5, 0.1);
		final int row = matches.indexOf(turned);
		assertEquals(turned.match().sigma(0), table.getValue("SigmaX", row), 5e-7);
		assertEquals(turned.sigmaAngle(), table.getValue("SigmaAngle", row), 5e-7);
		assertEquals(turned.sigmaScale(), table.getValue("SigmaScale", row), 5e-7);
		assertTrue(turned.sigmaAngle() > 0 && turned.sigmaAngle() < 1 && turned.sigmaScale() > 0 && turned.sigmaScale() < 1, turned.sigmaAngle() + ", " + turned.sigmaScale());
		int boxes = 0;
		for (final Roi roi : image.getOverlay().toArray()) {
			boxes++;
			assertTrue(roi instanceof PolygonRoi && roi.isArea(), roi.toString());
		}
		assertEquals(7, boxes);
		// the first match is not rotated: its box is the template's
		assertEquals(new Rectangle(30, 30, 56, 56), image.getOverlay().get(0).getBounds());
	}

	/** Two images, which macros find by their titles, and a table of the poses. */
	@Test
	void mapsOfScoresAndPoses() throws Exception {
		final ImagePlus image = coins();
		image.setRoi(30, 30, 56, 56);
		final CommandModule module = run(FindRotatedMatchesCommand.class, "image", image, "angles", "0:360:30", "minscore", 0.8, "maps", true);
		assertFalse(module.isCanceled(), module.getCancelReason());
		final PoseMatch best = (PoseMatch) ((List<?>) module.getOutput("matches")).get(0);
		final BestPoses maps = (BestPoses) ((List<?>) module.getOutput("bestposes")).get(0);
		final BestPoses alone = PoseSearch.of(pixels(image.crop())).angleRange(0, 360, 30).minScore(0.8).bestPoses(pixels(image));
		final long[] at = { best.position()[0] - alone.origin()[0], best.position()[1] - alone.origin()[1] };
		assertEquals(best.score(), maps.score().getAt(at).get(), 2e-5);
		final int number = maps.pose().getAt(at).get();
		assertEquals(best.pose(), alone.poses().get(number - 1));
		final Table table = new FoundPoseMaps(List.of(alone), 0, 1, null).table();
		assertEquals(12, table.rows().size());
		assertEquals("[2, 30.0, 1.0, 0]", Arrays.toString(table.rows().get(1)));
		assertEquals(List.of("Pose", "Angle", "Scale", "Mirrored"), table.columns());
	}

	private static Img<?> pixels(final ImagePlus image) {
		return ArrayImgs.unsignedBytes((byte[]) image.getProcessor().getPixels(), image.getWidth(), image.getHeight());
	}

	@Test
	void theEdgeOfABoxIsStated() throws Exception {
		final ImagePlus image = coins();
		image.setRoi(30, 30, 56, 56);
		for (final String[] box : new String[][] { { "31,0,80,120", "1" }, { "20,0,90,120", "0" } }) {
			run(FindRotatedMatchesCommand.class, "image", image, "angles", "0:360:30", "maxmatches", 1, "inside", box[0]);
			assertEquals(Double.parseDouble(box[1]), ResultsTable.getResultsTable().getValue("Edge", 0), box[0]);
		}
		run(FindRotatedMatchesCommand.class, "image", image, "angles", "0:360:30", "maxmatches", 1);
		assertFalse(ResultsTable.getResultsTable().columnExists("Edge"));
	}

	/** All colours together, or one channel. */
	@Test
	void coloursAreFoundTogether() throws Exception {
		final ImageProcessor all = coins().getProcessor();
		// three of the coins
		all.setRoi(0, 0, 240, 230);
		final ImageProcessor gray = all.crop(), mirrored = gray.duplicate();
		mirrored.invert();
		final ColorProcessor colours = new ColorProcessor(gray.getWidth(), gray.getHeight());
		for (int i = 0; i < gray.getPixelCount(); i++) colours.set(i, gray.get(i) << 16 | mirrored.get(i) << 8 | gray.get(i));
		final ImagePlus image = new ImagePlus("colours", colours);
		image.setRoi(30, 30, 56, 56);
		for (final String channels : List.of("auto", "joint", "2")) {
			final CommandModule module = run(FindRotatedMatchesCommand.class, "image", image, "channels", channels, "angles", "0:360:6", "scales",
				"0.85:1.2:1.07", "minscore", 0.8);
			assertFalse(module.isCanceled(), module.getCancelReason());
			assertEquals(3, ((List<?>) module.getOutput("matches")).size(), channels);
		}
	}

	@Test
	void anOvalIsAMaskOfTheWholeTemplate() throws Exception {
		final ImagePlus image = coins();
		image.setRoi(new OvalRoi(33, 34, 49, 47));
		for (final String support : List.of("whole", "disk")) {
			final CommandModule module = run(FindRotatedMatchesCommand.class, "image", image, "angles", "0,33,90", "support", support, "minscore", 0.8,
				"maxmatches", 2, "refine", false);
			assertFalse(module.isCanceled(), module.getCancelReason());
			assertEquals(2, ((List<?>) module.getOutput("matches")).size());
			assertEquals(33, ((PoseMatch) ((List<?>) module.getOutput("matches")).get(1)).pose().angle());
		}
	}

	@Test
	void mistakesAreReported() throws Exception {
		final ImagePlus image = coins();
		image.setRoi(30, 30, 56, 56);
		assertReason("step of the angles", "image", image, "angles", "0:10:0");
		assertReason("scales=x", "image", image, "scales", "x");
		assertReason("Unknown support 'square'. Known: disk, ring, whole.", "image", image, "support", "square");
		assertReason("weights=[w] is not supported", "image", image, "weights", "w");
		assertReason("imagemask, nan and minoverlap are not supported", "image", image, "imagemask", "m");
		assertReason("imagemask, nan and minoverlap are not supported", "image", image, "nan", "missing");
		assertReason("inside=1,2", "image", image, "inside", "1,2");
		assertReason("maxmatches=-1 is out of range", "image", image, "maxmatches", -1);
		assertReason("minscore=high is not a number", "image", image, "minscore", "high");
		assertReason("falsealarms=-1.0", "image", image, "falsealarms", -1);
	}

	/** Angles of a plane for a template of three dimensions, and the other way round. */
	@Test
	void rotationsOfOtherDimensionsAreReported() throws Exception {
		final ImageStack slices = new ImageStack(20, 18);
		for (int z = 0; z < 8; z++) slices.addSlice(new ByteProcessor(20, 18, RandomPixels.bytes(z, 20 * 18)));
		final ImagePlus volume = new ImagePlus("volume", slices), part = new ImagePlus("part", slices.crop(3, 4, 1, 6, 6, 5));
		for (final String rotate : List.of("0:360:5", "0,90", "auto"))
			assertReason("angles=" + rotate + " gives angles in a plane, and the template has three dimensions: give angles=uniform:STEP, as in "
				+ "angles=uniform:30", "image", volume, "template",
				part, "angles", rotate);
		final ImagePlus image = coins();
		image.setRoi(30, 30, 56, 56);
		assertReason("angles=uniform:30 gives rotations in three dimensions, and the template has two: give degrees as from:to:step", "image",
			image, "angles", "uniform:30");
	}

	/** The same task has the same default in all front ends. */
	@Test
	void theDefaultMinimumScoreIsThatOfTheLibrary() throws Exception {
		assertEquals(PoseSearch.MIN_SCORE, Double.parseDouble((String) commands.getCommand(FindRotatedMatchesCommand.class).createModule().getInput("minscore")));
	}

	private static void assertReason(final String part, final Object... inputs) throws Exception {
		final CommandModule module = run(FindRotatedMatchesCommand.class, inputs);
		assertTrue(module.isCanceled() && module.getCancelReason().contains(part), module.getCancelReason());
	}

	@Test
	void theMinimumScoreFollowsFromTheBackground() throws Exception {
		final ImagePlus image = new ImagePlus("noise", new ByteProcessor(200, 150, RandomPixels.bytes(5, 200 * 150)));
		image.setRoi(100, 60, 21, 21);
		for (final Object[] score : new Object[][] { { "minscore", "auto" }, { "falsealarms", 0.01 } }) {
			final CommandModule module = run(FindRotatedMatchesCommand.class, "image", image, "angles", "0:360:10", score[0], score[1]);
			assertFalse(module.isCanceled(), module.getCancelReason());
			assertEquals(1, ((List<?>) module.getOutput("matches")).size());
		}
	}

	@Test
	void theTaskWindowStopsIt() throws Exception {
		final ImagePlus image = new ImagePlus("noise", new ByteProcessor(1500, 1500, RandomPixels.bytes(5, 1500 * 1500)));
		image.setRoi(100, 100, 40, 40);
		runCanceled(FindRotatedMatchesCommand.class, "image", image, "angles", "0:360:2", "algorithm", "cpu-every-pose", "memory", 64, "threads", 1);
	}

	@Test
	void theSampleOpens() throws Exception {
		Interpreter.batchMode = true; // without it, a window opens
		try {
			assertFalse(run(RotatedCoinsSampleCommand.class).isCanceled());
			assertEquals(List.of("rotated-coins.png"), List.of(WindowManager.getImageTitles()));
		}
		finally {
			for (final int id : WindowManager.getIDList()) Interpreter.removeBatchModeImage(WindowManager.getImage(id));
			Interpreter.batchMode = false;
		}
	}
}
