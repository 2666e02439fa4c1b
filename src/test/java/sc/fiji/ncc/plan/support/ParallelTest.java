package sc.fiji.ncc.plan.support;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Each task runs once, on as many threads as there are, and its failure is that of the call. */
@Timeout(60)
class ParallelTest {

	@Test
	void eachTaskRunsOnce() {
		for (int threads = 1; threads <= 4; threads++)
			try (Parallel parallel = new Parallel(threads)) {
				for (final int n : new int[] { 0, 1, 2, 100 }) {
					final AtomicIntegerArray runs = new AtomicIntegerArray(101);
					parallel.each(n, runs::incrementAndGet);
					for (int i = 0; i <= 100; i++) assertEquals(i < n ? 1 : 0, runs.get(i), threads + " threads, task " + i + " of " + n);
				}
			}
	}

	/** Three tasks wait for each other: the caller runs one of them, and two other threads, which do not keep the JVM alive, the others. */
	@Test
	void allThreadsRunAtTheSameTime() {
		final CyclicBarrier together = new CyclicBarrier(3);
		final Set<Thread> used = ConcurrentHashMap.newKeySet();
		try (Parallel parallel = new Parallel(3)) {
			parallel.each(3, i -> {
				used.add(Thread.currentThread());
				try {
					together.await();
				}
				catch (final Exception e) {
					throw new AssertionError(e);
				}
			});
		}
		assertEquals(3, used.size());
		assertTrue(used.remove(Thread.currentThread()));
		for (final Thread t : used) assertTrue(t.isDaemon() && t.getName().equals("ncc-tasks"), t.getName());
	}

	/** On the caller's thread, and on the other one. After a failure on the caller's thread, the other one begins no more tasks. */
	@Test
	void theFailureOfATaskIsThrown() {
		final Thread caller = Thread.currentThread();
		for (final Throwable failure : new Throwable[] { new IllegalStateException("a bug"), new OutOfMemoryError("Java heap space") })
			for (final boolean onCaller : new boolean[] { true, false })
				try (Parallel parallel = new Parallel(2)) {
					final CyclicBarrier together = new CyclicBarrier(2);
					final AtomicInteger begun = new AtomicInteger();
					assertSame(failure, assertThrows(failure.getClass(), () -> parallel.each(onCaller ? 1_000_000_000 : 100, i -> {
						begun.incrementAndGet();
						try {
							if (i < 2) together.await();
							else Thread.sleep(1);
						}
						catch (final Exception e) {
							throw new AssertionError(e);
						}
						if (Thread.currentThread() == caller == onCaller) fail(failure);
					})));
					assertTrue(begun.get() < 100_000, "" + begun);
				}
	}

	private static void fail(final Throwable t) {
		if (t instanceof Error) throw (Error) t;
		throw (RuntimeException) t;
	}

	/** The others end their tasks before the call ends: what they use is closed after it. */
	@Test
	void anInterruptedCallerWaitsAndCancels() {
		try (Parallel parallel = new Parallel(2)) {
			final CyclicBarrier together = new CyclicBarrier(2);
			final AtomicInteger ended = new AtomicInteger(), begun = new AtomicInteger();
			final Thread caller = Thread.currentThread();
			assertThrows(CancellationException.class, () -> parallel.each(1_000_000, i -> {
				begun.incrementAndGet();
				try {
					if (i < 2) together.await();
				}
				catch (final Exception e) {
					throw new AssertionError(e);
				}
				// the other thread goes on after the share of the caller ends
				if (Thread.currentThread() == caller) {
					caller.interrupt();
					throw new CancellationException("canceled");
				}
				LockSupport.parkNanos(200_000_000);
				ended.incrementAndGet();
			}));
			assertTrue(Thread.interrupted());
			assertEquals(begun.get() - 1, ended.get(), "tasks of the other thread that ended");
		}
	}

	/** All threads are in tasks that share work of their own: they do it themselves. */
	@Test
	@Timeout(20)
	void tasksMayShareTheirWork() {
		for (int threads = 2; threads <= 3; threads++)
			try (Parallel parallel = new Parallel(threads)) {
				final int n = threads;
				final CyclicBarrier together = new CyclicBarrier(n);
				final AtomicInteger runs = new AtomicInteger();
				parallel.each(n, i -> {
					try {
						together.await();
					}
					catch (final Exception e) {
						throw new AssertionError(e);
					}
					parallel.each(10, k -> runs.incrementAndGet());
				});
				assertEquals(10 * n, runs.get());
			}
	}

	/** The largest number of tasks of a parallel stream that run at the same time. */
	private static int atTheSameTime(final int threads) {
		final AtomicInteger running = new AtomicInteger(), most = new AtomicInteger();
		final int sum = Parallel.within(threads, () -> IntStream.range(0, 64).parallel().map(i -> {
			most.accumulateAndGet(running.incrementAndGet(), Math::max);
			LockSupport.parkNanos(1_000_000);
			running.decrementAndGet();
			return i;
		}).sum());
		assertEquals(63 * 32, sum);
		return most.get();
	}

	@Test
	void streamsUseNoMoreThreads() {
		assertEquals(1, atTheSameTime(1));
		// with fewer threads than the common pool has; that pool can have others besides, which other tests made it start
		if (ForkJoinPool.getCommonPoolParallelism() >= 2) assertTrue(atTheSameTime(2) <= 2);
		assertEquals("no", assertThrows(IllegalStateException.class, () -> Parallel.within(1, () -> {
			throw new IllegalStateException("no");
		})).getMessage());
	}
}
