package sc.fiji.ncc.sink;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.Buffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import net.imglib2.util.IntervalIndexer;

import sc.fiji.ncc.plan.Buffers;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.result.MapShape;
import sc.fiji.ncc.result.MapStore;

/** Keeps the chunks of a map, and records those that were written. */
final class ChunksInMemory implements MapStore {

	record Chunk(long[] min, int[] size, double[] values) {}

	private final long[] size;
	private final int[] chunk;
	private final Precision precision;
	/** All chunks, by their position. */
	final Map<String, Chunk> kept = new TreeMap<>();
	/** The positions of the chunks that were written. */
	final List<String> written = new ArrayList<>();
	/** The type of the last buffer. */
	Class<?> type;
	/** The maximum number of chunks. */
	int full = Integer.MAX_VALUE;

	ChunksInMemory(final long[] size, final int[] chunk, final Precision precision) {
		this.size = size;
		this.chunk = chunk;
		this.precision = precision;
	}

	ChunksInMemory(final MapShape shape, final int... chunk) {
		this(shape.size(), chunk, Precision.SINGLE);
	}

	@Override
	public long[] size() {
		return size;
	}

	@Override
	public int[] chunk() {
		return chunk;
	}

	@Override
	public Precision precision() {
		return precision;
	}

	@Override
	public synchronized boolean has(final long[] min) {
		return kept.containsKey(Arrays.toString(min));
	}

	@Override
	public synchronized void write(final long[] min, final int[] extents, final Buffer responses) {
		if (written.size() >= full) throw new UncheckedIOException(new IOException("No space left on device"));
		type = responses.getClass();
		final double[] values = new double[responses.limit()];
		for (int i = 0; i < values.length; i++) values[i] = Buffers.value(responses, true, i);
		assertEquals(Arrays.stream(extents).reduce(1, (a, b) -> a * b), values.length);
		written.add(Arrays.toString(min));
		kept.put(Arrays.toString(min), new Chunk(min.clone(), extents.clone(), values));
	}

	/** The values of the map, x fastest; 0 where no chunk is kept. */
	double[] values() {
		final double[] all = new double[(int) Arrays.stream(size).reduce(1, (a, b) -> a * b)];
		final long[] p = new long[size.length];
		for (final Chunk c : kept.values())
			for (int i = 0; i < c.values.length; i++) {
				IntervalIndexer.indexToPosition(i, c.size, p);
				for (int d = 0; d < p.length; d++) p[d] += c.min[d];
				all[(int) IntervalIndexer.positionToIndex(p, size)] = c.values[i];
			}
		return all;
	}
}
