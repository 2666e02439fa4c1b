package sc.fiji.ncc.cuda.method;

import java.util.HashMap;
import java.util.Map;

import jcuda.driver.CUdeviceptr;
import jcuda.driver.JCudaDriver;

import sc.fiji.ncc.cuda.driver.CudaDevice;
import sc.fiji.ncc.cuda.driver.Cufft;
import sc.fiji.ncc.cuda.driver.DeviceArray;
import sc.fiji.ncc.cuda.driver.GpuKernel;
import sc.fiji.ncc.cuda.driver.MemoryPool;
import sc.fiji.ncc.cuda.driver.StreamContext;
import sc.fiji.ncc.cuda.driver.Transforms;
import sc.fiji.ncc.plan.Size;

/**
 * The spectra of a template or its weights for transforms of whole boxes (cuFFT), and the inverse transforms of products with spectra of boxes: see
 * {@code fourier.cu}. Spectra in float and in double are computed for each extent at its first use.
 */
final class BoxSpectra implements AutoCloseable {

	/** The bytes of {@code struct Known} before its planes. */
	private static final int KNOWN = 48;

	/** A spectrum, followed by the energies of its lines. */
	private record Spectrum(MemoryPool.DeviceBlock block, CUdeviceptr lines) {}

	/** The data for the error estimate of a product: {@code struct Known} with its planes, the energies of the lines of the pixels' spectrum, and those of the rows of the result. */
	record Product(CUdeviceptr known, CUdeviceptr lines, CUdeviceptr rows) {}

	private final CudaDevice device;
	private final Transforms transforms;
	private final int width, height, depth;
	private final double[] taps;
	private final float[] roundedTaps;
	private final Map<Transforms.Extents, Map<Boolean, Spectrum>> spectra = new HashMap<>();

	/** @param roundedTaps the taps in float; null if only double is used */
	BoxSpectra(final CudaDevice device, final Transforms transforms, final Size size, final double[] taps, final float[] roundedTaps) {
		this.device = device;
		this.transforms = transforms;
		this.taps = taps;
		this.roundedTaps = roundedTaps;
		width = Math.toIntExact(size.get(0));
		height = Math.toIntExact(size.get(1));
		depth = Math.toIntExact(size.get(2));
	}

	/** Cleared memory for the error estimate of a product. */
	static Product product(final StreamContext context, final Transforms.Extents e, final String name) {
		final long head = KNOWN + 4L * (e.z() + 1) / 8 * 8;
		final CUdeviceptr known = context.buffer("known " + name, head + 4 * lines(e));
		context.clear(known, head / 4 + lines(e));
		return new Product(known, known.withByteOffset(head), context.buffer("rows " + name, 4L * e.y() * e.z()));
	}

	/** The number of blocks for the rows of a plane. */
	static int rowBlocks(final CudaDevice device, final Transforms.Extents e) {
		return Math.max(1, Math.min(e.y() / 4, 8 * device.processors / e.z()));
	}

	/** Transforms the taps at the first use, and allocates the memory of the transforms. Call it before any other transform. It overwrites the buffer {@code reals} of the context. */
	void prepare(final StreamContext context, final Transforms.Extents e, final boolean inDouble) {
		final Cufft.Transform forward = context.transform(transforms, e, inDouble ? Cufft.Type.D2Z : Cufft.Type.R2C);
		final Cufft.Transform inverse = context.transform(transforms, e, inDouble ? Cufft.Type.Z2D : Cufft.Type.C2R);
		// the buffer must not grow while a transform uses it
		context.buffer("work", Math.max(1, Math.max(forward.work, inverse.work)));
		spectrum(context, e, inDouble);
	}

