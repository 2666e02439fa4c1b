package sc.fiji.ncc.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.CRC32C;
import java.util.zip.GZIPOutputStream;

import io.airlift.compress.zstd.ZstdCompressor;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.type.numeric.RealType;
import net.imglib2.view.Views;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.result.NccException;

/** Arrays as zarr-python 2.13 with numcodecs 0.11 has written them (those among the resources), and arrays made here by the letter of version 3. */
class ZarrArrayTest {

	private static final int WIDTH = 53, HEIGHT = 37;

	@TempDir
	Path folder;

	private static int value(final int x, final int y) {
		return (x * 7 + y * 13) % 251 * 200 + x * y % 7;
	}

	private static Path resource(final String name) throws URISyntaxException {
		return Path.of(ZarrArrayTest.class.getResource(name + ".zarr").toURI());
	}

	private static double[] values(final Path array) throws IOException {
		final RandomAccessibleInterval<?> image = OmeZarr.open("a.zarr", array).array().image(new boolean[] { true, true });
		assertArrayEquals(new long[] { WIDTH, HEIGHT }, image.dimensionsAsLongArray());
		final double[] values = new double[WIDTH * HEIGHT];
		int i = 0;
		for (final Object v : Views.flatIterable(image)) values[i++] = ((RealType<?>) v).getRealDouble();
		return values;
	}

	private static double[] expected() {
		final double[] values = new double[WIDTH * HEIGHT];
		for (int i = 0; i < values.length; i++) values[i] = value(i % WIDTH, i / WIDTH);
		return values;
	}

	@ParameterizedTest
	@ValueSource(strings = { "raw", "lz4_bytes", "zstd_bits", "zlib_plain", "lz4hc_whole", "snappy", "zstd", "zlib", "gzip", "lz4" })
	void readsEveryCodec(final String codec) throws Exception {
		assertArrayEquals(expected(), values(resource(codec)));
	}

	@Test
	void bytesInEitherOrder() throws Exception {
		final double[] expected = expected(), floats = values(resource("big_endian"));
		for (int i = 0; i < expected.length; i++) assertEquals((float) (expected[i] / 7 - 1000), floats[i]);
	}

	@Test
	void bloscsOwnCodecIsNamed() throws Exception {
		final NccException e = assertThrows(NccException.class, () -> values(resource("blosclz")));
		assertTrue(e.getMessage().contains("a.zarr cannot be read") && e.getMessage().contains("blosclz") && e.getMessage().contains("0.0"), e.getMessage());
	}

	/** A copy of an array among the resources. */
	private Path copy(final String name) throws Exception {
		final Path from = resource(name), to = folder.resolve(name + ".zarr");
		Files.createDirectories(to);
		try (var all = Files.list(from)) {
			for (final Path p : all.toList()) Files.copy(p, to.resolve(p.getFileName()));
		}
		return to;
	}

	@ParameterizedTest
	@ValueSource(strings = { "raw", "lz4_bytes", "zstd_bits", "zlib_plain", "lz4hc_whole", "snappy", "zstd", "zlib", "gzip", "lz4" })
	void damageIsAReasonAndNeverAnotherFailure(final String codec) throws Exception {
		final Path array = copy(codec), chunk = array.resolve("0.0");
		final byte[] good = Files.readAllBytes(chunk);
		for (final int n : new int[] { 0, 1, 7, 15, 20, good.length / 2, good.length - 1 }) {
			Files.write(chunk, Arrays.copyOf(good, n));
			final String message = assertThrows(NccException.class, () -> values(array), codec + " " + n).getMessage();
			assertTrue(message.startsWith("a.zarr cannot be read: its chunk 0.0: "), message);
		}
		final Random random = new Random(3);
		for (int i = 0; i < 300; i++) {
			final byte[] bad = good.clone();
			for (int k = 0; k < 3; k++) bad[random.nextInt(i % 2 == 0 ? Math.min(64, bad.length) : bad.length)] = (byte) random.nextInt();
			Files.write(chunk, bad);
			try {
				values(array);
			}
			catch (final NccException e) {
				// said in words; what decodes in spite of it has no checksum that could tell
			}
		}
	}

