package sc.fiji.ncc.cli.map;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import sc.fiji.ncc.cli.input.TiffDirectory;
import java.nio.ByteBuffer;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import javax.imageio.ImageIO;
import javax.imageio.ImageReader;
import javax.imageio.stream.ImageInputStream;

import ij.ImagePlus;
import ij.io.Opener;

import net.imglib2.Cursor;
import net.imglib2.img.Img;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.type.numeric.real.FloatType;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import sc.fiji.ncc.front.Calibration;
import sc.fiji.ncc.front.ShownRange;
import sc.fiji.ncc.cli.input.ImageFiles;
import sc.fiji.ncc.cli.input.InputImage;
import sc.fiji.ncc.plan.PixelType;

/** What is written, ImageJ reads; and so does this program. */
class TiffWriterTest {

	@TempDir
	Path folder;

	private static final Calibration WORLD = new Calibration(0.207, 0.5, 3, "\u00b5m", null, "mm", 0.04, "ms", -5, 2.5, 1);

	private static Img<FloatType> numbered(final long... size) {
		final Img<FloatType> img = ArrayImgs.floats(size);
		float value = -1;
		for (final Cursor<FloatType> c = img.cursor(); c.hasNext();) c.next().set(value += 1e-3f);
		return img;
	}

	private Path write(final String axes, final Calibration calibration, final long... size) throws IOException {
		final Path path = folder.resolve("map.tif");
		try (OutputStream out = Files.newOutputStream(path)) {
			new TiffWriter(size, axes, PixelType.F32, calibration, true).write(numbered(size), out);
		}
		return path;
	}

	@ParameterizedTest
	@CsvSource({ "xy,1,1,1", "xyz,1,3,1", "xyt,1,1,4", "xyc,2,1,1", "xyczt,2,3,4" })
	void imageJReadsIt(final String axes, final int c, final int z, final int t) throws IOException {
		final long[] all = { 7, 5, c, z, t }, size = new long[axes.length()];
		for (int d = 0; d < size.length; d++) size[d] = all["xyczt".indexOf(axes.charAt(d))];
		final Path path = write(axes, WORLD, size);
		final ImagePlus imp = new Opener().openImage(path.toString());
		assertEquals(ImagePlus.GRAY32, imp.getType());
		assertEquals(c, imp.getNChannels());
		assertEquals(z, imp.getNSlices());
		assertEquals(t, imp.getNFrames());
		assertEquals(-1, imp.getDisplayRangeMin());
		assertEquals(1, imp.getDisplayRangeMax());
		final Cursor<FloatType> expected = numbered(size).cursor();
		for (int p = 1; p <= c * z * t; p++)
			for (int i = 0; i < 35; i++) assertEquals(expected.next().get(), imp.getStack().getProcessor(p).getf(i));
		final ij.measure.Calibration k = imp.getCalibration();
		assertEquals(0.207, k.pixelWidth);
		assertEquals(0.5, k.pixelHeight);
		if (c * z * t > 1) assertEquals(3, k.pixelDepth);
		assertEquals("\u00b5m", k.getUnit());
		assertEquals("mm", k.getZUnit());
		assertEquals(0.04, k.frameInterval);
		assertEquals("ms", k.getTimeUnit());
		assertEquals(-5, k.xOrigin);
		assertEquals(2.5, k.yOrigin);
		assertEquals(1, k.zOrigin);
	}

	/** What is no coefficient may be of any size: ImageJ finds out. */
	@Test
	void anyOtherImageIsShownFromItsLeastToItsGreatestValue() throws IOException {
		final Path path = folder.resolve("sums.tif");
		try (OutputStream out = Files.newOutputStream(path)) {
			new TiffWriter(new long[] { 3, 1 }, "xy", PixelType.F32, WORLD, false).write(ArrayImgs.floats(new float[] { 250, -3000, 70_000 }, 3, 1), out);
		}
		final ImagePlus imp = new Opener().openImage(path.toString());
		assertEquals(-3000, imp.getDisplayRangeMin());
		assertEquals(70_000, imp.getDisplayRangeMax());
	}

	@Test
	void readsBackTheSame() throws IOException {
		final InputImage image = ImageFiles.read(write("xyczt", WORLD, 7, 5, 2, 3, 4).toString());
		assertEquals("xyczt", image.axes());
		assertEquals(WORLD, image.calibration());
		final Calibration none = ImageFiles.read(write("xy", Calibration.NONE, 7, 5).toString()).calibration();
		assertEquals(Calibration.NONE, none);
	}

