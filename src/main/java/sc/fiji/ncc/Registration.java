package sc.fiji.ncc;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.LongConsumer;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.Img;

import sc.fiji.ncc.image.ImagePixels;
import sc.fiji.ncc.image.JointImage;
import sc.fiji.ncc.image.TemplateReader;
import sc.fiji.ncc.option.ComputeOptions;
import sc.fiji.ncc.option.ComputingOp;
import sc.fiji.ncc.option.Interpolation;
import sc.fiji.ncc.option.Outside;
import sc.fiji.ncc.option.Range;
import sc.fiji.ncc.plan.FramePairs;
import sc.fiji.ncc.plan.Given;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Resampling;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.shift.PairPeaks;
import sc.fiji.ncc.plan.shift.ShiftExecution.Operand;
import sc.fiji.ncc.plan.shift.ShiftExecution.Pair;
import sc.fiji.ncc.planner.Ranking;
import sc.fiji.ncc.register.DriftSettings;
import sc.fiji.ncc.register.FrameReader;
import sc.fiji.ncc.register.JointChannels;
import sc.fiji.ncc.register.JudgedFrame;
import sc.fiji.ncc.statistics.NoisePeak;
import sc.fiji.ncc.register.PeakJudgement;
import sc.fiji.ncc.register.correct.CorrectedStack;
import sc.fiji.ncc.result.Alignment;
import sc.fiji.ncc.run.FailoverSampler;
import sc.fiji.ncc.run.FailoverShifts;

/**
 * Finds the shift between two images, in two or three dimensions. The images can have different sizes.
 *
 * <pre>
 * Alignment a = Registration.of(fixed).maxShift(40, 40).register(moving);
 * </pre>
 *
 * The shift is that of the greatest correlation coefficient of the part of both images that overlaps. The overlap has its own means and
 * variances at each shift, so unlike phase correlation, and unlike a circular correlation, no shift is preferred, and brightness and
 * contrast of the images do not matter. Pixel x of the fixed image shows what lies at {@code x + shift} in the moving image. Between the
 * pixels the shift is refined by least squares on the pixels themselves. Pixels that are NaN or infinite do not count. Cost:
 * {@code O(n·log n)} for images of n pixels. Inputs are never changed. Several threads can use an object at the same time: each call uses
 * the settings at its start.
 * <p>
 * Sources: J. P. Lewis, Fast normalized cross-correlation, Vision Interface 1995. D. Padfield 2012, doi:10.1109/TIP.2011.2181402, for masks.
 */
public final class Registration extends ComputingOp<Registration, Registration.Settings> {

	/** The smallest overlap without another setting, as a share of the largest possible overlap. */
	public static final double MIN_OVERLAP = DriftSettings.MIN_OVERLAP;

	/** The expected number of false alarms above which a shift is doubtful, as for the frames of a stack. */
	private static final double DOUBTFUL = 0.01;
	/** The steps of a registration, for the monitor. */
	private static final int STEPS = 2;

	private final RandomAccessibleInterval<?> fixed;
	/** The number of channels that are measured on together. */
	private final int channels;

	/**
	 * How images are registered.
	 *
	 * @param fixedMask which pixels of the fixed image count; null for all
	 * @param movingMask which pixels of the moving image count; null for all
	 * @param maxShift in pixels along each dimension; null for as much as the overlap allows
	 * @param peaks the number of peaks in the result
	 * @param subpixel whether the shift is refined between the pixels
	 */
	record Settings(RandomAccessibleInterval<?> fixedMask, RandomAccessibleInterval<?> movingMask, long[] maxShift,
		double minOverlap, int peaks, boolean subpixel)
	{

		Settings {
			Range.PART.of("the minimum overlap is ", minOverlap);
			Range.COUNT.of("the number of peaks is ", peaks);
		}
	}

	private Registration(final RandomAccessibleInterval<?> fixed, final int channels) {
		super(Backends::all, new Settings(null, null, null, MIN_OVERLAP, 2, true));
		this.fixed = fixed;
		this.channels = channels;
	}

	/**
	 * @param fixed an image of two or three dimensions, of real numbers, of colours, or with several channels ({@link sc.fiji.ncc.image.JointImage}). Several channels
	 *          are measured on together: each is divided by its standard deviation, and they are added up
	 * @throws IllegalArgumentException if it has another number of dimensions
	 */
	public static Registration of(final RandomAccessibleInterval<?> fixed) {
		Given.nonNull(fixed, "image");
		final RandomAccessibleInterval<?> joined = JointChannels.joined(fixed);
		FrameReader.extents(joined);
		return new Registration(joined, JointImage.channelsOf(fixed).size());
	}

