package sc.fiji.ncc.cuda.method;

import java.util.Arrays;

import jcuda.driver.CUdeviceptr;

import sc.fiji.ncc.cuda.driver.CudaDevice;
import sc.fiji.ncc.cuda.driver.DeviceArray;
import sc.fiji.ncc.cuda.driver.ExtendedPrecision;
import sc.fiji.ncc.cuda.driver.GpuKernel;
import sc.fiji.ncc.cuda.driver.StreamContext;
import sc.fiji.ncc.cuda.run.BoxGeometry;
import sc.fiji.ncc.cuda.run.CudaMethod;
import sc.fiji.ncc.cuda.run.Outcome;
import sc.fiji.ncc.cuda.run.ParallelCopy;
import sc.fiji.ncc.numeric.CompensatedSum;
import sc.fiji.ncc.numeric.RoundingBound;
import sc.fiji.ncc.numeric.Tolerance;
import sc.fiji.ncc.numeric.ZeroMean;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Sliding;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Template;

/**
 * A template without a mask, for windows inside the image, in float or double: see {@code floats.cu}, and {@code floatpass.cu} for small templates in float.
 * Responses above the tolerance are rechecked.
 */
public final class TiledDirectMethod implements CudaMethod {

	/** Lags of a block along y, and with a compensated sum of the runs. */
	private static final int DOWN = 32, COMPENSATED_DOWN = 16;
	/** Rows of a chunk that the kernel adds up before their sum is added to that of the others. */
	private static final int RUN_ROWS = 4;
	/**
	 * The maximum number of runs in float. The compensation of their sum is rounded as well: by at most about a hundredth of the tolerance for so many runs,
	 * by more than the tolerance for eight times as many.
	 */
	static final int MOST_RUNS = 1 << 14;
	/** The largest side of a template for {@code floatpass.cu}, the lags of its blocks along x, and the columns that it sums at a time. */
	private static final int MAX_SIDE = TemplateChunks.X, PASS_ACROSS = 256, OCTET = 8;
	/** The error of responses in float whose variances and quotients are in float, in eps. */
	private static final int QUOTIENT = 8;

	/** Lags of a block along x and y, and bytes of its shared memory. */
	private final int across, down, shared;
	/** Whether one kernel computes the responses from the pixels as sent. */
	private final boolean inOnePass;
	private final int type;
	private final Precision precision;
	private final ExtendedPrecision wide;
	private final long n;
	private final int width, pixelsOfTemplate;
	private final double mean, norm, limit, share;
	private final RealPixels pixels;
	private final WindowSumsKernel windows;
	private final GpuKernel respond;
	private final DeviceArray coefficients;
	private final RecheckKernel recheck;

	public TiledDirectMethod(final CudaDevice device, final Template template, final Sliding problem) {
		template.requireContrast();
		precision = problem.precision();
		final boolean single = precision == Precision.SINGLE, compensated = compensated(template.size(), precision);
		type = problem.image().ordinal();
		inOnePass = inOnePass(device, template.size(), problem);
		across = single ? 256 : 128;
		down = compensated ? COMPENSATED_DOWN : DOWN;
		shared = inOnePass ? sharedInOnePass(template.size()) : precision.bytes * ((across + TemplateChunks.X) * (down + TemplateChunks.Y - 1)
			+ TemplateChunks.X * TemplateChunks.Y);
		final double[] zeroMean = ZeroMean.of(template, ParallelCopy.THREADS);
		n = pixelsOfTemplate = zeroMean.length;
		final float[] inFloat = ZeroMean.toFloat(zeroMean, ParallelCopy.THREADS);
		final double[] rounded = single ? new double[zeroMean.length] : zeroMean;
		double energy = 0;
		for (int i = 0; i < zeroMean.length; i++) {
			energy += zeroMean[i] * zeroMean[i];
			if (single) rounded[i] = inFloat[i];
		}
		mean = CompensatedSum.of(rounded) / n;
		final double sum = CompensatedSum.of(zeroMean);
		norm = Math.sqrt(energy - sum * (sum / n));
		width = (int) template.size().get(0);
		final int[] places = TemplateChunks.places(width, (int) template.size().get(1), (int) template.size().get(2));
		final double[] chunks = TemplateChunks.of(rounded, places);
		limit = limit(chunks, n, precision, problem.image().exact(), compensated, inOnePass);
		share = WindowSumsKernel.share((int) template.size().get(1), (int) template.size().get(2), Tolerance.of(precision));
		pixels = new RealPixels(device, problem.image());
		wide = RealPixels.wide(device, problem.image(), precision);
		windows = WindowSumsKernel.real(device, pixels.kind(), width);
		respond = inOnePass ? device.kernels().get(wide, "floatpass", "respond_" + octets(width)) : device.kernels().get(wide, "floats",
			"respond_" + (compensated ? "long_" : "") + pixels.kind() + (single ? "_float" : "_double"));
		coefficients = single ? DeviceArray.of(device, TemplateChunks.of(inFloat, places)) : DeviceArray.of(device, chunks);
		try {
			recheck = new RecheckKernel(device, template, problem);
		}
		catch (final RuntimeException e) {
			coefficients.close();
			throw e;
		}
	}

