package sc.fiji.ncc.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Random;

import ij.process.FloatProcessor;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.cli.input.ImageFiles;
import sc.fiji.ncc.fixture.SmoothNoise;

/** {@code ncc match} and {@code ncc track} with statistics. */
class MatchStatisticsTest extends InFolder {

	private static double value(final List<String> rows, final int row, final String column) {
		return Double.parseDouble(rows.get(row).split(",")[List.of(rows.get(0).split(",")).indexOf(column)]);
	}

	@Test
	void aTemplateIsFoundExactlyAtItsPixel() throws IOException {
		succeeds("sample", "coins.png");
		succeeds("match", "coins.png", "--roi", "274,235,56,56", "--max-matches", "3", "-o", "m.csv");
		final List<String> plain = Files.readAllLines(folder.resolve("m.csv"));
		assertEquals(274, value(plain, 1, "subpixel_x"), 1e-12);
		assertEquals(235, value(plain, 1, "subpixel_y"), 1e-12);
		succeeds("match", "coins.png", "--roi", "274,235,56,56", "--max-matches", "3", "--refine", "--quality", "-o", "m.csv", "--overlay", "o.png");
		final List<String> rows = Files.readAllLines(folder.resolve("m.csv"));
		assertTrue(rows.get(0).endsWith(",unit,sigma_x,sigma_y,correlation_xy,runner_up,ratio,sidelobe_ratio"), rows.get(0));
		assertEquals(274, value(rows, 1, "subpixel_x"), 1e-6);
		assertEquals(0, value(rows, 1, "sigma_x"), 1e-6);
		assertTrue(value(rows, 2, "sigma_x") > 1e-3 && value(rows, 2, "sigma_x") < 1, rows.get(2));
		assertTrue(value(rows, 1, "sidelobe_ratio") > 2, rows.get(1));
		assertTrue(Files.size(folder.resolve("o.png")) > 1000);
	}

	@Test
	void tracksHaveErrors() throws IOException {
		final Random random = new Random(1);
		for (int f = 0; f < 2; f++) {
			final FloatProcessor frame = new FloatProcessor(80, 70);
			for (int i = 0; i < frame.getPixelCount(); i++)
				frame.setf(i, (float) (Math.sin(0.4 * (i % 80 - 0.25 * f)) * Math.cos(0.3 * (i / 80 + 0.5 * f)) + Math.sin(0.13 * (i % 80 - 0.25 * f) + 0.1) + 0.02 * random.nextGaussian()));
			save("f" + f + ".tif", frame);
		}
		Files.createDirectory(folder.resolve("movie"));
		for (int f = 0; f < 2; f++) Files.move(folder.resolve("f" + f + ".tif"), folder.resolve("movie").resolve("f" + f + ".tif"));
		succeeds("track", path("movie"), "--roi", "20,20,20,18", "--max-shift", "3", "--refine", "-o", "t.csv");
		final List<String> rows = Files.readAllLines(folder.resolve("t.csv"));
		assertTrue(rows.get(0).endsWith(",edge,template_name,sigma_x,sigma_y,correlation_xy"), rows.get(0));
		assertEquals(0, value(rows, 1, "motion_x"), 1e-6);
		assertEquals(0.25, value(rows, 2, "motion_x"), 0.03);
		assertEquals(-0.5, value(rows, 2, "motion_y"), 0.03);
		assertTrue(value(rows, 2, "sigma_x") > 1e-4 && value(rows, 2, "sigma_x") < 0.03, rows.get(2));
	}

	@Test
	void wrongNumbersHaveOneLine() throws IOException {
		succeeds("sample", "coins.png");
		for (final String wrong : new String[] { "0", "-1", "NaN", "Infinity" })
			refuses("match coins.png --roi 10,10,20,20 --false-alarms " + wrong + " -o m.csv", "--false-alarms " + Double.parseDouble(wrong)
				+ ": give a number from 1e-12 to 1e9, such as 0.05");
		refuses("match coins.png --roi 10,10,20,20 --false-alarms 1 --min-score 0.4 -o m.csv", "--min-score and --false-alarms are both given");
		refuses("match coins.png --roi 10,10,20,20 --angles 0:90:10 --refine -o m.csv", "--refine does not go with --angles");
		refuses("match coins.png --roi 10,10,20,20 --angles 0:90:10 --quality -o m.csv", "--quality does not go with --angles");
	}

	@Test
	void tooFewPlacesForAFitAreSaid() throws IOException {
		succeeds("sample", "coins.png");
		final String said = succeeds("match", "coins.png", "--roi", "274,235,56,56", "--search", "270,231,9,9", "--false-alarms", "0.5", "-o", "m.csv");
		assertTrue(said.contains("(uncertain: too few independent responses to fit the background)"), said);
		assertEquals("384x303", ImageFiles.read(path("coins.png")).size());
	}

	/** The same reason in the summary and in each row of the table. */
	@Test
	void aBackgroundThatTheModelDoesNotDescribeIsSaid() throws IOException {
		final Random random = new Random(4);
		final float[] noise = SmoothNoise.of(120, 110, 1, random);
		final FloatProcessor image = new FloatProcessor(120, 110);
		for (int i = 0; i < noise.length; i++) for (int k = 0; k < 5; k++) image.setf(i, image.getf(i) + noise[(i + 121 * k) % noise.length]);
		save("diagonal.tif", image);
		save("smooth.tif", new FloatProcessor(120, 110, noise, null));
		for (final String name : List.of("diagonal", "smooth")) {
			final String said = succeeds("match", name + ".tif", "--roi", "50,40,12,12", "--false-alarms", "3", "-o", "m.csv");
			assertEquals(name.equals("diagonal"), said.contains(" (uncertain: the background has structures along a diagonal)"), said);
			final List<String> rows = Files.readAllLines(folder.resolve("m.csv")), head = List.of(rows.get(0).split(","));
			for (final String row : rows.subList(1, rows.size())) assertEquals(name.equals("diagonal") ? "diagonal" : "ok", row.split(",")[head.indexOf("background")]);
			assertTrue(rows.size() > 1, "the template itself is found");
		}
	}
}
