package sc.fiji.ncc.windows;

import java.util.List;
import java.util.stream.IntStream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import sc.fiji.ncc.fixture.RequiredGpu;

/**
 * Every algorithm of the GPU for the windows of a frame: as {@link WindowContractTest}, with every shape of windows. Skipped, with
 * the reason, without a GPU. The system property {@code ncc.contract.every} = n selects every nth test.
 */
@Tag("gpu")
@Tag("smoke")
class CudaWindowContractTest {

	@BeforeEach
	void requireGpu() {
		RequiredGpu.require();
	}

	@TestFactory
	@Execution(ExecutionMode.CONCURRENT)
	List<DynamicTest> everyAlgorithmGivesTheResponsesOfTheDefinition() {
		requireGpu();
		final List<DynamicTest> all = WindowContractTest.tests("cuda");
		return IntStream.iterate(0, i -> i < all.size(), i -> i + Integer.getInteger("ncc.contract.every", 1)).mapToObj(all::get).toList();
	}
}
