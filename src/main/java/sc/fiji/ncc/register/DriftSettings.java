package sc.fiji.ncc.register;

import java.util.Arrays;
import java.util.List;

import net.imglib2.Interval;
import net.imglib2.RandomAccessibleInterval;

import sc.fiji.ncc.option.DriftReference;
import sc.fiji.ncc.option.Range;
import sc.fiji.ncc.plan.Deformations;
import sc.fiji.ncc.plan.FramePairs;
import sc.fiji.ncc.plan.Given;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Size;

/**
 * How the drift of a sequence is measured.
 *
 * @param reference what frames are measured against
 * @param maxShift the largest shift between two frames that are compared, in pixels along each dimension; null for as much as the overlap allows
 * @param minOverlap the smallest overlap, as a share of a frame
 * @param inside the box of the frames in which the drift is measured; null for all
 * @param imageMask 0 for pixels that do not count, of the size of a frame or of the box; null if all count
 * @param smoothing the standard deviation of the Gaussian that smooths shifts, in frames; 0 for none
 * @param projections whether volumes are measured by projections
 * @param subpixel whether shifts are refined between the pixels
 * @param moveDoubtful whether doubtful shifts stay as they were measured; otherwise they are interpolated from the neighbours
 * @param piecewise the size of the windows that measure the deformation of frames, after their shifts; null for shifts only
 */
public record DriftSettings(DriftReference reference, long[] maxShift, double minOverlap, Interval inside, RandomAccessibleInterval<?> imageMask,
	double smoothing, boolean projections, boolean subpixel, boolean moveDoubtful, Size piecewise)
{

	/** The smallest overlap without another setting: about a third, as a decimal number that all front ends show and record as it is. */
	public static final double MIN_OVERLAP = 0.333;

	/** Several references for each frame, the smallest overlap, all pixels, without smoothing, between the pixels. */
	public static final DriftSettings DEFAULT = new DriftSettings(DriftReference.MULTI, null, MIN_OVERLAP, null, null, 0, false, true, false, null);

	/** The pairs of a frame with the reference multi, at most. */
	private static final int MULTI = 8;

	public DriftSettings {
		Given.nonNull(reference, "reference");
		Range.PART.of("the minimum overlap is ", minOverlap);
		if (!(smoothing >= 0) || Double.isInfinite(smoothing)) throw new IllegalArgumentException("the smoothing is " + smoothing
			+ " frames: give 0 or more");
		if (smoothing > 0 && piecewise != null) throw new IllegalArgumentException("shifts are smoothed in time, and windows would measure what this takes "
			+ "away: leave out"
			+ " smoothing, or piecewise");
	}

	/**
	 * The planner's problem for frames that are compared.
	 *
	 * @param values the number of recorded values from which each pixel is computed
	 * @param masked whether some pixels do not count
	 */
	public FramePairs problem(final PixelType type, final Size size, final long values, final boolean masked, final long frames) {
		final long each = reference.kind() == DriftReference.Kind.MULTI ? Math.max(1, Math.min(MULTI, frames - 1)) : 1;
		return new FramePairs(type, size, size, maxShift == null ? List.of() : Arrays.stream(maxShift).boxed().toList(), minOverlap, masked, values, 1,
			subpixel, frames, frames * each);
	}

	/** The planner's problem for the deformations of frames, which are measured in each round. There must be windows. */
	public Deformations deformations(final Size size, final long frames) {
		return new Deformations(size, piecewise, frames * PiecewiseMeasurement.rounds(reference));
	}
}