	/**
	 * Sets the largest shift, in pixels, in both directions along each dimension. A small maximum shift saves time and memory. Default: as the overlap allows.
	 *
	 * @throws IllegalArgumentException if a number is negative, or their number differs from the number of dimensions
	 */
	public Registration maxShift(final long... pixels) {
		return set(Settings::maxShift, Range.distances(pixels, fixed.numDimensions(), "images"));
	}

	/**
	 * Sets the smallest overlap, as a share of the largest possible overlap, that of the smaller image in most cases. Coefficients of small overlaps are uncertain.
	 * Default: 0.333.
	 *
	 * @throws IllegalArgumentException if not above 0 and at most 1
	 */
	public Registration minOverlap(final double share) {
		return set(Settings::minOverlap, share);
	}

	/** Sets which pixels of the fixed image count: those where the mask is not 0. Null for all. */
	public Registration fixedMask(final RandomAccessibleInterval<?> mask) {
		return set(Settings::fixedMask, mask);
	}

	/** Sets which pixels of the moving image count: those where the mask is not 0. Null for all. */
	public Registration movingMask(final RandomAccessibleInterval<?> mask) {
		return set(Settings::movingMask, mask);
	}

	/** Sets whether the shift is refined between the pixels. Default: true. */
	public Registration subpixel(final boolean refine) {
		return set(Settings::subpixel, refine);
	}

	/**
	 * Sets the number of peaks in the result. Default: 2.
	 *
	 * @throws IllegalArgumentException if below 1
	 */
	public Registration peaks(final int number) {
		return set(Settings::peaks, number);
	}

	/**
	 * The candidates that can register an image, best first.
	 *
	 * @throws IllegalArgumentException if none can
	 */
	public Ranking explain(final RandomAccessibleInterval<?> moving) {
		return begin(moving).ranking();
	}

	/** A call with the current settings. */
	private synchronized Call begin(final RandomAccessibleInterval<?> moving) {
		return new Call(fixed, JointChannels.joined(Given.nonNull(moving, "image")), channels, settings(), planned());
	}

	/**
	 * Finds the shift of an image.
	 *
	 * @param moving an image of as many dimensions as the fixed image; several channels as there
	 * @throws IllegalArgumentException if the numbers of dimensions differ, a mask does not fit, an image is flat, the images are too large to be transformed, or no
	 *         shift within the maximum has a defined coefficient; the message says what to do
	 * @throws CancellationException if the monitor canceled
	 */
	public Alignment register(final RandomAccessibleInterval<?> moving) {
		return begin(moving).register();
	}

