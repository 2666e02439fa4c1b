package sc.fiji.ncc.contract;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import sc.fiji.ncc.Backends;
import sc.fiji.ncc.contract.EstimateSearch.Finding;
import sc.fiji.ncc.fixture.WrongResponses;
import sc.fiji.ncc.plan.Backend;

/** A short search of {@link EstimateSearch}, the same at every run. */
class EstimateSearchTest {

	private static final int SEEDS = 120, FIRST_SEEDS = 15, MAX_SIDE = 50, STEPS = 160;
	private static final double PRODUCTS = 1e5;

	@Test
	void noEstimateMissesAnError() {
		noEstimateMissesAnError(1, FIRST_SEEDS);
	}

	@Test
	@Tag("large")
	void noEstimateMissesAnErrorOfMoreCases() {
		noEstimateMissesAnError(FIRST_SEEDS + 1, SEEDS);
	}

	private static void noEstimateMissesAnError(final int first, final int last) {
		// all threads would share one GPU
		final boolean gpu = Backends.all(1).stream().anyMatch(b -> !b.id().equals("cpu") && b.unavailable().isEmpty());
		final LongStream numbers = LongStream.rangeClosed(first, last);
		assertNoViolation((gpu ? numbers : numbers.parallel()).boxed()
			.flatMap(seed -> EstimateSearch.check(AdversarialCases.of(seed, MAX_SIDE), Backends.all(1), PRODUCTS, seed).stream()).toList());
	}

	@Test
	void noEstimateMissesAnErrorOfChangedCases() {
		final EstimateSearch.Climb climb = new EstimateSearch.Climb(Backends.all(1), MAX_SIDE, PRODUCTS, 0.3, "");
		assertNoViolation(LongStream.rangeClosed(10_001, 10_000 + STEPS).boxed().flatMap(seed -> climb.step(seed).stream()).toList());
	}

	private static void assertNoViolation(final List<Finding> all) {
		final List<Finding> violations = new ArrayList<>();
		final Set<String> algorithms = new HashSet<>();
		double worst = 0, worstInDouble = 0;
		for (final Finding f : all) {
			algorithms.add(f.algorithm());
			if (f.violates()) violations.add(f);
			if (f.inDouble()) worstInDouble = Math.max(worstInDouble, f.error());
			else worst = Math.max(worst, f.error());
		}
		assertEquals(List.of(), violations);
		assertTrue(algorithms.containsAll(Set.of("cpu-direct", "cpu-fourier", "cpu-direct in double", "cpu-fourier in double")), algorithms::toString);
		assertTrue(worst > 1e-6, "the cases are too easy: the largest error in single precision is " + worst);
		assertTrue(worstInDouble > 1e-12, "the cases are too easy: the largest error in double precision is " + worstInDouble);
	}

	/** A column far stronger than the others, and a checkerboard of one column: the errors of the transform of this column are alike all over the lags. */
	@Test
	void aStrongColumnWithACheckerboard() {
		final ContractCase c = AdversarialCases.of(Genes.parse("801000443:a.axis=0.789167,a.field=0.367766,a.foot0=0.472541,a.height=0.364574,b.border=0.158027,b.height=0.572313,"
			+ "b.normal0=0.108541,b.normal1=0.935555,edge.axis=0.059537,edge.border=0.030103,inside=0.440387,noise=0.429819,"
			+ "overlap=0.253123,reach=0.191390,room1=0.862916,scaling=0.472304,shape=0.579749,step=0.593852,unweighted=0.055561,"
			+ "weight=0.088153"), 100);
		assertEquals(List.of(), EstimateSearch.check(c, Backends.all(1), Double.POSITIVE_INFINITY, 1).stream().filter(Finding::violates).toList());
	}

