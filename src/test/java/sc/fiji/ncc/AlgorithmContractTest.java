package sc.fiji.ncc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicContainer.dynamicContainer;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

import sc.fiji.ncc.plan.Algorithm;
import sc.fiji.ncc.plan.Backend;
import sc.fiji.ncc.plan.Device;

/** Every algorithm on every device of every backend, against every case. */
class AlgorithmContractTest {

	@TestFactory
	List<DynamicNode> contract() {
		final List<Backend> two = Backends.all(2), one = Backends.all(1);
		final List<DynamicNode> nodes = new ArrayList<>();
		for (int b = 0; b < two.size(); b++) {
			final Backend backend = two.get(b);
			if (backend.unavailable().isPresent()) {
				// shown as skipped, with the reason
				nodes.add(dynamicTest(backend.id(), () -> Assumptions.abort(backend.unavailable().get())));
				continue;
			}
			assertFalse(backend.devices().isEmpty(), backend.id() + " is available and has no device");
			for (int d = 0; d < backend.devices().size(); d++)
				for (int a = 0; a < backend.algorithms().size(); a++)
					nodes.add(contract(backend.algorithms().get(a), backend.devices().get(d), one.get(b).algorithms().get(a),
						one.get(b).devices().get(d)));
		}
		return nodes;
	}

	private static DynamicNode contract(final Algorithm algorithm, final Device device, final Algorithm otherAlgorithm, final Device otherThreads) {
		return dynamicContainer(algorithm.id() + " on " + device.id(),
			new AlgorithmContract(algorithm, device, otherAlgorithm, otherThreads).checks(ContractCases.all(), ContractCases.banks()).stream()
				.map(check -> dynamicTest(check.name(), check.body())));
	}

	@Test
	void everyCaseHasAnAlgorithmOnTheCpu() {
		final List<Algorithm> algorithms = Backends.all(2).stream().filter(b -> b.id().equals("cpu")).flatMap(b -> b.algorithms().stream()).toList();
		for (final ContractCase c : ContractCases.all())
			assertTrue(algorithms.stream().anyMatch(a -> a.unsupported(c.problem()).isEmpty()), c.name());
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
