package sc.fiji.ncc;

import java.nio.Buffer;
import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;

import sc.fiji.ncc.plan.Buffers;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Size;

/**
 * Gathers the responses of a box in chunks and has each chunk written when the last of its responses has come. One for each box of one template.
 */
final class ChunkSink implements BoxSink {

	/** A part of the map that is written at once. */
	private static final class Chunk {

		/** In the map, along the template's dimensions. */
		final long[] min;
		final int[] size;
		/** How many responses come; the others are undefined. */
		final long lags;
		final boolean written;
		private Buffer responses;
		private long come;

		Chunk(final long[] min, final int[] size, final long lags, final boolean written) {
			this.min = min;
			this.size = size;
			this.lags = lags;
			this.written = written;
		}
	}

	private final MapStore store;
	private final ChunkQueue queue;
	private final Spare spare;
	/** Chunks of this box that were handed over to be written. */
	private final Queue<CompletableFuture<Void>> handed = new ConcurrentLinkedQueue<>();
	private final float undefined;
	private final long[] place, frame;
	/** The chunks of the box, x fastest, and how many there are along each dimension. */
	private final Chunk[] chunks;
	private final long[] firstChunk;
	private final int[] count, chunk;

	/**
	 * Buffers of chunks that were written, for those that come, each large enough for any: new ones would have to be cleared, and the garbage collector does not
	 * move large ones, so that a small heap has room for another one but in pieces.
	 */
	static final class Spare {

		private final Precision precision;
		private final int capacity;
		private final Queue<Buffer> buffers = new ConcurrentLinkedQueue<>();

		/** @param capacity responses of the largest chunk */
		Spare(final Precision precision, final long capacity) {
			this.precision = precision;
			this.capacity = Math.toIntExact(capacity);
		}

		private Buffer take(final int n) {
			final Buffer buffer = buffers.poll();
			return (buffer == null ? precision.allocate(capacity) : buffer.clear()).limit(n);
		}

		private void give(final Buffer buffer) {
			buffers.add(buffer);
		}
	}

	/**
	 * @param map the map's extents along the template's dimensions
	 * @param place where the box's first lag lies in the map
	 * @param box how many lags it has
	 * @param frame the position along the map's further dimensions
	 */
	ChunkSink(final MapStore store, final ChunkQueue queue, final Spare spare, final float undefined, final long[] map, final long[] place, final long[] box,
		final long[] frame)
	{
		this.store = store;
		this.queue = queue;
		this.spare = spare;
		this.undefined = undefined;
		this.place = place;
		this.frame = frame;
		chunk = Arrays.copyOf(store.chunk(), place.length);
		firstChunk = new long[place.length];
		count = new int[place.length];
		int n = 1;
		for (int d = 0; d < place.length; d++) {
			firstChunk[d] = place[d] / chunk[d];
			count[d] = (int) ((place[d] + box[d] - 1) / chunk[d] - firstChunk[d] + 1);
			n = Math.multiplyExact(n, count[d]);
		}
		chunks = new Chunk[n];
		for (int i = 0; i < n; i++) chunks[i] = chunk(i, map, box);
	}

	private Chunk chunk(final int index, final long[] map, final long[] box) {
		final long[] min = new long[place.length];
		final int[] size = new int[place.length];
		long lags = 1;
		for (int d = 0, rest = index; d < min.length; d++) {
			min[d] = (firstChunk[d] + rest % count[d]) * chunk[d];
			rest /= count[d];
			size[d] = (int) Math.min(chunk[d], map[d] - min[d]);
			lags *= Math.min(min[d] + size[d], place[d] + box[d]) - Math.max(min[d], place[d]);
		}
		return new Chunk(min, size, lags, store.has(in(min)));
	}

	/** A place along the template's dimensions as one in the map. */
	private long[] in(final long[] min) {
		final long[] at = Arrays.copyOf(min, min.length + frame.length);
		System.arraycopy(frame, 0, at, min.length, frame.length);
		return at;
	}

	/** Whether all chunks were there before. */
	boolean written() {
		for (final Chunk c : chunks)
			if (!c.written) return false;
		return true;
	}

	@Override
	public float undefined() {
		return undefined;
	}

	@Override
	public void begin() {
		// what a first attempt has handed over must not meet what the second one does
		for (final CompletableFuture<Void> write : handed) write.handle((done, failure) -> done).join();
		handed.clear();
		for (final Chunk c : chunks) {
			c.responses = null;
			c.come = 0;
		}
	}

	@Override
	public void end() {
		for (final Chunk c : chunks)
			if (!c.written && c.come != c.lags) throw new IllegalStateException(c.come + " of " + c.lags + " responses of a chunk have come");
		for (final CompletableFuture<Void> write : handed) write.join();
	}

	@Override
	public void map(final int one, final long[] min, final int[] size, final Buffer from) {
		final int[] first = new int[min.length], last = new int[min.length];
		for (int d = 0; d < min.length; d++) {
			first[d] = (int) ((place[d] + min[d]) / chunk[d] - firstChunk[d]);
			last[d] = (int) ((place[d] + min[d] + size[d] - 1) / chunk[d] - firstChunk[d]);
		}
		final int[] at = first.clone();
		while (true) {
			int index = 0;
			for (int d = at.length - 1; d >= 0; d--) index = index * count[d] + at[d];
			if (!chunks[index].written) take(chunks[index], min, size, from);
			int d = 0;
			while (d < at.length && ++at[d] > last[d]) {
				at[d] = first[d];
				d++;
			}
			if (d == at.length) return;
		}
	}

	/** The part of a tile that lies in a chunk. */
	private void take(final Chunk c, final long[] min, final int[] size, final Buffer from) {
		final int n = min.length;
		final int[] inTile = new int[n], inChunk = new int[n], part = new int[n];
		int rows = 1;
		for (int d = 0; d < n; d++) {
			final long begin = Math.max(c.min[d], place[d] + min[d]), end = Math.min(c.min[d] + c.size[d], place[d] + min[d] + size[d]);
			inTile[d] = (int) (begin - place[d] - min[d]);
			inChunk[d] = (int) (begin - c.min[d]);
			part[d] = (int) (end - begin);
			if (d > 0) rows *= part[d];
		}
		final Buffer to = responses(c);
		for (int row = 0; row < rows; row++) {
			int t = inTile[0], o = inChunk[0];
			for (int d = 1, rest = row, tileStride = size[0], chunkStride = c.size[0]; d < n; d++) {
				final int k = rest % part[d];
				rest /= part[d];
				t += (inTile[d] + k) * tileStride;
				o += (inChunk[d] + k) * chunkStride;
				tileStride *= size[d];
				chunkStride *= c.size[d];
			}
			Buffers.copy(from, from.position() + t, to, o, part[0]);
		}
		final boolean whole;
		synchronized (c) {
			c.come += (long) rows * part[0];
			whole = c.come == c.lags;
			if (whole) c.responses = null;
		}
		if (!whole) return;
		handed.add(queue.add(() -> {
			store.write(in(c.min), frames(c.size), to);
			spare.give(to);
		}));
	}

	private Buffer responses(final Chunk c) {
		synchronized (c) {
			if (c.responses == null) {
				final int all = Math.toIntExact(Size.of(Arrays.stream(c.size).asLongStream().toArray()).pixels());
				c.responses = spare.take(all);
				if (c.lags < all) Buffers.fill(c.responses, undefined);
			}
			return c.responses;
		}
	}

	private int[] frames(final int[] size) {
		final int[] all = Arrays.copyOf(size, size.length + frame.length);
		Arrays.fill(all, size.length, all.length, 1);
		return all;
	}
}
