package sc.fiji.ncc.store;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.LongFunction;

/** The most recently used cells of an image. If several threads need a missing cell, one of them reads it and the others wait. */
public final class CellCache<C> {

	private final int most;
	private final LongFunction<C> reader;
	private final Map<Long, CompletableFuture<C>> cells = new LinkedHashMap<>(64, 0.75f, true);

	/**
	 * @param most the largest number of cells to keep; further cells stay in memory only while they are used
	 * @param reader reads a cell by its index
	 */
	public CellCache(final int most, final LongFunction<C> reader) {
		this.most = most;
		this.reader = reader;
	}

	/** Returns a cell. If the reader throws, so does this method, and the next call reads the cell again. */
	public C get(final long index) {
		final CompletableFuture<C> cell;
		final boolean missing;
		synchronized (cells) {
			final CompletableFuture<C> kept = cells.get(index);
			missing = kept == null;
			cell = missing ? new CompletableFuture<>() : kept;
			if (missing) {
				cells.put(index, cell);
				if (cells.size() > most) cells.remove(cells.keySet().iterator().next());
			}
		}
		if (missing) read(index, cell);
		try {
			return cell.join();
		}
		catch (final CompletionException e) {
			if (e.getCause() instanceof RuntimeException) throw (RuntimeException) e.getCause();
			if (e.getCause() instanceof Error) throw (Error) e.getCause();
			throw e;
		}
	}

	private void read(final long index, final CompletableFuture<C> cell) {
		try {
			cell.complete(reader.apply(index));
		}
		catch (final RuntimeException | Error e) {
			synchronized (cells) {
				cells.remove(index, cell);
			}
			cell.completeExceptionally(e);
		}
	}
}
