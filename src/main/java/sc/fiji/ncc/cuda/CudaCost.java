package sc.fiji.ncc.cuda;

import sc.fiji.ncc.cuda.driver.CudaDevice;
import sc.fiji.ncc.plan.Constants;
import sc.fiji.ncc.plan.Cost;
import sc.fiji.ncc.plan.Sliding;
import sc.fiji.ncc.plan.Size;

/**
 * The cost of problems on a GPU, from pixels in Java's memory to responses in Java's memory. Constants are in seconds. The shipped ones are fitted to
 * measurements by {@code CudaBench} on an H200 with 16 cores of the host (2026-11-22), those of calls (2026-11-28), and those of banks by
 * {@code PoseTimes} and {@code PreparedCalls} on an
 * H100 (2026-11-24). Other GPUs are assumed to be as fast per multiprocessor. A calibration replaces those that a frame costs.
 */
final class CudaCost {

	/**
	 * Threads and launches of a single frame of any size; of one of many frames; of the copies of a map in slabs; and the number of lags above which an image is
	 * cut into slabs.
	 */
	private static final double FRAME = 100e-6, ONE_OF_MANY = 15e-6, SLABS = 50e-6, WORTH_CUTTING = 1 << 17;
	/** The additional time of a single image that is not cut: all its memory at once, and its transforms. */
	static final double WHOLE = 180e-6;
	/**
	 * The additional time of each template that follows another one; the same if other frames overlap with it; and with its own transforms of window sums,
	 * which are three dozen launches.
	 */
	private static final double ROUND = 80e-6, ROUND_OF_MANY = 10e-6, SUMS_ROUND = 350e-6;
	/** Preparing and closing an execution: templates, streams, memory; and planning cuFFT's transforms. */
	private static final double PREPARE = 50e-6;
	static final double PLANS = 1.1e-3;
	/** Preparing each template with summed-area tables: their launches, its spectra and memory. */
	static final double EACH_WITH_TABLES = 550e-6;
	/**
	 * A pixel of a template: converting, centring and rounding by several threads of the host, and sending; with summed-area tables, and the weights and energies
	 * of the pixels; for transforms, with norms for the error estimate, by one thread; and for sums in float, with the limits of their errors.
	 */
	static final double TEMPLATE = 6e-9, TABLES = 12e-9, SPECTRAL_TEMPLATE = 22e-9, FLOAT_TEMPLATE = 60e-9;
	/** The number of templates that threads prepare in the time of one, and the additional time of each template that follows another one. */
	private static final int AT_ONCE = 4;
	private static final double FOLLOWING_TEMPLATE = 30e-6;
	/** A byte of many frames to the GPU, with the copy into pinned memory; back, with the copy out of it into new memory; and back without new memory. */
	private static final double BYTE = 1 / 10e9, RESULT_BYTE = 1 / 14e9, BEST_BYTE = 1 / 45e9;
	/** The number of frames of a stream whose kernels fill the device together. */
	private static final int FRAMES_AT_ONCE = 3;
	/** The factor by which copies take longer for a single image in slabs, and without overlap of copies and work. */
	private static final double SINGLE = 1.25, ALONE = 1.5;
	/** Converting, window sums and normalisation for each lag, on one multiprocessor; the H200 has 132. */
	private static final double LAG = 132 * 8e-12;
	/** Searching maxima or comparing templates on the GPU, per response and multiprocessor; bytes of the best response and the index of its template. */
	private static final double LOOK = 132 * 10e-12, BEST_BYTES = 5;
	/** The remaining share of the time of copies if two GPUs copy at the same time, with 32 cores of the host; and cutting one image for them (not measured). */
	private static final double SHARED = 0.95, BAND = 40e-6;
	/** Starting the driver, the context and the kernels in a new process; and an algorithm's kernels alone. Both are rough. */
	private static final double START = 0.8, KERNELS = 0.1;

	/** The GPU; null in tests without one. */
	final CudaDevice gpu;
	/** The number of multiprocessors. */
	final int processors;
	/** As {@link CudaDevice#slowdownOfDouble}. */
	final double slowdown;
	private final Constants constants;

	CudaCost(final CudaDevice gpu, final Constants constants) {
		this(gpu, gpu.processors, gpu.slowdownOfDouble(), constants);
	}

	CudaCost(final CudaDevice gpu, final int processors, final double slowdown, final Constants constants) {
		this.gpu = gpu;
		this.processors = processors;
		this.slowdown = slowdown;
		this.constants = constants;
	}

	/** The calibrated value of a constant. */
	double seconds(final String name, final double shipped) {
		return constants.get(name, shipped);
	}

	/** The calibrated value of a constant of one multiprocessor, divided by the number of multiprocessors. */
	double shared(final String name, final double shipped) {
		return constants.get(name, shipped) / processors;
	}

	/** The additional time of each template that follows another one. @param sums whether it has its own transforms of window sums */
	double round(final Sliding p, final boolean sums) {
		return sums ? seconds("round-with-sums", SUMS_ROUND) : p.frames() > 1 ? seconds("round-of-many", ROUND_OF_MANY) : seconds("round", ROUND);
	}

	/** The time to prepare and to close an execution, without its templates. */
	double prepare() {
		return seconds("prepare", PREPARE);
	}

	/** The time to convert a pixel, to sum a window and to compute a response. */
	double lag() {
		return shared("lag", LAG);
	}

	double start() {
		return gpu.started() ? KERNELS : START;
	}

