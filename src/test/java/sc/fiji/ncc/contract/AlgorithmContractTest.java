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
import java.util.function.Predicate;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Assumptions;
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

/** Every algorithm on every device of every backend, against every case. */
class AlgorithmContractTest {

	/** Of all checks of an algorithm every so-manieth is made: all, unless a run on another JDK asks for a sample. */
	private static final int EVERY = Integer.getInteger("ncc.contract.every", 1);

	/** Each check by itself, many side by side. */
	@TestFactory
	@Execution(ExecutionMode.CONCURRENT)
	List<DynamicNode> contractOnTheCpu() {
		return contract(b -> b.id().equals("cpu"));
	}

	/** A card is one for all. */
	@TestFactory
	List<DynamicNode> contractElsewhere() {
		return contract(b -> !b.id().equals("cpu"));
	}

	private static List<DynamicNode> contract(final Predicate<Backend> which) {
		final List<Backend> two = Backends.all(2), one = Backends.all(1);
		final List<DynamicNode> nodes = new ArrayList<>();
		for (int b = 0; b < two.size(); b++) {
			final Backend backend = two.get(b);
			if (!which.test(backend)) continue;
			if (backend.unavailable().isPresent()) {
				// shown as skipped, with the reason
				nodes.add(dynamicTest(backend.id(), () -> Assumptions.abort(backend.unavailable().get())));
				continue;
			}
			assertFalse(backend.devices().isEmpty(), backend.id() + " is available and has no device");
			for (int d = 0; d < backend.devices().size(); d++)
				for (int a = 0; a < backend.algorithms().size(); a++)
					for (final Precision precision : backend.algorithms().get(a).precisions())
						nodes.add(contract(backend.algorithms().get(a), backend.devices().get(d), one.get(b).algorithms().get(a), one.get(b).devices().get(d),
							precision));
		}
		return nodes;
	}

	private static DynamicNode contract(final Algorithm algorithm, final Device device, final Algorithm otherAlgorithm, final Device otherThreads,
		final Precision precision)
	{
		final List<AlgorithmContract.Check> checks =
			new AlgorithmContract(algorithm, device, otherAlgorithm, otherThreads, precision).checks(cases(algorithm), banks(algorithm));
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
		final List<Algorithm> algorithms = Backends.all(2).stream().filter(b -> b.id().equals("cpu")).flatMap(b -> b.algorithms().stream()).toList();
		for (final ContractCase c : ContractCases.all())
			for (final Precision precision : Precision.values())
				assertTrue(algorithms.stream().anyMatch(a -> a.unsupported(c.problem(precision)).isEmpty()), c.name());
		for (final ContractCase c : ConvolutionCases.all())
			for (final Precision precision : Precision.values())
				assertTrue(algorithms.stream().anyMatch(a -> a.unsupported(c.problem(precision)).isEmpty()), c.name());
	}

	/** What a planner leaves out unasked says why if it is asked. */
	@Test
	void onlyTheirPrecisionsAreSupported() {
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
