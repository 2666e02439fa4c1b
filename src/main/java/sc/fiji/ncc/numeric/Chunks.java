package sc.fiji.ncc.numeric;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/**
 * Long arrays in chunks, for several threads. The chunks do not depend on the number of threads, so sums that are made of the sums of chunks do not
 * either. An array of at most {@link #LENGTH} elements is one chunk.
 */
public final class Chunks {

	/** The number of elements of a chunk: the work on one takes much longer than handing it to another thread. */
	public static final int LENGTH = 1 << 16;

	/** Work on the elements of a chunk. */
	public interface Work {

		/** @param from the first element; @param until the element after the last one */
		void on(int chunk, int from, int until);
	}

	/** A number from the elements of a chunk. */
	public interface Value {

		double of(int from, int until);
	}

	/** A compensated sum over the elements of a chunk. */
	public interface Term {

		void add(CompensatedSum to, int from, int until);
	}

	private Chunks() {}

	/** The number of chunks of an array of {@code n} elements. */
	public static int count(final int n) {
		return (int) ((n + (long) LENGTH - 1) / LENGTH);
	}

	/**
	 * Does some work on all chunks and waits for its end. The calling thread takes part; the others are those of the common pool of the JVM.
	 *
	 * @param n the number of elements
	 * @param threads the maximum number of threads
	 */
	public static void each(final int n, final int threads, final Work work) {
		final int chunks = count(n);
		final AtomicInteger next = new AtomicInteger();
		final Runnable loop = () -> {
			for (int c = next.getAndIncrement(); c < chunks; c = next.getAndIncrement()) work.on(c, c * LENGTH, (int) Math.min(n, (c + 1L) * LENGTH));
		};
		if (Math.min(threads, chunks) <= 1) loop.run();
		else IntStream.range(0, Math.min(threads, chunks)).parallel().forEach(t -> loop.run());
	}

	/** The greatest value of a chunk; at least 0. */
	public static double max(final int n, final int threads, final Value value) {
		final double[] each = new double[count(n)];
		each(n, threads, (c, from, until) -> each[c] = value.of(from, until));
		double max = 0;
		for (final double v : each) max = Math.max(max, v);
		return max;
	}

	/** The sum over all chunks. */
	public static double sum(final int n, final int threads, final Term term) {
		final CompensatedSum[] each = new CompensatedSum[count(n)];
		each(n, threads, (c, from, until) -> {
			each[c] = new CompensatedSum();
			term.add(each[c], from, until);
		});
		final CompensatedSum sum = new CompensatedSum();
		for (final CompensatedSum s : each) sum.add(s);
		return sum.value();
	}
}
