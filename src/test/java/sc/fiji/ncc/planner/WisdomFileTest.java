package sc.fiji.ncc.planner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The file of the wisdom may be damaged, a folder or a link. */
class WisdomFileTest {

	private static final String SIGNATURE = "cpu-direct 1";

	@TempDir
	Path folder;

	private static List<String> lines(final String head, final String... content) {
		final List<String> lines = new ArrayList<>();
		ChecksummedSection.append(lines, head, List.of(content));
		return lines;
	}

	private Wisdom written(final Path file, final List<String> lines) throws IOException {
		Files.write(file, lines);
		return Wisdom.read(file, SIGNATURE);
	}

	/** The head of a file that this version writes. */
	private String head() throws IOException {
		final Path file = folder.resolve("head.txt");
		Wisdom.read(file, SIGNATURE).save();
		return ChecksummedSection.parse(Files.readAllLines(file)).get(0).head();
	}

	/** Random damage: the reader ignores what it cannot use. With a correct checksum, too. */
	@Test
	void damage() throws IOException {
		final String head = head();
		final String[] content = { "problem a\tcpu\tcpu-direct\t0.5", "problem b\tcpu\tcpu-fourier\t1e-3" };
		final Path file = folder.resolve("w.txt");
		assertEquals(2, written(file, lines(head, content)).entries().size());
		final byte[] sound = Files.readAllBytes(file);
		final Random random = new Random(28);
		for (int i = 0; i < 300; i++) {
			final byte[] damaged = Arrays.copyOf(sound, random.nextInt(4) == 0 ? random.nextInt(sound.length) + 1 : sound.length);
			for (int k = random.nextInt(4); k >= 0; k--) damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
			Files.write(file, damaged);
			assertTrue(Wisdom.read(file, SIGNATURE).entries().size() <= 2);
			final StringBuilder line = new StringBuilder(content[0]);
			for (int k = random.nextInt(3); k >= 0; k--) line.setCharAt(random.nextInt(line.length()), "\t x0-N.e".charAt(random.nextInt(8)));
			final Wisdom wisdom = written(file, lines(head, line.toString()));
			assertTrue(wisdom.entries().size() <= 1 && wisdom.calibrations().isEmpty(), line::toString);
			written(file, lines("NCC calibration 1", line.toString())).calibrations();
		}
	}

	/** A folder is neither read nor replaced nor deleted. */
	@Test
	void aFolder() throws IOException {
		final Path file = Files.createDirectory(folder.resolve("w.txt"));
		final Wisdom wisdom = Wisdom.read(file, SIGNATURE);
		assertTrue(wisdom.entries().isEmpty());
		wisdom.save();
		assertThrows(IOException.class, wisdom::clear);
		assertTrue(Files.isDirectory(file));
		try (var all = Files.list(folder)) {
			assertEquals(1, all.count());
		}
	}

	/** A link stays, and its target is written and deleted. */
	@Test
	@EnabledOnOs({ OS.LINUX, OS.MAC })
	void aLink() throws IOException {
		final Path target = Files.createDirectory(folder.resolve("shared")).resolve("w.txt"), link = folder.resolve("w.txt");
		Files.createSymbolicLink(link, Path.of("shared", "w.txt"));
		final Wisdom wisdom = Wisdom.read(link, SIGNATURE);
		wisdom.save();
		assertTrue(Files.isSymbolicLink(link) && Files.isRegularFile(target));
		assertTrue(Files.readString(target, StandardCharsets.UTF_8).contains(SIGNATURE));
		wisdom.clear();
		assertTrue(Files.isSymbolicLink(link));
		assertFalse(Files.exists(target));
	}
}
