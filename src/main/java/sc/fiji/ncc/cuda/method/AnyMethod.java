package sc.fiji.ncc.cuda.method;

import java.util.Arrays;

import jcuda.driver.CUdeviceptr;

import sc.fiji.ncc.cuda.driver.CudaDevice;
import sc.fiji.ncc.cuda.driver.DeviceArray;
import sc.fiji.ncc.cuda.driver.GpuKernel;
import sc.fiji.ncc.cuda.driver.StreamContext;
import sc.fiji.ncc.cuda.run.BoxGeometry;
import sc.fiji.ncc.cuda.run.CudaMethod;
import sc.fiji.ncc.cuda.run.Outcome;
import sc.fiji.ncc.numeric.Tolerance;
import sc.fiji.ncc.numeric.ZeroMean;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Problem;
import sc.fiji.ncc.plan.Template;

/** Any mask or weights, any shape, windows partly outside the image: five sums a window over the template's pixels that count, one thread a lag. */
public final class AnyMethod implements CudaMethod {

	/** Pixels are scaled to at most 4: squares of what lies below the root of this vanish in double. */
	private static final double FLOOR = 0x1p-900;
	/** What scaling may take from a pixel in float: half of the least float. */
	private static final double LOST = 0x1p-150;
	/** Products that the kernel adds up before their sum is added to that of the others. */
	private static final int RUN = 128;

	private final boolean whole, partial;
	private final int width;
	/** Share of the weight that must lie inside; the same as a weight; √Σ w·T̂²; see {@code any.cu}. */
	private final double leastShare, least, norm, limit, blur;
	private final int bytes;
	private final GpuKernel kernel;
	private final WholePixels wholePixels;
	private final RealPixels realPixels;
	private final Places places;
	private final RecheckKernel fallback;

	/** @param whole in whole numbers; otherwise in double, and what does not hold again */
	public AnyMethod(final CudaDevice device, final Template template, final Problem problem, final boolean whole) {
		template.requireContrast();
		this.whole = whole;
		width = Math.toIntExact(template.size().get(0));
		partial = problem.lags().partial();
		leastShare = partial ? problem.lags().minOverlap() : 0;
		bytes = problem.precision().bytes;
		final CountedPixels pixels = new CountedPixels(template);
		limit = limit(problem.precision(), pixels.count());
		double weight = 0;
		for (int i = 0; i < pixels.count(); i++) weight += pixels.weight(i);
		least = leastShare * weight;
		if (whole) {
			norm = blur = 0;
			final String name = problem.image().bytes == 1 ? "whole_bytes" : "whole_shorts";
			kernel = problem.precision() == Precision.SINGLE ? device.kernels().get(device.wide(), "any", name) : device.kernels().get("any", name + "_double");
			wholePixels = new WholePixels(device, problem.image());
			realPixels = null;
			fallback = null;
			final double centre = WholePixels.centre(template.type());
			places = new Places(device, pixels, DeviceArray.of(device, Arrays.stream(pixels.of(template.values())).mapToInt(v -> (int) (v - centre)).toArray()));
		}
		else {
			final double[] zeroMean = pixels.of(ZeroMean.of(template));
			double energy = 0;
			for (int i = 0; i < zeroMean.length; i++) energy += pixels.weight(i) * zeroMean[i] * zeroMean[i];
			norm = Math.sqrt(energy);
			realPixels = new RealPixels(device, problem.image());
			blur = blur(problem.image(), problem.precision());
			kernel = device.kernels().get("any", "real_" + realPixels.kind() + (problem.precision() == Precision.SINGLE ? "_float" : "_double"));
			wholePixels = null;
			places = new Places(device, pixels, DeviceArray.of(device, zeroMean));
			try {
				fallback = new RecheckKernel(device, template, problem);
			}
			catch (final RuntimeException e) {
				places.close();
				throw e;
			}
		}
	}

	/**
	 * The greatest ratio of sums to variances at which a response still holds, for any pixels and weights: roundings of equal pixels are alike and add up. Each of k
	 * additions behind each other errs by at most eps of its sum, so a variance errs by at most 3k·eps of the sum of squares, and a response by half of
	 * that over the variance. The rest is for products, quotients and roots.
	 */
	static double limit(final Precision precision, final int n) {
		final int additions = Math.min(n, RUN) + (n + RUN - 1) / RUN;
		return Tolerance.of(precision) / ((16 + 2.0 * additions) * Tolerance.EPS_DOUBLE);
	}

	/**
	 * The least variance of a pixel at which what scaling took from it changes a response by less than a sixteenth of the tolerance; 0 where scaling takes nothing.
	 * Pixels that are doubles on the card lose less than {@link #FLOOR} notices.
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
		return bytes + 4 + 3 * (whole ? 2 : 8);
	}

	/** Small enough that a cancel is heard in time. */
	@Override
	public long lagsAtOnce(final long lags, final int slabs) {
		return Math.max(1 << 14, Math.min(Math.max(1 << 18, lags / slabs + 1), (1L << 36) / places.count()));
	}

	@Override
	public void enqueue(final StreamContext context, final BoxGeometry box, final CUdeviceptr raw, final Outcome out) {
		final GpuKernel.Grid grid = GpuKernel.Grid.over(box.lags[0], box.lags[1], box.lags[2], 32, 8);
		if (whole) {
			final CUdeviceptr pixels = wholePixels.enqueue(context, box, raw).pixels();
			context.launch(kernel, grid, 0, pixels, box.struct(), places.in(context, box, "places"), places.values(), places.count(), partial ? 1 : 0, leastShare,
				out.struct());
			return;
		}
		final CUdeviceptr pixels = realPixels.enqueue(context, box, raw);
		context.launch(kernel, grid, 0, pixels, box.struct(), places.in(context, box, "places"), places.values(), places.weights(), places.count(),
			partial ? 1 : 0, least, norm, limit, FLOOR, blur, out.struct());
		fallback.enqueue(context, box, raw, out, Integer.MAX_VALUE);
	}

	@Override
	public void close() {
		places.close();
		if (fallback != null) fallback.close();
	}
}