	/**
	 * The largest (μ - ref)²/σ² at which the estimated error of a response is below the tolerance. In a window that is nearly a constant m, each
	 * product and each partial sum of T̂·m is rounded, by about half an eps of itself. In float, where coefficients are moved at
	 * random ({@link ZeroMean}), these errors are independent but for a common part ({@link RoundingBound#common}). So the error is
	 * {@code eps/2·√(Σ S² + Σ T̂²) / (√N·‖T̂‖)} times |m|/σ, S the partial sums in the order in which they are taken, those of the runs included, here
	 * with a margin of 12. The common part is added. In double, where nothing keeps the roundings of regular templates from being alike, the error is
	 * {@code eps·(Σ|S| + Σ|T̂|) / (√N·‖T̂‖)}. Pixels about the reference are rounded once, by at most eps, perhaps like the template; whole numbers are
	 * not rounded. The error of the deviations is added: see {@link #ofDeviations}. If the sum of the runs is compensated, only the sums within runs are
	 * rounded. In one pass, variances are of the rounded pixels, too.
	 *
	 * @param whole whether pixels are whole numbers of at most 16 bits
	 */
	static double limit(final double[] chunks, final double n, final Precision precision, final boolean whole,
		final boolean compensated, final boolean inOnePass) {
		final boolean single = precision == Precision.SINGLE;
		final double eps = single ? Tolerance.EPS_FLOAT : Tolerance.EPS_DOUBLE;
		final int run = RUN_ROWS * TemplateChunks.X;
		double squares = 0, partials = 0, magnitudes = 0, common = 0, total = 0;
		int runs = 0;
		for (int c = 0; c < chunks.length; c += run) {
			double partial = 0, greatest = 0;
			for (int i = c; i < c + run; i++) {
				final double t = chunks[i];
				// beyond the template's edge nothing is rounded
				if (t == 0) continue;
				greatest = Math.max(greatest, Math.abs(t));
				partial += t;
				squares += t * t;
				partials += partial * partial;
				magnitudes += Math.abs(t) + Math.abs(partial);
				common += RoundingBound.common(partial, t);
			}
			if (greatest == 0) continue;
			runs++;
			if (compensated) continue;
			total += partial;
			partials += total * total;
			magnitudes += Math.abs(total);
			common += RoundingBound.common(total, greatest);
		}
		final double ofSums = (single ? 12 / 2 * Math.sqrt(partials + squares) + common : magnitudes) / Math.sqrt(n * squares);
		final double ofMean = eps * (ofSums + (whole ? 0 : inOnePass ? 2 : 1)), ofQuotient = inOnePass ? eps * QUOTIENT : 0;
		return Math.pow((Tolerance.of(precision) - ofDeviations(n, compensated ? 0 : runs, precision) - ofQuotient) / ofMean, 2);
	}

