package sc.fiji.ncc.cuda.method;

import jcuda.driver.CUdeviceptr;

import sc.fiji.ncc.cuda.driver.CudaDevice;
import sc.fiji.ncc.cuda.driver.Cufft;
import sc.fiji.ncc.cuda.driver.ExtendedPrecision;
import sc.fiji.ncc.cuda.driver.GpuKernel;
import sc.fiji.ncc.cuda.driver.StreamContext;
import sc.fiji.ncc.cuda.driver.TransformExtents;
import sc.fiji.ncc.cuda.run.BoxGeometry;
import sc.fiji.ncc.cuda.run.Outcome;
import sc.fiji.ncc.numeric.Tolerance;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Sliding;
import sc.fiji.ncc.plan.Template;

/**
 * Numerators by one forward and one inverse real transform of the whole box, in three passes ({@link PlaneSpectra}) or, for volumes and long lines, by
 * cuFFT. See {@code fourier.cu}. In passes, templates of one size share the transforms of the rows of the pixels and the window sums.
 */
public final class FourierMethod extends SpectralMethod {

	private final BoxSpectra spectra;
	private final PlaneSpectra passes;
	/** Whether the problem has several templates. */
	private final boolean shared;

	public FourierMethod(final CudaDevice device, final Template template, final Sliding problem) {
		super(device, template, problem, MARGIN);
		spectra = new BoxSpectra(device, template.size(), coefficients, roundedCoefficients);
		passes = new PlaneSpectra(device, width, height);
		shared = problem.templates().size() > 1;
	}

	/** The extents of the transform for that many columns, rows and planes of pixels, if it is done in passes; else null. */
	public static TransformExtents inPasses(final CudaDevice device, final long columns, final long rows, final long planes) {
		return PlaneSpectra.extents(device, columns, rows, planes);
	}

	/** Whether no kernel must be compiled for that transform in passes. */
	public static boolean ready(final CudaDevice device, final TransformExtents inPasses, final Sliding problem) {
		return PlaneSpectra.ready(device, inPasses, pixelKind(problem), problem.precision() == Precision.DOUBLE);
	}

	@Override
	public double bytesPerLag() {
		return 100;
	}

	@Override
	void respond(final StreamContext context, final BoxGeometry box, final CUdeviceptr pixels, final Outcome out, final boolean inDouble) {
		final TransformExtents inPasses = inPasses(device, box.lags[0] + width - 1, box.rows, box.planes);
		final TransformExtents e = inPasses != null ? inPasses : TransformExtents.of(box.lags[0] + width - 1, box.rows, box.planes);
		final CUdeviceptr reals = context.buffer("reals", e.reals() * (inDouble ? 8 : 4));
		final BoxSpectra.Product product = inPasses != null ? spectra.inPasses(passes, context, e, box, pixels, pixelKind, inDouble, shared, reals)
			: byCufft(context, e, box, pixels, inDouble, reals);
		final long[] trust = trust(e, product.known(), product.result(), product.noise(), inDouble);
		// stored sums pay for several templates, but not with the slow arithmetic of pairs of floats
		if (!inDouble && (inPasses == null || !shared || wide == ExtendedPrecision.PAIRS)) {
			windows.launch(context, box, wide, "normalise", pixels, reals, trust, out.struct());
			return;
		}
		context.launch(device.kernels().get("fourier", "respond_" + windowKind + (inDouble ? "_double" : "_float") + (precision == Precision.SINGLE
			? "_float" : "_double")), new GpuKernel.Grid((box.lags[0] + 255) / 256, Math.min(box.lags[1], 1 << 15), box.lags[2], 256, 1), 0,
			reals, box.struct(), sums(context, box, pixels), trust, out.struct());
	}

	private CUdeviceptr sums(final StreamContext context, final BoxGeometry box, final CUdeviceptr pixels) {
		final CUdeviceptr known = windows.memory(context, box);
		if (shared && context.holds(WindowSumsKernel.MEMORY, box.key())) return known;
		return windows.enqueue(context, box, pixels, n, Tolerance.of(precision), ExtendedPrecision.DOUBLE);
	}

	private BoxSpectra.Product byCufft(final StreamContext context, final TransformExtents e, final BoxGeometry box, final CUdeviceptr pixels,
		final boolean inDouble, final CUdeviceptr reals)
	{
		final BoxSpectra.Product product = BoxSpectra.product(context, e, "numerator");
		final CUdeviceptr complexes = context.buffer("complexes", 2 * e.complexes() * (inDouble ? 8 : 4));
		// the transform of the template uses the same buffer, so it comes first
		spectra.prepare(context, e, inDouble);
		context.launch(device.kernels().get("fourier", "pad_" + pixelKind + (inDouble ? "_double" : "_float")),
			new GpuKernel.Grid(BoxSpectra.rowBlocks(device, e), e.z(),
			1, 128, 1), 0, pixels, box.struct(), e.struct(), reals, product.known());
		spectra.measure(context, e, inDouble, reals, product.pixels(), new CUdeviceptr());
		spectra.probe(context, box, pixels, pixelKind, inDouble, product);
		spectra.transform(context, e, inDouble ? Cufft.Type.D2Z : Cufft.Type.R2C, reals, complexes);
		spectra.back(context, e, box, inDouble, complexes, product.pixels(), product, reals, true);
		return product;
	}

	@Override
	public void close() {
		passes.close();
		spectra.close();
		super.close();
	}
}
