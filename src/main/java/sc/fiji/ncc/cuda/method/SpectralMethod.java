package sc.fiji.ncc.cuda.method;

import jcuda.driver.CUdeviceptr;

import sc.fiji.ncc.cuda.driver.Addresses;
import sc.fiji.ncc.cuda.driver.CudaDevice;
import sc.fiji.ncc.cuda.driver.ExtendedPrecision;
import sc.fiji.ncc.cuda.driver.StreamContext;
import sc.fiji.ncc.cuda.driver.TransformExtents;
import sc.fiji.ncc.cuda.run.BoxGeometry;
import sc.fiji.ncc.cuda.run.Outcome;
import sc.fiji.ncc.cuda.run.ParallelCopy;
import sc.fiji.ncc.cuda.run.TransformMethod;
import sc.fiji.ncc.numeric.Chunks;
import sc.fiji.ncc.numeric.Tolerance;
import sc.fiji.ncc.numeric.ZeroMean;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Sliding;
import sc.fiji.ncc.plan.Template;

/**
 * A template without a mask, for windows inside the image: numerators by transforms in float. If the estimated errors of too many responses
 * are above the tolerance, the transforms run in double. Double precision starts in double. The remaining suspects are computed by the definition.
 */
abstract class SpectralMethod implements TransformMethod {

	/**
	 * The estimated error of a numerator is {@code margin·eps·(noise + √log2(n)·(rms(row) + rms(plane) + rms(all)))} with n the points of a transform.
	 * The noise of the forward transform is that of {@code SpectralNoise} on the CPU; that of the inverse transform follows from its results on the row,
	 * the plane and the volume. The margins were found by {@code EstimateSearch}. The margin in double also covers pixels that are rounded alike.
	 */
	static final double MARGIN = 10, MARGIN_OF_TILES = 12;
	private static final double MARGIN_IN_DOUBLE = 32;
	/**
	 * The largest relative error of the difference of a pixel and the reference, in units of the rounding of a number: the difference is rounded once.
	 * If all pixels of a window round like the template, the error of a response is this times |mean - reference|/σ. Whole numbers of at most 16 bits
	 * are not rounded.
	 */
	static final double PIXEL_ROUNDING = 1;
	/** The margin of the greatest error of the products that {@code cuda-fourier} also computes directly, at some lags. */
	static final double MARGIN_OF_PROBES = 2;
	/** Up to 1/200 of the lags are rechecked one by one. If there are more suspects, the transforms run in double. */
	private static final int FEW = 200;

	final CudaDevice device;
	final Precision precision;
	private final PixelType type;
	final int width, height, depth;
	final double n, norm;
	final WindowSumsKernel windows;
	/** The arithmetic of responses from products in float. */
	final ExtendedPrecision wide;
	/** The kinds of pixels and window sums, as in the names of the kernels. */
	final String pixelKind, windowKind;
	/** The zero-mean template, and the same rounded to float. */
	final double[] coefficients;
	final float[] roundedCoefficients;
	/**
	 * The mean of the coefficients, and of the rounded coefficients. It is not exactly 0: without it, a flat window far from the reference would have a
	 * numerator.
	 */
	private final double mean;
	final double roundedMean;
	private final double margin;
	private final WholePixels wholePixels;
	private final RealPixels realPixels;
	final RecheckKernel recheck;

	/** @param margin that of the estimate in float */
	SpectralMethod(final CudaDevice device, final Template template, final Sliding problem, final double margin) {
		template.requireContrast();
		this.device = device;
		this.margin = margin;
		precision = problem.precision();
		type = problem.image();
		width = Math.toIntExact(template.size().get(0));
		height = Math.toIntExact(template.size().get(1));
		depth = Math.toIntExact(template.size().get(2));
		coefficients = ZeroMean.of(template, ParallelCopy.THREADS);
		n = coefficients.length;
		roundedCoefficients = ZeroMean.toFloat(coefficients, ParallelCopy.THREADS);
		final double sum = sum((to, from, until) -> {
			for (int i = from; i < until; i++) to.add(coefficients[i]);
		});
		final double energy = sum((to, from, until) -> {
			for (int i = from; i < until; i++) to.add(coefficients[i] * coefficients[i]);
		});
		roundedMean = sum((to, from, until) -> {
			for (int i = from; i < until; i++) to.add(roundedCoefficients[i]);
		}) / n;
		mean = sum / n;
		norm = Math.sqrt(energy - sum * mean);
		wide = RealPixels.wide(device, problem.image(), precision);
		pixelKind = pixelKind(problem);
		final boolean whole = problem.image().exact(), narrow = problem.image().bytes == 1 && n < 1 << 17;
		if (whole) {
			wholePixels = new WholePixels(device, problem.image());
			realPixels = null;
			windows = narrow ? WindowSumsKernel.narrow(device, width) : WindowSumsKernel.wide(device, pixelKind, width);
			windowKind = narrow ? "narrow" : "wide";
		}
		else {
			wholePixels = null;
			realPixels = new RealPixels(device, problem.image());
			windows = WindowSumsKernel.real(device, pixelKind, width);
			windowKind = "real";
		}
		recheck = new RecheckKernel(device, template, problem);
	}

