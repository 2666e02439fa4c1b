package sc.fiji.ncc.peaks;

import java.io.Serializable;
import java.nio.Buffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToIntFunction;

import sc.fiji.ncc.plan.Sink.SampledRows;

/**
 * A sample of the responses of one map: blocks of whole rows, at most {@link SampledRows#ROWS} rows and planes high, at regular distances. Neighbours inside
 * a block give the correlations of neighbouring responses. Rows are kept in pieces with their places, so that the blocks do not depend on the boxes that the map was
 * computed in. Several threads can add rows at the same time.
 */
public final class MapSample implements Serializable {

	/** The maximum number of rows and of planes of a block. */
	public static final int ROWS = SampledRows.ROWS;
	/** The number of responses at which a sample aims. Its scale then has a relative error of 0.3 % if the responses are independent. */
	private static final double RESPONSES = 1 << 16;

	/** Responses, x fastest; NaN where none was added. */
	public record Block(int width, int height, int depth, float[] values) {}

	/** A part of a row, with the place of its first response in the map. */
	private record Piece(int x, int y, int z, float[] values) implements Serializable {}

	private final List<Piece> pieces = new ArrayList<>();

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

	/** Discards all rows. */
	public synchronized void clear() {
		pieces.clear();
	}

	/** Adds the rows of another sample of the same map. */
	public void add(final MapSample other) {
		final List<Piece> added;
		synchronized (other) {
			added = List.copyOf(other.pieces);
		}
		synchronized (this) {
			pieces.addAll(added);
		}
	}

	/**
	 * Adds all rows of a part of the map.
	 *
	 * @param at the place of the part in the map
	 * @param size the extents of the part, 1 to 3 of them
	 * @param from the responses from its position on, x fastest: a FloatBuffer or a DoubleBuffer; not used after the call
	 */
	public void add(final long[] at, final int[] size, final Buffer from) {
		addBox(1, at, size, from);
	}

	/**
	 * Adds the rows of a box of responses that belong to blocks.
	 *
	 * @param stride the distance between blocks, or 1 for all rows
	 * @param at the place of the box in the map, which decides which rows belong to blocks
	 * @param size the extents of the box, 1 to 3 of them
	 * @param from the responses of the box from its position on, x fastest: a FloatBuffer or a DoubleBuffer; not used after the call
	 */
	public void addBox(final int stride, final long[] at, final int[] size, final Buffer from) {
		final int height = size.length > 1 ? size[1] : 1, depth = size.length > 2 ? size[2] : 1;
		final int x = Math.toIntExact(at[0]), firstY = at.length > 1 ? Math.toIntExact(at[1]) : 0, firstZ = at.length > 2 ? Math.toIntExact(at[2]) : 0;
		for (int z = 0; z < depth; z++) {
			if ((firstZ + z) % stride >= ROWS) continue;
			for (int y = 0; y < height; y++) {
				if ((firstY + y) % stride >= ROWS) continue;
				final float[] values = new float[size[0]];
				copy(from, (z * height + y) * size[0], values);
				add(new Piece(x, firstY + y, firstZ + z, values));
			}
		}
	}

	private synchronized void add(final Piece piece) {
		pieces.add(piece);
	}

	private static void copy(final Buffer from, final int at, final float[] to) {
		if (from instanceof FloatBuffer) ((FloatBuffer) from).get(from.position() + at, to);
		else for (int i = 0; i < to.length; i++) to[i] = (float) ((DoubleBuffer) from).get(from.position() + at + i);
	}

	/** The sampled rows in blocks, in raster order. */
	public synchronized List<Block> blocks() {
		final int width = pieces.stream().mapToInt(p -> p.x + p.values.length).max().orElse(0);
		final int[][] rows = runs(p -> p.y), planes = runs(p -> p.z);
		final List<Block> blocks = new ArrayList<>();
		for (final int[] z : planes) for (final int[] y : rows) {
			final float[] values = new float[width * y[1] * z[1]];
			Arrays.fill(values, Float.NaN);
			blocks.add(new Block(width, y[1], z[1], values));
		}
		for (final Piece p : pieces) {
			final int z = run(planes, p.z), y = run(rows, p.y);
			final int row = (p.z - planes[z][0]) * rows[y][1] + p.y - rows[y][0];
			System.arraycopy(p.values, 0, blocks.get(z * rows.length + y).values, row * width + p.x, p.values.length);
		}
		return blocks;
	}

	/** Divides the sampled coordinates into runs of at most {@link #ROWS} successive ones. A run has its first coordinate and its length. */
	private int[][] runs(final ToIntFunction<Piece> coordinate) {
		final List<int[]> runs = new ArrayList<>();
		for (final int c : pieces.stream().mapToInt(coordinate).sorted().distinct().toArray()) {
			final int[] last = runs.isEmpty() ? null : runs.get(runs.size() - 1);
			if (last != null && last[1] < ROWS && c == last[0] + last[1]) last[1]++;
			else runs.add(new int[] { c, 1 });
		}
		return runs.toArray(int[][]::new);
	}

	/** The index of the run with this coordinate. */
	private static int run(final int[][] runs, final int coordinate) {
		int low = 0, high = runs.length - 1;
		while (low < high) {
			final int middle = (low + high + 1) >>> 1;
			if (runs[middle][0] <= coordinate) low = middle;
			else high = middle - 1;
		}
		return low;
	}
}
