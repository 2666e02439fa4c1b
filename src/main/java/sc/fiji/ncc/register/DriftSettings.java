package sc.fiji.ncc.register;

import java.util.Arrays;
import java.util.List;

import sc.fiji.ncc.option.ComputeOptions;
import sc.fiji.ncc.option.DriftReference;
import sc.fiji.ncc.plan.FramePairs;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Size;

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

	/** The pairs of a frame with the reference multi, at most. */
	private static final int MULTI = 8;

	/**
	 * The planner's problem for frames that are compared.
	 *
	 * @param values the number of recorded values from which each pixel is computed
	 * @param masked whether some pixels do not count although there is no mask
	 */
	public FramePairs problem(final PixelType type, final Size size, final long values, final boolean masked, final long frames) {
		final long each = reference.kind() == DriftReference.Kind.MULTI ? Math.max(1, Math.min(MULTI, frames - 1)) : 1;
		return new FramePairs(type, size, size, maxShift == null ? List.of() : Arrays.stream(maxShift).boxed().toList(), minOverlap, masked || mask != null,
			values, 1, subpixel, frames, frames * each);
	}

	Monitor monitor() {
		return compute.monitor();
	}

	int threads() {
		return compute.threads();
	}
}
