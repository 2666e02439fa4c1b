package sc.fiji.ncc.cli.input;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;

import javax.imageio.ImageIO;

import net.imglib2.Cursor;
import net.imglib2.type.numeric.RealType;
import net.imglib2.view.Views;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Gray PNG files as ImageIO writes them, and damaged ones. */
class PngChunksTest {

	@TempDir
	private Path folder;

	private static BufferedImage smoothNoise(final int type) {
		final BufferedImage image = new BufferedImage(67, 43, type);
		final Random random = new Random(2);
		// smooth in places, so that the writer uses all its filters
		for (int y = 0; y < 43; y++)
			for (int x = 0; x < 67; x++) image.getRaster().setSample(x, y, 0, y < 20 ? 3 * x + 2 * y : random.nextInt(type == BufferedImage.TYPE_BYTE_GRAY ? 256 : 65536));
		return image;
	}

	private static byte[] png(final BufferedImage image) throws IOException {
		final ByteArrayOutputStream out = new ByteArrayOutputStream();
		ImageIO.write(image, "png", out);
		return out.toByteArray();
	}

	private InputImage read(final byte[] png) throws IOException {
		return ImageFiles.read(Files.write(folder.resolve("a.png"), png).toString());
	}

	@ParameterizedTest
	@ValueSource(ints = { BufferedImage.TYPE_BYTE_GRAY, BufferedImage.TYPE_USHORT_GRAY })
	void everyPixelIsTheOneWritten(final int type) throws IOException {
		final BufferedImage image = smoothNoise(type);
		final InputImage input = read(png(image));
		assertEquals("67x43", input.size());
		final Cursor<?> cursor = Views.flatIterable(input.pixels()).cursor();
		for (int y = 0; y < 43; y++)
			for (int x = 0; x < 67; x++) assertEquals(image.getRaster().getSample(x, y, 0), ((RealType<?>) cursor.next()).getRealDouble());
	}

	@Test
	void damageIsNoticed() throws IOException {
		final byte[] whole = png(smoothNoise(BufferedImage.TYPE_BYTE_GRAY));
		for (int length = 4; length < whole.length; length += 7) {
			final byte[] cut = Arrays.copyOf(whole, length);
			assertThrows(IllegalArgumentException.class, () -> read(cut), "cut to " + length);
		}
		final Random random = new Random(1);
		for (int i = 0; i < 300; i++) {
			final byte[] spoilt = whole.clone();
			spoilt[random.nextInt(spoilt.length)] ^= 1 << random.nextInt(8);
			assertThrows(IllegalArgumentException.class, () -> read(spoilt));
		}
	}
}
