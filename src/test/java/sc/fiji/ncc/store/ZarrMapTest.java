package sc.fiji.ncc.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.Buffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.ShortBuffer;
import sc.fiji.ncc.plan.support.Parallel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.type.numeric.RealType;
import net.imglib2.view.Views;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.ResponseType;
import sc.fiji.ncc.plan.support.Buffers;

/** A map of Zarr's is whole or absent, goes on after a kill, and reads as it was written. */
class ZarrMapTest {

	private static final long[] SIZE = { 11, 7, 3 };
	private static final int[] CHUNK = { 4, 3, 1 };
	private static final List<OmeAxis> AXES = List.of(new OmeAxis("t", "second", 2.5, 0), new OmeAxis("c", null, 1, 0),
		new OmeAxis("z", "micrometer", 0.9, 10), new OmeAxis("y", "micrometer", 0.3, -4.5), new OmeAxis("x", "micrometer", 0.25, 1e-3));

	@TempDir
	Path folder;
	private Path place, part;

	@BeforeEach
	void name() {
		place = folder.resolve("map.zarr");
		part = folder.resolve("map.zarr.part");
	}

	/** The map has x, y and z; t and c have one position. */
	private static ZarrMap.Layout layout(final int version) {
		return new ZarrMap.Layout(SIZE, PixelType.F32, false, CHUNK, AXES, new int[] { -1, -1, 2, 1, 0 }, version);
	}

	private ZarrMap open(final String identity) throws IOException {
		return new ZarrMap(place, layout(2), identity);
	}

	private static float value(final long x, final long y, final long z) {
		return x + 100 * y + 10_000 * z + 0.5f;
	}

	/** First responses of all chunks. */
	private static List<long[]> chunks() {
		final List<long[]> all = new ArrayList<>();
		for (int z = 0; z < SIZE[2]; z += CHUNK[2])
			for (int y = 0; y < SIZE[1]; y += CHUNK[1])
				for (int x = 0; x < SIZE[0]; x += CHUNK[0]) all.add(new long[] { x, y, z });
		return all;
	}

	private static void write(final ZarrMap map, final long[] min) {
		final int[] size = new int[3];
		for (int d = 0; d < 3; d++) size[d] = (int) Math.min(CHUNK[d], SIZE[d] - min[d]);
		final float[] v = new float[size[0] * size[1] * size[2]];
		for (int i = 0; i < v.length; i++) v[i] = value(min[0] + i % size[0], min[1] + i / size[0], min[2]);
		map.write(min, size, FloatBuffer.wrap(v));
	}

	private static void assertRight(final Path place, final int version) throws IOException {
		final OmeZarr zarr = OmeZarr.open("map", place);
		assertEquals(AXES, zarr.axes());
		assertEquals(version, zarr.array().version());
		assertArrayEquals(new long[] { 1, 1, 3, 7, 11 }, zarr.array().shape());
		assertArrayEquals(new int[] { 1, 1, 1, 3, 4 }, zarr.array().chunk());
		final RandomAccessibleInterval<?> image = zarr.array().image(new boolean[] { false, false, true, true, true });
		int i = 0;
		for (final Object v : Views.flatIterable(image)) {
			assertEquals(value(i % 11, i / 11 % 7, i / 77), ((RealType<?>) v).getRealDouble());
			i++;
		}
		assertEquals(231, i);
		// the array alone means the same, as a resolution of its image
		assertEquals(AXES, OmeZarr.open("map", place.resolve("0")).axes());
	}

	@ParameterizedTest
	@ValueSource(ints = { 2, 3 })
	void readsAsItWasWritten(final int version) throws IOException {
		try (ZarrMap map = new ZarrMap(place, layout(version), "one")) {
			for (final long[] c : chunks()) write(map, c);
			map.commit();
		}
		assertRight(place, version);
		assertFalse(Files.exists(part));
		try (var all = Files.walk(place)) {
			assertTrue(all.noneMatch(p -> p.toString().endsWith(".tmp") || p.endsWith("identity.txt") || p.endsWith("lock")));
		}
	}

