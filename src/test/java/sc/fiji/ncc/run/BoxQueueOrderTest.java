package sc.fiji.ncc.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.Buffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import sc.fiji.ncc.plan.DeviceException;
import sc.fiji.ncc.plan.Execution;
import sc.fiji.ncc.plan.LagBox;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.Pixels;
import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.plan.Sink;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.sink.BoxSink;

/** In which order a queue submits boxes and allocates their results, and which of several failures it throws. */
@Timeout(60)
class BoxQueueOrderTest {

	private static final RuntimeException[] DEVICE = { new DeviceException("the device is lost"), new DeviceException("the launch failed") },
		CANCEL = { new CancellationException("first"), new CancellationException("second") },
		BUG = { new IllegalStateException("first"), new IllegalStateException("second") };

	private final List<String> events = new ArrayList<>();

	private final class NamedBox implements BoxSink {

		private final String name;

		NamedBox(final String name) {
			this.name = name;
		}

		@Override
		public void begin() {}

		@Override
		public void allocate() {
			events.add("allocate " + name);
		}

		@Override
		public void end() {
			events.add("end " + name);
		}

		@Override
		public float undefined() {
			return 0;
		}

		@Override
		public void map(final int template, final long[] min, final int[] size, final Buffer responses) {}
	}

	/** Ends the boxes at once, the first ones with these failures. */
	private Execution execution(final int depth, final RuntimeException... failures) {
		return new Execution() {

			private int count;

			@Override
			public int depth() {
				return depth;
			}

			@Override
			public CompletableFuture<Report> submit(final Pixels in, final LagBox lags, final Sink out, final Monitor monitor) {
				events.add("submit " + ((NamedBox) out).name);
				return count < failures.length ? CompletableFuture.failedFuture(failures[count++]) : CompletableFuture.completedFuture(new Report(1, 0, 0));
			}

			@Override
			public void replace(final List<Template> sameShapes) {}

			@Override
			public void close() {}
		};
	}

	private BoxQueue queue(final int boxes) {
		return new BoxQueue(IntStream.range(0, boxes).mapToObj(i -> new BoxQueue.Box(() -> null, null, new NamedBox("" + i), Monitor.NONE)).toList(),
			Monitor.NONE);
	}

	private static RuntimeException failure(final String name, final int which) {
		return (name.equals("device") ? DEVICE : name.equals("cancel") ? CANCEL : BUG)[which];
	}

	/** A bug before a cancellation, a cancellation before a failed device, and the first of two equal kinds. The failed boxes remain, in their order. */
	@ParameterizedTest
	@CsvSource({ "device, device, 0", "cancel, cancel, 0", "bug, bug, 0", "device, cancel, 1", "device, bug, 1", "cancel, bug, 1",
		"cancel, device, 0", "bug, device, 0", "bug, cancel, 0" })
	void theMostImportantFailureIsThrown(final String first, final String second, final int thrown) {
		final RuntimeException[] failures = { failure(first, 0), failure(second, 1) };
		final BoxQueue queue = queue(3);
		assertSame(failures[thrown], assertThrows(RuntimeException.class, () -> queue.drain(execution(3, failures))));
		assertEquals(1, queue.report().responses());
		events.clear();
		queue.drain(execution(1));
		assertEquals(List.of("allocate 0", "submit 0", "end 0", "allocate 1", "submit 1", "end 1"), events);
		assertEquals(3, queue.report().responses());
	}

	/** One thread has a depth of 2: it allocates a result before it computes. Several threads compute meanwhile. */
	@Test
	void resultsAreAllocatedWhileOtherThreadsCompute() {
		queue(1).drain(execution(1));
		queue(1).drain(execution(2));
		queue(1).drain(execution(3));
		assertEquals(List.of("allocate 0", "submit 0", "end 0", "allocate 0", "submit 0", "end 0", "submit 0", "allocate 0", "end 0"), events);
	}

	/** A feed returns no box after a cancellation, as at its end. */
	@Test
	void aCancellationWhileTheQueueWaitsIsNotAnEnd() {
		final AtomicBoolean canceled = new AtomicBoolean();
		final Monitor monitor = new Monitor() {

			@Override
			public boolean canceled() {
				return canceled.get();
			}
		};
		assertThrows(CancellationException.class, () -> new BoxQueue(until -> {
			canceled.set(true);
			return null;
		}, 1, monitor).drain(execution(1)));
		new BoxQueue(until -> null, 1, Monitor.NONE).drain(execution(1));
	}
}
