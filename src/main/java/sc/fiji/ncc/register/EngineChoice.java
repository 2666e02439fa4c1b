package sc.fiji.ncc.register;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.util.Intervals;

import sc.fiji.ncc.cpu.frame.PairPeaks;
import sc.fiji.ncc.cuda.frame.CardCorrelator;
import sc.fiji.ncc.cuda.frame.CardFrame;
import sc.fiji.ncc.image.ImagePixels;
import sc.fiji.ncc.option.DriftReference;
import sc.fiji.ncc.plan.DeviceException;
import sc.fiji.ncc.plan.Given;
import sc.fiji.ncc.plan.PixelType;

/**
 * What measures the shifts of frames.
 *
 * @param card whether a card measures
 * @param type the type of the pixels
 * @param reason why no card can measure; null if one can
 * @param cpuSeconds the predicted time on the CPU
 * @param cardSeconds the predicted time on a card
 * @param threads the number of threads of the CPU
 */
public record EngineChoice(boolean card, PixelType type, String reason, double cpuSeconds, double cardSeconds, int threads) {

	private static final System.Logger LOG = System.getLogger("sc.fiji.ncc");
	/** The faster one by estimate. */
	public static final String AUTO = "auto";
	/** The number of frames of a stream, for the estimate. */
	public static final long MANY = 10_000;
	private static final String CPU = "cpu", CUDA = "cuda";

	/** Seconds on one thread of the CPU: for a pixel of a frame that is read, and of each pair. EPYC, 2026-11-23. */
	private static final double READ = 4e-9, PAIR = 5.2e-9;
	/** Seconds on a card: a pixel of a frame, a pixel of a pair, each frame, each pair; and the start. H200, 2026-11-23. */
	private static final double SENT = 0.6e-9, COMPARED = 0.06e-9, FRAME = 10e-6, EACH = 10e-6, START = 0.9, STARTED = 0.02;
	/** Seconds of two images, for a pixel of both: on one thread of the CPU, and on a card; and to prepare the card. */
	private static final double WHOLE = 120e-9, SENT_ALONE = 1e-9, PREPARED = 5e-3;
	/** The pairs of a frame with the reference multi, at most. */
	private static final int MULTI = 8;

	/** The reason why a backend of this machine cannot measure the shifts of any frames; empty if it can. */
	public static Optional<String> unavailable(final String backend) {
		return backend.equals(CUDA) ? CardCorrelator.unavailable() : Optional.empty();
	}

	/** @throws IllegalArgumentException if there is no such backend */
	public static String checked(final String backend) {
		Given.nonNull(backend, "backend");
		if (!List.of(AUTO, CPU, CUDA).contains(backend)) throw new IllegalArgumentException("there is no backend '" + backend + "': give auto, cpu or cuda");
		return backend;
	}

	/**
	 * @param type the type of the pixels
	 * @param dimensions the number of dimensions of a frame
	 * @param size the extents of a frame along x, y and z
	 * @param mean whether the reference is the mean of the corrected frames
	 * @param frames the number of frames
	 * @throws IllegalArgumentException if the settings name a backend that cannot measure these frames
	 */
	static EngineChoice of(final DriftSettings settings, final PixelType type, final int dimensions, final int[] size, final boolean mean, final long frames) {
		Optional<String> reason = unsuited(type, dimensions, size, settings.mask() != null);
		if (reason.isEmpty() && mean) reason = Optional.of("a GPU measures frames against each other, and the reference is their mean");
		reason = reason.or(CardCorrelator::unavailable);
		// only the rounds against the mean of frames need the CPU
		if (!mean) require(settings.backend(), reason);
		final double pixels = (double) size[0] * size[1] * size[2], pairs = settings.reference().kind() == DriftReference.Kind.MULTI ? Math.min(MULTI, frames - 1) : 1;
		final double cpu = frames * pixels * (READ + pairs * PAIR) / settings.threads();
		final double card = reason.isPresent() ? Double.NaN : start() + frames * (FRAME + pixels * SENT + pairs * (EACH + pixels * COMPARED)) + frames * pixels * READ / 8 / settings.threads();
		return choice(settings.backend(), type, reason, cpu, card, settings.threads());
	}

	/**
	 * For two images.
	 *
	 * @param masked whether there is a mask
	 * @param peaks the number of peaks that are wanted
	 * @throws IllegalArgumentException if the backend cannot register these images
	 */
	public static EngineChoice ofImages(final RandomAccessibleInterval<?> fixed, final RandomAccessibleInterval<?> moving, final boolean masked, final int peaks, final String backend) {
		Optional<String> reason = unsuited(fixed, masked).or(() -> unsuited(moving, masked));
		if (reason.isEmpty() && peaks > CardCorrelator.MOST_PEAKS) reason = Optional.of("a GPU finds up to " + CardCorrelator.MOST_PEAKS + " peaks, and " + peaks + " are wanted");
		reason = reason.or(CardCorrelator::unavailable);
		require(backend, reason);
		final double pixels = Intervals.numElements(fixed) + (double) Intervals.numElements(moving);
		final double card = reason.isPresent() ? Double.NaN : start() + PREPARED + pixels * SENT_ALONE;
		return choice(backend, ImagePixels.type(fixed), reason, pixels * WHOLE, card, 1);
	}

