package sc.fiji.ncc;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;

import org.junit.jupiter.api.Test;

/** Who may know whom. Run as plain tests: ArchUnit's own engine is passed over when single tests are asked for by name. */
class ArchitectureTest {

	private static final String ROOT = "sc.fiji.ncc", VECTORS = "jdk.incubator.vector..", PLAN = "sc.fiji.ncc.plan..", CPU = "sc.fiji.ncc.cpu..", CUDA = "sc.fiji.ncc.cuda..",
			PEAKS = "sc.fiji.ncc.peaks..", TRACK = "sc.fiji.ncc.track..", COMMAND = "sc.fiji.ncc.command..", IJ1 = "sc.fiji.ncc.ij1..",
			CLI = "sc.fiji.ncc.cli..", STORE = "sc.fiji.ncc.store..", DRAWING = "sc.fiji.ncc.drawing..";

	private static final JavaClasses PRODUCTION = new ClassFileImporter().withImportOption(new ImportOption.DoNotIncludeTests()).importPackages(
		ROOT);

	@Test
	void planKnowsTheJdkOnly() {
		classes().that().resideInAPackage(PLAN).should().onlyDependOnClassesThat()
			.resideInAnyPackage("java..", PLAN).check(PRODUCTION);
	}

	@Test
	void peaksKnowPlanOnly() {
		classes().that().resideInAPackage(PEAKS).should().onlyDependOnClassesThat().resideInAnyPackage(
			"java..", PLAN, PEAKS).allowEmptyShould(true).check(PRODUCTION);
	}

	@Test
	void theProcessorKnowsThePlanOnly() {
		classes().that().resideInAPackage(CPU).should().onlyDependOnClassesThat().resideInAnyPackage("java..", PLAN, CPU, VECTORS).check(
			PRODUCTION);
	}

	/** Few JVMs have the module: what is not named after it must load without. */
	@Test
	void vectorsStayInTheirOwnClasses() {
		noClasses().that().resideOutsideOfPackage(CPU).or().haveSimpleNameNotStartingWith("Vector").should().dependOnClassesThat()
			.resideInAPackage(VECTORS).check(PRODUCTION);
	}

	@Test
	void onlyCudaReachesTheDriver() {
		noClasses().that().resideOutsideOfPackage(CUDA).should().dependOnClassesThat()
			.resideInAnyPackage("jcuda..", "com.sun.jna..").check(PRODUCTION);
	}

	@Test
	void imagejCommonIsReachedByReflectionOnly() {
		noClasses().should().dependOnClassesThat().resideInAPackage("net.imagej..").check(PRODUCTION);
	}

	@Test
	void imageJ1StaysAtTheEdges() {
		noClasses().that().resideOutsideOfPackages(COMMAND, IJ1, CLI).should().dependOnClassesThat()
			.resideInAnyPackage("ij..").check(PRODUCTION);
	}

	@Test
	void sciJavaStaysInTheFrontEnds() {
		noClasses().that().resideOutsideOfPackages(COMMAND, IJ1, CLI).should().dependOnClassesThat()
			.resideInAnyPackage("org.scijava..", "picocli..").check(PRODUCTION);
	}

	@Test
	void onlyFrontEndsDraw() {
		noClasses().that().resideOutsideOfPackages(COMMAND, IJ1, CLI, DRAWING).should().dependOnClassesThat()
			.resideInAnyPackage("java.awt..", "javax.swing..").check(PRODUCTION);
	}

	@Test
	void nobodyBelowKnowsAFrontEnd() {
		noClasses().that().resideInAnyPackage(ROOT, PLAN, CPU, CUDA, PEAKS, TRACK, STORE, DRAWING).should()
			.dependOnClassesThat().resideInAnyPackage(COMMAND, IJ1, CLI).check(PRODUCTION);
	}

	@Test
	void theRootIsTheOnlyDoorToTheProcessor() {
		noClasses().that().resideInAnyPackage(COMMAND, IJ1, CLI, PEAKS, TRACK, STORE, DRAWING).should()
			.dependOnClassesThat().resideInAnyPackage(CPU, CUDA).check(PRODUCTION);
	}

	/** The op writes to what it is given; who does not want Zarr needs none of its libraries. */
	@Test
	void onlyStoresKnowFilesOfZarr() {
		noClasses().that().resideOutsideOfPackage(STORE).should().dependOnClassesThat()
			.resideInAnyPackage("com.google.gson..", "io.airlift..").check(PRODUCTION);
		noClasses().that().resideInAnyPackage(ROOT, PLAN, CPU, CUDA, PEAKS, TRACK).should().dependOnClassesThat().resideInAPackage(STORE).check(PRODUCTION);
	}

	@Test
	void noCycles() {
		slices().matching("sc.fiji.ncc.(*)..").should().beFreeOfCycles().check(PRODUCTION);
	}

	private static final ArchRule NAMES = noClasses().should().haveNameMatching(".*(Manager|Helper|Utils?|Impl)(\\$.*)?");

	@Test
	void namesSayWhatAClassIs() {
		NAMES.check(PRODUCTION);
	}

	/** A rule that looks at nothing, or that cannot fail, would be worth nothing. */
	@Test
	void rulesCanFail() {
		assertTrue(PRODUCTION.contain("sc.fiji.ncc.plan.Problem"), "the classes were not found");
		final DescribedPredicate<JavaClass> elsewhere = not(resideInAnyPackage("java..", PLAN));
		assertTrue(PRODUCTION.stream().anyMatch(c -> c.getPackageName().equals(ROOT) && c.getDirectDependenciesFromSelf().stream().anyMatch(
			d -> elsewhere.test(d.getTargetClass()))), "the root depends on ImgLib2");
		assertThrows(AssertionError.class, () -> classes().that().resideInAPackage(ROOT).should().onlyDependOnClassesThat().resideInAnyPackage(
			"java..", PLAN).check(PRODUCTION));
		final JavaClasses misnamed = new ClassFileImporter().importClasses(MisnamedHelper.class);
		assertThrows(AssertionError.class, () -> NAMES.check(misnamed));
	}

	private static final class MisnamedHelper {}
}
