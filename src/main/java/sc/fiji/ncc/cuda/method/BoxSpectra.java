package sc.fiji.ncc.cuda.method;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;
import java.util.stream.LongStream;

import jcuda.driver.CUdeviceptr;

import sc.fiji.ncc.cuda.driver.CudaDevice;
import sc.fiji.ncc.cuda.driver.Cufft;
import sc.fiji.ncc.cuda.driver.DeviceArray;
import sc.fiji.ncc.cuda.driver.GpuKernel;
import sc.fiji.ncc.cuda.driver.SharedBlock;
import sc.fiji.ncc.cuda.driver.StreamContext;
import sc.fiji.ncc.cuda.driver.TransformExtents;
import sc.fiji.ncc.cuda.run.BoxGeometry;
import sc.fiji.ncc.cuda.run.ParallelCopy;
import sc.fiji.ncc.estimate.CoefficientNorms;
import sc.fiji.ncc.plan.Size;

/**
 * The spectra of a template or its weights for transforms of whole boxes (cuFFT), and the inverse transforms of products with spectra of boxes: see
 * {@code fourier.cu}. Spectra in float and in double are computed for each extent at its first use.
 */
final class BoxSpectra implements AutoCloseable {

	/** The bytes of {@code struct Known} before its planes, and the 64-bit words of {@code struct Norms}. */
	private static final int KNOWN = 64, NORMS = 10;
	/**
	 * The number of lags whose products are also computed directly: at most, and at least. Fewer for large templates, of which that many
	 * products are computed in
	 * all.
	 */
	private static final int PROBES = 256, FEW_PROBES = 32, PROBED_COEFFICIENTS = 1 << 25;
	/** The largest number of coefficients of a block of the kernel {@code probe}. */
	private static final int COEFFICIENTS_OF_BLOCK = 8192;

	/**
	 * The data for the error estimate of a product.
	 *
	 * @param known {@code struct Known} with its planes
	 * @param lines the energies of the lines of the pixels' spectrum
	 * @param pixels memory for what {@link #measure} finds in the pixels
	 * @param result the same of the result
	 * @param unlike which rows of lags have a response that cannot be right
	 * @param noise the errors of columns and rows of lags
	 * @param probes products at some lags, computed directly
	 * @param count the number of templates
	 * @param stride the bytes of a template: the data of the next one follow. Those of the pixels are common to all
	 */
	record Product(CUdeviceptr known, CUdeviceptr lines, CUdeviceptr pixels, CUdeviceptr result, CUdeviceptr unlike, CUdeviceptr noise,
		CUdeviceptr probes, int count, long stride)
	{

		/** The same, with what was measured in the pixels for another product. */
		Product withPixels(final CUdeviceptr measured) {
			return new Product(known, lines, measured, result, unlike, noise, probes, count, stride);
		}
	}

	private final CudaDevice device;
	private final int width, height, depth;
	private final double[] coefficients;
	private final float[] roundedCoefficients;
	private final CoefficientNorms norms;
	/** By whether they are in double: a spectrum, followed by the energies of its lines. */
	private final Map<TransformExtents, Map<Boolean, SharedBlock>> spectra = new HashMap<>();
	/** By whether they are in double. */
	private final Map<Boolean, DeviceArray> models = new HashMap<>();

	/** @param roundedCoefficients the coefficients in float; null if only double is used */
	BoxSpectra(final CudaDevice device, final Size size, final double[] coefficients, final float[] roundedCoefficients) {
		this.device = device;
		this.coefficients = coefficients;
		this.roundedCoefficients = roundedCoefficients;
		width = Math.toIntExact(size.get(0));
		height = Math.toIntExact(size.get(1));
		depth = Math.toIntExact(size.get(2));
		norms = CoefficientNorms.of(width, height, coefficients, ParallelCopy.THREADS);
	}

	/** Cleared memory for the error estimate of the products of some templates. */
	static Product product(final StreamContext context, final TransformExtents e, final String name, final int templates) {
		final Product product = layout(context, e, name, templates);
		context.clear(product.known, templates * product.stride / 4);
		return product;
	}

	/** The same memory as it is. */
	static Product layout(final StreamContext context, final TransformExtents e, final String name, final int templates) {
		final long probes = KNOWN + 4L * (e.z() + 1) / 8 * 8, lines = probes + 8 * PROBES, pixels = lines + 4 * lines(e), result = pixels
			+ 4 * measured(e), unlike = result + 4 * measured(e), noise = unlike + 4L * e.y() * e.z();
		final long stride = (noise + 4L * (e.x() + e.y()) + 7) / 8 * 8;
		final CUdeviceptr known = context.buffer("known " + name, templates * stride);
		return new Product(known, known.withByteOffset(lines), known.withByteOffset(pixels), known.withByteOffset(result), known.withByteOffset(unlike),
			known.withByteOffset(noise), known.withByteOffset(probes), templates, stride);
	}

