package sc.fiji.ncc.cli.input;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.Color;
import java.awt.image.BufferedImage;
import java.awt.image.IndexColorModel;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.CRC32;

import javax.imageio.ImageIO;

import ij.CompositeImage;
import ij.ImagePlus;
import ij.ImageStack;
import ij.io.FileSaver;
import ij.process.ByteProcessor;
import ij.process.ColorProcessor;
import ij.process.FloatProcessor;
import ij.process.ImageProcessor;
import ij.process.LUT;
import ij.process.ShortProcessor;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.type.numeric.RealType;
import net.imglib2.type.numeric.integer.UnsignedByteType;
import net.imglib2.type.numeric.integer.UnsignedShortType;
import net.imglib2.type.numeric.real.FloatType;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import sc.fiji.ncc.front.Calibration;
import sc.fiji.ncc.front.WholeNumbers;

/** Images as ImageJ, the JDK and others write them. */
class ImageFilesTest extends ImageFileSamples {

	@Test
	void imageJsPixelTypes() {
		final String name = folder.resolve("a.tif").toString();
		final ImageProcessor[] processors = { new ByteProcessor(5, 4), new ShortProcessor(5, 4), new FloatProcessor(5, 4) };
		final double[] values = { 250, 65_000, -1e-3 };
		final Class<?>[] types = { UnsignedByteType.class, UnsignedShortType.class, FloatType.class };
		for (int i = 0; i < 3; i++) {
			processors[i].setf(3, 2, (float) values[i]);
			assertTrue(new FileSaver(new ImagePlus("a", processors[i])).saveAsTiff(name));
			final InputImage input = ImageFiles.read(name);
			assertEquals("5x4", input.size());
			assertEquals("xy", input.axes());
			assertInstanceOf(types[i], input.pixels().getType());
			assertEquals((float) values[i], value(input, 3, 2));
			assertEquals(0, value(input, 2, 3));
		}
	}

	/** Every plane of a hyperstack holds its own number; a coloured table must not change values. */
	@ParameterizedTest
	@CsvSource({ "2,3,4,xyczt", "1,3,4,xyzt", "2,1,4,xyct", "2,3,1,xycz", "1,3,1,xyz", "1,1,4,xyt", "2,1,1,xyc" })
	void hyperstacks(final int c, final int z, final int t, final String axes) {
		final ImageStack stack = new ImageStack(3, 2);
		for (int i = 0; i < c * z * t; i++) {
			final ByteProcessor plane = new ByteProcessor(3, 2);
			plane.set(1, 1, i + 1);
			stack.addSlice(plane);
		}
		final ImagePlus imp = new ImagePlus("h", stack);
		imp.setDimensions(c, z, t);
		imp.setOpenAsHyperStack(true);
		imp.getCalibration().pixelWidth = 0.25;
		imp.getCalibration().pixelHeight = 0.5;
		imp.getCalibration().pixelDepth = 2;
		imp.getCalibration().setUnit("\u00b5m");
		imp.getCalibration().frameInterval = 1.5;
		imp.getCalibration().xOrigin = 7;
		final String name = folder.resolve("h.tif").toString();
		assertTrue(new FileSaver(c > 1 ? new CompositeImage(imp) : imp).saveAsTiff(name));
		final InputImage input = ImageFiles.read(name);
		assertEquals(axes, input.axes());
		final long[] at = new long[axes.length()];
		at[0] = at[1] = 1;
		int expected = 0;
		for (int f = 0; f < t; f++)
			for (int s = 0; s < z; s++)
				for (int k = 0; k < c; k++) {
					for (int d = 2; d < at.length; d++) at[d] = axes.charAt(d) == 'c' ? k : axes.charAt(d) == 'z' ? s : f;
					assertEquals(++expected, value(input, at));
				}
		final Calibration k = input.calibration();
		assertEquals(0.25, k.pixelWidth(), 1e-9);
		assertEquals(0.5, k.pixelHeight(), 1e-9);
		assertEquals(2, k.pixelDepth());
		assertEquals("\u00b5m", k.unit());
		assertEquals(1.5, k.frameInterval());
		assertEquals(7, k.xOrigin());
	}

