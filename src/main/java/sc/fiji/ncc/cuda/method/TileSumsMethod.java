package sc.fiji.ncc.cuda.method;

import java.util.List;

import jcuda.driver.CUdeviceptr;

import sc.fiji.ncc.cuda.driver.CudaDevice;
import sc.fiji.ncc.cuda.driver.ExtendedPrecision;
import sc.fiji.ncc.cuda.driver.StreamContext;
import sc.fiji.ncc.cuda.run.BoxGeometry;
import sc.fiji.ncc.cuda.run.Outcome;
import sc.fiji.ncc.numeric.Tolerance;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Problem;
import sc.fiji.ncc.plan.Template;

/**
 * Sums by transforms of tiles: see {@code tiles.cu}. In float, and if the estimated errors of too many exceed the tolerance in double; or in double from the
 * start. What then remains is summed one by one.
 */
public final class TileSumsMethod extends SumsMethod implements TransformMethod {

	/** What sums in double may err, of max|pixel|·Σ|tap|. */
	private static final double DOUBLE_TOLERANCE = 0.99e-13;
	/** The mean, times the kernel's sum, and the result are rounded, too; a pixel about a mean by up to twice as much. */
	private static final double OTHERS = 4;

	/** That of the estimate, as in {@link SpectralMethod}: of the greatest magnitude of a pixel, not of a window's contrast. */
	private static final double MARGIN = 8;

	private final TileSpectra spectra;

	public TileSumsMethod(final CudaDevice device, final Template template, final Problem problem) {
		super(device, template, problem, true);
		spectra = new TileSpectra(device, template.size(), kernel.values(), kernel.taps());
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
		spectra.enqueue(context, box, numbers, pixels.kind(), inDouble, new TileSpectra.Back(null, precision == Precision.DOUBLE, ExtendedPrecision.DOUBLE), (tile, known) -> List.of(pixels.reach(context), demand(inDouble), out.struct()));
	}

	/** {@code struct Demand} of the kernels. */
	private long[] demand(final boolean inDouble) {
		// of the tolerance of floats what double adds to it hardly counts
		final double allowed = precision == Precision.DOUBLE ? DOUBLE_TOLERANCE : (kernel.bound(image) - OTHERS) * Tolerance.EPS_FLOAT;
		final double noise = allowed / (MARGIN * (inDouble ? Tolerance.EPS_DOUBLE : Tolerance.EPS_FLOAT)) * kernel.magnitude();
		return new long[] { Double.doubleToRawLongBits(inDouble ? kernel.sum() : roundedSum()), Double.doubleToRawLongBits(noise), exponent & 0xffff_ffffL
			| (pixels.scaled() ? 1L << 32 : 0) };
	}

	private double roundedSum() {
		double sum = 0;
		for (final float t : kernel.taps()) sum += t;
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
	public boolean recheck(final StreamContext context, final BoxGeometry box, final CUdeviceptr raw, final Outcome out, final int suspects) {
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
