package sc.fiji.ncc.run;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import sc.fiji.ncc.contract.AlgorithmContract;
import sc.fiji.ncc.contract.ArraySink;
import sc.fiji.ncc.contract.ContractCase;
import sc.fiji.ncc.contract.ContractCases;
import sc.fiji.ncc.fixture.FakeDevice;
import sc.fiji.ncc.fixture.Problems;
import sc.fiji.ncc.plan.SlidingAlgorithm;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.Sliding.Correlation;
import sc.fiji.ncc.planner.Ranking;
import sc.fiji.ncc.planner.Ranking.Candidate;
import sc.fiji.ncc.result.NccException;

/** An execution that serves many frames, on a device that fails at each of its calls. */
@Timeout(60)
class FailoverExecutionTest {

	private static final int BOXES = 3;

	private final FakeDevice device = new FakeDevice();
	private final ContractCase example = ContractCases.all().stream()
		.filter(c -> c.imageType().exact() && c.templateType().exact() && c.count().length == 2 && c.weights() == null && !c.problem().lags().partial() && c.lags() > 300)
		.findFirst().orElseThrow();

	/** The device, several times in turn. */
	private FailoverExecution execution(final int candidates) {
		final SlidingAlgorithm<Correlation> algorithm = Problems.correlations(device).get(0);
		final Device d = device.devices().get(0);
		return new FailoverExecution(new Ranking(example.problem(), IntStream.range(0, candidates)
			.mapToObj(i -> new Candidate("candidate " + i, algorithm, d, algorithm.planAny(example.problem(), d), OptionalDouble.empty(), 0, ""))
			.toList()), List.of(example.templateCopy()));
	}

	private void assertComplete(final FailoverExecution execution) {
		final List<ArraySink> sinks = IntStream.range(0, BOXES).mapToObj(i -> new ArraySink(Float.NaN, 1, example.count())).toList();
		final List<BoxQueue.Box> boxes = new ArrayList<>();
		for (final ArraySink s : sinks) boxes.add(new BoxQueue.Box(() -> AlgorithmContract.pixels(example), example.lagBox(), s, Monitor.NONE));
		assertEquals(BOXES * example.lags(), execution.run(new BoxQueue(boxes, Monitor.NONE)).responses());
		for (final ArraySink s : sinks) assertArrayEquals(AlgorithmContract.reference(example), s.complete(0), 1e-6);
	}

	private static String inUse(final FailoverExecution execution) {
		return execution.ranking().best().orElseThrow().name();
	}

	@AfterEach
	void nothingIsOpen() {
		assertEquals(0, device.inFlight.get());
		assertEquals(0, device.open.get());
	}

	/** The failure of a device often makes its release fail, too. */
	@Test
	void aDeviceThatCannotBeClosedIsReplaced() {
		device.failClose = true;
		device.refuse = 1;
		try (FailoverExecution execution = execution(2)) {
			assertComplete(execution);
			assertEquals("candidate 1", inUse(execution));
		}
	}

	@Test
	void aDeviceThatFailsAtTheEndTakesNoResultAway() {
		device.failClose = true;
		try (FailoverExecution execution = execution(1)) {
			assertComplete(execution);
		}
	}

	@Test
	void templatesForWhichTheHeapIsTooSmallGoToTheNextCandidate() {
		try (FailoverExecution execution = execution(2)) {
			assertComplete(execution);
			device.heapIsFullInReplace = true;
			execution.replace(List.of(example.templateCopy()));
			assertComplete(execution);
			assertEquals("candidate 1", inUse(execution));
		}
	}

	@Test
	void withoutAnotherCandidateTheReasonIsReported() {
		try (FailoverExecution execution = execution(1)) {
			assertComplete(execution);
			device.heapIsFullInReplace = true;
			execution.replace(List.of(example.templateCopy()));
			final NccException e = assertThrows(NccException.class, () -> assertComplete(execution));
			assertTrue(e.getMessage().contains("increase the heap (-Xmx)"), e.getMessage());
		}
	}
}
