package sc.fiji.ncc.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Random;

import ij.IJ;
import ij.ImagePlus;
import ij.io.FileSaver;

import net.imglib2.type.numeric.real.DoubleType;
import net.imglib2.view.Views;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

import sc.fiji.ncc.front.Calibration;
import sc.fiji.ncc.cli.input.InputImage;
import sc.fiji.ncc.cli.map.TiffWriter;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.store.OmeAxis;
import sc.fiji.ncc.store.OmeZarr;

/** Images and maps that are larger than memory, or in Zarr folders: the same as in memory. */
class LargeImagesTest extends LargeImages {

	/** x, y, c, z, t with pixel sizes. */
	private void hyperstack(final String name, final int w, final int h, final int c, final int z, final int t) {
		final ImagePlus imp = IJ.createHyperStack("h", w, h, c, z, t, 8);
		final Random random = new Random(6);
		for (int p = 1; p <= imp.getStackSize(); p++) random.nextBytes((byte[]) imp.getStack().getProcessor(p).getPixels());
		imp.getCalibration().setUnit("um");
		imp.getCalibration().pixelWidth = 0.25;
		imp.getCalibration().pixelHeight = 0.5;
		imp.getCalibration().pixelDepth = 2;
		imp.getCalibration().xOrigin = 4;
		imp.getCalibration().frameInterval = 3;
		assertTrue(new FileSaver(imp).saveAsTiff(path(name)));
	}

	@Test
	void aMapInZarrIsTheMap() throws IOException {
		hyperstack("h.tif", 40, 30, 2, 6, 3);
		for (final String roi : new String[] { "3,4,7,5", "3,4,1,7,5,3" })
			for (final String extent : new String[] { "valid", "same --undefined nan", "full" }) {
				final String options = " --roi " + roi + " --algorithm cpu-direct-exact --extent " + extent;
				succeeds("correlate h.tif -o map.tif" + options);
				succeeds("correlate h.tif -o map.zarr" + options);
				final InputImage tiff = read("map.tif"), zarr = read("map.zarr");
				assertEquals("xyczt", zarr.axes());
				assertArrayEquals(tiff.pixels().dimensionsAsLongArray(), zarr.pixels().dimensionsAsLongArray());
				assertArrayEquals(values(tiff.pixels()), values(zarr.pixels()), options);
				assertEquals(tiff.calibration(), zarr.calibration());
				assertFalse(Files.exists(folder.resolve("map.zarr.part")));
			}
	}

	@Test
	void axesAndScaleAreKept() throws IOException {
		hyperstack("h.tif", 40, 30, 2, 6, 3);
		succeeds("correlate h.tif -o a.zarr --roi 3,4,7,5 --extent same");
		final List<OmeAxis> axes = List.of(new OmeAxis("t", "second", 3, 0), new OmeAxis("c", null, 1, 0), new OmeAxis("z", "micrometer", 2, 0),
			new OmeAxis("y", "micrometer", 0.5, 0), new OmeAxis("x", "micrometer", 0.25, -1));
		assertEquals(axes, OmeZarr.open("a", folder.resolve("a.zarr")).axes());
		// from Zarr to Zarr: full begins 6 pixels before along x, 4 along y and 2 along z
		succeeds("correlate a.zarr -o b.zarr --roi 3,4,1,7,5,3 --extent full");
		final OmeZarr b = OmeZarr.open("b", folder.resolve("b.zarr"));
		assertArrayEquals(new long[] { 3, 2, 8, 34, 46 }, b.array().shape());
		assertEquals(axes.get(0), b.axes().get(0));
		assertEquals(new OmeAxis("z", "micrometer", 2, -4), b.axes().get(2));
		assertEquals(new OmeAxis("y", "micrometer", 0.5, -2), b.axes().get(3));
		assertEquals(new OmeAxis("x", "micrometer", 0.25, -2.5), b.axes().get(4));
		// the folder of one resolution, and a map in a file, give the same result
		succeeds("correlate a.zarr/0 -o c.tif --roi 3,4,1,7,5,3 --extent full");
		assertArrayEquals(values(read("c.tif").pixels()), values(read("b.zarr").pixels()));
		assertEquals(read("c.tif").calibration(), read("b.zarr").calibration());
	}

