package sc.fiji.ncc.windows;

import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

import sc.fiji.ncc.Backends;
import sc.fiji.ncc.plan.Backend;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.window.WindowAlgorithm;

/**
 * Every algorithm of the CPU for the windows of a frame, with every case that it does not refuse. The system property {@code ncc.contract.every} = n selects
 * every nth check.
 */
class WindowContractTest {

	private static final int EVERY = Integer.getInteger("ncc.contract.every", 1);

	@TestFactory
	List<DynamicTest> everyAlgorithmGivesTheResponsesOfTheDefinition() {
		return tests("cpu");
	}

	static List<DynamicTest> tests(final String backend) {
		final Backend all = Backends.all(2).stream().filter(b -> b.id().equals(backend)).findFirst().orElseThrow();
		final List<DynamicTest> tests = new ArrayList<>();
		for (final Device device : all.devices())
			for (final var a : all.algorithms())
				if (a instanceof WindowAlgorithm) for (final WindowCase c : WindowCase.all()) {
					final WindowAlgorithm algorithm = (WindowAlgorithm) a;
					if (algorithm.unsupported(c.problem(), device).isEmpty()) tests.add(dynamicTest(a.id() + ": " + c, () -> c.check(algorithm, device)));
				}
		return IntStream.range(0, tests.size()).filter(i -> i % EVERY == 0).mapToObj(tests::get).toList();
	}
}
