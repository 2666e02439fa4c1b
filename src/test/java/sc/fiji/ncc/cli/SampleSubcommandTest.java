package sc.fiji.ncc.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.CRC32;

import net.imglib2.type.numeric.ARGBType;
import net.imglib2.type.numeric.RealType;
import net.imglib2.view.Views;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.cli.input.ImageFiles;

/** {@code ncc sample}, and the first example of the documentation. */
class SampleSubcommandTest extends InFolder {

	@Test
	void writesTheSample() throws IOException {
		Files.writeString(folder.resolve("coins.png"), "an older file");
		assertEquals("sample image: " + path("coins.png"), succeeds("sample", "coins.png").strip());
		try (InputStream resource = SampleSubcommand.open()) {
			assertArrayEquals(resource.readAllBytes(), Files.readAllBytes(folder.resolve("coins.png")));
		}
		assertEquals("384x303", ImageFiles.read(path("coins.png")).size());
		assertEquals(List.of(folder.toString(), path("coins.png")), files());
	}

	/** Without --max-matches and --min-score: all matches from 0.5. */
	@Test
	void theFirstExample() throws IOException {
		succeeds("sample", "coins.png");
		succeeds("match", "coins.png", "--roi", "274,235,56,56", "-o", "matches.csv", "--overlay", "found.png");
		final List<String> rows = Files.readAllLines(folder.resolve("matches.csv"));
		assertEquals(25, rows.size());
		for (final String row : rows.subList(1, rows.size())) {
			final double score = Double.parseDouble(row.split(",")[6]);
			if (score < 0.5) throw new AssertionError(row);
		}
		succeeds("match", "coins.png", "--roi", "274,235,56,56", "-o", "few.csv", "--max-matches", "3");
		assertEquals(rows.subList(0, 4), Files.readAllLines(folder.resolve("few.csv")));
	}

	@Test
	void writesAllFilesOfTheExamples() throws IOException {
		assertEquals("sample files: " + path("./examples"), succeeds("sample", "--all", "./examples").strip());
		assertEquals("384x303", ImageFiles.read(path("examples/holes.tif")).size());
		assertEquals("256x256x60", ImageFiles.read(path("examples/drift.zarr")).size());
		assertEquals("xyct", ImageFiles.read(path("examples/channels.tif")).axes());
		assertEquals("64x64x24", ImageFiles.read(path("examples/volume.tif")).size());
		assertEquals("xyz", ImageFiles.read(path("examples/volume.tif")).axes());
		refuses("sample --all ./examples", "examples", "exists", "another name");
		refuses("sample --all ./none/examples", "none");
		refuses("sample --all --rotated ./more", "--rotated");
	}

	/**
	 * The documents print what the examples give, so the sample files are the same on every machine and with every version: their pixels have these checksums.
	 */
	@Test
	void samplesStayAsTheyAre() throws Exception {
		succeeds("sample", "--all", "./examples");
		final Map<String, String> sums = new TreeMap<>();
		try (InputStream resource = SampleSubcommandTest.class.getResourceAsStream("sample-files.txt")) {
			new String(resource.readAllBytes(), StandardCharsets.US_ASCII).lines().forEach(l -> sums.put(l.split(" ")[0], l.split(" ")[1]));
		}
		final Map<String, String> found = new TreeMap<>();
		try (Stream<Path> all = Files.walk(folder.resolve("examples"))) {
			for (final Path f : all.filter(f -> f.toString().matches(".*[.](png|tif|zarr)")).toList())
				found.put(folder.resolve("examples").relativize(f).toString().replace('\\', '/'), checksum(f));
		}
		assertEquals(sums, found);
	}

	/** Of the pixels, x fastest, as doubles. */
	private static String checksum(final Path file) throws IOException {
		final CRC32 crc = new CRC32();
		final ByteBuffer bytes = ByteBuffer.allocate(8);
		for (final Object pixel : Views.flatIterable(ImageFiles.read(file.toString()).pixels())) {
			if (pixel instanceof ARGBType c) bytes.putLong(0, c.get() & 0xffffff);
			else bytes.putDouble(0, ((RealType<?>) pixel).getRealDouble());
			crc.update(bytes.array());
		}
		return Long.toHexString(crc.getValue());
	}

	@Test
	void mistakes() throws IOException {
		refuses("sample", "FILE.png|FILE.tif|FOLDER");
		refuses("sample coins.jpg", "coins.jpg", ".png");
		refuses("sample ./none/coins.png", "none");
	}
}
