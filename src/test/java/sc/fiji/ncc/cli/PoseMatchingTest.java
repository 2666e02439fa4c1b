package sc.fiji.ncc.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import javax.imageio.ImageIO;

import ij.ImagePlus;
import ij.ImageStack;
import ij.process.ColorProcessor;
import ij.process.FloatProcessor;
import ij.process.ImageProcessor;

import net.imglib2.RandomAccess;
import net.imglib2.type.numeric.RealType;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.cli.input.ImageFiles;
import sc.fiji.ncc.cli.input.InputImage;
import sc.fiji.ncc.drawing.RotatedCoins;
import sc.fiji.ncc.fixture.SmoothNoise;

/** {@code ncc match} with rotated templates. */
class PoseMatchingTest extends InFolder {

	private List<String> rows(final String name) throws IOException {
		return Files.readAllLines(folder.resolve(name));
	}

	/** The sample's poses come back, each once, and no other coin. */
	@Test
	void theExampleOfTheDocumentation() throws IOException {
		succeeds("sample", "--rotated", "rotated.png");
		assertEquals("480x350", ImageFiles.read(path("rotated.png")).size());
		final String said = succeeds("match", "rotated.png", "--roi", "30,30,56,56", "--angles", "0:360:6", "--scales", "0.85:1.2:1.07", "--min-score",
			"0.8", "-o", "m.csv", "--overlay", "o.png");
		assertTrue(said.contains("360 poses; 7 matches, the best 1.000"), said);
		final List<String> rows = rows("m.csv");
		assertTrue(rows.get(0).endsWith(",unit,angle,scale,mirrored,sigma_x,sigma_y,correlation_xy,sigma_angle,sigma_scale"), rows.get(0));
		assertEquals(960, ImageIO.read(folder.resolve("o.png").toFile()).getWidth());
		final List<RotatedCoins.Coin> left = new ArrayList<>(RotatedCoins.COINS);
		left.removeIf(c -> c.column() != 0);
		assertEquals(left.size(), rows.size() - 1);
		for (final String row : rows.subList(1, rows.size())) {
			final String[] v = row.split(",");
			final double x = Double.parseDouble(v[7]) + 27.5, y = Double.parseDouble(v[8]) + 27.5, angle = Double.parseDouble(v[16]), scale = Double.parseDouble(v[17]);
			assertTrue(left.removeIf(c -> Math.hypot(c.x() - x, c.y() - y) < 0.1 && Math.abs(Math.IEEEremainder(c.angle() - angle, 360)) < 0.5 && Math.abs(c.scale() / scale - 1) < 0.01), row);
			assertEquals("0", v[18]);
			// 0 to the last digits for the coin that is the template
			for (int k = 22; k < 24; k++) assertTrue(Double.parseDouble(v[k]) >= 0 && Double.parseDouble(v[k]) < 1, row);
		}
	}

	/** At the position of each match the maps have its score and the number of its pose in the list. */
	@Test
	void mapsOfScoresAndPoses() throws IOException {
		succeeds("sample", "--rotated", "rotated.png");
		final String said = succeeds(("match rotated.png --roi 30,30,56,56 --angles 0:360:6 --min-score 0.8 --no-refine -o m.csv --score-map s.tif "
			+ "--pose-map p.mrc --pose-list l.csv")
			.split(" "));
		assertTrue(said.contains("m.csv, ") && said.contains("s.tif, ") && said.contains("p.mrc, ") && said.contains("l.csv"), said);
		final InputImage scores = ImageFiles.read(path("s.tif")), poses = ImageFiles.read(path("p.mrc"));
		final List<String> list = rows("l.csv");
		assertEquals("pose,angle,scale,mirrored", list.get(0));
		assertEquals(61, list.size());
		final RandomAccess<?> score = scores.pixels().randomAccess(), pose = poses.pixels().randomAccess();
		for (final String row : rows("m.csv").subList(1, rows("m.csv").size())) {
			final String[] v = row.split(",");
			final long[] at = { Long.parseLong(v[3]) + (long) scores.calibration().xOrigin(), Long.parseLong(v[4]) + (long) scores.calibration().yOrigin() };
			assertEquals(Double.parseDouble(v[6]), ((RealType<?>) score.setPositionAndGet(at)).getRealDouble(), 2e-5, row);
			final int number = (int) ((RealType<?>) pose.setPositionAndGet(at)).getRealDouble();
			assertEquals(number + "," + String.join(",", v[v.length - 3], v[v.length - 2], v[v.length - 1]), list.get(number));
		}
		assertEquals(scores.calibration().xOrigin(), poses.calibration().xOrigin());
		refuses("match rotated.png --roi 30,30,56,56 -o m.csv --pose-list l.csv", "--pose-list " + path("l.csv") + " has no effect without --angles");
		refuses("match rotated.png --roi 30,30,56,56 --angles 0,90 -o m.csv --score-map s.zarr", "--score-map is a TIFF or MRC file");
	}

