package sc.fiji.ncc;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toCollection;
import static java.util.stream.Collectors.toMap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;

import org.junit.jupiter.api.Test;

/** Which package may use which. Plain tests: ArchUnit's own engine is skipped when single tests are selected by name. */
class ArchitectureTest {

	private static final String ROOT = "sc.fiji.ncc", VECTORS = "jdk.incubator.vector..";
	/** The largest number of files in a source folder. */
	private static final int MAX_FILES = 32;
	/**
	 * The largest number of parameters, and the largest number of methods and constructors that have more: those of {@code BoxSpectra} and {@code
	 * FourierPasses} pass on the arguments of a launch.
	 */
	private static final int MAX_PARAMETERS = 7, MAX_LONG_LISTS = 10;

	/** Each package with those that it may use. The root package is "api". Every package may use plan and the packages below it; that is not repeated here. */
	private static final Map<String, Set<String>> ARROWS = Stream.of("""
		plan:
		plan.bank:
		plan.deform:
		plan.resample:
		plan.shift:
		plan.support:
		plan.window:
		bounded:
		planner: bounded
		option: planner
		loops:
		numeric: loops
		windows: numeric
		estimate: loops numeric
		image: numeric option
		layout: image option
		peaks:
		statistics: image numeric peaks result
		result: image numeric option planner
		sink: image layout option peaks planner result
		run: image layout option planner result sink
		pose: bounded image layout numeric option peaks planner result run statistics parts
		track: image layout numeric option peaks planner run
		motion: image loops numeric option peaks planner run statistics track
		match: image layout numeric option peaks planner result sink statistics
		parts: image layout match peaks planner result run sink
		register.correct: cpu.frame image numeric option result store
		register: image motion option planner register.correct result run statistics
		stitch: image numeric option planner register register.correct result run store
		api: cpu cuda image layout match motion numeric option parts planner pose register register.correct result run sink statistics stitch track
		ops: api option result track
		cpu: bounded cpu.convolution cpu.deform cpu.frame cpu.ncc cpu.patch loops windows
		cpu.deform: image numeric
		cpu.fft: estimate loops
		cpu.frame: cpu.fft numeric peaks
		cpu.patch: loops numeric
		cpu.tile: loops
		cpu.correlator: estimate loops numeric
		cpu.window: estimate cpu.correlator cpu.fft cpu.tile loops numeric
		cpu.execution: cpu.fft cpu.tile cpu.window
		cpu.fourier: estimate cpu.execution cpu.fft cpu.tile cpu.window loops numeric
		cpu.response: estimate cpu.execution cpu.tile cpu.window loops numeric
		cpu.ncc: estimate cpu.correlator cpu.execution cpu.fft cpu.fourier cpu.response cpu.tile cpu.window loops numeric
		cpu.convolution: cpu.correlator cpu.execution cpu.fft cpu.fourier cpu.ncc cpu.tile loops numeric
		cuda: bounded cuda.deform cuda.driver cuda.frame cuda.method cuda.run cuda.shifts cuda.window windows
		cuda.deform: cuda.driver numeric
		cuda.driver:
		cuda.frame: cuda.driver cuda.run numeric peaks
		cuda.run: cuda.driver peaks
		cuda.method: estimate cuda.driver cuda.run numeric
		cuda.shifts: cuda.driver cuda.method cuda.run numeric
		cuda.window: cuda.driver cuda.run numeric
		store: result
		drawing: front image motion option planner result track
		front: api image motion option pose result
		gain: api loops result
		command.program: front result
		command.live: api command.program match statistics
		command.input: command.program front image
		command: api command.input command.live command.program drawing front gain image match motion option planner pose register register.correct result run statistics stitch store track
		command.imagej: command command.program front store
		ij1: command command.imagej command.program
		cli.input: front image result store
		cli.output: cli.input front result store track
		cli.map: cli.output cli.input drawing front image planner result run store
		cli: api cli.map cli.output cli.input drawing front gain image match motion option parts planner pose register register.correct result run statistics stitch store track
		""".split("\n")).map(line -> line.split(":")).collect(toMap(line -> line[0], line -> line.length == 1 ? Set.of() : Set.of(line[1].trim().split(" "))));

	private static final JavaClasses PRODUCTION = new ClassFileImporter().withImportOption(new ImportOption.DoNotIncludeTests()).importPackages(ROOT);

	private static String packageOf(final JavaClass c) {
		return c.getPackageName().equals(ROOT) ? "api" : c.getPackageName().substring(ROOT.length() + 1);
	}

