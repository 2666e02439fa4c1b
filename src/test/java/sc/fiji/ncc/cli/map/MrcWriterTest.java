package sc.fiji.ncc.cli.map;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;

import net.imglib2.img.Img;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.type.numeric.RealType;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.view.Views;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import sc.fiji.ncc.front.Calibration;
import sc.fiji.ncc.cli.input.ImageFiles;
import sc.fiji.ncc.cli.input.InputImage;
import sc.fiji.ncc.image.ImagePixels;
import sc.fiji.ncc.plan.PixelType;

/** What is written is read back. The bytes of the header are compared with the tables of MRC2014. */
class MrcWriterTest {

	@TempDir
	Path folder;

	private static final Calibration NANOMETRES = new Calibration(0.25, 0.25, 0.5, "nm", null, null, 0, "sec", 3, -4, 5);

	@SuppressWarnings({ "unchecked", "rawtypes" })
	private static Img<?> random(final PixelType type, final long... size) {
		final Img<?> img = type == PixelType.U8 ? ArrayImgs.unsignedBytes(size) : type == PixelType.S8 ? ArrayImgs.bytes(size)
			: type == PixelType.S16 ? ArrayImgs.shorts(size) : type == PixelType.U16 ? ArrayImgs.unsignedShorts(size) : ArrayImgs.floats(size);
		final Random random = new Random(7);
		for (final RealType<?> p : (Iterable<RealType<?>>) (Iterable) img) p.setReal(type.integer ? type.min
			+ random.nextInt((int) (type.max - type.min) + 1) : random.nextGaussian());
		return img;
	}

	private Path write(final Img<?> img, final String axes, final Calibration calibration) throws IOException {
		final Path path = folder.resolve("v.mrc");
		final PlaneFile file = MapWriter.file(path.toString(), img.dimensionsAsLongArray(), axes, ImagePixels.type(img), calibration, true);
		try (OutputStream out = Files.newOutputStream(path)) {
			file.write(InputImage.fileOrder(img, axes), out);
		}
		assertEquals(file.fileBytes(), Files.size(path));
		return path;
	}

	@ParameterizedTest
	@CsvSource({ "U8,xyz,U16", "S8,xy,S8", "S16,xyz,S16", "U16,xyt,U16", "F32,xyz,F32", "F32,xyzt,F32", "F32,xy,F32" })
	@SuppressWarnings({ "unchecked", "rawtypes" })
	void readsBackTheSame(final PixelType type, final String axes, final PixelType stored) throws IOException {
		final long[] all = { 7, 5, 3, 4 }, size = java.util.Arrays.copyOf(all, axes.length());
		final Img<?> img = random(type, size);
		final InputImage image = ImageFiles.read(write(img, axes, NANOMETRES).toString());
		assertEquals(axes, image.axes());
		assertEquals(stored, ImagePixels.type(image.pixels()));
		assertArrayEquals(size, image.pixels().dimensionsAsLongArray());
		final var expected = Views.flatIterable((RandomAccessibleInterval<RealType>) (RandomAccessibleInterval) img).cursor();
		for (final RealType<?> p : Views.flatIterable((RandomAccessibleInterval<RealType>) (RandomAccessibleInterval) image.pixels()))
			assertEquals(expected.next().getRealDouble(), p.getRealDouble());
		final Calibration c = image.calibration();
		assertEquals("\u00c5", c.unit());
		assertEquals(2.5, c.pixelWidth(), 1e-6);
		if (axes.startsWith("xyz")) assertEquals(5, c.pixelDepth(), 1e-6);
		assertEquals(3, c.xOrigin());
		assertEquals(-4, c.yOrigin());
		assertEquals(axes.startsWith("xyz") ? 5 : 0, c.zOrigin());
	}

	/** Words of MRC2014: 1 to 3 size, 4 mode, 8 to 10 sampling, 17 to 19 axes, 20 to 22 and 55 statistics, 23 space group, 28 version, 53 tag, 54 stamp. */
	@ParameterizedTest
	@CsvSource({ "xy,0,1", "xyt,0,1", "xyz,1,3", "xyzt,401,3" })
	void theHeader(final String axes, final int group, final int samples) throws IOException {
		final long[] size = java.util.Arrays.copyOf(new long[] { 7, 5, 3, 4 }, axes.length());
		final ByteBuffer b = ByteBuffer.wrap(Files.readAllBytes(write(random(PixelType.F32, size), axes, Calibration.NONE))).order(ByteOrder.LITTLE_ENDIAN);
		final int planes = axes.length() == 2 ? 1 : axes.length() == 3 ? 3 : 12;
		assertArrayEquals(new int[] { 7, 5, planes, 2 }, new int[] { word(b, 1), word(b, 2), word(b, 3), word(b, 4) });
		assertArrayEquals(new int[] { 7, 5, samples }, new int[] { word(b, 8), word(b, 9), word(b, 10) });
		for (int d = 0; d < 3; d++) {
			assertEquals(0, b.getFloat(4 * (10 + d)), "no cell without a unit");
			assertEquals(90, b.getFloat(4 * (13 + d)));
			assertEquals(d + 1, word(b, 17 + d));
		}
		final float least = b.getFloat(4 * 19), greatest = b.getFloat(4 * 20), mean = b.getFloat(4 * 21);
		assertEquals("true true true", (greatest < least) + " " + (mean < Math.min(least, greatest)) + " " + (b.getFloat(4 * 54) < 0), "not known");
		assertEquals(group, word(b, 23));
		assertEquals(0, word(b, 24));
		assertEquals(20140, word(b, 28));
		assertEquals("MAP DD", new String(b.array(), 208, 6));
		assertEquals("1 NCC for Fiji", word(b, 56) + " " + new String(b.array(), 224, 80).trim());
	}

	private static int word(final ByteBuffer b, final int number) {
		return b.getInt(4 * (number - 1));
	}

	@Test
	void namesEndInTheFormat() {
		for (final String name : new String[] { "a.mrc", "B.MRC", "c.mrcs" }) assertTrue(MrcWriter.isMrc(name), name);
		for (final String name : new String[] { "a.tif", "mrc", "a.mrc.tif" }) assertFalse(MrcWriter.isMrc(name), name);
	}

	@Test
	void refusesWhatTheFormatCannotHold() {
		assertEquals("an MRC file has no 64-bit floats: give a name that ends in .tif or .zarr, or leave --precision double out", refusal("xy", PixelType.F64));
		assertEquals("an MRC file has no 32-bit integers: give a name that ends in .tif or .zarr", refusal("xy", PixelType.U32));
		assertEquals("an MRC file has no channels, and the image has 3: give a name that ends in .tif or .zarr, or an image with one channel",
			refusal("xyc", PixelType.F32));
	}

	private static String refusal(final String axes, final PixelType type) {
		return assertThrows(IllegalArgumentException.class, () -> MapWriter.file("a.mrc", new long[] { 7, 5, 3 }, axes, type, Calibration.NONE, false)).getMessage();
	}
}
