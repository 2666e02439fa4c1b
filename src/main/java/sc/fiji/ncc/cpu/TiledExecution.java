package sc.fiji.ncc.cpu;

import java.nio.FloatBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

import sc.fiji.ncc.plan.DeviceException;
import sc.fiji.ncc.plan.Execution;
import sc.fiji.ncc.plan.LagBox;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.Pixels;
import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.plan.Sink;
import sc.fiji.ncc.plan.Template;

/** Cuts submissions into tiles and has the pool's threads work through them; each thread takes the next tile when it has done one. */
final class TiledExecution implements Execution {

	private final Function<Template, TileMethod> prepare;
	private final int threads;
	private final Semaphore places;
	private List<TileMethod> methods;
	/** For each template the workers that nobody uses at the moment. */
	private List<Queue<TileMethod.Worker>> idle;
	/** Submissions that have tiles left, oldest first, and how many threads work on them; guarded by this. */
	private final Deque<Submission> underWay = new ArrayDeque<>();
	private int working;
	private boolean closed;

	TiledExecution(final List<Template> templates, final int threads, final Function<Template, TileMethod> prepare) {
		this.prepare = prepare;
		this.threads = threads;
		places = new Semaphore(depth());
		use(templates);
	}

	private void use(final List<Template> templates) {
		methods = new ArrayList<>();
		idle = new ArrayList<>();
		for (final Template t : templates) {
			methods.add(prepare.apply(t));
			idle.add(new ConcurrentLinkedQueue<>());
		}
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
			use(sameShapes);
		}
		finally {
			places.release(depth());
		}
	}

	@Override
	public CompletableFuture<Report> submit(final Pixels in, final LagBox lags, final Sink out, final Monitor monitor) {
		places.acquireUninterruptibly();
		final Submission s;
		try {
			requireOpen();
			s = new Submission(in, lags, out, monitor);
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
		methods = List.of();
		idle = List.of();
		places.release(depth());
	}

	/** Adds a submission to those under way, and as many threads as it can use and this execution may have. */
	private void start(final Submission s) {
		final int more;
		synchronized (this) {
			underWay.add(s);
			more = Math.min(threads - working, s.tiles);
			working += more;
		}
		for (int i = 0; i < more; i++)
			try {
				CpuPool.run(this::work);
			}
			catch (final Throwable t) {
				// no thread to be had: those that there are do it, or if there are none nobody does
				final boolean nobody;
				synchronized (this) {
					working -= more - i;
					nobody = working == 0;
				}
				if (nobody) s.tileDone(new DeviceException("no thread could be started: " + t, t), true);
				return;
			}
	}

	/** What one thread does until no tile is left. */
	private void work() {
		float[] buffer = new float[0];
		while (true) {
			final Submission s;
			final int tile;
			synchronized (this) {
				s = underWay.peek();
				if (s == null) {
					working--;
					return;
				}
				tile = s.take();
			}
			Throwable failure = null;
			try {
				if (s.monitor.canceled()) throw new CancellationException("canceled");
				buffer = s.compute(tile, buffer);
			}
			catch (final Throwable t) {
				failure = t;
			}
			s.tileDone(failure, false);
		}
	}

	/** One image on its way through. */
	private final class Submission {

		private final Pixels in;
		private final LagBox lags;
		private final Sink out;
		private final Monitor monitor;
		private final List<Grid> grids = new ArrayList<>();
		private final int tiles;
		private final AtomicLong undefined = new AtomicLong(), rechecked = new AtomicLong();
		private final CompletableFuture<Report> future = new CompletableFuture<>();
		/** The next tile, and how many are being computed; guarded by the execution. */
		private int next, flying;
		private volatile Throwable failure;

		Submission(final Pixels in, final LagBox lags, final Sink out, final Monitor monitor) {
			this.in = in;
			this.lags = lags;
			this.out = out;
			this.monitor = monitor;
			int n = 0;
			for (final TileMethod m : methods) {
				final Grid g = new Grid(lags.size(), m, (4 * threads + methods.size() - 1) / methods.size());
				grids.add(g);
				n = Math.addExact(n, g.tiles);
			}
			tiles = n;
		}

		/** The next tile; there is one as long as the submission is under way. Called under the execution's lock. */
		int take() {
			flying++;
			if (next + 1 == tiles) underWay.remove(this);
			return next++;
		}

		/**
		 * Counts a tile as done, and ends the submission after the last one.
		 *
		 * @param none whether no tile was taken: the submission failed before
		 */
		void tileDone(final Throwable problem, final boolean none) {
			final boolean last;
			synchronized (TiledExecution.this) {
				if (!none) flying--;
				if (problem != null) {
					if (failure == null) failure = problem;
					underWay.remove(this);
					next = tiles;
				}
				last = next == tiles && flying == 0;
			}
			if (last) end();
		}

		private float[] compute(final int index, final float[] buffer) {
			int t = 0, i = index;
			while (i >= grids.get(t).tiles) i -= grids.get(t++).tiles;
			final Grid grid = grids.get(t);
			final long[] min = grid.min(i);
			final int[] size = grid.size(min);
			int n = 1;
			for (final int extent : size) n *= extent;
			final float[] responses = buffer.length < n ? new float[n] : buffer;
			final long[] lag = lags.origins()[t].clone();
			for (int d = 0; d < lag.length; d++) lag[d] += min[d];
			final Queue<TileMethod.Worker> free = idle.get(t);
			final TileMethod.Worker spare = free.poll();
			final TileMethod.Worker worker = spare == null ? methods.get(t).worker() : spare;
			final TileMethod.Count count =
				worker.compute(in, lag, size, out.undefined(), responses, () -> monitor.canceled() || failure != null);
			free.add(worker);
			out.map(t, min, size, FloatBuffer.wrap(responses, 0, n));
			undefined.addAndGet(count.undefined());
			rechecked.addAndGet(count.rechecked());
			monitor.done(n);
			return responses;
		}

		/** The place is free only when the future is done: who has closed the execution finds all of them done. */
		private void end() {
			if (failure == null) future.complete(new Report(lags.lags() * methods.size(), undefined.get(), rechecked.get()));
			else if (failure instanceof OutOfMemoryError) future.completeExceptionally(new DeviceException(
				"not enough memory on the Java heap: give Java more (-Xmx), or restrict the work to a search window", failure));
			else future.completeExceptionally(failure);
			places.release();
		}
	}

	/** The tiles of one template's lags. */
	private static final class Grid {

		private final int[] lags, step, count;
		final int tiles;

		Grid(final int[] lags, final TileMethod method, final int wanted) {
			this.lags = lags;
			count = new int[lags.length];
			step = new int[lags.length];
			long n = 1;
			for (int d = 0; d < lags.length; d++) {
				count[d] = (lags[d] + method.mostLags(d) - 1) / method.mostLags(d);
				n *= count[d];
			}
			// enough tiles for all threads, but none so low that the rows shared with its neighbours cost more than they bring
			if (lags.length > 1)
				for (; n < wanted && lags[1] / (count[1] + 1) >= method.leastRows(); n += n / (count[1] - 1)) count[1]++;
			int all = 1;
			for (int d = 0; d < lags.length; d++) {
				step[d] = (lags[d] + count[d] - 1) / count[d];
				count[d] = (lags[d] + step[d] - 1) / step[d];
				all = Math.multiplyExact(all, count[d]);
			}
			tiles = all;
		}

		long[] min(final int tile) {
			final long[] min = new long[lags.length];
			for (int d = 0, i = tile; d < lags.length; d++) {
				min[d] = (long) (i % count[d]) * step[d];
				i /= count[d];
			}
			return min;
		}

		int[] size(final long[] min) {
			final int[] size = new int[lags.length];
			for (int d = 0; d < lags.length; d++) size[d] = (int) Math.min(step[d], lags[d] - min[d]);
			return size;
		}
	}
}
