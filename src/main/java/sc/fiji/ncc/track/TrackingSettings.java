package sc.fiji.ncc.track;

import java.util.Arrays;

import sc.fiji.ncc.image.MissingPixels;
import sc.fiji.ncc.option.Range;
import sc.fiji.ncc.plan.Given;

/**
 * How templates are tracked.
 *
 * @param maxShift the largest motion from one frame to the next along each dimension, in pixels; {@link Long#MAX_VALUE} for the whole
 *   frame; null if it is not set
 * @param update how a template changes after it is found
 * @param minScore the score below which a template is lost
 * @param reference the index of the reference frame
 * @param follows whether search windows follow the templates
 * @param refine whether positions are refined on the pixels
 * @param missing which pixels of the frames are missing
 * @param minOverlap the smallest share of a template's weight that must lie on present pixels
 */
public record TrackingSettings(long[] maxShift, Update update, double minScore, long reference, boolean follows, boolean refine,
	MissingPixels missing, double minOverlap)
{

	/** No maximum shift, fixed templates, a minimum score of 0.5, from the first frame. */
	public static final TrackingSettings DEFAULT = new TrackingSettings(null, Update.FIXED, 0.5, 0, true, false, MissingPixels.NONE, 1.0 / 3);

	public TrackingSettings {
		Given.nonNull(update, "update");
		Range.SCORE.of("the minimum score is ", minScore);
		Range.SHARE.of("the minimum overlap is ", minOverlap);
		if (reference < 0) throw new IllegalArgumentException("the reference frame is " + reference + ": give 0 or more");
	}

	/** Whether the whole of each frame is searched. */
	public boolean everywhere() {
		return Arrays.stream(maxShift).allMatch(s -> s == Long.MAX_VALUE);
	}
}
