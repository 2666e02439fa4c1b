package sc.fiji.ncc.plan.support;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import java.util.function.Supplier;

/** Runs small tasks on several threads. The threads stay alive between the tasks. */
public final class Parallel implements AutoCloseable {

	private final int threads;
	/** Null if there is only one thread. */
	private final ExecutorService pool;

	public Parallel(final int threads) {
		this.threads = threads;
		pool = threads == 1 ? null : Executors.newFixedThreadPool(threads - 1, daemons("ncc-tasks"));
	}

	/** Makes threads of this name that do not keep the program running. */
	public static ThreadFactory daemons(final String name) {
		return task -> {
			final Thread thread = new Thread(task, name);
			thread.setDaemon(true);
			return thread;
		};
	}

	/** The share of a thread, which begins once: in the thread, or never if the caller withdraws it. */
	private static final class Share extends FutureTask<Void> {

		private final AtomicBoolean begun = new AtomicBoolean();

		Share(final Runnable work) {
			super(work, null);
		}

		@Override
		public void run() {
			if (begun.compareAndSet(false, true)) super.run();
		}

		/** @return whether the share has not begun, and never will */
		boolean withdraw() {
			return begun.compareAndSet(false, true);
		}
	}

	/**
	 * Runs the tasks 0, 1, ... n − 1. The calling thread takes part. Tasks may call this method: it waits for no thread that has not begun.
	 * When it ends, no task runs, even if the calling thread is interrupted.
	 *
	 * @throws CancellationException if the calling thread is interrupted
	 * @throws RuntimeException the exception of a task
	 */
	public void each(final int n, final IntConsumer work) {
		final AtomicInteger next = new AtomicInteger();
		final Runnable share = () -> {
			for (int i = next.getAndIncrement(); i < n; i = next.getAndIncrement()) work.accept(i);
		};
		final List<Share> others = new ArrayList<>();
		for (int t = 1; t < Math.min(threads, n); t++) {
			others.add(new Share(share));
			pool.execute(others.get(t - 1));
		}
		Throwable failure = null;
		try {
			share.run();
		}
		catch (final RuntimeException | Error e) {
			failure = e;
			next.set(n);
		}
		boolean interrupted = false;
		others.removeIf(Share::withdraw);
		for (int t = 0; t < others.size();) {
			try {
				others.get(t).get();
				t++;
			}
			catch (final ExecutionException e) {
				next.set(n);
				if (failure == null) failure = e.getCause();
				t++;
			}
			catch (final InterruptedException e) {
				interrupted = true;
				next.set(n);
				if (failure == null) failure = new CancellationException("interrupted");
			}
		}
		if (interrupted) Thread.currentThread().interrupt();
		if (failure instanceof RuntimeException) throw (RuntimeException) failure;
		if (failure != null) throw (Error) failure;
	}

	/** What a thread waits for. */
	public interface Wait {

		void end() throws InterruptedException;
	}

	/** Waits to the end. A thread that is interrupted meanwhile is interrupted afterwards. */
	public static void await(final Wait wait) {
		boolean interrupted = false;
		while (true)
			try {
				wait.end();
				break;
			}
			catch (final InterruptedException e) {
				interrupted = true;
			}
		if (interrupted) Thread.currentThread().interrupt();
	}

	/** As {@link #within(int, Supplier)}, with the number of threads of this object. */
	public <T> T within(final Supplier<T> work) {
		return within(threads, work);
	}

	/** Runs work whose parallel streams use the common pool of the JVM, or a pool of its own if that has more threads. The calling thread counts as one. */
	public static <T> T within(final int threads, final Supplier<T> work) {
		if (threads > ForkJoinPool.getCommonPoolParallelism()) return work.get();
		final ForkJoinPool few = new ForkJoinPool(threads);
		final CompletableFuture<T> result = new CompletableFuture<>();
		try {
			// a task of such a pool would fail with a copy of the exception, whose message differs
			few.invoke(ForkJoinTask.adapt(() -> {
				try {
					result.complete(work.get());
				}
				catch (final RuntimeException | Error e) {
					result.completeExceptionally(e);
				}
			}));
			return result.join();
		}
		catch (final CompletionException e) {
			if (e.getCause() instanceof RuntimeException) throw (RuntimeException) e.getCause();
			throw (Error) e.getCause();
		}
		finally {
			few.shutdown();
		}
	}

	@Override
	public void close() {
		if (pool != null) pool.shutdownNow();
	}
}
