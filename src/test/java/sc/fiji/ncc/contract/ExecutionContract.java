package sc.fiji.ncc.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.nio.Buffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

import sc.fiji.ncc.contract.AlgorithmContract.Check;
import sc.fiji.ncc.plan.Execution;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Pixels;
import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.plan.Template;

/** The requirements for every execution, apart from correct responses: depth, replace, cancellation, failure, close. */
public final class ExecutionContract {

	/** Seconds that a call may take which does not wait for anything, on a machine with a high load. */
	static final long PATIENCE = 120;

	/** The number of times that all threads of an execution together may poll a canceled monitor: each at its place and before it starts another part. */
	private static final int MAX_POLLS_AFTER_CANCEL = 100;

	private final AlgorithmContract contract;
	/** Seconds until a submission that does not return fails the check of its depth. */
	private final long patience;

	ExecutionContract(final AlgorithmContract contract, final long patience) {
		this.contract = contract;
		this.patience = patience;
	}

	/** @param supported the cases to choose from */
	List<Check> checks(final List<ContractCase> supported) {
		final List<Check> checks = new ArrayList<>();
		final List<ContractCase> some = supported.stream().filter(c -> c.lags() > 30 && c.template().length < 1000).toList();
		for (int i = 0; i < some.size(); i += Math.max(1, some.size() / 12)) {
			final ContractCase c = some.get(i);
			// a kernel that is nearly a sum of few products may need more products when it is reversed
			if (contract.supports(reversed(c).problem(contract.precision))) checks.add(new Check("replace: " + c, () -> replace(c)));
			checks.add(new Check("frames in flight: " + c, () -> depth(c)));
			checks.add(new Check("failing source: " + c, () -> failingSource(c)));
			checks.add(new Check("close: " + c, () -> close(c)));
		}
		contract.longProblem().ifPresent(c -> {
			checks.add(new Check("canceled before it starts", () -> cancel(c, 0)));
			checks.add(new Check("canceled while it runs", () -> cancel(c, 3)));
		});
		return checks;
	}

	private Execution prepare(final ContractCase c, final Template template) {
		return contract.algorithm.planAny(AlgorithmContract.problem(c, contract.precision), contract.device).prepare(List.of(template));
	}

	private CompletableFuture<Report> submit(final Execution execution, final ContractCase c, final Pixels pixels, final ArraySink sink) {
		return execution.submit(pixels, c.lagBox(), sink, Monitor.NONE);
	}

	private ArraySink sink(final ContractCase c) {
		return new ArraySink(contract.precision, Float.NaN, 1, c.count());
	}

	/** The case with the template and its mask reversed. */
	private static ContractCase reversed(final ContractCase c) {
		return c.with("template reversed", c.image(), reversed(c.template()), c.weights() == null ? null : reversed(c.weights()));
	}

	/** The case with the image reversed. */
	private static ContractCase otherFrame(final ContractCase c) {
		return c.with("image reversed", reversed(c.image()), c.template(), c.weights());
	}

	private static double[] reversed(final double[] a) {
		final double[] reversed = new double[a.length];
		for (int i = 0; i < a.length; i++) reversed[i] = a[a.length - 1 - i];
		return reversed;
	}

	private void replace(final ContractCase c) {
		final ContractCase other = reversed(c);
		try (Execution execution = prepare(c, other.templateCopy())) {
			execution.replace(List.of(c.templateCopy()));
			expect(execution, c);
			execution.replace(List.of(other.templateCopy()));
			expect(execution, other);
		}
	}

	private void expect(final Execution execution, final ContractCase c) {
		final ArraySink sink = sink(c);
		AlgorithmContract.await(submit(execution, c, AlgorithmContract.pixels(c), sink));
		contract.assertNear(c, AlgorithmContract.reference(c), sink.complete(0));
	}

	/** As many submissions as the depth return before their pixels are available. One more waits. Then all responses are correct. */
	private void depth(final ContractCase c) throws Exception {
		final ExecutorService caller = Executors.newSingleThreadExecutor();
		final CountDownLatch pixelsAreAvailable = new CountDownLatch(1);
		try (Execution execution = prepare(c, c.templateCopy())) {
			final int depth = execution.depth();
			assertTrue(depth >= 1, "depth");
			final List<ContractCase> frames = new ArrayList<>();
			final List<ArraySink> sinks = new ArrayList<>();
			final List<Future<CompletableFuture<Report>>> submitted = new ArrayList<>();
			try {
				for (int f = 0; f <= depth; f++) {
					final ContractCase frame = f % 2 == 0 ? c : otherFrame(c);
					final ArraySink sink = sink(c);
					frames.add(frame);
					sinks.add(sink);
					submitted.add(caller.submit(() -> submit(execution, frame, late(frame, pixelsAreAvailable), sink)));
				}
				for (int f = 0; f < depth; f++) assertReturns(submitted.get(f));
				assertThrows(TimeoutException.class, () -> submitted.get(depth).get(100, TimeUnit.MILLISECONDS),
					"more in flight than the depth of " + depth);
			}
			finally {
				pixelsAreAvailable.countDown();
			}
			for (int f = 0; f <= depth; f++) {
				AlgorithmContract.await(AlgorithmContract.await(submitted.get(f)));
				contract.assertNear(frames.get(f), AlgorithmContract.reference(frames.get(f)), sinks.get(f).complete(0));
			}
		}
		finally {
			caller.shutdown();
		}
	}

