package sc.fiji.ncc.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

import javax.imageio.ImageIO;
import javax.xml.parsers.DocumentBuilderFactory;

import net.imglib2.RandomAccessibleInterval;

import ij.ImagePlus;
import ij.ImageStack;
import ij.process.ByteProcessor;
import ij.process.FloatProcessor;
import ij.process.ImageProcessor;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

import sc.fiji.ncc.TemplateTracking;
import sc.fiji.ncc.cli.input.ImageFiles;
import sc.fiji.ncc.cli.output.ProgressBar;
import sc.fiji.ncc.drawing.MotionDrawing;
import sc.fiji.ncc.fixture.RandomPixels;
import sc.fiji.ncc.track.TrackPoint;
import sc.fiji.ncc.track.Tracks;

/** {@code ncc track}. */
class TrackSubcommandTest extends InFolder {

	private static final String HEAD = "template,frame,x,y,subpixel_x,subpixel_y,score,runner_up,lost,motion_x,motion_y,edge,template_name";
	private static final int WIDTH = 50, HEIGHT = 40, FRAMES = 6;

	/** stack.tif: noise that moves by (2, −1) a frame, with noise of its own; in the last frame there is nothing but that. */
	@BeforeEach
	void stack() {
		final Random random = new Random(3);
		final int[] scene = random.ints(100 * 100, 0, 200).toArray();
		final ImageStack stack = new ImageStack(WIDTH, HEIGHT);
		for (int f = 0; f < FRAMES; f++) {
			final ByteProcessor frame = new ByteProcessor(WIDTH, HEIGHT);
			for (int y = 0; y < HEIGHT; y++)
				for (int x = 0; x < WIDTH; x++)
					frame.set(x, y, (f == FRAMES - 1 ? random.nextInt(200) : scene[(y + f + 20) * 100 + x - 2 * f + 20]) + random.nextInt(20));
			stack.addSlice(frame);
		}
		final ImagePlus image = new ImagePlus("stack", stack);
		image.setDimensions(1, 1, FRAMES);
		save("stack.tif", image);
		image.setDimensions(1, FRAMES / 2, 2);
		image.setOpenAsHyperStack(true);
		save("volumes.tif", image);
	}

	private List<String[]> table(final String head) throws IOException {
		final List<String> lines = Arrays.asList(Files.readString(folder.resolve("tracks.csv")).split("\r\n"));
		assertEquals(head, lines.get(0));
		final List<String[]> rows = new ArrayList<>();
		for (final String line : lines.subList(1, lines.size())) rows.add(line.split(",", -1));
		return rows;
	}

	@Test
	void tracksGoToATable() throws IOException {
		final String said = succeeds("track stack.tif --roi 20,15,12,10 --roi 5,20,9,9 --max-shift 3,2 --min-score 0.7 -o tracks.csv --threads 2".split(" "));
		assertTrue(said.startsWith("2 templates in 6 frames, lost 2 times: roi 20 15 12 10 in 1 frame, roi 5 20 9 9 in 1 frame, by cpu-")
			&& said.contains("tracks.csv"), said);
		final List<String[]> rows = table(HEAD);
		assertEquals(2 * FRAMES, rows.size());
		for (int i = 0; i < rows.size(); i++) {
			final String[] row = rows.get(i);
			final int t = i / FRAMES, f = i % FRAMES;
			assertEquals((t + 1) + " " + (f + 1), row[0] + " " + row[1]);
			assertEquals(f == FRAMES - 1 ? "1" : "0", row[8]);
			if (f == FRAMES - 1) continue;
			assertEquals((t == 0 ? 20 : 5) + 2 * f, Integer.parseInt(row[2]));
			assertEquals((t == 0 ? 15 : 20) - f, Integer.parseInt(row[3]));
			for (int d = 0; d < 2; d++) {
				assertEquals(Double.parseDouble(row[2 + d]), Double.parseDouble(row[4 + d]), 0.2);
				assertEquals(Double.parseDouble(row[4 + d]) - (d == 0 ? t == 0 ? 20 : 5 : t == 0 ? 15 : 20), Double.parseDouble(row[9 + d]), 1e-12);
			}
			assertEquals("0", row[11]);
			assertTrue(Double.parseDouble(row[6]) > 0.9 && Double.parseDouble(row[7]) < 0.6);
		}
	}

