package sc.fiji.ncc.cpu.execution;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads that all executions share. They are daemon threads and end after 20 s without work. The pool has no upper limit: each execution limits its
 * own number of threads.
 */
final class CpuPool {

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
}