	@Test
	void slicesBeforeChannels() throws IOException {
		final ImageStack stack = new ImageStack(2, 2);
		for (int i = 0; i < 6; i++) stack.addSlice(new ByteProcessor(2, 2, new byte[] { (byte) i, 0, 0, 0 }));
		final String name = folder.resolve("zct.tif").toString();
		final ImagePlus imp = new ImagePlus("zct", stack);
		imp.setDimensions(2, 3, 1);
		new FileSaver(imp).saveAsTiff(name);
		final byte[] bytes = Files.readAllBytes(Path.of(name));
		final String text = new String(bytes, StandardCharsets.ISO_8859_1);
		// the order takes the place of loop=false
		assertTrue(text.contains("loop=false\n"));
		Files.write(Path.of(name), text.replace("loop=false\n", "order=zct \n").getBytes(StandardCharsets.ISO_8859_1));
		final InputImage input = ImageFiles.read(name);
		assertEquals("xycz", input.axes());
		assertEquals(3, value(input, 0, 0, 1, 0));
		assertEquals(1, value(input, 0, 0, 0, 1));
	}

	@Test
	void colouredTableOfImageJ() {
		final ImagePlus imp = new ImagePlus("lut", new ByteProcessor(4, 4));
		imp.getProcessor().set(1, 2, 77);
		imp.getProcessor().setLut(LUT.createLutFromColor(Color.GREEN));
		final String name = folder.resolve("green.tif").toString();
		new FileSaver(imp).saveAsTiff(name);
		assertEquals(77, value(ImageFiles.read(name), 1, 2));
	}

	@Test
	void gray16Png() throws IOException {
		final BufferedImage image = new BufferedImage(3, 2, BufferedImage.TYPE_USHORT_GRAY);
		image.getRaster().setSample(2, 1, 0, 60_000);
		final Path path = folder.resolve("g.png");
		ImageIO.write(image, "png", path.toFile());
		final InputImage input = ImageFiles.read(path.toString());
		assertInstanceOf(UnsignedShortType.class, input.pixels().getType());
		assertEquals(60_000, value(input, 2, 1));
	}

	@Test
	void tablesOfGrayAndBitsInPng() throws IOException {
		final byte[] gray = { 0, (byte) 200, 50, 7 };
		final BufferedImage image = new BufferedImage(9, 2, BufferedImage.TYPE_BYTE_BINARY, new IndexColorModel(2, 4, gray, gray, gray));
		image.getRaster().setSample(7, 1, 0, 1);
		final Path path = folder.resolve("t.png");
		ImageIO.write(image, "png", path.toFile());
		assertEquals(200, value(ImageFiles.read(path.toString()), 7, 1));
		final byte[] red = { 0, (byte) 255, 50, 7 };
		ImageIO.write(new BufferedImage(9, 2, BufferedImage.TYPE_BYTE_BINARY, new IndexColorModel(2, 4, red, gray, gray)), "png", path.toFile());
		final InputImage coloured = ImageFiles.read(path.toString());
		assertTrue(coloured.colour());
		assertEquals("xyc", coloured.axes());
	}

	@Test
	void pixelsBeyondTheTableOfColours() throws IOException {
		final byte[] gray = new byte[256];
		for (int i = 0; i < gray.length; i++) gray[i] = (byte) (255 - i);
		final BufferedImage image = new BufferedImage(4, 2, BufferedImage.TYPE_BYTE_INDEXED, new IndexColorModel(8, 256, gray, gray, gray));
		image.getRaster().setSample(2, 1, 0, 20);
		// a table of 20 colours, and one of 21
		for (int colours = 20; colours <= 21; colours++) {
			final Path png = folder.resolve(colours + ".png"), bmp = folder.resolve(colours + ".bmp");
			ImageIO.write(image, "png", png.toFile());
			Files.write(png, withColours(Files.readAllBytes(png), colours));
			ImageIO.write(image, "bmp", bmp.toFile());
			final byte[] bytes = Files.readAllBytes(bmp);
			final int header = 54, table = 4 * 256, pixels = header + table, kept = header + 4 * colours;
			final ByteBuffer shorter = ByteBuffer.allocate(bytes.length - pixels + kept).order(ByteOrder.LITTLE_ENDIAN);
			shorter.put(bytes, 0, kept).put(bytes, pixels, bytes.length - pixels).putInt(10, kept).putInt(46, colours);
			Files.write(bmp, shorter.array());
			for (final Path path : new Path[] { png, bmp }) {
				final String name = path.toString();
				if (colours == 21) assertEquals(255 - 20, value(ImageFiles.read(name), 2, 1));
				else assertEquals(name + " cannot be read: a pixel has colour 20, counted from 0, and its table has 20 colours (input formats: "
					+ ImageFiles.KINDS + ")", assertThrows(IllegalArgumentException.class, () -> ImageFiles.read(name)).getMessage());
			}
		}
	}