	/** What {@link #measure} finds, in floats. */
	private static long measured(final TransformExtents e) {
		return 4 + (e.x() + 2L * e.y()) * e.z() + (e.z() > 1 ? e.x() + e.y() : 0);
	}

	/** The number of blocks for the rows of a plane. */
	static int rowBlocks(final CudaDevice device, final TransformExtents e) {
		return Math.max(1, Math.min(e.y() / 4, 8 * device.processors / e.z()));
	}

	/**
	 * Transforms the coefficients at the first use, and allocates the memory of the transforms. Call it before any other transform. It overwrites the
	 * buffer {@code reals} of the context.
	 */
	void prepare(final StreamContext context, final TransformExtents e, final boolean inDouble) {
		final Cufft.Transform forward = context.transform(e, inDouble ? Cufft.Type.D2Z : Cufft.Type.R2C);
		final Cufft.Transform inverse = context.transform(e, inDouble ? Cufft.Type.Z2D : Cufft.Type.C2R);
		// the buffer must not grow while a transform uses it
		context.buffer("work", Math.max(1, Math.max(forward.work, inverse.work)));
		spectrum(context, e, inDouble);
	}

	/** The number of lags of a box whose products are also computed directly. */
	int probes(final BoxGeometry box) {
		return Math.min(box.count(), Math.min(PROBES, Math.max(FEW_PROBES, PROBED_COEFFICIENTS / coefficients.length)));
	}

	/**
	 * Computes products at some lags directly. {@link #back} needs them. Their errors show whether the estimate is too low. @param pixelKind as in the
	 * names of the kernels
	 */
	void probe(final StreamContext context, final BoxGeometry box, final CUdeviceptr pixels, final String pixelKind, final boolean inDouble,
		final Product product)
	{
		context.launch(kernel("probe_" + pixelKind + (inDouble ? "_double" : "_float")), new GpuKernel.Grid(probes(box),
			(coefficients.length + COEFFICIENTS_OF_BLOCK - 1) / COEFFICIENTS_OF_BLOCK, 1, 256, 1),
			0, pixels, box.struct(), model(inDouble), product.known, product.probes);
	}

	/**
	 * Measures the energies of the rows and columns of the pixels of a transform, or of its result.
	 *
	 * @param to cleared memory, as in {@link Product}
	 * @param planes receives the energies of the planes. May be a null pointer
	 */
	void measure(final StreamContext context, final TransformExtents e, final boolean inDouble, final CUdeviceptr reals, final CUdeviceptr to,
		final CUdeviceptr planes)
	{
		context.launch(kernel("measure_" + (inDouble ? "double" : "float")), new GpuKernel.Grid((e.y() + 31) / 32, (e.x() + 511) / 512, e.z(), 256, 1), 0,
			reals, e.struct(), to, planes);
	}

	/**
	 * Multiplies the spectrum of a box in place, transforms the product back, and computes the data for its error estimate.
	 *
	 * @param pixels what {@link #measure} found in the pixels
	 * @param probed whether {@link #probe} was called for this product
	 */
	void back(final StreamContext context, final TransformExtents e, final BoxGeometry box, final boolean inDouble, final CUdeviceptr complexes,
		final CUdeviceptr pixels, final Product product, final CUdeviceptr reals, final boolean probed)
	{
		final String real = inDouble ? "double" : "float";
		final CUdeviceptr spectrum = spectrum(context, e, inDouble);
		multiply(context, e, real, complexes, spectrum, product.lines);
		transform(context, e, inDouble ? Cufft.Type.Z2D : Cufft.Type.C2R, complexes, reals);
		measure(context, e, inDouble, reals, product.result, product.known.withByteOffset(KNOWN));
		context.launch(kernel("noise_" + real), new GpuKernel.Grid(Math.min(64, lines(e) / 1024 + 1), 1, 1, 256, 1), 0, e.struct(),
			product.lines, spectrum.withByteOffset(spectrumBytes(e, inDouble)), pixels, reals, box.struct(), product.probes, probed ? probes(box) : 0, product.known);
		errors(context, e, List.of(this), product.withPixels(pixels));
	}