	/** The attributes of the array say what response a pixel stands for. Numbers of templates have none. */
	@ParameterizedTest
	@ValueSource(ints = { 2, 3 })
	void quantizedResponses(final int version) throws IOException {
		for (final ResponseType type : new ResponseType[] { ResponseType.BITS_16, ResponseType.BITS_8 }) for (final boolean quantized
			: new boolean[] { true, false }) {
			final ZarrMap.Layout layout = new ZarrMap.Layout(SIZE, type.pixels(Precision.SINGLE), quantized, CHUNK, AXES,
				new int[] { -1, -1, 2, 1, 0 }, version);
			try (ZarrMap map = new ZarrMap(place, layout, "one")) {
				assertEquals(quantized ? type : ResponseType.FLOAT, map.responseType());
				for (final long[] c : chunks()) {
					final int[] size = new int[3];
					for (int d = 0; d < 3; d++) size[d] = (int) Math.min(CHUNK[d], SIZE[d] - c[d]);
					final Buffer numbers = type.allocate(Precision.SINGLE, size[0] * size[1] * size[2]);
					Buffers.fill(numbers, c[0] == 0 ? Float.NaN : -0.25f);
					map.write(c, size, numbers);
				}
				map.commit();
			}
			final JsonObject attributes = version == 2 ? !Files.exists(place.resolve("0/.zattrs")) ? new JsonObject()
				: JsonParser.parseString(Files.readString(place.resolve("0/.zattrs"))).getAsJsonObject()
				: JsonParser.parseString(Files.readString(place.resolve("0/zarr.json"))).getAsJsonObject().getAsJsonObject("attributes");
			if (!quantized) {
				assertEquals(new JsonObject(), attributes);
				continue;
			}
			final double scale = attributes.get("scale_factor").getAsDouble(), offset = attributes.get("add_offset").getAsDouble();
			assertEquals(0, attributes.get("_FillValue").getAsInt());
			final RandomAccessibleInterval<?> image = OmeZarr.open("map", place).array()
				.image(new boolean[] { false, false, true, true, true });
			int i = 0;
			for (final Object v : Views.flatIterable(image)) {
				final double number = ((RealType<?>) v).getRealDouble();
				if (i++ % 11 < CHUNK[0]) assertEquals(0, number);
				else assertEquals(-0.25, scale * number + offset, 0.51 * type.scale());
			}
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 2, 3 })
	void inDoublePrecision(final int version) throws IOException {
		final ZarrMap.Layout layout = new ZarrMap.Layout(SIZE, PixelType.F64, false, CHUNK, AXES, new int[] { -1, -1, 2, 1, 0 }, version);
		for (int i = 0; i < 2; i++)
			try (ZarrMap map = new ZarrMap(place, layout, "one")) {
				assertEquals(i == 1, map.resumed());
				for (final long[] c : chunks()) {
					if (map.has(c)) continue;
					if (i == 0 && c[2] == 2) break;
					final int[] size = new int[3];
					for (int d = 0; d < 3; d++) size[d] = (int) Math.min(CHUNK[d], SIZE[d] - c[d]);
					final double[] v = new double[size[0] * size[1] * size[2]];
					for (int k = 0; k < v.length; k++) v[k] = 1e-12 + value(c[0] + k % size[0], c[1] + k / size[0], c[2]);
					map.write(c, size, DoubleBuffer.wrap(v));
				}
				if (i == 1) map.commit();
			}
		final OmeZarr zarr = OmeZarr.open("map", place);
		assertEquals(PixelType.F64, zarr.array().type());
		int i = 0;
		for (final Object v : Views.flatIterable(zarr.array().image(new boolean[] { false, false, true, true, true }))) {
			assertEquals(1e-12 + value(i % 11, i / 11 % 7, i / 77), ((RealType<?>) v).getRealDouble());
			i++;
		}
		assertEquals(231, i);
		// a map of the other precision is another one
		try (ZarrMap map = new ZarrMap(place.resolveSibling("b.zarr"), layout, "one")) {
			map.write(chunks().get(0), CHUNK, DoubleBuffer.allocate(12));
		}
		try (ZarrMap map = new ZarrMap(place.resolveSibling("b.zarr"), layout(version), "one")) {
			assertFalse(map.resumed());
		}
	}

