package sc.fiji.ncc.run;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.Buffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import sc.fiji.ncc.contract.ArraySink;
import sc.fiji.ncc.contract.ContractCase;
import sc.fiji.ncc.contract.ContractCases;
import sc.fiji.ncc.contract.ExecutionContract;
import sc.fiji.ncc.cpu.CpuBackend;
import sc.fiji.ncc.fixture.Problems;
import sc.fiji.ncc.plan.Execution;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.Pixels;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Report;

/** Who waits for a submission to the CPU helps with it, where nothing lies in files. */
@Timeout(60)
class AwaitTest {

	private static final int ROUNDS = 300, TRIES = 20;

	private final ContractCase example = ContractCases.all().stream()
		.filter(c -> c.imageType().exact() && c.templateType().exact() && c.count().length == 2 && c.weights() == null && !c.problem().lags().partial() && c.lags() > 300)
		.findFirst().orElseThrow();
	private final Set<Thread> readers = ConcurrentHashMap.newKeySet();

	private Execution prepare(final int threads) {
		final CpuBackend cpu = new CpuBackend(threads);
		return Problems.correlation(cpu, "cpu-direct-exact").planAny(example.problem(), cpu.devices().get(0))
			.prepare(List.of(example.templateCopy()));
	}

	/** The case's pixels, which note who reads them. */
	private Pixels pixels(final boolean inMemory) {
		return new ExecutionContract.Source(example) {

			@Override
			public boolean readsRowsFast() {
				return inMemory;
			}

			@Override
			public void read(final long[] min, final int[] size, final Buffer to) {
				readers.add(Thread.currentThread());
				super.read(min, size, to);
			}
		};
	}

	private boolean helps(final int threads, final boolean pixelsInMemory, final boolean mapsInMemory) {
		final ArraySink alone = new ArraySink(Float.NaN, 1, example.count());
		try (Execution execution = prepare(1)) {
			execution.submit(pixels(false), example.lagBox(), alone, Monitor.NONE).join();
		}
		final double[] expected = alone.complete(0);
		readers.clear();
		final Pixels in = pixels(pixelsInMemory);
		try (Execution execution = prepare(threads)) {
			for (int round = 0; round < ROUNDS; round++) {
				final List<CompletableFuture<Report>> flying = new ArrayList<>();
				final List<ArraySink> sinks = new ArrayList<>();
				for (int i = 0; i <= round % execution.depth(); i++) {
					sinks.add(new ArraySink(Precision.SINGLE, Float.NaN, 1, example.count(), mapsInMemory));
					flying.add(execution.submit(in, example.lagBox(), sinks.get(i), Monitor.NONE));
				}
				// any of them; nobody helps with the others
				assertEquals(example.lags(), execution.await(flying.get(round / execution.depth() % flying.size())).responses());
				for (final CompletableFuture<Report> f : flying) assertEquals(example.lags(), f.join().responses());
				for (final ArraySink sink : sinks) assertArrayEquals(expected, sink.complete(0));
			}
		}
		return readers.contains(Thread.currentThread());
	}

	@Test
	void whoWaitsHelpsInMemory() {
		// with few processors, the others can be done before the thread waits
		for (final int threads : new int[] { 1, 2, 3 }) assertTrue(IntStream.range(0, TRIES).anyMatch(i -> helps(threads, true, true)), threads + " threads");
	}

	@Test
	void filesAreLeftToTheOthers() {
		assertFalse(helps(2, false, true));
		assertFalse(helps(2, true, false));
	}

	@Test
	void cancelIsHeardByWhoHelps() {
		try (Execution execution = prepare(2)) {
			for (int round = 0; round < ROUNDS; round++) {
				final CompletableFuture<Report> canceled = execution.submit(pixels(true), example.lagBox(), new ArraySink(Precision.SINGLE,
					0, 1, example.count(), true), new Monitor() {

					@Override
					public boolean canceled() {
						return true;
					}
				});
				final RuntimeException e = assertThrows(RuntimeException.class, () -> execution.await(canceled));
				assertTrue(e instanceof CancellationException || e instanceof CompletionException && e.getCause() instanceof CancellationException, e::toString);
			}
		}
	}
}
