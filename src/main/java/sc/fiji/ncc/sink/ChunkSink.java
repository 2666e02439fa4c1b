package sc.fiji.ncc.sink;

import java.nio.Buffer;
import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;

import sc.fiji.ncc.plan.support.Buffers;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.ResponseType;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.result.MapStore;

/** Collects the responses of one box of one template in chunks. A chunk is written when its last response has come. */
final class ChunkSink implements BoxSink {

	/** A part of the map that is written at once. */
	private static final class Chunk {

		/** Its position in the map, along the template's dimensions. */
		final long[] min;
		final int[] size;
		/** The number of its responses that are computed; the others are undefined. */
		final long lags;
		final boolean written;
		private Buffer responses;
		private long received;

		Chunk(final long[] min, final int[] size, final long lags, final boolean written) {
			this.min = min;
			this.size = size;
			this.lags = lags;
			this.written = written;
		}
	}

	private final MapStore store;
	private final ChunkQueue queue;
	private final ArrayPool pool;
	/** The pending writes of chunks of this box. */
	private final Queue<CompletableFuture<Void>> pendingWrites = new ConcurrentLinkedQueue<>();
	private final float undefined;
	private final long[] place, frame;
	/** The chunks of the box, x fastest; below, their number along each dimension. */
	private final Chunk[] chunks;
	private final long[] firstChunk;
	private final int[] count, chunk;

	/**
	 * Reuses the buffers of written chunks. Each buffer is large enough for any chunk. A new buffer would have to be cleared. The garbage collector also does
	 * not move large buffers, so that the free space of a small heap would become fragmented.
	 */
	static final class ArrayPool {

		private final Precision precision;
		private final ResponseType type;
		private final int capacity;
		private final Queue<Buffer> buffers = new ConcurrentLinkedQueue<>();

		/** @param capacity the number of responses of the largest chunk */
		ArrayPool(final Precision precision, final ResponseType type, final long capacity) {
			this.precision = precision;
			this.type = type;
			this.capacity = Math.toIntExact(capacity);
		}

		private Buffer take(final int n) {
			final Buffer buffer = buffers.poll();
			return (buffer == null ? type.allocate(precision, capacity) : buffer.clear()).limit(n);
		}

		private void release(final Buffer buffer) {
			buffers.add(buffer);
		}
	}

	/**
	 * The place of a box in a map.
	 *
	 * @param map the map's extents along the template's dimensions
	 * @param place the position of the box's first lag in the map
	 * @param box the number of lags of the box along each dimension
	 * @param frame the position along the further dimensions of the map
	 */
	record Part(long[] map, long[] place, long[] box, long[] frame) {}

	ChunkSink(final MapStore store, final ChunkQueue queue, final ArrayPool pool, final float undefined, final Part part) {
		final long[] map = part.map, box = part.box;
		this.store = store;
		this.queue = queue;
		this.pool = pool;
		this.undefined = undefined;
		place = part.place;
		frame = part.frame;
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
		return new Chunk(min, size, lags, store.has(positionInMap(min)));
	}

	/** Appends the frame's position to a position along the template's dimensions. */
	private long[] positionInMap(final long[] min) {
		final long[] position = Arrays.copyOf(min, min.length + frame.length);
		System.arraycopy(frame, 0, position, min.length, frame.length);
		return position;
	}

	/** Whether the store held all chunks before. */
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
	public ResponseType responseType() {
		return pool.type;
	}

	@Override
	public void begin() {
		// writes of the first attempt must end before those of the second begin
		for (final CompletableFuture<Void> write : pendingWrites) write.handle((done, failure) -> done).join();
		pendingWrites.clear();
		for (final Chunk c : chunks) {
			c.responses = null;
			c.received = 0;
		}
	}

	@Override
	public void end() {
		for (final Chunk c : chunks)
			if (!c.written && c.received != c.lags) throw new IllegalStateException("internal error: a chunk received " + c.received + " of " + c.lags + " responses");
		for (final CompletableFuture<Void> write : pendingWrites) write.join();
	}

	@Override
	public void map(final int template, final long[] min, final int[] size, final Buffer from) {
		final int[] first = new int[min.length], last = new int[min.length];
		for (int d = 0; d < min.length; d++) {
			first[d] = (int) ((place[d] + min[d]) / chunk[d] - firstChunk[d]);
			last[d] = (int) ((place[d] + min[d] + size[d] - 1) / chunk[d] - firstChunk[d]);
		}
		final int[] chunkPosition = first.clone();
		while (true) {
			int index = 0;
			for (int d = chunkPosition.length - 1; d >= 0; d--) index = index * count[d] + chunkPosition[d];
			if (!chunks[index].written) take(chunks[index], min, size, from);
			int d = 0;
			while (d < chunkPosition.length && ++chunkPosition[d] > last[d]) {
				chunkPosition[d] = first[d];
				d++;
			}
			if (d == chunkPosition.length) return;
		}
	}

	/** Copies the part of a tile that lies in a chunk. */
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
		final boolean complete;
		synchronized (c) {
			c.received += (long) rows * part[0];
			complete = c.received == c.lags;
			if (complete) c.responses = null;
		}
		if (!complete) return;
		pendingWrites.add(queue.add(() -> {
			store.write(positionInMap(c.min), sizeInMap(c.size), to);
			pool.release(to);
		}));
	}

	private Buffer responses(final Chunk c) {
		synchronized (c) {
			if (c.responses == null) {
				final int pixels = Math.toIntExact(Size.of(Arrays.stream(c.size).asLongStream().toArray()).pixels());
				c.responses = pool.take(pixels);
				if (c.lags < pixels) Buffers.fill(c.responses, undefined);
			}
			return c.responses;
		}
	}

	private int[] sizeInMap(final int[] size) {
		final int[] extents = Arrays.copyOf(size, size.length + frame.length);
		Arrays.fill(extents, size.length, extents.length, 1);
		return extents;
	}
}
