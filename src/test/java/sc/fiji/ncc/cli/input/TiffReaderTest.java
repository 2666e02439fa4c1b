package sc.fiji.ncc.cli.input;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.DeflaterOutputStream;

import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageWriteParam;
import javax.imageio.ImageWriter;
import javax.imageio.stream.ImageOutputStream;

import ij.ImagePlus;
import ij.ImageStack;
import ij.io.FileSaver;
import ij.process.ByteProcessor;
import ij.process.ShortProcessor;

import net.imglib2.img.cell.LazyCellImg;
import net.imglib2.type.numeric.integer.ShortType;
import net.imglib2.type.numeric.integer.UnsignedIntType;
import net.imglib2.type.numeric.real.DoubleType;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import sc.fiji.ncc.front.Calibration;

/** TIFF files of other programs: compression, number types, BigTIFF, files that are cut off or damaged. */
class TiffReaderTest extends ImageFileSamples {

	/** Where the pixels of a page begin. */
	private static final int DATA = 300;

	@ParameterizedTest
	@ValueSource(strings = { "LZW", "Deflate", "PackBits", "ZLib" })
	void compressedTiff(final String compression) throws IOException {
		final BufferedImage image = new BufferedImage(50, 40, BufferedImage.TYPE_USHORT_GRAY);
		for (int i = 0; i < 2000; i++) image.getRaster().setSample(i % 50, i / 50, 0, i * 31);
		final Path path = folder.resolve("c.tif");
		final ImageWriter writer = ImageIO.getImageWritersByFormatName("tiff").next();
		try (ImageOutputStream out = ImageIO.createImageOutputStream(path.toFile())) {
			writer.setOutput(out);
			final ImageWriteParam param = writer.getDefaultWriteParam();
			param.setCompressionMode(ImageWriteParam.MODE_EXPLICIT);
			param.setCompressionType(compression);
			writer.write(null, new IIOImage(image, null, null), param);
		}
		final InputImage input = ImageFiles.read(path.toString());
		assertEquals("50x40", input.size());
		for (int i = 0; i < 2000; i++) assertEquals(i * 31 & 0xffff, value(input, i % 50, i / 50));
		// damage is said, not read as zeros
		final byte[] bytes = Files.readAllBytes(path);
		assertTrue(refusal(file("cut.tif", Arrays.copyOf(bytes, bytes.length / 2))).matches(".*(cut off|cannot be read).*"));
	}

	/** A stack that stays on the disk, compressed or not, reads as one in memory. */
	@ParameterizedTest
	@ValueSource(strings = { "", "LZW", "Deflate" })
	void stacksPlaneByPlane(final String compression) throws IOException {
		final Path path = folder.resolve("s.tif");
		final ImageWriter writer = ImageIO.getImageWritersByFormatName("tiff").next();
		try (ImageOutputStream out = ImageIO.createImageOutputStream(path.toFile())) {
			writer.setOutput(out);
			final ImageWriteParam param = writer.getDefaultWriteParam();
			if (!compression.isEmpty()) {
				param.setCompressionMode(ImageWriteParam.MODE_EXPLICIT);
				param.setCompressionType(compression);
			}
			writer.prepareWriteSequence(null);
			for (int k = 0; k < 7; k++) {
				final BufferedImage image = new BufferedImage(50, 40, BufferedImage.TYPE_USHORT_GRAY);
				for (int i = 0; i < 2000; i++) image.getRaster().setSample(i % 50, i / 50, 0, k * 5000 + i);
				writer.writeToSequence(new IIOImage(image, null, null), param);
			}
			writer.endWriteSequence();
		}
		for (final long most : new long[] { 0, 7 * 4000 }) {
			final InputImage input = TiffReader.read("s.tif", path, most);
			assertEquals("50x40x7", input.size());
			assertEquals(most == 0, input.pixels() instanceof LazyCellImg, "in memory unless it is too large");
			// the last plane first
			for (int k = 6; k >= 0; k--)
				for (int i = 0; i < 2000; i += 37) assertEquals(k * 5000 + i, value(input, i % 50, i / 50, k));
		}
	}

