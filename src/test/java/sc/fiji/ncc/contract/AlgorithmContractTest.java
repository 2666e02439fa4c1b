package sc.fiji.ncc.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicContainer.dynamicContainer;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import sc.fiji.ncc.Backends;
import sc.fiji.ncc.cpu.fourier.FourierShape;
import sc.fiji.ncc.fixture.Problems;
import sc.fiji.ncc.plan.SlidingAlgorithm;
import sc.fiji.ncc.plan.Backend;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Sliding;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Sliding.Convolution;
import sc.fiji.ncc.plan.Sliding.Correlation;

/**
 * The contract of every CPU algorithm. For the GPU see {@link CudaContractTest}. The tests without a tag have a sample of the cases, and those with the tag
 * large have all others. So both together have every case once.
 */
class AlgorithmContractTest {

	/** The sample has one of so many cases and banks. It also has the first case with each property that these lack. */
	private static final int EVERY = 15;

	/** Memory for blocks of 256 points. */
	private static final long LITTLE = 256 << 9;

	/** Divides the cases, and the banks, of an algorithm. */
	private enum Part {
		SAMPLE, REST;

		List<ContractCase> of(final List<ContractCase> cases) {
			final Set<String> met = new HashSet<>();
			final Set<ContractCase> sample = cases.stream().filter(c -> CaseRandom.choice(c, "contract",
				EVERY) == 0).collect(Collectors.toCollection(LinkedHashSet::new));
			sample.forEach(c -> met.addAll(c.properties()));
			for (final ContractCase c : cases)
				if (met.addAll(c.properties())) sample.add(c);
			return cases.stream().filter(c -> sample.contains(c) == (this == SAMPLE)).toList();
		}

		List<List<ContractCase>> ofBanks(final List<List<ContractCase>> banks) {
			return IntStream.range(0, banks.size()).filter(i -> i % EVERY == 0 == (this == SAMPLE)).mapToObj(banks::get).toList();
		}
	}

	/** The checks run in parallel, each in one thread. */
	@TestFactory
	@Execution(ExecutionMode.CONCURRENT)
	List<DynamicNode> contract() {
		return contract(Part.SAMPLE);
	}

	@TestFactory
	@Execution(ExecutionMode.CONCURRENT)
	@Tag("large")
	List<DynamicNode> restOfTheContract() {
		return contract(Part.REST);
	}

	/** The algorithms of correlation, with joint responses of several channels. */
	@TestFactory
	@Execution(ExecutionMode.CONCURRENT)
	List<DynamicNode> contractOfSeveralChannels() {
		return contractOfSeveralChannels(Part.SAMPLE);
	}

	@TestFactory
	@Execution(ExecutionMode.CONCURRENT)
	@Tag("large")
	List<DynamicNode> restOfTheContractOfSeveralChannels() {
		return contractOfSeveralChannels(Part.REST);
	}

	private static List<DynamicNode> contract(final Part part) {
		return contract(part, a -> true, AlgorithmContractTest::cases, AlgorithmContractTest::banks);
	}

	private static List<DynamicNode> contractOfSeveralChannels(final Part part) {
		// JointCorrelationTest checks that cpu-fourier-whole refuses several channels
		return contract(part, a -> a.kind() == Correlation.class && !a.id().equals("cpu-fourier-whole"), (a, device) -> JointCases.all(), a -> JointCases.banks());
	}