	@Test
	void optionsReachTheOp() throws IOException {
		succeeds("track stack.tif --roi 26,12,12,10 --max-shift 3,2 --reference 4 --update mean --weight 0.5 --anchor 0.6 -o tracks.csv".split(" "));
		for (final String[] row : table(HEAD).subList(0, FRAMES - 1))
			assertEquals(18 + 2 * Integer.parseInt(row[1]) + " " + (16 - Integer.parseInt(row[1])), row[2] + " " + row[3]);
		succeeds("track stack.tif --roi 20,15,12,10 --max-shift 3,2 --no-follow --update previous -o tracks.csv".split(" "));
		final List<String[]> rows = table(HEAD);
		assertEquals("0 1", rows.get(1)[8] + " " + rows.get(4)[8]);
		assertTrue(succeeds("track stack.tif --roi 20,15,12,10 --max-shift 3,2 -o tracks.csv --explain --algorithm cpu-direct".split(" ")).contains("U8 image 50x40, template U8 [12x10], 7x5 lags, 6 frames"));
	}

	/** Templates move by (2, -1) a frame: a shift of less is told, one that suffices is not, and none along a dimension is no edge. */
	@Test
	void peaksAtTheEdgeOfTheSearch() throws IOException {
		for (final String shift : List.of("2,2", "3,1")) {
			final String said = succeeds(("track stack.tif --roi 20,15,12,10 --roi 5,20,9,9 --min-score -1 -o tracks.csv --max-shift " + shift).split(" "));
			assertTrue(said.matches("(?s).*; in [45] of 6 frames the peak lies at the edge of the search: enlarge --max-shift; wrote .*"), said);
			for (final String[] row : table(HEAD)) if (!row[1].equals("6")) assertEquals(row[1].equals("1") ? "0" : "1", row[11]);
		}
		assertFalse(succeeds("track stack.tif --roi 20,15,12,10 --min-score -1 -o tracks.csv --max-shift 50,50".split(" ")).contains("edge"));
		for (final String[] row : table(HEAD)) assertEquals("0", row[11]);
		succeeds("track stack.tif --roi 20,15,12,10 --min-score -1 -o tracks.csv --max-shift 0,0".split(" "));
		for (final String[] row : table(HEAD)) assertEquals("0", row[11]);
		// a folder says the same
		Files.createDirectory(folder.resolve("in"));
		final ImagePlus stack = new ImagePlus(path("stack.tif"));
		for (int f = 0; f < FRAMES; f++) save("in/t" + f + ".tif", stack.getStack().getProcessor(f + 1));
		succeeds("track stack.tif --roi 20,15,12,10 --min-score -1 -o tracks.csv --max-shift 2,2 --reference 3".split(" "));
		final String expected = Files.readString(folder.resolve("tracks.csv"));
		succeeds("track ./in --roi 20,15,12,10 --min-score -1 -o tracks.csv --max-shift 2,2 --reference 3".split(" "));
		assertEquals(expected, Files.readString(folder.resolve("tracks.csv")));
		assertTrue(expected.contains(",1,roi "));
	}

	/** One number counts for each dimension; the default is 10. */
	@Test
	void oneMaximumShift() throws IOException {
		succeeds("track stack.tif --roi 20,15,12,10 -o tracks.csv --max-shift 10,10".split(" "));
		final String expected = Files.readString(folder.resolve("tracks.csv"));
		for (final String shift : List.of("", " --max-shift 10")) {
			assertTrue(succeeds(("track stack.tif --roi 20,15,12,10 -o tracks.csv --explain" + shift).split(" ")).contains("21x21 lags"));
			assertEquals(expected, Files.readString(folder.resolve("tracks.csv")));
		}
		assertTrue(succeeds("track volumes.tif --roi 20,15,1,12,10,1 -o tracks.csv --max-shift 1 --explain".split(" ")).contains("3x3x3 lags"));
	}

	@Test
	void volumesHaveADepth() throws IOException {
		succeeds("track volumes.tif --roi 20,15,0,12,10,2 --max-shift 8,8,1 --min-score -1 -o tracks.csv".split(" "));
		final List<String[]> rows = table("template,frame,x,y,z,subpixel_x,subpixel_y,subpixel_z,score,runner_up,lost,motion_x,motion_y,motion_z,edge,template_name");
		assertEquals(2, rows.size());
		// the second volume begins three planes later
		assertEquals("26 12 0", rows.get(1)[2] + " " + rows.get(1)[3] + " " + rows.get(1)[4]);
	}