	/** A page as other programs write it: one strip, little-endian, any number type; BigTIFF likewise. */
	private static byte[] tiff(final boolean big, final int bits, final int format, final byte[] pixels, final int width) {
		final int entries = 8;
		final ByteBuffer b = ByteBuffer.allocate(1000).order(ByteOrder.LITTLE_ENDIAN);
		b.putShort((short) 0x4949).putShort((short) (big ? 43 : 42));
		if (big) b.putShort((short) 8).putShort((short) 0).putLong(16).putLong(entries);
		else b.putInt(8).putShort((short) entries);
		final int height = pixels.length * 8 / bits / width, data = 500;
		final int[][] tags = { { 256, width }, { 257, height }, { 258, bits }, { 259, 1 }, { 262, 1 }, { 273, data }, { 279, pixels.length }, { 339, format } };
		for (final int[] tag : tags) {
			b.putShort((short) tag[0]).putShort((short) 4);
			if (big) b.putLong(1).putLong(tag[1]);
			else b.putInt(1).putInt(tag[1]);
		}
		if (big) b.putLong(0);
		else b.putInt(0);
		b.position(data);
		b.put(pixels);
		return Arrays.copyOf(b.array(), data + pixels.length);
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void otherNumberTypes(final boolean big) throws IOException {
		final ByteBuffer b = ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN);
		InputImage p = ImageFiles.read(file("d.tif", tiff(big, 64, 3, b.putDouble(0, 1e300).putDouble(8, -1).array(), 2)));
		assertInstanceOf(DoubleType.class, p.pixels().getType());
		assertEquals(1e300, value(p, 0, 0));
		p = ImageFiles.read(file("u.tif", tiff(big, 32, 1, b.putInt(0, -1).putInt(4, 7).array(), 2)));
		assertInstanceOf(UnsignedIntType.class, p.pixels().getType());
		assertEquals(4_294_967_295.0, value(p, 0, 0));
		assertEquals(7, value(p, 1, 0));
		p = ImageFiles.read(file("s.tif", tiff(big, 16, 2, b.putShort(0, (short) -300).array(), 4)));
		assertInstanceOf(ShortType.class, p.pixels().getType());
		assertEquals(-300, value(p, 0, 0));
	}

	@Test
	void aTiffFileThatEndsTooEarly() throws IOException {
		final String name = folder.resolve("a.tif").toString();
		new FileSaver(new ImagePlus("a", new ShortProcessor(50, 40))).saveAsTiff(name);
		final byte[] bytes = Files.readAllBytes(Path.of(name));
		for (final int length : new int[] { 16, 100, 1000, bytes.length - 1 })
			assertTrue(refusal(file("cut.tif", Arrays.copyOf(bytes, length))).contains("cut off"));
	}

	/** Every number of bits, kind of number and compression that is read is read exactly; the others are refused. */
	@ParameterizedTest
	@ValueSource(ints = { 1, 8, 32773 })
	void everyNumberOfBits(final int compression) throws IOException {
		final int width = 21, height = 15;
		int read = 0;
		for (int bits = 1; bits <= 64; bits++) for (int format = 1; format <= 6; format++) {
			final byte[] pixels = new byte[(width * bits + 7) / 8 * height];
			new Random(bits).nextBytes(pixels);
			final byte[] strip = compression == 8 ? deflated(pixels) : compression == 1 ? pixels : packed(pixels);
			final String whole = file("b.tif", page(width, height, bits, format, compression, 1, strip)), what = bits + " bits of format " + format;
			final boolean known = format == 3 ? bits == 32 || bits == 64 : format < 5 && (bits == 8 || bits == 16 || bits == 32)
				|| (format == 1 || format == 4) && (bits == 1 || bits == 2 || bits == 4);
			if (!known) {
				assertTrue(refusal(whole).contains(format > 4 ? "format " + format : bits + "-bit"), what);
				continue;
			}
			final InputImage input = ImageFiles.read(whole);
			for (int y = 0; y < height; y++) for (int x = 0; x < width; x++) assertEquals(sample(pixels, width, bits, format, x, y), value(input, x, y), what);
			read++;
			final String cut = refusal(file("cut.tif", page(width, height, bits, format, compression, 1, Arrays.copyOf(strip, strip.length / 2))));
			assertTrue(cut.contains("cut off") || cut.contains("its strips hold"), what + ": " + cut);
		}
		assertEquals(17, read);
	}

