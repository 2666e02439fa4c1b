package sc.fiji.ncc.plan;

import java.io.Serializable;
import java.nio.Buffer;
import java.nio.FloatBuffer;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.IntStream;

/** Receives responses. Several threads call it at once, with boxes that do not overlap. */
public interface Sink {

	/** The value of an undefined response: 0 or NaN. */
	float undefined();

	/**
	 * Receives one box of a template's map.
	 *
	 * @param template the index of the template
	 * @param min the first lag of the box, relative to the first submitted lag
	 * @param size the extents of the box
	 * @param from the responses from its position on, x fastest: a FloatBuffer, or in double precision a DoubleBuffer. Executions that quantize responses
	 *        themselves pass the numbers of {@link #responseType}: a ShortBuffer or a ByteBuffer. The caller reuses it after the call
	 */
	void map(int template, long[] min, int[] size, Buffer from);

	/** The type of the responses that the sink keeps. If it is quantized, {@link #map} accepts floats as well as the numbers of this type. Default: FLOAT. */
	default ResponseType responseType() {
		return ResponseType.FLOAT;
	}

	/**
	 * Receives the maxima of one box of a template's map in place of its responses. Only executions that find maxima themselves call it, for problems
	 * with {@link Result#PEAKS}. The others call {@link #map}, and the sink searches for the maxima.
	 *
	 * @param found the caller does not use it after the call
	 */
	default void peaks(final int template, final BoxPeaks found) {
		throw new UnsupportedOperationException("this sink accepts maps, not peaks");
	}

	/** The response that {@link #best} receives where those of all templates are undefined: 0 or NaN. Default: NaN. */
	default float undefinedBest() {
		return Float.NaN;
	}

	/**
	 * Receives the greatest response over all submitted templates for each lag of a box. Only executions that compare templates themselves call it,
	 * for problems with {@link Result#BEST} in single precision. The others call {@link #map}, and the sink compares.
	 *
	 * @param min the first lag of the box, relative to the first submitted lag
	 * @param size the extents of the box
	 * @param greatest the responses from its position on, x fastest; {@link #undefinedBest} where all are undefined. The caller reuses it after the call
	 * @param which one more than the index of the first template with that response, 0 where all are undefined; unsigned: a ByteBuffer for up to 255
	 *        templates, else a ShortBuffer. The caller reuses it after the call
	 */
	default void best(final long[] min, final int[] size, final FloatBuffer greatest, final Buffer which) {
		throw new UnsupportedOperationException("this sink accepts maps, not the best response of each lag");
	}

	/** The minimum score of a peak: {@link #peaks} needs no smaller ones. Default: negative infinity. */
	default float minScore() {
		return Float.NEGATIVE_INFINITY;
	}

	/** The rows that {@link #sample} receives besides the peaks. Default: none. */
	default Optional<SampledRows> sampled() {
		return Optional.empty();
	}

	/**
	 * Receives some rows of a box of a template's map. Only executions that find maxima themselves call it, with all rows of {@link #sampled}.
	 *
	 * @param template the index of the template
	 * @param min the first lag of the rows, relative to the first submitted lag
	 * @param size the extents of a box of rows
	 * @param from the responses from its position on, x fastest: a FloatBuffer. The caller reuses it after the call
	 */
	default void sample(final int template, final long[] min, final int[] size, final Buffer from) {
		throw new UnsupportedOperationException("this sink accepts no sample of rows");
	}

	/**
	 * The memory location of the responses of a box, into which an execution can write them in place of a call of {@link #map}.
	 *
	 * @param template the index of the template
	 * @param min the first lag of the box, relative to the first submitted lag
	 * @return null if the execution must call {@link #map}. Default: null
	 */
	default Place place(final int template, final long[] min) {
		return null;
	}

	/**
	 * A location in an array.
	 *
	 * @param array a Java array of floats, or in double precision of doubles
	 * @param offset the index of the first response of the box
	 * @param strides the distance between the indices of neighbours along each dimension; 1 along x
	 */
	record Place(Object array, int offset, int[] strides) {}

	/**
	 * The rows of a map of which a sink wants a sample: blocks of {@link #ROWS} rows, in three dimensions also of {@link #ROWS} planes,
	 * at regular distances. The place in the map decides, so the
	 * sample does not depend on the boxes and slabs in which a map is computed.
	 *
	 * @param stride the distance between the first rows of neighbouring blocks, and between their first planes; at least {@link #ROWS}
	 * @param origin the place in the map of the first submitted lag
	 */
	record SampledRows(int stride, long[] origin) {

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

	/**
	 * The local maxima of one box of a template's map, and the responses at its faces that a neighbouring box needs to decide the rest.
	 * <p>
	 * A plateau is a connected set of equal responses; each response has {@code 3^n − 1} neighbours. Most plateaus hold one response. A
	 * plateau is a peak if no neighbour exceeds it. The peak lies at the first response of the plateau in raster order. A plateau that touches
	 * no face of the box is decided by the box alone. The responses at the faces that reach the minimum score are listed, because they can
	 * exceed or continue a plateau of a neighbouring box.
	 *
	 * @param min the first lag of the box, relative to the first submitted lag
	 * @param size the extents of the box, fewer than 2^31 lags
	 * @param peaks the positions of the peaks that touch no face: indices in the box, x fastest
	 * @param values the responses at {@code peaks}
	 * @param rim the positions of the responses at a face that reach the minimum score: indices in the box, x fastest, each once
	 * @param rimValues the responses at {@code rim}
	 * @param plateaus for each entry of {@code rim} the first index of its plateau in the box; -1 if a response in the box exceeds the plateau
	 */
	record BoxPeaks(long[] min, int[] size, int[] peaks, float[] values, int[] rim, float[] rimValues, int[] plateaus) implements Serializable {}
}