	/** A PNG file whose table has the first colours only. */
	private static byte[] withColours(final byte[] png, final int colours) {
		final ByteBuffer from = ByteBuffer.wrap(png), to = ByteBuffer.allocate(png.length);
		to.put(png, 0, 8);
		for (int at = 8, length; at < png.length; at += 12 + length) {
			length = from.getInt(at);
			final boolean table = new String(png, at + 4, 4, StandardCharsets.US_ASCII).equals("PLTE");
			final int kept = table ? 3 * colours : length;
			final CRC32 sum = new CRC32();
			sum.update(png, at + 4, 4 + kept);
			to.putInt(kept).put(png, at + 4, 4 + kept).putInt((int) sum.getValue());
		}
		return Arrays.copyOf(to.array(), to.position());
	}

	@Test
	void pgm() throws IOException {
		InputImage p = ImageFiles.read(file("a.pgm", "P2 # from a camera\n3 2\n# greatest\n300\n1 2 3\n4 5 300\n"));
		assertInstanceOf(UnsignedShortType.class, p.pixels().getType());
		assertEquals("3x2", p.size());
		assertEquals(300, value(p, 2, 1));
		p = ImageFiles.read(file("b.pgm", "P5\n2 1\n255\n\u00ff#"));
		assertEquals(255, value(p, 0, 0));
		assertEquals('#', value(p, 1, 0));
		p = ImageFiles.read(file("c.pgm", "P5 1 1 65535\n\u0001\u0002"));
		assertEquals(258, value(p, 0, 0));
		p = ImageFiles.read(file("d.pbm", "P4\n10 1\n\u0080\u0040"));
		assertEquals(1, value(p, 0, 0));
		assertEquals(0, value(p, 1, 0));
		assertEquals(1, value(p, 9, 0));
		p = ImageFiles.read(file("e.pbm", "P1\n3 1\n101"));
		assertEquals(0, value(p, 1, 0));
		assertTrue(refusal(file("cut.pgm", "P5\n20 20\n255\nabc")).contains("cut off"));
		assertTrue(refusal(file("above.pgm", "P2\n1 1\n100\n101\n")).contains("above"));
		assertTrue(refusal(file("odd.pgm", "P2\n1 x\n")).contains("height"));
		assertTrue(refusal(file("rgb.ppm", "P6\n1 1\n255\nabc")).contains("RGB"));
	}

	/** Red, green and blue become channels, from every format; a mask or a kernel must be gray. */
	@Test
	void coloursAreChannels() throws IOException {
		final ColorProcessor colours = new ColorProcessor(4, 3);
		colours.set(2, 1, 0x0a1428);
		final ImagePlus rgb = new ImagePlus("rgb", colours);
		final String tif = folder.resolve("rgb.tif").toString(), png = folder.resolve("rgb.png").toString(), transparent = folder.resolve("a.png").toString();
		new FileSaver(rgb).saveAsTiff(tif);
		new FileSaver(rgb).saveAsPng(png);
		final BufferedImage image = new BufferedImage(4, 3, BufferedImage.TYPE_INT_ARGB);
		image.setRGB(2, 1, 0x800a1428);
		ImageIO.write(image, "png", new java.io.File(transparent));
		for (final String name : new String[] { tif, png, transparent }) {
			final InputImage p = ImageFiles.read(name);
			assertEquals("4x3x3 xyc true", p.size() + " " + p.axes() + " " + p.colour());
			for (int c = 0; c < 3; c++) {
				final RandomAccessibleInterval<?> channel = p.of(sc.fiji.ncc.front.ChannelChoice.of(String.valueOf(c + 1))).pixels();
				assertEquals(new int[] { 10, 20, 40 }[c], ((RealType<?>) channel.getAt(2, 1)).getRealDouble(), name);
			}
			final String message = assertThrows(IllegalArgumentException.class, p::gray).getMessage();
			assertTrue(message.contains("RGB") && message.contains("Image > Type > 8-bit"), message);
		}
		final ij.ImageStack stack = new ij.ImageStack(4, 3);
		stack.addSlice(colours.duplicate());
		stack.addSlice(colours);
		final String two = folder.resolve("two.tif").toString();
		new FileSaver(new ImagePlus("two", stack)).saveAsTiffStack(two);
		assertEquals("4x3x3x2 xycz", ImageFiles.read(two).size() + " " + ImageFiles.read(two).axes());
	}

