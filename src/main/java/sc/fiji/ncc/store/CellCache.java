package sc.fiji.ncc.store;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.LongFunction;

/** The cells of an image that were used last. Of several threads that want one that is not there, one reads it. */
final class CellCache<C> {

	private final int most;
	private final LongFunction<C> reader;
	private final Map<Long, CompletableFuture<C>> cells = new LinkedHashMap<>(64, 0.75f, true);

	/** @param most cells that are kept; more are in memory only while somebody uses them */
	CellCache(final int most, final LongFunction<C> reader) {
		this.most = most;
		this.reader = reader;
	}

	/** Throws what the reader throws; the next one who wants the cell reads it again. */
	C get(final long index) {
		final CompletableFuture<C> cell;
		final boolean mine;
		synchronized (cells) {
			final CompletableFuture<C> there = cells.get(index);
			mine = there == null;
			cell = mine ? new CompletableFuture<>() : there;
			if (mine) {
				cells.put(index, cell);
				if (cells.size() > most) cells.remove(cells.keySet().iterator().next());
			}
		}
		if (mine) read(index, cell);
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
