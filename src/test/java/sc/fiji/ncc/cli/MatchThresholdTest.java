package sc.fiji.ncc.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;

import javax.imageio.ImageIO;

import ij.ImagePlus;
import ij.ImageStack;
import ij.process.ByteProcessor;
import ij.process.ImageProcessor;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which matches {@code ncc match} keeps: the automatic minimum score, the total number, and the plot of false alarms. */
class MatchThresholdTest extends InFolder {

	private static final int WIDTH = 150, HEIGHT = 120, FRAMES = 3;

	@BeforeEach
	void images() {
		final Random random = new Random(7);
		final ImageStack frames = new ImageStack(WIDTH, HEIGHT);
		for (int f = 0; f < FRAMES; f++) {
			final byte[] noise = new byte[WIDTH * HEIGHT];
			random.nextBytes(noise);
			frames.addSlice(new ByteProcessor(WIDTH, HEIGHT, noise));
		}
		save("frames.tif", new ImagePlus("frames", frames));
		save("one.tif", frames.getProcessor(1));
		final ImageProcessor second = frames.getProcessor(2);
		second.setRoi(30, 40, 10, 10);
		save("object.tif", second.crop());
	}

	private List<String> rows(final String options) throws IOException {
		succeeds(("match " + options + " -o m.csv").split(" "));
		final List<String> lines = Files.readAllLines(folder.resolve("m.csv"));
		return lines.subList(1, lines.size());
	}

	private static double score(final String row) {
		return Double.parseDouble(row.split(",")[6]);
	}

	@Test
	void autoExpectsAFewFalseMatchesInAHundred() throws IOException {
		final List<String> given = rows("frames.tif object.tif --false-alarms 0.05"), auto = rows("frames.tif object.tif --min-score auto");
		assertEquals(given, auto);
		assertTrue(out.toString().matches("(?s).*minimum score 0\\.\\d{3}.*"), out.toString());
		assertTrue(Files.readAllLines(folder.resolve("m.csv")).get(0).endsWith(",probability,false_alarms,min_score,background"));
		assertTrue(auto.stream().anyMatch(row -> row.contains("frames.tif,2,1,30,40,0,1,")), auto.toString());
		assertTrue(auto.size() <= 2, auto.toString());
		assertEquals(rows("frames.tif object.tif --false-alarms 5"), rows("frames.tif object.tif --min-score auto --false-alarms 5"));
	}

	@Test
	void theTotalCountsTheBestOfAllFrames() throws IOException {
		final List<String> all = rows("frames.tif object.tif --min-score 0.3"), best = new ArrayList<>(all);
		assertTrue(all.size() > 20, "" + all.size());
		best.sort(Comparator.comparingDouble(row -> -score(row)));
		final List<String> expected = all.stream().filter(best.subList(0, 9)::contains).toList();
		assertEquals(expected, rows("frames.tif object.tif --min-score 0.3 --total 9"));
		assertTrue(expected.stream().map(row -> row.split(",")[1]).distinct().count() > 1, "of several frames: " + expected);
		assertEquals(2, rows("frames.tif object.tif --min-score 0.3 --max-matches 1 --total 2").size());
		assertEquals(all, rows("frames.tif object.tif --min-score 0.3 --total 100000"));
	}

	@Test
	void theOverlayHasTheMatchesOfTheTotal() throws IOException {
		rows("one.tif --roi 20,30,9,9 --min-score 0.2 --total 1 --overlay one.png");
		final BufferedImage one = ImageIO.read(folder.resolve("one.png").toFile());
		rows("one.tif --roi 20,30,9,9 --min-score 0.99 --overlay best.png");
		final BufferedImage best = ImageIO.read(folder.resolve("best.png").toFile());
		for (int y = 0; y < one.getHeight(); y++)
			for (int x = 0; x < one.getWidth(); x++) assertEquals(best.getRGB(x, y), one.getRGB(x, y));
	}

	@Test
	void thePlotLeavesTheMatchesAsTheyAre() throws IOException {
		final List<String> plain = rows("frames.tif object.tif --min-score 0.5");
		assertEquals(plain, rows("frames.tif object.tif --min-score 0.5 --plot-alarms alarms.png"));
		final BufferedImage picture = ImageIO.read(folder.resolve("alarms.png").toFile());
		final long blue = Arrays.stream(picture.getRGB(0, 0, picture.getWidth(), picture.getHeight(), null, 0, picture.getWidth())).filter(c -> (c & 0xffffff) == 0x0072b2).count();
		assertTrue(blue > 300, "pixels of the line: " + blue);
		assertTrue(out.toString().contains("alarms.png"));
	}

	@Test
	void whatIsNotValidIsRefused() throws IOException {
		refuses("match one.tif --roi 2,3,9,9 --min-score high -o m.csv", "--min-score 'high' is not a number: give a number from -1 to 1, such as 0.7, or auto");
		refuses("match one.tif --roi 2,3,9,9 --min-score 1.2 -o m.csv", "--min-score 1.2: give a number from -1 to 1, or auto");
		refuses("match one.tif --roi 2,3,9,9 --min-score 0.4 --false-alarms 1 -o m.csv", "--min-score and --false-alarms are both given");
		refuses("match one.tif --roi 2,3,9,9 --total 0 -o m.csv", "--total 0: give at least 1");
		refuses("match one.tif --roi 2,3,9,9 --plot-alarms ./a.jpg -o m.csv", "the plot ");
		refuses("match one.tif --roi 2,3,9,9 --angles 0:90:10 --total 3 -o m.csv", "--total does not go with --angles");
	}
}
