package sc.fiji.ncc.cpu;

import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
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

	/** No tile is cut to fewer rows of lags only to have more tiles. */
	private static final int LOWEST = 16;

	private final Function<Template, TileMethod> prepare;
	private final int threads;
	private final Semaphore places;
	private List<TileMethod> methods;
	/** For each template the workers that nobody uses at the moment. */
	private List<Queue<TileMethod.Worker>> idle;
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
		s.start();
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

	/** One image on its way through. */
	private final class Submission {

		private final Pixels in;
		private final LagBox lags;
		private final Sink out;
		private final Monitor monitor;
		private final List<Grid> grids = new ArrayList<>();
		private final int tiles;
		private final AtomicInteger next = new AtomicInteger();
		private final AtomicInteger working;
		private final AtomicLong undefined = new AtomicLong(), rechecked = new AtomicLong();
		private final AtomicReference<Throwable> failure = new AtomicReference<>();
		private final CompletableFuture<Report> future = new CompletableFuture<>();

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
			working = new AtomicInteger(Math.min(threads, tiles));
		}

		void start() {
			final int workers = working.get();
			for (int i = 0; i < workers; i++) CpuPool.run(this::work);
		}

		private void work() {
			try {
				float[] buffer = new float[0];
				for (int i = next.getAndIncrement(); i < tiles && failure.get() == null; i = next.getAndIncrement()) {
					if (monitor.canceled()) throw new CancellationException("canceled");
					buffer = tile(i, buffer);
				}
			}
			catch (final Throwable t) {
				failure.compareAndSet(null, t);
			}
			finally {
				if (working.decrementAndGet() == 0) end();
			}
		}

		private float[] tile(final int index, final float[] buffer) {
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
				worker.compute(in, lag, size, out.undefined(), responses, () -> monitor.canceled() || failure.get() != null);
			free.add(worker);
			out.map(t, min, size, FloatBuffer.wrap(responses, 0, n));
			undefined.addAndGet(count.undefined());
			rechecked.addAndGet(count.rechecked());
			monitor.done(n);
			return responses;
		}

		/** The place is free only when the future is done: who has closed the execution finds all of them done. */
		private void end() {
			final Throwable t = failure.get();
			if (t == null) future.complete(new Report(lags.lags() * methods.size(), undefined.get(), rechecked.get()));
			else if (t instanceof OutOfMemoryError) future.completeExceptionally(new DeviceException("not enough memory on the Java heap", t));
			else future.completeExceptionally(t);
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
				for (; n < wanted && lags[1] / (count[1] + 1) >= LOWEST; n += n / (count[1] - 1)) count[1]++;
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