	/** One file for each template, with the frames of the stack. */
	@Test
	void mapsOfSeveralTemplatesAndFrames() throws IOException {
		final ImageStack stack = new ImageStack(40, 30);
		final Random random = new Random(5);
		for (int t = 0; t < 3; t++) {
			final FloatProcessor frame = new FloatProcessor(40, 30);
			for (int i = 0; i < 1200; i++) frame.setf(i, random.nextFloat());
			stack.addSlice(frame);
		}
		final ImagePlus image = new ImagePlus("s", stack);
		image.setDimensions(1, 1, 3);
		save("s.tif", image);
		for (int k = 0; k < 2; k++) {
			final ImageProcessor first = stack.getProcessor(1);
			first.setRoi(5 + k, 6, 9, 9);
			save("t" + k + ".tif", first.crop());
		}
		succeeds("match s.tif t0.tif t1.tif --angles 0,90 --min-score -1 --max-matches 1 -o m.csv --score-map q.tif".split(" "));
		for (int k = 0; k < 2; k++) {
			final InputImage map = ImageFiles.read(path("q-" + (k + 1) + ".tif"));
			assertEquals("xyt", map.axes());
			assertEquals(3, map.pixels().dimension(2));
			final long[] at = { 5 + k + (long) map.calibration().xOrigin(), 6 + (long) map.calibration().yOrigin(), 0 };
			assertEquals(1, ((RealType<?>) map.pixels().randomAccess().setPositionAndGet(at)).getRealDouble(), 1e-5);
			at[2] = 1;
			assertTrue(((RealType<?>) map.pixels().randomAccess().setPositionAndGet(at)).getRealDouble() < 0.9);
		}
	}

	/** The coin at 30 lies beyond the first column of one box, and in the middle of the other one. */
	@Test
	void theEdgeOfARegion() throws IOException {
		succeeds("sample", "--rotated", "rotated.png");
		final String call = "match rotated.png --roi 30,30,56,56 --angles 0:360:30 --max-matches 1 -o m.csv";
		for (final String[] box : new String[][] { { "31,0,80,120", "1" }, { "20,0,90,120", "0" } }) {
			succeeds((call + " --inside " + box[0]).split(" "));
			assertTrue(rows("m.csv").get(0).endsWith(",sigma_scale,edge") && rows("m.csv").get(1).endsWith("," + box[1]), box[0] + rows("m.csv"));
		}
		succeeds(call.split(" "));
		assertTrue(rows("m.csv").get(0).endsWith(",sigma_scale"));
	}

	/** Errors of angle and scale, for what was searched and refined. */
	@Test
	void errorsOfAngleAndScale() throws IOException {
		succeeds("sample", "--rotated", "rotated.png");
		final String call = "match rotated.png --roi 30,30,56,56 --min-score 0.8 -o m.csv ";
		for (final String words : List.of("--angles 0:360:6", "--scales 0.85:1.2:1.07", "--angles 0:360:6 --scales 0.85:1.2:1.07")) {
			succeeds((call + words).split(" "));
			final List<String> head = List.of(rows("m.csv").get(0).split(","));
			assertEquals(List.of("sigma_x", "sigma_y", "correlation_xy", "sigma_angle", "sigma_scale"), head.subList(head.size() - 5, head.size()));
			for (final String row : rows("m.csv").subList(1, rows("m.csv").size())) {
				final String[] v = row.split(",");
				assertEquals(head.size(), v.length, row);
				assertEquals(words.contains("angles"), !v[v.length - 2].equals("NaN"), row);
				assertEquals(words.contains("scales"), !v[v.length - 1].equals("NaN"), row);
			}
		}
		succeeds((call + "--angles 0:360:6 --no-refine").split(" "));
		assertTrue(rows("m.csv").get(0).endsWith(",unit,angle,scale,mirrored"), rows("m.csv").get(0));
	}

