package sc.fiji.ncc.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Random;

import net.imglib2.RandomAccessibleInterval;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import ij.ImagePlus;
import ij.ImageStack;
import ij.process.ByteProcessor;
import ij.process.FloatProcessor;

import sc.fiji.ncc.NormalizedCrossCorrelation;
import sc.fiji.ncc.option.NaNs;
import sc.fiji.ncc.result.Response;

/** Missing pixels on the command line: options, files, folders, stacks and Zarr. */
class MissingPixelsOptionsTest extends InFolder {

	private static final int WIDTH = 60, HEIGHT = 50, FRAMES = 3;

	@BeforeEach
	void images() throws IOException {
		final Random random = new Random(3);
		final byte[] scene = new byte[WIDTH * HEIGHT];
		random.nextBytes(scene);
		final ByteProcessor image = new ByteProcessor(WIDTH, HEIGHT, scene.clone());
		image.setRoi(12, 20, 9, 7);
		save("template.tif", image.crop());
		final ByteProcessor present = new ByteProcessor(WIDTH, HEIGHT);
		final FloatProcessor holes = new FloatProcessor(WIDTH, HEIGHT);
		final ImageStack stack = new ImageStack(WIDTH, HEIGHT), masks = new ImageStack(WIDTH, HEIGHT);
		Files.createDirectory(folder.resolve("frames"));
		for (int f = 0; f < FRAMES; f++) {
			final ByteProcessor frame = new ByteProcessor(WIDTH, HEIGHT), mask = new ByteProcessor(WIDTH, HEIGHT);
			for (int i = 0; i < WIDTH * HEIGHT; i++) {
				mask.set(i, random.nextInt(5) == 0 ? 0 : 255);
				// the scene moves to the right; missing pixels would mislead
				frame.set(i, mask.get(i) == 0 ? random.nextInt(256) : scene[i / WIDTH * WIDTH + Math.floorMod(i % WIDTH - 2 * f, WIDTH)] & 0xff);
			}
			stack.addSlice(frame);
			masks.addSlice(mask);
			save("frames/" + f + ".tif", frame);
		}
		for (int i = 0; i < WIDTH * HEIGHT; i++) {
			present.set(i, i % 7 == 0 ? 0 : 255);
			if (i % 7 == 0) image.set(i, 255);
			holes.setf(i, i % 7 == 0 ? Float.NaN : image.get(i));
		}
		save("image.tif", image);
		save("present.tif", present);
		save("holes.tif", holes);
		for (final Object[] each : new Object[][] { { "stack", stack }, { "masks", masks } }) {
			final ImagePlus all = new ImagePlus((String) each[0], (ImageStack) each[1]);
			all.setDimensions(1, 1, FRAMES);
			save(each[0] + ".tif", all);
		}
		Files.writeString(folder.resolve("one.txt"), "1");
	}

	private NormalizedCrossCorrelation op() {
		return NormalizedCrossCorrelation.of(map("template.tif"));
	}

	private void assertMap(final Response expected, final String words) {
		final String said = succeeds(words.split(" "));
		final RandomAccessibleInterval<?> map = map(words.contains("map.zarr") ? "map.zarr" : "map.tif");
		assertArrayEquals(values(expected.map()), values(map), 1e-6, said);
	}

	@Test
	void optionsReachTheOp() {
		final RandomAccessibleInterval<?> image = map("image.tif"), present = map("present.tif");
		assertMap(op().imageMask(present).correlate(image), "correlate image.tif template.tif -o map.tif --image-mask present.tif");
		assertMap(op().imageMask(present).minOverlap(0.86).correlate(image), "correlate image.tif template.tif -o map.tif --image-mask present.tif --min-overlap 0.86");
		assertMap(op().nan(NaNs.MISSING).correlate(map("holes.tif")), "correlate holes.tif template.tif -o map.tif --nan missing");
		assertMap(op().correlate(map("holes.tif")), "correlate holes.tif template.tif -o map.tif --nan undefined");
		assertMap(op().imageMask(map("masks.tif")).correlate(map("stack.tif")), "correlate stack.tif template.tif -o map.tif --image-mask masks.tif");
		assertMap(op().imageMask(present).correlate(map("stack.tif")), "correlate stack.tif template.tif -o map.tif --image-mask present.tif");
	}