	@Test
	void untilItIsWholeItIsNoArray() throws IOException {
		try (ZarrMap map = open("one")) {
			for (final long[] c : chunks()) {
				write(map, c);
				assertFalse(Files.exists(place));
				assertFalse(OmeZarr.is(part) || OmeZarr.is(part.resolve("0")));
			}
		}
		assertFalse(Files.exists(place));
		assertTrue(Files.exists(part));
	}

	@Test
	void goesOnWithWholeChunks() throws IOException {
		final List<long[]> chunks = chunks();
		try (ZarrMap map = open("one")) {
			assertFalse(map.resumed());
			for (int i = 0; i < 10; i++) write(map, chunks.get(i));
		}
		// as a kill in the middle of writing leaves it, and as a crash of the machine may
		Files.write(part.resolve("0/0/0/1/0/1.tmp"), new byte[5]);
		Files.write(part.resolve("0/0/0/0/0/1"), new byte[7]);
		try (ZarrMap map = open("one")) {
			assertTrue(map.resumed());
			for (int i = 0; i < chunks.size(); i++) {
				assertEquals(i < 10 && i != 1, map.has(chunks.get(i)), "chunk " + i);
				if (!map.has(chunks.get(i))) write(map, chunks.get(i));
			}
			map.commit();
		}
		assertRight(place, 2);
	}

	@Test
	void whatIsOfAnotherRunIsNotTakenOver() throws IOException {
		for (final String other : new String[] { "two", "one ", "" }) {
			try (ZarrMap map = open("one")) {
				write(map, chunks().get(0));
			}
			try (ZarrMap map = open(other)) {
				assertFalse(map.resumed());
				assertFalse(map.has(chunks().get(0)));
				assertFalse(Files.exists(part.resolve("0")));
				write(map, chunks().get(1));
			}
		}
		try (ZarrMap map = new ZarrMap(place, layout(3), "")) {
			assertFalse(map.resumed());
		}
	}

	@Test
	void nothingIsLeftOfARunThatWroteNothing() throws IOException {
		open("one").close();
		assertFalse(Files.exists(part));
		final ZarrMap map = open("one");
		write(map, chunks().get(0));
		map.discard();
		map.close();
		assertFalse(Files.exists(part));
	}

	/** A map that cannot be opened for want of memory can be opened later. */
	@Test
	void anErrorLeavesNoLock() throws IOException {
		try (ZarrMap map = open("one")) {
			write(map, chunks().get(0));
		}
		final Path identity = part.resolve("identity.txt");
		final String text = Files.readString(identity);
		try (RandomAccessFile file = new RandomAccessFile(identity.toFile(), "rw")) {
			// more than an array can hold
			file.setLength(1L << 32);
		}
		for (int i = 0; i < 2; i++) assertThrows(OutOfMemoryError.class, () -> open("one"));
		Files.writeString(identity, text);
		try (ZarrMap map = open("one")) {
			assertTrue(map.has(chunks().get(0)));
		}
	}

	@Test
	void oneAtATime() throws IOException {
		try (ZarrMap map = open("one")) {
			write(map, chunks().get(0));
			final String message = assertThrows(IllegalArgumentException.class, () -> open("one")).getMessage();
			assertTrue(message.contains("another program is writing") && message.contains("map.zarr"), message);
			assertTrue(Files.exists(part.resolve("0/0/0/0/0/0")));
			// a lock of this process ends if it closes another channel of the file
			assertEquals("false", lockedByAnotherProgram(part.resolve("lock")));
		}
		try (ZarrMap map = open("one")) {
			assertTrue(map.has(chunks().get(0)));
		}
	}

	/** Whether another program can lock a file. */
	private static String lockedByAnotherProgram(final Path file) throws IOException {
		final String tests = ZarrMapTest.class.getProtectionDomain().getCodeSource().getLocation().getPath();
		final Process java = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp", tests,
			Other.class.getName(), file.toString())
			.redirectErrorStream(true).start();
		return new String(java.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
	}

	static final class Other {

		public static void main(final String[] files) throws IOException {
			try (FileChannel channel = FileChannel.open(Path.of(files[0]), StandardOpenOption.WRITE)) {
				System.out.print(channel.tryLock() != null);
			}
		}
	}

