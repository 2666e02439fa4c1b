package sc.fiji.ncc.register;

import sc.fiji.ncc.option.ComputeOptions;
import sc.fiji.ncc.option.DriftReference;
import sc.fiji.ncc.plan.Monitor;

/**
 * How the drift of a sequence is measured.
 *
 * @param reference what frames are measured against
 * @param maxShift the largest shift between two frames that are compared, in pixels along each dimension; null for as much as the overlap allows
 * @param minOverlap the smallest overlap, as a share of a frame
 * @param mask 0 for pixels that do not count; null if all count
 * @param subpixel whether shifts are refined between the pixels
 * @param moveDoubtful whether doubtful shifts stay as they were measured; otherwise they are interpolated from the neighbours
 * @param compute how shifts are computed; with a planner. Its monitor receives the progress in frames
 */
public record DriftSettings(DriftReference reference, long[] maxShift, double minOverlap, boolean[] mask, boolean subpixel, boolean moveDoubtful,
	ComputeOptions compute)
{

	Monitor monitor() {
		return compute.monitor();
	}

	int threads() {
		return compute.threads();
	}
}
