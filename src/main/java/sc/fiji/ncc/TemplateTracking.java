package sc.fiji.ncc;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.function.Consumer;

import net.imglib2.FinalInterval;
import net.imglib2.Interval;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.util.Intervals;
import net.imglib2.view.Views;

import sc.fiji.ncc.image.StackFrames;
import sc.fiji.ncc.image.TemplateReader;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.planner.Ranking;
import sc.fiji.ncc.track.TrackPoint;
import sc.fiji.ncc.track.TrackingRun;
import sc.fiji.ncc.track.TrackingSettings;
import sc.fiji.ncc.track.Tracks;
import sc.fiji.ncc.track.Update;

/**
 * Follows templates through the frames of a stream: in each frame a template is looked for within a shift of where it was last.
 *
 * <pre>
 * Tracks tracks = TemplateTracking.ofRegions(List.of(Intervals.createMinSize(40, 30, 32, 32))).shift(9, 9).track(stack);
 * </pre>
 *
 * The place is that of the greatest correlation coefficient (see {@link NormalizedCrossCorrelation}), refined between the pixels; its score, and
 * that of the next highest peak, are computed once more from the pixels, exactly, before they are compared with the least one. What a fit is off in the
 * frame that a template was cut from is taken off everywhere: there a template lies exactly where it was cut. Search windows are cut at the frame's
 * border: a template never leaves the frame.
 * <p>
 * Templates may be of any sizes and types, in 2D, 3D and more; the dimensions of a stack beyond theirs are frames. Memory does not grow with
 * the number of frames, but for the points that {@link #track(RandomAccessibleInterval)} collects. Inputs are never written to. Safe for use
 * by several threads at once, each call with the settings as they are when it begins.
 */
public final class TemplateTracking extends ComputingOp<TemplateTracking> {

	/** Frames that a stream of unknown length is planned for. */
	private static final long UNKNOWN_COUNT = 100;

	/** One of the two: parts of the reference frame, or pictures. */
	private final List<Interval> regions;
	private final List<RandomAccessibleInterval<?>> pictures;
	private final List<long[]> starts;
	private List<RandomAccessibleInterval<?>> masks = Collections.singletonList(null);
	private boolean weighted;
	private long[] maxShift;
	private Update update = Update.FIXED;
	private double least = 0.5;
	private long reference;
	private boolean follow = true;

	private TemplateTracking(final List<Interval> regions, final List<RandomAccessibleInterval<?>> pictures, final List<long[]> starts) {
		this.regions = regions;
		this.pictures = pictures;
		this.starts = starts;
		if (starts.isEmpty()) throw new IllegalArgumentException("the list of templates is empty: give at least one");
		for (final long[] s : starts)
			if (s.length != starts.get(0).length) throw new IllegalArgumentException("templates of " + starts.get(0).length + " and of " + s.length
				+ " dimensions: track them one after the other");
	}

	/**
	 * Templates that are parts of the reference frame, and begin there.
	 *
	 * @param regions in pixels from the frame's first one
	 */
	public static TemplateTracking ofRegions(final List<? extends Interval> regions) {
		final List<long[]> starts = new ArrayList<>();
		for (final Interval r : regions) {
			if (Intervals.isEmpty(r)) throw new IllegalArgumentException("region " + starts.size() + " of the reference frame is empty: give at least one pixel along each dimension");
			starts.add(r.minAsLongArray());
		}
		return new TemplateTracking(new ArrayList<>(regions), null, starts);
	}

	/**
	 * Templates that are pictures of their own.
	 *
	 * @param starts where the first pixel of each lies to begin with, in pixels from the frame's first one: there it is looked for in the reference frame
	 */
	public static TemplateTracking of(final List<? extends RandomAccessibleInterval<?>> templates, final List<long[]> starts) {
		if (templates.size() != starts.size())
			throw new IllegalArgumentException(templates.size() + " templates and " + starts.size() + " places where they start: give one for each");
		for (int t = 0; t < starts.size(); t++)
			if (starts.get(t).length != templates.get(t).numDimensions()) throw new IllegalArgumentException("template " + t + " has "
				+ templates.get(t).numDimensions() + " dimensions and the place where it starts has " + starts.get(t).length + ": give a number for each");
		return new TemplateTracking(null, new ArrayList<>(templates), starts.stream().map(long[]::clone).toList());
	}

	/** As {@link NormalizedCrossCorrelation#masks}: which pixels count, one for all templates or one for each, null for all pixels. */
	public TemplateTracking masks(final List<? extends RandomAccessibleInterval<?>> masks) {
		return masks(masks, false);
	}

	/** As {@link NormalizedCrossCorrelation#weights(List)}: how much each pixel counts. In place of masks. */
	public TemplateTracking weights(final List<? extends RandomAccessibleInterval<?>> weights) {
		return masks(weights, true);
	}

