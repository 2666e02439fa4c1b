package sc.fiji.ncc.cuda.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

import sc.fiji.ncc.cuda.CudaSmallShifts;
import sc.fiji.ncc.cuda.method.BankMethod;
import sc.fiji.ncc.cuda.method.ConvolveDirectMethod;
import sc.fiji.ncc.cuda.method.OnePassMethod;
import sc.fiji.ncc.cuda.method.FourierPasses;
import sc.fiji.ncc.cuda.method.TileSpectra;
import sc.fiji.ncc.cuda.shifts.TemplateCut;

/** The PTX in the jar is of these sources, and for drivers since R525; where nvcc is installed, and asked for, everything compiles. */
class GpuKernelSourceTest {

	/** From Turing to Blackwell. */
	private static final int[] ARCHITECTURES = { 75, 80, 86, 89, 90, 100, 120 };
	private static final Pattern ENTRY = Pattern.compile("\\.entry (\\w+)");

	@TempDir
	Path folder;

	@Test
	void everyFileIsListed() throws IOException {
		try (Stream<Path> files = Files.list(Path.of("src/main/resources/sc/fiji/ncc/cuda"))) {
			final Set<String> listed = new HashSet<>(GpuKernelSource.NAMES);
			listed.addAll(GpuKernelSource.COMPILED);
			assertEquals(listed, files.map(f -> f.getFileName().toString()).filter(f -> f.endsWith(".cu")).map(f -> f.substring(0, f.length() - 3))
				.collect(Collectors.toSet()));
		}
	}

	@TestFactory
	List<DynamicTest> ptxIsOfTheSource() {
		final List<DynamicTest> tests = new ArrayList<>();
		for (final String name : GpuKernelSource.NAMES)
			for (final ExtendedPrecision wide : GpuKernelSource.variants(name))
				for (final int target : GpuKernelSource.targets(name))
					tests.add(dynamicTest(name + " in " + wide + " for " + target, () -> {
						final List<String> lines = new String(GpuKernelSource.ptxFor(name, wide, target), StandardCharsets.US_ASCII).lines().toList();
						assertEquals("// " + GpuKernelSource.hash(name), lines.get(0),
							"the PTX of " + name + " is not of this source: run mvn -Pptx test-compile exec:java, where nvcc is installed");
						assertTrue(lines.contains(".version 8.0"), "drivers since R525 load PTX 8.0");
						assertTrue(lines.contains(".target sm_" + target), "target");
					}));
		return tests;
	}

	@Test
	void allTargetsHaveTheSameKernels() {
		for (final String name : GpuKernelSource.NAMES) {
			final Set<String> all = entries(name, ExtendedPrecision.DOUBLE, GpuKernelSource.targets(name).get(0));
			for (final ExtendedPrecision wide : GpuKernelSource.variants(name)) {
				final Set<Set<String>> kernels = new HashSet<>();
				for (final int target : GpuKernelSource.targets(name)) kernels.add(entries(name, wide, target));
				assertEquals(1, kernels.size(), name + " in " + wide);
				assertTrue(!kernels.iterator().next().isEmpty(), name + " in " + wide);
				assertTrue(all.containsAll(kernels.iterator().next()), name + ": in pairs there is nothing that is not in double, too");
			}
		}
	}

	private static Set<String> entries(final String name, final ExtendedPrecision wide, final int target) {
		final Set<String> entries = new HashSet<>();
		final Matcher m = ENTRY.matcher(new String(GpuKernelSource.ptxFor(name, wide, target), StandardCharsets.US_ASCII));
		while (m.find()) entries.add(m.group(1));
		return entries;
	}

	@Test
	void aGpuGetsTheNewestThatItTakes() {
		assertTrue(new String(GpuKernelSource.ptx("bytes", ExtendedPrecision.DOUBLE, 75), StandardCharsets.US_ASCII).contains(".target sm_75"));
		assertTrue(new String(GpuKernelSource.ptx("bytes", ExtendedPrecision.DOUBLE, 90), StandardCharsets.US_ASCII).contains(".target sm_80"));
		assertTrue(new String(GpuKernelSource.ptx("any", ExtendedPrecision.DOUBLE, 120), StandardCharsets.US_ASCII).contains(".target sm_75"));
		assertThrows(IllegalStateException.class, () -> GpuKernelSource.ptx("any", ExtendedPrecision.DOUBLE, 70));
	}

	@Test
	void aFileIsKnownWithAllThatItIncludes() {
		assertEquals(List.of("common.cuh", "smallshifts.cuh", "words.cuh"), GpuKernelSource.headers("smallshifts"));
		assertEquals(List.of("common.cuh", "wide.cuh", "fourier.cuh", "packs.cuh", "pixels.cuh", "transform.cuh"), GpuKernelSource.headers("fourier"));
		for (final String name : GpuKernelSource.NAMES)
			for (final String header : GpuKernelSource.headers(name)) assertTrue(GpuKernelSource.whole(name).contains(GpuKernelSource.header(header)), header + " in " + name);
	}

