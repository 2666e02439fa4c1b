package sc.fiji.ncc.plan.deform;

import sc.fiji.ncc.plan.DeviceException;
import sc.fiji.ncc.plan.Plan;

/**
 * A prepared plan for {@link sc.fiji.ncc.plan.Deformations}: deforms a frame, and sums its products with a reference over the cells of
 * windows. One thread at a time calls it. {@link #close} releases all memory.
 */
public interface DeformExecution extends Plan.Prepared {

	/**
	 * Begins with a frame.
	 *
	 * @param values of its pixels, x fastest; NaN for missing pixels, which count as 0 between others. They may be overwritten
	 * @param coarse whether levels of boxes are needed, too
	 * @throws DeviceException if the device failed
	 */
	void frame(float[] values, boolean coarse);

	/**
	 * The area of all windows in the deformed frame: the frame at {@code x + u(x)}. NaN where a position lies outside the frame, or beside a
	 * missing pixel.
	 *
	 * @param level the index of a level of {@link Level#of}
	 * @param motion u in pixels: for each dimension a value for each window
	 * @return a new array, x fastest
	 * @throws DeviceException if the device failed
	 */
	float[] deformed(int level, double[][] motion);

	/**
	 * The sums of all cells over the pixels that are present in the reference and in the deformed frame, with the gradient of the reference.
	 *
	 * @param level as for {@link #deformed}, but not the last one
	 * @param motion as for {@link #deformed}
	 * @param exact whether the sums with the gradient of the deformed frame, and with its values times a weight, are needed: then pixels
	 * without that gradient do not count. Otherwise these sums are undefined
	 * @return for each cell, x fastest, the sums in the order of {@link SumLayout}
	 * @throws DeviceException if the device failed
	 */
	double[][] sums(int level, DeformReference reference, double[][] motion, boolean exact);
}
