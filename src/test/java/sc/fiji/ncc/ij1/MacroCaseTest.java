package sc.fiji.ncc.ij1;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
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

	@Test
	void theShippedMacrosWriteTheirFiles() throws IOException {
		runs.check(String.valueOf(shipped.join()));
	}

	@Test
	void aFolderWithColoursIsSearched() throws IOException {
		runs.checkColours(String.valueOf(colours.join()));
	}
}
