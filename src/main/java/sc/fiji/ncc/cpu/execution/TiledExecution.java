package sc.fiji.ncc.cpu.execution;

import java.nio.Buffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Supplier;

import sc.fiji.ncc.plan.DeviceException;
import sc.fiji.ncc.plan.Execution;
import sc.fiji.ncc.plan.Execution.KeptPixels;
import sc.fiji.ncc.plan.LagBox;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.Pixels;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.plan.Sink;
import sc.fiji.ncc.plan.Template;

/** Cuts submissions into tiles and computes them on the threads of the pool. Each thread takes the next tile when it has finished one. */
public final class TiledExecution implements Execution {

	/** The maximum share of the free heap that kept images may use. */
	private static final double SHARE_OF_HEAP = 0.8;

	private final Function<List<Template>, TileMethod> prepare;
	private final Precision precision;
	private final int threads;
	private final long frames;
	private final Semaphore permits;
	/** The first buffer of each thread. A thread that could not allocate it would leave its place taken. */
	private final Buffer noBuffer;
	/** Null if nothing is kept for the next execution. */
	private final IdleGroups.Kind kind;
	private List<Template> templates;
	private List<TileGroup> groups;
	/** The submissions with tiles left, oldest first, and the number of threads at work. Guarded by this. */
	private final Deque<TiledSubmission<?>> active = new ArrayDeque<>();
	private int working;
	/** Of these threads: the number that were requested and have not started yet; and the number that will find a waiting caller in their place. */
	private int requested, replaced;
	/** Of the requested threads: the number that the pool was not asked for yet. */
	private int unstarted;
	private boolean closed;

	/**
	 * @param precision the precision of the responses
	 * @param frames the number of images
	 * @param prepare creates the method for templates of one size, type and mask
	 * @param kind the executions whose templates and workers this one can use, and the reverse; null for none
	 */
	TiledExecution(final List<Template> templates, final Precision precision, final int threads, final long frames,
		final Function<List<Template>, TileMethod> prepare, final IdleGroups.Kind kind)
	{
		this.precision = precision;
		this.prepare = prepare;
		this.threads = threads;
		this.frames = frames;
		permits = new Semaphore(depth());
		noBuffer = precision.allocate(0);
		this.kind = kind;
		this.templates = templates;
		groups = groups();
	}

	private List<TileGroup> groups() {
		final List<TileGroup> same = kind == null ? null : IdleGroups.take(kind, templates, true);
		if (same != null) return same;
		final List<TileGroup> others = kind == null ? null : IdleGroups.take(kind, templates, false),
			created = TileGroup.of(templates, prepare);
		if (others != null) TileGroup.inherit(created, others);
		return created;
	}

	/** The number of submissions that may be in progress. A small frame has one tile, so several frames keep all threads busy. */
	@Override
	public int depth() {
		return threads + 1;
	}

	@Override
	public void replace(final List<Template> sameShapes) {
		permits.acquireUninterruptibly(depth());
		try {
			requireOpen();
			final List<TileGroup> others = TileGroup.of(sameShapes, prepare);
			TileGroup.inherit(others, groups);
			groups = others;
			templates = sameShapes;
		}
		finally {
			permits.release(depth());
		}
	}

	@Override
	public CompletableFuture<Report> submit(final Pixels in, final LagBox lags, final Sink out, final Monitor monitor) {
		return submit(() -> new Responses(in, lags, out, monitor));
	}

	@Override
	public CompletableFuture<KeptPixels> keep(final Pixels in, final LagBox lags, final Monitor monitor) {
		return submit(() -> new Keeping(in, lags, monitor));
	}