	private static double sample(final byte[] pixels, final int width, final int bits, final int format, final int x, final int y) {
		final int row = (width * bits + 7) / 8 * y;
		if (bits < 8) return pixels[row + x * bits / 8] >> 8 - bits - x * bits % 8 & (1 << bits) - 1;
		final ByteBuffer b = ByteBuffer.wrap(pixels).order(ByteOrder.LITTLE_ENDIAN);
		final int at = row + x * bits / 8;
		if (format == 3) return bits == 32 ? b.getFloat(at) : b.getDouble(at);
		final long value = bits == 8 ? b.get(at) : bits == 16 ? b.getShort(at) : b.getInt(at);
		return format == 2 ? value : value & (1L << bits) - 1;
	}

	private static byte[] deflated(final byte[] bytes) throws IOException {
		final ByteArrayOutputStream out = new ByteArrayOutputStream();
		try (DeflaterOutputStream to = new DeflaterOutputStream(out)) {
			to.write(bytes);
		}
		return out.toByteArray();
	}

	/** PackBits with pieces that are copied, a repeated byte, and a byte that stands for nothing. */
	private static byte[] packed(final byte[] bytes) {
		final ByteArrayOutputStream out = new ByteArrayOutputStream();
		out.write(-128);
		for (int i = 0; i < bytes.length;) {
			int same = 1;
			while (i + same < bytes.length && same < 128 && bytes[i + same] == bytes[i]) same++;
			if (same > 1) out.write(1 - same);
			final int n = same > 1 ? 1 : Math.min(100, bytes.length - i);
			if (same == 1) out.write(n - 1);
			out.write(bytes, i, n);
			i += Math.max(same, n);
		}
		return out.toByteArray();
	}

	/** A little-endian page of one strip. */
	private static byte[] page(final int width, final int height, final int bits, final int format, final int compression,
		final int predictor, final byte[] strip) {
		return page(strip, new int[][] { { 256, width }, { 257, height }, { 258, bits }, { 259, compression }, { 262, 1 }, { 273, DATA }, { 279, strip.length },
			{ 317, predictor }, { 339, format } });
	}

	/** A little-endian page. @param tags numbers, each with its values, or with the numerator and the denominator of a fraction */
	private static byte[] page(final byte[] data, final int[]... tags) {
		final ByteBuffer b = ByteBuffer.allocate(DATA + data.length).order(ByteOrder.LITTLE_ENDIAN).putShort((short) 0x4949).putShort((short) 42).putInt(8)
			.putShort((short) tags.length);
		int behind = 10 + 12 * tags.length + 4;
		for (final int[] tag : tags) {
			final boolean fraction = tag[0] == 282 || tag[0] == 283;
			b.putShort((short) tag[0]).putShort((short) (fraction ? 5 : 4)).putInt(fraction ? 1 : tag.length - 1).putInt(tag.length == 2 ? tag[1] : behind);
			for (int i = 1; tag.length > 2 && i < tag.length; i++, behind += 4) b.putInt(behind, tag[i]);
		}
		return b.putInt(0).position(DATA).put(data).array();
	}

