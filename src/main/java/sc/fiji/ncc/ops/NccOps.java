package sc.fiji.ncc.ops;

import java.util.List;

import net.imglib2.Interval;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.Img;
import net.imglib2.type.numeric.RealType;
import net.imglib2.type.numeric.real.FloatType;

import sc.fiji.ncc.Convolution;
import sc.fiji.ncc.DriftCorrection;
import sc.fiji.ncc.NormalizedCrossCorrelation;
import sc.fiji.ncc.PoseSearch;
import sc.fiji.ncc.Registration;
import sc.fiji.ncc.TemplateMatching;
import sc.fiji.ncc.TemplateTracking;
import sc.fiji.ncc.option.Border;
import sc.fiji.ncc.option.Extent;
import sc.fiji.ncc.option.Interpolation;
import sc.fiji.ncc.option.Outside;
import sc.fiji.ncc.result.Alignment;
import sc.fiji.ncc.result.Drift;
import sc.fiji.ncc.result.Match;
import sc.fiji.ncc.result.PoseMatch;
import sc.fiji.ncc.track.TrackPoint;

/**
 * Ops for SciJava Ops, with the defaults of the entry points. Parameters that can be null can be left out, the last one first:
 *
 * <pre>
 * ops.op("filter.normalizedCrossCorrelation").input(image, template).apply();
 * ops.op("filter.normalizedCrossCorrelation").input(image, template, Extent.SAME).apply();
 * </pre>
 *
 * Images and templates can have any number of dimensions and any real types. Dimensions of the image beyond the template's are frames.
 * <p>
 * Lists have elements of a type variable: the engine takes the type of a list from its elements, and a list of views is no list of images to it.
 */
public final class NccOps {

	private NccOps() {}

	/**
	 * The correlation coefficient of a template with the image at every lag, see {@link NormalizedCrossCorrelation#correlate(RandomAccessibleInterval)}.
	 *
	 * @implNote op names='filter.normalizedCrossCorrelation, filter.ncc'
	 * @param image the image
	 * @param template the template
	 * @param extent which lags are computed; default: VALID (nullable)
	 * @param border what lies beyond the image; default: that of the extent (nullable)
	 * @return the map, with values in [-1, 1]
	 */
	public static <I extends RealType<I>, T extends RealType<T>> Img<FloatType> correlate(final RandomAccessibleInterval<I> image,
		final RandomAccessibleInterval<T> template, final Extent extent, final Border border)
	{
		return NormalizedCrossCorrelation.of(template).extent(extent == null ? Extent.VALID : extent).border(border).correlate(image).map();
	}

	/**
	 * The correlation coefficients of several templates, in one pass over the image.
	 *
	 * @implNote op names='filter.normalizedCrossCorrelation, filter.ncc'
	 * @param image the image
	 * @param templates the templates
	 * @param extent which lags are computed; default: VALID (nullable)
	 * @param border what lies beyond the image; default: that of the extent (nullable)
	 * @return one map for each template
	 */
	public static <I extends RealType<I>, T extends RealType<T>, L extends RandomAccessibleInterval<T>> List<Img<FloatType>> correlateAll(
		final RandomAccessibleInterval<I> image, final List<L> templates, final Extent extent, final Border border)
	{
		return NormalizedCrossCorrelation.of(templates).extent(extent == null ? Extent.VALID : extent).border(border).correlate(image).maps();
	}

	/**
	 * The positions where a template occurs, best first, see {@link TemplateMatching}.
	 *
	 * @implNote op names='segment.matchTemplate'
	 * @param image the image
	 * @param template the template
	 * @param minScore the minimum score of a match; default: 0.5 (nullable)
	 * @param maxMatches the maximum number of matches in a frame; default: no limit (nullable)
	 * @return the matches
	 */
	public static <I extends RealType<I>, T extends RealType<T>> List<Match> match(final RandomAccessibleInterval<I> image,
		final RandomAccessibleInterval<T> template, final Double minScore, final Integer maxMatches)
	{
		return matchAll(image, List.of(template), minScore, maxMatches);
	}

	/**
	 * The positions where templates occur, best first. Matches of different templates that overlap compete.
	 *
	 * @implNote op names='segment.matchTemplate'
	 * @param image the image
	 * @param templates the templates
	 * @param minScore the minimum score of a match; default: 0.5 (nullable)
	 * @param maxMatches the maximum number of matches in a frame, of all templates together; default: no limit (nullable)
	 * @return the matches
	 */
	public static <I extends RealType<I>, T extends RealType<T>, L extends RandomAccessibleInterval<T>> List<Match> matchAll(
		final RandomAccessibleInterval<I> image, final List<L> templates, final Double minScore, final Integer maxMatches)
	{
		return TemplateMatching.with(NormalizedCrossCorrelation.of(templates)).minScore(minScore == null ? 0.5 : minScore)
			.maxMatches(maxMatches == null ? Integer.MAX_VALUE : maxMatches).find(image).matches();
	}

	/**
	 * The positions where a template occurs, best first. The minimum score follows from the expected number of false matches, see {@link TemplateMatching#falseAlarms}.
	 *
	 * @implNote op names='segment.matchTemplateByFalseAlarms'
	 * @param image the image
	 * @param template the template
	 * @param falseAlarms the expected number of false matches in the whole image, such as 0.05
	 * @param maxMatches the maximum number of matches in a frame; default: no limit (nullable)
	 * @return the matches, with their probabilities
	 */
	public static <I extends RealType<I>, T extends RealType<T>> List<Match> matchByFalseAlarms(final RandomAccessibleInterval<I> image,
		final RandomAccessibleInterval<T> template, final Double falseAlarms, final Integer maxMatches)
	{
		return TemplateMatching.with(NormalizedCrossCorrelation.of(template)).falseAlarms(falseAlarms).maxMatches(maxMatches == null ? Integer.MAX_VALUE : maxMatches)
			.find(image).matches();
	}

