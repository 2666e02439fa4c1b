package sc.fiji.ncc.cli.input;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

import net.imglib2.FinalInterval;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.type.numeric.RealType;
import net.imglib2.view.Views;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where strips of a classic TIFF file may lie: in any order, with gaps, anywhere in 4 GB. Files of gigabytes are sparse, and take next to none. */
class TiffStripsTest {

	private static final int WIDTH = 7, HEIGHT = 5, ROWS = 2, STRIPS = 3, PAGES = 2;
	private static final long GIGABYTE = 1L << 30;

	@TempDir
	Path folder;

	/** 16 bits that tell page, row and column. */
	private static int pixel(final int page, final int y, final int x) {
		return 40_000 + 1000 * page + 10 * y + x;
	}

	private FileChannel create() throws IOException {
		return FileChannel.open(folder.resolve("a.tif"), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE, StandardOpenOption.SPARSE);
	}

	private static void header(final FileChannel file, final long directory) throws IOException {
		file.write(ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putShort((short) 0x4949).putShort((short) 42).putInt((int) directory).flip(), 0);
	}

	/** Tags of one number each; of more where they begin. */
	private static void directory(final FileChannel file, final long at, final long next, final long[]... tags) throws IOException {
		final ByteBuffer b = ByteBuffer.allocate(2 + 12 * tags.length + 4).order(ByteOrder.LITTLE_ENDIAN).putShort((short) tags.length);
		for (final long[] tag : tags) b.putShort((short) tag[0]).putShort((short) tag[1]).putInt((int) tag[2]).putInt((int) tag[3]);
		file.write(b.putInt((int) next).flip(), at);
	}

	private static void numbers(final FileChannel file, final long at, final long... values) throws IOException {
		final ByteBuffer b = ByteBuffer.allocate(4 * values.length).order(ByteOrder.LITTLE_ENDIAN);
		for (final long v : values) b.putInt((int) v);
		file.write(b.flip(), at);
	}

	/** Two pages of strips in reverse order, each followed by bytes that are no pixels; everything but the header from {@code first} on, {@code apart} bytes from each other. */
	private void write(final long first, final long apart) throws IOException {
		try (FileChannel file = create()) {
			header(file, first);
			for (int page = 0; page < PAGES; page++) {
				final long at = first + page * 20 * apart, lists = at + apart;
				directory(file, at, page + 1 < PAGES ? at + 20 * apart : 0, new long[][] { { 256, 3, 1, WIDTH }, { 257, 3, 1, HEIGHT }, { 258, 3, 1, 16 }, { 259, 3, 1, 1 },
					{ 262, 3, 1, 1 }, { 273, 4, STRIPS, lists }, { 278, 3, 1, ROWS }, { 279, 4, STRIPS, lists + 4 * STRIPS } });
				final long[] offsets = new long[STRIPS], counts = new long[STRIPS];
				for (int s = 0; s < STRIPS; s++) {
					final int rows = Math.min(ROWS, HEIGHT - s * ROWS);
					offsets[s] = at + (STRIPS + 1 - s) * apart;
					counts[s] = 2L * rows * WIDTH;
					final ByteBuffer strip = ByteBuffer.allocate((int) counts[s] + 4).order(ByteOrder.LITTLE_ENDIAN);
					for (int y = s * ROWS; y < s * ROWS + rows; y++)
						for (int x = 0; x < WIDTH; x++) strip.putShort((short) pixel(page, y, x));
					file.write(strip.putInt(-1).flip(), offsets[s]);
				}
				numbers(file, lists, offsets);
				numbers(file, lists + 4 * STRIPS, counts);
			}
		}
	}

	private void isReadWhole() throws IOException {
		// in memory, and plane by plane
		for (final long mostInMemory : new long[] { Long.MAX_VALUE, 0 }) {
			final InputImage image = TiffReader.read("a.tif", folder.resolve("a.tif"), mostInMemory);
			assertArrayEquals(new long[] { WIDTH, HEIGHT, PAGES }, image.pixels().dimensionsAsLongArray());
			for (int page = PAGES - 1; page >= 0; page--)
				for (int y = 0; y < HEIGHT; y++)
					for (int x = 0; x < WIDTH; x++) assertEquals(pixel(page, y, x), value(image.pixels(), x, y, page), x + "," + y + " of page " + page);
		}
	}

	private static double value(final RandomAccessibleInterval<?> pixels, final long... at) {
		return ((RealType<?>) Views.interval(pixels, new FinalInterval(at, at)).firstElement()).getRealDouble();
	}

	@Test
	void stripsMayLieInAnyOrder() throws IOException {
		write(200, 150);
		isReadWhole();
	}

	/** Where a place in the file is no positive number of 32 bits. */
	@ParameterizedTest
	@ValueSource(longs = { 2 * GIGABYTE - 300, 4 * GIGABYTE - 8000 })
	@DisabledOnOs(OS.WINDOWS)
	void stripsMayLieBeyondTwoGigabytes(final long first) throws IOException {
		write(first, 150);
		isReadWhole();
	}

	/** As ImageJ writes them: one page, and the planes one after the other. */
	@Test
	@DisabledOnOs(OS.WINDOWS)
	void planesOfImageJsStacksMayLieBeyondTwoGigabytes() throws IOException {
		final int side = 1 << 15, planes = 5, data = 400;
		final byte[] description = ("ImageJ=1.54p\nimages=" + planes + "\nslices=" + planes + "\n\0").getBytes(StandardCharsets.US_ASCII);
		try (FileChannel file = create()) {
			header(file, 8);
			directory(file, 8, 0, new long[][] { { 256, 3, 1, side }, { 257, 3, 1, side }, { 258, 3, 1, 8 }, { 259, 3, 1, 1 }, { 262, 3, 1, 1 },
				{ 270, 2, description.length, 200 }, { 273, 4, 1, data }, { 279, 4, 1, GIGABYTE } });
			file.write(ByteBuffer.wrap(description), 200);
			for (int z = 0; z < planes; z++) {
				file.write(ByteBuffer.wrap(new byte[] { (byte) (10 + z) }), data + z * GIGABYTE + 5L * side + 3);
				file.write(ByteBuffer.wrap(new byte[] { (byte) (100 + z) }), data + (z + 1) * GIGABYTE - 1);
			}
		}
		final InputImage image = TiffReader.read("a.tif", folder.resolve("a.tif"));
		assertArrayEquals(new long[] { side, side, planes }, image.pixels().dimensionsAsLongArray());
		for (int z = 0; z < planes; z++) {
			assertEquals(10 + z, value(image.pixels(), 3, 5, z));
			assertEquals(100 + z, value(image.pixels(), side - 1, side - 1, z));
		}
	}
}
