package sc.fiji.ncc.cuda.method;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import jcuda.driver.CUdeviceptr;

import sc.fiji.ncc.cuda.driver.CudaDevice;
import sc.fiji.ncc.cuda.driver.DeviceArray;
import sc.fiji.ncc.cuda.driver.GpuKernel;
import sc.fiji.ncc.cuda.driver.StreamContext;
import sc.fiji.ncc.cuda.run.BoxGeometry;
import sc.fiji.ncc.cuda.run.CudaMethod;
import sc.fiji.ncc.cuda.run.Outcome;
import sc.fiji.ncc.cuda.run.ParallelCopy;
import sc.fiji.ncc.cuda.run.Present;
import sc.fiji.ncc.cuda.run.SentPixels;
import sc.fiji.ncc.numeric.Tolerance;
import sc.fiji.ncc.numeric.ZeroMean;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Sliding;
import sc.fiji.ncc.plan.Template;

/**
 * Any mask or weights, any shape, windows partly outside the image, missing pixels, several channels: five sums per window and channel over the
 * pixels with positive weight, one thread per lag. See {@code any.cu}.
 */
public final class GeneralDirectMethod implements CudaMethod {

	/** The smallest N·σ² that stands. Pixels are scaled to at most 4; squares of differences below the root of this underflow in double. */
	private static final double FLOOR = 0x1p-900;
	/** The largest error of a pixel in float by scaling: half of the smallest float. */
	private static final double LOST = 0x1p-150;
	/** The kernel adds up this many products before it adds their sum to the total. */
	private static final int RUN = 128;

	private final SentPixels sent;
	/** {@code present}: whether the kernels for missing pixels and several channels run. */
	private final boolean whole, partial, present;
	private final int width;
	/** The minimum share of the weight inside the image; the same as a weight; √Σ w·T̂²; the limits of {@code any.cu}. */
	private final double leastShare, least, norm, limit, blur;
	private final int bytes;
	private final GpuKernel kernel;
	private final WholePixels wholePixels;
	private final RealPixels realPixels;
	private final CountedPixelArrays places;
	private final RecheckKernel recheck;

	/** @param whole whether sums are integers; otherwise they are doubles, and responses above the tolerance are rechecked */
	public GeneralDirectMethod(final CudaDevice device, final Template template, final Sliding problem, final boolean whole) {
		template.requireContrast();
		this.whole = whole;
		width = Math.toIntExact(template.size().get(0));
		sent = SentPixels.of(problem);
		present = sent.masked() || sent.channels() > 1;
		partial = problem.lags().partial();
		leastShare = partial ? problem.lags().minOverlap() : 0;
		bytes = problem.precision().bytes;
		final CountedPixels pixels = new CountedPixels(template);
		limit = limit(problem.precision(), pixels.count(), sent.channels());
		double weight = 0;
		for (int i = 0; i < pixels.count(); i++) weight += pixels.weight(i);
		least = leastShare * weight;
		if (whole) {
			norm = blur = 0;
			final String name = (present ? "whole_present_" : "whole_") + (problem.image().bytes == 1 ? "bytes" : "shorts");
			kernel = problem.precision() == Precision.SINGLE ? device.kernels().get(device.wide(), "any", name) : device.kernels().get("any", name + "_double");
			wholePixels = new WholePixels(device, problem.image());
			realPixels = null;
			recheck = null;
			final double centre = WholePixels.centre(template.type());
			places = new CountedPixelArrays(device, pixels, DeviceArray.of(device, Arrays.stream(pixels.of(template.values()))
				.mapToInt(v -> (int) (v - centre)).toArray()));
		}
		else {
			final double[] zeroMean = pixels.of(ZeroMean.of(template, ParallelCopy.THREADS));
			double energy = 0;
			for (int i = 0; i < zeroMean.length; i++) energy += pixels.weight(i % pixels.count()) * zeroMean[i] * zeroMean[i];
			norm = Math.sqrt(energy);
			realPixels = new RealPixels(device, problem.image());
			// errors of channels add up
			blur = sent.channels() * blur(problem.image(), problem.precision());
			kernel = device.kernels().get("any", (present ? "real_present_" : "real_") + realPixels.kind() + (problem.precision() == Precision.SINGLE
				? "_float" : "_double"));
			wholePixels = null;
			places = new CountedPixelArrays(device, pixels, DeviceArray.of(device, zeroMean));
			try {
				recheck = new RecheckKernel(device, template, problem);
			}
			catch (final RuntimeException e) {
				places.close();
				throw e;
			}
		}
	}

	/**
	 * The largest ratio of sums to variances at which the error of a response is below the tolerance, for any pixels and weights. Equal pixels are
	 * rounded alike, and their errors add up. Each of k successive additions has an error of at most eps of its sum. So the error of a variance is at
	 * most 3k·eps of the sum of squares, and that of a response half of that over the variance. The constant covers products, quotients and roots. The
	 * sums of channels are added up.
	 *
	 * @param n the number of pixels of a channel
	 */
	static double limit(final Precision precision, final int n, final int channels) {
		final int additions = Math.min(n, RUN) + (n + RUN - 1) / RUN + channels - 1;
		return Tolerance.of(precision) / ((16 + 2.0 * additions) * Tolerance.EPS_DOUBLE);
	}

	/**
	 * The smallest variance per pixel at which the error by scaling changes a response by less than 1/16 of the tolerance; 0 if scaling is exact.
	 * The error of pixels that are doubles on the GPU is below {@link #FLOOR}.
	 */
	static double blur(final PixelType image, final Precision precision) {
		return image == PixelType.F32 ? Math.pow(2 * 16 * LOST / Tolerance.of(precision), 2) : 0;
	}

	@Override
	public int pitch(final int lagsX) {
		return (lagsX + width - 1 + 15) / 16 * 16;
	}

	@Override
	public double bytesPerLag() {
		return bytes + 4 + 3 * (whole ? 2 : 8) * sent.channels() + (present ? 2 : 0);
	}

	/** Boxes are small enough for a cancel to take effect soon. */
	@Override
	public long lagsAtOnce(final long lags, final int slabs) {
		return Math.max(1 << 14, Math.min(Math.max(1 << 18, lags / slabs + 1), (1L << 36) / places.count() / sent.channels()));
	}

	@Override
	public void enqueue(final StreamContext context, final BoxGeometry box, final CUdeviceptr raw, final Outcome out) {
		final GpuKernel.Grid grid = GpuKernel.Grid.over(box.lags[0], box.lags[1], box.lags[2], 32, 8);
		final CUdeviceptr pixels = whole ? wholePixels.enqueue(context, box, raw, sent) : realPixels.enqueue(context, box, raw, sent);
		final List<Object> arguments = new ArrayList<>(List.of(pixels));
		if (present) arguments.addAll(List.of(Present.enqueue(context, box, raw, sent), sent.channels()));
		arguments.addAll(List.of(box.struct(), places.in(context, box, "places"), places.values()));
		if (!whole) arguments.add(places.weights());
		arguments.add(places.count());
		if (!present) arguments.add(partial ? 1 : 0);
		arguments.addAll(whole ? List.of(leastShare) : List.of(least, norm, limit, FLOOR, blur));
		arguments.add(out.struct());
		context.launch(kernel, grid, 0, arguments.toArray());
		if (!whole) recheck.enqueue(context, box, raw, out, Integer.MAX_VALUE);
	}

	@Override
	public void close() {
		places.close();
		if (recheck != null) recheck.close();
	}
}
