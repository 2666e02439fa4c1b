package sc.fiji.ncc;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import net.imglib2.Interval;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.util.IntervalIndexer;

import sc.fiji.ncc.image.StackFrames;
import sc.fiji.ncc.option.ComputingOp;
import sc.fiji.ncc.option.Range;
import sc.fiji.ncc.plan.BoundedBank;
import sc.fiji.ncc.plan.Given;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.pose.PoseGrid;
import sc.fiji.ncc.pose.PoseParts;
import sc.fiji.ncc.pose.PoseRun;
import sc.fiji.ncc.pose.PoseSet;
import sc.fiji.ncc.pose.PoseSettings;
import sc.fiji.ncc.pose.PoseSettings.Choice;
import sc.fiji.ncc.pose.PoseSupport;
import sc.fiji.ncc.result.BackgroundState;
import sc.fiji.ncc.result.BestPoses;
import sc.fiji.ncc.result.CountedFrames;
import sc.fiji.ncc.result.FrameConsumer;
import sc.fiji.ncc.result.PoseMatch;
import sc.fiji.ncc.result.PoseReport;
import sc.fiji.ncc.result.PosesFound;

/**
 * Finds rotated, scaled and mirrored templates in an image.
 *
 * <pre>
 * List&lt;PoseMatch&gt; matches = PoseSearch.of(template).angleRange(0, 360, 2).scaleRange(0.8, 1.25, 1.05).minScore(0.7).find(image).matches();
 * </pre>
 *
 * The score of a pose is the correlation coefficient of the rotated and scaled template with the image, over the pixels of the support. The template is
 * resampled by a cubic B-spline; the image is not changed. Images of colours and {@link sc.fiji.ncc.image.JointImage} have one score of all channels. A match is a local maximum over x and y (and z) of the best score over all poses. Of matches whose
 * supports overlap too much, only the best is kept.
 * <p>
 * With the supports {@link PoseSupport#DISK} and {@link PoseSupport#RING}, the matches are exactly those of an evaluation of all poses at all positions, and
 * scores are within 1e-9. A small orthonormal basis for the poses of a scale gives a proved interval for each pose; poses that can reach the minimum score are
 * scored exactly. See {@code src/doc/poses.md} for the proof. The intervals include the error limit of the correlation, 1e-5.
 * <p>
 * The correlations of one box of positions take at most a quarter of {@link #memory}, and at most 1 GB. {@link PoseReport#bytes} states them and the sampled
 * templates. Each position that reaches the minimum score takes 28 bytes more. A GPU that searches alone takes at most 40 % of its own memory for correlations,
 * spectra and windows; larger images are searched in boxes.
 * <p>
 * Supports must lie inside the image. {@link #precision} has to be single. Several threads can use one object at the same time: each call uses the
 * settings at its start.
 */
public final class PoseSearch extends ComputingOp<PoseSearch, PoseSettings> {

	/** The default of {@link #minScore}. It is above that of {@link TemplateMatching#minScore}, because the best of many poses scores higher in background, too. */
	public static final double MIN_SCORE = PoseSettings.DEFAULT.minScore();

	private final List<? extends RandomAccessibleInterval<?>> templateImages;

	private PoseSearch(final List<? extends RandomAccessibleInterval<?>> templates, final PoseSettings settings) {
		super(Backends::all, settings);
		templateImages = List.copyOf(templates);
	}

	/** @param template an image with 2 or 3 dimensions and at least two different values */
	public static PoseSearch of(final RandomAccessibleInterval<?> template) {
		return new PoseSearch(List.of(Given.nonNull(template, "template")), PoseSettings.DEFAULT);
	}

	/** @param templates images with the same number of dimensions and channels, of any sizes and types */
	public static PoseSearch of(final List<? extends RandomAccessibleInterval<?>> templates) {
		return new PoseSearch(Given.list(templates, "template"), PoseSettings.DEFAULT);
	}

