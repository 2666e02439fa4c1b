package sc.fiji.ncc;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;

import net.imglib2.EuclideanSpace;
import net.imglib2.FinalInterval;
import net.imglib2.Interval;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.util.Intervals;
import net.imglib2.view.Views;

import sc.fiji.ncc.image.ImagePixels;
import sc.fiji.ncc.image.JointImage;
import sc.fiji.ncc.image.MissingPixels;
import sc.fiji.ncc.image.StackFrames;
import sc.fiji.ncc.image.TemplateReader;
import sc.fiji.ncc.option.ComputeOptions;
import sc.fiji.ncc.option.ComputingOp;
import sc.fiji.ncc.option.NaNs;
import sc.fiji.ncc.option.Range;
import sc.fiji.ncc.plan.Backend;
import sc.fiji.ncc.plan.Given;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.planner.Ranking;
import sc.fiji.ncc.result.Frames;
import sc.fiji.ncc.result.Match;
import sc.fiji.ncc.track.TrackPoint;
import sc.fiji.ncc.track.TrackingRun;
import sc.fiji.ncc.track.TrackingSettings;
import sc.fiji.ncc.track.Tracks;
import sc.fiji.ncc.track.Update;

/**
 * Tracks templates through the frames of a stack or stream. In each frame a template is searched within a shift of its last position.
 *
 * <pre>
 * Tracks tracks = TemplateTracking.ofRegions(List.of(Intervals.createMinSize(40, 30, 32, 32))).maxShift(9, 9).track(stack);
 * </pre>
 *
 * The position is that of the greatest correlation coefficient (see {@link NormalizedCrossCorrelation}), with a sub-pixel fit. Its score, and that of the
 * runner-up, are computed again from the pixels, exactly, before they are compared with the minimum score. The fit of the frame from which a template was cut
 * gives its bias, which is subtracted in all frames: in that frame the template lies exactly where it was cut. Search windows are cut at the frame's
 * border: a template never leaves the frame.
 * <p>
 * Templates can have any sizes and types, in any number of dimensions. The other dimensions of a stack are frames. Memory does not grow with the number of
 * frames, except for the points that {@link #track(RandomAccessibleInterval)} returns. Inputs are never changed. Several threads can use one object at the
 * same time: each call uses the settings at its start.
 */
public final class TemplateTracking extends ComputingOp<TemplateTracking, TrackingSettings> {

	/** The number of frames that the planner expects of a stream. */
	private static final long UNKNOWN_COUNT = 100;

	/** Regions of the reference frame; null if templates are images of their own. */
	private final List<Interval> regions;
	private final List<RandomAccessibleInterval<?>> templateImages;
	/** Null if each template starts where it has its highest score in the reference frame. */
	private final List<long[]> starts;
	private final int count, dimensions;
	/** Masks or weights: one for all templates, or one for each; a null element for all pixels. */
	private record Masks(List<RandomAccessibleInterval<?>> images, boolean weighted) {}

	private Masks masks = new Masks(Collections.singletonList(null), false);

	private TemplateTracking(final List<Interval> regions, final List<RandomAccessibleInterval<?>> templateImages, final List<long[]> starts) {
		super(Backends::all, TrackingSettings.DEFAULT);
		this.regions = regions;
		this.templateImages = templateImages;
		this.starts = starts;
		final List<? extends EuclideanSpace> templates = regions == null ? templateImages : regions;
		count = templates.size();
		if (count == 0) throw new IllegalArgumentException("the list of templates is empty: give at least one");
		dimensions = templates.get(0).numDimensions();
		for (final EuclideanSpace t : templates)
			if (t.numDimensions() != dimensions) throw new IllegalArgumentException("templates of " + dimensions + " and of " + t.numDimensions()
				+ " dimensions: track them in separate calls");
	}

