package sc.fiji.ncc.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicContainer.dynamicContainer;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.IntStream;

import org.junit.jupiter.api.DynamicNode;
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
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Sliding;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Sliding.Convolution;
import sc.fiji.ncc.plan.Sliding.Correlation;

/** The contract of every CPU algorithm, with every case. For the GPU see {@link CudaContractTest}. */
class AlgorithmContractTest {

	/** Every nth check of an algorithm runs. Default: 1, all checks. A run on another JDK can take a sample. */
	private static final int EVERY = Integer.getInteger("ncc.contract.every", 1);

	/** Memory for blocks of 256 points. */
	private static final long LITTLE = 256 << 9;

	/** The checks run in parallel, each in one thread. */
	@TestFactory
	@Execution(ExecutionMode.CONCURRENT)
	List<DynamicNode> contract() {
		return contract(a -> true, AlgorithmContractTest::cases, AlgorithmContractTest::banks);
	}

	/** The algorithms of correlation, with joint responses of several channels. */
	@TestFactory
	@Execution(ExecutionMode.CONCURRENT)
	List<DynamicNode> contractOfSeveralChannels() {
		// JointCorrelationTest checks that cpu-fourier-whole refuses several channels
		return contract(a -> a.kind() == Correlation.class && !a.id().equals("cpu-fourier-whole"), (a, device) -> JointCases.all(), a -> JointCases.banks());
	}

	private static List<DynamicNode> contract(final Predicate<SlidingAlgorithm<?>> which, final BiFunction<SlidingAlgorithm<?>, Device, List<ContractCase>> cases,
		final Function<SlidingAlgorithm<?>, List<List<ContractCase>>> banks)
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
					nodes.add(contract(algorithm, device, other, otherThreads, precision, cases, banks));
					if (algorithm.id().contains("fourier")) nodes.add(contract(algorithm, withLittleMemory(device), other, withLittleMemory(otherThreads), precision, cases, banks));
				}
		return nodes;
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

	private static DynamicNode contract(final SlidingAlgorithm<?> algorithm, final Device device, final SlidingAlgorithm<?> otherAlgorithm,
		final Device otherThreads, final Precision precision, final BiFunction<SlidingAlgorithm<?>, Device, List<ContractCase>> cases,
		final Function<SlidingAlgorithm<?>, List<List<ContractCase>>> banks)
	{
		final List<AlgorithmContract.Check> checks =
			new AlgorithmContract(algorithm, device, otherAlgorithm, otherThreads, precision).checks(cases.apply(algorithm, device), banks.apply(algorithm));
		return dynamicContainer(algorithm.id() + " on " + device.name() + " in " + precision + " precision",
			IntStream.range(0, checks.size()).filter(i -> i % EVERY == 0).mapToObj(i -> dynamicTest(checks.get(i).name(), checks.get(i).body())));
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
		final List<ContractCase> all = ContractCases.all();
		long defined = 0, undefined = 0;
		for (int i = 0; i < all.size(); i += EVERY)
			for (final double r : AlgorithmContract.reference(all.get(i))) {
				assertFalse(Math.abs(r) > 1, all.get(i).name());
				if (Double.isNaN(r)) undefined++;
				else defined++;
			}
		assertTrue(undefined > 10_000 / EVERY, undefined + " undefined");
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
