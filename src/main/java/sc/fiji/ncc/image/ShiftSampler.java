package sc.fiji.ncc.image;

/** A B-spline of degree 5 through the values of a block, which is sampled at shifts between the values. Only one thread may use an object. */
interface ShiftSampler {

	/**
	 * Samples the block, up to a constant. Complexity: linear in the number of values.
	 *
	 * @param shift in pixels along each axis
	 * @param along the axis of a derivative; -1 for the values
	 * @param at where the block begins in the result
	 */
	void sample(double[] shift, int along, double[] result, int at);
}