	private synchronized TemplateTracking masks(final List<? extends RandomAccessibleInterval<?>> masks, final boolean weighted) {
		if (masks.size() != 1 && masks.size() != starts.size()) throw new IllegalArgumentException(masks.size()
			+ (weighted ? " images of weights for " : " masks for ") + starts.size() + " templates: give one for all, or one for each");
		this.masks = new ArrayList<>(masks);
		this.weighted = weighted;
		return this;
	}

	/**
	 * How far from where it was last a template is looked for, along each of its dimensions, both ways. Must be set, or {@link #everywhere}.
	 *
	 * @throws IllegalArgumentException if a number is negative, or there is not one for each dimension of the templates
	 */
	public TemplateTracking maxShift(final long... pixels) {
		final int n = starts.get(0).length;
		if (pixels.length != n) throw new IllegalArgumentException("a shift of " + pixels.length + " numbers for templates of " + n + " dimensions: give one for each");
		for (final long s : pixels)
			if (s < 0) throw new IllegalArgumentException("a shift of " + s + " pixels: give 0 or more");
		maxShift = pixels.clone();
		return this;
	}

	/** Looks for the templates in all of each frame. */
	public TemplateTracking everywhere() {
		maxShift = new long[starts.get(0).length];
		Arrays.fill(maxShift, Long.MAX_VALUE);
		return this;
	}

	/** What a template becomes when it was found: {@link Update#FIXED} unless said. */
	public TemplateTracking update(final Update update) {
		this.update = Objects.requireNonNull(update, "update");
		return this;
	}

	/**
	 * The score below which a template is lost: 0.5 unless said. It is then looked for again about the place where it was last.
	 *
	 * @throws IllegalArgumentException if not in [-1, 1]
	 */
	public TemplateTracking minScore(final double least) {
		if (!(least >= -1 && least <= 1)) throw new IllegalArgumentException("the least score must lie in [-1, 1], unlike " + least);
		this.least = least;
		return this;
	}

	/**
	 * The frame in which templates begin, counted from 0: 0 unless said. In a stack they are followed from there to its end, and then from there back
	 * to its beginning.
	 *
	 * @throws IllegalArgumentException if negative
	 */
	public TemplateTracking reference(final long frame) {
		if (frame < 0) throw new IllegalArgumentException("the reference frame " + frame + " is none: frames count from 0");
		reference = frame;
		return this;
	}

	/**
	 * Whether search windows follow the templates, as they do unless said. Otherwise each stays about the place where its template began: frames
	 * then do not wait for each other, if the template is fixed, too.
	 */
	public TemplateTracking follow(final boolean follow) {
		this.follow = follow;
		return this;
	}

	@Override
	TemplateTracking self() {
		return this;
	}

	/** Dimensions of the templates. */
	int dimensions() {
		return starts.get(0).length;
	}

	private TrackingSettings settings() {
		if (maxShift == null) throw new IllegalArgumentException("how far may a template move from one frame to the next? Give a shift of so many pixels, or look for it everywhere");
		return new TrackingSettings(starts, maxShift, update, least, follow, regions != null, options(), this::templates);
	}

	/** The templates as they begin, before they are made alike. */
	private List<Template> templates(final RandomAccessibleInterval<?> referenceFrame) {
		final List<Template> read = new ArrayList<>();
		for (int t = 0; t < starts.size(); t++) {
			final RandomAccessibleInterval<?> picture = regions == null ? pictures.get(t) : cut(referenceFrame, t);
			try {
				read.add(TemplateReader.read(picture, masks.get(masks.size() == 1 ? 0 : t), weighted));
			}
			catch (final IllegalArgumentException e) {
				throw starts.size() == 1 ? e : new IllegalArgumentException("template " + t + ": " + e.getMessage(), e);
			}
		}
		return read;
	}

	private RandomAccessibleInterval<?> cut(final RandomAccessibleInterval<?> frame, final int t) {
		final Interval region = regions.get(t);
		if (!Intervals.contains(new FinalInterval(frame.dimensionsAsLongArray()), region)) throw new IllegalArgumentException("region " + t + ", "
			+ Arrays.toString(region.minAsLongArray()) + ".." + Arrays.toString(region.maxAsLongArray()) + ", leaves the reference frame of "
			+ Size.of(frame.dimensionsAsLongArray()) + ": choose one inside it, in pixels counted from 0");
		return Views.interval(Views.zeroMin(frame), region);
	}

	/**
	 * The candidates for each set of templates that go through together: those with as many lags.
	 *
	 * @throws IllegalArgumentException as {@link #track(RandomAccessibleInterval)}
	 */
	public List<Ranking> explain(final RandomAccessibleInterval<?> stack) {
		return snapshot().explainCopy(stack);
	}

	/**
	 * The candidates for frames that come one by one, as {@link #explain}.
	 *
	 * @param first the first frame, which is the reference frame
	 */
	public List<Ranking> explainEach(final RandomAccessibleInterval<?> first) {
		final TemplateTracking copy = snapshot();
		try (TrackingRun run = new TrackingRun(copy.settings(), first, UNKNOWN_COUNT)) {
			return run.rankings();
		}
	}