	/**
	 * The positions where a rotated or scaled template occurs, best first, see {@link PoseSearch}.
	 *
	 * @implNote op names='segment.matchRotatedTemplate'
	 * @param image the image
	 * @param template the template, of two dimensions
	 * @param angles the angles in degrees, counter-clockwise as seen on the screen
	 * @param scales the scales; default: 1 (nullable)
	 * @param minScore the minimum score of a match; default: 0.7 (nullable)
	 * @param maxMatches the maximum number of matches in a frame; default: no limit (nullable)
	 * @return the matches with their poses
	 */
	public static <I extends RealType<I>, T extends RealType<T>> List<PoseMatch> matchRotated(final RandomAccessibleInterval<I> image,
		final RandomAccessibleInterval<T> template, final double[] angles, final double[] scales, final Double minScore, final Integer maxMatches)
	{
		final PoseSearch search = PoseSearch.of(template).angles(angles).minScore(minScore == null ? PoseSearch.MIN_SCORE : minScore)
			.maxMatches(maxMatches == null ? Integer.MAX_VALUE : maxMatches);
		return (scales == null ? search : search.scales(scales)).find(image).matches();
	}

	/**
	 * The sum of products of the image and the flipped kernel, see {@link Convolution}.
	 *
	 * @implNote op names='filter.convolve', priority='-100.'
	 * @param image the image
	 * @param kernel the kernel
	 * @param extent the size of the result; default: SAME (nullable)
	 * @param border what lies beyond the image; default: that of the extent (nullable)
	 * @return the result
	 */
	public static <I extends RealType<I>, K extends RealType<K>> Img<FloatType> convolve(final RandomAccessibleInterval<I> image,
		final RandomAccessibleInterval<K> kernel, final Extent extent, final Border border)
	{
		return Convolution.of(kernel).extent(extent == null ? Extent.SAME : extent).border(border).convolve(image).map();
	}

	/**
	 * Tracks regions of the first frame through a stack, see {@link TemplateTracking}.
	 *
	 * @implNote op names='segment.trackTemplate'
	 * @param stack the frames; the last dimension is time
	 * @param regions the regions of the first frame
	 * @param maxShift the maximum shift in a frame, in pixels, one number for each dimension of a region; default: no limit (nullable)
	 * @return one point for each region and frame
	 */
	public static <I extends RealType<I>, R extends Interval> List<TrackPoint> track(final RandomAccessibleInterval<I> stack,
		final List<R> regions, final long[] maxShift) {
		final TemplateTracking tracking = TemplateTracking.ofRegions(regions);
		return (maxShift == null ? tracking.everywhere() : tracking.maxShift(maxShift)).track(stack).points();
	}

	/**
	 * The shift of the content of a moving image against a fixed image, see {@link Registration}.
	 *
	 * @implNote op names='image.measureShift'
	 * @param fixed the fixed image, of two or three dimensions
	 * @param moving the moving image
	 * @param maxShift the maximum shift in pixels, one number for each dimension; default: no limit (nullable)
	 * @return the shift with its score
	 */
	public static <F extends RealType<F>, M extends RealType<M>> Alignment register(final RandomAccessibleInterval<F> fixed,
		final RandomAccessibleInterval<M> moving, final long[] maxShift)
	{
		final Registration registration = Registration.of(fixed);
		return (maxShift == null ? registration : registration.maxShift(maxShift)).register(moving);
	}

	/**
	 * The shift of each frame of a stack against the reference, see {@link DriftCorrection}.
	 *
	 * @implNote op names='image.measureDrift'
	 * @param stack the frames; the last dimension is time, the others are those of a frame
	 * @param maxShift the maximum shift in pixels between frames that are compared, one number for each dimension of a frame; default: no limit (nullable)
	 * @return one shift for each frame
	 */
	public static <I extends RealType<I>> Drift measureDrift(final RandomAccessibleInterval<I> stack, final long[] maxShift) {
		final DriftCorrection correction = DriftCorrection.ofFrames(stack.numDimensions() - 1);
		return (maxShift == null ? correction : correction.maxShift(maxShift)).measure(stack);
	}

	/**
	 * A stack without its drift, computed plane by plane when its pixels are used.
	 *
	 * @implNote op names='transform.correctDrift'
	 * @param stack the recorded stack; the last dimension is time
	 * @param drift the shifts of its frames
	 * @param interpolation the values between pixels; default: CUBIC (nullable)
	 * @param outside what lies beyond the recorded frames; default: black (nullable)
	 * @return the corrected stack, of the same pixel type
	 */
	@SuppressWarnings("unchecked") // the corrected stack has the pixel type of the stack
	public static <I extends RealType<I>> Img<I> correctDrift(final RandomAccessibleInterval<I> stack, final Drift drift,
		final Interpolation interpolation, final Outside outside)
	{
		return (Img<I>) DriftCorrection.correct(stack, stack.numDimensions() - 1, drift, interpolation == null ? Interpolation.CUBIC : interpolation,
			outside == null ? Outside.BLACK : outside);
	}
}
