package sc.fiji.ncc.cuda.run;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

import jcuda.CudaException;
import jcuda.driver.JCudaDriver;

import sc.fiji.ncc.cuda.driver.CudaDevice;
import sc.fiji.ncc.cuda.driver.StreamContext;
import sc.fiji.ncc.plan.DeviceException;
import sc.fiji.ncc.plan.Execution;
import sc.fiji.ncc.plan.LagBox;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.Pixels;
import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.plan.Sink;
import sc.fiji.ncc.plan.Template;

/**
 * Runs submissions on a GPU. Several threads, each with its own stream, take waiting tasks in the order of a {@link Schedule}: read pixels into pinned memory,
 * send them, launch kernels, fetch the responses and pass them on. Thus copies of one task overlap the computation of others.
 */
public final class CudaExecution<T extends Schedule.Task> implements Execution {

	private static final AtomicInteger THREADS = new AtomicInteger();
	public static final ExecutorService POOL = Executors.newCachedThreadPool(task -> {
		final Thread t = new Thread(task, "ncc-cuda-" + THREADS.incrementAndGet());
		t.setDaemon(true);
		return t;
	});

	private final CudaDevice device;
	private final int contexts, depth;
	private final Function<List<Template>, Schedule<T>> prepare;
	private final Semaphore places;
	private Schedule<T> schedule;
	/** Unused contexts; all contexts; waiting tasks, oldest first; the number of busy threads. Guarded by this. */
	private final Deque<StreamContext> idle = new ArrayDeque<>();
	private final List<StreamContext> allContexts = new ArrayList<>();
	private final Deque<T> waiting = new ArrayDeque<>();
	private int working;
	private boolean closed;

	/**
	 * @param contexts the maximum number of threads, each with a stream
	 * @param depth the maximum number of submissions in flight
	 * @param prepare makes the schedule for a list of templates
	 */
	public CudaExecution(final CudaDevice device, final int contexts, final int depth, final List<Template> templates,
		final Function<List<Template>, Schedule<T>> prepare)
	{
		this.device = device;
		this.contexts = contexts;
		this.depth = depth;
		this.prepare = prepare;
		places = new Semaphore(depth);
		use(templates);
	}

	private void use(final List<Template> templates) {
		final Schedule<T> next = device.prepared(() -> prepare.apply(List.copyOf(templates)));
		if (schedule != null) schedule.close();
		schedule = next;
	}

	@Override
	public int depth() {
		return depth;
	}

	@Override
	public void replace(final List<Template> sameShapes) {
		places.acquireUninterruptibly(depth);
		try {
			requireOpen();
			use(sameShapes);
		}
		finally {
			places.release(depth);
		}
	}

	@Override
	public CompletableFuture<Report> submit(final Pixels in, final LagBox lags, final Sink out, final Monitor monitor) {
		places.acquireUninterruptibly();
		final Submission s = new Submission(in, lags, out, monitor);
		final List<T> tasks;
		try {
			requireOpen();
			tasks = schedule.tasks(s);
		}
		catch (final RuntimeException | Error e) {
			places.release();
			throw e;
		}
		s.unfinished = tasks.size();
		final int added;
		synchronized (this) {
			waiting.addAll(tasks);
			added = Math.min(contexts - working, tasks.size());
			working += added;
		}
		for (int i = 0; i < added; i++)
			try {
				POOL.execute(this::work);
			}
			catch (final RuntimeException | Error e) {
				withoutThreads(added - i, e);
				break;
			}
		return s.future;
	}

	/** Threads could not be started: the others do their work, and if there are none, the waiting tasks fail. */
	private void withoutThreads(final int missing, final Throwable failure) {
		while (true) {
			final T task;
			synchronized (this) {
				if (working > missing || waiting.isEmpty()) {
					working -= missing;
					return;
				}
				task = waiting.poll();
			}
			done(task.s, failure);
		}
	}

	private void requireOpen() {
		if (closed) throw new IllegalStateException("this execution is closed: prepare a new one");
	}

	@Override
	public void close() {
		places.acquireUninterruptibly(depth);
		try {
			if (closed) return;
			closed = true;
			if (device.lost() != null) return; // the driver has released its memory
			device.enter();
			schedule.close();
			synchronized (this) {
				allContexts.forEach(StreamContext::close);
			}
		}
		finally {
			places.release(depth);
		}
	}

	/**
	 * The body of a thread: computes tasks until none waits. With a full heap, any step can fail: then the tasks fail, because {@link #close} waits for
	 * their places.
	 */
	private void work() {
		final List<T> tasks = new ArrayList<>();
		while (true) {
			Throwable failure = null;
			try {
				take(tasks);
				if (!tasks.isEmpty()) compute(tasks);
			}
			catch (final Throwable t) {
				failure = t;
			}
			synchronized (this) {
				if (tasks.isEmpty() && !waiting.isEmpty()) {
					// new since the look
					if (failure == null) continue;
					tasks.add(waiting.poll());
				}
				if (tasks.isEmpty()) {
					working--;
					return;
				}
			}
			failure = translated(failure);
			for (int i = 0; i < tasks.size(); i++) done(tasks.get(i).s, failure);
			tasks.clear();
		}
	}

	private static Throwable translated(final Throwable failure) {
		try {
			if (failure instanceof CudaException) return new DeviceException(failure.getMessage(), failure);
			return failure instanceof OutOfMemoryError ? DeviceException.outOfHeap((OutOfMemoryError) failure) : failure;
		}
		catch (final OutOfMemoryError e) {
			return failure;
		}
	}

	/** The next tasks for a thread. None if none waits. */
	private synchronized void take(final List<T> tasks) {
		if (waiting.isEmpty()) return;
		for (int n = schedule.together(waiting); n > 0; n--) {
			// the list holds a task before the task leaves the queue
			tasks.add(waiting.peek());
			waiting.remove();
		}
	}

	private void compute(final List<T> tasks) {
		final StreamContext context = context();
		try {
			schedule.compute(context, tasks);
		}
		finally {
			try {
				// also after a failure, the stream must no longer use the context's memory
				device.check(JCudaDriver.cuStreamSynchronize(context.stream), "waiting for " + device.device.name());
			}
			finally {
				synchronized (this) {
					idle.push(context);
				}
			}
		}
	}

	private StreamContext context() {
		device.enter();
		synchronized (this) {
			final StreamContext free = idle.poll();
			if (free != null) return free;
			final StreamContext context = new StreamContext(device);
			allContexts.add(context);
			return context;
		}
	}

	/** Ends a task of a submission. If it failed, the other tasks are not begun. */
	private void done(final Submission s, final Throwable failure) {
		if (failure != null) s.fail(failure);
		synchronized (this) {
			final int before = waiting.size();
			if (failure != null) waiting.removeIf(t -> t.s == s);
			s.unfinished -= 1 + before - waiting.size();
			if (s.unfinished > 0) return;
		}
		try {
			s.end();
		}
		finally {
			// after completing the future, so that all futures are done when close returns
			places.release();
		}
	}
}
