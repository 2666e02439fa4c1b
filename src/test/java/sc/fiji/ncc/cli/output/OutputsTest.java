package sc.fiji.ncc.cli.output;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import sc.fiji.ncc.result.NccException;

class OutputsTest {

	@TempDir
	Path folder;
	private String input, output;

	@BeforeEach
	void files() throws IOException {
		input = Files.writeString(folder.resolve("in.tif"), "in").toString();
		output = folder.resolve("out.tif").toString();
	}

	private List<String> names() throws IOException {
		try (Stream<Path> files = Files.list(folder)) {
			return files.map(f -> f.getFileName().toString()).sorted().toList();
		}
	}

	private static void write(final Outputs outputs, final Path place, final String text) throws IOException {
		try (OutputStream out = outputs.open(place)) {
			out.write(text.getBytes(StandardCharsets.UTF_8));
		}
	}

	private String refusal(final String name) throws IOException {
		try (Outputs outputs = new Outputs()) {
			final String message = assertThrows(IllegalArgumentException.class, () -> outputs.promise(name, List.of(input))).getMessage();
			assertTrue(message.contains(name), message);
			return message;
		}
	}

	private static boolean locked(final Path file) throws IOException {
		final String inode = ":" + Files.getAttribute(file, "unix:ino") + " ";
		return Files.readAllLines(Path.of("/proc/locks")).stream().anyMatch(l -> l.contains("POSIX") && l.contains(inode));
	}

	/** With POSIX locks, to close any channel of a file ends the lock that tells other processes that the file is in use. */
	@Test
	@EnabledOnOs(OS.LINUX)
	void aFileStaysLockedAfterItIsWritten() throws IOException {
		try (Outputs outputs = new Outputs()) {
			final Path place = outputs.promise(output, List.of());
			assumeTrue(locked(outputs.temporary(place)), "a file system with locks");
			write(outputs, place, "one");
			assertTrue(locked(outputs.temporary(place)));
			write(outputs, place, "two");
			outputs.commit();
		}
		assertEquals("onetwo", Files.readString(Path.of(output)));
	}

	/** Two runs with the same identity at once: the first one's file is not touched, and only that one stays. */
	@Test
	void aFileThatIsContinuedIsNotTakenByAnotherRun() throws IOException {
		try (Outputs first = new Outputs()) {
			final Path place = first.promise(output, List.of());
			assertEquals(0, first.resume(place, "a", length -> length));
			write(first, place, "half");
			first.keep(place);
			try (Outputs second = new Outputs()) {
				assertEquals(0, second.resume(second.promise(output, List.of()), "a", length -> length));
				second.keep(place);
				assertFalse(second.isKept(place));
				write(second, place, "other");
			}
			assertEquals("half", Files.readString(first.temporary(place)));
		}
		assertEquals(2, names().size());
		try (Outputs third = new Outputs()) {
			final Path place = third.promise(output, List.of());
			assertEquals(3, third.resume(place, "a", length -> length - 1));
			write(third, place, "l");
			third.commit();
		}
		assertEquals("hall", Files.readString(Path.of(output)));
		assertEquals(List.of("in.tif", "out.tif"), names());
	}

	/** An input that changed spoils what was made of it. */
	@Test
	void aFileOfAnInputThatChangedDoesNotStay() throws IOException {
		try (Outputs outputs = new Outputs()) {
			outputs.watch(List.of(input));
			final Path place = outputs.promise(output, List.of(input));
			outputs.resume(place, "a", length -> length);
			write(outputs, place, "whole");
			outputs.keep(place);
			Files.writeString(Path.of(input), "another");
			assertThrows(NccException.class, outputs::commit);
		}
		assertEquals(List.of("in.tif"), names());
	}

	@Test
	void wholeOrAbsent() throws IOException {
		try (Outputs outputs = new Outputs()) {
			final Path place = outputs.promise(output, List.of(input));
			write(outputs, place, "half");
			assertFalse(Files.exists(place));
		}
		assertEquals(List.of("in.tif"), names());
		Files.writeString(Path.of(output), "before");
		try (Outputs outputs = new Outputs()) {
			write(outputs, outputs.promise(output, List.of(input)), "half");
		}
		assertEquals("before", Files.readString(Path.of(output)));
		try (Outputs outputs = new Outputs()) {
			write(outputs, outputs.promise(output, List.of(input)), "whole");
			outputs.commit();
		}
		assertEquals("whole", Files.readString(Path.of(output)));
		assertEquals(List.of("in.tif", "out.tif"), names());
	}

	@Test
	void anInputIsNeverWrittenTo() throws IOException {
		assertTrue(refusal(input).contains("is the input"));
		assertTrue(refusal(folder.resolve("x/../in.tif").toString()).contains("is the input"));
		final Path link = Files.createSymbolicLink(folder.resolve("link.tif"), Path.of(input));
		assertTrue(refusal(link.toString()).contains("is the input"));
		final Path hard = Files.createLink(folder.resolve("hard.tif"), Path.of(input));
		assertTrue(refusal(hard.toString()).contains("is the input"));
		assertEquals("in", Files.readString(Path.of(input)));
	}

	@Test
	void placesThatCannotBeWritten() throws IOException {
		assertTrue(refusal(folder.toString()).contains("folder"));
		assertTrue(refusal(folder.resolve("none").resolve("out.tif").toString()).contains("no folder"));
		assertTrue(refusal(Path.of(input).resolve("out.tif").toString()).contains("no folder"));
		assertTrue(refusal(folder.resolve("n".repeat(300)).toString()).contains("not writable"));
		if (Files.exists(Path.of("/dev/null"))) assertTrue(refusal("/dev/null").contains("regular"));
		assertEquals(List.of("in.tif"), names());
	}

	@Test
	void twoOutputsOfOneName() throws IOException {
		try (Outputs outputs = new Outputs()) {
			outputs.promise(output, List.of());
			assertThrows(IllegalArgumentException.class, () -> outputs.promise(folder.resolve(".").resolve("out.tif").toString(), List.of()));
		}
		assertEquals(List.of("in.tif"), names());
	}

	@Test
	void throughALink() throws IOException {
		final Path target = Files.writeString(folder.resolve("target.tif"), "before");
		final Path link = Files.createSymbolicLink(folder.resolve("link.tif"), target);
		try (Outputs outputs = new Outputs()) {
			write(outputs, outputs.promise(link.toString(), List.of(input)), "whole");
			outputs.commit();
		}
		assertTrue(Files.isSymbolicLink(link));
		assertEquals("whole", Files.readString(target));
	}
}
