package sc.fiji.ncc.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;

import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageWriteParam;
import javax.imageio.ImageWriter;
import javax.imageio.stream.ImageOutputStream;

import ij.ImagePlus;
import ij.ImageStack;
import ij.process.ByteProcessor;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Files of every format that the program reads, with random damage: each call ends in time with exit code 0, or with 2 and one line. Equal seeds make
 * equal damage.
 */
class MutatedInputTest extends InFolder {

	private static final int WIDTH = 20, HEIGHT = 16, MUTATIONS = 100;
	/** An endless loop, not a slow machine, takes longer than this. */
	private static final long SECONDS = 60;
	private static final Pattern NUMBER = Pattern.compile("-?[0-9]+(\\.[0-9]+)?");
	private static final String[] ODD = { "-1", "0", "1.5", "3", "1e400", "99999999999", "9223372036854775808", "NaN", "null", "\"x\"", "[]", "{}", "" };

	private final Random random = new Random(28);
	private final ExecutorService calls = Executors.newSingleThreadExecutor();
	private int done, refused;

	private byte[] pixels(final int n) {
		final byte[] pixels = new byte[n];
		new Random(3).nextBytes(pixels);
		return pixels;
	}

	private ImagePlus stack(final int frames) {
		final ImageStack stack = new ImageStack(WIDTH, HEIGHT);
		for (int t = 0; t < frames; t++) stack.addSlice(new ByteProcessor(WIDTH, HEIGHT, pixels(WIDTH * HEIGHT)));
		final ImagePlus image = new ImagePlus("s", stack);
		image.setDimensions(1, 1, frames);
		return image;
	}

	private void template() {
		save("t.tif", new ByteProcessor(5, 4, pixels(20)));
	}

	/** Damages a file in place many times, and runs the command. */
	private void mutate(final String file, final String command) throws Exception {
		final Path path = folder.resolve(file);
		final byte[] intact = Files.readAllBytes(path);
		assertEquals(0, run(command.split(" ")), () -> command + ": " + err);
		final boolean text = file.matches(".*(json|txt|zarray|zattrs|zgroup)");
		for (int i = 0; i < MUTATIONS; i++) {
			final byte[] damaged = text && i % 2 == 0 ? oddNumber(intact) : damaged(intact);
			Files.write(path, damaged);
			final int number = i;
			final int code = calls.submit(() -> run(command.split(" "))).get(SECONDS, TimeUnit.SECONDS);
			final String message = err.toString().stripTrailing(), what = file + ", damage " + number + ", " + command + ": " + code + " " + message;
			if (code == 0) assertEquals("", message, what);
			else {
				assertTrue(code == 2 || code == 1 && message.contains("out of memory"), what);
				assertTrue(message.matches("ncc: .+"), () -> what + (text ? "\n" + new String(damaged, StandardCharsets.UTF_8) : ""));
				assertFalse(message.matches(".*(Exception|internal error|java\\." + (text ? "" : "|null") + ").*"), what);
				refused++;
			}
			done++;
		}
		Files.write(path, intact);
	}

	/** Changes, cuts, doubles or overwrites bytes, mostly near the beginning, where the headers are. */
	private byte[] damaged(final byte[] intact) {
		final int n = intact.length, within = random.nextInt(3) == 0 ? n : Math.min(n, 120), at = random.nextInt(within),
			length = 1 + random.nextInt(Math.min(8, n - at));
		switch (random.nextInt(6)) {
			case 0: return Arrays.copyOf(intact, random.nextInt(n));
			case 1: {
				final byte[] shorter = Arrays.copyOf(intact, n - length);
				System.arraycopy(intact, at + length, shorter, at, n - at - length);
				return shorter;
			}
			case 2: {
				final byte[] longer = Arrays.copyOf(intact, n + length);
				System.arraycopy(intact, at, longer, at + length, n - at);
				return longer;
			}
			case 3: {
				final byte[] filled = intact.clone();
				Arrays.fill(filled, at, at + length, (byte) (random.nextBoolean() ? 0 : 255));
				return filled;
			}
			default: {
				final byte[] changed = intact.clone();
				for (int k = random.nextInt(4); k >= 0; k--) changed[random.nextInt(within)] = (byte) random.nextInt();
				return changed;
			}
		}
	}

