package sc.fiji.ncc.run;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import sc.fiji.ncc.contract.AlgorithmContract;
import sc.fiji.ncc.contract.ArraySink;
import sc.fiji.ncc.contract.ContractCase;
import sc.fiji.ncc.contract.ContractCases;
import sc.fiji.ncc.fixture.FakeDevice;
import sc.fiji.ncc.fixture.Problems;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.DeviceException;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.Sliding.Correlation;
import sc.fiji.ncc.plan.SlidingAlgorithm;
import sc.fiji.ncc.plan.SlidingPlan;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.planner.Ranking;
import sc.fiji.ncc.planner.Ranking.Candidate;
import sc.fiji.ncc.planner.RunCounter;
import sc.fiji.ncc.result.NccException;

/** An execution that serves many frames, on a device that fails at each of its calls. */
@Timeout(60)
class FailoverExecutionTest {

	private static final int BOXES = 3;
	/** The time in seconds that the ranking took. */
	private static final double MEASURING = 2.5;

	private final FakeDevice device = new FakeDevice();
	private final ContractCase example = ContractCases.all().stream()
		.filter(c -> c.imageType().exact() && c.templateType().exact() && c.count().length == 2 && c.weights() == null && !c.problem().lags().partial() && c.lags() > 300)
		.findFirst().orElseThrow();

	/** The device, several times in turn, and then a candidate that does not apply. */
	private Ranking ranking(final int candidates) {
		final SlidingAlgorithm<Correlation> algorithm = Problems.correlations(device).get(0);
		final Device d = device.devices().get(0);
		return new Ranking(example.problem(), IntStream.rangeClosed(0, candidates)
			.mapToObj(i -> new Candidate("candidate " + i, algorithm, d, i < candidates ? algorithm.planAny(example.problem(), d) : null,
				OptionalDouble.empty(), 0,
				i < candidates ? "" : "unsupported"))
			.toList(), MEASURING);
	}

	private FailoverExecution execution(final int candidates) {
		return new FailoverExecution(ranking(candidates), List.of(example.templateCopy()));
	}

	private BoxQueue queue(final List<ArraySink> sinks) {
		return new BoxQueue(sinks.stream()
			.map(s -> new BoxQueue.Box(() -> AlgorithmContract.pixels(example), example.lagBox(), s, Monitor.NONE)).toList(), Monitor.NONE);
	}

	private List<ArraySink> sinks() {
		return IntStream.range(0, BOXES).mapToObj(i -> new ArraySink(Float.NaN, 1, example.count())).toList();
	}

	private void assertComplete(final FailoverExecution execution) {
		final List<ArraySink> sinks = sinks();
		final BoxQueue queue = queue(sinks);
		assertEquals(BOXES * example.lags(), execution.run(queue).responses());
		assertSame(execution.ranking(), queue.outcome(ranking(1)));
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

	@Test
	void aFailedCandidateComesLast() {
		device.refuse = 1;
		try (FailoverExecution execution = execution(2)) {
			assertComplete(execution);
			assertEquals(List.of("candidate 1 ", "candidate 2 unsupported", "candidate 0 failed: the box is refused"),
				execution.ranking().candidates().stream().map(c -> c.name() + " " + c.reason()).toList());
			assertEquals(MEASURING, execution.ranking().measuringSeconds());
		}
	}

	@Test
	void aCandidateThatDoesNotApplyIsNotTried() {
		device.loseAt = 0;
		try (FailoverExecution execution = execution(2)) {
			assertEquals("every candidate failed; the last failure: the device is lost",
				assertThrows(NccException.class, () -> assertComplete(execution)).getMessage());
		}
		try (FailoverExecution none = execution(0)) {
			assertEquals("every candidate failed", assertThrows(NccException.class, () -> assertComplete(none)).getMessage());
		}
	}

	/** A full heap is tried once more, with one box at a time, by each candidate. */
	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void aHeapThatStaysFullEndsTheWork(final boolean kept) {
		device.beforeBox = () -> {
			if (device.prepared.get() < 10) throw new DeviceException("not enough memory", new OutOfMemoryError());
		};
		final List<Template> templates = List.of(example.templateCopy());
		final BoxQueue queue = queue(sinks());
		try (FailoverExecution execution = execution(2)) {
			assertThrows(NccException.class, () -> {
				if (kept) execution.run(queue);
				else queue.run(ranking(2), templates);
			});
		}
		assertEquals(3, device.prepared.get(), "the second candidate begins with one box at a time");
	}

	/** The next run of an algorithm needs no start. */
	@Test
	void anAlgorithmThatHasAnsweredHasStarted() {
		final Device d = device.devices().get(0);
		final SlidingAlgorithm<Correlation> algorithm = Problems.correlations(device).get(0);
		final List<Candidate> candidates = new ArrayList<>();
		for (final String id : new String[] { "refused once", "answers" }) candidates.add(new Candidate(id, new Named(id, algorithm), d,
			algorithm.planAny(example.problem(), d),
			OptionalDouble.empty(), 0, ""));
		device.refuse = 0;
		queue(sinks()).run(new Ranking(example.problem(), candidates), List.of(example.templateCopy()));
		assertFalse(RunCounter.hasStarted("refused once"));
		assertTrue(RunCounter.hasStarted("answers"));
	}

	/** An algorithm with a name of its own. */
	private record Named(String id, SlidingAlgorithm<Correlation> algorithm) implements SlidingAlgorithm.Correlating {

		@Override
		public Optional<String> unsupported(final Correlation problem) {
			return Optional.empty();
		}

		@Override
		public SlidingPlan plan(final Correlation problem, final Device on) {
			return algorithm.plan(problem, on);
		}
	}
}