	private static void require(final String backend, final Optional<String> reason) {
		if (backend.equals(CUDA) && reason.isPresent()) throw new IllegalArgumentException("the backend cuda cannot be used: " + reason.get() + "; choose auto or cpu");
	}

	private static double start() {
		return CardCorrelator.started() ? STARTED : START;
	}

	private static EngineChoice choice(final String backend, final PixelType type, final Optional<String> reason, final double cpu, final double card, final int threads) {
		final boolean chosen = reason.isEmpty() && (backend.equals(CUDA) || backend.equals(AUTO) && card < cpu);
		return new EngineChoice(chosen, type, reason.orElse(null), cpu, card, threads);
	}

	private static Optional<String> unsuited(final RandomAccessibleInterval<?> image, final boolean masked) {
		return unsuited(ImagePixels.type(image), image.numDimensions(), FrameReader.extents(image), masked);
	}

	/** The reason why no card can measure such frames; empty if a card can. */
	private static Optional<String> unsuited(final PixelType type, final int dimensions, final int[] size, final boolean masked) {
		if (dimensions != 2) return Optional.of("a GPU measures planes, and the frames have " + dimensions + " dimensions");
		if (!type.exact()) return Optional.of("a GPU measures frames of 8- and 16-bit integers, and these are " + (type.integer ? type.bytes * 8 + "-bit integers" : type.bytes * 8 + "-bit floats"));
		if (masked) return Optional.of("a GPU measures frames of which all pixels count, and there is a mask");
		if (Math.min(size[0], size[1]) < CardCorrelator.LEAST_SIDE) return Optional.of("a GPU measures frames of at least " + CardCorrelator.LEAST_SIDE
			+ " pixels along x and y, and these are " + size[0] + "x" + size[1]);
		return Optional.empty();
	}

	FrameEngine engine(final DriftSettings settings, final FramePairs frames) {
		final FrameEngine.Cpu cpu = new FrameEngine.Cpu(frames);
		return card ? new FrameEngine.Failover(CardCorrelator.name(), () -> new CardFrames(settings, frames, type), cpu) : cpu;
	}

	/** A line for each backend, the one in use first. */
	@Override
	public String toString() {
		final String cpu = String.format(Locale.ROOT, "cpu: %.3g s by estimate, %d threads", cpuSeconds, threads);
		final String cuda = reason == null ? String.format(Locale.ROOT, "cuda: %.3g s by estimate, %s", cardSeconds, CardCorrelator.name()) : "cuda: not used: " + reason;
		return card ? cuda + System.lineSeparator() + cpu : cpu + System.lineSeparator() + cuda;
	}

	/**
	 * Finds the shift between two planes of 8- or 16-bit integers.
	 *
	 * @param maxShift the largest shift along x, y and z
	 * @param minOverlap the smallest overlap, as a share of the largest possible overlap
	 * @return empty if the card fails; the reason is logged
	 * @throws IllegalArgumentException if an image is flat
	 */
	public static Optional<PairPeaks> register(final RandomAccessibleInterval<?> fixed, final RandomAccessibleInterval<?> moving, final long[] maxShift, final double minOverlap,
		final int peaks, final boolean subpixel)
	{
		final int[] size = FrameReader.extents(fixed), other = FrameReader.extents(moving);
		try (CardCorrelator card = new CardCorrelator(CardFrames.range(size, other, maxShift, minOverlap), peaks, subpixel, 1);
			CardFrame a = sent(card, fixed, size, true); CardFrame b = sent(card, moving, other, false))
		{
			if (a.isFlat()) throw FrameReader.flat("fixed image", fixed, false);
			if (b.isFlat()) throw FrameReader.flat("moving image", moving, false);
			return Optional.of(CardFrames.peaks(card.correlate(List.of(a, b)).get(0)));
		}
		catch (final DeviceException e) {
			LOG.log(System.Logger.Level.WARNING, "the registration on a GPU failed: " + e.getMessage() + "; the CPU continues");
			return Optional.empty();
		}
	}

	private static CardFrame sent(final CardCorrelator card, final RandomAccessibleInterval<?> image, final int[] size, final boolean isFixed) {
		final ImagePixels pixels = ImagePixels.of(image);
		return card.transform(pixels.type(), List.of(FrameReader.raw(pixels, size[0], size[1])), isFixed).get(0);
	}
}