	/** In the frame that it was cut from a template lies where it was cut. In double precision fits are to exact coefficients, which hardly differ. */
	@Test
	void placesBetweenThePixels() throws IOException {
		succeeds("track stack.tif --roi 20,15,12,10 --max-shift 3,2 -o tracks.csv".split(" "));
		final List<String[]> single = table(HEAD);
		succeeds("track stack.tif --roi 20,15,12,10 --max-shift 3,2 -o tracks.csv --precision double".split(" "));
		final List<String[]> exact = table(HEAD);
		for (final List<String[]> rows : List.of(single, exact)) assertEquals("20 15 1", rows.get(0)[4] + " " + rows.get(0)[5] + " " + rows.get(0)[6]);
		for (int f = 1; f < FRAMES; f++) {
			assertEquals(Double.parseDouble(single.get(f)[4]), Double.parseDouble(exact.get(f)[4]), 1e-3);
			assertEquals(single.get(f)[6], exact.get(f)[6]);
			for (int column = 4; column < 11; column++) if (column != 8) assertTrue(single.get(f)[column].matches("-?\\d+(\\.\\d{0,"
				+ (column == 6 || column == 7 ? 5 : 3) + "}[1-9])?"),
				single.get(f)[column]);
		}
	}

	/** The peak of a smooth template is flat, so that errors of 1e-7 in single precision move its fit. */
	@Test
	void precisionReachesTheOp() throws IOException {
		final ImageStack frames = new ImageStack(WIDTH, HEIGHT);
		for (int f = 0; f < 4; f++) {
			final FloatProcessor frame = new FloatProcessor(WIDTH, HEIGHT);
			for (int y = 0; y < HEIGHT; y++) for (int x = 0; x < WIDTH; x++) frame.setf(x, y, (float) (Math.sin((x - 0.3 * f) / 15) * Math.cos(y / 20.0)));
			frames.addSlice(frame);
		}
		save("smooth.tif", new ImagePlus("smooth", frames));
		final List<String> tables = new ArrayList<>();
		for (final String precision : List.of("single", "double")) {
			succeeds(("track smooth.tif --roi 20,15,12,10 --max-shift 3,2 -o tracks.csv --algorithm cpu-fourier --precision " + precision).split(" "));
			tables.add(Files.readString(folder.resolve("tracks.csv")));
		}
		assertFalse(tables.get(0).equals(tables.get(1)), tables.get(0));
	}

	/** One image for each frame, in the order of the numbers in their names: the same as the stack, from whichever frame on. */
	@Test
	void aFolderIsATimeSeries() throws IOException {
		Files.createDirectory(folder.resolve("in"));
		final ImagePlus stack = new ImagePlus(path("stack.tif"));
		for (int f = 0; f < FRAMES; f++) save("in/t" + (f + 8) + ".tif", stack.getStack().getProcessor(f + 1));
		for (final String reference : List.of("1 --roi 20,15,12,10 --roi 5,20,9,9", "6 --roi 26,12,12,10 --update previous",
			"4 --roi 26,12,12,10 --update mean --plot ./motion.png")) {
			succeeds(("track stack.tif --max-shift 3,2 -o tracks.csv --precision double --reference " + reference).split(" "));
			final String expected = Files.readString(folder.resolve("tracks.csv"));
			final String said = succeeds(("track ./in --max-shift 3,2 -o tracks.csv --precision double --explain --reference " + reference).split(" "));
			assertEquals(expected, Files.readString(folder.resolve("tracks.csv")), reference);
			assertTrue(said.contains(" in 6 frames, ") && said.contains("cpu-"), said);
		}
		refuses("track ./in --max-shift 3,2 -o tracks.csv --reference 7 --roi 1,1,9,9", "--reference 7: the folder has 6 images: give a number from 1 to 6");
		refuses("track ./in --max-shift 3,2 -o tracks.csv --roi 45,1,9,9", "the region 45,1,9,9 is not inside");
		save("in/t9.tif", new ByteProcessor(WIDTH, HEIGHT - 1));
		refuses("track ./in --max-shift 3,2 -o tracks.csv --roi 1,1,9,9", "t9.tif is 50x39 of UnsignedByte, and ", "t8.tif is 50x40 of UnsignedByte: frames must be of one size and type");
		save("in/t9.tif", stack);
		refuses("track ./in --max-shift 3,2 -o tracks.csv --roi 1,1,9,9", "t9.tif (xyt, 50x40x6) has more than one frame");
	}

