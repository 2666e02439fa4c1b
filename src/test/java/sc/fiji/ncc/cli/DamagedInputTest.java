package sc.fiji.ncc.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;

import ij.ImagePlus;
import ij.ImageStack;
import ij.process.ByteProcessor;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import sc.fiji.ncc.cli.input.InputImage;
import sc.fiji.ncc.cli.input.TiffReader;
import sc.fiji.ncc.cli.map.DiskSpace;
import sc.fiji.ncc.result.NccException;

/** Inputs that are damaged, or claim more than there can be: exit code 2 and one line without a word of Java, wherever the damage is found. */
class DamagedInputTest extends InFolder {

	private static final String ARRAY = "{\"zarr_format\": 2, \"shape\": [40, 50], \"chunks\": [20, 25], \"dtype\": \"|u1\", \"compressor\": null, \"fill_value\": 0, "
		+ "\"order\": \"C\", \"filters\": null}";

	private final byte[] chunk = new byte[500];

	@BeforeEach
	void images() throws IOException {
		new Random(3).nextBytes(chunk);
		Files.createDirectory(folder.resolve("a.zarr"));
		array(ARRAY);
		for (int y = 0; y < 2; y++)
			for (int x = 0; x < 2; x++) Files.write(folder.resolve("a.zarr/" + y + "." + x), chunk);
		final ByteProcessor template = new ByteProcessor(5, 4);
		for (int i = 0; i < 20; i++) template.set(i, i * i % 37);
		save("t.tif", template);
	}

	private void array(final String metadata) throws IOException {
		Files.writeString(folder.resolve("a.zarr/.zarray"), metadata);
	}

	private void refusesIt(final String... says) throws IOException {
		for (final String command : new String[] { "correlate ./a.zarr t.tif -o map.tif", "correlate ./a.zarr t.tif -o ./map.zarr",
			"match ./a.zarr t.tif --max-matches 1 --min-score 0 -o m.csv", "convolve ./a.zarr t.tif -o map.tif",
			"track ./a.zarr --roi 1,2,5,4 --max-shift 3,3 -o t.csv" }) {
			refuses(command, says);
			final String message = err.toString();
			for (final String java : new String[] { "java", "Exception", "null", "because", "gson", "Cannot", "Index" }) assertFalse(message.contains(java), message);
		}
	}

	@Test
	void soundOneIsRead() {
		assertEquals(0, run("correlate", "./a.zarr", "t.tif", "-o", "map.tif"), err::toString);
	}

	@ParameterizedTest
	@CsvSource(delimiter = ';', value = {
		"\"shape\": [40, 50]; \"shape\": [9223372036854775807, 24]; 9223372036854775807",
		"\"shape\": [40, 50]; \"shape\": [4611686018427387904, 4]; pixels",
		"\"shape\": [40, 50]; \"shape\": [5, 1099511627776]; 43980465112 chunks of 25",
		"\"shape\": [40, 50]; \"shape\": [9223372036854775808, 24]; shape",
		"\"shape\": [40, 50]; \"shape\": [-1, 50]; no pixels",
		"\"shape\": [40, 50]; \"shape\": [40.5, 50]; 40.5",
		"\"shape\": [40, 50]; \"shape\": \"large\"; large",
		"\"shape\": [40, 50]; \"form\": [40, 50]; 'shape'",
		"\"shape\": [40, 50]; \"shape\": [40, [50]]; shape",
		"\"shape\": [40, 50]; \"shape\": [40, null]; shape",
		"\"chunks\": [20, 25]; \"chunks\": [2147483647, 2147483647]; 2 GB",
		"\"chunks\": [20, 25]; \"chunks\": [20]; extents",
		"\"chunks\": [20, 25]; \"pieces\": 3; 'chunks'",
		"\"dtype\": \"|u1\"; \"dtype\": [\"|u1\"]; dtype",
		"\"dtype\": \"|u1\"; \"kind\": 1; 'dtype'",
		"\"fill_value\": 0; \"fill_value\": \"x\"; fill_value",
		"\"fill_value\": 0; \"fill_value\": {}; fill_value",
		"\"compressor\": null; \"compressor\": 7; compressor",
		"\"compressor\": null; \"compressor\": {\"level\": 7}; 'id'",
		"\"filters\": null}; \"filters\"; line 1",
		"{; [; not JSON" })
	void metadata(final String intact, final String damaged, final String says) throws IOException {
		assertTrue(ARRAY.contains(intact));
		array(ARRAY.replace(intact, damaged));
		refusesIt("a.zarr", says);
	}

	@ParameterizedTest
	@CsvSource(delimiter = ';', value = { "5; 'axes'", "[\"y\"]; 1 axes", "[\"y\", {\"kind\": \"x\"}]; 'name'" })
	void metadataOfAnImage(final String axes, final String says) throws IOException {
		Files.createDirectory(folder.resolve("b.zarr"));
		Files.move(folder.resolve("a.zarr"), folder.resolve("b.zarr/0"));
		Files.move(folder.resolve("b.zarr"), folder.resolve("a.zarr"));
		final Path attributes = folder.resolve("a.zarr/.zattrs");
		final String dataset = "[{\"path\": \"0\", \"coordinateTransformations\": [{\"type\": \"scale\", \"scale\": %s}]}]";
		Files.writeString(attributes, "{\"multiscales\": [{\"axes\": " + axes + ", \"datasets\": " + dataset.formatted("[2, 2]") + "}]}");
		refusesIt("a.zarr", says);
		for (final String scale : new String[] { "[2]", "3", "[2, \"x\"]", "[2, [2]]" }) {
			Files.writeString(attributes, "{\"multiscales\": [{\"datasets\": " + dataset.formatted(scale) + "}]}");
			refusesIt("a.zarr", "scale");
		}
		for (final String none : new String[] { "[]", "[7]", "{}", "[{}]" }) {
			Files.writeString(attributes, "{\"multiscales\": [{\"datasets\": " + none + "}]}");
			refusesIt("a.zarr", none.equals("[{}]") ? "path" : "dataset");
		}
	}

