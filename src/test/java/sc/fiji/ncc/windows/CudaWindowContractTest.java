package sc.fiji.ncc.windows;

import java.util.List;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

import sc.fiji.ncc.fixture.RequiredGpu;

/**
 * Every algorithm of the GPU for the windows of a frame: as {@link WindowContractTest}, with every shape of windows. Skipped, with
 * the reason, without a GPU.
 */
@Tag("gpu")
@Tag("smoke")
class CudaWindowContractTest {

	@BeforeEach
	void requireGpu() {
		RequiredGpu.require();
	}

	@TestFactory
	List<DynamicTest> everyAlgorithmGivesTheResponsesOfTheDefinition() {
		requireGpu();
		return WindowContractTest.tests("cuda");
	}
}
