package sc.fiji.ncc.plan;

import java.nio.Buffer;
import java.nio.FloatBuffer;
import java.nio.ShortBuffer;

/** Where responses go. Called by several threads at once, with boxes that do not overlap. */
public interface Sink {

	/** What an undefined response reads: 0 or NaN. */
	float undefined();

	/**
	 * Takes one box of a template's map.
	 *
	 * @param template index of the template
	 * @param min the box's first lag, counted from the first lag that was submitted
	 * @param size the box's extents
	 * @param from the responses from its position on, x fastest, a FloatBuffer or, of a problem in double precision, a DoubleBuffer; used again after the
	 *        call
	 */
	void map(int template, long[] min, int[] size, Buffer from);

	/**
	 * Takes the maxima of one box of a template's map in place of its responses, of a problem that asks for {@link Result#PEAKS} alone, from an
	 * execution that finds them where it computes. Others bring the responses, and the sink looks for itself.
	 *
	 * @param found not used again after the call
	 */
	default void peaks(final int template, final BoxPeaks found) {
		throw new UnsupportedOperationException("this sink takes maps, not peaks");
	}

	/**
	 * Takes the greatest response of each lag of a box over all templates that were submitted, in place of the responses, of a problem that asks for
	 * {@link Result#BEST} alone, from an execution that compares them where it computes. Others bring the responses, and the sink compares. Single precision.
	 *
	 * @param min the box's first lag, counted from the first lag that was submitted
	 * @param size the box's extents
	 * @param greatest from its position on, x fastest; NaN where all are NaN; used again after the call
	 * @param which the index of the first template that has it, unsigned; anything where there is none; used again after the call
	 */
	default void best(final long[] min, final int[] size, final FloatBuffer greatest, final ShortBuffer which) {
		throw new UnsupportedOperationException("this sink takes maps, not the best of each lag");
	}

	/** The least response that {@link #peaks} is to tell of. */
	default float least() {
		return Float.NEGATIVE_INFINITY;
	}

	/**
	 * Where the responses of a box lie in memory, for those who write them there in place of handing them over.
	 *
	 * @param template index of the template
	 * @param min the box's first lag, counted from the first lag that was submitted
	 * @return null if they must be handed over
	 */
	default Place place(final int template, final long[] min) {
		return null;
	}

	/**
	 * A place in an array.
	 *
	 * @param array a Java array of floats or, of a problem in double precision, of doubles
	 * @param offset of the box's first response
	 * @param strides how far neighbours along each dimension lie apart, 1 along x
	 */
	record Place(Object array, int offset, int[] strides) {}
}