	/** The minimum score lies between noise and the coins. */
	@Test
	void theMinimumScoreFollowsFromTheBackground() throws IOException {
		succeeds("sample", "--rotated", "rotated.png");
		final String call = "match rotated.png --roi 30,30,56,56 --angles 0:360:12 --scales 1,1.1 --min-score ";
		final String auto = succeeds((call + "auto -o m.csv").split(" "));
		final Matcher score = Pattern.compile("60 poses; minimum score (0\\.\\d+)( \\(uncertain: .*\\))?; (\\d+) matches").matcher(auto);
		assertTrue(score.find(), auto);
		assertTrue(Double.parseDouble(score.group(1)) > 0.3 && Double.parseDouble(score.group(1)) < 0.95, auto);
		final String higher = succeeds("match rotated.png --roi 30,30,56,56 --angles 0:360:12 --scales 1,1.1 --false-alarms 1e-6 -o n.csv".split(" "));
		assertTrue(Double.parseDouble(higher.replaceAll("(?s).*minimum score ([0-9.]+).*", "$1")) > Double.parseDouble(score.group(1)), higher);
		succeeds((call + score.group(1) + " -o o.csv").split(" "));
		assertEquals(rows("m.csv").size(), rows("o.csv").size());
	}

	/** The same reason in the summary and in each row of the table; a given score has none. */
	@Test
	void theStateOfTheBackgroundIsSaid() throws IOException {
		for (final double deviation : new double[] { 0, 2 }) {
			save("noise.tif", new FloatProcessor(110, 100, SmoothNoise.of(110, 100, deviation, new Random(4)), null));
			final String call = "match noise.tif --roi 50,40,15,15 --angles 0:360:10 --no-refine -o m.csv ";
			final String reason = "too few independent pixels in a window to count the poses";
			final String said = succeeds((call + "--false-alarms 1").split(" "));
			assertEquals(deviation > 0, said.contains(" (uncertain: " + reason + "); "), said);
			assertEquals(deviation == 0, !said.contains("uncertain"), said);
			final List<String> rows = rows("m.csv");
			assertTrue(rows.get(0).endsWith(",unit,min_score,background,angle,scale,mirrored"), rows.get(0));
			final int first = rows.get(0).split(",").length - 5;
			final double score = Double.parseDouble(said.replaceAll("(?s).*minimum score ([0-9.]+).*", "$1"));
			assertTrue(rows.size() > 1, "the template itself is found");
			for (final String row : rows.subList(1, rows.size())) {
				assertEquals(score, Double.parseDouble(row.split(",")[first]), 5e-4, row);
				assertEquals(deviation > 0 ? "smooth" : "ok", row.split(",")[first + 1], row);
			}
			assertFalse(succeeds((call + "--min-score 0.9").split(" ")).contains("uncertain"));
			assertTrue(rows("m.csv").get(0).endsWith(",unit,angle,scale,mirrored"));
		}
	}

	@Test
	void everyWayGivesTheSameTable() throws IOException {
		succeeds("sample", "--rotated", "rotated.png");
		final String[] common = { "match", "rotated.png", "--roi", "40,40,30,30", "--angles", "0:360:10", "--mirrored", "--min-score", "0.6",
			"--no-refine", "--max-matches", "9", "-o" };
		final List<List<String>> tables = new ArrayList<>();
		for (final String[] more : new String[][] { {}, { "--algorithm", "cpu-every-pose" }, { "--memory", "16", "--explain" } }) {
			final List<String> words = new ArrayList<>(List.of(common));
			words.add("m.csv");
			words.addAll(List.of(more));
			succeeds(words.toArray(new String[0]));
			tables.add(rows("m.csv"));
		}
		assertTrue(tables.get(0).size() > 2);
		assertEquals(tables.get(0).size(), tables.get(1).size());
		for (int i = 0; i < tables.get(0).size(); i++) {
			// scores can differ in their last places
			assertEquals(tables.get(0).get(i).replaceAll("0\\.\\d+", "s"), tables.get(1).get(i).replaceAll("0\\.\\d+", "s"));
			assertEquals(tables.get(0).get(i), tables.get(2).get(i));
		}
	}