	private <T> CompletableFuture<T> submit(final Supplier<TiledSubmission<T>> submission) {
		permits.acquireUninterruptibly();
		final TiledSubmission<T> s;
		try {
			requireOpen();
			s = submission.get();
		}
		catch (final RuntimeException | Error e) {
			permits.release();
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
		permits.acquireUninterruptibly(depth());
		if (!closed && kind != null) IdleGroups.put(kind, templates, groups);
		closed = true;
		groups = List.of();
		permits.release(depth());
	}

	/** Adds a submission to the active ones, and requests as many threads as it can use within this execution's limit. */
	private void start(final TiledSubmission<?> s) {
		synchronized (this) {
			active.add(s);
			final int more = Math.min(threads - working, s.parts.tiles);
			working += more;
			requested += more;
			unstarted += more;
		}
		startThreads(s);
	}

	/**
	 * Starts the threads that are requested. Threads that have started help: to wake 16 threads one after the other takes as long as to compute a small image.
	 *
	 * @param s the submission that fails if there is no thread; null if this thread works
	 */
	private void startThreads(final TiledSubmission<?> s) {
		while (true) {
			synchronized (this) {
				if (unstarted == 0) return;
				unstarted--;
			}
			try {
				CpuPool.run(this::work);
			}
			catch (final Throwable t) {
				// no thread could be started: the others do the work; if there is none, the submission fails
				final boolean noThread;
				synchronized (this) {
					final int givenUp = 1 + unstarted, missing = Math.min(requested, givenUp);
					unstarted = 0;
					requested -= missing;
					working -= missing;
					replaced -= givenUp - missing;
					noThread = working == 0;
				}
				if (noThread && s != null) s.tileDone(new DeviceException("no thread could be started: " + t, t), true);
				return;
			}
		}
	}

	/** The work of a requested thread. */
	private void work() {
		startThreads(null);
		synchronized (this) {
			if (replaced > 0) {
				replaced--;
				return;
			}
			requested--;
		}
		Buffer buffer = noBuffer;
		while (true) {
			final TiledSubmission<?> s;
			final int tile;
			synchronized (this) {
				s = active.peek();
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
	 * The waiting thread computes tiles itself, in place of a requested thread that has not started: to wake a thread takes as long as to compute a small
	 * image. If files are read or written, only the threads of this class work, because an interrupt of the caller's thread would close their channels.
	 */
	@Override
	public <T> T await(final CompletableFuture<T> submission) {
		if (submission.isDone() || !takePlace(submission)) return submission.join();
		Buffer buffer = noBuffer;
		while (true) {
			final TiledSubmission<?> s, others;
			final int tile;
			synchronized (this) {
				s = active(submission);
				others = active.peek();
				if (s == null && others == null) working--;
				else if (s == null) requested++;
				tile = s == null ? 0 : s.take();
			}
			if (s == null) {
				if (others != null) leavePlace();
				return submission.join();
			}
			buffer = s.run(tile, buffer);
		}
	}

	private synchronized boolean takePlace(final CompletableFuture<?> submission) {
		final TiledSubmission<?> s = active(submission);
		if (s == null || requested == 0 || !s.inMemory()) return false;
		requested--;
		replaced++;
		return true;
	}

	/** Removes a submission that has no tiles left. Called under this execution's lock. */
	void deactivate(final TiledSubmission<?> s) {
		active.remove(s);
	}

	/** Frees the place of a submission that has ended. */
	void free() {
		permits.release();
	}

	/** The submission of this future, if it has tiles left. */
	private TiledSubmission<?> active(final CompletableFuture<?> submission) {
		for (final TiledSubmission<?> s : active)
			if (s.future == submission) return s;
		return null;
	}

	/** Passes this thread's place to another thread. If none can be started, this thread stays. */
	private void leavePlace() {
		try {
			CpuPool.run(this::work);
		}
		catch (final Throwable t) {
			work();
		}
	}

	/** A submission that computes the responses of all templates. */
	private final class Responses extends TiledSubmission<Report> {

		private final Sink out;
		/** The kept data of each tile; null if none were kept. */
		private final SharedTile[] kept;
		private final AtomicLong undefined = new AtomicLong(), rechecked = new AtomicLong();

		Responses(final Pixels in, final LagBox lags, final Sink out, final Monitor monitor) {
			super(TiledExecution.this, new SubmissionTiles(groups, lags, threads, frames), in, lags, monitor);
			this.out = out;
			kept = in instanceof KeptTiles ? ((KeptTiles) in).tiles(TiledExecution.this, groups, lags) : null;
		}

		@Override
		Buffer run(final int index, final Buffer buffer) {
			Buffer responses = buffer;
			Throwable problem = null;
			try {
				monitor.requireNotCanceled();
				final SubmissionTiles.Part part = parts.part(index);
				final TileMethod.Tile tile = tile(part, index);
				final TileMethod.Output to = output(part, index, tile);
				boolean needed = false;
				for (final int member : part.members()) needed |= to.place(member) == null;
				if (needed && buffer.capacity() < tile.lags()) responses = precision.allocate(tile.lags());
				final TileMethod.Worker worker = part.group().acquire();
				final TileMethod.Count count =
					worker.compute(tile, kept == null ? null : kept[index], part.members(), out.undefined(), responses, to, this::stopped);
				part.group().release(worker);
				undefined.addAndGet(count.undefined());
				rechecked.addAndGet(count.rechecked());
			}
			catch (final Throwable t) {
				problem = t;
			}
			tileDone(problem, false);
			return responses;
		}

		private TileMethod.Output output(final SubmissionTiles.Part part, final int index, final TileMethod.Tile tile) {
			final int n = tile.lags();
			final long[] min = part.grid().min(parts.inPart(index));
			final int[] templates = part.group().templates;
			return new TileMethod.Output() {

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
		}

		@Override
		boolean inMemory() {
			return in.readsRowsFast() && out.place(0, new long[lags.size().length]) != null;
		}

		@Override
		Report result() {
			return new Report(lags.lags() * lags.origins().length, undefined.get(), rechecked.get());
		}
	}

	/** A submission that computes the tile data that templates share. */
	private final class Keeping extends TiledSubmission<KeptPixels> {

		private final SharedTile[] tiles = new SharedTile[parts.tiles];
		private final List<TileGroup> keepers = groups;
		private final long bytes = parts.sharedBytes();

		Keeping(final Pixels in, final LagBox lags, final Monitor monitor) {
			super(TiledExecution.this, new SubmissionTiles(groups, lags, threads, frames), in, lags, monitor);
			IdleGroups.clear();
			final Runtime heap = Runtime.getRuntime();
			final long free = heap.maxMemory() - heap.totalMemory() + heap.freeMemory();
			if (bytes > SHARE_OF_HEAP * free) throw new DeviceException("keeping this image's data takes " + (bytes >> 20)
				+ " MiB, but the Java heap has " + (free >> 20)
				+ " MiB left: increase the heap (-Xmx), restrict the work to a search window, or do not keep it");
		}

		@Override
		Buffer run(final int index, final Buffer buffer) {
			Throwable problem = null;
			try {
				monitor.requireNotCanceled();
				final SubmissionTiles.Part part = parts.part(index);
				final TileMethod.Worker worker = part.group().acquire();
				// written before the tile is counted as done under the execution's lock, and read after all tiles are done
				tiles[index] = worker.share(tile(part, index), this::stopped);
				part.group().release(worker);
			}
			catch (final Throwable t) {
				problem = t;
			}
			tileDone(problem, false);
			return buffer;
		}

		@Override
		boolean inMemory() {
			return in.readsRowsFast();
		}

		@Override
		KeptPixels result() {
			return new KeptTiles(TiledExecution.this, keepers, in, lags, bytes, tiles);
		}
	}
}
