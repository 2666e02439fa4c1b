package sc.fiji.ncc.cuda.method;

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

/** A template without a mask, for windows inside the image, in float or double: see {@code floats.cu}. Responses above the tolerance are rechecked. */
public final class TiledDirectMethod implements CudaMethod {

	private static final int DOWN = 32;
	/** Rows of a chunk that the kernel adds up before their sum is added to that of the others. */
	private static final int RUN_ROWS = 4;

	/** Lags of a block along x, and bytes of its shared memory. */
	private final int across, shared;
	private final Precision precision;
	private final ExtendedPrecision wide;
	private final long n;
	private final int width, pixelsOfTemplate;
	private final double mean, norm, limit;
	private final RealPixels pixels;
	private final WindowSumsKernel windows;
	private final GpuKernel respond;
	private final DeviceArray coefficients;
	private final RecheckKernel recheck;

	public TiledDirectMethod(final CudaDevice device, final Template template, final Sliding problem) {
		template.requireContrast();
		precision = problem.precision();
		final boolean single = precision == Precision.SINGLE;
		across = single ? 256 : 128;
		shared = precision.bytes * ((across + TemplateChunks.X) * (DOWN + TemplateChunks.Y - 1) + TemplateChunks.X * TemplateChunks.Y);
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
		limit = limit(chunks, n, precision, problem.image().exact());
		pixels = new RealPixels(device, problem.image());
		wide = RealPixels.wide(device, problem.image(), precision);
		windows = WindowSumsKernel.real(device, pixels.kind(), width);
		respond = device.kernels().get(wide, "floats", "respond_" + pixels.kind() + (single ? "_float" : "_double"));
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
	 * not rounded. The error of the deviations is added: see {@link #ofDeviations}.
	 *
	 * @param whole whether pixels are whole numbers of at most 16 bits
	 */
	static double limit(final double[] chunks, final double n, final Precision precision, final boolean whole) {
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
			total += partial;
			partials += total * total;
			magnitudes += Math.abs(total);
			common += RoundingBound.common(total, greatest);
		}
		final double ofSums = (single ? 12 / 2 * Math.sqrt(partials + squares) + common : magnitudes) / Math.sqrt(n * squares), ofPixels = whole ? 0 : 1;
		final double ofMean = eps * (ofSums + ofPixels);
		return Math.pow((Tolerance.of(precision) - ofDeviations(n, runs, precision)) / ofMean, 2);
	}

	/**
	 * The estimated error by the sums of the deviations of pixels from their mean. Where a window and a template have two levels each, all products may
	 * be equal, so all roundings may be alike: a third of an eps for each addition within a run, and, if the template is not uniform, at most 1/√3 for
	 * each run.
	 */
	static double ofDeviations(final double n, final double runs, final Precision precision) {
		final double eps = precision == Precision.SINGLE ? Tolerance.EPS_FLOAT : Tolerance.EPS_DOUBLE;
		return eps * (1 + Math.min(n, RUN_ROWS * TemplateChunks.X) / 3 + runs / Math.sqrt(3));
	}

	/** Whether a template has so few runs that at least a fifth of the tolerance is left for the errors of the mean. */
	public static boolean suits(final Size template, final Precision precision) {
		final double runs = Math.ceil(template.get(0) / (double) TemplateChunks.X) * Math.ceil(template.get(1) / (double) RUN_ROWS) * template.get(2);
		return ofDeviations(template.pixels(), runs, precision) <= 0.8 * Tolerance.of(precision);
	}

	@Override
	public int pitch(final int lagsX) {
		return (lagsX + width - 1 + 15) / 16 * 16;
	}

	@Override
	public double bytesPerLag() {
		return 4 + precision.bytes + windows.bytes() + 2.0 * pixels.bytes() + 8;
	}

	@Override
	public long lagsAtOnce(final long lags, final int slabs) {
		return Math.max(1 << 14, Math.min(Math.max(1 << 18, lags / slabs + 1), (1L << 37) / pixelsOfTemplate));
	}

	@Override
	public void enqueue(final StreamContext context, final BoxGeometry box, final CUdeviceptr raw, final Outcome out) {
		final CUdeviceptr real = pixels.enqueue(context, box, raw);
		final CUdeviceptr sums = windows.enqueue(context, box, real, n, Tolerance.of(precision), wide);
		context.launch(respond, new GpuKernel.Grid((box.lags[0] + across - 1) / across, (box.lags[1] + DOWN - 1) / DOWN, box.lags[2], 32, 8), shared, real,
			box.struct(), coefficients.pointer(), sums, (double) n, mean, 1 / norm, limit, Tolerance.FLOOR, out.struct());
		recheck.enqueue(context, box, raw, out, Integer.MAX_VALUE);
	}

	@Override
	public void close() {
		coefficients.close();
		recheck.close();
	}
}
