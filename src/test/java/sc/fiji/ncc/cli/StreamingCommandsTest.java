package sc.fiji.ncc.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

import ij.IJ;
import ij.ImagePlus;
import ij.ImageStack;
import ij.io.FileSaver;
import ij.process.ByteProcessor;
import ij.process.ColorProcessor;
import ij.process.ImageProcessor;

import net.imglib2.Cursor;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.type.numeric.RealType;
import net.imglib2.view.Views;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import sc.fiji.ncc.NormalizedCrossCorrelation;
import sc.fiji.ncc.cli.input.ImageFiles;
import sc.fiji.ncc.cli.input.InputFrames;
import sc.fiji.ncc.cli.input.InputImage;
import sc.fiji.ncc.cli.map.MapWriter;
import sc.fiji.ncc.plan.ResponseType;

/** Folders of images and stacks, frame by frame. */
class StreamingCommandsTest {

	private static final int WIDTH = 40, HEIGHT = 30, W = 7, H = 5;

	@TempDir
	Path temporary;
	private Path images;
	private final ByteArrayOutputStream out = new ByteArrayOutputStream(), err = new ByteArrayOutputStream();
	private ByteProcessor template;

	/** images/t1.tif, t2.tif (a stack of 3), t10.tif: the template lies at (frame, 2·frame), frames counted over all; and the template's own file. */
	@BeforeEach
	void folder() throws IOException {
		images = Files.createDirectory(temporary.resolve("images"));
		final byte[] values = new byte[W * H];
		new Random(1).nextBytes(values);
		template = new ByteProcessor(W, H, values);
		save(images.resolve("template.tif"), template);
		save(images.resolve("t1.tif"), frame(0));
		final ImageStack stack = new ImageStack(WIDTH, HEIGHT);
		for (int i = 1; i < 4; i++) stack.addSlice(frame(i));
		assertTrue(new FileSaver(new ImagePlus("s", stack)).saveAsTiff(images.resolve("t2.tif").toString()));
		save(images.resolve("t10.tif"), frame(4));
		Files.writeString(images.resolve("notes.txt"), "none of the images");
	}

	private ByteProcessor frame(final int i) {
		final byte[] values = new byte[WIDTH * HEIGHT];
		new Random(100 + i).nextBytes(values);
		final ByteProcessor frame = new ByteProcessor(WIDTH, HEIGHT, values);
		frame.insert(template, i, 2 * i);
		return frame;
	}

	private static void save(final Path file, final ImageProcessor image) {
		assertTrue(new FileSaver(new ImagePlus("p", image)).saveAsTiff(file.toString()));
	}

	private int run(final String... words) {
		out.reset();
		err.reset();
		final String[] arguments = Arrays.stream(words).map(w -> w.matches("(images|maps|grays|copy)(/.*)?|.*\\.(csv|png|tif|mrc)")
			? temporary.resolve(w).toString() : w)
			.toArray(String[]::new);
		return Main.run(arguments, new PrintStream(out, true), new PrintStream(err, true), false);
	}

	private List<String> rows(final String file) throws IOException {
		return Files.readAllLines(temporary.resolve(file)).stream().skip(1).map(r -> String.join(",", Arrays.copyOf(r.split(","), 7))).toList();
	}

	private List<String> files(final Path folder) throws IOException {
		try (Stream<Path> all = Files.list(folder)) {
			return all.map(p -> p.getFileName().toString()).sorted().toList();
		}
	}

	/** Frames that are written one after the other, and a map from memory. */
	@Test
	void mrcFilesHaveThePixelsOfTiffFiles() throws IOException {
		for (final String image : new String[] { "images/t2.tif", "images/t1.tif" }) {
			for (final String map : new String[] { "map.tif", "map.mrc" })
				assertEquals(0, run("correlate", image, "images/template.tif", "-o", map), err::toString);
			assertEquals(pixels("map.tif"), pixels("map.mrc"));
		}
		assertEquals(0, run("align", "images/t2.tif", "--max-shift", "3,5", "-o", "a.tif"), err::toString);
		assertEquals(0, run("align", "images/t2.tif", "--max-shift", "3,5", "-o", "a.mrc"), err::toString);
		assertEquals(pixels("a.tif"), pixels("a.mrc"));
		assertEquals(0, run("match", "a.mrc", "images/template.tif", "--max-matches", "1", "-o", "m.csv"), err::toString);
		assertEquals(3, rows("m.csv").size());
	}