	/** Image, mask and map are read and written part by part. */
	@Test
	void imagesOnTheDisk() {
		succeeds("convolve", "stack.tif", "one.txt", "-o", "./stack.zarr");
		succeeds("convolve", "masks.tif", "one.txt", "-o", "./masks.zarr");
		assertMap(op().imageMask(map("masks.tif")).correlate(map("stack.tif")), "correlate ./stack.zarr template.tif -o ./map.zarr --image-mask ./masks.zarr");
	}

	@Test
	void matchesAndFolders() throws IOException {
		succeeds("match", "image.tif", "template.tif", "-o", "m.csv", "--image-mask", "present.tif", "--max-matches", "1");
		final List<String> lines = Files.readAllLines(folder.resolve("m.csv"));
		assertEquals(2, lines.size());
		assertTrue(lines.get(1).contains(",12,20,0,1,"), lines.get(1));
		succeeds("match", "./frames", "template.tif", "-o", "m.csv", "--image-mask", "present.tif", "--max-matches", "1");
		assertEquals(1 + FRAMES, Files.readAllLines(folder.resolve("m.csv")).size());
		refuses("match ./frames template.tif -o other.csv --image-mask masks.tif", "has the axes xyt", "has xy: give a mask with the same axes, or of one frame");
	}

	@Test
	void tracks() throws IOException {
		succeeds("track stack.tif --roi 12,20,9,7 --max-shift 3 --image-mask masks.tif -o tracks.csv".split(" "));
		final List<String> lines = Files.readAllLines(folder.resolve("tracks.csv"));
		for (int f = 0; f < FRAMES; f++) assertTrue(lines.get(1 + f).startsWith("1," + (f + 1) + "," + (12 + 2 * f) + ",20,"), lines.get(1 + f));
		// without the mask the missing pixels lower the score
		final double masked = Double.parseDouble(lines.get(FRAMES).split(",")[6]);
		succeeds("track stack.tif --roi 12,20,9,7 --max-shift 3 -o tracks.csv".split(" "));
		assertTrue(masked > 0.999999 && Double.parseDouble(Files.readAllLines(folder.resolve("tracks.csv")).get(FRAMES).split(",")[6]) < 0.95);
	}

	@Test
	void mistakesAreNamedInOneLine() throws IOException {
		refuses("correlate image.tif template.tif -o map.tif --image-mask template.tif", "the image mask of 9x7 does not fit the image of 60x50: give a mask of the size of the image");
		refuses("correlate image.tif template.tif -o map.tif --image-mask masks.tif", "the image mask", "axes");
		refuses("correlate image.tif template.tif -o map.tif --image-mask absent.tif", "absent.tif");
		refuses("correlate image.tif template.tif -o map.tif --min-overlap 1.5", "--min-overlap 1.5: give a share from 0 to 1");
		refuses("correlate image.tif template.tif -o map.tif --nan gone", "gone");
		refuses("correlate image.tif template.tif -o present.tif --image-mask present.tif", "is the input");
		refuses("track stack.tif --roi 12,20,9,7 --image-mask masks.tif -o masks.tif", "is the input");
		refuses("correlate holes.tif template.tif -o map.tif --image-mask holes.tif", "the image mask of 60x50 holds NaN: give 0 for missing pixels and 1 for the others");
		save("empty.tif", new ByteProcessor(WIDTH, HEIGHT));
		refuses("match image.tif template.tif -o m.csv --image-mask empty.tif", "the image mask of 60x50 is 0 everywhere");
		refuses("track stack.tif --roi 12,20,9,7 --image-mask empty.tif -o t.csv", "the image mask of 60x50 is 0 everywhere");
		refuses("correlate image.tif template.tif -o map.tif --image-mask present.tif --algorithm cpu-fourier-partitioned", "partitions support images without missing pixels only: use cpu-fourier");
	}
}