	/**
	 * Sets masks, one per template; a null element for all pixels. Only for the support {@link PoseSupport#WHOLE}.
	 *
	 * @param newMasks images of the templates' shapes that contain 0 and one other value
	 */
	public PoseSearch masks(final List<? extends RandomAccessibleInterval<?>> newMasks) {
		Given.nonNull(newMasks, "list of masks");
		if (newMasks.size() != templateImages.size())
			throw new IllegalArgumentException(newMasks.size() + " masks for " + templateImages.size() + " templates: give one for each");
		return set(PoseSettings::masks, new ArrayList<>(newMasks));
	}

	/** Sets the poses. Default: all angles with a step from the templates, scale 1. */
	public PoseSearch poses(final PoseGrid poses) {
		return set(PoseSettings::grid, Given.nonNull(poses, "grid of poses"));
	}

	/**
	 * Sets the angles, in degrees counter-clockwise as seen on the screen: {@code from, from + step, ...}, up to {@code to}, which is left out if it is a full turn
	 * from {@code from}.
	 *
	 * @throws IllegalArgumentException if the step is 0 or negative, or {@code from > to}
	 */
	public synchronized PoseSearch angleRange(final double from, final double to, final double step) {
		return poses(settings().grid().angles(PoseGrid.angleRange(from, to, step)));
	}

	/** Sets the angles, each by itself, in degrees: {@code angles(0, 90)} are two. {@link #angleRange} sets all angles of a range. */
	public synchronized PoseSearch angles(final double... angles) {
		return poses(settings().grid().angles(Given.nonNull(angles, "list of angles")));
	}

	/**
	 * Sets the scales {@code from, from·factor, from·factor², ...}, up to {@code to}. Default: 1.
	 *
	 * @throws IllegalArgumentException if a scale is not above 0, {@code from > to}, or the factor is not above 1
	 */
	public synchronized PoseSearch scaleRange(final double from, final double to, final double factor) {
		return poses(settings().grid().scales(PoseGrid.scaleRange(from, to, factor)));
	}

	/** Sets the scales, each by itself. {@link #scaleRange} sets all scales of a range. */
	public synchronized PoseSearch scales(final double... scales) {
		return poses(settings().grid().scales(scales));
	}

	/** Sets the rotations for templates with 3 dimensions, as quaternions (w, x, y, z). */
	public synchronized PoseSearch rotations(final List<double[]> quaternions) {
		return poses(settings().grid().rotations(quaternions));
	}

	/** Also searches the mirrored templates. Default: false. */
	public synchronized PoseSearch mirrored(final boolean mirrored) {
		return poses(settings().grid().mirrored(mirrored));
	}

	/** Sets which pixels of the rotated templates count. Default: {@link PoseSupport#DISK}. */
	public PoseSearch support(final PoseSupport newSupport) {
		return set(PoseSettings::support, Given.nonNull(newSupport, "support"));
	}

	/**
	 * Sets the support to a ring.
	 *
	 * @param share the inner radius as a share of the outer one, in (0, 1)
	 */
	public synchronized PoseSearch ring(final double share) {
		if (!(share > 0 && share < 1)) throw new IllegalArgumentException("the inner radius of the ring is " + share + " of the outer one: give a share between 0 and 1");
		return set(PoseSettings::inner, share).set(PoseSettings::support, PoseSupport.RING);
	}

	/**
	 * Sets the minimum score of a match, a correlation coefficient. Lower ones take more time. Default: {@link #MIN_SCORE}.
	 *
	 * @throws IllegalArgumentException if not in [-1, 1]
	 */
	public synchronized PoseSearch minScore(final double score) {
		return set(PoseSettings::minScore, score).set(PoseSettings::falseAlarms, Double.NaN);
	}

	/**
	 * Sets the expected number of false matches in the background of a search, in place of a minimum score. The minimum score of each frame then follows from a
	 * sample of its scores; it is one for all templates. The number counts for all templates and all frames of {@link #find}, and for each frame of
	 * {@link #findEach}. Time for each frame: a second or less for usual templates, see {@code src/doc/statistics.md}.
	 *
	 * @param number as for {@link TemplateMatching#falseAlarms}
	 * @throws IllegalArgumentException if it is out of range
	 */
	public PoseSearch falseAlarms(final double number) {
		return set(PoseSettings::falseAlarms, Range.FALSE_ALARMS.of("the expected number of false matches is ", number));
	}

