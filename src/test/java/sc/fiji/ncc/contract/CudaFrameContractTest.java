package sc.fiji.ncc.contract;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import sc.fiji.ncc.Backends;
import sc.fiji.ncc.fixture.RequiredGpu;
import sc.fiji.ncc.plan.Backend;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.shift.PairPeaks;
import sc.fiji.ncc.plan.shift.ShiftAlgorithm;

/**
 * The shifts of every GPU, in every case, by the definition and as the CPU measures them. Skipped, with the reason, without a GPU. The system property
 * {@code ncc.contract.every} = n selects every nth case, for slow tools such as memory checkers.
 */
@Tag("gpu")
@Tag("smoke")
class CudaFrameContractTest {

	/** The largest difference of fitted shifts in pixels, and of the sum of their variances as a share. */
	private static final double SHIFT = 2e-3, VARIANCE = 0.25;

	@BeforeEach
	void requireGpu() {
		RequiredGpu.require();
	}

	@TestFactory
	@Execution(ExecutionMode.CONCURRENT)
	List<DynamicTest> everyCase() {
		requireGpu();
		final List<Backend> all = Backends.all(2);
		final ShiftAlgorithm cpu = FrameContractTest.algorithms(all.get(0)).stream().filter(a -> a.id().equals("cpu-frames")).findFirst().orElseThrow();
		final List<DynamicTest> tests = new ArrayList<>();
		final List<FrameCase> cases = FrameCase.all();
		for (final Device device : all.get(1).devices().subList(0, 1))
			for (int i = 0; i < cases.size(); i += Integer.getInteger("ncc.contract.every", 1)) {
				final FrameCase c = cases.get(i);
				tests.add(dynamicTest(device.name() + ": " + c.name(), () -> {
					final ShiftAlgorithm cuda = FrameContractTest.algorithms(all.get(1)).get(0);
					assertEquals(Optional.empty(), cuda.unsupported(c.problem(), device));
					same(c.check(cpu, all.get(0).devices().get(0)), c.check(cuda, device));
				}));
			}
		return tests;
	}

	private static void same(final PairPeaks cpu, final PairPeaks gpu) {
		assertArrayEquals(cpu.best().lag(), gpu.best().lag());
		assertEquals(cpu.peaks().size(), gpu.peaks().size());
		for (int i = 0; i < cpu.peaks().size(); i++) assertEquals(cpu.peaks().get(i).score(), gpu.peaks().get(i).score(), 1e-5, "peak " + i);
		assertArrayEquals(cpu.best().shift(), gpu.best().shift(), SHIFT);
		assertEquals(cpu.covariance() == null, gpu.covariance() == null, "a covariance");
		if (cpu.covariance() == null) return;
		double ofCpu = 0, ofGpu = 0;
		for (int d = 0; d < 3; d++) {
			ofCpu += cpu.covariance()[d][d];
			ofGpu += gpu.covariance()[d][d];
		}
		assertEquals(ofCpu, ofGpu, VARIANCE * ofCpu, "the variances");
	}
}