	@Test
	void severalTemplatesAndTheBestOfThem() throws IOException {
		noise("image.tif", 70, 50);
		noise("a.tif", 7, 5);
		noise("b.tif", 6, 6);
		succeeds("correlate image.tif a.tif b.tif -o map.tif --extent same");
		succeeds("correlate image.tif a.tif b.tif -o map.zarr --extent same");
		for (int i = 1; i <= 2; i++) assertArrayEquals(values(read("map-" + i + ".tif").pixels()), values(read("map-" + i + ".zarr").pixels()), 1e-6);
		succeeds("correlate image.tif a.tif b.tif -o best.tif --best --extent same");
		succeeds("correlate image.tif a.tif b.tif -o best.zarr --best --which which.tif --extent same");
		assertArrayEquals(values(read("best.tif").pixels()), values(read("best.zarr").pixels()));
		assertTrue(Files.exists(folder.resolve("which.tif")));
	}

	@Test
	void aConvolutionInZarrIsTheConvolution() throws IOException {
		hyperstack("h.tif", 40, 30, 2, 6, 3);
		hyperstack("cube.tif", 3, 4, 1, 3, 1);
		Files.writeString(folder.resolve("k.txt"), "1 2 0\n-1 0.5 3\n");
		for (final String kernel : new String[] { "k.txt", "cube.tif" })
			for (final String extent : new String[] { "valid", "same --border mirror", "same --border undefined --undefined 0", "full" }) {
				final String options = kernel + " --algorithm cpu-convolve-direct --extent " + extent;
				succeeds("convolve h.tif -o map.tif " + options);
				succeeds("convolve h.tif -o map.zarr " + options);
				final InputImage tiff = read("map.tif"), zarr = read("map.zarr");
				assertEquals("xyczt", zarr.axes());
				assertArrayEquals(values(tiff.pixels()), values(zarr.pixels()), options);
				assertEquals(tiff.calibration(), zarr.calibration());
				assertFalse(Files.exists(folder.resolve("map.zarr.part")));
			}
		// from Zarr to Zarr, two kernels
		succeeds("convolve map.zarr k.txt k.txt -o out.zarr");
		succeeds("convolve map.tif k.txt -o out.tif");
		for (int i = 1; i <= 2; i++) assertArrayEquals(values(read("out.tif").pixels()), values(read("out-" + i + ".zarr").pixels()));
		refuses("convolve map.zarr k.txt -o map.zarr", "is the input", "another name");
	}

	@Test
	void inDoublePrecision() throws IOException {
		hyperstack("h.tif", 40, 30, 2, 6, 3);
		noise("image.tif", 70, 50);
		noise("a.tif", 7, 5);
		noise("b.tif", 6, 6);
		for (final String words : new String[] { "h.tif --roi 3,4,7,5", "h.tif --roi 3,4,1,7,5,3 --extent same", "image.tif a.tif b.tif --best --extent same" }) {
			succeeds("correlate -o map.tif --precision double " + words);
			succeeds("correlate -o map.zarr --precision double " + words);
			final InputImage zarr = read("map.zarr");
			assertInstanceOf(DoubleType.class, zarr.pixels().getType());
			assertArrayEquals(values(read("map.tif").pixels()), values(zarr.pixels()), 2e-10, words);
		}
	}

