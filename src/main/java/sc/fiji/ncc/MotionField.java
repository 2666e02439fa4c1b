package sc.fiji.ncc;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;
import java.util.stream.IntStream;

import net.imglib2.RandomAccessibleInterval;

import sc.fiji.ncc.image.MissingPixels;
import sc.fiji.ncc.image.StackFrames;
import sc.fiji.ncc.motion.MotionFields;
import sc.fiji.ncc.motion.MotionParts;
import sc.fiji.ncc.motion.MotionRun;
import sc.fiji.ncc.motion.MotionRun.FramePair;
import sc.fiji.ncc.motion.MotionSettings;
import sc.fiji.ncc.motion.MotionSettings.Validation;
import sc.fiji.ncc.motion.VectorField;
import sc.fiji.ncc.option.ComputeOptions;
import sc.fiji.ncc.option.ComputingOp;
import sc.fiji.ncc.option.DriftReference;
import sc.fiji.ncc.option.NaNs;
import sc.fiji.ncc.option.Range;
import sc.fiji.ncc.plan.Backend;
import sc.fiji.ncc.plan.Given;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.support.Parallel;
import sc.fiji.ncc.plan.WindowPairs;
import sc.fiji.ncc.planner.Ranking;
import sc.fiji.ncc.result.Frames;

/**
 * Measures the motion between frames on a grid of windows, as in particle image velocimetry and digital image correlation, in two or three dimensions.
 *
 * <pre>
 * MotionFields motion = MotionField.ofWindows(32, 32).spacing(16, 16).maxShift(12, 12).measure(before, after);
 * </pre>
 *
 * Each window of one frame is correlated with the other frame within a maximum shift (see {@link NormalizedCrossCorrelation}). The position of the
 * peak is refined on the pixels, with its covariance. With several passes, the first one has windows of twice the size and distance; later passes compare
 * windows that follow the motion so far, the first one by whole pixels, and measure what remains. Each pass is validated: by the score, by the ratio to
 * the second peak, and by the median of the neighbours. The second peak, or the mean of the neighbours, replaces a rejected vector, and
 * the state of the vector says so.
 * <p>
 * The channels of an image ({@link sc.fiji.ncc.image.JointImage}, or colours) have one motion: the peak of the mean of their coefficients, refined on the
 * pixels of all channels.
 * <p>
 * Inputs are never changed. Several threads can use one object at the same time: each call uses the settings at its start.
 */
public final class MotionField extends ComputingOp<MotionField, MotionSettings> {

	/** The largest number of pairs of frames that are measured at once. */
	private static final int LANES = 4;

	private MotionField(final Size window) {
		super(Backends::all, MotionSettings.of(window));
	}

	/**
	 * @param window the extents of a window in pixels, along two or three dimensions
	 * @throws IllegalArgumentException if an extent is below 1, or there are other numbers of dimensions
	 */
	public static MotionField ofWindows(final long... window) {
		final Size size = Size.of(Given.nonNull(window, "window"));
		if (window.length < 2 || window.length > 3) throw new IllegalArgumentException("the window of " + size + " has " + window.length
			+ (window.length == 1 ? " dimension" : " dimensions") + ": give two or three");
		if (size.pixels() < 4) throw new IllegalArgumentException("the window of " + size + " has " + size.pixels()
			+ " pixels: give at least 4");
		return new MotionField(size);
	}

	/** Sets the backends. Null for all. */
	MotionField backends(final List<Backend> backends) {
		return planWith(backends);
	}

	/**
	 * Sets the distance of neighbouring windows in pixels. Default: half a window.
	 *
	 * @throws IllegalArgumentException if a number is below 1, or their number differs from the number of dimensions
	 */
	public MotionField spacing(final long... pixels) {
		final int n = settings().window().dimensions();
		if (Given.nonNull(pixels, "spacing").length != n)
			throw new IllegalArgumentException("the spacing has " + pixels.length + " numbers, the windows have " + n
			+ " dimensions: give one number per dimension");
		for (final long s : pixels) Range.COUNT.of("the spacing in pixels is ", s);
		return set(MotionSettings::spacing, Size.of(pixels));
	}