	/** Colours give one joint score, with channel 2 as the other pattern; one channel can be chosen. */
	@Test
	void coloursAreJointByDefault() throws IOException {
		final double[] turned = { 0.8660254, 0.5 };
		final ColorProcessor image = new ColorProcessor(70, 60), part = new ColorProcessor(21, 21);
		for (int i = 0; i < 70 * 60; i++) {
			// 30 degrees counter-clockwise as seen on the screen
			final double x = i % 70 - 40, y = i / 70 - 25, u = turned[0] * x - turned[1] * y, v = turned[1] * x + turned[0] * y;
			image.set(i, colour(u, v));
		}
		for (int i = 0; i < 441; i++) part.set(i, colour(i % 21 - 10, i / 21 - 10));
		save("rgb.tif", image);
		save("part.tif", part);
		final String call = "match rgb.tif part.tif --angles 0:360:10 --min-score 0.95 --no-refine -o m.csv --overlay o.png";
		for (final String support : List.of("disk", "ring", "whole")) {
			succeeds((call + " --support " + support).split(" "));
			final String[] row = rows("m.csv").get(1).split(",");
			assertEquals(List.of("30", "15"), List.of(row).subList(3, 5));
			assertEquals(30, Double.parseDouble(row[row.length - 3]));
			assertEquals(2, rows("m.csv").size());
		}
		succeeds((call + " --channels 2").split(" "));
		assertEquals(2, rows("m.csv").size());
		save("gray.tif", part.convertToByteProcessor());
		refuses("match rgb.tif gray.tif --angles auto -o n.csv", "the template has 1 channel, the image has 3");
	}

	private static int colour(final double x, final double y) {
		final double r = Math.exp(-((x - 3) * (x - 3) + y * y) / 20), g = Math.exp(-(x * x + (y - 4) * (y - 4)) / 14), b = 1 - Math.exp(-(x * x + y * y) / 30);
		return (int) (40 + 200 * r) << 16 | (int) (30 + 190 * g) << 8 | (int) (20 + 100 * b);
	}

	/** A folder of templates stands for all its images, with and without poses; a folder of images is searched file by file. */
	@Test
	void foldersOfTemplatesAndImages() throws IOException {
		succeeds("sample", "--rotated", "rotated.png");
		final BufferedImage all = ImageIO.read(folder.resolve("rotated.png").toFile());
		Files.createDirectory(folder.resolve("parts"));
		Files.createDirectory(folder.resolve("images"));
		ImageIO.write(all.getSubimage(30, 30, 56, 56), "png", folder.resolve("parts/a10.png").toFile());
		ImageIO.write(all.getSubimage(32, 34, 50, 50), "png", folder.resolve("parts/a9.png").toFile());
		for (int i = 0; i < 2; i++) ImageIO.write(all.getSubimage(10 * i, 5 * i, 150, 150), "png", folder.resolve("images/i" + i + ".png").toFile());
		succeeds("match", "./images", "./parts", "--angles", "0:360:12", "--min-score", "0.95", "--no-compete", "--no-refine", "-o", "m.csv");
		final List<String> found = new ArrayList<>();
		for (final String row : rows("m.csv").subList(1, rows("m.csv").size())) {
			final String[] v = row.split(",");
			found.add(v[0] + " " + v[2] + " " + v[3] + " " + v[4]);
		}
		found.sort(null);
		assertEquals(List.of("i0.png 1 32 34", "i0.png 2 30 30", "i1.png 1 22 29", "i1.png 2 20 25"), found);
		succeeds("match", "rotated.png", "./parts", "--min-score", "0.99", "--no-compete", "-o", "n.csv");
		assertEquals(3, rows("n.csv").size());
		Files.createDirectory(folder.resolve("none"));
		refuses("match rotated.png ./none -o o.csv", "there are no images in the folder", "none");
	}