	@Test
	void matchesInZarr() throws IOException {
		noise("image.tif", 70, 50);
		succeeds("correlate image.tif -o map.zarr --roi 20,10,9,8");
		succeeds("match map.zarr --roi 20,10,9,8 --max-matches 1 --min-score 0.9 -o " + path("m.csv"));
		assertTrue(Files.readString(folder.resolve("m.csv")).contains(",20,10,0,1,"), Files.readString(folder.resolve("m.csv")));
	}

	/** In 40 MB: the image and the map are larger than a quarter of that, the map than all of it. */
	@Test
	void largerThanMemory() throws Exception {
		noise("image.tif", 4000, 2600);
		succeeds("correlate image.tif -o whole.tif --roi 100,200,9,8 --algorithm cpu-direct-exact --threads 2 --extent same");
		succeedsWithin("-Xmx40m", "correlate image.tif -o parts.tif --roi 100,200,9,8 --algorithm cpu-direct-exact --threads 2 --extent same");
		assertEquals(-1, Files.mismatch(folder.resolve("whole.tif"), folder.resolve("parts.tif")));
		succeedsWithin("-Xmx40m", "correlate image.tif -o parts.zarr --roi 100,200,9,8 --algorithm cpu-direct-exact --threads 2 --extent same");
		assertArrayEquals(values(read("whole.tif").pixels()), values(read("parts.zarr").pixels()));
	}

	/** The same of a convolution, and in double precision. */
	@Test
	void convolvedAndInDoubleLargerThanMemory() throws Exception {
		noise("image.tif", 4000, 2600);
		Files.writeString(folder.resolve("k.txt"), "1 2 1\n2 4 2\n1 2 1\n");
		final Map<String, String> heaps = Map.of("convolve image.tif k.txt --algorithm cpu-convolve-direct --threads 2 -o ", "-Xmx40m",
			"correlate image.tif --roi 100,200,9,8 --algorithm cpu-direct-exact --precision double --threads 2 --extent same -o ", "-Xmx64m");
		for (final String words : heaps.keySet()) {
			succeeds(words + "whole.tif");
			succeedsWithin(heaps.get(words), words + "parts.tif");
			assertEquals(-1, Files.mismatch(folder.resolve("whole.tif"), folder.resolve("parts.tif")), words);
			succeedsWithin(heaps.get(words), words + "parts.zarr");
			assertArrayEquals(values(read("whole.tif").pixels()), values(read("parts.zarr").pixels()), words);
		}
	}

	@Test
	void hyperstacksLargerThanMemory() throws Exception {
		hyperstack("h.tif", 640, 500, 2, 5, 6);
		for (final String roi : new String[] { "3,4,7,5", "3,4,1,7,5,3" }) {
			succeeds("correlate h.tif -o whole.tif --algorithm cpu-direct-exact --threads 2 --roi " + roi);
			succeedsWithin("-Xmx32m", "correlate h.tif -o parts.tif --algorithm cpu-direct-exact --threads 2 --roi " + roi);
			assertEquals(-1, Files.mismatch(folder.resolve("whole.tif"), folder.resolve("parts.tif")));
		}
	}

	/** A file of 6.4 GB that takes next to none: BigTIFF, all zeros but for a corner. Planes above 2^31 bytes are read in bands. */
	@Test
	@DisabledOnOs(OS.WINDOWS)
	void aBigTiffOfOneHugePlane() throws IOException {
		final int side = 40_000, corner = 50;
		final TiffWriter writer = new TiffWriter(new long[] { side, side }, "xy", PixelType.F32, Calibration.NONE, true);
		final float[] expected = new float[corner * corner];
		final Random random = new Random(9);
		try (FileChannel file = FileChannel.open(folder.resolve("huge.tif"), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE, StandardOpenOption.SPARSE)) {
			file.write(ByteBuffer.wrap(writer.head()), 0);
			for (int y = 0; y < corner; y++) {
				final ByteBuffer row = ByteBuffer.allocate(4 * corner);
				for (int x = 0; x < corner; x++) row.putFloat(expected[y * corner + x] = random.nextFloat());
				file.write(row.flip(), writer.offset(0) + 4L * ((long) (side - corner + y) * side + side - corner));
			}
			assertEquals(writer.fileBytes(), file.size());
		}
		final InputImage huge = read("huge.tif");
		final long first = side - corner;
		final double[] far = values(Views.interval(huge.pixels(), new long[] { first, first }, new long[] { side - 1, side - 1 }));
		for (int i = 0; i < far.length; i++) assertEquals(expected[i], far[i]);
		succeeds("correlate huge.tif -o map.tif --roi 39960,39970,12,9 --search 39950,39950,39,42");
		final double[] map = values(read("map.tif").pixels());
		assertEquals(1, map[20 * 39 + 10], 1e-6);
	}

