package sc.fiji.ncc.cuda;

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

import sc.fiji.ncc.plan.DeviceException;
import sc.fiji.ncc.plan.Execution;
import sc.fiji.ncc.plan.LagBox;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.Pixels;
import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.plan.Sink;
import sc.fiji.ncc.plan.Template;

/**
 * Submissions on their way through a card. Some threads, each with a stream of its own, take what waits, as a {@link Schedule} has it: read its pixels into
 * pinned memory, send them, launch, fetch the responses and hand them on. So copies of one task hide behind the work of others.
 */
final class CudaExecution<T extends Schedule.Task> implements Execution {

	private static final AtomicInteger THREADS = new AtomicInteger();
	static final ExecutorService POOL = Executors.newCachedThreadPool(task -> {
		final Thread t = new Thread(task, "ncc-cuda-" + THREADS.incrementAndGet());
		t.setDaemon(true);
		return t;
	});

	private final CudaDevice device;
	private final int slots, depth;
	private final Function<List<Template>, Schedule<T>> prepare;
	private final Semaphore places;
	private Schedule<T> schedule;
	/** Slots that nobody uses at the moment; all there are; what waits, oldest first; threads at work. Guarded by this. */
	private final Deque<Slot> idle = new ArrayDeque<>();
	private final List<Slot> all = new ArrayList<>();
	private final Deque<T> waiting = new ArrayDeque<>();
	private int working;
	private boolean closed;

	/**
	 * @param slots threads, each with a stream, at most
	 * @param depth submissions in flight, at most
	 * @param prepare makes what takes submissions for some templates
	 */
	CudaExecution(final CudaDevice device, final int slots, final int depth, final List<Template> templates, final Function<List<Template>, Schedule<T>> prepare) {
		this.device = device;
		this.slots = slots;
		this.depth = depth;
		this.prepare = prepare;
		places = new Semaphore(depth);
		use(templates);
	}

	private void use(final List<Template> templates) {
		final Schedule<T> made;
		try {
			device.enter();
			made = prepare.apply(List.copyOf(templates));
		}
		catch (final CudaException e) {
			throw new DeviceException(e.getMessage(), e);
		}
		if (schedule != null) schedule.close();
		schedule = made;
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
		catch (final RuntimeException e) {
			places.release();
			throw e;
		}
		s.left = tasks.size();
		final int more;
		synchronized (this) {
			waiting.addAll(tasks);
			more = Math.min(slots - working, tasks.size());
			working += more;
		}
		for (int i = 0; i < more; i++) POOL.execute(this::work);
		return s.future;
	}

	private void requireOpen() {
		if (closed) throw new IllegalStateException("this execution is closed");
	}

	@Override
	public void close() {
		places.acquireUninterruptibly(depth);
		try {
			if (closed) return;
			closed = true;
			if (device.lost() != null) return; // its memory went with it
			device.enter();
			schedule.close();
			synchronized (this) {
				all.forEach(Slot::close);
			}
		}
		finally {
			places.release(depth);
		}
	}

	/** What one thread does until nothing waits. */
	private void work() {
		for (List<T> tasks = take(); !tasks.isEmpty(); tasks = take()) {
			Throwable failure = null;
			try {
				compute(tasks);
			}
			catch (final CudaException e) {
				failure = new DeviceException(e.getMessage(), e);
			}
			catch (final OutOfMemoryError e) {
				failure = new DeviceException("not enough memory on the Java heap: give Java more (-Xmx), or restrict the work to a search window", e);
			}
			catch (final Throwable t) {
				failure = t;
			}
			for (final T task : tasks) done(task.s, failure);
		}
	}

	/** None if nothing waits: the thread ends. */
	private synchronized List<T> take() {
		final List<T> tasks = new ArrayList<>();
		if (waiting.isEmpty()) working--;
		else for (int n = schedule.together(waiting); n > 0; n--) tasks.add(waiting.poll());
		return tasks;
	}

	private void compute(final List<T> tasks) {
		final Slot slot = slot();
		try {
			schedule.compute(slot, tasks);
		}
		finally {
			try {
				// whatever failed, the stream must have left the slot's memory
				device.check(JCudaDriver.cuStreamSynchronize(slot.stream), "waiting for " + device.device.name());
			}
			finally {
				synchronized (this) {
					idle.push(slot);
				}
			}
		}
	}

	private Slot slot() {
		device.enter();
		synchronized (this) {
			final Slot free = idle.poll();
			if (free != null) return free;
			final Slot made = new Slot(device);
			all.add(made);
			return made;
		}
	}

	/** A task of a submission is done. If it failed, nobody begins the others. */
	private void done(final Submission s, final Throwable failure) {
		if (failure != null) s.fail(failure);
		synchronized (this) {
			final int before = waiting.size();
			if (failure != null) waiting.removeIf(t -> t.s == s);
			s.left -= 1 + before - waiting.size();
			if (s.left > 0) return;
		}
		s.end();
		// free only when the future is done: who has closed the execution finds all of them done
		places.release();
	}
}
