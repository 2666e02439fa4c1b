package sc.fiji.ncc.cuda.method;

import java.util.List;

import jcuda.driver.CUdeviceptr;

import sc.fiji.ncc.cuda.driver.CudaDevice;
import sc.fiji.ncc.cuda.driver.ExtendedPrecision;
import sc.fiji.ncc.cuda.driver.StreamContext;
import sc.fiji.ncc.cuda.run.BoxGeometry;
import sc.fiji.ncc.cuda.run.Outcome;
import sc.fiji.ncc.cuda.run.TransformMethod;
import sc.fiji.ncc.numeric.Tolerance;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Sliding;
import sc.fiji.ncc.plan.Template;

/**
 * Sums by transforms of tiles: see {@code tiles.cu}. In float, with a fallback to double if too many estimated errors are above the tolerance; or in
 * double from the start. The remaining suspects are computed one by one.
 */
public final class ConvolveTilesMethod extends ConvolveMethod implements TransformMethod {

	/** The largest error of sums in double, relative to max|pixel|·Σ|coefficient|. */
	private static final double DOUBLE_TOLERANCE = 0.99e-13;
	/** Further roundings, in eps: the mean times the kernel's sum, the result, and a pixel about a mean, which can be twice as large. */
	private static final double OTHERS = 4;

	/** The margin of the estimate, as in {@link SpectralMethod}, but relative to the largest pixel, not to the contrast of a window. */
	private static final double MARGIN = 8;

	private final TileSpectra spectra;

	public ConvolveTilesMethod(final CudaDevice device, final Template template, final Sliding problem) {
		super(device, template, problem, true);
		spectra = new TileSpectra(device, template.size(), kernel.values(), kernel.coefficients());
	}

	@Override
	public int width() {
		return width;
	}

	@Override
	public double bytesPerLag() {
		return spectra.bytesPerLag() + 12 + 2.0 * pixels.bytes() + 2 * precision.bytes;
	}

	private void sums(final StreamContext context, final BoxGeometry box, final CUdeviceptr numbers, final Outcome out, final boolean inDouble) {
		spectra.enqueue(context, box, numbers, pixels.kind(), inDouble, new TileSpectra.Back(null, precision == Precision.DOUBLE,
			ExtendedPrecision.DOUBLE), (tile, known) -> List.of(pixels.maxDistance(context), demand(inDouble), out.struct()));
	}

	/** {@code struct Demand} of the kernels. */
	private long[] demand(final boolean inDouble) {
		// in single precision the errors of products in double are negligible
		final double allowed = precision == Precision.DOUBLE ? DOUBLE_TOLERANCE : (kernel.bound(image) - OTHERS) * Tolerance.EPS_FLOAT;
		final double noise = allowed / (MARGIN * (inDouble ? Tolerance.EPS_DOUBLE : Tolerance.EPS_FLOAT)) * kernel.magnitude();
		return new long[] { Double.doubleToRawLongBits(inDouble ? kernel.sum() : roundedSum()), Double.doubleToRawLongBits(noise), exponent & 0xffff_ffffL
			| (pixels.scaled() ? 1L << 32 : 0) };
	}

	private double roundedSum() {
		double sum = 0;
		for (final float t : kernel.coefficients()) sum += t;
		return sum;
	}

	@Override
	public void enqueue(final StreamContext context, final BoxGeometry box, final CUdeviceptr raw, final Outcome out) {
		final CUdeviceptr numbers = pixels.enqueue(context, box, raw);
		final boolean inDouble = precision == Precision.DOUBLE;
		sums(context, box, numbers, out, inDouble);
		suspects(context, box, numbers, out, inDouble ? Integer.MAX_VALUE : SpectralMethod.few(box));
		settle(context, box, numbers, out);
	}

	@Override
	public boolean fallBack(final StreamContext context, final BoxGeometry box, final CUdeviceptr raw, final Outcome out, final int suspects) {
		if (precision == Precision.DOUBLE || suspects <= SpectralMethod.few(box)) return false;
		context.clear(out.counts(), 4);
		final CUdeviceptr numbers = pixels.enqueue(context, box, raw);
		sums(context, box, numbers, out, true);
		suspects(context, box, numbers, out, Integer.MAX_VALUE);
		settle(context, box, numbers, out);
		return true;
	}

	@Override
	public void close() {
		spectra.close();
		super.close();
	}
}