	private List<Double> pixels(final String file) {
		final List<Double> all = new ArrayList<>();
		for (final Object p : Views.flatIterable(ImageFiles.read(temporary.resolve(file).toString()).pixels())) all.add(((RealType<?>) p).getRealDouble());
		return all;
	}

	/** Frames that are written one after the other, a Zarr folder, and a folder of images. */
	@Test
	void quantizedMapsHaveTheNumbersOfTheCoefficients() {
		for (final ResponseType type : new ResponseType[] { ResponseType.BITS_16, ResponseType.BITS_8 }) {
			assertEquals(0, run("correlate", "images/t2.tif", "images/template.tif", "-o", "map.tif"), err::toString);
			final List<Double> expected = pixels("map.tif").stream().map(r -> (double) type.quantize(r.floatValue())).toList();
			final String zarr = temporary.resolve(type + ".zarr").toString();
			for (final String output : new String[] { "q.tif", zarr, "maps" }) {
				assertEquals(0, run("correlate", output.equals("maps") ? "images" : "images/t2.tif", "images/template.tif", "-o", output,
					"--response-type", type.toString(), "--explain"), err::toString);
				assertTrue(out.toString().contains(", " + type + " responses"), out.toString());
				assertEquals(expected, pixels(output.equals("maps") ? "maps/t2.tif" : output));
			}
			final ImagePlus image = IJ.openImage(temporary.resolve("maps/t2.tif").toString());
			assertEquals(3, image.getStackSize());
			assertEquals(type.response(7), image.getCalibration().getCValue(7), 1e-6);
		}
	}

	@Test
	void whatMrcCannotHoldIsRefusedAtOnce() throws IOException {
		assertEquals(2, run("correlate", "images/t1.tif", "images/template.tif", "--precision", "double", "-o", "map.mrc"));
		assertTrue(err.toString().contains("an MRC file has no 64-bit floats: give a name that ends in .tif or .zarr, or leave --precision double out"),
			err::toString);
		final ImageStack stack = new ImageStack(WIDTH, HEIGHT);
		for (int i = 0; i < 4; i++) stack.addSlice(frame(i));
		final ImagePlus channels = new ImagePlus("c", stack);
		channels.setDimensions(2, 1, 2);
		assertTrue(new FileSaver(channels).saveAsTiff(temporary.resolve("c.tif").toString()));
		for (final String command : new String[] { "align c.tif -o a.mrc", "correlate c.tif images/template.tif -o a.mrc" }) {
			assertEquals(2, run(command.split(" ")));
			assertTrue(err.toString().contains("an MRC file has no channels, and the image has 2"), err::toString);
		}
		assertEquals(List.of("c.tif", "images"), files(temporary));
	}

	@Test
	void matchesInAFolder() throws IOException {
		assertEquals(0, run("match", "images", "images/template.tif", "--max-matches", "3", "--min-score", "0.9", "-o", "m.csv", "--overlay", "m.png",
			"--explain"), err::toString);
		assertEquals(List.of("t1.tif,1,1,0,0,0,1", "t2.tif,1,1,1,2,0,1", "t2.tif,2,1,2,4,0,1", "t2.tif,3,1,3,6,0,1", "t10.tif,1,1,4,8,0,1"), rows("m.csv"),
			"numbers in names count as such");
		assertTrue(out.toString().contains("5 frames of 3 files") && out.toString().contains("; 5 matches, the best 1.000"), out.toString());
		assertTrue(out.toString().contains("peaks only"), out.toString());
		assertTrue(Files.size(temporary.resolve("m.png")) > 100);
		assertEquals(List.of("images", "m.csv", "m.png"), files(temporary));
		// the template cut out of the first image
		assertEquals(0, run("match", "images", "--roi", "0,0,7,5", "--max-matches", "3", "--min-score", "0.9", "-o", "m.csv"), err::toString);
		assertEquals(6, rows("m.csv").size(), "template.tif is now one of the images");
	}

	@Test
	void matchesInAStackComeFrameByFrame() throws IOException {
		assertEquals(0, run("match", "images/t2.tif", "images/template.tif", "--max-matches", "3", "--min-score", "0.15", "-o", "m.csv"), err::toString);
		final List<String> rows = Files.readAllLines(temporary.resolve("m.csv"));
		int frame = 1;
		double score = 1;
		for (final String row : rows.subList(1, rows.size())) {
			final String[] cells = row.split(",");
			if (Integer.parseInt(cells[1]) != frame) score = 1;
			assertTrue(Integer.parseInt(cells[1]) >= frame && Double.parseDouble(cells[6]) <= score, row);
			frame = Integer.parseInt(cells[1]);
			score = Double.parseDouble(cells[6]);
		}
		assertTrue(rows.size() > 4);
		assertEquals(3, frame);
		assertTrue(out.toString().contains(", 3 frames, "), out.toString());
	}

