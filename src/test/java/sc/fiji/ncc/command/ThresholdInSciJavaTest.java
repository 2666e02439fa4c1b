package sc.fiji.ncc.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;

import net.imglib2.img.Img;
import net.imglib2.type.numeric.integer.UnsignedByteType;

import org.junit.jupiter.api.Test;
import org.scijava.command.CommandModule;

import ij.ImagePlus;
import ij.measure.ResultsTable;
import ij.process.ByteProcessor;

import sc.fiji.ncc.NormalizedCrossCorrelation;
import sc.fiji.ncc.TemplateMatching;
import sc.fiji.ncc.fixture.RandomPixels;
import sc.fiji.ncc.result.Match;

/** Which matches Find Matches keeps, without windows: the automatic minimum score, the numbers of matches, labels, and the preview that has no effect. */
class ThresholdInSciJavaTest extends InSciJava {

	private final Img<UnsignedByteType> image = noise(130, 100);

	private CommandModule find(final Object... more) throws Exception {
		final Object[] inputs = new Object[more.length + 4];
		System.arraycopy(new Object[] { "image", image, "template", cut(image, 7, 5, 9, 9) }, 0, inputs, 0, 4);
		System.arraycopy(more, 0, inputs, 4, more.length);
		final CommandModule module = run(FindMatchesCommand.class, inputs);
		assertFalse(module.isCanceled(), module.getCancelReason());
		return module;
	}

	@SuppressWarnings("unchecked")
	private static List<Match> matches(final CommandModule module) {
		return (List<Match>) module.getOutput("matches");
	}

	private TemplateMatching.Result expected(final double falseAlarms) {
		return TemplateMatching.with(NormalizedCrossCorrelation.of(cut(image, 7, 5, 9, 9))).falseAlarms(falseAlarms).find(image);
	}

	@Test
	void autoExpectsAFewFalseMatchesInAHundred() throws Exception {
		final CommandModule module = find("minscore", "auto");
		final TemplateMatching.Result expected = expected(0.05);
		assertEquals(expected.matches().toString(), matches(module).toString());
		assertEquals(expected.matches().get(0).falseAlarms(), ResultsTable.getResultsTable().getValue("FalseAlarms", 0));
		assertEquals(expected.minScores()[0], ResultsTable.getResultsTable().getValue("MinScore", 0), 1e-6);
		assertTrue(((NccCommand) module.getCommand()).summary().contains(String.format(", minimum score %.3f", expected.minScores()[0])), ((NccCommand) module.getCommand()).summary());
		assertEquals(expected(7).matches().toString(), matches(find("minscore", "auto", "falsealarms", 7)).toString());
	}

	@Test
	void theTotalKeepsTheBest() throws Exception {
		final List<Match> all = matches(find("minscore", "0.2"));
		assertTrue(all.size() > 20, "" + all.size());
		assertEquals(all.subList(0, 4).toString(), matches(find("minscore", 0.2, "total", 4)).toString());
		final CommandModule refused = run(FindMatchesCommand.class, "image", image, "template", cut(image, 7, 5, 9, 9), "total", -1);
		assertEquals("total=-1 is out of range. Give a number from 0 to 2147483647.", refused.getCancelReason());
	}

	/** ImageJ shows at most nine decimals. Lengths in metres have powers of ten. */
	@Test
	void smallPixelsKeepTheirDigits() throws Exception {
		final ImagePlus small = new ImagePlus("small", new ByteProcessor(130, 100, RandomPixels.bytes(3, 130 * 100)));
		small.getCalibration().pixelWidth = 1.25e-7;
		small.getCalibration().pixelHeight = 1;
		small.getCalibration().setUnit("m");
		small.setRoi(70, 50, 9, 9);
		final CommandModule module = run(FindMatchesCommand.class, "image", small, "minscore", "0.9");
		assertFalse(module.isCanceled(), module.getCancelReason());
		final ResultsTable table = ResultsTable.getResultsTable();
		assertEquals((table.getValue("SubpixelX", 0) + 4.5) * 1.25e-7, Double.parseDouble(table.getStringValue("CalibratedX", 0)), 2e-11);
		assertEquals("54.5", table.getStringValue("CalibratedY", 0).replaceAll("0+$", ""));
	}

	@Test
	void everyRowHasALabel() throws Exception {
		find("minscore", "0.3");
		final ResultsTable table = ResultsTable.getResultsTable();
		for (int i = 0; i < table.size(); i++) assertEquals("" + (i + 1), table.getLabel(i));
		assertEquals("Label", table.getHeadings()[0]);
	}

	@Test
	void aMinimumScoreThatIsNoneIsRefused() throws Exception {
		final CommandModule module = run(FindMatchesCommand.class, "image", image, "template", cut(image, 7, 5, 9, 9), "minscore", "high");
		assertEquals("minscore=high is not a number. Write decimals with a point, as in 0.7.", module.getCancelReason());
	}

	@Test
	void withoutADialogThePreviewHasNoEffect() throws Exception {
		final CommandModule module = find("minscore", "0.9", "preview", true);
		assertEquals(1, matches(module).size());
		assertNull(module.getInput("preview"), "a recorder leaves it out");
	}

	@Test
	void thePlotLeavesTheMatchesAsTheyAre() throws Exception {
		assertEquals(matches(find("minscore", "0.4")).toString(), matches(find("minscore", "0.4", "plotalarms", true)).toString());
	}
}