	/** A name without its ending, the kinds of axes, and numbers of one byte without a byte order. */
	@Test
	void whatOtherProgramsRead() throws IOException {
		try (ZarrMap map = new ZarrMap(place,
			new ZarrMap.Layout(SIZE, PixelType.U8, false, CHUNK, AXES, new int[] { -1, -1, 2, 1, 0 }, 2), "one")) {
			for (final long[] c : chunks()) map.write(c, new int[] { 1, 1, 1 }, ByteBuffer.allocate(1));
			map.commit();
		}
		final JsonObject image = JsonParser.parseString(Files.readString(place.resolve(".zattrs"))).getAsJsonObject()
			.getAsJsonArray("multiscales").get(0).getAsJsonObject();
		assertEquals("map", image.get("name").getAsString());
		final List<String> types = new ArrayList<>();
		image.getAsJsonArray("axes").forEach(a -> types.add(a.getAsJsonObject().get("type").getAsString()));
		assertEquals(List.of("time", "channel", "space", "space", "space"), types);
		assertEquals("|u1", JsonParser.parseString(Files.readString(place.resolve("0/.zarray"))).getAsJsonObject().get("dtype")
			.getAsString());
	}

	@Test
	void layouts() {
		assertEquals(4 * (4 * 3) * 3 * 3 * 3, layout(2).bytes(), "the last chunks are whole");
		final int[] order = { -1, -1, 1, 2, 0 };
		assertEquals(SIZE, new ZarrMap.Layout(SIZE, PixelType.F32, false, new int[] { 4, 3, 1 }, AXES, order, 2).size(),
			"planes of one pixel have no order");
		assertThrows(IllegalArgumentException.class, () ->
			new ZarrMap.Layout(SIZE, PixelType.F32, false, new int[] { 4, 3, 2 }, AXES, order, 2));
		assertEquals("a chunk of 17179869184 bytes is too large: use smaller chunks", assertThrows(IllegalArgumentException.class,
			() -> new ZarrMap.Layout(SIZE, PixelType.F32, false, new int[] { 1 << 16, 1 << 16, 1 }, AXES, order, 2)).getMessage());
	}

	private ZarrChunks chunks(final String identity) throws IOException {
		return new ZarrChunks(place, layout(2), identity);
	}

	/** Another process writes chunks of this map only, until it is committed or begun anew. */
	@Test
	void chunksOfAnotherProcess() throws IOException {
		final long[] first = chunks().get(0), second = chunks().get(1), last = chunks().get(26);
		final int[] size = { 4, 3, 1 }, corner = { 3, 1, 1 };
		final ZarrChunks late;
		try (ZarrMap map = open("one")) {
			map.share();
			assertTrue(assertThrows(IllegalArgumentException.class, () -> chunks("two")).getMessage()
				.contains("is not the map of this run"));
			late = chunks("one");
			assertFalse(late.has(first));
			late.write(first, size, FloatBuffer.allocate(12));
			late.write(last, corner, FloatBuffer.allocate(3));
			assertTrue(late.has(first) && late.has(last));
			Files.write(part.resolve("0/0/0/0/0/0"), new byte[7]);
			assertFalse(late.has(first), "a chunk that is cut off");
		}
		try (ZarrMap map = open("two")) {
			assertThrows(UncheckedIOException.class, () -> late.write(second, size, FloatBuffer.allocate(12)));
			assertFalse(map.begun());
			map.share();
			final ZarrChunks other = chunks("two");
			for (final long[] c : chunks()) write(map, c);
			map.commit();
			assertThrows(UncheckedIOException.class, () -> other.write(second, size, FloatBuffer.allocate(12)));
		}
		try (var all = Files.list(place)) {
			assertEquals(List.of(".zattrs", ".zgroup", "0"), all.map(p -> p.getFileName().toString()).sorted().toList());
		}
	}