	@Test
	void tracksForTrackMate() throws Exception {
		succeeds("track stack.tif --roi 20,15,12,10 --roi 5,20,9,9 --max-shift 3,2 --min-score 0.7 -o tracks.csv --trackmate ".concat(folder.resolve("tracks.xml").toString()).split(" "));
		final Document file = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(folder.resolve("tracks.xml").toFile());
		final Element image = (Element) file.getElementsByTagName("ImageData").item(0), spot = (Element) file.getElementsByTagName("Spot").item(0);
		assertEquals("stack.tif", image.getAttribute("filename"));
		assertEquals(folder.toAbsolutePath().toString(), image.getAttribute("folder"));
		final List<String> rows = Files.readAllLines(folder.resolve("tracks.csv"));
		assertEquals(rows.stream().skip(1).filter(r -> r.split(",")[8].equals("0")).count(), file.getElementsByTagName("Spot").getLength());
		assertEquals(20 + 5.5, Double.parseDouble(spot.getAttribute("POSITION_X")), 1e-9);
		assertEquals(15 + 4.5, Double.parseDouble(spot.getAttribute("POSITION_Y")), 1e-9);
	}

	/** Templates from files, of two sizes, are found in the reference frame and followed from there, as regions at their places are; both ways name them. */
	@Test
	void templatesFromFiles() throws Exception {
		final ImagePlus stack = new ImagePlus(path("stack.tif"));
		Files.createDirectory(folder.resolve("templates"));
		for (final int[] roi : new int[][] { { 20, 15, 12, 10 }, { 5, 20, 9, 9 } }) {
			final ImageProcessor frame = stack.getStack().getProcessor(1);
			frame.setRoi(roi[0], roi[1], roi[2], roi[3]);
			save("templates/t" + roi[0] + ".tif", frame.crop());
		}
		for (final String tail : List.of("", " --reference 3", " --no-follow --max-shift 12 --update previous")) {
			final String call = " --max-shift 3,2 --min-score 0.7 -o tracks.csv".replace(tail.contains("max-shift") ? " --max-shift 3,2" : "none", "") + tail;
			succeeds(("track stack.tif --roi 20,15,12,10 --roi 5,20,9,9" + call.replace("--reference 3", "")).split(" +"));
			final List<String[]> regions = table(HEAD);
			final String said = succeeds(("track stack.tif --template templates/t20.tif templates/t5.tif" + call + " --trackmate ./tracks.xml").split(" "));
			assertTrue(said.matches("(?s)2 templates in 6 frames, lost 2 times: \\S*t20.tif in 1 frame, \\S*t5.tif in 1 frame, by .*"), said);
			final List<String[]> files = table(HEAD);
			assertEquals(2 * FRAMES, files.size());
			for (int i = 0; i < 2 * FRAMES; i++) {
				assertEquals(i < FRAMES ? "roi 20 15 12 10" : "roi 5 20 9 9", regions.get(i)[12]);
				assertEquals(path(i < FRAMES ? "templates/t20.tif" : "templates/t5.tif"), files.get(i)[12]);
				if ((i + 1) % FRAMES != 0) for (final int column : new int[] { 0, 1, 2, 3, 8, 11 }) assertEquals(regions.get(i)[column],
					files.get(i)[column], tail + " row " + i);
			}
		}
		final Document file = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(folder.resolve("tracks.xml").toFile());
		for (int t = 0; t < 2; t++) assertEquals(path(t == 0 ? "templates/t20.tif" : "templates/t5.tif"),
			((Element) file.getElementsByTagName("Track").item(t)).getAttribute("name"));
		// a folder of templates, a folder of frames
		Files.createDirectory(folder.resolve("in"));
		for (int f = 0; f < FRAMES; f++) save("in/t" + (f + 8) + ".tif", stack.getStack().getProcessor(f + 1));
		succeeds("track stack.tif --template ./templates --max-shift 3,2 --reference 3 -o tracks.csv".split(" "));
		final String expected = Files.readString(folder.resolve("tracks.csv"));
		assertTrue(expected.contains("t5.tif"), expected);
		succeeds("track ./in --template ./templates --max-shift 3,2 --reference 3 -o tracks.csv".split(" "));
		assertEquals(expected, Files.readString(folder.resolve("tracks.csv")));
	}

