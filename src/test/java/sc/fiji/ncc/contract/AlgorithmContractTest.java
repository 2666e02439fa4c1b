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
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.IntStream;

import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import sc.fiji.ncc.Backends;
import sc.fiji.ncc.plan.Algorithm;
import sc.fiji.ncc.plan.Backend;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.Operation;
import sc.fiji.ncc.plan.Precision;

/** The contract of every CPU algorithm, with every case. For the GPU see {@link CudaContractTest}. */
class AlgorithmContractTest {

	/** Every nth check of an algorithm runs. Default: 1, all checks. A run on another JDK can take a sample. */
	private static final int EVERY = Integer.getInteger("ncc.contract.every", 1);

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
		return contract(a -> a.operation() == Operation.NCC, a -> JointCases.all(), a -> JointCases.banks());
	}

	private static List<DynamicNode> contract(final Predicate<Algorithm> which, final Function<Algorithm, List<ContractCase>> cases,
		final Function<Algorithm, List<List<ContractCase>>> banks)
	{
		final Backend twoThreads = cpu(2), oneThread = cpu(1);
		assertFalse(twoThreads.devices().isEmpty(), "the CPU backend has no device");
		final List<DynamicNode> nodes = new ArrayList<>();
		for (int d = 0; d < twoThreads.devices().size(); d++)
			for (int a = 0; a < twoThreads.algorithms().size(); a++)
				for (final Precision precision : twoThreads.algorithms().get(a).precisions())
					if (which.test(twoThreads.algorithms().get(a))) nodes.add(contract(twoThreads.algorithms().get(a), twoThreads.devices().get(d),
						oneThread.algorithms().get(a), oneThread.devices().get(d), precision, cases, banks));
		return nodes;
	}

	private static Backend cpu(final int threads) {
		return Backends.all(threads).stream().filter(b -> b.id().equals("cpu")).findFirst().orElseThrow();
	}

	private static DynamicNode contract(final Algorithm algorithm, final Device device, final Algorithm otherAlgorithm, final Device otherThreads,
		final Precision precision, final Function<Algorithm, List<ContractCase>> cases, final Function<Algorithm, List<List<ContractCase>>> banks)
	{
		final List<AlgorithmContract.Check> checks =
			new AlgorithmContract(algorithm, device, otherAlgorithm, otherThreads, precision).checks(cases.apply(algorithm), banks.apply(algorithm));
		return dynamicContainer(algorithm.id() + " on " + device.id() + " in " + precision + " precision",
			IntStream.range(0, checks.size()).filter(i -> i % EVERY == 0).mapToObj(i -> dynamicTest(checks.get(i).name(), checks.get(i).body())));
	}

	private static List<ContractCase> cases(final Algorithm algorithm) {
		return algorithm.operation() == Operation.CONVOLUTION ? ConvolutionCases.all() : ContractCases.all();
	}

	private static List<List<ContractCase>> banks(final Algorithm algorithm) {
		return algorithm.operation() == Operation.CONVOLUTION ? ConvolutionCases.banks() : ContractCases.banks();
	}

	@Test
	void everyCaseHasAnAlgorithmOnTheCpu() {
		final List<Algorithm> algorithms = cpu(2).algorithms();
		for (final ContractCase c : ContractCases.all())
			for (final Precision precision : Precision.values())
				assertTrue(algorithms.stream().anyMatch(a -> a.unsupported(c.problem(precision)).isEmpty()), c.name());
		for (final ContractCase c : ConvolutionCases.all())
			for (final Precision precision : Precision.values())
				assertTrue(algorithms.stream().anyMatch(a -> a.unsupported(c.problem(precision)).isEmpty()), c.name());
	}

	/** Each algorithm supports a case in a precision only if it lists that precision. */
	@Test
	void supportedPrecisionsAreThoseListed() {
		for (final Backend backend : Backends.all(2)) {
			if (backend.unavailable().isPresent()) continue;
			for (final Algorithm a : backend.algorithms())
				for (final Precision precision : Precision.values()) {
					final boolean supports = cases(a).stream().anyMatch(c -> a.unsupported(c.problem(precision)).isEmpty());
					assertEquals(a.precisions().contains(precision), supports, a.id() + " in " + precision + " precision");
				}
		}
	}

	@Test
	void idsAreUniqueAndBeginWithTheBackend() {
		final Set<String> ids = new HashSet<>();
		int n = 0;
		for (final Backend backend : Backends.all(2))
			for (final Algorithm algorithm : backend.algorithms()) {
				assertTrue(algorithm.id().startsWith(backend.id() + "-"), algorithm.id());
				ids.add(algorithm.id());
				n++;
			}
		assertEquals(n, ids.size(), "ids " + ids);
	}
}