	/** Multiplies the spectrum of a box in place, transforms the product back, and computes the data for its error estimate. */
	void back(final StreamContext context, final Transforms.Extents e, final boolean inDouble, final CUdeviceptr complexes, final Product product, final CUdeviceptr reals) {
		final String real = inDouble ? "double" : "float";
		final Spectrum spectrum = spectrum(context, e, inDouble);
		multiply(context, e, real, complexes, spectrum.block.pointer(), product.lines);
		transform(context, e, inDouble ? Cufft.Type.Z2D : Cufft.Type.C2R, complexes, reals);
		context.launch(kernel((e.x() <= 512 ? "short_rows_" : "rows_") + real), new GpuKernel.Grid((rowBlocks(device, e) + 1) / 2, e.z(), 1, 256, 1), 0, reals, e.struct(),
			product.rows, product.known.withByteOffset(KNOWN));
		context.launch(kernel("noise"), new GpuKernel.Grid(Math.min(64, lines(e) / 1024 + 1), 1, 1, 256, 1), 0, e.struct(), product.lines, spectrum.lines,
			product.known);
	}

	/** The number of lines of a spectrum along all axes. */
	private static long lines(final Transforms.Extents e) {
		final long columns = e.x() / 2 + 1;
		return (long) e.y() * e.z() + columns * e.z() + (e.z() > 1 ? columns * e.y() : 0);
	}

	/** Multiplies a spectrum in place with another one, and adds up the energies of its lines. If {@code other} is null, only the energies, scaled. */
	private void multiply(final StreamContext context, final Transforms.Extents e, final String real, final CUdeviceptr spectrum, final CUdeviceptr other,
		final CUdeviceptr lines)
	{
		final int columns = e.x() / 2 + 1;
		final CUdeviceptr alongY = lines.withByteOffset(4L * e.y() * e.z()), alongZ = alongY.withByteOffset(4L * columns * e.z());
		final double scale = 1.0 / e.reals();
		if (e.z() == 1) context.launch(kernel("plane_" + real), new GpuKernel.Grid((columns + 31) / 32, (e.y() + 63) / 64, 1, 256, 1), 0, spectrum, other,
			e.struct(), scale, lines, alongY);
		else context.launch(kernel("volume_" + real), new GpuKernel.Grid((columns + 31) / 32, (e.y() + 7) / 8, (e.z() + 15) / 16, 256, 1), 0, spectrum, other,
			e.struct(), scale, lines, alongY, alongZ);
	}

	private GpuKernel kernel(final String function) {
		return device.kernels().get("fourier", function);
	}

	void transform(final StreamContext context, final Transforms.Extents e, final Cufft.Type type, final CUdeviceptr from, final CUdeviceptr to) {
		final Cufft.Transform t = context.transform(transforms, e, type);
		t.run(context.stream, context.buffer("work", Math.max(1, t.work)), from, to);
	}

	private synchronized Spectrum spectrum(final StreamContext context, final Transforms.Extents e, final boolean inDouble) {
		final Map<Boolean, Spectrum> of = spectra.computeIfAbsent(e, k -> new HashMap<>());
		final Spectrum known = of.get(inDouble);
		if (known != null) return known;
		final int bytes = inDouble ? 8 : 4;
		final CUdeviceptr reals = context.buffer("reals", e.reals() * bytes);
		final long length = 2 * e.complexes() * bytes;
		final MemoryPool.DeviceBlock block = device.memory().onDevice(length + 4 * lines(e));
		final Spectrum made = new Spectrum(block, block.pointer().withByteOffset(length));
		try (DeviceArray model = inDouble ? DeviceArray.of(device, taps) : DeviceArray.of(device, roundedTaps)) {
			context.launch(kernel("model_" + (inDouble ? "double" : "float")), new GpuKernel.Grid(e.y(), e.z(), 1, 256, 1), 0, model.pointer(), width, height, depth,
				e.struct(), reals);
			transform(context, e, inDouble ? Cufft.Type.D2Z : Cufft.Type.R2C, reals, made.block.pointer());
			context.clear(made.lines, lines(e));
			multiply(context, e, inDouble ? "double" : "float", made.block.pointer(), new CUdeviceptr(), made.lines);
			// other contexts may use it immediately
			device.check(JCudaDriver.cuStreamSynchronize(context.stream), "transforming the template");
		}
		catch (final RuntimeException failed) {
			device.memory().release(block);
			throw failed;
		}
		of.put(inDouble, made);
		return made;
	}

	/** The caller closes the transforms. */
	@Override
	public void close() {
		for (final Map<Boolean, Spectrum> of : spectra.values()) of.values().forEach(s -> device.memory().release(s.block));
		spectra.clear();
	}
}