	private static List<DynamicNode> contract(final Part part, final Predicate<SlidingAlgorithm<?>> which,
		final BiFunction<SlidingAlgorithm<?>, Device, List<ContractCase>> cases, final Function<SlidingAlgorithm<?>, List<List<ContractCase>>> banks)
	{
		final Backend twoThreads = cpu(2), oneThread = cpu(1);
		assertFalse(twoThreads.devices().isEmpty(), "the CPU backend has no device");
		final List<DynamicNode> nodes = new ArrayList<>();
		for (int d = 0; d < twoThreads.devices().size(); d++)
			for (int a = 0; a < Problems.sliding(twoThreads).size(); a++)
				for (final Precision precision : Problems.sliding(twoThreads).get(a).precisions())
				{
					if (!which.test(Problems.sliding(twoThreads).get(a))) continue;
					final SlidingAlgorithm<?> algorithm = Problems.sliding(twoThreads).get(a), other = Problems.sliding(oneThread).get(a);
					final Device device = twoThreads.devices().get(d), otherThreads = oneThread.devices().get(d);
					nodes.add(contract(part, new AlgorithmContract(algorithm, device, other, otherThreads, precision), cases.apply(algorithm, device),
						banks.apply(algorithm)));
					if (!algorithm.id().contains("fourier")) continue;
					final Device little = withLittleMemory(device);
					nodes.add(contract(part, new AlgorithmContract(algorithm, little, other, withLittleMemory(otherThreads), precision), cases.apply(algorithm, little),
						banks.apply(algorithm)));
				}
		return nodes;
	}

	private static DynamicNode contract(final Part part, final AlgorithmContract contract, final List<ContractCase> cases, final List<List<ContractCase>> banks) {
		final List<ContractCase> some = part.of(cases.stream().filter(c -> contract.supports(AlgorithmContract.problem(c, contract.precision))).toList());
		final List<AlgorithmContract.Check> checks = new ArrayList<>(contract.answers(some, part.ofBanks(banks), part == Part.SAMPLE));
		if (part == Part.SAMPLE) checks.add(contract.support(cases));
		// four checks a case: a third of them has each check, with other cases
		final List<AlgorithmContract.Check> execution = contract.execution(cases);
		for (int i = 0; i < execution.size(); i++)
			if (i % 3 == 0 == (part == Part.SAMPLE)) checks.add(execution.get(i));
		return dynamicContainer(contract.algorithm.id() + " on " + contract.device.name() + " in " + contract.precision + " precision",
			checks.stream().map(check -> dynamicTest(check.name(), check.body())));
	}

	/** Each property of a case that an algorithm supports is in its sample, also those that one of a thousand cases has. */
	@Test
	void theSampleHasEveryPropertyAndBothPartsAreAllCases() {
		for (final List<ContractCase> all : List.of(ContractCases.all(), ConvolutionCases.all(), JointCases.all())) {
			final List<ContractCase> sample = Part.SAMPLE.of(all), rest = Part.REST.of(all);
			assertTrue(sample.size() < all.size() / 2, sample.size() + " of " + all.size());
			assertEquals(all.size(), sample.size() + rest.size());
			final Set<ContractCase> both = new HashSet<>(sample);
			both.addAll(rest);
			assertEquals(new HashSet<>(all), both);
			final Set<String> of = new TreeSet<>(), in = new TreeSet<>();
			all.forEach(c -> of.addAll(c.properties()));
			sample.forEach(c -> in.addAll(c.properties()));
			assertEquals(of, in);
		}
		final String properties = ContractCases.all().stream().flatMap(c -> c.properties().stream()).distinct().toList().toString();
		for (final ImageContent content : ImageContent.values())
			assertTrue(properties.contains(content.name().toLowerCase(Locale.ROOT).replace('_', ' ')), content + " is not in " + properties);
		assertEquals(PixelType.values().length, Stream.of(PixelType.values()).filter(t -> properties.contains(" "
			+ t.name().toLowerCase(Locale.ROOT))).count(), properties);
	}

	/** The same device with memory for so small blocks that Fourier methods cut many templates into parts. */
	private static Device withLittleMemory(final Device d) {
		return new Device(d.id(), d.name() + " with little memory", d.parallelism(), LITTLE);
	}

	private static boolean cut(final ContractCase c, final Device device) {
		final Sliding p = AlgorithmContract.problem(c, Precision.SINGLE);
		if (p.size().dimensions() > 3) return false;
		final Size t = p.templates().get(0);
		final int[] part = FourierShape.of(t, p.lags().count(), device).part();
		return IntStream.range(0, 3).anyMatch(d -> part[d] < t.get(d));
	}