	@Test
	void aMapIsReplacedAndNothingElse() throws IOException {
		for (int i = 0; i < 2; i++)
			try (ZarrMap map = new ZarrMap(place, layout(2 + i), "one")) {
				for (final long[] c : chunks()) write(map, c);
				map.commit();
				assertRight(place, 2 + i);
			}
		try (var all = Files.list(folder)) {
			assertEquals(List.of(place), all.toList());
		}
		final Path other = folder.resolve("other.zarr");
		Files.createDirectories(other.resolve("0"));
		Files.writeString(other.resolve(".zattrs"), "{}");
		Files.writeString(folder.resolve("file.zarr"), "");
		Files.createDirectories(folder.resolve("empty.zarr"));
		for (final String name : new String[] { "other.zarr", "file.zarr", "empty.zarr" }) {
			final String message = assertThrows(IllegalArgumentException.class,
				() -> new ZarrMap(folder.resolve(name), layout(2), "one")).getMessage();
			assertTrue(message.contains(name) && message.contains("remove it, or name another"), message);
			assertTrue(Files.exists(folder.resolve(name)));
		}
	}

	@Test
	void whatCannotBeWrittenIsSaid() throws IOException {
		Files.writeString(folder.resolve("file"), "");
		assertThrows(IOException.class, () -> new ZarrMap(folder.resolve("file/map.zarr"), layout(2), "one").close());
		try (ZarrMap map = open("one")) {
			write(map, chunks().get(0));
			// a file where a folder of chunks must be
			Files.writeString(part.resolve("0/0/0/1"), "");
			assertThrows(UncheckedIOException.class, () -> write(map, new long[] { 0, 0, 1 }));
		}
		assertThrows(IllegalArgumentException.class, () ->
			new ZarrMap.Layout(SIZE, PixelType.F32, false, CHUNK, AXES, new int[] { -1, -1, 2, 0, 1 }, 2));
		assertThrows(IllegalArgumentException.class, () ->
			new ZarrMap.Layout(SIZE, PixelType.F32, false, CHUNK, AXES, new int[] { -1, -1, 2, 1, 0 }, 1));
	}

	@Test
	void lowerResolutionsAreMeans() throws IOException {
		for (final int version : new int[] { 2, 3 }) {
			final Path image = folder.resolve("levels" + version + ".zarr");
			final ZarrMap.Layout layout = new ZarrMap.Layout(new long[] { 5, 3 }, PixelType.U16, false, new int[] { 2, 2 },
				List.of(new OmeAxis("y", null, 2, 7), new OmeAxis("x", null, 3, 0)), new int[] { 1, 0 }, version);
			try (ZarrMap map = new ZarrMap(image, layout, "a"); Parallel parallel = new Parallel(2)) {
				for (int y = 0; y < 3; y += 2) for (int x = 0; x < 5; x += 2) {
					final int[] part = { Math.min(2, 5 - x), Math.min(2, 3 - y) };
					final ShortBuffer pixels = ShortBuffer.allocate(part[0] * part[1]);
					for (int i = 0; i < pixels.capacity(); i++) pixels.put(i, (short) (10 * (x + i % part[0]) + 100 * (y + i / part[0])));
					map.write(new long[] { x, y }, part, pixels);
				}
				map.pyramid(parallel);
				map.commit();
			}
			final OmeZarr half = OmeZarr.open("half", image.resolve("1")), quarter = OmeZarr.open("quarter", image.resolve("2"));
			assertArrayEquals(new long[] { 2, 3 }, half.array().shape());
			assertArrayEquals(new long[] { 1, 2 }, quarter.array().shape());
			assertEquals(4, half.axes().get(0).scale());
			assertEquals(8, half.axes().get(0).translation());
			assertEquals(6, half.axes().get(1).scale());
			assertEquals(12, quarter.axes().get(1).scale());
			// 55 = mean of 0, 10, 100, 110; the last column and row are means of fewer pixels
			final short[] expected = { 55, 75, 90, 205, 225, 240 };
			final Path array = image.resolve("1");
			for (int i = 0; i < 6; i++) {
				final Path chunk = (version == 2 ? array : array.resolve("c")).resolve(i / 3 / 2 + "").resolve(i % 3 / 2 + "");
				final ShortBuffer values = ByteBuffer.wrap(Files.readAllBytes(chunk)).order(ByteOrder.LITTLE_ENDIAN).asShortBuffer();
				assertEquals(expected[i], values.get(i / 3 % 2 * 2 + i % 3 % 2), "version " + version + ", pixel " + i);
			}
		}
	}
}