	private List<Ranking> explainCopy(final RandomAccessibleInterval<?> stack) {
		final long frames = frames(stack);
		try (TrackingRun run = new TrackingRun(settings(), StackFrames.get(stack, dimensions(), reference), frames)) {
			return run.rankings();
		}
	}

	/**
	 * Follows the templates through a stack.
	 *
	 * @param stack of any real type; its dimensions beyond the templates' are frames, the first one fastest
	 * @return a point for each template in each frame
	 * @throws IllegalArgumentException if a template is flat, holds NaN, is larger than a frame or begins outside it, a mask does not fit, there is no
	 *         reference frame, no shift was given, or the algorithm that was asked for does not apply; the message says what to do
	 * @throws java.util.concurrent.CancellationException if the monitor canceled
	 * @throws sc.fiji.ncc.result.NccException if the machine failed
	 */
	public Tracks track(final RandomAccessibleInterval<?> stack) {
		final List<TrackPoint> points = new ArrayList<>();
		return track(stack, points::addAll).with(points);
	}

	/**
	 * As {@link #track(RandomAccessibleInterval)}, frame by frame: whoever cancels has those that are done.
	 *
	 * @param each takes the points of a frame, one a template: from the reference frame to the end, then from there back to the first
	 * @return without points
	 */
	public Tracks track(final RandomAccessibleInterval<?> stack, final Consumer<? super List<TrackPoint>> each) {
		return snapshot().trackNow(stack, each);
	}

	private Tracks trackNow(final RandomAccessibleInterval<?> stack, final Consumer<? super List<TrackPoint>> each) {
		final long frames = frames(stack);
		final int n = dimensions();
		try (TrackingRun run = new TrackingRun(settings(), StackFrames.get(stack, n, reference), frames)) {
			run.announce(frames);
			run.follow(range(stack, n, reference, frames, 1), reference, 1, each);
			if (reference > 0) {
				run.restart();
				run.follow(range(stack, n, reference - 1, -1, -1), reference - 1, -1, each);
			}
			return run.tracks();
		}
	}

	/**
	 * As {@link #track(RandomAccessibleInterval, Consumer)}, of frames that come one by one, however many there are.
	 *
	 * @param frames all of one size and type, gone through once; the reference frame is the first. {@code () -> iterator} will do.
	 * @throws IllegalArgumentException as there; and if there is no frame, another reference frame was asked for, or a frame differs from the first
	 */
	public Tracks track(final Iterable<? extends RandomAccessibleInterval<?>> frames, final Consumer<? super List<TrackPoint>> each) {
		return snapshot().trackNow(frames.iterator(), each);
	}

	private Tracks trackNow(final Iterator<? extends RandomAccessibleInterval<?>> frames, final Consumer<? super List<TrackPoint>> each) {
		if (reference != 0) throw new IllegalArgumentException("frames that come one by one are seen once, so templates begin in the first, not in frame " + reference
			+ ": leave the reference frame out, or track a stack");
		if (!frames.hasNext()) throw new IllegalArgumentException("there is no frame to track templates in: give at least one");
		final RandomAccessibleInterval<?> first = frames.next();
		if (first.numDimensions() != dimensions()) throw new IllegalArgumentException("frames of " + first.numDimensions() + " dimensions and templates of " + dimensions()
			+ ": give frames of the templates' dimensions");
		final Iterator<RandomAccessibleInterval<?>> all = new Iterator<>() {

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
		try (TrackingRun run = new TrackingRun(settings(), first, UNKNOWN_COUNT)) {
			run.follow(all, 0, 1, each);
			return run.tracks();
		}
	}

	private long frames(final RandomAccessibleInterval<?> stack) {
		final int n = dimensions();
		if (stack.numDimensions() < n) throw new IllegalArgumentException("templates of " + n + " dimensions in an image of " + stack.numDimensions()
			+ ": choose regions of at most " + stack.numDimensions());
		final long frames = StackFrames.count(n, stack.dimensionsAsLongArray());
		if (reference >= frames) throw new IllegalArgumentException("there is no reference frame " + reference + ": the stack has " + frames
			+ (frames == 1 ? " frame" : " frames") + ", counted from 0");
		return frames;
	}

	/** Frames from one to another, that one excluded. */
	private static Iterator<RandomAccessibleInterval<?>> range(final RandomAccessibleInterval<?> stack, final int n, final long from, final long to, final int step) {
		return new Iterator<>() {

			private long next = from;

			@Override
			public boolean hasNext() {
				return next != to;
			}

			@Override
			public RandomAccessibleInterval<?> next() {
				if (!hasNext()) throw new NoSuchElementException();
				final RandomAccessibleInterval<?> frame = StackFrames.get(stack, n, next);
				next += step;
				return frame;
			}
		};
	}
}
