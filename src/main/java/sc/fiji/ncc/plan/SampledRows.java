package sc.fiji.ncc.plan;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * The rows of a map of which a sink wants a sample: blocks of {@link #ROWS} rows, in three dimensions also of {@link #ROWS} planes, at regular distances. The place in the map decides, so the
 * sample does not depend on the boxes and slabs in which a map is computed.
 *
 * @param stride the distance between the first rows of neighbouring blocks, and between their first planes; at least {@link #ROWS}
 * @param origin the place in the map of the first submitted lag
 */
public record SampledRows(int stride, long[] origin) {

	/** The number of rows and of planes of a block: enough for the correlations at distances 1 and 2. */
	public static final int ROWS = 3;

	/**
	 * The first row or plane of a slab that is a certain one of its block.
	 *
	 * @param min the slab's first lag, relative to the first submitted lag
	 * @param axis 1 for rows, 2 for planes
	 * @param ofBlock 0 to {@link #ROWS} - 1
	 * @return an index in the slab, from 0; the next ones follow at distances of {@link #stride}. It can lie beyond the slab
	 */
	public int first(final long[] min, final int axis, final int ofBlock) {
		return (int) Math.floorMod(ofBlock - (axis < min.length ? origin[axis] + min[axis] : 0), (long) stride);
	}

	/** All sampled rows or planes of a slab, ascending. */
	public int[] all(final long[] min, final int axis, final int extent) {
		return IntStream.range(0, ROWS).flatMap(k -> IntStream.iterate(first(min, axis, k), i -> i < extent, i -> i + stride)).sorted().toArray();
	}

	/** The same rows, for a part of the lags that begins at an index along an axis. */
	public SampledRows from(final int axis, final long index) {
		final long[] moved = Arrays.copyOf(origin, origin.length);
		moved[axis] += index;
		return new SampledRows(stride, moved);
	}
}
