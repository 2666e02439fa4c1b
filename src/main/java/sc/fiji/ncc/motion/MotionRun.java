package sc.fiji.ncc.motion;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.array.ArrayImgs;

import sc.fiji.ncc.image.ImagePixels;
import sc.fiji.ncc.image.JointImage;
import sc.fiji.ncc.image.MissingPixels;
import sc.fiji.ncc.motion.MotionVector.State;
import sc.fiji.ncc.motion.WindowSearch.Pair;
import sc.fiji.ncc.motion.WindowSearch.Splines;
import sc.fiji.ncc.numeric.GridSpline;
import sc.fiji.ncc.option.ComputeOptions;
import sc.fiji.ncc.option.NaNs;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.support.Parallel;
import sc.fiji.ncc.planner.Ranking;

/**
 * One run of {@link sc.fiji.ncc.MotionField} over pairs of frames. With several passes, the first one has windows of twice the size and
 * distance. The next pass samples both frames along its motion, and measures what remains.
 */
public final class MotionRun implements AutoCloseable {

	/** A pass that follows another one searches this share of the maximum shift, and at least so many pixels. */
	private static final double REMAINING = 0.25;
	private static final long LEAST = 2;
	/** The weight of the smoothness of a prediction, for windows half a window apart. */
	private static final double SMOOTHNESS = 0.3;

	/** Deformed frames lack what lies outside. */
	static final MissingPixels OUTSIDE = new MissingPixels(null, NaNs.MISSING);

	/**
	 * Two frames of one size and type.
	 *
	 * @param fixed the frame with the windows, and {@code from} its index
	 * @param moving the other frame, and {@code to} its index
	 */
	public record FramePair(RandomAccessibleInterval<?> fixed, long from, RandomAccessibleInterval<?> moving, long to) {

		/** A pair for each channel. */
		private List<FramePair> channels() {
			final List<RandomAccessibleInterval<?>> a = JointImage.channelsOf(fixed), b = JointImage.channelsOf(moving);
			if (a.size() != b.size()) throw new IllegalArgumentException("frame " + (from + 1) + " has " + a.size() + (a.size() == 1 ? " channel" : " channels")
				+ ", and frame " + (to + 1) + " has " + b.size() + ": give frames with the same channels");
			return IntStream.range(0, a.size()).mapToObj(c -> new FramePair(a.get(c), from, b.get(c), to)).toList();
		}
	}

	private final MotionSettings settings;
	private final ComputeOptions options;
	private final Size size;
	private final PixelType type;
	private final long pairs;
	private final WindowGrid grid;
	private final Parallel parallel;
	/** The factor of the standard deviations of the last pass. */
	private final double noise;
	/** The first pass, and all others. The second is null for one pass. */
	private final WindowSearch first, later;

	/**
	 * @param options how responses are computed; with a planner
	 * @param frame any frame
	 * @param pairs the number of pairs of frames
	 * @throws IllegalArgumentException if a window is larger than a frame, or a shift is longer
	 */
	public MotionRun(final MotionSettings settings, final ComputeOptions options, final RandomAccessibleInterval<?> frame, final long pairs) {
		this.settings = settings;
		this.options = options;
		this.pairs = pairs * JointImage.channels(frame);
		size = Size.of(frame.dimensionsAsLongArray());
		type = ImagePixels.type(frame);
		grid = new WindowGrid(size, settings.window(), settings.spacing());
		final long[] shift = settings.maxShift();
		for (int d = 0; d < shift.length; d++)
			if (shift[d] >= size.get(d)) throw new IllegalArgumentException("the maximum shift of " + Size.text(shift) + " is not smaller than the frame of " + size
				+ ": choose a smaller shift");
		parallel = new Parallel(options.threads());
		final boolean several = settings.passes() > 1;
		noise = settings.refine() ? PassNoise.factor(settings.window(), settings.spacing(), Math.max(1, settings.passes() - 1), SMOOTHNESS, parallel) : 1;
		final boolean[] wanted = settings.gridMask() == null ? null : GridMask.of(settings.gridMask(), grid);
		first = new WindowSearch(several ? grid.coarse() : grid, several && wanted != null ? GridMask.larger(grid, wanted) : wanted, shift, type,
			settings.missing().possible(type), settings, options, this.pairs);
		// a deformed frame is of floats, and lacks what lies outside: an algorithm that the user named need not apply to it
		later = several ? new WindowSearch(grid, wanted, remaining(shift), PixelType.F32, true, settings, options.algorithm(null),
			(settings.passes() - 1) * this.pairs) : null;
	}