	/** The way back starts where the way forward has found the templates. */
	@Test
	void theReferenceFrameIsSearchedOnce() throws Exception {
		final List<String> names = new ArrayList<>();
		for (int f = 0; f < 4; f++) {
			final FloatProcessor frame = new FloatProcessor(50, 40), scene = new FloatProcessor(70, 60);
			final byte[] pixels = RandomPixels.bytes(1, 70 * 60);
			for (int i = 0; i < pixels.length; i++) scene.setf(i, pixels[i]);
			frame.insert(scene, -2 * f, -f);
			save("f" + f + ".tif", frame);
			names.add(path("f" + f + ".tif"));
			frame.setRoi(30 - 2 * f, 20 - f, 9, 8);
			if (f == 2) save("object.tif", frame.crop());
		}
		final List<RandomAccessibleInterval<?>> template = List.of(ImageFiles.read(path("object.tif")).pixels());
		final List<List<long[]>> starts = new ArrayList<>();
		final Tracks tracks;
		try (ProgressBar progress = new ProgressBar(new PrintStream(err), false, () -> false, System::nanoTime)) {
			tracks = new FolderTracking(names, 2, (image, dimensions) -> image, progress).track(known -> {
				starts.add(known);
				return (known == null ? TemplateTracking.of(template) : TemplateTracking.of(template, known)).maxShift(3, 3);
			}, 2);
		}
		for (int f = 0; f < 4; f++) assertArrayEquals(new long[] { 30 - 2 * f, 20 - f }, tracks.points().get(f).position(), "frame " + f);
		assertEquals(2, starts.size());
		assertNull(starts.get(0));
		assertArrayEquals(new long[] { 26, 18 }, starts.get(1).get(0));
	}

	/** Channels and slices are not time points: a template is followed in one channel and slice, or in all channels together. */
	@Test
	void channelsAndSlicesAreNotFrames() throws IOException {
		succeeds("track stack.tif --roi 20,15,12,10 --max-shift 3,2 -o tracks.csv".split(" "));
		final String expected = Files.readString(folder.resolve("tracks.csv"));
		final ImageStack scene = new ImagePlus(path("stack.tif")).getStack(), channels = new ImageStack(WIDTH, HEIGHT), slices = new ImageStack(WIDTH, HEIGHT);
		for (int f = 0; f < FRAMES; f++) {
			final ImageProcessor frame = scene.getProcessor(f + 1), other = new ByteProcessor(WIDTH, HEIGHT, RandomPixels.bytes(f, WIDTH * HEIGHT));
			for (final ImageProcessor plane : List.of(frame, other)) channels.addSlice(plane);
			for (final ImageProcessor plane : List.of(other, frame, other)) slices.addSlice(plane);
		}
		final ImagePlus two = new ImagePlus("channels", channels), three = new ImagePlus("slices", slices);
		two.setDimensions(2, 1, FRAMES);
		three.setDimensions(1, 3, FRAMES);
		save("channels.tif", two);
		save("slices.tif", three);
		for (final String call : List.of("channels.tif", "channels.tif --channels 1", "slices.tif --slice 2")) {
			succeeds(("track " + call + " --roi 20,15,12,10 --max-shift 3,2 -o tracks.csv").split(" "));
			assertEquals(expected, Files.readString(folder.resolve("tracks.csv")), call);
		}
		succeeds("track channels.tif --channels 2 --roi 20,15,12,10 --min-score 0.9 -o tracks.csv".split(" "));
		assertEquals(FRAMES, table(HEAD).size());
		assertTrue(table(HEAD).stream().skip(1).allMatch(row -> row[8].equals("1")), "other noise in each frame");
		Files.createDirectory(folder.resolve("in"));
		for (int f = 0; f < FRAMES; f++) {
			final ImageStack time = new ImageStack(WIDTH, HEIGHT);
			for (int z = 1; z <= 3; z++) time.addSlice(slices.getProcessor(3 * f + z));
			save("in/t" + f + ".tif", new ImagePlus("time", time));
		}
		succeeds("track ./in --slice 2 --roi 20,15,12,10 --max-shift 3,2 -o tracks.csv".split(" "));
		assertEquals(expected, Files.readString(folder.resolve("tracks.csv")));
		succeeds("track", "slices.tif", "--slice", "2", "--roi", "20,15,12,10", "-o", "tracks.csv", "--trackmate", path("tracks.xml"));
		assertTrue(Files.readString(folder.resolve("tracks.xml")).contains("POSITION_Z=\"1.0\""));
		refuses("track slices.tif --roi 20,15,12,10 -o tracks.csv", "slices.tif (xyzt) has slices in each time point: give the slice to follow the "
			+ "templates in with --slice");
		refuses("track ./in --roi 20,15,12,10 -o tracks.csv", "has slices in each time point");
		refuses("track slices.tif --slice 4 --roi 20,15,12,10 -o tracks.csv", "--slice 4: ", "slices.tif has 3 slices; give a number from 1 to 3");
		refuses("track slices.tif --slice 0 --roi 20,15,12,10 -o tracks.csv", "--slice 0: give the number of a slice, counted from 1");
		refuses("track slices.tif --slice 1 --roi 20,15,0,12,10,2 -o tracks.csv", "--slice 1 needs templates of two dimensions");
		refuses("track stack.tif --slice 1 --roi 20,15,12,10 -o tracks.csv", "stack.tif (xyt) has no slices: leave --slice out");
		refuses("track channels.tif --channels each --roi 20,15,12,10 -o tracks.csv", "--channels each: channels are not frames");
		two.setDimensions(2 * FRAMES, 1, 1);
		save("channels.tif", two);
		refuses("track channels.tif --roi 20,15,12,10 -o tracks.csv", "has one frame, so there is nothing to follow", "channels are not frames");
	}