	/**
	 * Tracks regions of the reference frame.
	 *
	 * @param regions in pixels relative to the first pixel of the frame
	 */
	public static TemplateTracking ofRegions(final List<? extends Interval> regions) {
		Given.list(regions, "region");
		final List<long[]> starts = new ArrayList<>();
		for (final Interval r : regions) {
			if (Intervals.isEmpty(r)) throw new IllegalArgumentException("region " + starts.size() + " of the reference frame is empty: give at least one pixel along each dimension");
			starts.add(r.minAsLongArray());
		}
		return new TemplateTracking(new ArrayList<>(regions), null, starts);
	}

	/**
	 * Tracks templates that are images of their own. Each starts where it has its highest score in the whole reference frame. {@link #track} and
	 * {@link #explain} search it there.
	 *
	 * @throws IllegalArgumentException if there is no template, or if the templates differ in their number of dimensions
	 */
	public static TemplateTracking of(final List<? extends RandomAccessibleInterval<?>> templates) {
		Given.list(templates, "template");
		return new TemplateTracking(null, new ArrayList<>(templates), null);
	}

	/**
	 * Tracks templates that are images of their own.
	 *
	 * @param starts the first pixel of each template in the reference frame, in pixels relative to the first pixel of the frame; the search begins there
	 */
	public static TemplateTracking of(final List<? extends RandomAccessibleInterval<?>> templates, final List<long[]> starts) {
		Given.list(templates, "template");
		Given.list(starts, "start position");
		if (templates.size() != starts.size())
			throw new IllegalArgumentException(templates.size() + " templates, but " + starts.size() + " start positions: give one for each template");
		for (int t = 0; t < starts.size(); t++)
			if (starts.get(t).length != templates.get(t).numDimensions()) throw new IllegalArgumentException("template " + (t + 1) + " has "
				+ templates.get(t).numDimensions() + " dimensions, its start position has " + starts.get(t).length + ": give one number per dimension");
		return new TemplateTracking(null, new ArrayList<>(templates), starts.stream().map(long[]::clone).toList());
	}

	/** Sets which pixels count, as {@link NormalizedCrossCorrelation#masks}: one mask for all templates, or one per template; a null element for all pixels. */
	public TemplateTracking masks(final List<? extends RandomAccessibleInterval<?>> masks) {
		return masks(masks, false);
	}

	/** Sets how much each pixel counts, as {@link NormalizedCrossCorrelation#weights(List)}. Replaces masks. */
	public TemplateTracking weights(final List<? extends RandomAccessibleInterval<?>> weights) {
		return masks(weights, true);
	}

	private synchronized TemplateTracking masks(final List<? extends RandomAccessibleInterval<?>> masks, final boolean weighted) {
		Given.nonNull(masks, "list of masks or weights");
		if (masks.size() != 1 && masks.size() != count) throw new IllegalArgumentException(masks.size()
			+ (weighted ? " images of weights for " : " masks for ") + count + " templates: give one for all, or one for each");
		this.masks = new Masks(new ArrayList<>(masks), weighted);
		return this;
	}

	/**
	 * Sets which pixels of the frames are present, as {@link NormalizedCrossCorrelation#imageMask}: one mask for all frames, or one for each. Missing pixels of
	 * a region of the reference frame do not count in its template. Where a template is updated by a window with missing pixels, it keeps its own pixels.
	 */
	public TemplateTracking imageMask(final RandomAccessibleInterval<?> mask) {
		return set(TrackingSettings::missing, MissingPixels::mask, mask);
	}

	/** Sets the meaning of pixels of the frames that are NaN, as {@link NormalizedCrossCorrelation#nan}. */
	public TemplateTracking nan(final NaNs meaning) {
		return set(TrackingSettings::missing, MissingPixels::nan, meaning);
	}

	/**
	 * Sets the smallest share of a template that must lie on present pixels, as {@link NormalizedCrossCorrelation#minOverlap}. Default: 1/3.
	 *
	 * @throws IllegalArgumentException if the share does not lie in [0, 1]
	 */
	public TemplateTracking minOverlap(final double share) {
		return set(TrackingSettings::minOverlap, share);
	}

	/**
	 * Sets the largest motion of a template between two frames, in pixels, in both directions along each dimension. Required, unless {@link #everywhere} is
	 * called.
	 *
	 * @throws IllegalArgumentException if a number is negative, or their number differs from the number of dimensions
	 */
	public TemplateTracking maxShift(final long... pixels) {
		return set(TrackingSettings::maxShift, Range.distances(pixels, dimensions, "templates"));
	}

