package sc.fiji.ncc;

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

import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.Ranking;
import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.plan.Result;
import sc.fiji.ncc.plan.Size;

/**
 * Has frames done that come one by one. One thread reads them ahead, those of the executions compute, others make results of what was computed, and
 * the caller's hands the results over, in order. As many frames are on their way as a {@link FramePlan} has buffers. Frames of another size or
 * pixel type get a plan of their own, once all before them were handed over.
 *
 * @param <R> what comes of a frame
 */
final class FrameStream<R> {

	/** How many frames the planner expects where nobody knows. */
	private static final long UNKNOWN = 1000;
	/** Milliseconds that a source has to come back from a frame before it is interrupted, and then again. */
	private static final long PATIENCE = 500;

	private final SlidingOp<?> op;
	private final Iterable<? extends RandomAccessibleInterval<?>> frames;
	private final Result kind;
	private final FramePlan.Maker<R> make;
	/** -1 if unknown. */
	private final long count;
	private final ExecutorService finishers;
	private final Thread reader = new Thread(this::read, "ncc-frame-reader");
	private volatile boolean stopped;
	/** All below are guarded by this. */
	private FramePlan<R> plan;
	private final Deque<FramePlan.Frame<R>> underWay = new ArrayDeque<>();
	private Throwable failure, sourceFailure;
	private boolean sourceEnded;

	/** Stops everything when it is canceled, or when a part of it fails. */
	private final Monitor monitor = new Monitor() {

		@Override
		public void done(final long responses) {
			op.monitor().done(responses);
		}

		@Override
		public boolean canceled() {
			return stopped || op.monitor().canceled();
		}
	};

	FrameStream(final SlidingOp<?> op, final Iterable<? extends RandomAccessibleInterval<?>> frames, final Result kind, final FramePlan.Maker<R> make) {
		this.op = op;
		this.frames = frames;
		this.kind = kind;
		this.make = make;
		count = frames instanceof Collection ? ((Collection<?>) frames).size() : -1;
		finishers = Executors.newFixedThreadPool(op.threads(), task -> {
			final Thread t = new Thread(task, "ncc-frame-results");
			t.setDaemon(true);
			return t;
		});
		reader.setDaemon(true);
	}