	@ParameterizedTest
	@CsvSource({ "null", "zlib", "gzip", "zstd", "lz4", "blosc" })
	void chunks(final String codec) throws IOException {
		if (!codec.equals("null")) array(ARRAY.replace("\"compressor\": null", "\"compressor\": {\"id\": \"" + codec + "\"}"));
		Files.write(folder.resolve("a.zarr/1.0"), codec.equals("null") ? new byte[499] : chunk);
		if (!codec.equals("null")) for (final String other : new String[] { "0.0", "0.1", "1.1" }) Files.delete(folder.resolve("a.zarr/" + other));
		for (final String command : new String[] { "correlate ./a.zarr t.tif -o map.tif", "match ./a.zarr t.tif --max-matches 1 --min-score 0 -o m.csv",
			"convolve ./a.zarr t.tif -o map.tif" }) {
			refuses(command, "a.zarr", "chunk 1.0");
			for (final String java : new String[] { "java", "Exception", "null" }) assertFalse(err.toString().contains(java), err.toString());
		}
		// what is done stays to go on from
		assertEquals(2, run("correlate", "./a.zarr", "t.tif", "-o", "./map.zarr"));
		assertFalse(Files.exists(folder.resolve("map.zarr")));
	}

	/** A few bytes that claim 2e14 pixels: nothing is made, and both figures are told. */
	@Test
	void whatCannotFitTheDisk() throws IOException {
		array(ARRAY.replace("[40, 50]", "[80000, 3000000000]").replace("[20, 25]", "[1000, 1000]"));
		refuses("correlate ./a.zarr t.tif -o ./map.zarr", "971 TB", "free");
		refuses("correlate ./a.zarr t.tif -o ./map.zarr --precision double", "1.94 PB", "free");
		refuses("correlate ./a.zarr t.tif -o map.tif", "2999999996", "2147483647");
		refuses("convolve ./a.zarr t.tif -o ./map.zarr", "971 TB", "free");
		array(ARRAY.replace("[40, 50]", "[160000, 1500000000]").replace("[20, 25]", "[1000, 1000]"));
		refuses("correlate ./a.zarr t.tif -o map.tif", "960 TB", "free");
		refuses("correlate ./a.zarr t.tif --best -o map.tif", "960 TB", "free");
		refuses("convolve ./a.zarr t.tif -o map.tif", "960 TB", "free");
	}

	@Test
	void sizesInWords() {
		assertEquals("0 bytes", DiskSpace.text(0));
		assertEquals("999 bytes", DiskSpace.text(999));
		assertEquals("1.00 kB", DiskSpace.text(1000));
		assertEquals("12.3 MB", DiskSpace.text(12_345_678));
		assertEquals("288 GB", DiskSpace.text(2.88e11));
		assertTrue(succeeds("correlate", "./a.zarr", "t.tif", "-o", "map.tif", "--explain").contains("map.tif will take 6.81 kB"), out::toString);
	}

	@Test
	void otherFiles() throws IOException {
		Files.write(folder.resolve("cut.png"), new byte[] { (byte) 0x89, 'P', 'N', 'G', 13, 10, 26, 10, 0, 0 });
		refuses("correlate cut.png t.tif -o map.tif", "cut.png", "cut off");
		assertFalse(err.toString().contains("null"), err.toString());
		Files.write(folder.resolve("k.txt"), new byte[] { '1', (byte) 0xe4, '2' });
		refuses("convolve t.tif k.txt -o map.tif", "k.txt", "UTF-8");
	}

	/** Damage that is found when pixels are read, long after the file was opened. */
	@Test
	void tiffFilesThatAreCutOffLater() throws IOException {
		final ImageStack stack = new ImageStack(30, 20);
		for (int i = 0; i < 3; i++) stack.addSlice(new ByteProcessor(30, 20));
		save("s.tif", new ImagePlus("s", stack));
		final Path file = folder.resolve("s.tif");
		final InputImage image = TiffReader.read("s.tif", file, 0);
		final byte[] whole = Files.readAllBytes(file);
		Files.write(file, Arrays.copyOf(whole, 900));
		final NccException cut = assertThrows(NccException.class, () -> values(image.pixels()));
		assertTrue(cut.getMessage().startsWith("s.tif cannot be read: it is cut off"), cut.getMessage());
		assertEquals(2, Main.failure(new PrintStream(err, true), cut));
		assertEquals("ncc: " + cut.getMessage(), err.toString().strip());
	}

	@Test
	void noOutputLiesInAnInput() throws IOException {
		refuses("match ./a.zarr t.tif --max-matches 1 --min-score 0 -o " + path("a.zarr/m.csv"), "a.zarr/m.csv lies in the input");
		refuses("correlate ./a.zarr t.tif -o " + path("a.zarr/map.tif"), "a.zarr/map.tif lies in the input");
	}

	/** What the machine does wrong while an input is read is not the input's fault. */
	@Test
	void aDiskThatFailsIsTheMachine() {
		assertEquals(1, Main.failure(new PrintStream(err, true), new NccException("a.tif cannot be read: Input/output error", new IOException("Input/output error"))));
	}
}