	/** Sets the backends. Null for all. */
	TemplateTracking backends(final List<Backend> backends) {
		return planWith(backends);
	}

	/** Searches the whole of each frame. */
	public TemplateTracking everywhere() {
		final long[] whole = new long[dimensions];
		Arrays.fill(whole, Long.MAX_VALUE);
		return set(TrackingSettings::maxShift, whole);
	}

	/** Sets how a template changes after it is found. Default: {@link Update#FIXED}. */
	public TemplateTracking update(final Update update) {
		return set(TrackingSettings::update, update);
	}

	/**
	 * Sets the score below which a template is lost. It is then searched again around its last position. Default: 0.5.
	 *
	 * @throws IllegalArgumentException if not in [-1, 1]
	 */
	public TemplateTracking minScore(final double minScore) {
		return set(TrackingSettings::minScore, minScore);
	}

	/**
	 * Sets the frame in which tracking starts, counted from 0. In a stack, templates are tracked from there to the end, and then from there back to the first
	 * frame. Default: 0.
	 *
	 * @throws IllegalArgumentException if negative
	 */
	public TemplateTracking reference(final long frame) {
		return set(TrackingSettings::reference, frame);
	}

	/**
	 * Sets whether search windows follow the templates. If not, each search window stays around the start position. If the template is also fixed, frames are
	 * then independent and are computed several at once. Default: true.
	 */
	public TemplateTracking follow(final boolean follow) {
		return set(TrackingSettings::follows, follow);
	}

	/**
	 * Sets whether the positions between the pixels are refined by least squares on the pixels ({@link sc.fiji.ncc.image.PositionFit}), in place of a quadratic fitted to the
	 * responses. Then points also have a {@link TrackPoint#covariance}. Default: false.
	 */
	public TemplateTracking refine(final boolean refined) {
		return set(TrackingSettings::refine, refined);
	}

	/** A call with the current settings. */
	private synchronized Call begin() {
		return new Call(settings(), masks, planned());
	}

	/** One call. */
	private final class Call {

		private final TrackingSettings settings;
		private final Masks masks;
		private final ComputeOptions options;

		Call(final TrackingSettings settings, final Masks masks, final ComputeOptions options) {
			this.settings = settings;
			this.masks = masks;
			this.options = options;
		}

		/** @param frames the expected number of frames */
		TrackingRun run(final RandomAccessibleInterval<?> first, final long frames) {
			if (settings.maxShift() == null)
				throw new IllegalArgumentException("the maximum shift is not set: "
					+ "call maxShift(...) with the largest motion between two frames in pixels, or everywhere()");
			return new TrackingRun(settings, new TrackingRun.Tracked(starts == null ? found(first) : starts, regions != null, this::templates), options, first, frames);
		}

		/** The run through a stack. */
		TrackingRun run(final RandomAccessibleInterval<?> stack) {
			require(stack, true);
			final long frames = frames(stack);
			return run(StackFrames.get(stack, dimensions, settings.reference()), frames);
		}

		/** Checks the image mask. */
		private void require(final RandomAccessibleInterval<?> image, final boolean frames) {
			settings.missing().requirePixels();
			settings.missing().requireFits(image, dimensions, frames);
		}

		/** The position of each template with its highest score in the reference frame. */
		private List<long[]> found(final RandomAccessibleInterval<?> referenceFrame) {
			// the search of a whole frame needs a method of its own, and is no progress through the frames
			final NormalizedCrossCorrelation correlation = NormalizedCrossCorrelation.of(templateImages).nan(settings.missing().nan())
				.imageMask(settings.missing().mask(settings.reference(), dimensions))
				.minOverlap(settings.missing().possible(ImagePixels.type(referenceFrame)) ? settings.minOverlap() : 0)
				.compute(options.precision(Precision.SINGLE).algorithm("auto").monitor(Monitor.canceledIf(options.monitor()::canceled)));
			if (masks.weighted) correlation.weights(masks.images);
			else correlation.masks(masks.images);
			final List<Match> best = TemplateMatching.with(correlation).compete(false).maxMatches(1).minScore(-1)
				.find(JointImage.view(referenceFrame, f -> Views.zeroMin(f))).matches();
			final long[][] places = new long[count][];
			for (final Match m : best) places[m.template()] = m.position();
			for (int t = 0; t < count; t++) if (places[t] == null) throw new IllegalArgumentException("template " + (t + 1)
				+ " has no score in the reference frame, because all its windows are flat or not finite: choose another reference frame, or give a start position");
			return List.of(places);
		}

