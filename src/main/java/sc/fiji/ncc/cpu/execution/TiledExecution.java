package sc.fiji.ncc.cpu.execution;

import java.nio.Buffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Supplier;

import sc.fiji.ncc.plan.DeviceException;
import sc.fiji.ncc.plan.Execution;
import sc.fiji.ncc.plan.KeptPixels;
import sc.fiji.ncc.plan.LagBox;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.Pixels;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.plan.Sink;
import sc.fiji.ncc.plan.Template;

/** Cuts submissions into tiles and has the pool's threads work through them; each thread takes the next tile when it has done one. */
public final class TiledExecution implements Execution {

	/** The share of the heap's free part that pictures may be kept in. */
	private static final double SHARE_OF_HEAP = 0.8;

	private final Function<List<Template>, TileMethod> prepare;
	private final Precision precision;
	private final int threads;
	private final Semaphore places;
	private List<TileGroup> groups;
	/** Submissions that have tiles left, oldest first, and how many threads work on them; guarded by this. */
	private final Deque<Submission<?>> underWay = new ArrayDeque<>();
	private int working;
	/** Of those, how many were called and have not come yet; and how many that come find a waiting thread in their place. */
	private int called, replaced;
	private boolean closed;

	/**
	 * @param precision of the responses
	 * @param prepare what correlates templates of one size, type and mask
	 */
	public TiledExecution(final List<Template> templates, final Precision precision, final int threads, final Function<List<Template>, TileMethod> prepare) {
		this.precision = precision;
		this.prepare = prepare;
		this.threads = threads;
		places = new Semaphore(depth());
		groups = TileGroup.of(templates, prepare);
	}

	/** Small frames have one tile each: enough of them in flight keep all threads at work. */
	@Override
	public int depth() {
		return threads + 1;
	}

	@Override
	public void replace(final List<Template> sameShapes) {
		places.acquireUninterruptibly(depth());
		try {
			requireOpen();
			final List<TileGroup> others = TileGroup.of(sameShapes, prepare);
			TileGroup.inherit(others, groups);
			groups = others;
		}
		finally {
			places.release(depth());
		}
	}

	@Override
	public CompletableFuture<Report> submit(final Pixels in, final LagBox lags, final Sink out, final Monitor monitor) {
		return submit(() -> new Correlation(in, lags, out, monitor));
	}

	@Override
	public CompletableFuture<KeptPixels> keep(final Pixels in, final LagBox lags, final Monitor monitor) {
		return submit(() -> new Keeping(in, lags, monitor));
	}

	private <T> CompletableFuture<T> submit(final Supplier<Submission<T>> submission) {
		places.acquireUninterruptibly();
		final Submission<T> s;
		try {
			requireOpen();
			s = submission.get();
		}
		catch (final RuntimeException e) {
			places.release();
			throw e;
		}
		start(s);
		return s.future;
	}

	private void requireOpen() {
		if (closed) throw new IllegalStateException("this execution is closed");
	}

	@Override
	public void close() {
		places.acquireUninterruptibly(depth());
		closed = true;
		groups = List.of();
		places.release(depth());
	}

	/** Adds a submission to those under way, and calls as many threads as it can use and this execution may have. */
	private void start(final Submission<?> s) {
		final int more;
		synchronized (this) {
			underWay.add(s);
			more = Math.min(threads - working, s.parts.tiles);
			working += more;
			called += more;
		}
		for (int i = 0; i < more; i++)
			try {
				CpuPool.run(this::come);
			}
			catch (final Throwable t) {
				// no thread to be had: those that there are do it, or if there are none nobody does
				final boolean nobody;
				synchronized (this) {
					final int missing = Math.min(called, more - i);
					called -= missing;
					working -= missing;
					replaced -= more - i - missing;
					nobody = working == 0;
				}
				if (nobody) s.tileDone(new DeviceException("no thread could be started: " + t, t), true);
				return;
			}
	}