	private static double[] values(final RandomAccessibleInterval<?> image) {
		final double[] values = new double[(int) Views.iterable(image).size()];
		final Cursor<?> c = Views.flatIterable(image).cursor();
		for (int i = 0; i < values.length; i++) values[i] = ((RealType<?>) c.next()).getRealDouble();
		return values;
	}

	private void assertMap(final String image, final String map) {
		final NormalizedCrossCorrelation op = NormalizedCrossCorrelation.of(ImageFiles.read(images.resolve("template.tif").toString()).pixels());
		final InputImage written = ImageFiles.read(temporary.resolve(map).toString());
		assertArrayEquals(values(op.correlate(ImageFiles.read(images.resolve(image).toString()).pixels()).map()), values(written.pixels()), 1e-6, image);
	}

	@Test
	void mapsOfAFolder() throws IOException {
		Files.copy(images.resolve("t10.tif"), images.resolve("t2.png"));
		assertEquals(0, run("correlate", "images", "images/template.tif", "-o", "maps"), err::toString);
		assertEquals(List.of("t1.tif", "t10.tif", "t2.tif", "t2.tif.tif"), files(temporary.resolve("maps")),
			"two images whose names differ in their endings alone have maps of their own");
		assertMap("t1.tif", "maps/t1.tif");
		assertMap("t10.tif", "maps/t10.tif");
		assertMap("t2.png", "maps/t2.tif");
		assertMap("t2.tif", "maps/t2.tif.tif");
		assertTrue(out.toString().contains("6 frames of 4 files"), out.toString());
		Files.delete(images.resolve("t2.png"));
		assertEquals(0, run("correlate", "images", "images/template.tif", "images/template.tif", "-o", "maps"), err::toString);
		assertMap("t2.tif", "maps/t2-2.tif");
		assertTrue(Files.exists(temporary.resolve("maps/t10-1.tif")));
	}

	/** Each frame's map has a picture of its own, with the gray values that the map says; the volumes' are stacks. */
	@Test
	void picturesOfTheMapsOfAFolder() throws IOException {
		assertEquals(0, run("correlate", "images", "images/template.tif", "-o", "maps", "--picture", "grays"), err::toString);
		assertEquals(List.of("t1.tif", "t10.tif", "t2.tif"), files(temporary.resolve("maps")));
		assertEquals(List.of("t1.png", "t10.png", "t2-f1.png", "t2-f2.png", "t2-f3.png"), files(temporary.resolve("grays")));
		final RandomAccessibleInterval<?> map = ImageFiles.read(temporary.resolve("maps/t2.tif").toString()).pixels();
		for (int f = 0; f < 3; f++) {
			final double[] gray = values(ImageFiles.read(temporary.resolve("grays/t2-f" + (f + 1) + ".png").toString()).pixels()),
				r = values(Views.hyperSlice(map, 2, f));
			for (int i = 0; i < r.length; i++) assertEquals(MapWriter.gray((float) r[i]), gray[i]);
			// the template lies at (f + 1, 2f + 2)
			assertEquals(255, gray[(2 * f + 2) * (WIDTH - W + 1) + f + 1]);
		}
		// again over what is there, two templates
		assertEquals(0, run("correlate", "images", "images/template.tif", "images/template.tif", "-o", "maps", "--picture", "grays",
			"--precision", "double"), err::toString);
		assertTrue(files(temporary.resolve("grays")).containsAll(List.of("t1-1.png", "t1-2.png", "t2-2-f3.png")), () -> "" + temporary);
		for (final String plane : new String[] { "t1.tif", "t10.tif", "template.tif" }) Files.delete(images.resolve(plane));
		assertEquals(0, run("correlate", "images", "--roi", "1,1,0,5,5,2", "-o", "copy", "--picture", "grays"), err::toString);
		assertArrayEquals(new long[] { WIDTH - 4, HEIGHT - 4, 2 }, ImageFiles.read(temporary.resolve("grays/t2.tif").toString()).pixels().dimensionsAsLongArray());
		assertFalse(files(temporary.resolve("grays")).stream().anyMatch(f -> f.endsWith(".part")));
	}