	/**
	 * One call.
	 *
	 * @param moving with joined channels, as the fixed image
	 */
	private record Call(RandomAccessibleInterval<?> fixed, RandomAccessibleInterval<?> moving, int channels, Settings settings,
		ComputeOptions options) {

		Ranking ranking() {
			FrameReader.extents(moving);
			return ranking(TemplateReader.common(ImagePixels.type(fixed), ImagePixels.type(moving)));
		}

		private Ranking ranking(final PixelType type) {
			final long[] most = settings.maxShift();
			return options.rank(new FramePairs(type, Size.of(fixed.dimensionsAsLongArray()), Size.of(moving.dimensionsAsLongArray()),
				most == null ? List.of() : Arrays.stream(most).boxed().toList(), settings.minOverlap(),
				settings.fixedMask() != null || settings.movingMask() != null, channels, settings.peaks(), settings.subpixel(), 2, 1));
		}

		Alignment register() {
			final int n = fixed.numDimensions();
			if (moving.numDimensions() != n) throw new IllegalArgumentException("the fixed image has " + n
				+ " dimensions, the moving image has " + moving.numDimensions() + ": give images with the same number of dimensions");
			options.monitor().total(STEPS);
			final Ranking ranking = ranking();
			final JudgedFrame a = frame(fixed, settings.fixedMask(), "fixed image"),
				b = frame(moving, settings.movingMask(), "moving image");
			final PairPeaks plain = peaks(ranking, a, b, options.monitor()::done);
			if (!plain.isFound()) throw new IllegalArgumentException("the images of " + Size.of(fixed.dimensionsAsLongArray()) + " and "
				+ Size.of(moving.dimensionsAsLongArray())
				+ " have no defined correlation within the maximum shift: give a larger maximum shift, "
				+ "a smaller minimum overlap, or images with contrast");
			final double shifts = NoisePeak.shifts(fixed.dimensionsAsLongArray(), moving.dimensionsAsLongArray(), settings.maxShift(),
				settings.minOverlap());
			final PeakJudgement judged = PeakJudgement.of(a, b, plain, shifts, DOUBTFUL);
			if (judged.isCertain()) return alignment(plain, n, judged);
			// as for the links of a mosaic: what is not certain is judged on the fine details too
			final JudgedFrame fineA = a.fine(), fineB = b.fine();
			final PairPeaks fine = peaks(ranking(PixelType.F32), fineA, fineB, step -> {});
			if (!fine.isFound()) return alignment(plain, n, judged);
			final PeakJudgement ofDetails = PeakJudgement.of(fineA, fineB, fine, shifts, DOUBTFUL);
			return PeakJudgement.isSame(plain.best().shift(), fine.best().shift()) && ofDetails.falseAlarms() < judged.falseAlarms()
				? alignment(plain, n, ofDetails) : alignment(plain, n, judged);
		}

		/** @return no peaks if the fine details of an image are flat */
		private PairPeaks peaks(final Ranking ranking, final JudgedFrame a, final JudgedFrame b, final LongConsumer done) {
			options.monitor().requireNotCanceled();
			try (FailoverShifts execution = new FailoverShifts(ranking, options.threads(), options.monitor())) {
				final List<Operand> both = execution.transform(List.of(a.frame(), b.frame()));
				if (both.get(0).isFlat() || both.get(1).isFlat()) {
					if (a.isFine()) return PairPeaks.NONE;
					throw both.get(0).isFlat() ? FrameReader.flat("fixed image", fixed, settings.fixedMask() != null)
						: FrameReader.flat("moving image", moving, settings.movingMask() != null);
				}
				done.accept(1);
				options.monitor().requireNotCanceled();
				final PairPeaks found = execution.correlate(List.of(List.of(new Pair(both.get(0), both.get(1))))).get(0);
				done.accept(1);
				return found;
			}
		}

		private static JudgedFrame frame(final RandomAccessibleInterval<?> image, final RandomAccessibleInterval<?> mask,
			final String what) {
			FrameReader.extents(image);
			final long[] size = image.dimensionsAsLongArray();
			return JudgedFrame.of(() -> image, ImagePixels.type(image), size, mask == null ? null
				: FrameReader.mask(mask, size, "mask of the " + what));
		}

		private static Alignment alignment(final PairPeaks found, final int n, final PeakJudgement judged) {
			final PairPeaks.Place best = found.best();
			double[][] covariance = null;
			if (found.covariance() != null) {
				covariance = new double[n][];
				for (int d = 0; d < n; d++) covariance[d] = Arrays.copyOf(found.covariance()[d], n);
			}
			return new Alignment(Arrays.copyOf(best.shift(), n), best.score(), best.overlap(), covariance, found.edge(),
				judged.falseAlarms(), judged.reason(), found.peaks().stream()
				.map(p -> new Alignment.Peak(Arrays.copyOf(p.shift(), n), p.score(), p.overlap())).toList());
		}
	}

	/**
	 * Moves the moving image onto the fixed one: pixel x of the result shows the moving image at {@code x + shift}. Computed plane by plane when its pixels are used.
	 *
	 * @param moving the moving image; further dimensions, such as channels, move alike
	 * @param shift from {@link #register}
	 * @param outside edge, a constant or NaN
	 * @return an image of the same pixel type, with the extents of the fixed image
	 */
	public Img<?> move(final RandomAccessibleInterval<?> moving, final double[] shift, final Interpolation interpolation,
		final Outside outside) {
		Given.nonNull(moving, "image");
		Given.nonNull(interpolation, "interpolation");
		final Resampling problem = CorrectedStack.problem(moving, fixed.dimensionsAsLongArray(), interpolation, false, 1);
		final ComputeOptions options = moves();
		return CorrectedStack.onto(fixed.dimensionsAsLongArray(), moving, shift, interpolation, outside,
			new FailoverSampler(() -> options.rank(problem)));
	}

	/**
	 * The candidates that can compute the pixels of a moved image, best first.
	 *
	 * @param moving as for {@link #move}
	 * @param interpolation any but {@link Interpolation#INTEGER}, which computes none
	 */
	public Ranking explainMove(final RandomAccessibleInterval<?> moving, final Interpolation interpolation) {
		Given.nonNull(moving, "image");
		Given.nonNull(interpolation, "interpolation");
		return planned().algorithm(null).rank(CorrectedStack.problem(moving, fixed.dimensionsAsLongArray(), interpolation, false, 1));
	}

	/** The current options for {@link Resampling}. The name of an algorithm is that of a method to measure. */
	private ComputeOptions moves() {
		return planned().algorithm(null).monitor(Monitor.NONE);
	}

	/** Such as {@code registration with an image of 512x512 pixels}. */
	@Override
	public String toString() {
		return "registration with an image of " + Size.of(fixed.dimensionsAsLongArray()) + " pixels"
			+ (settings().maxShift() == null ? "" : ", maximum shift " + Size.text(settings().maxShift()));
	}
}
