package sc.fiji.ncc.cuda;

import java.util.HashMap;
import java.util.Map;

import jcuda.driver.CUdeviceptr;
import jcuda.driver.JCudaDriver;

import sc.fiji.ncc.plan.Problem;
import sc.fiji.ncc.plan.Template;

/** Numerators by one real transform of the whole box and one back (cuFFT). */
final class FourierMethod extends SpectralMethod {

	/** Bytes of what is known of a box, before its planes. */
	private static final int KNOWN = 48;
	/** The template's spectrum for a transform, and behind it the energies of its lines. */
	private record Spectrum(MemoryPool.DeviceBlock block, CUdeviceptr lines) {}

	private final Transforms transforms = new Transforms();
	private final Map<Transforms.Extents, Map<Boolean, Spectrum>> spectra = new HashMap<>();

	FourierMethod(final CudaDevice device, final Template template, final Problem problem) {
		super(device, template, problem);
	}

	@Override
	public double bytesPerLag() {
		return 100;
	}

	@Override
	void respond(final Slot slot, final BoxGeometry box, final CUdeviceptr pixels, final Outcome out, final boolean inDouble) {
		final Transforms.Extents e = Transforms.Extents.of(box.lags[0] + width - 1, box.rows, box.planes);
		final String real = inDouble ? "double" : "float";
		final int bytes = inDouble ? 8 : 4;
		final Spectrum spectrum = spectrum(slot, e, inDouble);
		final CUdeviceptr reals = slot.buffer("reals", e.reals() * bytes), complexes = slot.buffer("complexes", 2 * e.complexes() * bytes);
		// what is known of the box, and the energies of its spectrum's lines: cleared together
		final long head = KNOWN + 4L * (e.z() + 1) / 8 * 8;
		final CUdeviceptr known = slot.buffer("known", head + 4 * lines(e)), lines = known.withByteOffset(head), rows = slot.buffer("rows", 4L * e.y() * e.z());
		slot.clear(known, head / 4 + lines(e));
		final int rowBlocks = Math.max(1, Math.min(e.y() / 4, 8 * device.processors / e.z()));
		slot.launch(kernel("pad_" + pixelKind + "_" + real), new Kernel.Grid(rowBlocks, e.z(), 1, 128, 1), 0, pixels, box.struct(), e.struct(), reals, known);
		transform(slot, e, inDouble ? Cufft.Type.D2Z : Cufft.Type.R2C, reals, complexes);
		multiply(slot, e, real, complexes, spectrum.block.pointer(), lines);
		transform(slot, e, inDouble ? Cufft.Type.Z2D : Cufft.Type.C2R, complexes, reals);
		slot.launch(kernel((e.x() <= 512 ? "short_rows_" : "rows_") + real), new Kernel.Grid((rowBlocks + 1) / 2, e.z(), 1, 256, 1), 0, reals, e.struct(), rows, known.withByteOffset(KNOWN));
		slot.launch(kernel("noise"), new Kernel.Grid(Math.min(64, lines(e) / 1024 + 1), 1, 1, 256, 1), 0, e.struct(), lines, spectrum.lines, known);
		final long[] trust = trust(e, known, rows, inDouble);
		if (!inDouble) {
			windows.respond(slot, box, pixels, reals, trust, out);
			return;
		}
		final CUdeviceptr sums = windows.enqueue(slot, box, pixels, n);
		slot.launch(kernel("respond_" + windowKind), new Kernel.Grid((box.lags[0] + 255) / 256, box.lags[1], box.lags[2], 256, 1), 0, reals, box.struct(),
			sums, trust, out.struct());
	}

	/** How many lines the spectrum of a transform has, along all axes. */
	private static long lines(final Transforms.Extents e) {
		final long columns = e.x() / 2 + 1;
		return (long) e.y() * e.z() + columns * e.z() + (e.z() > 1 ? columns * e.y() : 0);
	}

	/** Multiplies a spectrum with another one, and adds up the energies of its lines. Without another only those, scaled. */
	private void multiply(final Slot slot, final Transforms.Extents e, final String real, final CUdeviceptr spectrum, final CUdeviceptr other,
		final CUdeviceptr lines)
	{
		final int columns = e.x() / 2 + 1;
		final CUdeviceptr alongY = lines.withByteOffset(4L * e.y() * e.z()), alongZ = alongY.withByteOffset(4L * columns * e.z());
		final double scale = 1.0 / e.reals();
		if (e.z() == 1) slot.launch(kernel("plane_" + real), new Kernel.Grid((columns + 31) / 32, (e.y() + 63) / 64, 1, 256, 1), 0, spectrum, other,
			e.struct(), scale, lines, alongY);
		else slot.launch(kernel("volume_" + real), new Kernel.Grid((columns + 31) / 32, (e.y() + 7) / 8, (e.z() + 15) / 16, 256, 1), 0, spectrum, other,
			e.struct(), scale, lines, alongY, alongZ);
	}

	private Kernel kernel(final String function) {
		return device.kernels().get("fourier", function);
	}

	private void transform(final Slot slot, final Transforms.Extents e, final Cufft.Type type, final CUdeviceptr from, final CUdeviceptr to) {
		final Cufft.Transform t = slot.transform(transforms, e, type);
		t.run(slot.stream, slot.buffer("work", Math.max(1, t.work)), from, to);
	}

	/** The template's spectrum, computed when a box first asks for these extents. */
	private synchronized Spectrum spectrum(final Slot slot, final Transforms.Extents e, final boolean inDouble) {
		final Map<Boolean, Spectrum> of = spectra.computeIfAbsent(e, k -> new HashMap<>());
		final Spectrum known = of.get(inDouble);
		if (known != null) return known;
		final int bytes = inDouble ? 8 : 4;
		final CUdeviceptr reals = slot.buffer("reals", e.reals() * bytes);
		final long length = 2 * e.complexes() * bytes;
		final MemoryPool.DeviceBlock block = device.memory().onDevice(length + 4 * lines(e));
		final Spectrum made = new Spectrum(block, block.pointer().withByteOffset(length));
		try (DeviceArray model = inDouble ? DeviceArray.of(device, taps) : DeviceArray.of(device, roundedTaps)) {
			slot.launch(kernel("model_" + (inDouble ? "double" : "float")), new Kernel.Grid(e.y(), e.z(), 1, 256, 1), 0, model.pointer(), width, height, depth,
				e.struct(), reals);
			transform(slot, e, inDouble ? Cufft.Type.D2Z : Cufft.Type.R2C, reals, made.block.pointer());
			slot.clear(made.lines, lines(e));
			multiply(slot, e, inDouble ? "double" : "float", made.block.pointer(), new CUdeviceptr(), made.lines);
			// other slots may use it at once
			device.check(JCudaDriver.cuStreamSynchronize(slot.stream), "transforming the template");
		}
		catch (final RuntimeException failed) {
			device.memory().give(block);
			throw failed;
		}
		of.put(inDouble, made);
		return made;
	}

	@Override
	public void close() {
		transforms.close();
		for (final Map<Boolean, Spectrum> of : spectra.values()) of.values().forEach(s -> device.memory().give(s.block));
		spectra.clear();
		super.close();
	}
}