	@ParameterizedTest
	@CsvSource({ "xyc,2,1,1", "xyct,2,1,3", "xyczt,2,3,4" })
	void channelsHaveNames(final String axes, final int c, final int z, final int t) throws IOException {
		final long[] all = { 7, 5, c, z, t }, size = new long[axes.length()];
		for (int d = 0; d < size.length; d++) size[d] = all["xyczt".indexOf(axes.charAt(d))];
		final List<PlaneFile.Channel> names = List.of(new PlaneFile.Channel("u", new ShownRange(-3, 0.5)),
			new PlaneFile.Channel("\u03bb \u00b5", new ShownRange(0, 7)));
		for (final Calibration calibration : new Calibration[] { WORLD, Calibration.NONE }) {
			final Path path = folder.resolve("field.tif");
			final PlaneFile file = new TiffWriter(size, axes, PixelType.F32, calibration, false).named(names, false);
			try (OutputStream out = Files.newOutputStream(path)) {
				file.write(numbered(size), out);
			}
			assertEquals(file.fileBytes(), Files.size(path));
			final ImagePlus imp = new Opener().openImage(path.toString());
			assertEquals(c + " " + z + " " + t, imp.getNChannels() + " " + imp.getNSlices() + " " + imp.getNFrames());
			for (int p = 1; p <= c * z * t; p++) assertEquals(p % 2 == 1 ? "u" : "\u03bb \u00b5", imp.getStack().getSliceLabel(p));
			for (final int channel : new int[] { 1, 2, 1 }) {
				imp.setC(channel);
				assertEquals(channel == 1 ? "-3.0 0.5" : "0.0 7.0", imp.getDisplayRangeMin() + " " + imp.getDisplayRangeMax());
			}
			assertEquals(numbered(size).firstElement().get(), imp.getStack().getProcessor(1).getf(0));
			final InputImage read = ImageFiles.read(path.toString());
			assertEquals(axes, read.axes());
			assertEquals(calibration, read.calibration());
		}
		// ImageJ does not read BigTIFF files: they have no further tags
		final TiffWriter large = new TiffWriter(new long[] { 40_000, 40_000, 2 }, "xyc", PixelType.F32, WORLD, true);
		assertEquals(43, large.head()[3]);
		assertArrayEquals(large.head(), large.named(names, false).head());
	}

	/** The pages after the first are for programs that do not know ImageJ's description. */
	@Test
	void everyPageIsThere() throws IOException {
		final Path path = write("xyz", Calibration.NONE, 7, 5, 3);
		final ImageReader reader = ImageIO.getImageReadersByFormatName("tiff").next();
		try (ImageInputStream in = ImageIO.createImageInputStream(path.toFile())) {
			reader.setInput(in);
			assertEquals(3, reader.getNumImages(true));
			assertEquals(-1 + 1e-3f * 71, reader.read(2).getRaster().getSampleFloat(0, 0, 0), 1e-5f);
		}
	}

	/** The resolution is also that of the tags, for programs that do not know ImageJ's description: per inch, per cm, or per any other unit. */
	@ParameterizedTest
	@CsvSource({ "inch, 2", "cm, 3", "mm, 1" })
	void unitsOfTheResolution(final String unit, final int tag) throws IOException {
		final ByteBuffer file = ByteBuffer.wrap(Files.readAllBytes(write("xy", new Calibration(0.25, 0.5, 1, unit, null, null, 0, "sec", 0, 0, 0), 7, 5)));
		final int first = file.getInt(4), entries = file.getShort(first);
		int found = 0;
		for (int e = 0; e < entries; e++) {
			final int at = first + 2 + 12 * e;
			if (file.getShort(at) == TiffDirectory.RESOLUTION_UNIT) found = file.getShort(at + 8);
		}
		assertEquals(tag, found);
	}

	@Test
	void oddPixelSizesStayClose() throws IOException {
		for (final double size : new double[] { 1e-7, 1 / 3.0, Math.PI, 12_345.6789, 1e6 / 7, 3e9 }) {
			final Calibration k = new Calibration(size, size, 1, "m", null, null, 0, "sec", 0, 0, 0);
			assertEquals(size, ImageFiles.read(write("xy", k, 2, 2).toString()).calibration().pixelWidth(), size * (size > 1e6 ? 0.6 : size < 1e-6 ? 1e-2 : 1e-3));
		}
	}

	/** Offsets of 32 bits as long as they suffice, 64 above. */
	@Test
	void aboveFourGigabytesItIsBigTiff() {
		assertEquals(43, new TiffWriter(new long[] { 40_000, 40_000 }, "xy", PixelType.F32, Calibration.NONE, true).head()[3]);
		assertEquals(43, new TiffWriter(new long[] { 1000, 1000, 1074 }, "xyt", PixelType.F32, Calibration.NONE, true).head()[3]);
		assertEquals(42, new TiffWriter(new long[] { 1000, 1000, 1073 }, "xyt", PixelType.F32, Calibration.NONE, true).head()[3]);
		assertEquals(42, new TiffWriter(new long[] { 40_000, 40_000 }, "xy", PixelType.U8, Calibration.NONE, true).head()[3]);
		assertEquals(40_000L * 40_000 * 4, new TiffWriter(new long[] { 40_000, 40_000 }, "xy", PixelType.F32, Calibration.NONE, true).fileBytes(), 1000);
	}
}
