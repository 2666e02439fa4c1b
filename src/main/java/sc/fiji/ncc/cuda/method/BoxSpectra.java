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
 * The spectrum of a template, or of what else pixels are multiplied with, for transforms of whole boxes (cuFFT), and what comes back of its product with a
 * box's: see {@code fourier.cu}. In float and in double, each prepared when a box first asks for its extents.
 */
final class BoxSpectra implements AutoCloseable {

	/** Bytes of what is known of a box, before its planes. */
	private static final int KNOWN = 48;

	/** The spectrum for a transform, and behind it the energies of its lines. */
	private record Spectrum(MemoryPool.DeviceBlock block, CUdeviceptr lines) {}

	/** What is known of a product: {@code struct Known} of the kernels with its planes, the energies of the lines of the pixels' spectrum, those of rows. */
	record Product(CUdeviceptr known, CUdeviceptr lines, CUdeviceptr rows) {}

	private final CudaDevice device;
	private final Transforms transforms;
	private final int width, height, depth;
	private final double[] taps;
	private final float[] roundedTaps;
	private final Map<Transforms.Extents, Map<Boolean, Spectrum>> spectra = new HashMap<>();

	/** @param roundedTaps as float holds them; null if that is never asked for */
	BoxSpectra(final CudaDevice device, final Transforms transforms, final Size size, final double[] taps, final float[] roundedTaps) {
		this.device = device;
		this.transforms = transforms;
		this.taps = taps;
		this.roundedTaps = roundedTaps;
		width = Math.toIntExact(size.get(0));
		height = Math.toIntExact(size.get(1));
		depth = Math.toIntExact(size.get(2));
	}

	/** Room for what is known of a product, cleared. */
	static Product product(final StreamContext context, final Transforms.Extents e, final String name) {
		final long head = KNOWN + 4L * (e.z() + 1) / 8 * 8;
		final CUdeviceptr known = context.buffer("known " + name, head + 4 * lines(e));
		context.clear(known, head / 4 + lines(e));
		return new Product(known, known.withByteOffset(head), context.buffer("rows " + name, 4L * e.y() * e.z()));
	}

	/** Blocks that have the rows of a plane. */
	static int rowBlocks(final CudaDevice device, final Transforms.Extents e) {
		return Math.max(1, Math.min(e.y() / 4, 8 * device.processors / e.z()));
	}

	/** Transforms the taps if that has not been done, and takes the memory that transforms need. Uses the context's buffer {@code reals}. Before either way is used. */
	void prepare(final StreamContext context, final Transforms.Extents e, final boolean inDouble) {
		final Cufft.Transform forth = context.transform(transforms, e, inDouble ? Cufft.Type.D2Z : Cufft.Type.R2C);
		final Cufft.Transform back = context.transform(transforms, e, inDouble ? Cufft.Type.Z2D : Cufft.Type.C2R);
		// it must not grow while one of them is at work
		context.buffer("work", Math.max(1, Math.max(forth.work, back.work)));
		spectrum(context, e, inDouble);
	}

	/** Multiplies a box's spectrum, in its place, transforms the product back, and takes down what there is to know of it. */
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

	/** How many lines the spectrum of a transform has, along all axes. */
	private static long lines(final Transforms.Extents e) {
		final long columns = e.x() / 2 + 1;
		return (long) e.y() * e.z() + columns * e.z() + (e.z() > 1 ? columns * e.y() : 0);
	}

	/** Multiplies a spectrum with another one, and adds up the energies of its lines. Without another only those, scaled. */
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
			// other contexts may use it at once
			device.check(JCudaDriver.cuStreamSynchronize(context.stream), "transforming the template");
		}
		catch (final RuntimeException failed) {
			device.memory().release(block);
			throw failed;
		}
		of.put(inDouble, made);
		return made;
	}

	/** The transforms are their owner's. */
	@Override
	public void close() {
		for (final Map<Boolean, Spectrum> of : spectra.values()) of.values().forEach(s -> device.memory().release(s.block));
		spectra.clear();
	}
}