		/** Reads the templates. They can have different pixel types. */
		private List<Template> templates(final RandomAccessibleInterval<?> referenceFrame) {
			final List<Template> read = new ArrayList<>();
			for (int t = 0; t < count; t++) {
				final RandomAccessibleInterval<?> image = regions == null ? templateImages.get(t) : cut(referenceFrame, t);
				try {
					final RandomAccessibleInterval<?> mask = masks.images.get(masks.images.size() == 1 ? 0 : t);
					read.add(regions == null ? TemplateReader.read(image, mask, masks.weighted)
						: TemplateReader.read(image, mask, masks.weighted, settings.missing().in(referenceFrame, settings.reference()), starts.get(t)));
				}
				catch (final IllegalArgumentException e) {
					throw count == 1 ? e : new IllegalArgumentException("template " + (t + 1) + ": " + e.getMessage(), e);
				}
			}
			return read;
		}

		private RandomAccessibleInterval<?> cut(final RandomAccessibleInterval<?> frame, final int t) {
			final Interval region = regions.get(t);
			if (!Intervals.contains(new FinalInterval(frame.dimensionsAsLongArray()), region)) throw new IllegalArgumentException("region " + t + ", "
				+ Arrays.toString(region.minAsLongArray()) + ".." + Arrays.toString(region.maxAsLongArray()) + ", extends beyond the reference frame of "
				+ Size.of(frame.dimensionsAsLongArray()) + ": choose a region inside it, in pixels counted from 0");
			return JointImage.view(frame, f -> Views.interval(Views.zeroMin(f), region));
		}

		Tracks track(final RandomAccessibleInterval<?> stack, final Consumer<? super List<TrackPoint>> each) {
			final long start = System.nanoTime();
			try (TrackingRun run = run(stack)) {
				final List<RandomAccessibleInterval<?>> frames = Frames.of(stack, dimensions);
				final int reference = (int) settings.reference();
				run.announce(frames.size());
				run.follow(frames.subList(reference, frames.size()).iterator(), reference, 1, each);
				if (reference > 0) {
					final List<RandomAccessibleInterval<?>> before = new ArrayList<>(frames.subList(0, reference));
					Collections.reverse(before);
					run.restart();
					run.follow(before.iterator(), reference - 1, -1, each);
				}
				return run.tracks(start);
			}
		}

		Tracks track(final Iterator<? extends RandomAccessibleInterval<?>> frames, final Consumer<? super List<TrackPoint>> each) {
			final long start = System.nanoTime();
			if (settings.reference() != 0) throw new IllegalArgumentException("the reference frame of a stream must be 0, not "
				+ settings.reference() + ": leave the reference frame out, or track a stack");
			if (!frames.hasNext()) throw new IllegalArgumentException("the stream has no frame: give at least one");
			final RandomAccessibleInterval<?> first = frames.next();
			if (first.numDimensions() != dimensions) throw new IllegalArgumentException("the frame has " + first.numDimensions()
				+ " dimensions, the templates have " + dimensions + ": give frames and templates with the same number of dimensions");
			require(first, false);
			final Iterator<RandomAccessibleInterval<?>> allFrames = new Iterator<>() {

				private boolean begun;

				@Override
				public boolean hasNext() {
					return !begun || frames.hasNext();
				}

				@Override
				public RandomAccessibleInterval<?> next() {
					if (begun) return frames.next();
					begun = true;
					return first;
				}
			};
			try (TrackingRun run = run(first, UNKNOWN_COUNT)) {
				run.follow(allFrames, 0, 1, each);
				return run.tracks(start);
			}
		}