	/** The errors of columns and rows of lags, for the products of some templates of one size. */
	static void errors(final StreamContext context, final TransformExtents e, final List<BoxSpectra> templates, final Product product) {
		final BoxSpectra one = templates.get(0);
		final long[] norms = Arrays.copyOf(templates.stream().flatMapToLong(t -> t.norms(e)).toArray(), NORMS * FourierPasses.TOGETHER);
		context.launch(one.kernel("forth"), new GpuKernel.Grid((Math.max(e.x(), e.y()) + 31) / 32, 2, templates.size(),
			Math.min(1024, 32 * e.z()), 1), 0, e.struct(), product.known, product.pixels, product.result, norms, one.width, one.height,
			product.noise, product.stride);
	}

	/** {@code struct Norms} of the kernels. */
	private LongStream norms(final TransformExtents e) {
		return DoubleStream.of(norms.all() * norms.all() / e.reals(), norms.all(), norms.greatest(), norms.sum(), norms.column(), norms.row(),
			norms.sumOfColumns(), norms.sumOfRows(), norms.sumOfColumn(), norms.sumOfRow()).mapToLong(Double::doubleToRawLongBits);
	}

	/** The number of lines of a spectrum along all axes. */
	private static long lines(final TransformExtents e) {
		final long columns = e.x() / 2 + 1;
		return (long) e.y() * e.z() + columns * e.z() + (e.z() > 1 ? columns * e.y() : 0);
	}

	/** Multiplies a spectrum in place with another one, and adds up the energies of its lines. If {@code other} is null, only the energies, scaled. */
	private void multiply(final StreamContext context, final TransformExtents e, final String real, final CUdeviceptr spectrum, final CUdeviceptr other,
		final CUdeviceptr lines)
	{
		final int columns = e.x() / 2 + 1;
		final CUdeviceptr alongY = lines.withByteOffset(4L * e.y() * e.z()), alongZ = alongY.withByteOffset(4L * columns * e.z());
		final double scale = 1.0 / e.reals();
		if (e.z() == 1) context.launch(kernel("plane_" + real), new GpuKernel.Grid((columns + 31) / 32, (e.y() + 63) / 64, 1, 256, 1), 0, spectrum, other,
			e.struct(), scale, lines, alongY);
		else context.launch(kernel("volume_" + real), new GpuKernel.Grid((columns + 31) / 32, (e.y() + 7) / 8, (e.z() + 15) / 16, 256, 1), 0,
			spectrum, other,
			e.struct(), scale, lines, alongY, alongZ);
	}

	private GpuKernel kernel(final String function) {
		return device.kernels().get("fourier", function);
	}

	void transform(final StreamContext context, final TransformExtents e, final Cufft.Type type, final CUdeviceptr from, final CUdeviceptr to) {
		final Cufft.Transform t = context.transform(e, type);
		t.run(context.stream, context.buffer("work", Math.max(1, t.work)), from, to);
	}

	private static long spectrumBytes(final TransformExtents e, final boolean inDouble) {
		return 2 * e.complexes() * (inDouble ? 8 : 4);
	}

	/** The spectrum of the coefficients, and the energies of its lines. It is computed at the first use. */
	private synchronized CUdeviceptr spectrum(final StreamContext context, final TransformExtents e, final boolean inDouble) {
		return spectra.computeIfAbsent(e, k -> new HashMap<>()).computeIfAbsent(inDouble, k -> {
			final String real = inDouble ? "double" : "float";
			final CUdeviceptr reals = context.buffer("reals", e.reals() * (inDouble ? 8 : 4));
			return SharedBlock.of(context, spectrumBytes(e, inDouble) + 4 * lines(e), to -> {
				context.launch(kernel("model_" + real), new GpuKernel.Grid(e.y(), e.z(), 1, 256, 1), 0, model(inDouble), width, height, depth,
					e.struct(), reals);
				transform(context, e, inDouble ? Cufft.Type.D2Z : Cufft.Type.R2C, reals, to);
				final CUdeviceptr energies = to.withByteOffset(spectrumBytes(e, inDouble));
				context.clear(energies, lines(e));
				multiply(context, e, real, to, new CUdeviceptr(), energies);
			});
		}).in(context);
	}

	/** The coefficients on the GPU, in float or in double. */
	synchronized CUdeviceptr model(final boolean inDouble) {
		return models.computeIfAbsent(inDouble, k -> k ? DeviceArray.of(device, coefficients) : DeviceArray.of(device, roundedCoefficients))
			.pointer();
	}

	@Override
	public void close() {
		models.values().forEach(DeviceArray::close);
		models.clear();
		for (final Map<Boolean, SharedBlock> of : spectra.values()) of.values().forEach(SharedBlock::close);
		spectra.clear();
	}
}
