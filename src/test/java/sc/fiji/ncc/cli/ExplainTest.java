package sc.fiji.ncc.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code --explain} prints the ranking of the problem that ran. */
class ExplainTest extends InFolder {

	@BeforeEach
	void sample() throws IOException {
		succeeds("sample", "coins.png");
		Files.createDirectory(folder.resolve("in"));
		for (final String name : List.of("a.png", "b.png")) Files.copy(folder.resolve("coins.png"), folder.resolve("in").resolve(name));
	}

	private void explains(final String words, final String problem) {
		final String said = succeeds((words + " --backend cpu").split(" "));
		assertTrue(!said.contains("predicted"), "nothing is explained without --explain: " + said);
		final List<String> lines = succeeds((words + " --backend cpu --explain").split(" ")).lines().toList();
		final String ranking = lines.stream().filter(line -> line.contains("image 384x303, ")).findFirst().orElseThrow();
		assertTrue(ranking.contains(problem), ranking);
		assertEquals(1, lines.stream().filter(line -> line.contains(" selected: ")).count());
		final String taken = lines.stream().filter(line -> line.contains(" selected: ")).findFirst().orElseThrow().strip().split(" ")[0];
		assertTrue(lines.get(lines.size() - 1).contains(" by " + taken + " in "), "the summary names the algorithm that is taken: " + lines);
	}

	@Test
	void theProblemThatRan() {
		explains("correlate coins.png --roi 9,9,20,20 -o map.tif", "[20x20], 365x284 lags, 1 frame");
		explains("correlate coins.png coins.png in/a.png --best --extent same -o map.tif", "the best of each lag only");
		explains("match coins.png --roi 9,9,20,20 -o m.csv", "1 frame, peaks only");
		explains("match ./in --roi 9,9,20,20 -o m.csv", " 2 frames, peaks only");
		explains("correlate ./in --roi 9,9,20,20 -o ./maps", "365x284 lags, 2 frames");
	}
}