	/** Bytes whose lowest bit is the first one, red, green and blue one after the other, and three samples that call themselves gray. */
	@Test
	void orderOfBitsAndSamples() throws IOException {
		final byte[] bytes = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 };
		final InputImage reversed = ImageFiles.read(file("f.tif",
			page(bytes, new int[] { 256, 4 }, new int[] { 257, 3 }, new int[] { 258, 8 }, new int[] { 259, 1 },
			new int[] { 262, 1 }, new int[] { 266, 2 }, new int[] { 273, DATA }, new int[] { 279, 12 })));
		for (int i = 0; i < 12; i++) assertEquals(Integer.reverse(bytes[i]) >>> 24, value(reversed, i % 4, i / 4));
		for (final boolean planes : new boolean[] { false, true }) for (int kind = 0; kind < 3; kind++) {
			final InputImage colours = ImageFiles.read(file("c.tif", page(bytes, new int[] { 256, 2 }, new int[] { 257, 2 }, new int[] { 258, 8, 8, 8 },
				new int[] { 259, 1 }, new int[] { 262, kind }, planes ? new int[] { 273, DATA, DATA + 4, DATA + 8 } : new int[] { 273, DATA },
				new int[] { 277, 3 }, planes ? new int[] { 279, 4, 4, 4 } : new int[] { 279, 12 }, new int[] { 284, planes ? 2 : 1 })));
			assertEquals("2x2x3", colours.size());
			for (int i = 0; i < 4; i++) for (int c = 0; c < 3; c++) assertEquals(planes ? 4 * c + i + 1 : 3 * i + c + 1, value(colours, i % 2, i / 2, c),
				"kind " + kind);
		}
		final String two = refusal(file("t.tif", page(bytes, new int[] { 256, 3 }, new int[] { 257, 2 }, new int[] { 258, 8, 8 }, new int[] { 259, 1 },
			new int[] { 262, 2 }, new int[] { 273, DATA }, new int[] { 277, 2 }, new int[] { 279, 12 })));
		assertTrue(two.contains("it has 2 samples per pixel"), two);
	}

	/** Pixels per centimetre and per inch. 72 per inch, and one pixel per inch, say nothing. */
	@Test
	void resolutions() throws IOException {
		for (final int[] given : new int[][] { { 100, 3 }, { 72, 3 }, { 1, 3 }, { 300, 2 }, { 72, 2 }, { 1, 2 }, { 300, 1 } }) {
			final InputImage image = ImageFiles.read(file("r.tif", page(new byte[12], new int[] { 256, 4 }, new int[] { 257, 3 }, new int[] { 258, 8 },
				new int[] { 259, 1 }, new int[] { 262, 1 }, new int[] { 273, DATA }, new int[] { 279, 12 }, new int[] { 282, given[0], 1 },
				new int[] { 283, 2 * given[0], 1 }, new int[] { 296, given[1] })));
			final boolean none = given[1] == 1 || given[1] == 2 && given[0] != 300;
			final Calibration expected = Calibration.of(new double[] { 1.0 / given[0], 0.5 / given[0], 1 }, new double[3], given[1] == 3 ? "cm" : "inch",
				0, "sec");
			assertEquals(none ? Calibration.NONE : expected, image.calibration(), Arrays.toString(given));
		}
	}

	@Test
	void pagesOfTwoTypes() throws IOException {
		final Path path = folder.resolve("p.tif");
		final ImageWriter writer = ImageIO.getImageWritersByFormatName("tiff").next();
		try (ImageOutputStream out = ImageIO.createImageOutputStream(path.toFile())) {
			writer.setOutput(out);
			writer.prepareWriteSequence(null);
			for (final int type : new int[] { BufferedImage.TYPE_BYTE_GRAY, BufferedImage.TYPE_USHORT_GRAY })
				writer.writeToSequence(new IIOImage(new BufferedImage(5, 4, type), null, null), writer.getDefaultWriteParam());
			writer.endWriteSequence();
		}
		final String refused = refusal(path.toString());
		assertTrue(refused.contains("its pages differ in size or pixel type (5x4 with 1x8 bit, 5x4 with 1x16 bit)"), refused);
	}

	/** Differences of neighbours, of integers and of the bytes of floats. */
	@Test
	void predictors() throws IOException {
		final int width = 6;
		final ByteBuffer shorts = ByteBuffer.allocate(2 * width).order(ByteOrder.LITTLE_ENDIAN);
		for (int x = 0; x < width; x++) shorts.putShort((short) (x == 0 ? 60_000 : 3000));
		InputImage p = ImageFiles.read(file("p.tif", page(width, 1, 16, 1, 8, 2, deflated(shorts.array()))));
		for (int x = 0; x < width; x++) assertEquals(60_000 + 3000 * x & 0xffff, value(p, x, 0));
		final byte[] floats = new byte[4 * width];
		for (int x = 0; x < width; x++) for (int k = 0; k < 4; k++) floats[k * width + x] = (byte) (Float.floatToIntBits(1.5f * x) >> 24 - 8 * k);
		for (int i = floats.length - 1; i > 0; i--) floats[i] -= floats[i - 1];
		p = ImageFiles.read(file("p.tif", page(width, 1, 32, 3, 8, 3, deflated(floats))));
		for (int x = 0; x < width; x++) assertEquals(1.5 * x, value(p, x, 0));
		assertTrue(refusal(file("p.tif", page(width, 1, 16, 1, 8, 3, deflated(shorts.array())))).contains("predictor 3"));
		assertTrue(refusal(file("p.tif", page(width, 1, 16, 1, 8, 4, deflated(shorts.array())))).contains("predictor 4"));
	}

	/** Tiles and strips of the JDK's writer, large enough for all lengths of LZW codes. */
	@ParameterizedTest
	@ValueSource(strings = { "LZW", "Deflate", "PackBits", "JPEG" })
	void tilesAndColours(final String compression) throws IOException {
		final Random random = new Random(5);
		for (final int type : new int[] { BufferedImage.TYPE_BYTE_GRAY, BufferedImage.TYPE_3BYTE_BGR, BufferedImage.TYPE_4BYTE_ABGR,
			BufferedImage.TYPE_BYTE_BINARY }) {
			final boolean bits = type == BufferedImage.TYPE_BYTE_BINARY, alpha = type == BufferedImage.TYPE_4BYTE_ABGR;
			if (compression.equals("JPEG") && (bits || alpha)) continue;
			final BufferedImage image = new BufferedImage(150, 130, type);
			final int bands = image.getRaster().getNumBands();
			for (int i = 0; i < 150 * 130; i++) for (int c = 0; c < bands; c++)
				image.getRaster().setSample(i % 150, i / 150, c, alpha && c == 3 ? 255 : bits ? random.nextInt(2) : i % 150 < 75 ? i / 300 + c : random.nextInt(256));
			for (final boolean tiles : new boolean[] { false, true }) {
				final Path path = folder.resolve("t.tif");
				Files.deleteIfExists(path);
				final ImageWriter writer = ImageIO.getImageWritersByFormatName("tiff").next();
				try (ImageOutputStream out = ImageIO.createImageOutputStream(path.toFile())) {
					writer.setOutput(out);
					final ImageWriteParam param = writer.getDefaultWriteParam();
					param.setCompressionMode(ImageWriteParam.MODE_EXPLICIT);
					param.setCompressionType(compression);
					if (compression.equals("JPEG")) param.setCompressionQuality(1);
					if (tiles) {
						param.setTilingMode(ImageWriteParam.MODE_EXPLICIT);
						param.setTiling(64, 32, 0, 0);
					}
					writer.write(null, new IIOImage(image, null, null), param);
				}
				final InputImage input = ImageFiles.read(path.toString());
				final int shown = bands == 1 ? 1 : 3;
				assertEquals(shown == 1 ? "150x130" : "150x130x3", input.size());
				for (int i = 0; i < 150 * 130; i++) for (int c = 0; c < shown; c++) {
					final double value = shown == 1 ? value(input, i % 150, i / 150) : value(input, i % 150, i / 150, c);
					assertEquals(image.getRaster().getSample(i % 150, i / 150, c), value, compression.equals("JPEG") ? bands == 1 ? 8 : 255 : 0);
				}
			}
		}
	}

	/** A stack as ImageJ writes it: a page for each image, and a description with their number. */
	private byte[] stack(final int images) throws IOException {
		final ImageStack stack = new ImageStack(30, 20);
		for (int k = 0; k < images; k++) {
			final ByteProcessor slice = new ByteProcessor(30, 20);
			slice.setValue(10 * k + 10);
			slice.fill();
			stack.addSlice(slice);
		}
		final String name = folder.resolve("stack.tif").toString();
		assertTrue(new FileSaver(new ImagePlus("s", stack)).saveAsTiffStack(name));
		return Files.readAllBytes(Path.of(name));
	}

	private static ByteBuffer buffer(final byte[] tiff) {
		return ByteBuffer.wrap(tiff).order(tiff[0] == 'I' ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN);
	}

	/** Where the page after this one begins. */
	private static int next(final ByteBuffer tiff, final int page) {
		return tiff.getInt(page + 2 + 12 * tiff.getShort(page));
	}

	/** The pages say where the images lie, whatever the description states. */
	@Test
	void pagesAndDescription() throws IOException {
		final byte[] whole = stack(4);
		assertEquals("30x20x4", ImageFiles.read(file("s.tif", whole)).size());
		// the third image moves to the end of the file
		final byte[] moved = Arrays.copyOf(whole, whole.length + 600);
		final ByteBuffer b = buffer(moved);
		final int third = next(b, next(b, b.getInt(4)));
		for (int e = 0; e < b.getShort(third); e++) if (b.getShort(third + 2 + 12 * e) == 273) b.putInt(third + 2 + 12 * e + 8, whole.length);
		Arrays.fill(moved, whole.length, moved.length, (byte) 77);
		final InputImage input = ImageFiles.read(file("s.tif", moved));
		for (int k = 0; k < 4; k++) assertEquals(k == 2 ? 77 : 10 * k + 10, value(input, 3, 4, k));
		// fewer pages than images are stated
		final byte[] fewer = whole.clone();
		buffer(fewer).putInt(third + 2 + 12 * b.getShort(third), 0);
		final String refused = refusal(file("s.tif", fewer));
		assertTrue(refused.contains("states 4 images") && refused.contains("3 pages"), refused);
		// one page, whose tags lie in the image after the first: "images=4" in a file of other programs
		final byte[] single = new byte[3000];
		System.arraycopy(tiff(false, 8, 1, new byte[480], 24), 0, single, 0, 500);
		final ByteBuffer one = ByteBuffer.wrap(single).order(ByteOrder.LITTLE_ENDIAN);
		final int directory = 1000;
		one.putInt(4, directory);
		one.putShort(directory, (short) 9);
		System.arraycopy(single, 10, single, directory + 2, 8 * 12);
		for (int e = 0; e < 8; e++) if (one.getShort(directory + 2 + 12 * e) == 273) one.putInt(directory + 2 + 12 * e + 8, 500);
		final byte[] text = "ImageJ=1.53\nimages=4\nslices=4\n".getBytes(StandardCharsets.US_ASCII);
		one.putShort(directory + 98, (short) 270).putShort(directory + 100, (short) 2).putInt(directory + 102, text.length).putInt(directory + 106, 20);
		System.arraycopy(text, 0, single, 20, text.length);
		final String overlap = refusal(file("s.tif", single));
		assertTrue(overlap.contains("overlap its tags") && overlap.contains("4 images"), overlap);
	}

	@Test
	void pagesInACircle() throws IOException {
		final byte[] whole = stack(3);
		final ByteBuffer b = buffer(whole);
		final int first = b.getInt(4), second = next(b, first);
		b.putInt(second + 2 + 12 * b.getShort(second), first);
		assertTrue(refusal(file("c.tif", whole)).contains("circular"));
	}

	@Test
	void pixelsInTheHeader() throws IOException {
		final byte[] whole = tiff(false, 8, 1, new byte[480], 24);
		for (int e = 0; e < 8; e++) if (whole[10 + 12 * e] == (byte) 273 && whole[11 + 12 * e] == 1) Arrays.fill(whole, 10 + 12 * e + 8, 10 + 12 * e + 12, (byte) 0);
		assertTrue(refusal(file("h.tif", whole)).contains("pixels begin at byte 0"));
	}

	/** Whatever is wrong with a file, the answer is words, never another exception. */
	@Test
	void damagedTiffNeverEscapes() throws IOException {
		final String name = folder.resolve("a.tif").toString();
		new FileSaver(new ImagePlus("a", new ByteProcessor(20, 10))).saveAsTiff(name);
		final byte[] bytes = Files.readAllBytes(Path.of(name));
		final Random random = new Random(1);
		int refused = 0;
		for (int i = 0; i < 2000; i++) {
			final byte[] damaged = bytes.clone();
			for (int k = 0; k < 3; k++) damaged[random.nextInt(200)] = (byte) random.nextInt();
			try {
				ImageFiles.read(file("damaged.tif", damaged));
			}
			catch (final IllegalArgumentException e) {
				refused++;
			}
		}
		assertTrue(refused > 500, refused + " of 2000 refused");
	}
}
