package sc.fiji.ncc.run;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.Buffer;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import sc.fiji.ncc.contract.AlgorithmContract;
import sc.fiji.ncc.contract.ArraySink;
import sc.fiji.ncc.contract.ContractCase;
import sc.fiji.ncc.contract.ContractCases;
import sc.fiji.ncc.fixture.CountedProgress;
import sc.fiji.ncc.fixture.FakeDevice;
import sc.fiji.ncc.fixture.Problems;
import sc.fiji.ncc.plan.SlidingAlgorithm;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.DeviceException;
import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.plan.Sliding.Correlation;
import sc.fiji.ncc.plan.SlidingPlan;
import sc.fiji.ncc.planner.Ranking;
import sc.fiji.ncc.planner.Ranking.Candidate;
import sc.fiji.ncc.result.NccException;
import sc.fiji.ncc.sink.BoxSink;

/** A sink that fails when its box begins, when it allocates memory or when its box ends: the box is computed again and counts once, or the failure is thrown when nothing is in flight. */
@Timeout(60)
class BoxAllocationTest {

	private static final int BOXES = 5;

	private final FakeDevice device = new FakeDevice();
	private final CountedProgress progress = new CountedProgress();
	private final ContractCase example = ContractCases.all().stream()
		.filter(c -> c.imageType().exact() && c.templateType().exact() && c.count().length == 2 && c.weights() == null && !c.problem().lags().partial() && c.lags() > 300)
		.findFirst().orElseThrow();
	private final AtomicInteger done = new AtomicInteger();
	/** Whether the next box cannot be passed on. */
	private boolean doneFails;

	/** The responses of one box. */
	private final class Result implements BoxSink {

		/** Thrown by one call. Null: none. */
		private Throwable inBegin, inAllocate, inEnd;
		private ArraySink responses;
		private int begun, ended;

		@Override
		public void begin() {
			begun++;
			responses = new ArraySink(Float.NaN, 1, example.count());
			final Throwable t = inBegin;
			inBegin = null;
			fail(t);
		}

		@Override
		public void allocate() {
			final Throwable t = inAllocate;
			inAllocate = null;
			fail(t);
		}

		private void fail(final Throwable t) {
			if (t instanceof Error) throw (Error) t;
			if (t != null) throw (RuntimeException) t;
		}

		@Override
		public float undefined() {
			return Float.NaN;
		}

		@Override
		public void map(final int template, final long[] min, final int[] size, final Buffer from) {
			responses.map(template, min, size, from);
		}

		@Override
		public void end() {
			final Throwable t = inEnd;
			inEnd = null;
			fail(t);
			ended++;
		}
	}

	private final List<Result> results = IntStream.range(0, BOXES).mapToObj(b -> new Result()).toList();

	private void done() {
		if (doneFails) {
			doneFails = false;
			throw new OutOfMemoryError("unable to create native thread");
		}
		done.incrementAndGet();
	}

	private BoxQueue queue() {
		final List<BoxQueue.Box> boxes = new ArrayList<>();
		for (final Result r : results)
			boxes.add(new BoxQueue.Box(() -> AlgorithmContract.pixels(example), example.lagBox(), r, progress, report -> done()));
		return new BoxQueue(boxes, progress);
	}

	/** The device, several times in turn. */
	private Ranking candidates(final int count) {
		final SlidingAlgorithm<Correlation> algorithm = Problems.correlations(device).get(0);
		final Device d = device.devices().get(0);
		return new Ranking(example.problem(), IntStream.range(0, count)
			.mapToObj(i -> new Candidate("candidate " + i, algorithm, d, algorithm.planAny(example.problem(), d), OptionalDouble.empty(), 0, "")).toList());
	}

	@AfterEach
	void nothingIsInFlight() {
		assertEquals(0, device.inFlight.get());
		assertEquals(0, device.open.get());
	}

	private void assertComplete(final Report report) {
		assertEquals((long) BOXES * example.lags(), report.responses());
		assertEquals((long) BOXES * example.lags(), progress.done.get());
		assertEquals(BOXES, done.get());
		final double[] expected = AlgorithmContract.reference(example);
		for (final Result r : results) {
			assertEquals(1, r.ended);
			// no other attempt wrote to the last result
			assertArrayEquals(expected, r.responses.complete(0), 1e-6);
		}
	}

	@ParameterizedTest
	@CsvSource({ "1, 0", "2, 0", "3, 4" })
	void aResultThatCannotBeFinishedIsComputedAgain(final int depth, final int box) {
		device.depth = depth;
		results.get(box).inEnd = new OutOfMemoryError("Java heap space");
		assertComplete(queue().run(candidates(2), List.of(example.templateCopy())));
		assertEquals(2, results.get(box).begun);
	}