	/** Puts something else in the place of a number. */
	private byte[] oddNumber(final byte[] intact) {
		final String text = new String(intact, StandardCharsets.UTF_8);
		final Matcher numbers = NUMBER.matcher(text);
		final List<int[]> places = new ArrayList<>();
		while (numbers.find()) places.add(new int[] { numbers.start(), numbers.end() });
		if (places.isEmpty()) return damaged(intact);
		final int[] place = places.get(random.nextInt(places.size()));
		return (text.substring(0, place[0]) + ODD[random.nextInt(ODD.length)] + text.substring(place[1])).getBytes(StandardCharsets.UTF_8);
	}

	private void finish() {
		calls.shutdown();
		assertTrue(refused > done / 10 && refused <= done, refused + " of " + done + " refused");
	}

	@Test
	void stacksOfImageJ() throws Exception {
		template();
		save("s.tif", stack(3));
		mutate("s.tif", "correlate s.tif t.tif -o map.tif");
		mutate("t.tif", "match s.tif t.tif --min-score 0.9 --max-matches 1 -o m.csv");
		save("m.tif", new ByteProcessor(5, 4, new byte[] { 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0 }));
		mutate("m.tif", "correlate s.tif t.tif --mask m.tif -o map.tif");
		mutate("s.tif", "align s.tif --table d.csv");
		finish();
	}

	@ParameterizedTest
	@ValueSource(strings = { "LZW", "Deflate", "PackBits", "JPEG", "CCITT T.6", "" })
	void tiffOfOtherPrograms(final String compression) throws Exception {
		template();
		final boolean fax = compression.startsWith("CCITT");
		final BufferedImage image = new BufferedImage(WIDTH, HEIGHT, fax ? BufferedImage.TYPE_BYTE_BINARY : BufferedImage.TYPE_BYTE_GRAY);
		for (int i = 0; i < WIDTH * HEIGHT; i++) image.getRaster().setSample(i % WIDTH, i / WIDTH, 0, random.nextInt(fax ? 2 : 256));
		final ImageWriter writer = ImageIO.getImageWritersByFormatName("tiff").next();
		try (ImageOutputStream out = ImageIO.createImageOutputStream(folder.resolve("c.tif").toFile())) {
			writer.setOutput(out);
			final ImageWriteParam param = writer.getDefaultWriteParam();
			param.setCompressionMode(ImageWriteParam.MODE_EXPLICIT);
			if (!compression.isEmpty()) param.setCompressionType(compression);
			param.setTilingMode(ImageWriteParam.MODE_EXPLICIT);
			param.setTiling(16, 16, 0, 0);
			writer.write(null, new IIOImage(image, null, null), param);
		}
		mutate("c.tif", "correlate c.tif t.tif -o map.tif");
		finish();
	}

	@Test
	void bigTiff() throws Exception {
		template();
		final int[][] tags = { { 256, WIDTH }, { 257, HEIGHT }, { 258, 8 }, { 259, 1 }, { 262, 1 }, { 273, 256 }, { 279, WIDTH * HEIGHT } };
		final ByteBuffer b = ByteBuffer.allocate(256 + WIDTH * HEIGHT).order(ByteOrder.LITTLE_ENDIAN).putShort((short) 0x4949).putShort((short) 43)
			.putShort((short) 8).putShort((short) 0)
			.putLong(16).putLong(tags.length);
		for (final int[] tag : tags) b.putShort((short) tag[0]).putShort((short) 4).putLong(1).putLong(tag[1]);
		Files.write(folder.resolve("b.tif"), b.putLong(0).position(256).put(pixels(WIDTH * HEIGHT)).array());
		mutate("b.tif", "correlate b.tif t.tif -o map.tif");
		finish();
	}

	@Test
	void plainFormats() throws Exception {
		template();
		final ByteArrayOutputStream p5 = new ByteArrayOutputStream();
		p5.write(("P5\n# noise\n" + WIDTH + " " + HEIGHT + "\n255\n").getBytes(StandardCharsets.US_ASCII));
		p5.write(pixels(WIDTH * HEIGHT));
		Files.write(folder.resolve("a.pgm"), p5.toByteArray());
		mutate("a.pgm", "correlate a.pgm t.tif -o map.tif");
		final StringBuilder p2 = new StringBuilder("P2 " + WIDTH + " " + HEIGHT + " 300\n");
		for (int i = 0; i < WIDTH * HEIGHT; i++) p2.append(random.nextInt(300)).append(i % 7 == 0 ? '\n' : ' ');
		Files.writeString(folder.resolve("b.pgm"), p2);
		mutate("b.pgm", "correlate b.pgm t.tif -o map.tif");
		final ByteArrayOutputStream p4 = new ByteArrayOutputStream();
		p4.write(("P4 " + WIDTH + " " + HEIGHT + "\n").getBytes(StandardCharsets.US_ASCII));
		p4.write(pixels((WIDTH + 7) / 8 * HEIGHT));
		Files.write(folder.resolve("c.pgm"), p4.toByteArray());
		mutate("c.pgm", "correlate c.pgm t.tif -o map.tif");
		finish();
	}