	/** Does it, once. Throws as {@link NormalizedCrossCorrelation#correlateEach}. */
	StreamReport run(final FrameConsumer<? super R> consumer) {
		final long start = System.nanoTime();
		long frame = 0, longest = 0;
		double latency = 0;
		Report report = Report.NONE;
		reader.start();
		try {
			for (FramePlan.Frame<R> next = next(); next != null; next = next()) {
				final R result = result(next);
				report = report.plus(FramePlan.report(next));
				final long took = System.nanoTime() - next.start;
				longest = Math.max(longest, took);
				latency += 1e-9 * took;
				hand(consumer, next.index, result);
				taken(next);
				frame++;
			}
			return new StreamReport(frame, report, rankings(), 1e-9 * (System.nanoTime() - start), frame == 0 ? 0 : latency / frame, 1e-9 * longest);
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

	/** The oldest frame under way, once there is one; null after the last. */
	private synchronized FramePlan.Frame<R> next() throws InterruptedException {
		while (underWay.isEmpty()) {
			check();
			if (sourceFailure != null) throw thrown(sourceFailure);
			if (sourceEnded) return null;
			wait(FrameFeed.PATIENCE);
		}
		return underWay.peek();
	}

	private R result(final FramePlan.Frame<R> frame) throws InterruptedException {
		while (true) {
			synchronized (this) {
				if (!frame.result.isDone()) check();
			}
			try {
				return frame.result.get(FrameFeed.PATIENCE, TimeUnit.MILLISECONDS);
			}
			catch (final TimeoutException e) {
				// time to ask whether it is canceled
			}
			catch (final ExecutionException e) {
				throw thrown(e.getCause());
			}
		}
	}

	/** @throws RuntimeException if it cannot or shall not go on */
	private void check() {
		if (failure != null) throw thrown(failure);
		if (op.monitor().canceled()) throw new CancellationException("canceled");
	}

	private static RuntimeException thrown(final Throwable t) {
		if (t instanceof Error) throw (Error) t;
		return (RuntimeException) t;
	}

	private void hand(final FrameConsumer<? super R> consumer, final long frame, final R result) {
		if (op.monitor().canceled()) throw new CancellationException("canceled");
		try {
			consumer.accept(frame, result);
		}
		catch (final CancellationException e) {
			throw e;
		}
		catch (final IOException | RuntimeException e) {
			throw new FrameException(frame, " was computed, but its result could not be taken: ", e);
		}
	}

	private synchronized void taken(final FramePlan.Frame<R> frame) {
		underWay.remove(frame);
		plan.give(frame);
		notifyAll();
	}

	private synchronized void fail(final Throwable t) {
		if (failure == null) failure = t;
		notifyAll();
	}

	/** What the reader does. */
	private void read() {
		long k = 0;
		try {
			final Iterator<? extends RandomAccessibleInterval<?>> source = frames.iterator();
			while (!monitor.canceled() && source.hasNext()) {
				if (!read(source.next(), k)) break;
				k++;
			}
		}
		catch (final InterruptedException e) {
			// told to stop
		}
		catch (final Throwable t) {
			final Throwable said = said(t, k);
			synchronized (this) {
				sourceFailure = said;
			}
		}
		synchronized (this) {
			sourceEnded = true;
			if (plan != null) plan.end();
			notifyAll();
		}
	}

	private static Throwable said(final Throwable t, final long frame) {
		if (t instanceof Error || t instanceof CancellationException) return t;
		// what is wrong with the first one is wrong with all
		if (t instanceof IllegalArgumentException) return frame == 0 ? t : new IllegalArgumentException("frame " + frame + ": " + t.getMessage(), t);
		return new FrameException(frame, " could not be read: ", t);
	}

	/** Reads a frame and has it done. Returns false if all shall stop. */
	private boolean read(final RandomAccessibleInterval<?> pixels, final long index) throws InterruptedException {
		if (pixels == null) throw new IllegalArgumentException("there is no image");
		if (pixels.numDimensions() != op.dimensions()) throw new IllegalArgumentException("a frame of " + Size.of(pixels.dimensionsAsLongArray())
			+ ", and the " + op.noun() + " has " + op.dimensions() + " dimensions: give frames of as many (Frames.of cuts a stack into them)");
		if (!plan(pixels)) return false;
		final FramePlan.Frame<R> frame = free(pixels);
		if (frame == null) return false;
		plan.read(frame, pixels, index);
		synchronized (this) {
			underWay.add(frame);
			notifyAll();
		}
		plan.submit(frame);
		return true;
	}

	/** Waits for a frame's buffers; null if all shall stop. */
	private synchronized FramePlan.Frame<R> free(final RandomAccessibleInterval<?> like) throws InterruptedException {
		while (!monitor.canceled() && failure == null) {
			final FramePlan.Frame<R> frame = plan.take(like);
			if (frame != null) return frame;
			wait(FrameFeed.PATIENCE);
		}
		return null;
	}

	/** Makes a plan for such frames if that of the last one is for others. Returns false if all shall stop. */
	private boolean plan(final RandomAccessibleInterval<?> like) throws InterruptedException {
		final FramePlan<R> last = plan;
		if (last != null) {
			if (last.fits(like)) return true;
			last.end();
			synchronized (this) {
				while (!underWay.isEmpty() && !monitor.canceled() && failure == null) wait(FrameFeed.PATIENCE);
			}
			if (monitor.canceled()) return false;
			last.join();
			synchronized (this) {
				if (!underWay.isEmpty()) return false;
				plan = null;
			}
			last.close();
		}
		final FramePlan<R> next = new FramePlan<>(op, like, count < 0 ? UNKNOWN : Math.max(1, count), kind, make, monitor, finishers);
		if (last == null && count >= 0) op.monitor().total(Math.multiplyExact(count, next.responses()));
		synchronized (this) {
			if (monitor.canceled() || failure != null) return false;
			plan = next;
			next.start(this::fail);
		}
		return true;
	}

	/** Stops whatever still goes on, and waits for it. */
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
			// a source that waits for something is woken; one that is at work ends by itself
			reader.join(PATIENCE);
			if (reader.isAlive()) {
				reader.interrupt();
				reader.join(PATIENCE);
			}
			if (last != null) last.join();
			finishers.shutdown();
			// nobody must be reading a frame whose memory goes back
			if (finishers.awaitTermination(1, TimeUnit.MINUTES) && last != null && !reader.isAlive()) last.close();
		}
		catch (final InterruptedException e) {
			throw interrupted(e);
		}
		if (interrupted) Thread.currentThread().interrupt();
	}
}
