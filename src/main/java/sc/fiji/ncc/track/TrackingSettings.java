package sc.fiji.ncc.track;

import java.util.List;
import java.util.function.Function;

import net.imglib2.RandomAccessibleInterval;

import sc.fiji.ncc.image.MissingPixels;
import sc.fiji.ncc.option.ComputeOptions;
import sc.fiji.ncc.plan.Template;

/**
 * How templates are tracked.
 *
 * @param starts the first pixel of each template in the reference frame, in pixels from the frame's first one
 * @param maxShift the largest motion from one frame to the next along each dimension, in pixels; {@link Long#MAX_VALUE} for the whole frame
 * @param minScore the score below which a template is lost
 * @param follows whether search windows follow the templates
 * @param cuts whether templates are parts of the reference frame
 * @param missing which pixels of the frames are missing
 * @param minOverlap the smallest share of a template's weight that must lie on present pixels
 * @param refine whether positions are refined on the pixels
 * @param options how responses are computed; with a planner
 * @param templates reads the templates, given the reference frame
 */
public record TrackingSettings(List<long[]> starts, long[] maxShift, Update update, double minScore, boolean follows, boolean cuts, MissingPixels missing,
	double minOverlap, boolean refine, ComputeOptions options, Function<RandomAccessibleInterval<?>, List<Template>> templates)
{}