	@Test
	void mapsOfAStackAreTheSameFileAsFromMemory() throws IOException {
		assertEquals(0, run("correlate", "images/t2.tif", "images/template.tif", "-o", "streamed.tif", "--algorithm", "cpu-direct-exact"), err::toString);
		assertTrue(out.toString().contains(", 3 frames, "), out.toString());
		assertMap("t2.tif", "streamed.tif");
		// a picture of the map needs it in memory
		assertEquals(0, run("correlate", "images/t2.tif", "images/template.tif", "-o", "whole.tif", "--picture", "gray.tif",
			"--algorithm", "cpu-direct-exact"), err::toString);
		assertFalse(out.toString().contains("frames"), out.toString());
		assertArrayEquals(Files.readAllBytes(temporary.resolve("whole.tif")), Files.readAllBytes(temporary.resolve("streamed.tif")));
	}

	@Test
	void whatIsDoneBeforeAMistakeStays() throws IOException {
		save(images.resolve("t5.tif"), new ColorProcessor(WIDTH, HEIGHT));
		assertEquals(2, run("match", "images", "images/template.tif", "--max-matches", "3", "--min-score", "0.9", "-o", "m.csv"));
		assertTrue(err.toString().contains("frame 5: ") && err.toString().contains("t5.tif is a colour (RGB) image"), err.toString());
		assertTrue(err.toString().contains("the matches of the first 4 frames are in "), err.toString());
		assertEquals(4, rows("m.csv.part").size());
		assertEquals(List.of("images", "m.csv.part"), files(temporary));
		Files.writeString(temporary.resolve("other.csv.part"), "");
		// a run that succeeds replaces it, whether it writes matches of turned templates or not
		for (final String poses : new String[] { "", "--angles 0,90" }) {
			Files.writeString(temporary.resolve("m.csv.part"), "");
			assertEquals(0, run(("match images/t1.tif images/template.tif --min-score 0.9 -o m.csv " + poses).strip().split(" ")), err::toString);
			assertEquals(List.of("images", "m.csv", "other.csv.part"), files(temporary));
		}
		assertEquals(2, run("correlate", "images", "images/template.tif", "-o", "maps"));
		assertTrue(err.toString().contains("the maps of the first 2 files are complete"), err.toString());
		assertEquals(List.of("t1.tif", "t2.tif"), files(temporary.resolve("maps")));
		assertMap("t2.tif", "maps/t2.tif");
	}

	@Test
	void saysWhatIsWrong() throws IOException {
		final String[][] mistakes = { { "correlate images images/template.tif -o images", "among the images" },
			{ "correlate images images/template.tif -o maps --best", "--best needs one image" },
			{ "correlate images images/template.tif -o maps --picture p.png", "is the name of one image" },
			{ "correlate images images/template.tif -o maps --picture maps", "are the same folder" },
			{ "correlate images images/template.tif -o maps --picture images", "among the images" },
			{ "correlate images images/t10.tif -o maps --picture maps/deeper/still", "cannot create the folder" },
			{ "correlate images images/template.tif -o maps.zarr", "give a folder name" },
			{ "correlate images images/template.tif -o maps.tif",
				"maps.tif is the name of one image, and a folder of images needs a folder: give a folder name" },
			{ "align images -o aligned.tif", "aligned.tif is the name of one image, and a folder of images needs a folder: give a folder name" },
			{ "match copy images/template.tif --max-matches 1 --min-score 0 -o m.csv", "there are no images in the folder" },
			{ "correlate images images/t1.tif -o maps --roi 1,1,4,4", "two templates" } };
		Files.createDirectory(temporary.resolve("copy"));
		for (final String[] m : mistakes) {
			assertEquals(2, run(m[0].split(" ")), m[0]);
			assertTrue(err.toString().contains(m[1]), m[0] + ": " + err);
			assertEquals(List.of("copy", "images"), files(temporary), m[0]);
		}
	}

	@Test
	void numbersInNamesHaveTheirOrder() throws IOException {
		final Path folder = Files.createDirectory(temporary.resolve("copy"));
		final List<String> sorted = List.of("a1b2.png", "a1b10.png", "a002.png", "a10.png", "b.TIF", "B1.tif");
		final List<String> shuffled = new ArrayList<>(sorted);
		java.util.Collections.shuffle(shuffled, new Random(1));
		for (final String name : shuffled) Files.createFile(folder.resolve(name));
		Files.createFile(folder.resolve(".hidden.tif"));
		assertEquals(sorted, InputFrames.files(folder.toString(), List.of()).stream().map(n -> Path.of(n).getFileName().toString()).toList());
	}
}