	/** A mask of the size of the stack has its channels or slices, of which those count that are followed. */
	@Test
	void masksHaveTheChannelsAndSlicesOfTheStack() throws IOException {
		final ImageStack scene = new ImagePlus(path("stack.tif")).getStack(), twice = new ImageStack(WIDTH, HEIGHT), present = new ImageStack(WIDTH, HEIGHT);
		for (int f = 1; f <= FRAMES; f++) for (int i = 0; i < 2; i++) {
			twice.addSlice(scene.getProcessor(f));
			final ByteProcessor mask = new ByteProcessor(WIDTH, HEIGHT);
			mask.setValue(i);
			mask.fill();
			present.addSlice(mask);
		}
		final ImagePlus stack = new ImagePlus("stack", twice), mask = new ImagePlus("mask", present);
		for (final String which : List.of("--channels", "--slice")) {
			for (final ImagePlus image : List.of(stack, mask)) image.setDimensions(which.equals("--slice") ? 1 : 2, which.equals("--slice") ? 2 : 1, FRAMES);
			save("twice.tif", stack);
			save("mask.tif", mask);
			final String call = "track twice.tif --roi 20,15,12,10 --max-shift 3,2 -o tracks.csv ";
			succeeds((call + which + " 2").split(" "));
			final String expected = Files.readString(folder.resolve("tracks.csv"));
			succeeds((call + which + " 2 --image-mask mask.tif").split(" "));
			assertEquals(expected, Files.readString(folder.resolve("tracks.csv")), which);
			refuses(call + which + " 1 --image-mask mask.tif", "");
		}
		mask.setDimensions(2, 1, FRAMES);
		save("mask.tif", mask);
		refuses("track twice.tif --slice 1 --roi 20,15,12,10 -o tracks.csv --channels joint --image-mask mask.tif",
			"mask.tif has the axes xyct, and the chosen part of ", "twice.tif has xyt: give a mask with the same axes, or of one frame");
	}

	@Test
	void motionIsDrawn() throws IOException {
		succeeds("track stack.tif --roi 20,15,12,10 --roi 5,20,9,9 --max-shift 3,2 --min-score 0.7 -o tracks.csv --plot motion.png".split(" "));
		final BufferedImage picture = ImageIO.read(folder.resolve("motion.png").toFile());
		final List<TrackPoint> points = new ArrayList<>();
		for (int f = 0; f < 3; f++) points.add(new TrackPoint(0, f, new long[2], new double[2], 1, 0, f == 1, new double[] { 3 * f, -f }, false));
		final MotionDrawing drawing = new MotionDrawing(points);
		// both move alike: of the first the legend is left
		assertTrue(count(picture, drawing.colour(0).getRGB()) >= 54 && count(picture, drawing.colour(1).getRGB()) > 100);
		// a point that is lost breaks the line: two dots are left, and the legend
		final int dots = count(drawing.draw(), drawing.colour(0).getRGB());
		assertTrue(dots > 60 && dots < 150, "pixels: " + dots);
		// what stands still is drawn, too
		new MotionDrawing(points.subList(0, 1)).draw();
	}