	@Test
	void littleMemoryCutsTemplatesIntoParts() {
		final Device device = withLittleMemory(cpu(2).devices().get(0));
		for (final List<ContractCase> cases : List.of(ContractCases.all(), ConvolutionCases.all()))
			for (int dimensions = 1; dimensions <= 3; dimensions++) {
				int cut = 0;
				for (final ContractCase c : cases)
					if (c.imageSize().length == dimensions && cut(c, device)) cut++;
				assertTrue(cut >= 20, "templates of " + dimensions + " dimensions that are cut: " + cut);
			}
	}

	private static Backend cpu(final int threads) {
		return Backends.all(threads).stream().filter(b -> b.id().equals("cpu")).findFirst().orElseThrow();
	}

	private static List<ContractCase> cases(final SlidingAlgorithm<?> algorithm) {
		return algorithm.kind() == Convolution.class ? ConvolutionCases.all() : ContractCases.all();
	}

	/** With little memory: those whose templates are cut into parts. */
	private static List<ContractCase> cases(final SlidingAlgorithm<?> algorithm, final Device device) {
		final List<ContractCase> all = cases(algorithm);
		return device.memory() != LITTLE ? all : all.stream().filter(c -> cut(c, device)).toList();
	}

	private static List<List<ContractCase>> banks(final SlidingAlgorithm<?> algorithm) {
		return algorithm.kind() == Convolution.class ? ConvolutionCases.banks() : ContractCases.banks();
	}

	@Test
	void everyCaseHasAnAlgorithmOnTheCpu() {
		final List<SlidingAlgorithm<?>> algorithms = Problems.sliding(cpu(2));
		for (final ContractCase c : ContractCases.all())
			for (final Precision precision : Precision.values())
				assertTrue(algorithms.stream().anyMatch(a -> Problems.unsupported(a, AlgorithmContract.problem(c, precision)).isEmpty()), c.name());
		for (final ContractCase c : ConvolutionCases.all())
			for (final Precision precision : Precision.values())
				assertTrue(algorithms.stream().anyMatch(a -> Problems.unsupported(a, AlgorithmContract.problem(c, precision)).isEmpty()), c.name());
	}

	/** Else the contract would say little. It is here because all references are needed here. */
	@Test
	@Execution(ExecutionMode.CONCURRENT)
	void mostResponsesAreDefined() {
		final List<ContractCase> all = ContractCases.all(), sample = Part.SAMPLE.of(all);
		long defined = 0, undefined = 0;
		for (final ContractCase c : sample)
			for (final double r : AlgorithmContract.reference(c)) {
				assertFalse(Math.abs(r) > 1, c.name());
				if (Double.isNaN(r)) undefined++;
				else defined++;
			}
		assertTrue(undefined > 10_000 * sample.size() / all.size(), undefined + " undefined");
		assertTrue(defined > 2 * undefined, defined + " defined, " + undefined + " undefined");
	}

	/** Each algorithm supports a case in a precision only if it lists that precision. */
	@Test
	void supportedPrecisionsAreThoseListed() {
		for (final Backend backend : Backends.all(2)) {
			if (backend.unavailable().isPresent()) continue;
			for (final SlidingAlgorithm<?> a : Problems.sliding(backend))
				for (final Precision precision : Precision.values()) {
					final boolean supports = cases(a).stream().anyMatch(c -> Problems.unsupported(a, AlgorithmContract.problem(c, precision)).isEmpty());
					assertEquals(a.precisions().contains(precision), supports, a.id() + " in " + precision + " precision");
				}
		}
	}

	@Test
	void idsAreUniqueAndBeginWithTheBackend() {
		final Set<String> ids = new HashSet<>();
		int n = 0;
		for (final Backend backend : Backends.all(2))
			for (final SlidingAlgorithm<?> algorithm : Problems.sliding(backend)) {
				assertTrue(algorithm.id().startsWith(backend.id() + "-"), algorithm.id());
				ids.add(algorithm.id());
				n++;
			}
		assertEquals(n, ids.size(), "ids " + ids);
	}
}