	/**
	 * Sets the weights of the pixels of a window. With others than {@link WindowPairs.Shape#SQUARE}, windows share no sums, so the search takes longer.
	 * Default: square, all pixels count alike.
	 */
	public MotionField shape(final WindowPairs.Shape shape) {
		return set(MotionSettings::shape, shape);
	}

	/**
	 * Sets the largest motion between two frames in pixels along each dimension. Default: a third of a window.
	 *
	 * @throws IllegalArgumentException if a number is negative, or their number differs from the number of dimensions
	 */
	public MotionField maxShift(final long... pixels) {
		return set(MotionSettings::maxShift, Range.distances(pixels, settings().window().dimensions(), "windows"));
	}

	/**
	 * Sets the number of passes. One pass has no windows of twice the size, and deforms nothing. Default: 3.
	 *
	 * @throws IllegalArgumentException if the number is below 1
	 */
	public MotionField passes(final int number) {
		return set(MotionSettings::passes, number);
	}

	/**
	 * Sets the frame of a stack whose windows are searched in the others: {@link DriftReference#PREVIOUS}, {@link DriftReference#FIRST}, or a
	 * given frame. Default: the previous one.
	 *
	 * @throws IllegalArgumentException for another kind of reference
	 */
	public MotionField reference(final DriftReference reference) {
		return set(MotionSettings::reference, reference);
	}

	/**
	 * Sets whether frames are recorded in pairs: the first and the second one, the third and the fourth one, and so on. There is no motion between
	 * pairs, and the reference does not count. Default: false.
	 */
	public MotionField doubleFrames(final boolean pairs) {
		return set(MotionSettings::doubleFrames, pairs);
	}

	/**
	 * Sets whether all pairs of frames have one motion, as in a steady flow: the peak of the mean of the responses of all pairs, for each window and shift. It
	 * is refined by least squares over the pixels of all pairs. So few particles in a window are enough. The result is one field. The memory is 20 bytes for each
	 * window and shift. Default: false, one field for each pair.
	 */
	public MotionField ensemble(final boolean oneMotion) {
		return set(MotionSettings::ensemble, oneMotion);
	}

	/**
	 * Sets whether motions are refined on the pixels by least squares ({@link sc.fiji.ncc.image.PositionFit}), with a covariance. Otherwise a
	 * quadratic is fitted to the scores around the peak, in less time, and the covariance is unknown. Default: true.
	 */
	public MotionField refine(final boolean refined) {
		return set(MotionSettings::refine, refined);
	}

	/**
	 * Sets the score below which a vector is rejected. Default: 0.2.
	 *
	 * @throws IllegalArgumentException if it is not in [-1, 1]
	 */
	public MotionField minScore(final double score) {
		return set(MotionSettings::validation, Validation::minScore, score);
	}

	/**
	 * Sets the ratio of the scores of the two highest peaks below which a vector of the first pass is rejected. Default: 1.1.
	 *
	 * @param ratio 0 for any
	 * @throws IllegalArgumentException if it is negative
	 */
	public MotionField minRatio(final double ratio) {
		return set(MotionSettings::validation, Validation::minRatio, ratio);
	}

	/**
	 * Sets the expected number of peaks by chance, as high as the highest one, above which a vector is rejected. It follows from the score, the number of
	 * shifts, and the number of independent details in the window and in what it shows ({@link sc.fiji.ncc.statistics.Texture}). Complexity: a few times the
	 * pixels of a window for each vector. Default: NaN, any number; it is not computed.
	 *
	 * @throws IllegalArgumentException if it is not in [1e-12, 1e9]
	 */
	public MotionField falseAlarms(final double expected) {
		return set(MotionSettings::validation, Validation::falseAlarms, expected);
	}

	/**
	 * Sets the normalized residual of the median test above which a vector is rejected. Default: 3.
	 *
	 * @param residual infinite for no test
	 * @throws IllegalArgumentException if it is not above 0
	 */
	public MotionField maxResidual(final double residual) {
		return set(MotionSettings::validation, Validation::maxResidual, residual);
	}