	/** The options with which a file is compiled at run time, beside none. */
	private static List<String[]> specialisations(final String name, final ExtendedPrecision wide) {
		if (name.equals("tiles") && wide == ExtendedPrecision.PAIRS)
			return List.of(back("narrow", false).options(128, false), back("wide", false).options(64, false), back("real", false).options(128, false));
		if (name.equals("onepass")) return OnePassMethod.OWN_HEIGHTS.stream().sorted().map(OnePassMethod::options).toList();
		if (name.equals("bank")) return Stream.of(1, 2, 8, 32).map(BankMethod::options).toList();
		if (name.equals("tiles")) return List.of(TileSpectra.forwardOptions("a", "bytes", 128, false), TileSpectra.forwardOptions("a", "doubles", 64, true),
			back("narrow", false).options(128, false), back("wide", false).options(64, false),
			back("real", true).options(64, true), back(null, false).options(64, true), back(null, true).options(32, true));
		if (name.equals("convolve")) return List.of(ConvolveDirectMethod.options("floats", "float", 5), ConvolveDirectMethod.options("doubles", "float", 32),
			ConvolveDirectMethod.options("floats", "float", 0), ConvolveDirectMethod.options("doubles", "double", 0));
		if (name.equals("passes")) return List.of(FourierPasses.rowOptions(2048, "bytes", false, false), FourierPasses.rowOptions(128, "doubles", true, true),
			FourierPasses.columnOptions(1280, false, false), FourierPasses.columnOptions(64, false, true), FourierPasses.columnOptions(256, true, false),
			FourierPasses.columnOptions(16, true, true));
		if (name.equals("members")) return List.<String[]> of(new String[0]);
		if (name.equals("smallshifts")) return smallShiftsOfTestsAndPaper();
		return List.of();
	}

	private static TileSpectra.Back back(final String windows, final boolean inDouble) {
		return new TileSpectra.Back(windows, inDouble, ExtendedPrecision.DOUBLE);
	}

	/** Each kind of numbers with every main tile, and with rows left over; for rows of lags from the fewest to the most of a thread. */
	private static List<String[]> smallShiftsOfTestsAndPaper() {
		final List<String[]> all = new ArrayList<>();
		for (final TemplateCut.Kind kind : TemplateCut.Kind.values())
			for (final TemplateCut.Shape tile : TemplateCut.MAIN_TILES)
				for (final int lagsY : new int[] { 1, 5, 19 }) {
					final List<TemplateCut.Shape> shapes = List.of(tile, new TemplateCut.Shape(tile.rows(), 3), new TemplateCut.Shape(5, tile.columns()), new TemplateCut.Shape(5, 3));
					all.add(TemplateCut.options(kind, CudaSmallShifts.down(kind, lagsY), shapes));
				}
		return all;
	}

	@Test
	void aFileThatIsMissingSaysSo() {
		assertTrue(assertThrows(IllegalStateException.class, () -> GpuKernelSource.of("nothing")).getMessage().contains("nothing.cu"));
	}

	/** Takes minutes, so only with {@code -Dncc.nvcc=true}. */
	@TestFactory
	List<DynamicTest> everythingCompiles() {
		Assumptions.assumeTrue(Boolean.getBoolean("ncc.nvcc"), "compiled only with -Dncc.nvcc=true");
		Assumptions.assumeTrue(PtxBuild.missing().isEmpty(), "not installed: " + PtxBuild.missing());
		final List<DynamicTest> tests = new ArrayList<>();
		for (final String name : GpuKernelSource.NAMES) {
			for (final ExtendedPrecision wide : GpuKernelSource.variants(name)) {
				for (final int a : ARCHITECTURES)
					tests.add(dynamicTest(name + " in " + wide + " to machine code for " + a, () -> compile(name, a, wide.options())));
				for (final String[] options : specialisations(name, wide)) {
					final List<String> all = new ArrayList<>(List.of(wide.options()));
					all.addAll(List.of(options));
					tests.add(dynamicTest(name + " in " + wide + " with " + String.join(" ", options), () -> compile(name, 90, all.toArray(new String[0]))));
				}
				for (final int target : GpuKernelSource.targets(name))
					tests.add(dynamicTest(name + " in " + wide + ", the PTX for " + target, () -> {
						final Path ptx = Files.write(folder.resolve(name + wide + target + ".ptx"), GpuKernelSource.ptxFor(name, wide, target));
						PtxBuild.check(ptx, target);
					}));
			}
		}
		for (final String name : GpuKernelSource.COMPILED)
			for (final String[] options : specialisations(name, ExtendedPrecision.DOUBLE))
				for (final int a : ARCHITECTURES)
					tests.add(dynamicTest(name + " with " + String.join(" ", options) + " to machine code for " + a, () -> compile(name, a, options)));
		return tests;
	}

	private void compile(final String name, final int architecture, final String[] options) throws IOException, InterruptedException {
		final List<String> command = new ArrayList<>(List.of("nvcc", "-cubin", "-std=c++17", "-Werror", "all-warnings", "-arch=sm_" + architecture, "-o",
			folder.resolve("code").toString()));
		command.addAll(List.of(options));
		command.add("src/main/resources/sc/fiji/ncc/cuda/" + name + ".cu");
		PtxBuild.run(command.toArray(new String[0]));
	}
}