	@ParameterizedTest
	@CsvSource({ "<u2, 77, 77", "<u2, 65535, 65535", "<i2, -5, -5", "<u4, 4294967295, 4294967295", "<i4, -2147483648, -2147483648",
		"|u1, 255, 255", "|i1, -7, -7",
		"<f4, 0.25, 0.25", "<f4, '\"0x40400000\"', 3", "<f8, '\"0x4008000000000000\"', 3", "<f8, '\"NaN\"', NaN", "|b1, true, 1" })
	void chunksThatAreNotThereReadTheFillValue(final String type, final String fill, final double value) throws Exception {
		final Path array = copy("raw");
		Files.delete(array.resolve("0.0"));
		Files.writeString(array.resolve(".zarray"), Files.readString(array.resolve(".zarray"))
			.replace("\"fill_value\": 0", "\"fill_value\": " + fill)
			.replace("\"<u2\"", "\"" + type + "\""));
		for (final double v : values(array)) assertEquals(value, v);
	}

	/** A failure of the disk is no mistake in the data. */
	@Test
	void aChunkThatIsAFolder() throws Exception {
		final Path array = copy("raw"), chunk = array.resolve("0.0");
		Files.delete(chunk);
		Files.createDirectory(chunk);
		final NccException e = assertThrows(NccException.class, () -> values(array));
		assertTrue(e.getMessage().startsWith("a.zarr cannot be read: its chunk 0.0: "), e.getMessage());
		assertFalse(InputDataException.caused(e));
	}

	@Test
	void anArrayHasExtents() throws Exception {
		final Path array = copy("raw"), metadata = array.resolve(".zarray");
		Files.writeString(metadata, Files.readString(metadata).replaceAll("\"(shape|chunks)\": \\[[^\\]]*\\]", "\"$1\": []"));
		refused(array, "damaged: 0 extents, and 0 of a chunk");
	}

	/** Bytes after the pixels do not count. */
	@Test
	void bytesAreCopiedIfThereAreMoreThanPixels() {
		final byte[] bytes = { 1, 2, 3, 4, 5 };
		assertSame(bytes, RawPixels.array(ByteBuffer.wrap(bytes), PixelType.U8, 5));
		assertArrayEquals(new byte[] { 1, 2, 3 }, (byte[]) RawPixels.array(ByteBuffer.wrap(bytes), PixelType.U8, 3));
		assertArrayEquals(new byte[] { 3, 4 }, (byte[]) RawPixels.array(ByteBuffer.wrap(bytes).position(2), PixelType.S8, 2));
	}

	/** The bytes of a chunk in a file with one of four bytes, if the index has this entry. */
	private byte[] read(final long offset, final long length) throws IOException {
		final Path file = folder.resolve("shard");
		Files.write(file, ByteBuffer.allocate(20).order(ByteOrder.LITTLE_ENDIAN).putInt(7).putLong(offset).putLong(length).array());
		return Shard.of(new int[] { 4 }, new int[] { 4 }, 0, true).read(file, new long[1]);
	}

	/** A chunk of -1 bytes at -1 is not there. */
	@Test
	void theIndexOfAShard() throws IOException {
		assertArrayEquals(new byte[] { 7, 0, 0, 0 }, read(0, 4));
		assertNull(read(-1, -1));
		for (final long length : new long[] { -1, (1L << 32) + 4 }) assertEquals("its index is damaged",
			assertThrows(InputDataException.class, () -> read(0, length)).getMessage());
		for (final long offset : new long[] { -1, 17 }) assertThrows(EOFException.class, () -> read(offset, 4));
	}

	@Test
	void noFilters() throws Exception {
		final Path array = copy("raw"), metadata = array.resolve(".zarray");
		Files.writeString(metadata, Files.readString(metadata).replaceAll("\"filters\": null", "\"filters\": []"));
		assertArrayEquals(expected(), values(array));
	}