	/** The seconds to prepare all templates. @param name the constant of a pixel */
	double templates(final Sliding p, final String name, final double shipped) {
		double pixels = 0;
		for (final Size t : p.templates()) pixels += t.pixels();
		return p.channels() * pixels * seconds(name, shipped);
	}

	/** The seconds to prepare all templates one by one, by several threads. @param name the constant of a pixel */
	double templatesOneByOne(final Sliding p, final String name, final double shipped) {
		final int n = p.templates().size();
		return templates(p, name, shipped) / Math.min(AT_ONCE, n) + (n - 1) * seconds("following-template", FOLLOWING_TEMPLATE);
	}

	/** The factor by which lags take longer if their blocks, with those of other frames at the same time, do not fill the device. */
	double idle(final Sliding p, final int across, final int down) {
		final Size lags = p.lags().count();
		final double blocks = Math.ceil(lags.get(0) / (double) across) * Math.ceil(lags.get(1) / (double) down) * lags.get(2);
		return Math.max(1, processors / (blocks * Math.min(FRAMES_AT_ONCE, p.frames())));
	}

	/** The cost if all templates of a frame run together, and their maps come back. @param seconds the time of a frame on the device, with launches */
	Cost together(final Sliding p, final double preparation, final double seconds, final double alone) {
		final double responses = p.templates().size() * (double) p.lags().count().pixels();
		double pixels = 0, union = 1;
		for (final Size t : p.templates()) {
			double windows = 1;
			for (int d = 0; d < p.size().dimensions(); d++) windows *= p.lags().count().get(d) + t.get(d) - 1;
			pixels += windows;
		}
		for (int d = 0; d < p.size().dimensions(); d++) union *= p.size().get(d);
		pixels = Math.min(pixels, union);
		final double back = 4 * responses * (p.result().isMap() ? resultByte(p) : seconds("best-byte", BEST_BYTE));
		final double frame = alone + seconds + SINGLE * (pixels * p.image().bytes * seconds("byte", BYTE) + back);
		return new Cost(preparation + p.frames() * frame, preparation, start(), (long) (pixels * p.image().bytes + 4 * responses),
			(long) (pixels * p.image().bytes + 40 * responses));
	}

	<P extends Sliding> Cost of(final P p, final CudaAlgorithm<P> algorithm) {
		final double lags = p.lags().count().pixels();
		final boolean many = p.frames() > 1, slabs = !many && algorithm.inSlabs();
		double frame = (algorithm.rounds(gpu, p) - 1) * algorithm.roundSeconds(this, p);
		if (many) frame += seconds("frame-of-many", ONE_OF_MANY);
		else frame += seconds("frame", FRAME) + (!slabs ? algorithm.wholeSeconds(this) : lags > WORTH_CUTTING && p.result().isMap() ? seconds(
			"frame-slabs", SLABS) : 0);
		long memory = 0;
		for (final Size t : p.templates()) {
			frame += algorithm.deviceSeconds(this, t, p) + p.channels() * lags * algorithm.lagSeconds(this, p);
			memory += (long) (lags * 40);
		}
		if (!p.result().isMap()) frame += p.templates().size() * lags * shared("maxima-lag", LOOK);
		final double copies = copies(p);
		frame += many ? copies : slabs ? SINGLE * copies : ALONE * copies;
		final double preparation = algorithm.preparation(this, p);
		return new Cost(preparation + p.frames() * frame, preparation, start(),
			(long) (pixels(p) * bytes(p) + p.responseBytes() * lags), memory);
	}

	/** The number of pixels inside the windows. */
	private static double pixels(final Sliding p) {
		double pixels = 1;
		for (int d = 0; d < p.size().dimensions(); d++)
			pixels *= Math.min(p.size().get(d), p.lags().count().get(d) + p.templates().get(0).get(d) - 1);
		return pixels;
	}

	/** The bytes of a pixel in all channels, and of the mask. */
	private static int bytes(final Sliding p) {
		return p.channels() * p.image().bytes + (p.lags().masked() ? 1 : 0);
	}

	/** The seconds to copy a frame to the GPU and its results back. */
	private double copies(final Sliding p) {
		final double lags = p.lags().count().pixels(), maps = p.templates().size() * lags;
		final double back = switch (p.result()) {
			case PEAKS -> 0;
			case BEST -> Math.min(4 * maps, BEST_BYTES * lags) * seconds("best-byte", BEST_BYTE);
			case MAP, MAP_16_BIT, MAP_8_BIT -> p.responseBytes() * maps * resultByte(p);
		};
		return seconds("byte", BYTE) * pixels(p) * bytes(p) + back;
	}

	/** The time of a byte of a map. Later frames of a stream often get memory that was used before, which is faster on many hosts. */
	private double resultByte(final Sliding p) {
		return seconds(p.frames() > 1 ? "result-byte-of-many" : "result-byte", RESULT_BYTE);
	}

	/**
	 * The cost on several equal GPUs. They share the computation; the copies of the host become little faster.
	 *
	 * @param one the cost on one GPU
	 */
	Cost spread(final Cost one, final Sliding p, final int gpus) {
		final double host = p.frames() * SHARED * copies(p), once = gpus * one.onceSeconds();
		return new Cost(once + (p.frames() == 1 ? BAND : 0) + Math.max(host, one.frameSeconds() / gpus), once, gpus * one.startSeconds(),
			one.hostBytes(), one.deviceBytes());
	}
}