	private static boolean mayUse(final String from, final String to) {
		return from.equals(to) || to.equals("plan") || to.startsWith("plan.") && !from.equals("plan") || ARROWS.getOrDefault(from, Set.of()).contains(to);
	}

	@Test
	void everyArrowIsInTheTable() {
		final Set<String> wrong = new TreeSet<>();
		for (final JavaClass c : PRODUCTION) {
			final String from = packageOf(c);
			if (!ARROWS.containsKey(from)) wrong.add("package " + from + " is not in the table");
			for (final var d : c.getDirectDependenciesFromSelf()) {
				final JavaClass target = d.getTargetClass().getBaseComponentType();
				if (target.getPackageName().startsWith(ROOT) && !mayUse(from, packageOf(target))) wrong.add(c.getName() + " uses " + target.getName());
			}
		}
		assertEquals(Set.of(), wrong);
	}

	/** An arrow that no class needs would allow what is not intended. */
	@Test
	void everyArrowIsNeeded() {
		final Map<String, List<JavaClass>> packages = Stream.of(PRODUCTION.toArray(JavaClass[]::new)).collect(groupingBy(ArchitectureTest::packageOf));
		final Set<String> unused = new TreeSet<>();
		ARROWS.forEach((from, all) -> {
			final Set<String> used = new HashSet<>();
			for (final JavaClass c : packages.getOrDefault(from, List.of()))
				for (final var d : c.getDirectDependenciesFromSelf())
					if (d.getTargetClass().getPackageName().startsWith(ROOT)) used.add(packageOf(d.getTargetClass()));
			for (final String to : all) if (!used.contains(to)) unused.add(from + " to " + to);
		});
		assertEquals(Set.of(), unused);
	}

	@Test
	void packagesHaveNoCycles() {
		final List<String> done = new ArrayList<>(List.of("plan"));
		final Set<String> left = new TreeSet<>(ARROWS.keySet());
		left.remove("plan");
		while (left.removeIf(p -> done.containsAll(ARROWS.get(p)) && done.add(p))) {}
		assertEquals(Set.of(), left, "these packages use each other in a circle");
	}

	/** Each class of the public API is a slice of its own. */
	@Test
	void classesOfTheApiHaveNoCycles() {
		slices().assignedFrom(new SliceAssignment() {

			@Override
			public SliceIdentifier getIdentifierOf(final JavaClass c) {
				if (!c.getPackageName().equals(ROOT)) return SliceIdentifier.ignore();
				JavaClass top = c;
				while (top.getEnclosingClass().isPresent()) top = top.getEnclosingClass().get();
				return SliceIdentifier.of(top.getName());
			}

			@Override
			public String getDescription() {
				return "classes of the public API";
			}
		}).should().beFreeOfCycles().check(PRODUCTION);
	}

	@Test
	void noBackendUsesTheOther() {
		ARROWS.forEach((from, all) -> {
			if (from.startsWith("cpu")) assertTrue(all.stream().noneMatch(p -> p.startsWith("cuda")), from);
			if (from.startsWith("cuda")) assertTrue(all.stream().noneMatch(p -> p.startsWith("cpu")), from);
		});
	}

	@Test
	void planningUsesTheJdkOnly() {
		noClasses().that().resideInAnyPackage(ROOT + ".plan", ROOT + ".planner", ROOT + ".loops", ROOT + ".numeric", ROOT + ".peaks").should().dependOnClassesThat()
			.resideOutsideOfPackages("java..", ROOT + "..", VECTORS).check(PRODUCTION);
	}

	/** Most JVMs start without the module: a class whose name does not begin with Vector must load without it. */
	@Test
	void vectorsStayInTheirOwnClasses() {
		noClasses().that().resideOutsideOfPackages(ROOT + ".cpu..", ROOT + ".loops").or().haveSimpleNameNotStartingWith("Vector").should().dependOnClassesThat()
			.resideInAPackage(VECTORS).check(PRODUCTION);
	}

	@Test
	void onlyCudaUsesTheDriver() {
		noClasses().that().resideOutsideOfPackage(ROOT + ".cuda..").should().dependOnClassesThat().resideInAnyPackage("jcuda..", "com.sun.jna..").check(PRODUCTION);
	}

	@Test
	void imagejCommonIsReachedByReflectionOnly() {
		noClasses().should().dependOnClassesThat().resideInAPackage("net.imagej..").check(PRODUCTION);
	}

