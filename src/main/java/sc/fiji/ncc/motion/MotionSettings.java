package sc.fiji.ncc.motion;

import java.util.OptionalDouble;

import net.imglib2.RandomAccessibleInterval;

import sc.fiji.ncc.image.MissingPixels;
import sc.fiji.ncc.option.DriftReference;
import sc.fiji.ncc.option.Range;
import sc.fiji.ncc.plan.Given;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.WindowPairs;

/**
 * How a motion field is measured.
 *
 * @param window the extents of a window in pixels
 * @param spacing the distance of neighbouring windows in pixels
 * @param shape the weights of the pixels of a window
 * @param maxShift the largest motion along each dimension in pixels
 * @param passes the number of passes, at least 1
 * @param reference the frame of a stack whose windows are searched in the others: the previous one, the first one, or a given one
 * @param doubleFrames whether frames 1 and 2, 3 and 4, and so on are pairs, in place of the reference
 * @param ensemble whether all pairs of frames have one motion: that of the mean of their responses
 * @param refine whether motions are refined on the pixels, with a covariance
 * @param validation which vectors are valid, and what replaces the others
 * @param smoothing the parameter of the smoothing: empty for no smoothing, NaN for the best one
 * @param missing which pixels of the frames are missing
 * @param gridMask 0 for windows that are left out: a pixel for each window, or of the size of a frame; null for none
 * @param minOverlap the smallest share of the pixels of a window that must be present
 */
public record MotionSettings(Size window, Size spacing, WindowPairs.Shape shape, long[] maxShift, int passes, DriftReference reference, boolean doubleFrames,
	boolean ensemble, boolean refine, Validation validation, OptionalDouble smoothing, MissingPixels missing,
	RandomAccessibleInterval<?> gridMask, double minOverlap)
{

	/**
	 * Which vectors are valid. A vector at the end of the search is not.
	 *
	 * @param minScore the minimum score
	 * @param minRatio the least ratio of the score to that of the second peak; it counts in the first pass
	 * @param falseAlarms the largest expected number of peaks as high as the highest one by chance; NaN for any, which is not computed
	 * @param maxResidual the largest normalized residual of the median test; infinite for none
	 * @param replace whether second peaks and means of neighbours replace vectors that are not valid
	 */
	public record Validation(double minScore, double minRatio, double falseAlarms, double maxResidual, boolean replace) {

		/** A score of 0.2, a ratio of 1.1, any false alarms, a residual of 3, with replacement. */
		public static final Validation DEFAULT = new Validation(0.2, 1.1, Double.NaN, 3, true);

		/** Whether the expected number of false alarms counts. */
		boolean isByChance() {
			return !Double.isNaN(falseAlarms);
		}

		public Validation {
			Range.SCORE.of("the minimum score is ", minScore);
			if (!(minRatio >= 0)) throw new IllegalArgumentException("the minimum ratio is " + minRatio + ": give 0 or more");
			if (!Double.isNaN(falseAlarms)) Range.FALSE_ALARMS.of("the expected number of false alarms is ", falseAlarms);
			if (!(maxResidual > 0)) throw new IllegalArgumentException("the maximum residual is " + maxResidual + ": give a number above 0");
		}
	}

	public MotionSettings {
		Given.nonNull(window, "window");
		Given.nonNull(spacing, "spacing");
		Given.nonNull(shape, "shape");
		Given.nonNull(validation, "validation");
		Given.nonNull(smoothing, "smoothing");
		Given.nonNull(missing, "mask");
		if (Given.nonNull(reference, "reference").kind() == DriftReference.Kind.MEAN
			|| reference.kind() == DriftReference.Kind.MULTI) throw new IllegalArgumentException(
			"the reference " + reference + " is not for motion fields: give previous, first, or the number of a frame");
		Range.COUNT.of("the number of passes is ", passes);
		Range.SHARE.of("the minimum overlap is ", minOverlap);
		if (smoothing.isPresent() && smoothing.getAsDouble() < 0) throw new IllegalArgumentException("the smoothing is " + smoothing.getAsDouble()
			+ ": give 0 or more");
	}

	/** Half a window apart, shifts of a third of a window, three passes, each frame with the next one. */
	public static MotionSettings of(final Size window) {
		final long[] spacing = window.toArray(), shift = window.toArray();
		for (int d = 0; d < spacing.length; d++) {
			spacing[d] = Math.max(1, spacing[d] / 2);
			shift[d] /= 3;
		}
		return new MotionSettings(window, Size.of(spacing), WindowPairs.Shape.SQUARE, shift, 3, DriftReference.PREVIOUS, false,
			false, true, Validation.DEFAULT, OptionalDouble.empty(),
			MissingPixels.NONE, null, 0.5);
	}
}
