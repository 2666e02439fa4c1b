package sc.fiji.ncc.run;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import net.imglib2.RandomAccessibleInterval;

import sc.fiji.ncc.plan.Given;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.plan.Result;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.support.Parallel;
import sc.fiji.ncc.planner.Ranking;
import sc.fiji.ncc.result.CountedFrames;
import sc.fiji.ncc.result.FrameConsumer;
import sc.fiji.ncc.result.FrameException;
import sc.fiji.ncc.result.StreamReport;

/**
 * Computes frames that come one by one. One thread reads frames ahead, the threads of the executions compute, others make results of the responses, and the
 * calling thread passes the results to the consumer, in order. At most as many frames are in flight as a {@link FramePlan} has buffers. Frames of another
 * size or pixel type get a new plan, after all frames before them were consumed.
 *
 * @param <R> the result of a frame
 */
public final class FrameStream<R> {

	/** The number of frames that the planner expects if the source does not state it. */
	private static final long UNKNOWN_COUNT = 1000;
	/** The time in milliseconds that a source has to return from a frame before it is interrupted, and again after that. */
	private static final long SOURCE_TIMEOUT = 500;

	private final SlidingCall op;
	private final Iterable<? extends RandomAccessibleInterval<?>> frames;
	private final Result kind;
	private final FramePlan.Maker<R> make;
	/** -1 if unknown. */
	private final long count;
	private final ExecutorService finishers;
	private final Thread reader = new Thread(this::read, "ncc-frame-reader");
	private volatile boolean stopped;
	/** All fields below are guarded by this. */
	private FramePlan<R> plan;
	private final Deque<FramePlan.Frame<R>> inFlight = new ArrayDeque<>();
	private Throwable failure, sourceFailure;
	private boolean sourceEnded;

	/** Also cancels when the stream is closed or a part of it fails. */
	private final Monitor monitor;

	/**
	 * The number of frames that the planner expects.
	 *
	 * @param count the number of frames of the source; negative if unknown
	 */
	public static long expectedCount(final long count) {
		return count < 0 ? UNKNOWN_COUNT : Math.max(1, count);
	}

	public FrameStream(final SlidingCall op, final Iterable<?
		extends RandomAccessibleInterval<?>> frames, final Result kind, final FramePlan.Maker<R> make) {
		Given.nonNull(frames, "source of frames");
		this.op = op;
		this.frames = frames;
		this.kind = kind;
		this.make = make;
		count = frames instanceof Collection ? ((Collection<?>) frames).size() : -1;
		monitor = op.monitor().orIf(() -> stopped);
		finishers = Executors.newFixedThreadPool(op.threads(), Parallel.daemons("ncc-frame-results"));
		reader.setDaemon(true);
	}

	/** Runs the stream, once. Throws the exceptions of {@link sc.fiji.ncc.NormalizedCrossCorrelation#correlateEach}. */
	public StreamReport run(final FrameConsumer<? super R> consumer) {
		Given.nonNull(consumer, "consumer");
		final long start = System.nanoTime();
		long frame = 0, longest = 0;
		double latency = 0;
		Report report = Report.NONE;
		reader.start();
		try {
			for (FramePlan.Frame<R> next = next(); next != null; next = next()) {
				final R result = result(next);
				report = report.plus(FramePlan.report(next));
				final long elapsed = System.nanoTime() - next.start;
				longest = Math.max(longest, elapsed);
				latency += 1e-9 * elapsed;
				consume(consumer, next.index, result);
				release(next);
				frame++;
			}
			return new StreamReport(frame, report, rankings(), Ranking.secondsSince(start, rankings()), frame == 0 ? 0
				: latency / frame, 1e-9 * longest);
		}
		catch (final InterruptedException e) {
			throw interrupted(e);
		}
		finally {
			close();
		}
	}

	private static CancellationException interrupted(final InterruptedException e) {
		Thread.currentThread().interrupt();
		return (CancellationException) new CancellationException("interrupted while frames were computed").initCause(e);
	}

	private synchronized List<Ranking> rankings() {
		return plan == null ? List.of() : plan.rankings();
	}

	/** The oldest frame in flight; waits until there is one. Null after the last frame. */
	private synchronized FramePlan.Frame<R> next() throws InterruptedException {
		while (inFlight.isEmpty()) {
			check();
			if (sourceFailure != null) throw thrown(sourceFailure);
			if (sourceEnded) return null;
			wait(BankFeed.POLL_MILLISECONDS);
		}
		return inFlight.peek();
	}

	private R result(final FramePlan.Frame<R> frame) throws InterruptedException {
		while (true) {
			synchronized (this) {
				if (!frame.result.isDone()) check();
			}
			try {
				return frame.result.get(BankFeed.POLL_MILLISECONDS, TimeUnit.MILLISECONDS);
			}
			catch (final TimeoutException e) {
				// poll for cancellation
			}
			catch (final ExecutionException e) {
				throw thrown(e.getCause());
			}
		}
	}

	/** @throws RuntimeException the failure of a thread, or a cancellation */
	private void check() {
		if (failure != null) throw thrown(failure);
		op.monitor().requireNotCanceled();
	}