	private void refused(final Path array, final String... words) {
		final String message = assertThrows(IOException.class, () -> OmeZarr.open("a.zarr", array)).getMessage();
		for (final String word : words) assertTrue(message.contains(word), "\"" + message + "\" does not say \"" + word + "\"");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', value = { "\"order\": \"C\"|\"order\": \"F\"|order F", "\"<u2\"|\"<i8\"|<i8", "\"<u2\"|\"<U5\"|<U5", "\"filters\": null|\"filters\": [{\"id\":\"delta\"}]|delta",
		"\"compressor\": null|\"compressor\": {\"id\":\"lzma\"}|lzma", "\"shape\": [|\"shape\": [7,|damaged", "\"dtype\"|\"type\"|damaged", "{|{{|damaged",
		"37,|0,|no pixels", "[ 37, 53 ]|[ 33554432, 33554432 ]|an image of [33554432, 33554432] has more than 281474976710656 pixels",
		"\"chunks\": [ 40|\"chunks\": [ -3000000037|is -3000000037, not a whole number of at most 2147483647",
		"\"chunks\": [ 40|\"chunks\": \"a text of one hundred characters that is longer than what a message shows of a value which is no list\", "
		+ "\"other\": [ 40|" + "is \"a text of one hundred characters that is longer than what a…, not a list" })
	void whatIsNotReadIsSaid(final String was, final String is, final String word) throws Exception {
		final Path array = copy("raw"), metadata = array.resolve(".zarray");
		final String text = Files.readString(metadata).replaceAll("\\s+", " "), changed = text.replace(was, is);
		assertTrue(!text.equals(changed), text);
		Files.writeString(metadata, changed);
		refused(array, word);
	}

	// version 3

	private static final int CHUNK_X = 20, CHUNK_Y = 8;

	private void v3(final String grid, final String codecs, final String keys) throws IOException {
		Files.createDirectories(folder.resolve("v3.zarr"));
		Files.writeString(folder.resolve("v3.zarr/zarr.json"), "{\"zarr_format\":3,\"node_type\":\"array\",\"shape\":[" + HEIGHT + "," + WIDTH + "],\"data_type\":\"uint16\","
			+ "\"chunk_grid\":{\"name\":\"regular\",\"configuration\":{\"chunk_shape\":" + grid + "}},\"chunk_key_encoding\":" + keys + ",\"fill_value\":0,\"codecs\":[" + codecs
			+ "],\"attributes\":{},\"dimension_names\":[\"y\",\"x\"]}");
	}

	private static byte[] chunk(final int cx, final int cy, final ByteOrder order) {
		final ByteBuffer b = ByteBuffer.allocate(2 * CHUNK_X * CHUNK_Y).order(order);
		for (int y = 0; y < CHUNK_Y; y++)
			for (int x = 0; x < CHUNK_X; x++) b.putShort((short) value(cx * CHUNK_X + x, cy * CHUNK_Y + y));
		return b.array();
	}

	private static byte[] gzip(final byte[] bytes) throws IOException {
		final ByteArrayOutputStream out = new ByteArrayOutputStream();
		try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
			gzip.write(bytes);
		}
		return out.toByteArray();
	}

	private static byte[] zstd(final byte[] bytes) {
		final ZstdCompressor zstd = new ZstdCompressor();
		final byte[] out = new byte[zstd.maxCompressedLength(bytes.length)];
		return Arrays.copyOf(out, zstd.compress(bytes, 0, bytes.length, out, 0, out.length));
	}

	private static byte[] crc(final byte[] bytes) {
		final CRC32C crc = new CRC32C();
		crc.update(bytes);
		return ByteBuffer.allocate(bytes.length + 4).order(ByteOrder.LITTLE_ENDIAN).put(bytes).putInt((int) crc.getValue()).array();
	}

	private void put(final String key, final byte[] bytes) throws IOException {
		final Path file = folder.resolve("v3.zarr").resolve(key);
		Files.createDirectories(file.getParent());
		Files.write(file, bytes);
	}

	@Test
	void versionThree() throws IOException {
		v3("[" + CHUNK_Y + "," + CHUNK_X + "]", "{\"name\":\"bytes\",\"configuration\":{\"endian\":\"big\"}},{\"name\":\"zstd\",\"configuration\":{\"level\":1}},{\"name\":\"crc32c\"}",
			"{\"name\":\"default\"}");
		for (int cy = 0; cy * CHUNK_Y < HEIGHT; cy++)
			for (int cx = 0; cx * CHUNK_X < WIDTH; cx++) put("c/" + cy + "/" + cx, crc(zstd(chunk(cx, cy, ByteOrder.BIG_ENDIAN))));
		assertArrayEquals(expected(), values(folder.resolve("v3.zarr")));
		final byte[] bad = Files.readAllBytes(folder.resolve("v3.zarr/c/1/1"));
		bad[9] ^= 1;
		put("c/1/1", bad);
		final String message = assertThrows(NccException.class, () -> values(folder.resolve("v3.zarr"))).getMessage();
		assertTrue(message.contains("checksum") && message.contains("1"), message);
	}

	@Test
	void versionThreeWithKeysOfVersionTwo() throws IOException {
		v3("[" + CHUNK_Y + "," + CHUNK_X + "]", "{\"name\":\"transpose\",\"configuration\":{\"order\":[0,1]}},{\"name\":\"bytes\",\"configuration\":{\"endian\":\"little\"}},{\"name\":\"gzip\"}",
			"{\"name\":\"v2\"}");
		for (int cy = 0; cy * CHUNK_Y < HEIGHT; cy++)
			for (int cx = 0; cx * CHUNK_X < WIDTH; cx++) put(cy + "." + cx, gzip(chunk(cx, cy, ByteOrder.LITTLE_ENDIAN)));
		assertArrayEquals(expected(), values(folder.resolve("v3.zarr")));
	}

	@ParameterizedTest
	@CsvSource({ "end,true", "start,true", "end,false" })
	void shards(final String location, final boolean checksum) throws IOException {
		final int across = 2, down = 3;
		v3("[" + down * CHUNK_Y + "," + across * CHUNK_X + "]", "{\"name\":\"sharding_indexed\",\"configuration\":{\"chunk_shape\":[" + CHUNK_Y + "," + CHUNK_X
			+ "],\"codecs\":[{\"name\":\"bytes\",\"configuration\":{\"endian\":\"little\"}},{\"name\":\"gzip\"}],\"index_codecs\":[{\"name\":\"bytes\",\"configuration\":{\"endian\":\"little\"}}"
			+ (checksum ? ",{\"name\":\"crc32c\"}" : "") + "],\"index_location\":\"" + location + "\"}}", "{\"name\":\"default\"}");
		final double[] expected = expected();
		for (int sy = 0; sy * down * CHUNK_Y < HEIGHT; sy++)
			for (int sx = 0; sx * across * CHUNK_X < WIDTH; sx++) {
				final ByteBuffer index = ByteBuffer.allocate(16 * across * down).order(ByteOrder.LITTLE_ENDIAN);
				final int indexBytes = index.capacity() + (checksum ? 4 : 0);
				final ByteArrayOutputStream chunks = new ByteArrayOutputStream();
				for (int y = 0; y < down; y++)
					for (int x = 0; x < across; x++) {
						final int cx = sx * across + x, cy = sy * down + y;
						if (cx == 1 && cy == 2) {
							// one that is not there
							index.putLong(-1).putLong(-1);
							for (int i = 0; i < CHUNK_X * CHUNK_Y; i++) expected[(CHUNK_Y * cy + i / CHUNK_X) * WIDTH + CHUNK_X * cx + i % CHUNK_X] = 0;
							continue;
						}
						final byte[] chunk = gzip(chunk(cx, cy, ByteOrder.LITTLE_ENDIAN));
						index.putLong(chunks.size() + (location.equals("start") ? indexBytes : 0)).putLong(chunk.length);
						chunks.write(chunk);
					}
				final byte[] head = checksum ? crc(index.array()) : index.array();
				final ByteArrayOutputStream shard = new ByteArrayOutputStream();
				if (location.equals("start")) shard.write(head);
				chunks.writeTo(shard);
				if (location.equals("end")) shard.write(head);
				put("c/" + sy + "/" + sx, shard.toByteArray());
			}
		assertArrayEquals(expected, values(folder.resolve("v3.zarr")));
		Files.write(folder.resolve("v3.zarr/c/0/0"), new byte[20]);
		assertThrows(NccException.class, () -> values(folder.resolve("v3.zarr")));
		Files.delete(folder.resolve("v3.zarr/c/0/0"));
		assertEquals(0, values(folder.resolve("v3.zarr"))[1]);
	}

	@Test
	void whatIsNotReadOfVersionThreeIsSaid() throws IOException {
		final String bytes = "{\"name\":\"bytes\"}", keys = "{\"name\":\"default\"}";
		v3("[8,20]", bytes + ",{\"name\":\"pcodec\"}", keys);
		refused(folder.resolve("v3.zarr"), "pcodec", "zstd");
		v3("[8,20]", "{\"name\":\"transpose\",\"configuration\":{\"order\":[1,0]}}," + bytes, keys);
		refused(folder.resolve("v3.zarr"), "transpose");
		v3("[8]", bytes, keys);
		refused(folder.resolve("v3.zarr"), "damaged");
		v3("[65536,65536]", bytes, keys);
		refused(folder.resolve("v3.zarr"), "2 GB");
	}
}