	@Test
	void onlyFrontEndsUseImageJAndSciJavaAndDraw() {
		final String[] frontEnds = { ROOT + ".command..", ROOT + ".ij1", ROOT + ".cli.." };
		noClasses().that().resideOutsideOfPackages(frontEnds).should().dependOnClassesThat().resideInAnyPackage("ij..", "org.scijava..", "picocli..").check(PRODUCTION);
		noClasses().that().resideOutsideOfPackages(frontEnds).and().resideOutsideOfPackage(ROOT + ".drawing").should().dependOnClassesThat()
			.resideInAnyPackage("java.awt..", "javax.swing..").check(PRODUCTION);
	}

	@Test
	void onlyStoresUseTheLibrariesOfZarr() {
		noClasses().that().resideOutsideOfPackage(ROOT + ".store").should().dependOnClassesThat().resideInAnyPackage("com.google.gson..", "io.airlift..").check(PRODUCTION);
	}

	private static final ArchRule NAMES = noClasses().should().haveNameMatching(".*(Manager|Helper|Utils?|Impl)(\\$.*)?");

	@Test
	void namesSayWhatAClassIs() {
		NAMES.check(PRODUCTION);
	}

	@Test
	void noClassNameExistsTwice() {
		final Set<String> seen = new HashSet<>(), twice = new TreeSet<>();
		for (final JavaClass c : PRODUCTION)
			if (c.isTopLevelClass() && !c.getSimpleName().equals("package-info") && !seen.add(c.getSimpleName())) twice.add(c.getSimpleName());
		assertEquals(Set.of(), twice);
	}

	@Test
	void everyFolderIsSmallAndEveryPackageIsDescribed() throws IOException {
		final Set<String> large = new TreeSet<>(), undescribed = new TreeSet<>();
		try (Stream<Path> folders = Files.walk(Path.of("src")).filter(Files::isDirectory)) {
			for (final Path folder : folders.collect(toCollection(TreeSet::new))) {
				final List<String> files;
				try (Stream<Path> inside = Files.list(folder)) {
					files = inside.map(Path::toString).filter(f -> f.matches(".*\\.(java|cuh?)")).toList();
				}
				if (files.size() > MAX_FILES) large.add(folder + ": " + files.size() + " files");
				if (files.stream().anyMatch(f -> f.endsWith(".java")) && folder.startsWith("src/main") && !Files.exists(folder.resolve("package-info.java"))) undescribed.add(folder.toString());
			}
		}
		assertEquals(Set.of(), large);
		assertEquals(Set.of(), undescribed);
	}

	/** What always travels together is a record. Lambdas and the constructors of records, whose parameters are components, do not count. */
	@Test
	void parameterListsAreShort() {
		final Set<String> longLists = longLists(PRODUCTION);
		assertTrue(longLists.size() <= MAX_LONG_LISTS, longLists.toString());
		assertEquals(Set.of("LongList.of", "LongList.<init>"), longLists(new ClassFileImporter().importClasses(LongList.class, ShortList.class)));
	}

	private static Set<String> longLists(final JavaClasses classes) {
		final Set<String> found = new TreeSet<>();
		for (final JavaClass c : classes)
			for (final JavaCodeUnit m : c.getCodeUnits())
				if (m.getRawParameterTypes().size() > MAX_PARAMETERS && !m.getName().startsWith("lambda$")
					&& !(m.isConstructor() && (c.isRecord() || c.isEnum() || c.isAnonymousClass()))) found.add(c.getSimpleName() + "." + m.getName());
		return found;
	}

	/** A rule that inspects nothing, or cannot fail, proves nothing. */
	@Test
	void rulesCanFail() {
		assertTrue(PRODUCTION.contain(ROOT + ".plan.Problem"), "the classes were not found");
		assertTrue(!mayUse("plan", "planner") && !mayUse("cpu.ncc", "cuda.run") && mayUse("api", "cuda"));
		assertThrows(AssertionError.class, () -> noClasses().that().resideInAPackage(ROOT).should().dependOnClassesThat()
			.resideOutsideOfPackages("java..", ROOT + "..").check(PRODUCTION));
		assertThrows(AssertionError.class, () -> NAMES.check(new ClassFileImporter().importClasses(MisnamedHelper.class)));
	}

	private static final class MisnamedHelper {}

	private static final class LongList {

		LongList(final int a, final int b, final int c, final int d, final int e, final int f, final int g, final int h) {
			of(a, b, c, d, e, f, g, h);
		}

		static void of(final int a, final int b, final int c, final int d, final int e, final int f, final int g, final int h) {}
	}

	private record ShortList(int a, int b, int c, int d, int e, int f, int g, int h) {}
}
