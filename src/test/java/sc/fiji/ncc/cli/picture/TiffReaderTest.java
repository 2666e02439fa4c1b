package sc.fiji.ncc.cli.picture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;

import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageWriteParam;
import javax.imageio.ImageWriter;
import javax.imageio.stream.ImageOutputStream;

import ij.ImagePlus;
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

/** TIFF files of other programs: compression, number types, BigTIFF, files that are cut off or damaged. */
class TiffReaderTest extends PictureFiles {

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
		final Picture picture = ImageFiles.read(path.toString());
		assertEquals("50x40", picture.size());
		for (int i = 0; i < 2000; i++) assertEquals(i * 31 & 0xffff, value(picture, i % 50, i / 50));
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
			final Picture picture = TiffReader.read("s.tif", path, most);
			assertEquals("50x40x7", picture.size());
			assertEquals(most == 0, picture.pixels() instanceof LazyCellImg, "in memory unless it is too large");
			// the last plane first
			for (int k = 6; k >= 0; k--)
				for (int i = 0; i < 2000; i += 37) assertEquals(k * 5000 + i, value(picture, i % 50, i / 50, k));
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
		Picture p = ImageFiles.read(file("d.tif", tiff(big, 64, 3, b.putDouble(0, 1e300).putDouble(8, -1).array(), 2)));
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
