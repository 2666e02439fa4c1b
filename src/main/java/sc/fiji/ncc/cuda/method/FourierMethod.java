package sc.fiji.ncc.cuda.method;

import java.util.List;

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
 * Numerators by one forward and one inverse real transform of the whole box, in passes ({@link FourierPasses}) or, for long lines, by
 * cuFFT. See {@code fourier.cu}. In passes, templates of one size share the transforms of the rows of the pixels and the window sums.
 */
public final class FourierMethod extends SpectralMethod {

	/** Buffers of a context. */
	private static final String MOMENTS = "moments", PROBED = "rows of probes";

	/** The 64-bit words of {@code struct Trust} of the kernels. */
	private static final int TRUST = 13;

	private final BoxSpectra spectra;
	private final FourierPasses passes;
	/** Whether the problem has several templates; and {@link #respondsAtOnce}. */
	private final boolean shared, atOnce;

	public FourierMethod(final CudaDevice device, final Template template, final Sliding problem) {
		super(device, template, problem, MARGIN);
		spectra = new BoxSpectra(device, template.size(), coefficients, roundedCoefficients);
		passes = new FourierPasses(device, spectra, width, height, depth);
		shared = problem.templates().size() > 1;
		atOnce = respondsAtOnce(device, problem);
	}

	/** The extents of the transform for that many columns, rows and planes of pixels, if it is done in passes; else null. */
	public static TransformExtents inPasses(final CudaDevice device, final long columns, final long rows, final long planes) {
		return FourierPasses.extents(device, columns, rows, planes);
	}

	/** Whether no kernel must be compiled for that transform in passes. */
	public static boolean ready(final CudaDevice device, final TransformExtents inPasses, final Sliding problem) {
		return FourierPasses.ready(device, inPasses, pixelKind(problem), problem.precision() == Precision.DOUBLE, problem.templates().size() > 1);
	}

	/**
	 * Whether the last pass of transforms in float computes responses, from stored window sums. They pay for several templates, but not with
	 * the slow arithmetic of pairs of floats.
	 */
	public static boolean respondsAtOnce(final CudaDevice device, final Sliding problem) {
		return problem.templates().size() > 1 && RealPixels.wide(device, problem.image(), Precision.SINGLE) != ExtendedPrecision.PAIRS;
	}

	@Override
	public double bytesPerLag() {
		return 100;
	}

	@Override
	void respond(final StreamContext context, final BoxGeometry box, final CUdeviceptr pixels, final Outcome out, final boolean inDouble) {
		final TransformExtents inPasses = inPasses(box);
		if (inPasses != null && atOnce && !inDouble) {
			respond(context, box, pixels, out, List.of(this));
			return;
		}
		final TransformExtents e = inPasses != null ? inPasses : TransformExtents.of(box.lags[0] + width - 1, box.rows, box.planes);
		final CUdeviceptr reals = context.buffer("reals", e.reals() * (inDouble ? 8 : 4));
		final BoxSpectra.Product product = inPasses == null ? byCufft(context, e, box, pixels, inDouble, reals) : FourierPasses.products(
			new FourierPasses.Image(context, e, box, pixels, pixelKind, inDouble, shared), List.of(passes), reals, null);
		final long[] trust = trust(e, product.known(), product.result(), product.noise(), inDouble);
		if (!inDouble) {
			windows.launch(context, box, wide, "normalise", pixels, reals, trust, out.struct());
			return;
		}
		context.launch(device.kernels().get("fourier", "respond_" + windowKind + "_double" + (precision == Precision.SINGLE ? "_float" : "_double")),
			new GpuKernel.Grid((box.lags[0] + 255) / 256, Math.min(box.lags[1], 1 << 15), box.lags[2], 256, 1), 0,
			reals, box.struct(), sums(context, box, pixels), trust, out.struct());
	}

	private TransformExtents inPasses(final BoxGeometry box) {
		return inPasses(device, box.lags[0] + width - 1, box.rows, box.planes);
	}