	@Test
	void whatCannotBeIsSaid() throws IOException {
		noise("image.tif", 70, 50);
		succeeds("correlate image.tif -o map.zarr --roi 20,10,9,8");
		refuses("correlate image.tif -o x.zarr --picture p.tif --roi 1,1,5,5", "--picture", "x.zarr", ".tif");
		refuses("correlate image.tif -o x.zarr --picture p.png --best --roi 1,1,5,5", "--picture");
		refuses("correlate map.zarr -o map.zarr --roi 1,1,5,5", "is the input", "another name");
		refuses("correlate map.zarr -o map.zarr/0 --roi 1,1,5,5", "is a folder");
		refuses("correlate map.zarr -o map.zarr/x.zarr --roi 1,1,5,5", "lies in the input");
		refuses("correlate map.zarr/0 -o map.zarr --roi 1,1,5,5", "lie one in the other");
		refuses("correlate image.tif -o none/x.zarr --roi 1,1,5,5", "there is no folder");
		refuses("correlate image.tif -o x.zarr --roi 1,1,500,5", "is not inside");
		refuses("correlate image.tif -o x.zarr --roi 1,1,5,5 --algorithm cpu-none", "unknown algorithm");
		Files.createDirectories(folder.resolve("mine.zarr/notes"));
		Files.writeString(folder.resolve("mine.zarr/notes/all.txt"), "a year's work");
		refuses("correlate image.tif -o mine.zarr --roi 1,1,5,5", "is not a map of this program", "remove it");
		refuses("correlate mine.zarr -o x.tif --roi 1,1,5,5", "not a Zarr folder");
		Files.writeString(folder.resolve("mine.zarr/.zattrs"), "{");
		refuses("correlate mine.zarr -o x.tif --roi 1,1,5,5", "mine.zarr cannot be read", ".zattrs", "damaged");
		Files.writeString(folder.resolve("mine.zarr/.zattrs"), "{}");
		refuses("correlate mine.zarr -o x.tif --roi 1,1,5,5", "group without an image");
		Files.writeString(folder.resolve("map.zarr/0/.zarray"), Files.readString(folder.resolve("map.zarr/0/.zarray")).replace("<f4", "<c8"));
		refuses("correlate map.zarr -o x.tif --roi 1,1,5,5", "<c8");
	}

	/** A chunk that is damaged is an input that is wrong, as damaged metadata are. */
	@Test
	void aDamagedChunk() throws IOException {
		noise("image.tif", 2100, 1100);
		succeeds("correlate image.tif -o map.zarr --roi 20,10,9,8");
		final Path chunk = folder.resolve("map.zarr/0/1/2");
		Files.write(chunk, new byte[100]);
		assertEquals(2, run("correlate map.zarr -o x.zarr --roi 20,10,9,8"));
		assertTrue(err.toString().contains("map.zarr cannot be read: its chunk 1/2: it is cut off: 100 bytes where"), err.toString());
		assertFalse(Files.exists(folder.resolve("x.zarr")));
		assertEquals(2, run("correlate map.zarr -o x.tif --roi 20,10,9,8"));
		assertFalse(Files.exists(folder.resolve("x.tif")));
	}
}