	/** Sets whether rejected vectors stay as they were measured, in place of a second peak or the mean of the neighbours. Default: false. */
	public MotionField keepRejected(final boolean keep) {
		return set(MotionSettings::validation, Validation::replace, !keep);
	}

	/**
	 * Smooths fields by penalised least squares. Default: no smoothing.
	 *
	 * @param parameter the weight of the smoothness; NaN for the best one by generalised cross-validation
	 * @throws IllegalArgumentException if it is negative
	 */
	public MotionField smoothing(final double parameter) {
		return set(MotionSettings::smoothing, OptionalDouble.of(parameter));
	}

	/**
	 * Sets an image mask: pixels at which it is 0 are missing. Default: null, no mask.
	 *
	 * @param mask one for all frames, or as many frames as the image has
	 */
	public MotionField imageMask(final RandomAccessibleInterval<?> mask) {
		return set(MotionSettings::missing, MissingPixels::mask, mask);
	}

	/**
	 * Sets a mask of the grid: windows at which it is 0 are not measured, see {@link sc.fiji.ncc.motion.MotionVector.State#MASKED}. Default: null, no mask.
	 *
	 * @param mask with a pixel for each window, or of the size of a frame: then the pixel at the centre of a window counts
	 */
	public MotionField gridMask(final RandomAccessibleInterval<?> mask) {
		return set(MotionSettings::gridMask, mask);
	}

	/**
	 * Sets the meaning of NaN in the first pass. Default: {@link NaNs#UNDEFINED}, windows with NaN have no vector. Later passes interpolate the frames, and take
	 * NaN as missing.
	 */
	public MotionField nan(final NaNs meaning) {
		return set(MotionSettings::missing, MissingPixels::nan, meaning);
	}

	/**
	 * Sets the smallest share of the pixels of a window that must be present. Default: 0.5.
	 *
	 * @throws IllegalArgumentException if it is not in [0, 1]
	 */
	public MotionField minOverlap(final double share) {
		return set(MotionSettings::minOverlap, share);
	}

	/**
	 * Measures the motion from one image to another.
	 *
	 * @param before a real image of as many dimensions as the windows
	 * @param after an image of the same size and type
	 * @throws IllegalArgumentException as {@link #measure(RandomAccessibleInterval)}, and if the images differ in size or type
	 */
	public MotionFields measure(final RandomAccessibleInterval<?> before, final RandomAccessibleInterval<?> after) {
		Given.nonNull(before, "image");
		Given.nonNull(after, "image");
		final Call call = begin();
		return call.measure(List.of(frame(before), frame(after)), f -> {});
	}

	/**
	 * Measures the motion along a stack.
	 *
	 * @param stack an image of any real type; dimensions beyond those of the windows are frames, the first of these fastest
	 * @return a field for each pair of frames, or one for all
	 * @throws IllegalArgumentException if there is one frame only, an odd number of double frames,
	 *         a window is larger than a frame, a maximum shift is not smaller than it,
	 *         the mask does not fit, or the selected algorithm does not apply; the message says what to do
	 * @throws CancellationException if the monitor canceled
	 * @throws sc.fiji.ncc.result.NccException if every candidate failed
	 */
	public MotionFields measure(final RandomAccessibleInterval<?> stack) {
		return measure(stack, f -> {});
	}

	/** Measures as {@link #measure(RandomAccessibleInterval)} and passes on each field at once. After a cancellation you have the fields so far. */
	public MotionFields measure(final RandomAccessibleInterval<?> stack, final Consumer<? super VectorField> each) {
		Given.nonNull(stack, "stack");
		Given.nonNull(each, "consumer");
		final Call call = begin();
		return call.measure(call.frames(stack), each);
	}