	private void assertReturns(final Future<CompletableFuture<Report>> submission) throws InterruptedException, ExecutionException {
		try {
			submission.get(patience, TimeUnit.SECONDS);
		}
		catch (final TimeoutException e) {
			fail("submit waits for the pixels");
		}
	}

	private static Pixels late(final ContractCase c, final CountDownLatch pixelsAreAvailable) {
		return new Source(c) {

			@Override
			public void read(final long[] min, final int[] size, final Buffer to) {
				try {
					assertTrue(pixelsAreAvailable.await(5 * PATIENCE, TimeUnit.SECONDS));
				}
				catch (final InterruptedException e) {
					throw new IllegalStateException(e);
				}
				super.read(min, size, to);
			}
		};
	}

	/** A source that throws fails its submission with the same exception. The execution remains usable. */
	private void failingSource(final ContractCase c) throws Exception {
		final IllegalStateException reason = new IllegalStateException("the disk is gone");
		final Pixels failing = new Source(c) {

			@Override
			public void read(final long[] min, final int[] size, final Buffer to) {
				throw reason;
			}
		};
		try (Execution execution = prepare(c, c.templateCopy())) {
			final CompletableFuture<Report> future = submit(execution, c, failing, sink(c));
			final ExecutionException e = assertThrows(ExecutionException.class, () -> future.get(PATIENCE, TimeUnit.SECONDS));
			Throwable cause = e;
			while (cause != null && cause != reason) cause = cause.getCause();
			assertEquals(reason, cause, "the reason is lost");
			expect(execution, c);
		}
	}

	/** Closing waits for the submissions in flight. A second call does nothing. */
	private void close(final ContractCase c) {
		final Execution execution = prepare(c, c.templateCopy());
		final ArraySink sink = sink(c);
		final CompletableFuture<Report> future = submit(execution, c, AlgorithmContract.pixels(c), sink);
		execution.close();
		assertTrue(future.isDone(), "closed while in flight");
		AlgorithmContract.await(future);
		contract.assertNear(c, AlgorithmContract.reference(c), sink.complete(0));
		execution.close();
	}

	/**
	 * A canceled submission stops: it polls the monitor only a few times more and does not compute most of the responses. Independent of time.
	 *
	 * @param polls the number of polls before the monitor reports the cancellation
	 */
	private void cancel(final ContractCase c, final int polls) {
		final AtomicInteger polled = new AtomicInteger();
		final Monitor monitor = new Monitor() {

			@Override
			public boolean canceled() {
				return polled.getAndIncrement() >= polls;
			}
		};
		final ArraySink sink = sink(c);
		try (Execution execution = prepare(c, c.templateCopy())) {
			final CompletableFuture<Report> future = execution.submit(AlgorithmContract.pixels(c), c.lagBox(), sink, monitor);
			assertThrows(CancellationException.class, () -> future.get(PATIENCE, TimeUnit.SECONDS));
		}
		final int pollsAfterCancel = polled.get() - polls;
		assertTrue(pollsAfterCancel > 0 && pollsAfterCancel <= MAX_POLLS_AFTER_CANCEL, () -> pollsAfterCancel + " polls of the canceled monitor");
		assertTrue(sink.written() <= (polls == 0 ? 0 : c.lags() / 2), () -> sink.written() + " of " + c.lags() + " responses were written before it stopped");
	}

	/** The pixels of a case. Subclasses delay or fail the reading. */
	public static class Source implements Pixels {

		private final Pixels pixels;

		public Source(final ContractCase c) {
			pixels = AlgorithmContract.pixels(c);
		}

		/** This object in place of the first channel. */
		@Override
		public List<Pixels> channels() {
			final List<Pixels> channels = new ArrayList<>(pixels.channels());
			channels.set(0, this);
			return channels;
		}

		@Override
		public PixelType type() {
			return pixels.type();
		}

		@Override
		public long[] size() {
			return pixels.size();
		}

		@Override
		public Pixels mask() {
			return pixels.mask();
		}

		@Override
		public void read(final long[] min, final int[] size, final Buffer to) {
			pixels.read(min, size, to);
		}
	}
}