	/** A sum over the coefficients. */
	private double sum(final Chunks.Term term) {
		return Chunks.sum(coefficients.length, ParallelCopy.THREADS, term);
	}

	/** The margin of the estimate times the rounding of a number. */
	static double eps(final boolean inDouble) {
		return inDouble ? MARGIN_IN_DOUBLE * Tolerance.EPS_DOUBLE : MARGIN * Tolerance.EPS_FLOAT;
	}

	/** Computes all responses of a box, in float or in double. Responses with an estimated error above the tolerance become suspects. */
	abstract void respond(StreamContext context, BoxGeometry box, CUdeviceptr pixels, Outcome out, boolean inDouble);

	@Override
	public final int width() {
		return width;
	}

	@Override
	public final void enqueue(final StreamContext context, final BoxGeometry box, final CUdeviceptr raw, final Outcome out) {
		final boolean inDouble = precision == Precision.DOUBLE;
		respond(context, box, pixels(context, box, raw), out, inDouble);
		recheck.enqueue(context, box, raw, out, inDouble ? Integer.MAX_VALUE : few(box));
	}

	@Override
	public final boolean fallBack(final StreamContext context, final BoxGeometry box, final CUdeviceptr raw, final Outcome out, final int suspects) {
		if (precision == Precision.DOUBLE || suspects <= few(box)) return false;
		context.clear(out.counts(), 4);
		inDouble(context, box, raw, out);
		return true;
	}

	/** Computes all responses of a box in double. The counts of other templates are kept, but not their suspects. */
	final void inDouble(final StreamContext context, final BoxGeometry box, final CUdeviceptr raw, final Outcome out) {
		context.clear(out.counts().withByteOffset(4), 1);
		respond(context, box, pixels(context, box, raw), out, true);
		recheck.enqueue(context, box, raw, out, Integer.MAX_VALUE);
	}

	static int few(final BoxGeometry box) {
		return Math.max(64, box.count() / FEW);
	}

	/** The kind of pixels of a problem, as in the names of the kernels. */
	static String pixelKind(final Sliding problem) {
		return !problem.image().exact() ? RealPixels.kind(problem.image()) : problem.image().bytes == 1 ? "bytes" : "shorts";
	}

	/** The pixels of a box as the transforms need them. Templates of one size share them. */
	final CUdeviceptr pixels(final StreamContext context, final BoxGeometry box, final CUdeviceptr raw) {
		final boolean whole = wholePixels != null;
		final String buffer = whole ? WholePixels.MEMORY : RealPixels.MEMORY;
		final CUdeviceptr pixels = context.buffer(buffer, box.elements() * (whole ? type.bytes : realPixels.bytes()));
		if (context.holds(buffer, box.key())) return pixels;
		return whole ? wholePixels.enqueue(context, box, raw).pixels() : realPixels.enqueue(context, box, raw);
	}

	/** {@code struct Trust} of the kernels, for a transform of these extents. */
	final long[] trust(final TransformExtents e, final CUdeviceptr known, final CUdeviceptr result, final CUdeviceptr noise, final boolean inDouble) {
		final double eps = (inDouble ? eps(true) : margin * Tolerance.EPS_FLOAT) / (Tolerance.of(precision) * norm);
		final double offsetRounding = Math.sqrt(n) * PIXEL_ROUNDING * (inDouble ? Tolerance.EPS_DOUBLE : Tolerance.EPS_FLOAT) / Tolerance.of(precision);
		return new long[] { e.x() | (long) e.y() << 32, e.z() | (long) n << 32, Addresses.of(known), Addresses.of(result), Addresses.of(noise), bits(n),
			bits(1 / n), bits(inDouble ? mean : roundedMean),
			bits(1 / norm), bits(eps), bits(MARGIN_OF_PROBES / (Tolerance.of(precision) * norm)), bits(Math.sqrt(Tolerance.FLOOR)), bits(offsetRounding) };
	}

	private static long bits(final double v) {
		return Double.doubleToRawLongBits(v);
	}

	@Override
	public void close() {
		recheck.close();
	}
}
