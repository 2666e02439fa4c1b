package sc.fiji.ncc.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import javax.imageio.ImageIO;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import sc.fiji.ncc.cli.input.ImageFiles;
import sc.fiji.ncc.cli.input.InputImage;

/** The shipped image, end to end. */
class DemoTest {

	/** Centres of all 24 coins, by eye. */
	private static final int[][] COINS = { { 45, 55 }, { 101, 56 }, { 156, 50 }, { 216, 48 }, { 277, 51 }, { 335, 44 }, { 45, 125 }, { 102, 125 },
		{ 154, 126 }, { 205, 125 }, { 271, 119 }, { 337, 124 }, { 43, 197 }, { 102, 195 }, { 154, 197 }, { 211, 193 }, { 275, 194 }, { 347, 188 },
		{ 46, 258 }, { 114, 265 }, { 172, 262 }, { 243, 263 }, { 302, 263 }, { 358, 268 } };

	@Test
	void findsEveryCoinAndNothingElse(@TempDir final Path folder) throws IOException {
		final ByteArrayOutputStream out = new ByteArrayOutputStream();
		new Demo(new PrintStream(out, true)).run(folder);
		final List<String> rows = Files.readAllLines(folder.resolve("matches.csv"));
		assertEquals(1 + COINS.length, rows.size());
		assertTrue(rows.get(1).startsWith("coins.png,1,1,274,235,0,1,"), rows.get(1));
		final Set<Integer> found = new HashSet<>();
		for (final String row : rows.subList(1, rows.size())) {
			final String[] cells = row.split(",");
			final int x = Integer.parseInt(cells[3]) + 28, y = Integer.parseInt(cells[4]) + 28;
			for (int i = 0; i < COINS.length; i++)
				if (Math.hypot(x - COINS[i][0], y - COINS[i][1]) < 13) found.add(i);
		}
		assertEquals(COINS.length, found.size());
		final InputImage map = ImageFiles.read(folder.resolve("correlation.tif").toString());
		assertEquals("329x248", map.size());
		assertEquals(-0.0, map.calibration().xOrigin(), 0.0);
		final BufferedImage result = ImageIO.read(folder.resolve("result.png").toFile());
		assertTrue(result.getWidth() > 4 * 384 && result.getHeight() == 2 * 303);
		for (final String word : new String[] { "predicted", "selected", "read ", "correlate ", "match ", "write ", "24 matches" })
			assertTrue(out.toString().contains(word), out.toString());
		try (Stream<Path> files = Files.list(folder)) {
			assertEquals(3, files.count());
		}
	}
}
