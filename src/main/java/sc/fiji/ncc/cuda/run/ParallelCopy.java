package sc.fiji.ncc.cuda.run;

import java.nio.Buffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;

/** Copies large boxes with several threads, because one thread is slower than a GPU. */
public final class ParallelCopy {

	/** The number of threads of the host that serve a GPU. */
	public static final int THREADS = Math.max(2, Math.min(12, Runtime.getRuntime().availableProcessors()));
	/** The smallest number of elements for which another thread pays off. */
	private static final int PIECE = 1 << 18;

	/** Copies a part of a box: from index {@code from} along the last dimension on, of these extents; elements {@code first} on of the box. */
	public interface Copy {

		void copy(int from, int[] size, int first, int elements);
	}

	private final Executor threads;
	private final int maxPieces;

	/** @param maxPieces the maximum number of pieces */
	public ParallelCopy(final Executor threads, final int maxPieces) {
		this.threads = threads;
		this.maxPieces = maxPieces;
	}

	/** {@code elements} elements of a buffer from index {@code first} on. */
	public static Buffer of(final Buffer b, final int first, final int elements) {
		return b.duplicate().position(first).limit(first + elements).slice();
	}

	/** Copies a box in pieces, divided along the last dimension. All threads have finished when this method returns or throws. */
	public void copy(final int[] size, final Copy copy) {
		final int last = size.length - 1;
		int row = 1;
		for (int d = 0; d < last; d++) row *= size[d];
		final int rowElements = row, count = (int) Math.max(1, Math.min(Math.min(maxPieces, size[last]), (long) row * size[last] / PIECE));
		final List<CompletableFuture<Void>> others = new ArrayList<>();
		Throwable failure = null;
		for (int p = count - 1; p >= 0; p--) {
			final int from = (int) ((long) size[last] * p / count), until = (int) ((long) size[last] * (p + 1) / count);
			final int[] part = size.clone();
			part[last] = until - from;
			final Runnable piece = () -> copy.copy(from, part, from * rowElements, (until - from) * rowElements);
			if (p > 0) others.add(CompletableFuture.runAsync(piece, threads));
			else failure = failureOf(piece);
		}
		for (final CompletableFuture<Void> f : others) {
			final Throwable other = failureOf(f::join);
			if (other != null) failure = other instanceof CompletionException ? other.getCause() : other;
		}
		if (failure instanceof Error) throw (Error) failure;
		if (failure != null) throw (RuntimeException) failure;
	}

	private static Throwable failureOf(final Runnable work) {
		try {
			work.run();
			return null;
		}
		catch (final RuntimeException | Error e) {
			return e;
		}
	}
}