	/** The largest shift in a pass that follows another one. */
	static long[] remaining(final long[] shift) {
		return Arrays.stream(shift).map(s -> Math.min(s, Math.max(LEAST, (long) Math.ceil(REMAINING * s)))).toArray();
	}

	/** The windows of the last pass. */
	WindowGrid grid() {
		return grid;
	}

	/** Passes the total number of responses of all pairs to the monitor. */
	public void announce() {
		options.monitor().total(pairs * (first.responses() + (later == null ? 0 : (settings.passes() - 1) * later.responses())));
	}

	/** The candidates for the first pass, and for later ones if there are any. */
	public List<Ranking> rankings() {
		return later == null ? List.of(first.ranking()) : List.of(first.ranking(), later.ranking());
	}

	public Report report() {
		return later == null ? first.report() : first.report().plus(later.report());
	}

	/** The motion between two frames. That of several channels is what they have in common. */
	public VectorField measure(final FramePair pair) {
		final List<FramePair> channels = pair.channels();
		if (channels.size() > 1) return together(channels, true);
		final ImagePixels a = pixels(pair.fixed, pair.from), b = pixels(pair.moving, pair.to);
		final int passes = settings.passes();
		final boolean once = later == null;
		final Splines splines = !once || settings.refine() ? splines(a, b) : null;
		final FieldPass.Passed start = pass(first.in(new Pair(a, b, once ? splines : null)), null, once);
		List<MotionVector> vectors = start.vectors();
		for (int p = 2; p <= passes; p++) {
			final GridSpline predicted = predicted(p == 2 ? first.grid() : grid, vectors);
			vectors = pass(later.in(deformed(splines, predicted, pair, settings.refine() && p == passes)), predicted, p == passes).vectors();
		}
		return finished(new VectorField(grid, pair.from, pair.to, vectors, start.atEnd()));
	}

	/** The motion that several pairs of frames have in common: its indices are those of the first and the last frame. */
	public VectorField ensemble(final List<FramePair> frames) {
		return together(frames.stream().flatMap(f -> f.channels().stream()).toList(), false);
	}

	/** @param kept whether all pairs may be in memory at once */
	private VectorField together(final List<FramePair> frames, final boolean kept) {
		List<MotionVector> vectors = List.of();
		double atEnd = 0;
		GridSpline predicted = null;
		final Splines[] undeformed = new Splines[frames.size()];
		for (int p = 1; p <= settings.passes(); p++) {
			final boolean last = p == settings.passes();
			final WindowSearch search = p == 1 ? first : later;
			final GridSpline motion = predicted;
			final EnsembleSearch.Pairs each = (i, withSplines) -> {
				final FramePair pair = frames.get(i);
				final ImagePixels a = pixels(pair.fixed, pair.from), b = pixels(pair.moving, pair.to);
				if (motion == null) return new Pair(a, b, withSplines ? splines(a, b) : null);
				final Splines splines = undeformed[i] == null ? splines(a, b) : undeformed[i];
				if (kept) undeformed[i] = splines;
				return deformed(splines, motion, pair, withSplines);
			};
			final Pair[] known = new Pair[frames.size()];
			final EnsembleSearch.Pairs all = kept ? (i, withSplines) -> {
				if (known[i] == null) known[i] = each.get(i, last && settings.refine());
				return known[i];
			} : each;
			final FieldPass.Passed passed = pass(new EnsembleSearch(search, all, frames.size(), last, last && settings.refine(), parallel, options.monitor()),
				motion, last);
			vectors = passed.vectors();
			if (p == 1) atEnd = passed.atEnd();
			if (!last) predicted = predicted(search.grid(), vectors);
		}
		return finished(new VectorField(grid, frames.get(0).from, frames.get(frames.size() - 1).to, vectors, atEnd));
	}