	private static RuntimeException thrown(final Throwable t) {
		if (t instanceof Error) throw (Error) t;
		return (RuntimeException) t;
	}

	private void consume(final FrameConsumer<? super R> consumer, final long frame, final R result) {
		op.monitor().requireNotCanceled();
		try {
			consumer.accept(frame, result);
		}
		catch (final CancellationException e) {
			throw e;
		}
		catch (final IOException | RuntimeException e) {
			throw new FrameException(frame, " was computed, but its result could not be used: ", e);
		}
	}

	private synchronized void release(final FramePlan.Frame<R> frame) {
		inFlight.remove(frame);
		plan.release(frame);
		notifyAll();
	}

	private synchronized void fail(final Throwable t) {
		if (failure == null) failure = t;
		notifyAll();
	}

	/** The body of the reader thread. */
	private void read() {
		long index = 0;
		try {
			final Iterator<? extends RandomAccessibleInterval<?>> source = frames.iterator();
			while (!monitor.canceled() && source.hasNext()) {
				if (!read(source.next(), index)) break;
				index++;
			}
		}
		catch (final InterruptedException e) {
			// the stream was closed
		}
		catch (final Throwable t) {
			final Throwable described = describe(t, index);
			synchronized (this) {
				sourceFailure = described;
			}
		}
		synchronized (this) {
			sourceEnded = true;
			if (plan != null) plan.end();
			notifyAll();
		}
	}

	private static Throwable describe(final Throwable t, final long frame) {
		if (t instanceof Error || t instanceof CancellationException) return t;
		// an error of the first frame usually concerns all frames
		if (t instanceof IllegalArgumentException) return frame == 0 ? t
			: new IllegalArgumentException("frame " + (frame + 1) + ": " + t.getMessage(), t);
		return new FrameException(frame, " could not be read: ", t);
	}

	/** Reads and submits a frame. Returns false if the stream must stop. */
	private boolean read(final RandomAccessibleInterval<?> pixels, final long index) throws InterruptedException {
		if (pixels == null) throw new IllegalArgumentException("the source of frames returned null: return an image for each frame");
		if (pixels.numDimensions() != op.dimensions()) throw new IllegalArgumentException("the frame of "
			+ Size.of(pixels.dimensionsAsLongArray()) + " has " + pixels.numDimensions() + " dimensions, the " + op.noun() + " has "
			+ op.dimensions() + ": pass frames of " + op.dimensions() + " dimensions (Frames.of divides a stack)");
		if (!plan(pixels)) return false;
		final FramePlan.Frame<R> frame = free(pixels);
		if (frame == null) return false;
		plan.read(frame, pixels, index);
		synchronized (this) {
			inFlight.add(frame);
			notifyAll();
		}
		plan.submit(frame);
		return true;
	}

	/** Waits for a free frame; null if the stream must stop. */
	private synchronized FramePlan.Frame<R> free(final RandomAccessibleInterval<?> like) throws InterruptedException {
		while (!monitor.canceled() && failure == null) {
			final FramePlan.Frame<R> frame = plan.take(like);
			if (frame != null) return frame;
			wait(BankFeed.POLL_MILLISECONDS);
		}
		return null;
	}

	/** Makes a new plan if the current one does not fit the frame. Returns false if the stream must stop. */
	private boolean plan(final RandomAccessibleInterval<?> like) throws InterruptedException {
		final FramePlan<R> last = plan;
		if (last != null) {
			if (last.fits(like)) return true;
			last.end();
			synchronized (this) {
				while (!inFlight.isEmpty() && !monitor.canceled() && failure == null) wait(BankFeed.POLL_MILLISECONDS);
			}
			if (monitor.canceled()) return false;
			last.join();
			synchronized (this) {
				if (!inFlight.isEmpty()) return false;
				plan = null;
			}
			last.close();
		}
		final FramePlan<R> next = new FramePlan<>(op, like, expectedCount(CountedFrames.expected(frames)), kind, make, monitor, finishers);
		if (last == null && count >= 0) op.monitor().total(Math.multiplyExact(count, next.responses()));
		synchronized (this) {
			if (monitor.canceled() || failure != null) return false;
			plan = next;
			next.start(this::fail);
		}
		return true;
	}

	/** Stops all threads and waits for them. */
	private void close() {
		final boolean interrupted = Thread.interrupted();
		final FramePlan<R> last;
		synchronized (this) {
			stopped = true;
			last = plan;
			if (last != null) last.end();
			notifyAll();
		}
		try {
			// the interrupt wakes a source that waits; a busy source ends by itself
			reader.join(SOURCE_TIMEOUT);
			if (reader.isAlive()) {
				reader.interrupt();
				reader.join(SOURCE_TIMEOUT);
			}
			if (last != null) last.join();
			finishers.shutdown();
			// release memory only when no thread can read it
			if (finishers.awaitTermination(1, TimeUnit.MINUTES) && last != null && !reader.isAlive()) last.close();
		}
		catch (final InterruptedException e) {
			throw interrupted(e);
		}
		if (interrupted) Thread.currentThread().interrupt();
	}
}