	/** What a thread does that was called. */
	private void come() {
		synchronized (this) {
			if (replaced > 0) {
				replaced--;
				return;
			}
			called--;
		}
		Buffer buffer = precision.allocate(0);
		while (true) {
			final Submission<?> s;
			final int tile;
			synchronized (this) {
				s = underWay.peek();
				if (s == null) {
					working--;
					return;
				}
				tile = s.take();
			}
			buffer = s.run(tile, buffer);
		}
	}

	/**
	 * Who waits begins at once, in place of a thread that was called and has not come: to wake one takes as long as a small picture does. Where channels of files
	 * are read or written none but the threads of this class work: an interrupt of the caller's would close them.
	 */
	@Override
	public <T> T await(final CompletableFuture<T> submission) {
		if (!submission.isDone() && takePlace(submission)) help(submission);
		return submission.join();
	}

	private synchronized boolean takePlace(final CompletableFuture<?> submission) {
		final Submission<?> s = underWay(submission);
		if (s == null || called == 0 || !s.inMemory()) return false;
		called--;
		replaced++;
		return true;
	}

	/** The submission of this future, if it has tiles left. */
	private Submission<?> underWay(final CompletableFuture<?> submission) {
		for (final Submission<?> s : underWay)
			if (s.future == submission) return s;
		return null;
	}

	private void help(final CompletableFuture<?> submission) {
		Buffer buffer = precision.allocate(0);
		while (true) {
			final Submission<?> s, others;
			final int tile;
			synchronized (this) {
				s = underWay(submission);
				others = underWay.peek();
				if (s == null && others == null) working--;
				else if (s == null) called++;
				tile = s == null ? 0 : s.take();
			}
			if (s == null) {
				if (others != null) leavePlace();
				return;
			}
			buffer = s.run(tile, buffer);
		}
	}

	/** To another thread; if none can be had this one stays. */
	private void leavePlace() {
		try {
			CpuPool.run(this::come);
		}
		catch (final Throwable t) {
			come();
		}
	}

	/** One image on its way through, to what {@code T} is. */
	private abstract class Submission<T> {

		final Pixels in;
		final LagBox lags;
		final Monitor monitor;
		final TileParts parts;
		final CompletableFuture<T> future = new CompletableFuture<>();
		/** The next tile, and how many are being computed; guarded by the execution. */
		private int next, flying;
		private volatile Throwable failure;

		Submission(final Pixels in, final LagBox lags, final Monitor monitor) {
			this.in = in;
			this.lags = lags;
			this.monitor = monitor;
			parts = new TileParts(groups, lags, threads);
		}

		/**
		 * Computes a tile.
		 *
		 * @param buffer room for responses; what is returned may be larger
		 */
		abstract Buffer compute(int tile, Buffer buffer);

		/** Whether neither its pixels nor its responses lie in files. */
		abstract boolean inMemory();

		/** What came of it. */
		abstract T result();

		/** Computes a tile and counts it as done; buffer as in {@link #compute}. */
		final Buffer run(final int tile, final Buffer buffer) {
			Buffer after = buffer;
			Throwable problem = null;
			try {
				if (monitor.canceled()) throw new CancellationException("canceled");
				after = compute(tile, buffer);
			}
			catch (final Throwable t) {
				problem = t;
			}
			tileDone(problem, false);
			return after;
		}

		final boolean stopped() {
			return monitor.canceled() || failure != null;
		}

		final TileMethod.Tile tile(final TileParts.Part part, final int index) {
			final long[] min = part.grid().min(parts.inPart(index)), lag = part.origin().clone();
			for (int d = 0; d < lag.length; d++) lag[d] += min[d];
			return new TileMethod.Tile(in, lag, part.grid().size(min));
		}

		/** The next tile; there is one as long as the submission is under way. Called under the execution's lock. */
		final int take() {
			flying++;
			if (next + 1 == parts.tiles) underWay.remove(this);
			return next++;
		}

		/**
		 * Counts a tile as done, and ends the submission after the last one.
		 *
		 * @param none whether no tile was taken: the submission failed before
		 */
		final void tileDone(final Throwable problem, final boolean none) {
			final boolean last;
			synchronized (TiledExecution.this) {
				if (!none) flying--;
				if (problem != null) {
					if (failure == null) failure = problem;
					underWay.remove(this);
					next = parts.tiles;
				}
				last = next == parts.tiles && flying == 0;
			}
			if (last) end();
		}