	@Test
	void whatIsNoImage() throws IOException {
		assertTrue(refusal(folder.resolve("none.tif").toString()).contains("no file"));
		assertTrue(refusal(folder.toString()).contains("folder"));
		assertTrue(refusal(file("empty.tif", "")).contains("0 bytes"));
		assertTrue(refusal(file("text.png", "once upon a time")).contains(ImageFiles.KINDS));
		assertTrue(refusal(file("head.tif", "II*\0")).contains("cut off"));
		assertTrue(refusal(file("bad.tif", "II*\0\10\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0")).contains("0 tags"));
		final BufferedImage image = new BufferedImage(300, 300, BufferedImage.TYPE_BYTE_GRAY);
		for (int i = 0; i < 90_000; i++) image.getRaster().setSample(i % 300, i / 300, 0, i * i >> 3 & 255);
		final Path png = folder.resolve("whole.png");
		ImageIO.write(image, "png", png.toFile());
		final byte[] bytes = Files.readAllBytes(png);
		assertTrue(refusal(file("half.png", Arrays.copyOf(bytes, bytes.length / 2))).matches(".*(cut off|cannot be read).*"));
	}

	@Test
	void theThirdDimensionInSpace() {
		final ImageStack stack = new ImageStack(3, 2);
		for (int i = 0; i < 24; i++) stack.addSlice(new ByteProcessor(3, 2, new byte[] { (byte) i, 0, 0, 0, 0, 0 }));
		final ImagePlus imp = new ImagePlus("h", stack);
		imp.setDimensions(2, 3, 4);
		final String name = folder.resolve("h.tif").toString();
		new FileSaver(imp).saveAsTiff(name);
		final InputImage input = ImageFiles.read(name).spatialFirst(3);
		assertEquals("xyzct", input.axes());
		assertArrayEquals(new long[] { 3, 2, 3, 2, 4 }, input.pixels().dimensionsAsLongArray());
		assertEquals(1 + 2 * 2 + 6 * 3, value(input, 0, 0, 2, 1, 3));
		assertEquals(8, input.frames(3));
		assertEquals(24, input.frames(2));
		imp.setDimensions(6, 1, 4);
		new FileSaver(imp).saveAsTiff(name);
		final InputImage flat = ImageFiles.read(name);
		assertTrue(assertThrows(IllegalArgumentException.class, () -> flat.spatialFirst(3)).getMessage().contains("no slices"));
		imp.setDimensions(1, 1, 24);
		new FileSaver(imp).saveAsTiff(name);
		assertEquals("xyt", ImageFiles.read(name).spatialFirst(3).axes());
	}

	@Test
	void regions() {
		final ImageStack stack = new ImageStack(5, 4);
		for (int i = 0; i < 3; i++) {
			final ByteProcessor plane = new ByteProcessor(5, 4);
			plane.set(2, 1, 10 + i);
			stack.addSlice(plane);
		}
		final String name = folder.resolve("s.tif").toString();
		new FileSaver(new ImagePlus("s", stack)).saveAsTiff(name);
		final InputImage input = ImageFiles.read(name);
		final InputImage flat = new InputImage("cut", input.cut(new WholeNumbers(2, 1, 3, 2)), "xy", Calibration.NONE);
		assertEquals("3x2", flat.size());
		assertEquals(10, value(flat, 0, 0));
		final InputImage deep = new InputImage("cut", input.cut(new WholeNumbers(2, 1, 1, 1, 2, 2)), "xyz", Calibration.NONE);
		assertEquals("1x2x2", deep.size());
		assertEquals(12, value(deep, 0, 0, 1));
		for (final long[] outside : new long[][] { { 3, 0, 3, 2 }, { -1, 0, 2, 2 }, { 0, 0, 0, 2 }, { 0, 3, 2, 2 }, { 0, 0, 2, 2, 2, 2 } }) {
			final String message = assertThrows(IllegalArgumentException.class, () -> input.cut(new WholeNumbers(outside))).getMessage();
			assertTrue(message.contains(new WholeNumbers(outside).toString()) && message.contains(outside[2] == 0 ? "is empty" : "5x4"), message);
		}
	}
}