	@Test
	void volumesAreRotatedToo() throws IOException {
		final int n = 26, t = 11;
		final ImageStack volume = new ImageStack(n, n), part = new ImageStack(t, t);
		// a quarter turn about z: the offset (x, y) goes to (-y, x)
		for (int z = 0; z < n; z++) {
			final FloatProcessor plane = new FloatProcessor(n, n);
			for (int y = 0; y < n; y++)
				for (int x = 0; x < n; x++) plane.setf(x, y, (float) body(y - 14, -(x - 12), z - 13));
			volume.addSlice(plane);
		}
		for (int z = 0; z < t; z++) {
			final FloatProcessor plane = new FloatProcessor(t, t);
			for (int y = 0; y < t; y++)
				for (int x = 0; x < t; x++) plane.setf(x, y, (float) body(x - 5, y - 5, z - 5));
			part.addSlice(plane);
		}
		save("volume.tif", new ImagePlus("v", volume));
		save("part.tif", new ImagePlus("p", part));
		Files.writeString(folder.resolve("turns.txt"), "# w x y z\n1 0 0 0\n0.70710678, 0, 0, 0.70710678\n0 90 0\n");
		succeeds("match", "volume.tif", "part.tif", "--angles", "turns.txt", "--min-score", "0.9", "--no-refine", "-o", "m.csv", "--overlay", "o.png");
		final String[] v = rows("m.csv").get(1).split(",");
		assertTrue(rows("m.csv").get(0).endsWith(",rotation_w,rotation_x,rotation_y,rotation_z"), rows("m.csv").get(0));
		assertEquals(List.of("7", "9", "8"), List.of(v).subList(3, 6));
		assertEquals(0.7071, Double.parseDouble(v[v.length - 1]), 1e-3);
		assertEquals(1, Double.parseDouble(v[6]), 1e-6);
		refuses("match volume.tif part.tif --angles 0:90:10 -o n.csv", "--angles");
		refuses("match volume.tif part.tif --angles none.txt -o n.csv", "none.txt");
		refuses("match volume.tif part.tif --angles 0:360:5 -o n.csv", "--angles 0:360:5 gives angles in a plane", "--angles uniform:30");
		refuses("match volume.tif part.tif --angles 0:360:5 -o n.csv", "the template has three", "--angles uniform:30");
		refuses("match volume.tif part.tif --angles uniform:1 -o n.csv", "uniform:1", "from 2 to 90");
	}

	private static double body(final double x, final double y, final double z) {
		return Math.exp(-((x - 2) * (x - 2) + y * y + z * z) / 6) - 0.7 * Math.exp(-(x * x + (y - 3) * (y - 3) + (z + 1) * (z + 1)) / 5);
	}

	/** The summary states the default, which is not that of unrotated templates. */
	@Test
	void theDefaultMinimumScoreIsStated() throws IOException {
		succeeds("sample", "--rotated", "rotated.png");
		final String[] call = { "match", "rotated.png", "--roi", "30,30,56,56", "--angles", "0,33", "-o", "m.csv" };
		assertTrue(succeeds(call).contains("; minimum score 0.700; "), out.toString());
		final String table = Files.readString(Path.of(path("m.csv")));
		final String[] given = Arrays.copyOf(call, call.length + 2);
		given[call.length] = "--min-score";
		given[call.length + 1] = "0.7";
		assertFalse(succeeds(given).contains("minimum score"), out.toString());
		assertEquals(table, Files.readString(Path.of(path("m.csv"))));
	}

	@Test
	void mistakesAreNamed() throws IOException {
		succeeds("sample", "--rotated", "rotated.png");
		final String call = "match rotated.png --roi 30,30,56,56 -o m.csv ";
		refuses(call + "--angles 0:360:0", "--angles 0:360:0", "step");
		refuses(call + "--angles 90:0:5", "90:0:5", "smaller one first");
		refuses(call + "--angles 0:360", "2 parts", "from:to:step");
		refuses(call + "--angles ten", "'ten' is not a number");
		refuses(call + "--scales 0", "scale is 0.0");
		refuses(call + "--scales 0.5:1:1", "factor");
		refuses(call + "--angles auto --support square", "--support square");
		refuses(call + "--angles auto --support ring:2", "ring is 2.0");
		refuses(call + "--angles auto --extent same", "--extent same");
		refuses(call + "--angles auto --false-alarms 0", "--false-alarms 0.0: give a number from");
		refuses(call + "--angles auto --total 3", "--total", "--max-matches");
		refuses(call + "--angles auto --nan missing", "--nan missing");
		refuses(call + "--angles auto --image-mask rotated.png", "--image-mask");
		refuses(call + "--angles auto --search 0,0,9,9", "--inside");
		refuses(call + "--support whole", "--support whole has no effect without --angles", "leave --support out");
		refuses(call + "--no-refine", "--no-refine has no effect without --angles");
		refuses(call + "--algorithm cpu-bounded", "cpu-bounded", "solves other problems");
		refuses(call + "--angles auto --algorithm cpu-fourier", "cpu-fourier", "solves other problems", "cpu-every-pose");
		refuses(call + "--angles auto --border edge", "--border does not go with --angles", "leave it out");
		refuses(call + "--angles uniform:30", "--angles uniform:30", "the template has two", "0:360:2");
		refuses(call + "--angles auto --min-score 0.5 --memory 1 --algorithm cpu-every-pose", "a quarter of the memory of 1000000 bytes");
		refuses(call + "--angles auto --precision double", "--precision double does not go with", "leave it out");
		refuses(call + "--angles auto --undefined nan", "--undefined nan does not go with", "leave it out");
	}
}