	/**
	 * Computes the responses of some templates of one size in the last pass, in float. Their maps follow each other. This is the first
	 * template.
	 */
	void respond(final StreamContext context, final BoxGeometry box, final CUdeviceptr pixels, final Outcome out,
		final List<FourierMethod> templates)
	{
		final TransformExtents e = inPasses(box);
		final CUdeviceptr reals = context.buffer("reals", e.reals() * 4);
		final BoxSpectra.Product product = FourierPasses.products(new FourierPasses.Image(context, e, box, pixels, pixelKind, false, true),
			templates.stream().map(t -> t.passes).toList(), reals, (known, p) -> responses(context, box, pixels, known, p, out, templates));
		context.launch(device.kernels().get("fourier", windowKind.equals("real") ? "mark_real" : "mark_whole"),
			new GpuKernel.Grid((box.lags[1] + 7) / 8, box.lags[2], templates.size(), 256, 1), 0, box.struct(), moments(context, box),
			momentsPitch(box), tiles(context, box), product.unlike(), trusts(e, product, templates), product.stride(), out.struct());
	}

	/** {@code struct Trust} of each template. */
	private static long[] trusts(final TransformExtents e, final BoxSpectra.Product product, final List<FourierMethod> templates) {
		final long[] all = new long[TRUST * FourierPasses.TOGETHER];
		for (int t = 0; t < templates.size(); t++) {
			final long after = t * product.stride();
			final long[] trust = templates.get(t).trust(e, product.known().withByteOffset(after), product.result().withByteOffset(after),
				product.noise().withByteOffset(after), false);
			System.arraycopy(trust, 0, all, TRUST * t, TRUST);
		}
		return all;
	}

	/** The arguments of the last pass with responses. known: of the pixels. */
	private Object[] responses(final StreamContext context, final BoxGeometry box, final CUdeviceptr pixels, final CUdeviceptr known,
		final BoxSpectra.Product product, final Outcome out, final List<FourierMethod> templates)
	{
		final TransformExtents e = inPasses(box);
		final CUdeviceptr moments = moments(context, box);
		if (!context.holds(MOMENTS, box.key())) context.launch(device.kernels().get("fourier", "moments_" + windowKind), new GpuKernel.Grid(
			(tilesOfRow(box) + 7) / 8, box.lags[1], box.lags[2], 256, 1), 0, sums(context, box, pixels), box.struct(), trust(e, known, known, known, false),
			momentsPitch(box), moments, tiles(context, box));
		final int probes = spectra.probes(box);
		final long rows = (long) box.lags[1] * box.lags[2];
		final CUdeviceptr probed = context.buffer(PROBED, 4 * rows);
		if (!context.holds(PROBED, List.of(box.key(), probes))) {
			context.clear(probed, rows);
			context.launch(device.kernels().get("fourier", "rows_of_probes"), new GpuKernel.Grid(1, 1, 1, 256, 1), 0, box.struct(), probes, probed);
		}
		return new Object[] { moments, momentsPitch(box), probed, trusts(e, product, templates), out.struct() };
	}

	/** What responses need of the windows, for all templates: see {@code moments_of} of the kernels. Then follow the tiles. */
	private static CUdeviceptr moments(final StreamContext context, final BoxGeometry box) {
		return context.buffer(MOMENTS, 8 * momentsOf(box) + 4L * tilesOfRow(box) * box.lags[1] * box.lags[2]);
	}

	private static CUdeviceptr tiles(final StreamContext context, final BoxGeometry box) {
		return moments(context, box).withByteOffset(8 * momentsOf(box));
	}

	private static long momentsOf(final BoxGeometry box) {
		return (long) momentsPitch(box) * box.lags[1] * box.lags[2];
	}

	/** The distance between rows of moments. It is even. */
	private static int momentsPitch(final BoxGeometry box) {
		return (box.lags[0] + 1) / 2 * 2;
	}

	private static int tilesOfRow(final BoxGeometry box) {
		return (box.lags[0] + 63) / 64;
	}

	private CUdeviceptr sums(final StreamContext context, final BoxGeometry box, final CUdeviceptr pixels) {
		final CUdeviceptr known = windows.memory(context, box);
		if (shared && context.holds(WindowSumsKernel.MEMORY, box.key())) return known;
		return windows.enqueue(context, box, pixels, n, Tolerance.of(precision), ExtendedPrecision.DOUBLE);
	}

	private BoxSpectra.Product byCufft(final StreamContext context, final TransformExtents e, final BoxGeometry box, final CUdeviceptr pixels,
		final boolean inDouble, final CUdeviceptr reals)
	{
		final BoxSpectra.Product product = BoxSpectra.product(context, e, "numerator", 1);
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
