package sc.fiji.ncc.statistics;

import java.nio.Buffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * A sample of the responses of one map: blocks of whole rows, at most {@link #ROWS} rows and {@link #ROWS} planes high, at regular distances. Neighbours inside
 * a block give the correlations of neighbouring responses. Several threads can add blocks at the same time.
 */
public final class MapSample {

	/** The maximum number of rows and of planes of a block: enough for the correlations at distances 1 and 2. */
	public static final int ROWS = 3;
	/** The number of responses at which a sample aims. Its scale then has a relative error of 0.15 % if the responses are independent. */
	private static final double RESPONSES = 1 << 18;

	/** Responses, x fastest. */
	record Block(int width, int height, int depth, float[] values) {}

	private final List<Block> blocks = new ArrayList<>();

	/**
	 * The distance between the first rows of neighbouring blocks, and in three dimensions also between their first planes. Every row of a small map is sampled.
	 *
	 * @param size the size of the map in responses, 1 to 3 dimensions
	 */
	public static int stride(final long[] size) {
		double total = 1;
		for (final long s : size) total *= s;
		final double share = total / RESPONSES;
		return (int) Math.max(ROWS, Math.ceil(ROWS * (size.length > 2 && size[2] > 1 ? Math.sqrt(share) : share)));
	}

	/** Discards all blocks. */
	public synchronized void clear() {
		blocks.clear();
	}

	/** Adds the blocks of another sample. */
	public void add(final MapSample other) {
		final List<Block> added;
		synchronized (other) {
			added = List.copyOf(other.blocks);
		}
		synchronized (this) {
			blocks.addAll(added);
		}
	}

	/**
	 * Adds one block.
	 *
	 * @param size the extents of the block, 1 to 3 of them
	 * @param from the responses from its position on, x fastest: a FloatBuffer or a DoubleBuffer; not used after the call
	 */
	public void add(final int[] size, final Buffer from) {
		final int height = size.length > 1 ? size[1] : 1, depth = size.length > 2 ? size[2] : 1;
		final float[] values = new float[size[0] * height * depth];
		if (from instanceof FloatBuffer) ((FloatBuffer) from).duplicate().get(values);
		else for (int i = 0; i < values.length; i++) values[i] = (float) ((DoubleBuffer) from).get(from.position() + i);
		add(new Block(size[0], height, depth, values));
	}

	private synchronized void add(final Block block) {
		blocks.add(block);
	}

	/**
	 * Adds the blocks that begin in a box of responses.
	 *
	 * @param stride the distance between blocks
	 * @param min the first lag of the box, which decides which rows begin a block
	 * @param size the extents of the box, 1 to 3 of them
	 * @param from the responses of the box from its position on, x fastest: a FloatBuffer or a DoubleBuffer; not used after the call
	 */
	public void addBox(final int stride, final long[] min, final int[] size, final Buffer from) {
		final int height = size.length > 1 ? size[1] : 1, depth = size.length > 2 ? size[2] : 1;
		final int firstY = size.length > 1 ? first(min[1], stride) : 0, firstZ = size.length > 2 ? first(min[2], stride) : 0;
		for (int z = firstZ; z < depth; z += stride)
			for (int y = firstY; y < height; y += stride) {
				final int rows = Math.min(ROWS, height - y), planes = Math.min(ROWS, depth - z);
				final float[] values = new float[size[0] * rows * planes];
				for (int p = 0; p < planes; p++) copy(from, ((z + p) * height + y) * size[0], values, p * rows * size[0], rows * size[0]);
				add(new Block(size[0], rows, planes, values));
			}
	}

	/** The first index of a box that begins a block. */
	public static int first(final long min, final int stride) {
		return (int) Math.floorMod(-min, (long) stride);
	}

	private static void copy(final Buffer from, final int at, final float[] to, final int offset, final int n) {
		if (from instanceof FloatBuffer) ((FloatBuffer) from).get(from.position() + at, to, offset, n);
		else for (int i = 0; i < n; i++) to[offset + i] = (float) ((DoubleBuffer) from).get(from.position() + at + i);
	}

	synchronized List<Block> blocks() {
		return List.copyOf(blocks);
	}
}