	private Splines splines(final ImagePixels a, final ImagePixels b) {
		return new Splines(a, b, options.threads());
	}

	/**
	 * Two frames that are sampled along a motion.
	 *
	 * @param refined whether their splines are needed
	 */
	private Pair deformed(final Splines splines, final GridSpline predicted, final FramePair pair, final boolean refined) {
		final float[][] sampled = new PredictedMotion(predicted, size.dimensions()).sampled(splines.values(), splines.moving(), parallel);
		final long[] extents = size.toArray();
		final ImagePixels c = OUTSIDE.in(ArrayImgs.floats(sampled[0], extents), pair.from), d = OUTSIDE.in(ArrayImgs.floats(sampled[1], extents), pair.to);
		return new Pair(c, d, refined ? splines(c, d) : null);
	}

	private VectorField finished(final VectorField measured) {
		final VectorField field = noise == 1 ? measured : measured.with(measured.vectors().stream().map(v -> v.scaled(noise * noise)).toList());
		return settings.smoothing().isPresent() && field.valid() > 0 ? smoothed(field) : field;
	}

	private ImagePixels pixels(final RandomAccessibleInterval<?> frame, final long index) {
		final Size frameSize = Size.of(frame.dimensionsAsLongArray());
		if (!frameSize.equals(size) || ImagePixels.type(frame) != type) throw new IllegalArgumentException("frame " + (index + 1) + " is "
			+ ImagePixels.type(frame) + " "
			+ frameSize + ", another one " + type + " " + size + ": frames must be of one size and type");
		return settings.missing().in(frame, index);
	}

	/**
	 * One pass.
	 *
	 * @param predicted the motion by which the frames are deformed; null for none
	 * @param last whether no other pass follows, which needs a motion of all windows
	 */
	private FieldPass.Passed pass(final FieldPass.Source windows, final GridSpline predicted, final boolean last) {
		return FieldPass.of(windows, predicted, settings.validation(), !last || settings.validation().replace(), parallel);
	}

	/**
	 * Noise of single vectors would deform the frames where the next pass cannot measure it, since it is finer than a window. So the
	 * prediction is smooth: waves of twice the window keep less than half.
	 */
	private GridSpline predicted(final WindowGrid grid, final List<MotionVector> vectors) {
		return grid.spline(FieldPass.smooth(grid, vectors, SMOOTHNESS, parallel));
	}

	private VectorField smoothed(final VectorField field) {
		final List<MotionVector> vectors = field.vectors();
		final boolean replace = settings.validation().replace();
		final double[][] start = FieldPass.components(replace ? vectors : new FieldValidation(grid, settings.validation(), parallel).replaced(vectors));
		final double[][] smooth = new FieldSmoothing(grid.count(), parallel).smooth(start, FieldPass.weights(vectors), settings.smoothing().getAsDouble());
		final List<MotionVector> result = new ArrayList<>();
		for (int i = 0; i < vectors.size(); i++) {
			final MotionVector v = vectors.get(i);
			final double[] motion = new double[smooth.length];
			for (int d = 0; d < motion.length; d++) motion[d] = smooth[d][i];
			result.add(v.isValid() || replace && v.state() != State.MASKED ? v.with(motion, v.covariance(), v.state()) : v);
		}
		return field.with(result);
	}

	@Override
	public void close() {
		try (parallel; later; first) {
			// each is closed, also if another one fails
		}
	}
}
