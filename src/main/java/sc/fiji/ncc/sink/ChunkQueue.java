package sc.fiji.ncc.sink;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import sc.fiji.ncc.plan.support.Parallel;

/**
 * Chunks that wait to be written to a store. One thread writes them while the others compute. If the queue is full, the thread that adds a chunk writes it.
 */
final class ChunkQueue implements AutoCloseable {

	/** The maximum number of waiting chunks, and the share of the heap that they may take: one part in this many. */
	private static final int MAX_WAITING = 3, SHARE_OF_HEAP = 32;

	/** Null if the memory does not suffice for waiting chunks. */
	private final ThreadPoolExecutor writer;
	private volatile RuntimeException failure;

	/** @param chunkBytes the size of the largest chunk in bytes */
	ChunkQueue(final long chunkBytes) {
		final int waiting = (int) Math.min(MAX_WAITING, Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP / chunkBytes);
		writer = waiting == 0 ? null : new ThreadPoolExecutor(1, 1, 1, TimeUnit.SECONDS, new ArrayBlockingQueue<>(waiting),
			Parallel.daemons("ncc writes maps"), new ThreadPoolExecutor.CallerRunsPolicy());
	}

	/**
	 * Writes a chunk, either at once or later in another thread.
	 *
	 * @return done when the chunk is written, or when writing it failed
	 * @throws RuntimeException the failure of an earlier write: the remaining chunks need not be computed
	 */
	CompletableFuture<Void> add(final Runnable write) {
		if (failure != null) throw failure;
		final Runnable recorded = () -> {
			try {
				write.run();
			}
			catch (final RuntimeException e) {
				failure = e;
				throw e;
			}
		};
		return CompletableFuture.runAsync(recorded, writer == null ? Runnable::run : writer);
	}

	/** Waits until all chunks are written. */
	@Override
	public void close() {
		if (writer == null) return;
		writer.shutdown();
		Parallel.await(() -> writer.awaitTermination(Long.MAX_VALUE, TimeUnit.NANOSECONDS));
	}
}
