package sc.fiji.ncc.cuda.run;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import sc.fiji.ncc.cuda.driver.CudaDevice;
import sc.fiji.ncc.cuda.driver.Driver;
import sc.fiji.ncc.cuda.driver.StreamContext;
import sc.fiji.ncc.fixture.RequiredGpu;
import sc.fiji.ncc.plan.DeviceException;
import sc.fiji.ncc.plan.LagBox;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.Report;

/** Failures of threads and of the heap: a submission fails, and close returns. Skipped, with the reason, without a GPU. */
@Tag("gpu")
class CudaExecutionTest {

	/** A schedule of one task, with a heap that is full where a test wants it. */
	private static final class FullHeap implements Schedule<Schedule.Task> {

		private final boolean together;

		FullHeap(final boolean together) {
			this.together = together;
		}

		@Override
		public List<Schedule.Task> tasks(final Submission submission) {
			return List.of(new Schedule.Task(submission) {});
		}

		@Override
		public int together(final Collection<Schedule.Task> waiting) {
			if (together) throw new OutOfMemoryError("choosing tasks");
			return 1;
		}

		@Override
		public void compute(final StreamContext context, final List<Schedule.Task> tasks) {
			throw new OutOfMemoryError("computing");
		}

		@Override
		public void close() {}
	}

	@Test
	void aFullHeapEndsTheSubmission() {
		RequiredGpu.require();
		final CudaDevice device = Driver.devices().list().get(0);
		for (final boolean together : new boolean[] { true, false })
			assertTimeoutPreemptively(Duration.ofSeconds(20), () -> {
				try (CudaExecution<Schedule.Task> execution = new CudaExecution<>(device, 2, 2, List.of(), templates -> new FullHeap(together))) {
					for (int i = 0; i < 5; i++) {
						final CompletableFuture<Report> future = execution.submit(null, new LagBox(new long[1][2], new int[] { 1, 1 }), null, Monitor.NONE);
						final Throwable cause = assertThrows(ExecutionException.class, () -> future.get(10, TimeUnit.SECONDS)).getCause();
						assertTrue(cause instanceof DeviceException, cause.toString());
					}
				}
			});
	}
}