	/** With several boxes in flight the same device continues, with one box at a time. Otherwise the next candidate does. */
	@ParameterizedTest
	@CsvSource({ "1, 0", "1, 2", "2, 0", "2, 3", "3, 0", "3, 1", "3, 4", "8, 0", "8, 1", "8, 4" })
	void aResultWithoutMemoryIsComputedAgain(final int depth, final int box) {
		device.depth = depth;
		device.latency = 5;
		results.get(box).inAllocate = new OutOfMemoryError("Java heap space");
		final BoxQueue queue = queue();
		final Ranking ranking = candidates(2);
		assertComplete(queue.run(ranking, List.of(example.templateCopy())));
		assertEquals(2, results.get(box).begun);
		final boolean several = depth > 1 && box > 0;
		assertEquals(several ? "candidate 0" : "candidate 1", queue.outcome(ranking).best().orElseThrow().name());
	}

	/** An execution that has not even the memory for a message. */
	@ParameterizedTest
	@ValueSource(ints = { 1, 3 })
	void aSubmissionThatEndsWithAFullHeapIsComputedAgain(final int depth) {
		device.depth = depth;
		final AtomicInteger boxes = new AtomicInteger();
		device.beforeBox = () -> {
			if (boxes.getAndIncrement() == 2) throw new OutOfMemoryError("Java heap space");
		};
		assertComplete(queue().run(candidates(2), List.of(example.templateCopy())));
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 3 })
	void aDeviceThatFailsAtTheEndTakesNoResultAway(final int depth) {
		device.depth = depth;
		device.failClose = true;
		final BoxQueue queue = queue();
		final Ranking ranking = candidates(2);
		assertComplete(queue.run(ranking, List.of(example.templateCopy())));
		assertEquals("candidate 0", queue.outcome(ranking).best().orElseThrow().name());
	}

	/** No thread could be started for the result of a frame, for example. */
	@ParameterizedTest
	@ValueSource(ints = { 1, 3 })
	void aBoxWhoseCallerHasNoMemoryCountsOnce(final int depth) {
		device.depth = depth;
		doneFails = true;
		final Report report = queue().run(candidates(3), List.of(example.templateCopy()));
		assertEquals((long) BOXES * example.lags(), report.responses());
		assertEquals(BOXES, done.get());
	}

	@ParameterizedTest
	@CsvSource({ "1, 2", "2, 3", "3, 0", "8, 1" })
	void aSinkThatTheDeviceFailsGoesToTheNextCandidate(final int depth, final int box) {
		device.depth = depth;
		results.get(box).inAllocate = new DeviceException("the memory of the device is full");
		final BoxQueue queue = queue();
		final Ranking ranking = candidates(2);
		assertComplete(queue.run(ranking, List.of(example.templateCopy())));
		assertEquals("candidate 1", queue.outcome(ranking).best().orElseThrow().name());
	}

	@ParameterizedTest
	@CsvSource({ "1, 2", "2, 3", "3, 0", "8, 1" })
	void withoutAnotherCandidateTheReasonIsReported(final int depth, final int box) {
		device.depth = depth;
		final OutOfMemoryError reason = new OutOfMemoryError("Java heap space");
		results.get(box).inAllocate = new DeviceException("the memory of the device is full", reason);
		device.beforeBox = () -> {
			throw new DeviceException("the device is lost");
		};
		final NccException e = assertThrows(NccException.class, () -> queue().run(candidates(1), List.of(example.templateCopy())));
		assertTrue(e.getMessage().contains("every candidate failed"), e.getMessage());
		assertEquals(0, done.get());
	}

	/** A bug is thrown. The execution is idle, and the queue still holds the boxes that are not complete, each once. */
	@ParameterizedTest
	@CsvSource({ "1, 2, false", "1, 2, true", "2, 3, false", "2, 3, true", "3, 0, false", "3, 0, true", "8, 1, false", "8, 1, true" })
	void aBugIsThrownAndTheRestCanBeDone(final int depth, final int box, final boolean inBegin) {
		device.depth = depth;
		device.latency = 5;
		final RuntimeException bug = new IllegalStateException("a bug");
		if (inBegin) results.get(box).inBegin = bug;
		else results.get(box).inAllocate = bug;
		final BoxQueue queue = queue();
		try (var execution = candidates(1).best().orElseThrow().plan(SlidingPlan.class).prepare(List.of(example.templateCopy()))) {
			assertSame(bug, assertThrows(IllegalStateException.class, () -> queue.drain(execution)));
			assertEquals(0, device.inFlight.get(), "in flight");
			queue.drain(execution);
		}
		assertComplete(queue.report());
	}
}
