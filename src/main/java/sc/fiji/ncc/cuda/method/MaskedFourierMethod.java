package sc.fiji.ncc.cuda.method;

import java.util.Arrays;

import jcuda.driver.CUdeviceptr;
import jcuda.driver.JCudaDriver;

import sc.fiji.ncc.cuda.driver.Addresses;
import sc.fiji.ncc.cuda.driver.CudaDevice;
import sc.fiji.ncc.cuda.driver.Cufft;
import sc.fiji.ncc.cuda.driver.DeviceArray;
import sc.fiji.ncc.cuda.driver.GpuKernel;
import sc.fiji.ncc.cuda.driver.StreamContext;
import sc.fiji.ncc.cuda.driver.Transforms;
import sc.fiji.ncc.cuda.run.BoxGeometry;
import sc.fiji.ncc.cuda.run.Outcome;
import sc.fiji.ncc.numeric.Tolerance;
import sc.fiji.ncc.numeric.Weighting;
import sc.fiji.ncc.numeric.ZeroMean;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Problem;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.plan.Weights;

/**
 * A template with a mask or weights, or windows partly outside the image: all sums over pixels by transforms of the whole box in double (cuFFT), two forward and
 * three inverse (Papamakarios, Rizos, Pitsianis, FLCC, eq. 9, without the sums that depend on the template alone). Those come from summed-area tables: see
 * {@code masked.cu}. Responses with an estimated error above the tolerance are rechecked.
 */
public final class MaskedFourierMethod implements TransformMethod {

	/** The smallest N·σ² whose errors do not underflow, for pixels of at most about 4. */
	private static final double FLOOR = 0x1p-80;

	private final CudaDevice device;
	private final PixelType image;
	private final int width;
	private final boolean binary;
	private final double least, total, norm, share, tolerance, tapsEnergy, weightsEnergy;
	private final String pixelKind, real;
	private final WholePixels wholePixels;
	private final RealPixels realPixels;
	private final Transforms transforms = new Transforms();
	private final BoxSpectra ofTaps, ofWeights;
	/** Summed-area tables; the weights; 1 for each pixel with positive weight. */
	private final DeviceArray tables, weights, counts;
	private final RecheckKernel fallback;

	public MaskedFourierMethod(final CudaDevice device, final Template template, final Problem problem) {
		template.requireContrast();
		this.device = device;
		image = problem.image();
		width = Math.toIntExact(template.size().get(0));
		binary = Weights.of(template) != Weights.REAL;
		final Weighting weighting = Weighting.of(template);
		final double[] zeroMean = ZeroMean.of(template), w = new double[zeroMean.length], taps = new double[zeroMean.length], energies = new double[zeroMean.length];
		final byte[] counting = new byte[zeroMean.length];
		double all = 0, energy = 0, ofTaps = 0, ofWeights = 0;
		for (int i = 0; i < w.length; i++) {
			w[i] = weighting.of(i);
			counting[i] = (byte) (w[i] > 0 ? 1 : 0);
			taps[i] = w[i] * zeroMean[i];
			energies[i] = taps[i] * zeroMean[i];
			all += w[i];
			energy += energies[i];
			ofTaps += taps[i] * taps[i];
			ofWeights += w[i] * w[i];
		}
		total = all;
		norm = energy;
		tapsEnergy = ofTaps;
		weightsEnergy = ofWeights;
		least = problem.lags().partial() ? problem.lags().minOverlap() * total : 0;
		tolerance = Tolerance.of(problem.precision());
		share = Tolerance.minShare(problem.precision());
		real = problem.precision().bytes == Float.BYTES ? "float" : "double";
		wholePixels = image.exact() ? new WholePixels(device, image) : null;
		realPixels = image.exact() ? null : new RealPixels(device, image);
		pixelKind = !image.exact() ? realPixels.kind() : image.bytes == 1 ? "bytes" : "shorts";
		this.ofTaps = new BoxSpectra(device, transforms, template.size(), taps, null);
		this.ofWeights = new BoxSpectra(device, transforms, template.size(), w, null);
		DeviceArray sums = null, deviceWeights = null, deviceCounts = null;
		try {
			sums = DeviceArray.of(device, tables(template, w, taps, energies));
			deviceWeights = DeviceArray.of(device, w);
			deviceCounts = DeviceArray.of(device, counting);
			fallback = new RecheckKernel(device, template, problem);
		}
		catch (final RuntimeException e) {
			for (final DeviceArray a : new DeviceArray[] { sums, deviceWeights, deviceCounts }) if (a != null) a.close();
			throw e;
		}
		tables = sums;
		weights = deviceWeights;
		counts = deviceCounts;
	}

