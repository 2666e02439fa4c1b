package sc.fiji.ncc.contract;

import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

import sc.fiji.ncc.Backends;
import sc.fiji.ncc.plan.Backend;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.shift.ShiftAlgorithm;

/** Every algorithm of the CPU that measures shifts, with every case that it does not refuse. */
class FrameContractTest {

	@TestFactory
	List<DynamicTest> everyAlgorithmFindsTheShiftOfTheDefinition() {
		return tests("cpu");
	}

	static List<DynamicTest> tests(final String backend) {
		final Backend all = Backends.all(2).stream().filter(b -> b.id().equals(backend)).findFirst().orElseThrow();
		final List<DynamicTest> tests = new ArrayList<>();
		for (final Device device : all.devices())
			for (final ShiftAlgorithm a : algorithms(all))
				for (final FrameCase c : FrameCase.all())
					if (a.unsupported(c.problem(), device).isEmpty()) tests.add(dynamicTest(a.id() + ": " + c.name(), () -> c.check(a, device)));
		return tests;
	}

	static List<ShiftAlgorithm> algorithms(final Backend backend) {
		return backend.algorithms().stream().filter(ShiftAlgorithm.class::isInstance).map(ShiftAlgorithm.class::cast).toList();
	}
}