		/** The place is free only when the future is done: who has closed the execution finds all of them done. */
		private void end() {
			if (failure == null) future.complete(result());
			else if (failure instanceof OutOfMemoryError) future.completeExceptionally(new DeviceException(
				"not enough memory on the Java heap: give Java more (-Xmx), or restrict the work to a search window", failure));
			else future.completeExceptionally(failure);
			places.release();
		}
	}

	/** To the responses of all templates. */
	private final class Correlation extends Submission<Report> {

		private final Sink out;
		/** What was kept of each tile; null if nothing was. */
		private final SharedTile[] kept;
		private final AtomicLong undefined = new AtomicLong(), rechecked = new AtomicLong();

		Correlation(final Pixels in, final LagBox lags, final Sink out, final Monitor monitor) {
			super(in, lags, monitor);
			this.out = out;
			kept = in instanceof KeptTiles ? ((KeptTiles) in).tiles(TiledExecution.this, groups, lags) : null;
		}

		@Override
		Buffer compute(final int index, final Buffer buffer) {
			final TileParts.Part part = parts.part(index);
			final TileMethod.Tile tile = tile(part, index);
			final int n = tile.lags();
			final long[] min = part.grid().min(parts.inPart(index));
			final int[] templates = part.group().templates;
			final TileMethod.Output output = new TileMethod.Output() {

				@Override
				public Sink.Place place(final int member) {
					return out.place(templates[member], min);
				}

				@Override
				public void take(final int member, final Buffer r) {
					if (r != null) out.map(templates[member], min, tile.size(), r.duplicate().limit(n));
					monitor.done(n);
				}
			};
			boolean room = !part.group().method.writesInPlace();
			for (final int member : part.members()) room |= output.place(member) == null;
			final Buffer responses = room && buffer.capacity() < n ? precision.allocate(n) : buffer;
			final TileMethod.Worker worker = part.group().take();
			final TileMethod.Count count =
				worker.compute(tile, kept == null ? null : kept[index], part.members(), out.undefined(), responses, output, this::stopped);
			part.group().give(worker);
			undefined.addAndGet(count.undefined());
			rechecked.addAndGet(count.rechecked());
			return responses;
		}

		@Override
		boolean inMemory() {
			return in.rowsAreQuick() && out.place(0, new long[lags.size().length]) != null;
		}

		@Override
		Report result() {
			return new Report(lags.lags() * lags.origins().length, undefined.get(), rechecked.get());
		}
	}

	/** To what templates share of it. */
	private final class Keeping extends Submission<KeptPixels> {

		private final SharedTile[] tiles = new SharedTile[parts.tiles];
		private final List<TileGroup> keepers = groups;
		private final long bytes = parts.sharedBytes();

		Keeping(final Pixels in, final LagBox lags, final Monitor monitor) {
			super(in, lags, monitor);
			final Runtime heap = Runtime.getRuntime();
			final long free = heap.maxMemory() - heap.totalMemory() + heap.freeMemory();
			if (bytes > SHARE_OF_HEAP * free) throw new DeviceException("to keep what templates share of this picture takes " + (bytes >> 20)
				+ " MiB, and the Java heap has " + (free >> 20) + " MiB left: give Java more (-Xmx), restrict the work to a search window, or do not keep it");
		}

		@Override
		Buffer compute(final int index, final Buffer buffer) {
			final TileParts.Part part = parts.part(index);
			final TileMethod.Worker worker = part.group().take();
			// written before the tile is counted as done, under the execution's lock, and read after all are
			tiles[index] = worker.share(tile(part, index), this::stopped);
			part.group().give(worker);
			return buffer;
		}

		@Override
		boolean inMemory() {
			return in.rowsAreQuick();
		}

		@Override
		KeptPixels result() {
			return new KeptTiles(TiledExecution.this, keepers, in, lags, bytes, tiles);
		}
	}
}