	@Test
	void mrc() throws Exception {
		template();
		save("s.tif", stack(3));
		Files.writeString(folder.resolve("k.txt"), "0.5 0.5");
		assertEquals(0, run("convolve", "s.tif", "k.txt", "-o", "s.mrc"), err::toString);
		mutate("s.mrc", "correlate s.mrc t.tif -o map.mrc");
		finish();
	}

	@ParameterizedTest
	@ValueSource(strings = { "png", "gif", "bmp", "jpg" })
	void formatsOfTheJdk(final String format) throws Exception {
		template();
		final BufferedImage image = new BufferedImage(WIDTH, HEIGHT, BufferedImage.TYPE_BYTE_GRAY);
		for (int i = 0; i < WIDTH * HEIGHT; i++) image.getRaster().setSample(i % WIDTH, i / WIDTH, 0, random.nextInt(256));
		final String name = "a." + format;
		assertTrue(ImageIO.write(image, format, folder.resolve(name).toFile()));
		mutate(name, "correlate ./" + name + " t.tif -o map.tif");
		finish();
	}

	private static byte[] gzip(final byte[] bytes) throws IOException {
		final ByteArrayOutputStream out = new ByteArrayOutputStream();
		try (GZIPOutputStream to = new GZIPOutputStream(out)) {
			to.write(bytes);
		}
		return out.toByteArray();
	}

	@Test
	void zarr() throws Exception {
		template();
		final Path array = Files.createDirectories(folder.resolve("z.zarr/0"));
		Files.writeString(folder.resolve("z.zarr/.zgroup"), "{\"zarr_format\": 2}");
		Files.writeString(folder.resolve("z.zarr/.zattrs"), "{\"multiscales\": [{\"version\": \"0.4\", \"axes\": [{\"name\": \"y\", \"type\": \"space\", "
			+ "\"unit\": \"micrometer\"}, "
			+ "{\"name\": \"x\", \"type\": \"space\"}], \"datasets\": [{\"path\": \"0\", \"coordinateTransformations\": [{\"type\": \"scale\", \"scale\": "
			+ "[0.5, 0.5]}]}]}]}");
		Files.writeString(array.resolve(".zarray"), "{\"zarr_format\": 2, \"shape\": [16, 20], \"chunks\": [8, 10], \"dtype\": \"|u1\", \"compressor\": "
			+ "{\"id\": \"gzip\", \"level\": 1}, "
			+ "\"fill_value\": 0, \"order\": \"C\", \"filters\": null}");
		for (int y = 0; y < 2; y++) for (int x = 0; x < 2; x++) Files.write(array.resolve(y + "." + x), gzip(pixels(80)));
		final String command = "correlate ./z.zarr t.tif --search 0,0,6,6 -o map.tif";
		for (final String file : new String[] { "z.zarr/.zattrs", "z.zarr/0/.zarray", "z.zarr/0/0.0" }) mutate(file, command);
		finish();
	}

	@Test
	void zarrOfVersion3() throws Exception {
		template();
		final Path array = Files.createDirectories(folder.resolve("z.zarr/c/0"));
		Files.writeString(folder.resolve("z.zarr/zarr.json"), "{\"zarr_format\": 3, \"node_type\": \"array\", \"shape\": [16, 20], \"data_type\": "
			+ "\"uint8\", \"chunk_grid\": {\"name\": \"regular\", "
			+ "\"configuration\": {\"chunk_shape\": [16, 20]}}, \"chunk_key_encoding\": {\"name\": \"default\"}, \"fill_value\": 0, \"codecs\": [{\"name\": "
			+ "\"sharding_indexed\", \"configuration\": "
			+ "{\"chunk_shape\": [16, 10], \"codecs\": [{\"name\": \"bytes\"}, {\"name\": \"gzip\", \"configuration\": {\"level\": 1}}], \"index_codecs\": "
			+ "[{\"name\": \"bytes\"}], "
			+ "\"index_location\": \"end\"}}]}");
		final byte[] chunk = gzip(pixels(160));
		final ByteBuffer shard = ByteBuffer.allocate(2 * chunk.length + 32).order(ByteOrder.LITTLE_ENDIAN).put(chunk).put(chunk);
		shard.putLong(0).putLong(chunk.length).putLong(chunk.length).putLong(chunk.length);
		Files.write(array.resolve("0"), shard.array());
		final String command = "correlate ./z.zarr t.tif --search 0,0,12,12 -o map.tif";
		for (final String file : new String[] { "z.zarr/zarr.json", "z.zarr/c/0/0" }) mutate(file, command);
		finish();
	}

