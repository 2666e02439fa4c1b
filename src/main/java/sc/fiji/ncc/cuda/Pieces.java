package sc.fiji.ncc.cuda;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;

import sc.fiji.ncc.plan.PixelType;

/** Copies large boxes by several threads: one alone does not keep up with a card. */
final class Pieces {

	/** Elements that are worth a thread of their own. */
	private static final int PIECE = 1 << 18;

	/** Copies a part of a box: where it begins along the last dimension, its extents, and which elements of the box it has. */
	interface Copy {

		void copy(int from, int[] size, int first, int elements);
	}

	private final Executor threads;
	private final int most;

	/** @param most pieces */
	Pieces(final Executor threads, final int most) {
		this.threads = threads;
		this.most = most;
	}

	/** Some elements of a buffer. */
	static Buffer of(final Buffer b, final int first, final int elements) {
		return b.duplicate().position(first).limit(first + elements).slice();
	}

	/** Bytes as pixels. */
	static Buffer view(final ByteBuffer bytes, final PixelType type) {
		switch (type) {
			case U8: case S8: return bytes;
			case U16: case S16: return bytes.asShortBuffer();
			case U32: case S32: return bytes.asIntBuffer();
			case F32: return bytes.asFloatBuffer();
			default: return bytes.asDoubleBuffer();
		}
	}

	/** Cut along the last dimension. All is done when this returns, and nobody is at it any more when it throws. */
	void copy(final int[] size, final Copy copy) {
		final int last = size.length - 1;
		int row = 1;
		for (int d = 0; d < last; d++) row *= size[d];
		final int each = row, count = (int) Math.max(1, Math.min(Math.min(most, size[last]), (long) row * size[last] / PIECE));
		final List<CompletableFuture<Void>> others = new ArrayList<>();
		Throwable failure = null;
		for (int p = count - 1; p >= 0; p--) {
			final int from = (int) ((long) size[last] * p / count), until = (int) ((long) size[last] * (p + 1) / count);
			final int[] part = size.clone();
			part[last] = until - from;
			final Runnable piece = () -> copy.copy(from, part, from * each, (until - from) * each);
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