	/** Sets the maximum number of matches in each frame, at least 1. Default: no limit. */
	public PoseSearch maxMatches(final int number) {
		return set(PoseSettings::choice, Choice::maxMatches, number);
	}

	/** Sets the maximum share, in [0, 1], of the smaller of two supports that both have in common. Default: 0.5. */
	public PoseSearch maxOverlap(final double share) {
		return set(PoseSettings::choice, Choice::overlap, share);
	}

	/** Sets whether a match suppresses overlapping matches of other templates. Default: true. */
	public PoseSearch compete(final boolean compete) {
		return set(PoseSettings::choice, Choice::compete, compete);
	}

	/** Sets whether position, angle and scale are refined between the grid poses, and have errors ({@link PoseMatch#covariance}, {@link PoseMatch#sigmaAngle}, {@link PoseMatch#sigmaScale}). Default: true. */
	public PoseSearch refine(final boolean newRefine) {
		return set(PoseSettings::choice, Choice::refine, newRefine);
	}

	/** Restricts the search to supports that lie completely in a box of the image, in pixels relative to its first pixel. Null for the whole image. */
	public PoseSearch inside(final Interval box) {
		return set(PoseSettings::inside, box);
	}

	/**
	 * Whether the search also returns maps of the best score and the pose of each position, in {@link PosesFound#maps}. They hold the positions that reach the
	 * minimum score: with a score of -1 all positions, in the time of all poses. {@link #find} keeps those of all frames, and refuses what the heap cannot
	 * hold; {@link #findEach} keeps those of one frame. {@link #parts} makes no maps. Default: off.
	 */
	public synchronized PoseSearch maps(final boolean maps) {
		return set(PoseSettings::maps, maps);
	}

	/** Multiplies the residual norms of the bound. Anything below 1 breaks the guarantee. */
	PoseSearch boundShare(final double share) {
		return set(PoseSettings::boundShare, share);
	}

	/**
	 * Finds the matches in each frame of an image.
	 *
	 * @param image an image of any real type; dimensions beyond the templates' are frames, which are read one after another
	 * @throws IllegalArgumentException if a template is flat, too small for its support, or larger than the image at every scale, or the poses do not fit the templates
	 * @throws java.util.concurrent.CancellationException if the monitor canceled
	 * @throws sc.fiji.ncc.result.NccException if every candidate failed
	 */
	public PosesFound find(final RandomAccessibleInterval<?> image) {
		Given.nonNull(image, "image");
		final PoseSearch own = copy();
		try (PoseRun run = own.run(frames(image), frames(image))) {
			final int n = run.dimensions();
			final long[] frames = Arrays.copyOfRange(image.dimensionsAsLongArray(), n, image.numDimensions());
			final List<PoseMatch> all = new ArrayList<>();
			final List<BackgroundState> backgrounds = new ArrayList<>();
			final List<BestPoses> maps = new ArrayList<>();
			Report report = Report.NONE;
			for (long f = 0; f < run.frames(); f++) {
				final RandomAccessibleInterval<?> frame = StackFrames.get(image, n, f);
				if (f == 0) run.requireMapsFit(frame);
				report = report.plus(run.frame(frame));
				final long[] place = new long[frames.length];
				if (frames.length > 0) IntervalIndexer.indexToPosition(f, frames, place);
				for (final PoseMatch m : run.matches()) all.add(m.in(place));
				backgrounds.addAll(run.backgrounds());
				maps.addAll(run.maps(0));
			}
			all.sort((a, b) -> Double.compare(b.score(), a.score()));
			return new PosesFound(List.copyOf(all), report, run.plan(), run.leastScore(), List.copyOf(backgrounds), maps, run.seconds());
		}
	}

	/** A copy with the current settings. */
	private synchronized PoseSearch copy() {
		if (options().precision() == Precision.DOUBLE) throw new IllegalArgumentException("the precision is double, and a search for poses has one "
			+ "precision: leave it at single; the scores of matches are within 1e-9");
		return new PoseSearch(templateImages, settings()).compute(planned());
	}