		private long frames(final RandomAccessibleInterval<?> stack) {
			if (stack.numDimensions() < dimensions) throw new IllegalArgumentException("the templates have " + dimensions
				+ " dimensions, the image has " + stack.numDimensions() + ": choose regions of at most " + stack.numDimensions());
			final long frames = StackFrames.count(dimensions, stack.dimensionsAsLongArray());
			if (settings.reference() >= frames) throw new IllegalArgumentException("the reference is frame " + (settings.reference() + 1) + ": the stack has " + frames
				+ (frames == 1 ? " frame" : " frames"));
			return frames;
		}
	}

	/**
	 * The candidates for each group of templates that are computed together: those with the same number of lags.
	 *
	 * @throws IllegalArgumentException as {@link #track(RandomAccessibleInterval)}
	 * @throws java.util.concurrent.CancellationException if the monitor cancels a measurement
	 */
	public List<Ranking> explain(final RandomAccessibleInterval<?> stack) {
		Given.nonNull(stack, "stack");
		try (TrackingRun run = begin().run(stack)) {
			return run.rankings();
		}
	}

	/**
	 * The candidates for frames that come one by one, as {@link #explain}.
	 *
	 * @param first the first frame, which is the reference frame
	 */
	public List<Ranking> explainEach(final RandomAccessibleInterval<?> first) {
		Given.nonNull(first, "frame");
		try (TrackingRun run = begin().run(first, UNKNOWN_COUNT)) {
			return run.rankings();
		}
	}

	/**
	 * Tracks the templates through a stack.
	 *
	 * @param stack an image of any real type; dimensions beyond the templates' are frames, the first of these fastest
	 * @return one point for each template in each frame
	 * @throws IllegalArgumentException if a template is flat, contains NaN, is larger than a frame or starts outside it, a mask does not fit, the reference frame
	 *         does not exist, the maximum shift is not set, or the selected algorithm does not apply; the message says what to do
	 * @throws java.util.concurrent.CancellationException if the monitor canceled
	 * @throws sc.fiji.ncc.result.NccException if every candidate failed
	 */
	public Tracks track(final RandomAccessibleInterval<?> stack) {
		final List<TrackPoint> points = new ArrayList<>();
		return track(stack, points::addAll).with(points);
	}

	/**
	 * Tracks as {@link #track(RandomAccessibleInterval)} and passes on the points of each frame at once. After a cancellation you have the points so far.
	 *
	 * @param each receives the points of a frame, one per template: from the reference frame to the end, then from there back to the first frame
	 * @return the tracks without points
	 */
	public Tracks track(final RandomAccessibleInterval<?> stack, final Consumer<? super List<TrackPoint>> each) {
		Given.nonNull(stack, "stack");
		Given.nonNull(each, "consumer");
		return begin().track(stack, each);
	}

	/**
	 * Tracks as {@link #track(RandomAccessibleInterval, Consumer)}, through a stream of any length.
	 *
	 * @param frames images of the same size and type, read once. The first frame is the reference frame. {@code () -> iterator} is enough
	 * @throws IllegalArgumentException as there; and if there is no frame, the reference frame is not 0, or a frame differs from the first
	 */
	public Tracks track(final Iterable<? extends RandomAccessibleInterval<?>> frames, final Consumer<? super List<TrackPoint>> each) {
		Given.nonNull(frames, "source of frames");
		Given.nonNull(each, "consumer");
		return begin().track(frames.iterator(), each);
	}

	/** Such as {@code tracking of 2 templates of 32x32, maximum shift 9x9, update fixed}. */
	@Override
	public String toString() {
		final TrackingSettings settings = settings();
		return "tracking of " + Size.text("template", (regions == null ? templateImages : regions).stream().map(t -> Size.of(t.dimensionsAsLongArray())).toList())
			+ (settings.maxShift() == null ? "" : settings.everywhere() ? ", in the whole frame"
			: ", maximum shift " + Size.text(settings.maxShift())) + ", update " + settings.update();
	}
}