	/**
	 * Divides the measurement along a stack into parts that several processes compute on their CPUs.
	 *
	 * @param stack as for {@link #measure(RandomAccessibleInterval)}
	 * @throws IllegalArgumentException as {@link #measure(RandomAccessibleInterval)}, and for one motion of all pairs
	 */
	public MotionParts parts(final RandomAccessibleInterval<?> stack) {
		final Call call = begin();
		if (call.settings.ensemble()) throw new IllegalArgumentException("one motion of all pairs of frames is not measured by several processes: leave out "
			+ "the ensemble, or measure in one process");
		final List<RandomAccessibleInterval<?>> frames = call.frames(Given.nonNull(stack, "stack"));
		call.check(frames);
		return new MotionParts(call.settings, call.options, call.pairs(frames));
	}

	/**
	 * The candidates for the first pass, and for later ones.
	 *
	 * @throws IllegalArgumentException as {@link #measure(RandomAccessibleInterval)}
	 */
	public List<Ranking> explain(final RandomAccessibleInterval<?> stack) {
		final Call call = begin();
		final List<RandomAccessibleInterval<?>> frames = call.frames(Given.nonNull(stack, "stack"));
		try (MotionRun run = call.run(frames)) {
			return run.rankings();
		}
	}

	/**
	 * The problem of one pass without missing pixels, with the default spacing and maximum shift, as {@link sc.fiji.ncc.planner.Planner} ranks it.
	 *
	 * @param frame the size of a frame
	 * @param window the size of a window
	 * @param frames the number of frames, at least 2
	 * @throws IllegalArgumentException if the window does not fit into the frame
	 */
	public static WindowPairs problem(final PixelType type, final Size frame, final Size window, final long frames) {
		Given.nonNull(type, "pixel type");
		if (Given.nonNull(frame, "size").dimensions() != Given.nonNull(window, "window").dimensions())
			throw new IllegalArgumentException("the frame of " + frame + " and the window of " + window
			+ " differ in their number of dimensions: give frames apart from their number");
		final MotionSettings settings = MotionSettings.of(window);
		final long[] lags = settings.maxShift();
		for (int d = 0; d < lags.length; d++) lags[d] = 2 * lags[d] + 1;
		return new WindowPairs(type, frame, window, settings.spacing(), Size.of(lags), false, settings.minOverlap(), frames - 1);
	}

	private Call begin() {
		return new Call(settings(), planned());
	}

	private RandomAccessibleInterval<?> frame(final RandomAccessibleInterval<?> image) {
		final int n = settings().window().dimensions();
		if (image.numDimensions() != n) throw new IllegalArgumentException("the image of " + Size.of(image.dimensionsAsLongArray())
			+ " has " + image.numDimensions() + " dimensions, the windows have " + n
			+ ": give images and windows with the same number of dimensions");
		return image;
	}

	/**
	 * How many pairs of frames are measured at once: several only if the first pass runs on a device of its own, whose memory holds all of them.
	 *
	 * @param rankings those of all passes, which are in memory together
	 */
	static int lanes(final List<Ranking> rankings, final ComputeOptions options, final int pairs) {
		final Ranking.Candidate best = rankings.get(0).best().orElseThrow();
		if (best.plan().cost().deviceBytes() == 0) return 1;
		long host = 1;
		for (final Ranking r : rankings) host += r.best().orElseThrow().plan().cost().hostBytes();
		final long most = Math.min(Ranking.together(rankings), options.memory() / host);
		return (int) Math.max(1, Math.min(Math.min(LANES, most), Math.min(options.threads(), pairs)));
	}

	private record Call(MotionSettings settings, ComputeOptions options) {

		List<RandomAccessibleInterval<?>> frames(final RandomAccessibleInterval<?> stack) {
			final int n = settings.window().dimensions();
			StackFrames.size("window", settings.window(), stack.dimensionsAsLongArray());
			settings.missing().requireFits(stack, n, true);
			return Frames.of(stack, n);
		}

		MotionRun run(final List<RandomAccessibleInterval<?>> frames) {
			check(frames);
			return new MotionRun(settings, options, frames.get(0), pairs(frames).size());
		}

