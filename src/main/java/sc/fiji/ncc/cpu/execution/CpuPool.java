package sc.fiji.ncc.cpu.execution;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntConsumer;

import sc.fiji.ncc.plan.support.Parallel;

/**
 * The threads that all executions share. They are daemon threads and end after 20 s without work. The pool has no upper limit: each execution limits its
 * own number of threads.
 */
public final class CpuPool {

	private static final AtomicInteger COUNT = new AtomicInteger();

	private static final ThreadFactory FACTORY = task -> {
		final Thread t = new Thread(task, "ncc-cpu-" + COUNT.incrementAndGet());
		t.setDaemon(true);
		return t;
	};

	private static final ExecutorService POOL =
		new ThreadPoolExecutor(0, Integer.MAX_VALUE, 20, TimeUnit.SECONDS, new SynchronousQueue<>(), FACTORY);

	private CpuPool() {}

	static void run(final Runnable task) {
		POOL.execute(task);
	}

	/**
	 * Does some work on several threads, the caller's among them, and waits for its end.
	 *
	 * @param threads the maximum number of threads
	 * @param items the number of pieces of work
	 * @param work does the piece with this index. If it throws, no further piece is begun, and this method throws the same
	 */
	public static void each(final int threads, final int items, final IntConsumer work) {
		final AtomicInteger next = new AtomicInteger();
		final AtomicReference<Throwable> failure = new AtomicReference<>();
		final Runnable loop = () -> {
			try {
				for (int i = next.getAndIncrement(); i < items && failure.get() == null; i = next.getAndIncrement()) work.accept(i);
			}
			catch (final Throwable t) {
				failure.compareAndSet(null, t);
			}
		};
		final int others = Math.min(threads, items) - 1;
		final CountDownLatch running = new CountDownLatch(Math.max(0, others));
		for (int i = 0; i < others; i++)
			try {
				run(() -> {
					loop.run();
					running.countDown();
				});
			}
			catch (final OutOfMemoryError e) {
				// no thread could be started: the others do the work
				running.countDown();
			}
		loop.run();
		Parallel.await(running::await);
		final Throwable t = failure.get();
		if (t instanceof RuntimeException) throw (RuntimeException) t;
		if (t instanceof Error) throw (Error) t;
	}
}
