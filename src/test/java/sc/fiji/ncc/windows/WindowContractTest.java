package sc.fiji.ncc.windows;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

import sc.fiji.ncc.Backends;
import sc.fiji.ncc.plan.Backend;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.contract.ArrayPixels;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.WindowPairs;
import sc.fiji.ncc.plan.window.WindowAlgorithm;
import sc.fiji.ncc.plan.window.WindowExecution;

/**
 * Every algorithm of the CPU for the windows of a frame, with every case that it does not refuse. The system property {@code ncc.contract.every} = n selects
 * every nth check.
 */
class WindowContractTest {

	private static final int EVERY = Integer.getInteger("ncc.contract.every", 1);

	@TestFactory
	List<DynamicTest> everyAlgorithmGivesTheResponsesOfTheDefinition() {
		return tests("cpu");
	}

	/** A window with many lags is one tile. */
	@Test
	void aTileCanBeCanceled() {
		final int[] frame = { 80, 80 };
		final double[] noise = new Random(1).doubles(6400).toArray();
		final ArrayPixels pixels = new ArrayPixels(PixelType.F64, frame, noise, false, null);
		final Size window = Size.of(80, 80);
		final WindowPairs problem = new WindowPairs(PixelType.F64, window, window, window, Size.of(41, 41), false, 0.25, 1);
		final Backend cpu = Backends.all(1).stream().filter(b -> b.id().equals("cpu")).findFirst().orElseThrow();
		final WindowAlgorithm algorithm = (WindowAlgorithm) cpu.algorithms().stream().filter(a -> a.id().equals("cpu-windows")).findFirst().orElseThrow();
		final AtomicInteger polls = new AtomicInteger();
		try (WindowExecution execution = algorithm.plan(problem, cpu.devices().get(0)).prepare(1)) {
			assertThrows(CancellationException.class, () -> execution.search(pixels, pixels, null, (w, responses, error) -> fail("not canceled"), new Monitor() {

				@Override
				public boolean canceled() {
					return polls.incrementAndGet() > 3;
				}
			}));
		}
	}

	static List<DynamicTest> tests(final String backend) {
		final Backend all = Backends.all(2).stream().filter(b -> b.id().equals(backend)).findFirst().orElseThrow();
		final List<DynamicTest> tests = new ArrayList<>();
		for (final Device device : all.devices())
			for (final var a : all.algorithms())
				if (a instanceof WindowAlgorithm) for (final WindowCase c : WindowCase.all()) {
					final WindowAlgorithm algorithm = (WindowAlgorithm) a;
					if (algorithm.unsupported(c.problem(), device).isEmpty()) tests.add(dynamicTest(a.id() + ": " + c, () -> c.check(algorithm, device)));
				}
		return IntStream.range(0, tests.size()).filter(i -> i % EVERY == 0).mapToObj(tests::get).toList();
	}
}
