package sc.fiji.ncc.front;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import sc.fiji.ncc.option.Range;

/** What front ends read from short texts: axes, channels, a minimum score, names of files. */
class InputTextTest {

	@TempDir
	Path folder;

	@Test
	void theThirdDimension() {
		assertEquals(2, Axes.third("xyz", "image"));
		assertEquals(3, Axes.third("xycz", "image"));
		assertEquals(2, Axes.third("xyt", "image"));
		refuses("image is a single plane", () -> Axes.third("xy", "image"));
		refuses("image (xyct) has no slices", () -> Axes.third("xyct", "image"));
	}

	@Test
	void aTemplateInTheSpaceOfTheImage() {
		for (final String[] fits : new String[][] { { "xy", "xyz" }, { "xyz", "xyz" }, { "xyt", "xyt" }, { "xyc", "xyc" } })
			Axes.requireSameSpace(fits[0], fits[1], "template");
		refuses("template (xycz) must have two or three dimensions", () -> Axes.requireSameSpace("xycz", "xycz", "template"));
		refuses("the third dimension of template is channels", () -> Axes.requireSameSpace("xyc", "xyzt", "template"));
		refuses("the third dimension of template is frames", () -> Axes.requireSameSpace("xyt", "xyz", "template"));
	}

	@Test
	void measuredChannels() {
		assertEquals(List.of(), MeasuredChannels.of("channel=", " joint"));
		assertEquals(List.of(1L, 0L), MeasuredChannels.of("channel=", "2, 1"));
		for (final String wrong : new String[] { "", "0", "1,", "x" })
			refuses("channel=" + wrong + ": give", () -> MeasuredChannels.of("channel=", wrong));
		MeasuredChannels.require("channel=", List.of(0L, 1L), 2, "image");
		refuses("channel=3: image has 2 channels; give numbers from 1 to 2", () -> MeasuredChannels.require("channel=", List.of(0L, 2L), 2, "image"));
		refuses("channel=2: image has 1 channel;", () -> MeasuredChannels.require("channel=", List.of(1L), 1, "image"));
	}

	@Test
	void minimumScores() {
		assertEquals(OptionalDouble.empty(), NumberOrAuto.of("min_score=", " Auto", Range.SCORE));
		for (final double score : new double[] { -1, 0.7, 1 }) assertEquals(OptionalDouble.of(score), NumberOrAuto.of("min_score=", " " + score, Range.SCORE));
		for (final String wrong : new String[] { "1.01", "-1.01", "NaN" })
			refuses("min_score=" + wrong + ": give a number from -1 to 1", () -> NumberOrAuto.of("min_score=", wrong, Range.SCORE));
		refuses("min_score='x' is not a number", () -> NumberOrAuto.of("min_score=", "x", Range.SCORE));
	}

	@Test
	void filesToWrite() {
		final String file = folder.resolve("t.JSON").toString();
		assertEquals(Path.of(file), OutputFile.of("transforms", " " + file + " ", ".json", "a JSON"));
		assertEquals(Path.of("t.json").toAbsolutePath(), OutputFile.of("transforms", "t.json", ".json", "a JSON"));
		assertNull(OutputFile.of("transforms", null, ".json", "a JSON"));
		assertNull(OutputFile.of("transforms", " ", ".json", "a JSON"));
		refuses("transforms=t.xml is a JSON file. Give a name that ends in .json.", () -> OutputFile.of("transforms", "t.xml", ".json", "a JSON"));
		refuses("there is no folder " + folder.resolve("none"),
			() -> OutputFile.of("transforms", folder.resolve("none/t.json").toString(), ".json", "a JSON"));
		refuses("Cannot write " + folder + ": it is a folder. Give the name of a file.", () -> OutputFile.of("transforms", folder.toString(), "", "a JSON"));
		refuses("is not a file name", () -> OutputFile.of("transforms", "a\0.json", ".json", "a JSON"));
	}

	@Test
	void numbersInNamesOfFilesCount() {
		final List<String> names = new ArrayList<>(List.of("t10", "t9", "T9b", "t009", "s11", "t"));
		names.sort(FileOrder.BY_NUMBERS);
		assertEquals(List.of("s11", "t", "t009", "t9", "T9b", "t10"), names);
	}

	private static void refuses(final String part, final Runnable call) {
		final String message = assertThrows(IllegalArgumentException.class, call::run).getMessage();
		assertTrue(message.contains(part), message);
	}
}
