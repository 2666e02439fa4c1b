package sc.fiji.ncc;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Chunks on their way to a store. A thread of its own writes them while the others compute; if more come than it can write and memory holds, those who bring them
 * write, too.
 */
final class ChunkQueue implements AutoCloseable {

	/** The most chunks that wait, and the share of the heap that they may take. */
	private static final int WAITING = 3, SHARE_OF_HEAP = 32;

	/** Null if there is no memory for chunks that wait. */
	private final ThreadPoolExecutor writer;
	private volatile RuntimeException failure;

	/** @param chunkBytes of the largest chunk */
	ChunkQueue(final long chunkBytes) {
		final int waiting = (int) Math.min(WAITING, Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP / chunkBytes);
		writer = waiting == 0 ? null : new ThreadPoolExecutor(1, 1, 1, TimeUnit.SECONDS, new ArrayBlockingQueue<>(waiting), work -> {
			final Thread t = new Thread(work, "ncc writes maps");
			t.setDaemon(true);
			return t;
		}, new ThreadPoolExecutor.CallerRunsPolicy());
	}

	/**
	 * Has a chunk written, now or soon.
	 *
	 * @return done when it is, or has failed
	 * @throws RuntimeException that of a write that failed before: the rest need not be computed
	 */
	CompletableFuture<Void> add(final Runnable write) {
		if (failure != null) throw failure;
		final Runnable noted = () -> {
			try {
				write.run();
			}
			catch (final RuntimeException e) {
				failure = e;
				throw e;
			}
		};
		return CompletableFuture.runAsync(noted, writer == null ? Runnable::run : writer);
	}

	/** Waits until all are written. */
	@Override
	public void close() {
		if (writer == null) return;
		writer.shutdown();
		boolean interrupted = false;
		while (true) {
			try {
				if (writer.awaitTermination(1, TimeUnit.DAYS)) break;
			}
			catch (final InterruptedException e) {
				interrupted = true;
			}
		}
		if (interrupted) Thread.currentThread().interrupt();
	}
}
