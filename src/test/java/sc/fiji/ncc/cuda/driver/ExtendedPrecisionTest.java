package sc.fiji.ncc.cuda.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When pairs of floats stand for doubles, and that they err by no more than the kernels' file says. */
class ExtendedPrecisionTest {

	private static final String PROPERTY = "ncc.cuda.wide";

	@TempDir
	Path folder;
	private String before;

	@BeforeEach
	void remember() {
		before = System.clearProperty(PROPERTY);
	}

	@AfterEach
	void restore() {
		if (before == null) System.clearProperty(PROPERTY);
		else System.setProperty(PROPERTY, before);
	}

	@Test
	void cardsWithFewUnitsForDoubleTakePairs() {
		assertEquals(ExtendedPrecision.DOUBLE, ExtendedPrecision.of(2));
		assertEquals(ExtendedPrecision.PAIRS, ExtendedPrecision.of(32));
		assertEquals(ExtendedPrecision.PAIRS, ExtendedPrecision.of(64));
	}

	@Test
	void whatIsAskedOverrulesTheGpu() {
		System.setProperty(PROPERTY, "pairs");
		assertEquals(ExtendedPrecision.PAIRS, ExtendedPrecision.of(2));
		System.setProperty(PROPERTY, "double");
		assertEquals(ExtendedPrecision.DOUBLE, ExtendedPrecision.of(64));
		System.setProperty(PROPERTY, "quad");
		assertEquals("the system property ncc.cuda.wide is quad: choose pairs or double", assertThrows(IllegalArgumentException.class, () -> ExtendedPrecision.of(2)).getMessage());
	}

	/** The kernels' own file compiled for the host, where a compiler is installed: see {@code wide.cpp}. */
	@Test
	void pairsErrByNoMoreThanTheFileSays() throws IOException, InterruptedException {
		try {
			PtxBuild.run("g++", "--version");
		}
		catch (final IOException e) {
			Assumptions.abort("g++ is not installed");
		}
		final String program = folder.resolve("wide").toString();
		Files.writeString(folder.resolve("wide.cuh"), GpuKernelSource.header("wide.cuh").replace("#include \"common.cuh\"\n", ""));
		PtxBuild.run("g++", "-std=gnu++17", "-O1", "-ffp-contract=off", "-DPAIRS", "-I" + folder, "-o", program,
			"src/test/resources/sc/fiji/ncc/cuda/wide.cpp");
		PtxBuild.run(program);
	}
}