	/** A strong row, and a strong pixel: the errors of the lines of a pass are alike, or lie at the alias of the pixel. */
	@ParameterizedTest
	@ValueSource(strings = {
		// the first row has noise, the others are flat
		"912000201:a.field=0.587073,across=0.045232,b.border=0.960476,composition=0.683400,edge.border=0.436766,end=0.953314,"
			+ "exponent=0.913344,gradient.axis=0.488251,origin=0.429354,room1=0.874271,shape=0.525961,step=0.833514,type=0.035700,"
			+ "weight=0.074633,width=0.999999",
		"960000635:a.exponent=0.442296,a.height=0.418828,across=0.086556,step=0.398659,type=0.990092,width=0.853739",
		// one pixel is far stronger than the others, in the image as in the template
		"959000177:a.centre21=0.000000,a.count=0.823774,a.field=0.496703,a.height1=0.813700,a.height2=0.999999,a.scale0=0.584209,"
			+ "a.scale1=0.544560,across=0.396456,b.ground=0.503240,b.height=0.440398,b.raised=0.889893,b.share=0.799667,"
			+ "edge.border=0.300192,edge.normal0=0.336370,edge.normal1=0.393658,end=0.753297,exponent=0.692612,noise=0.999999,"
			+ "origin=0.697324,pixel=0.765800,room1=0.932114,shape=0.576453,type=0.153367,unweighted=0.016057,weight=0.902840",
		"903000917:a.count=0.562898,a.height=0.437439,a.noise=0.394519,amplitude=0.431370,b.field=0.584521,b.reach=0.490826,"
			+ "corner0=0.040799,corner1=0.382592,edge.axis=0.447826,edge.border=0.929961,edge.foot0=0.808350,edge.foot1=0.708140,"
			+ "height=0.644042,inside=0.358008,noise=0.374429,origin=0.707948,shape=0.319217,step=0.507761,type=0.128395,"
			+ "unweighted=0.309500,weight=0.171448,whole=0.634466,width=0.868657" })
	void strongRowsAndPixels(final String genes) {
		final ContractCase c = AdversarialCases.of(Genes.parse(genes), 100);
		assertEquals(List.of(), EstimateSearch.check(c, Backends.all(1), 3e6, 1).stream().filter(Finding::violates).toList());
	}

	/** A template of nearly two runs of exact sums, with pixels and coefficients at the end of their range. Found with the Vector API. */
	@Test
	void exactSumsInTwoRuns() {
		final ContractCase c = AdversarialCases.of(Genes.parse("2470001982"), 100);
		assertEquals(List.of(), EstimateSearch.check(c, Backends.all(1), 3e6, 1).stream().filter(Finding::violates).toList());
	}

	/** Few lags are compared. They include those at which the algorithms differ most. */
	@Test
	void wrongResponsesAreFound() {
		final List<Backend> both = new ArrayList<>(Backends.all(1));
		both.add(WrongResponses.backend());
		final ContractCase c = Stream.iterate(1L, s -> s + 1).map(s -> AdversarialCases.of(s, 20))
			.filter(k -> k.count().length == 2 && k.count()[0] > 60 && k.count()[1] > 60).findFirst().orElseThrow();
		for (final Finding f : EstimateSearch.check(c, both, 1e4, 1)) assertEquals(f.algorithm().equals("wrong"), f.violates(), f::toString);
	}

	/** The text of a changed case gives the same case again. */
	@Test
	void aTextReproducesACase() {
		Genes genes = Genes.of(5);
		for (int step = 0; step < 20; step++) {
			AdversarialCases.of(genes, 50);
			genes = genes.changed(new Random(step));
		}
		final ContractCase a = AdversarialCases.of(genes, 50), b = AdversarialCases.of(Genes.parse(genes.toString()), 50);
		assertTrue(genes.toString().contains("="), genes::toString);
		assertEquals(a.name(), b.name());
		assertArrayEquals(a.image(), b.image());
		assertArrayEquals(a.template(), b.template());
		assertArrayEquals(a.weights(), b.weights());
	}

	@Test
	void aSeedAlwaysGivesTheSameCase() {
		final ContractCase a = AdversarialCases.of(7, 50), b = AdversarialCases.of(7, 50), other = AdversarialCases.of(8, 50);
		assertEquals(a.name(), b.name());
		assertArrayEquals(a.image(), b.image());
		assertArrayEquals(a.template(), b.template());
		assertArrayEquals(a.weights(), b.weights());
		assertFalse(a.name().equals(other.name()));
	}
}