	/**
	 * The estimated error by the sums of the deviations of pixels from their mean. Where a window and a template have two levels each, all products may
	 * be equal, so all roundings may be alike: a third of an eps for each addition within a run, and, if the template is not uniform, at most 1/√3 for
	 * each run.
	 *
	 * @param runs the runs whose sum is rounded: 0 if it is compensated
	 */
	static double ofDeviations(final double n, final double runs, final Precision precision) {
		final double eps = precision == Precision.SINGLE ? Tolerance.EPS_FLOAT : Tolerance.EPS_DOUBLE;
		return eps * (1 + Math.min(n, RUN_ROWS * TemplateChunks.X) / 3 + runs / Math.sqrt(3));
	}

	/** Whether the error estimate holds for the sum of a template's runs. */
	public static boolean fits(final Size template, final Precision precision) {
		return precision == Precision.DOUBLE || runs(template) <= MOST_RUNS;
	}

	private static double runs(final Size template) {
		return Math.ceil(template.get(0) / (double) TemplateChunks.X) * Math.ceil(template.get(1) / (double) RUN_ROWS) * template.get(2);
	}

	/** Whether a template has so many runs that their sum is compensated: less than a fifth of the tolerance would be left for the errors of the mean. */
	static boolean compensated(final Size template, final Precision precision) {
		return precision == Precision.SINGLE && ofDeviations(template.pixels(), runs(template), precision) > 0.8 * Tolerance.of(precision);
	}

	/**
	 * Whether one kernel computes the responses of a template from the pixels as sent: {@code floatpass.cu}.
	 *
	 * @param device null: one with enough shared memory
	 */
	public static boolean inOnePass(final CudaDevice device, final Size template, final Sliding problem) {
		return problem.precision() == Precision.SINGLE && RealPixels.kind(problem.image()).equals("floats") && template.get(0) <= MAX_SIDE
			&& template.get(1) <= MAX_SIDE && template.get(2) == 1 && (device == null || sharedInOnePass(template) <= device.sharedMemory);
	}

	private static int octets(final long width) {
		return (int) ((width + OCTET - 1) / OCTET);
	}

	/** The shared memory of a block of {@code floatpass.cu} in bytes: column sums, coefficients, pixels. */
	private static int sharedInOnePass(final Size template) {
		final int octets = octets(template.get(0)), height = (int) template.get(1), columns = PASS_ACROSS + OCTET * octets;
		return 8 * OCTET * columns / 8 * 9 + 4 * (OCTET * octets * height + (columns + (columns - 1) / 32 * 4) * (DOWN + height - 1));
	}

	@Override
	public int pitch(final int lagsX) {
		return inOnePass ? lagsX + width - 1 : (lagsX + width - 1 + 15) / 16 * 16;
	}

	@Override
	public double bytesPerLag() {
		return inOnePass ? 4 + precision.bytes + 4.0 : 4 + precision.bytes + windows.bytes() + 2.0 * pixels.bytes() + 8;
	}

	@Override
	public long lagsAtOnce(final long lags, final int slabs) {
		return Math.max(1 << 14, Math.min(Math.max(1 << 18, lags / slabs + 1), (1L << 37) / pixelsOfTemplate));
	}

	@Override
	public void enqueue(final StreamContext context, final BoxGeometry box, final CUdeviceptr raw, final Outcome out) {
		final GpuKernel.Grid grid = new GpuKernel.Grid((box.lags[0] + across - 1) / across, (box.lags[1] + down - 1) / down, box.lags[2], 32, 8);
		if (inOnePass) context.launch(respond, grid, shared, raw, type, box.struct(), coefficients.pointer(),
			terms(1.0 / n, share, n, mean, 1 / norm, limit, Tolerance.FLOOR), out.struct());
		else {
			final CUdeviceptr real = pixels.enqueue(context, box, raw), sums = windows.enqueue(context, box, real, n, Tolerance.of(precision), wide);
			context.launch(respond, grid, shared, real, box.struct(), coefficients.pointer(), sums, (double) n, mean, 1 / norm, limit, Tolerance.FLOOR,
				out.struct());
		}
		recheck.enqueue(context, box, raw, out, Integer.MAX_VALUE);
	}

	/** {@code struct Terms}. */
	private static long[] terms(final double... values) {
		return Arrays.stream(values).mapToLong(Double::doubleToRawLongBits).toArray();
	}

	@Override
	public void close() {
		coefficients.close();
		recheck.close();
	}
}
