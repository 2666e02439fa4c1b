package sc.fiji.ncc.register;

import sc.fiji.ncc.option.DriftReference;
import sc.fiji.ncc.plan.Monitor;

/**
 * How the drift of a sequence is measured.
 *
 * @param reference what frames are measured against
 * @param maxShift the largest shift between two frames that are compared, in pixels along each dimension
 * @param minOverlap the smallest overlap, as a share of a frame
 * @param mask 0 for pixels that do not count; null if all count
 * @param subpixel whether shifts are refined between the pixels
 * @param moveDoubtful whether doubtful shifts stay as they were measured; otherwise they are interpolated from the neighbours
 * @param threads the number of threads
 * @param backend what measures: auto, cpu or cuda
 * @param monitor receives the progress in frames, and can cancel
 */
public record DriftSettings(DriftReference reference, long[] maxShift, double minOverlap, boolean[] mask, boolean subpixel, boolean moveDoubtful,
	int threads, String backend, Monitor monitor) {}
