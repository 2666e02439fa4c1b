package sc.fiji.ncc.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.util.List;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.cli.picture.ImageFiles;

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

	@Test
	void mistakes() throws IOException {
		refuses("sample", "FILE.png|FILE.tif|FOLDER");
		refuses("sample coins.jpg", "coins.jpg", ".png");
		refuses("sample ./none/coins.png", "none");
	}
}