	/**
	 * Summed-area tables of arrays over the template, one after the other. Each sum is compensated and rounded once, because the difference of two sums may be
	 * much smaller than the sums.
	 */
	static double[] tables(final Template template, final double[]... values) {
		final int w = (int) template.size().get(0), h = (int) template.size().get(1), d = (int) template.size().get(2), row = w + 1, plane = row * (h + 1);
		final int each = Math.multiplyExact(plane, d + 1);
		final double[] tables = new double[Math.multiplyExact(values.length, each)], lost = new double[each];
		for (int t = 0; t < values.length; t++) {
			final int first = t * each;
			Arrays.fill(lost, 0);
			for (int z = 0, i = 0; z < d; z++)
				for (int y = 0; y < h; y++)
					for (int x = 0; x < w; x++, i++) tables[first + (z + 1) * plane + (y + 1) * row + x + 1] = values[t][i];
			// along one axis after the other, with compensation
			for (final int step : new int[] { 1, row, plane })
				for (int i = step; i < each; i++) {
					final boolean begins = step == 1 ? i % row == 0 : step == row && i % plane < row;
					if (begins) continue;
					final double a = tables[first + i - step], b = tables[first + i], sum = a + b, part = sum - a;
					lost[i] += lost[i - step] + ((a - (sum - part)) + (b - part));
					tables[first + i] = sum;
				}
			for (int i = 0; i < each; i++) tables[first + i] += lost[i];
		}
		return tables;
	}

	@Override
	public int width() {
		return width;
	}

	@Override
	public double bytesPerLag() {
		return 250;
	}

	@Override
	public void enqueue(final StreamContext context, final BoxGeometry box, final CUdeviceptr raw, final Outcome out) {
		final Transforms.Extents e = Transforms.Extents.of(box.lags[0] + width - 1, box.rows, box.planes);
		final long bytes = 8 * e.reals(), complexBytes = 16 * e.complexes();
		final CUdeviceptr pixels = wholePixels != null ? wholePixels.enqueue(context, box, raw).pixels() : realPixels.enqueue(context, box, raw);
		final CUdeviceptr numerators = context.buffer("reals", bytes), sums = context.buffer("sums", bytes), energies = context.buffer("energies", bytes);
		final CUdeviceptr spectrum = context.buffer("complexes", complexBytes), same = context.buffer("same complexes", complexBytes), squares = context.buffer("squares",
			complexBytes);
		// the transforms of the template use the same buffers, so they come first
		ofTaps.prepare(context, e, true);
		ofWeights.prepare(context, e, true);
		final BoxSpectra.Product[] products = { BoxSpectra.product(context, e, "numerator"), BoxSpectra.product(context, e, "sum"), BoxSpectra.product(context, e, "energy") };
		context.launch(kernel("pad_" + pixelKind), new GpuKernel.Grid((e.x() + 127) / 128, Math.min(e.y(), 1 << 15), e.z(), 128, 1), 0, pixels, box.struct(), e.struct(), numerators,
			energies, products[0].known());
		ofTaps.transform(context, e, Cufft.Type.D2Z, numerators, spectrum);
		ofTaps.transform(context, e, Cufft.Type.D2Z, energies, squares);
		device.check(JCudaDriver.cuMemcpyDtoDAsync(same, spectrum, complexBytes, context.stream), "copying a spectrum");
		ofTaps.back(context, e, box, true, same, products[0], numerators, false);
		ofWeights.back(context, e, box, true, spectrum, products[1], sums, false);
		ofWeights.back(context, e, box, true, squares, products[2], energies, false);
		// no response of a window with a NaN or infinite pixel is trusted
		if (!image.integer) context.launch(device.kernels().get("sums", "mark_" + pixelKind + "_double"), new GpuKernel.Grid((box.rows + 3) / 4, box.planes, 1, 128, 1), 0,
			pixels, box.struct(), counts.pointer(), realPixels.reach(context), energies, e.x(), e.y());
		context.launch(kernel("respond_" + real), new GpuKernel.Grid((box.lags[0] + 255) / 256, Math.min(box.lags[1], 1 << 15), box.lags[2], 256, 1), 0, box.struct(),
			struct(e, products, numerators, sums, energies), out.struct());
		fallback.enqueue(context, box, raw, out, Integer.MAX_VALUE);
	}

	/** {@code struct Masked} of the kernels. */
	private long[] struct(final Transforms.Extents e, final BoxSpectra.Product[] products, final CUdeviceptr numerators, final CUdeviceptr sums,
		final CUdeviceptr energies)
	{
		final double points = e.reals();
		return new long[] { e.x() | (long) e.y() << 32, e.z() | (binary ? 1L << 32 : 0), Addresses.of(numerators), Addresses.of(sums), Addresses.of(energies),
			Addresses.of(products[0].known()), Addresses.of(products[1].known()), Addresses.of(products[2].known()), Addresses.of(products[0].rows()),
			Addresses.of(products[1].rows()), Addresses.of(products[2].rows()), bits(tapsEnergy / points), bits(weightsEnergy / points), bits(weightsEnergy / points),
			Addresses.of(tables.pointer()), Addresses.of(weights.pointer()), bits(least), bits(total), bits(norm), bits(SpectralMethod.eps(true)),
			bits(share), bits(tolerance), bits(FLOOR) };
	}

	private static long bits(final double v) {
		return Double.doubleToRawLongBits(v);
	}

	private GpuKernel kernel(final String function) {
		return device.kernels().get("masked", function);
	}

	@Override
	public void close() {
		transforms.close();
		ofTaps.close();
		ofWeights.close();
		tables.close();
		weights.close();
		counts.close();
		fallback.close();
	}
}