	private static int count(final BufferedImage picture, final int colour) {
		return (int) Arrays.stream(picture.getRGB(0, 0, picture.getWidth(), picture.getHeight(), null, 0, picture.getWidth())).filter(c -> c == colour).count();
	}

	@Test
	void mistakesAreSaidInOneLine() throws IOException {
		refuses("track stack.tif --roi 45,15,12,10 --max-shift 3,2 -o tracks.csv", "the region 45,15,12,10 is not inside");
		refuses("track stack.tif --roi 20,15,12,0 --max-shift 3,2 -o tracks.csv", "is empty");
		refuses("track stack.tif --roi 20,15,12 -o tracks.csv", "--roi 20,15,12 has 3 numbers");
		refuses("track stack.tif --roi 20,15,12,10 --max-shift 3,2,1 -o tracks.csv", "--max-shift 3,2,1 has 3 numbers, and frames have 2 dimensions: give "
			+ "one number or x,y");
		refuses("track stack.tif --roi 20,15,12,10 --max-shift 3,-2 -o tracks.csv", "-2 is below 0");
		refuses("track stack.tif --roi 20,15,12,10 --roi 1,1,0,4,4,2 --max-shift 3,2 -o tracks.csv", "have different numbers of dimensions");
		save("one.tif", new ImagePlus(path("stack.tif")).getStack().getProcessor(1));
		refuses("track one.tif --roi 20,15,12,10 -o tracks.csv", "one.tif has one frame, so there is nothing to follow");
		refuses("track stack.tif --roi 20,15,0,12,10,2 -o tracks.csv",
			"stack.tif has one frame of 3 dimensions, as the templates have, so there is nothing to follow");
		Files.delete(folder.resolve("one.tif"));
		refuses("track stack.tif --max-shift 3,2 -o tracks.csv", "no template: cut one out of the reference frame with --roi x,y,w,h, or give files with --template");
		refuses("track stack.tif --roi 20,15,12,10 --template volumes.tif -o tracks.csv", "two kinds of templates");
		refuses("track stack.tif --template stack.tif -o tracks.csv", "stack.tif");
		refuses("track stack.tif --template missing.tif -o tracks.csv", "there is no file");
		refuses("track stack.tif --roi 20,15,12,10 --max-shift 3,2 --reference 7 -o tracks.csv", "the reference is frame 7: the stack has 6 frames");
		refuses("track stack.tif --roi 20,15,12,10 --max-shift 3,2 --weight 0.1 -o tracks.csv", "needs --update mean");
		refuses("track stack.tif --roi 20,15,12,10 --max-shift 3,2 --update mean --weight 2 -o tracks.csv", "give a number above 0 and up to 1");
		refuses("track stack.tif --roi 20,15,12,10 --max-shift 3,2 --anchor 0.1 -o tracks.csv", "--anchor 0.1 needs --update previous or mean");
		refuses("track stack.tif --roi 20,15,12,10 --max-shift 3,2 --min-score 3 -o tracks.csv", "give a number from -1 to 1");
		refuses("track stack.tif --roi 20,15,12,10 --max-shift 3,2 --plot p.csv -o tracks.csv", "ends in .png");
		refuses("track stack.tif --roi 20,15,12,10 --max-shift 3,2 --trackmate t.csv -o tracks.csv", "ends in .xml");
		refuses("track stack.tif --roi 20,15,12,10 --max-shift 3,2 -o stack.tif", "inputs are never written to");
		refuses("track stack.tif --roi 20,15,12,10 --max-shift 3,2 -o tracks.xlsx", "--output tracks.xlsx: give a name that ends in .csv");
		refuses("track stack.tif --roi 20,15,12,10 --shift 3,2 -o tracks.csv", "unknown option '--shift'");
		refuses("track stack.tif --roi 20,15,12,10 --least-score 0.5 -o tracks.csv", "unknown option '--least-score'");
		refuses("track missing.tif --roi 20,15,12,10 --max-shift 3,2 -o tracks.csv", "there is no file");
		assertArrayEquals(new String[] { path("stack.tif"), path("volumes.tif") }, files().subList(1, 3).toArray());
	}
}