	/** @param searched the number of frames that share the expected false alarms */
	private synchronized PoseRun run(final long frames, final long searched) {
		return new PoseRun(templateImages, settings(), options(), frames, searched);
	}

	/**
	 * The work of {@link #find} in parts, for several processes. Reads no pixels of the image. {@link #falseAlarms} counts for each frame.
	 *
	 * @throws IllegalArgumentException as {@link #find}
	 */
	public PoseParts parts(final RandomAccessibleInterval<?> image) {
		Given.nonNull(image, "image");
		final PoseSearch own = copy();
		return new PoseParts(own.run(frames(image), 1), image, own.settings().choice());
	}

	private long frames(final RandomAccessibleInterval<?> image) {
		return StackFrames.count(templateImages.get(0).numDimensions(), image.dimensionsAsLongArray());
	}

	/**
	 * Finds the matches in each frame of a stream, one frame after the other. The templates are prepared once for all frames of one size.
	 *
	 * @param frames images with the templates' number of dimensions
	 * @param consumer receives the matches of each frame, best first
	 * @return the counts of all frames
	 * @throws sc.fiji.ncc.result.FrameException if a frame could not be read or consumed
	 */
	public Report findEach(final Iterable<? extends RandomAccessibleInterval<?>> frames, final FrameConsumer<? super PosesFound> consumer) {
		Given.nonNull(frames, "source of frames");
		Given.nonNull(consumer, "consumer");
		final PoseSearch own = copy();
		try (PoseRun run = own.run(CountedFrames.expected(frames), 1)) {
			return run.each(frames, consumer);
		}
	}

	/**
	 * The best score over all poses for each position, and its pose, of the first template. Positions whose best score is below the minimum score have none.
	 *
	 * @param image an image with the template's number of dimensions
	 * @throws IllegalArgumentException as {@link #find}
	 */
	public BestPoses bestPoses(final RandomAccessibleInterval<?> image) {
		Given.nonNull(image, "image");
		final PoseSearch own = copy().maps(true);
		try (PoseRun run = own.run(1, 1)) {
			if (image.numDimensions() != run.dimensions()) throw new IllegalArgumentException("the image has " + image.numDimensions() + " dimensions, the template "
				+ run.dimensions() + ": call bestPoses for each frame");
			run.frame(image);
			return run.best(0, 0);
		}
	}

	/**
	 * The planner's problem for {@link #find} with an image and poses of a template of these sizes, on a disk, or in three dimensions on a ball. It has no basis,
	 * because a basis depends on pixels: every pose is correlated. {@link #explain} plans with a basis.
	 *
	 * @param frames the number of such images, at least 1
	 * @throws IllegalArgumentException if the template is larger than the image, or its number of dimensions is not that of the image, 2 or 3
	 */
	public static BoundedBank problem(final PixelType image, final Size size, final Size template, final int poses, final long frames) {
		Given.nonNull(image, "pixel type");
		Given.nonNull(size, "size");
		Given.nonNull(template, "size");
		if (template.dimensions() > 3 || size.dimensions() != template.dimensions()) throw new IllegalArgumentException("the image has " + size.dimensions()
			+ " dimensions, the template " + template.dimensions() + ": give both 2 or 3 dimensions");
		return new BoundedBank(image, size, 1, List.of(PoseSet.family(template, Range.COUNT.of("the number of poses is ", poses))), MIN_SCORE, false,
			Range.COUNT.of("the number of frames is ", frames));
	}

	/** The plan of {@link #find}: the decision between basis and all poses, the memory and the candidates. */
	public PoseReport explain(final RandomAccessibleInterval<?> image) {
		Given.nonNull(image, "image");
		try (PoseRun run = copy().run(frames(image), frames(image))) {
			run.prepare(StackFrames.get(image, run.dimensions(), 0));
			return run.plan();
		}
	}

	/** Such as {@code matches of a 32x32 template in poses (PoseGrid: scales [0.8, 1.0], mirrored false)}. */
	@Override
	public synchronized String toString() {
		return "matches of " + Size.text("template", templateImages.stream().map(t -> Size.of(t.dimensionsAsLongArray())).toList())
			+ " in poses (" + settings().grid() + ")";
	}
}