	@ParameterizedTest
	@ValueSource(strings = { "blosc", "zstd", "lz4", "zlib" })
	void codecs(final String codec) throws Exception {
		template();
		final Path array = Files.createDirectory(folder.resolve("z.zarr"));
		Files.writeString(array.resolve(".zarray"), "{\"zarr_format\": 2, \"shape\": [16, 20], \"chunks\": [16, 20], \"dtype\": \"|u1\", \"compressor\": "
			+ "{\"id\": \"" + codec
			+ "\"}, \"fill_value\": 0, \"order\": \"C\", \"filters\": null}");
		Files.write(array.resolve("0.0"), encoded(codec, pixels(320)));
		mutate("z.zarr/0.0", "correlate ./z.zarr t.tif -o map.tif");
		finish();
	}

	private static byte[] encoded(final String codec, final byte[] bytes) throws IOException {
		switch (codec) {
			case "zlib": {
				final ByteArrayOutputStream out = new ByteArrayOutputStream();
				try (DeflaterOutputStream to = new DeflaterOutputStream(out)) {
					to.write(bytes);
				}
				return out.toByteArray();
			}
			case "zstd": {
				// a frame of one raw block
				return ByteBuffer.allocate(9 + bytes.length + 3).order(ByteOrder.LITTLE_ENDIAN).putInt(0xFD2FB528).put((byte) 0xA0).putInt(bytes.length)
					.put((byte) (bytes.length << 3 | 1))
					.put((byte) (bytes.length >> 5)).put((byte) (bytes.length >> 13)).put(bytes).array();
			}
			case "lz4": {
				// the size, and literals alone
				final ByteBuffer b = ByteBuffer.allocate(4 + 1 + 2 + bytes.length).order(ByteOrder.LITTLE_ENDIAN).putInt(bytes.length).put((byte) 0xF0)
					.put((byte) 255).put((byte) (bytes.length - 15 - 255));
				return b.put(bytes).array();
			}
			default: {
				// a block that is stored as it is, after its header and place
				final ByteBuffer b = ByteBuffer.allocate(16 + 4 + 4 + bytes.length).order(ByteOrder.LITTLE_ENDIAN).put((byte) 2).put((byte) 1)
					.put((byte) (1 << 5)).put((byte) 1).putInt(bytes.length)
					.putInt(bytes.length).putInt(16 + 4 + 4 + bytes.length).putInt(20).putInt(bytes.length);
				return b.put(bytes).array();
			}
		}
	}

	@Test
	void shiftsOfAStack() throws Exception {
		save("s.tif", stack(3));
		final String json = "./d.json";
		assertEquals(0, run("align", "s.tif", "--transforms", json), err::toString);
		mutate("d.json", "align s.tif --apply ./d.json -o map.tif");
		mutate("d.json", "align s.tif --apply ./d.json --border union --interpolation integer -o map.tif");
		finish();
	}

	@Test
	void kernelsAndRotations() throws Exception {
		template();
		Files.writeString(folder.resolve("k.txt"), "1 2 1\n2, 4, 2\n1 2 1\n");
		mutate("k.txt", "convolve t.tif k.txt -o map.tif");
		final ImageStack volume = new ImageStack(10, 10);
		for (int z = 0; z < 10; z++) volume.addSlice(new ByteProcessor(10, 10, Arrays.copyOfRange(pixels(1000), 100 * z, 100 * z + 100)));
		save("v.tif", new ImagePlus("v", volume));
		Files.writeString(folder.resolve("r.txt"), "# rotations\n1 0 0 0\n0.5 0.5 0.5 0.5\n30,40,50\n");
		mutate("r.txt", "match v.tif --roi 2,2,2,6,6,6 --angles r.txt --min-score 0.5 --max-matches 1 -o m.csv");
		finish();
	}
}