		private void check(final List<RandomAccessibleInterval<?>> frames) {
			if (frames.size() < 2) throw new IllegalArgumentException("the stack has one frame: give at least two, or a second image");
			if (settings.doubleFrames() && frames.size() % 2 != 0) throw new IllegalArgumentException("the stack has " + frames.size()
				+ " frames: pairs of frames need an even number");
			if (!settings.doubleFrames() && settings.reference().frame() >= frames.size())
				throw new IllegalArgumentException("the reference is frame " + settings.reference() + ": the stack has "
					+ frames.size() + " frames");
			settings.missing().requirePixels();
			settings.missing().requireFits(frames.get(0), settings.window().dimensions(), false);
		}

		private List<FramePair> pairs(final List<RandomAccessibleInterval<?>> frames) {
			final List<FramePair> pairs = new ArrayList<>();
			for (int f = 0; f < frames.size(); f++) {
				final boolean previous = settings.doubleFrames() || settings.reference().kind() == DriftReference.Kind.PREVIOUS;
				final int from = previous ? f - 1 : (int) settings.reference().frame();
				if (from < 0 || from == f || settings.doubleFrames() && f % 2 == 0) continue;
				pairs.add(new FramePair(frames.get(from), from, frames.get(f), f));
			}
			return pairs;
		}

		MotionFields measure(final List<RandomAccessibleInterval<?>> frames, final Consumer<? super VectorField> each) {
			final long start = System.nanoTime();
			final List<VectorField> fields = new ArrayList<>();
			try (MotionRun run = run(frames)) {
				run.announce();
				final List<FramePair> pairs = pairs(frames);
				if (settings.ensemble()) {
					fields.add(run.ensemble(pairs));
					each.accept(fields.get(0));
					return fields(fields, List.of(run), start);
				}
				final List<MotionRun> runs = new ArrayList<>(List.of(run));
				try {
					measure(runs, pairs, field -> {
						fields.add(field);
						each.accept(field);
					});
					return fields(fields, runs, start);
				}
				finally {
					runs.subList(1, runs.size()).forEach(MotionRun::close);
				}
			}
		}

		private static MotionFields fields(final List<VectorField> fields, final List<MotionRun> runs, final long start) {
			final List<List<Ranking>> rankings = runs.stream().map(MotionRun::rankings).toList();
			return new MotionFields(fields, runs.stream().map(MotionRun::report).reduce(Report::plus).orElseThrow(),
				IntStream.range(0, rankings.get(0).size())
				.mapToObj(p -> Ranking.afterFailures(rankings.stream().map(r -> r.get(p)).toList())).toList(),
				Ranking.secondsSince(start, rankings.stream().flatMap(List::stream).toList()));
		}

		/**
		 * Measures pairs, several at once on a device of its own, which else waits for the host.
		 *
		 * @param runs the first run; receives the others
		 * @param each receives the fields in order
		 */
		private void measure(final List<MotionRun> runs, final List<FramePair> pairs, final Consumer<VectorField> each) {
			final int lanes = lanes(runs.get(0).rankings(), options, pairs.size());
			try (Parallel parallel = new Parallel(lanes)) {
				final ComputeOptions shared = options.threads(Math.max(1, options.threads() / lanes));
				while (runs.size() < lanes) runs.add(new MotionRun(settings, shared, pairs.get(0).fixed(), pairs.size()));
				for (int i = 0; i < pairs.size(); i += lanes) {
					final int from = i;
					final VectorField[] found = new VectorField[Math.min(lanes, pairs.size() - i)];
					parallel.each(found.length, k -> found[k] = runs.get(k).measure(pairs.get(from + k)));
					for (final VectorField field : found) each.accept(field);
				}
			}
		}
	}

	/** Such as {@code motion of windows of 32x32, 16x16 apart, maximum shift 10x10, 3 passes}. */
	@Override
	public String toString() {
		final MotionSettings s = settings();
		return "motion of windows of " + s.window() + ", " + s.spacing() + " apart, maximum shift " + Size.text(s.maxShift())
			+ ", " + s.passes() + (s.passes() == 1 ? " pass" : " passes");
	}
}
