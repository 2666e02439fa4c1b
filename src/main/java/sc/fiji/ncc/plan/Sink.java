package sc.fiji.ncc.plan;

import java.nio.Buffer;

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
}
