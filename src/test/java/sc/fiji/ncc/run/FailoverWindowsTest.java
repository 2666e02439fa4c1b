package sc.fiji.ncc.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicIntegerArray;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import sc.fiji.ncc.contract.ArrayPixels;
import sc.fiji.ncc.cpu.CpuBackend;
import sc.fiji.ncc.fixture.FakeBackend;
import sc.fiji.ncc.fixture.FakeWindows;
import sc.fiji.ncc.plan.Backend;
import sc.fiji.ncc.plan.Cost;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.DeviceException;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Pixels;
import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.WindowPairs;
import sc.fiji.ncc.plan.window.WindowExecution;
import sc.fiji.ncc.plan.window.WindowPlan;
import sc.fiji.ncc.planner.Planner;

/** A device that fails among the windows of a pair: the next candidate repeats all of them. */
class FailoverWindowsTest {

	private static final WindowPairs PROBLEM = new WindowPairs(PixelType.U8, Size.of(40, 30), Size.of(8, 8), Size.of(4, 4), Size.of(5, 5), false, 0.5, 1);

	/** Costs nothing, gives one window, then fails. */
	private static final FakeWindows FAILING = new FakeWindows(new Cost(0, 0, 0, 0), (problem, device, threads) -> new WindowExecution() {

		@Override
		public Report search(final Pixels fixed, final Pixels moving, final boolean[] wanted, final Receiver to, final Monitor monitor) {
			to.take(0, new double[25], 1);
			monitor.done(25);
			throw new DeviceException("lost");
		}

		@Override
		public void close() {}
	});

	private static Backend backend() {
		final Backend cpu = new CpuBackend(1);
		return new FakeBackend(cpu.devices().get(0), List.of(FAILING,
			cpu.algorithms().stream().filter(a -> a.id().equals("cpu-windows")).findFirst().orElseThrow()));
	}

	@Test
	void theNextCandidateRepeatsThePair(@TempDir final Path folder) {
		final double[] values = new Random(1).ints(1200, 0, 256).asDoubleStream().toArray();
		final ArrayPixels frame = new ArrayPixels(PixelType.U8, new int[] { 40, 30 }, values);
		final AtomicIntegerArray taken = new AtomicIntegerArray((int) PROBLEM.count().pixels());
		final long[] done = new long[1];
		try (Failover<WindowExecution> windows = new Failover<>(new Planner(List.of(backend()), folder.resolve("wisdom.txt")).rank(PROBLEM, Optional.empty(),
			Optional.empty()), WindowPlan.class, plan -> plan.prepare(1))) {
			assertEquals("test-windows", windows.ranking().best().orElseThrow().name());
			final Report report = windows.repeat(new Monitor() {

				@Override
				public synchronized void done(final long responses) {
					done[0] += responses;
				}
			}, (open, progress) -> open.search(frame, frame, null, (w, responses, error) -> {
				taken.incrementAndGet(w);
				if (error < 1) assertEquals(1, Arrays.stream(responses).max().orElseThrow(), 1e-9);
			}, progress));
			assertEquals(PROBLEM.responses(), report.responses());
			assertEquals("cpu-windows", windows.ranking().best().orElseThrow().name());
			assertTrue(windows.ranking().candidates().stream().anyMatch(c -> c.name().equals("test-windows") && c.reason().contains("lost")));
		}
		assertEquals(PROBLEM.responses(), done[0]);
		for (int w = 0; w < taken.length(); w++) assertEquals(w == 0 ? 2 : 1, taken.get(w));
	}
}
