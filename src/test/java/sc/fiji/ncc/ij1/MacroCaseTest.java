package sc.fiji.ncc.ij1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

import sc.fiji.ncc.fixture.MacroCase;
import sc.fiji.ncc.fixture.ShippedMacroRuns;
import sc.fiji.ncc.ij1.ImageJProcess.Outcome;

/** The macros of the profile fiji, in plain ImageJ: what they expect is checked in every build. */
class MacroCaseTest {

	@TempDir
	static Path folder;

	private static CompletableFuture<Map<String, Outcome>> cases, shipped, colours;
	private static ShippedMacroRuns runs;

	@BeforeAll
	static void start() throws IOException {
		final ImageJProcess imagej = new ImageJProcess(folder.resolve("ImageJ"));
		final Map<String, String> macros = new TreeMap<>();
		for (int i = 0; i < MacroCase.ALL.size(); i++) macros.put("case" + i, MacroCase.ALL.get(i).macro());
		cases = imagej.run(macros);
		runs = new ShippedMacroRuns(folder);
		shipped = imagej.runShipped(runs.arguments());
		colours = imagej.runShipped(runs.coloursInAFolder());
	}

	@TestFactory
	Stream<DynamicTest> printTheSameInPlainImageJ() {
		return IntStream.range(0, MacroCase.ALL.size()).mapToObj(i -> DynamicTest.dynamicTest(MacroCase.ALL.get(i).name(),
			() -> MacroCase.ALL.get(i).check(cases.join().get("case" + i).printed())));
	}

	/** So that the profile fiji runs every command in ImageJ2, also a new one. */
	@Test
	void everyCommandOfTheMenuIsInAMacro() throws IOException {
		final String macros = MacroCase.ALL.stream().map(MacroCase::macro).collect(Collectors.joining("\n"));
		final List<String> labels = Files.readAllLines(Path.of("plugins.config")).stream().filter(line -> line.contains("NccPlugIn"))
			.map(line -> line.split("\"")[1]).toList();
		assertFalse(labels.isEmpty());
		assertEquals(List.of(), labels.stream().filter(label -> !macros.contains("run('" + label + "'")).toList());
	}

	@Test
	void theShippedMacrosWriteTheirFiles() throws IOException {
		runs.check(String.valueOf(shipped.join()));
	}

	@Test
	void aFolderWithColoursIsSearched() throws IOException {
		runs.checkColours(String.valueOf(colours.join()));
	}
}
