package sc.fiji.ncc.cuda;

import java.util.HashMap;
import java.util.Map;

import jcuda.driver.CUdeviceptr;
import jcuda.driver.JCudaDriver;

import sc.fiji.ncc.cpu.Tolerance;
import sc.fiji.ncc.cpu.ZeroMean;
import sc.fiji.ncc.plan.Problem;
import sc.fiji.ncc.plan.Template;

/**
 * A template without a mask, for windows inside the image: numerators by one real transform of the box and one back, in float. If too many
 * responses do not stand above their estimated error, the same in double; what then remains is computed by the definition.
 */
final class FourierMethod implements CudaMethod {

	/**
	 * The estimated error of a numerator is {@code eps·√(log2 n)·(rms(row of x)·‖T̂‖ + rms(row of y) + rms(column of y))}, with the most energetic row
	 * of pixels, and for the products' lines at least the rms of all; twice the margin that held on noise, steps,
	 * ramps and spots, since a picture and a template that hardly change along an axis put the error of few lines where both are.
	 */
	private static final double MARGIN = 16;
	/** Up to this share of the lags are looked at one by one. */
	private static final int FEW = 200;

	/** The template's spectrum for a transform. */
	private record Spectrum(MemoryPool.DeviceBlock block) {}

	private final CudaDevice device;
	private final int width, height, depth;
	private final double n, norm, mean;
	private final WholePixels wholePixels;
	private final RealPixels realPixels;
	private final WindowSums windows;
	private final String pixelKind, windowKind;
	/** The template in double, and as float holds it. */
	private final DeviceArray taps, roundedTaps;
	private final Ladder ladder;
	private final Transforms transforms = new Transforms();
	private final Map<Transforms.Extents, Map<Boolean, Spectrum>> spectra = new HashMap<>();

	FourierMethod(final CudaDevice device, final Template template, final Problem problem) {
		template.requireContrast();
		this.device = device;
		width = Math.toIntExact(template.size().get(0));
		height = Math.toIntExact(template.size().get(1));
		depth = Math.toIntExact(template.size().get(2));
		final double[] zeroMean = ZeroMean.of(template);
		n = zeroMean.length;
		final float[] inFloat = ZeroMean.toFloat(zeroMean);
		final double[] rounding = new double[zeroMean.length];
		double sum = 0, energy = 0, rounded = 0;
		for (int i = 0; i < zeroMean.length; i++) {
			sum += zeroMean[i];
			energy += zeroMean[i] * zeroMean[i];
			rounded += inFloat[i];
			rounding[i] = inFloat[i];
		}
		mean = rounded / n;
		norm = Math.sqrt(energy - sum * (sum / n));
		final boolean whole = problem.image().exact(), narrow = problem.image().bytes == 1 && n < 1 << 17;
		if (whole) {
			wholePixels = new WholePixels(device, problem.image());
			realPixels = null;
			pixelKind = problem.image().bytes == 1 ? "bytes" : "shorts";
			windows = narrow ? WindowSums.narrow(device, width) : WindowSums.wide(device, pixelKind, width);
			windowKind = narrow ? "narrow" : "wide";
		}
		else {
			wholePixels = null;
			realPixels = new RealPixels(device, problem.image());
			pixelKind = realPixels.kind();
			windows = WindowSums.real(device, pixelKind, width);
			windowKind = "real";
		}
		taps = DeviceArray.of(device, zeroMean);
		DeviceArray second = null;
		try {
			second = DeviceArray.of(device, rounding);
			ladder = new Ladder(device, template, problem.image(), false);
		}
		catch (final RuntimeException e) {
			taps.close();
			if (second != null) second.close();
			throw e;
		}
		roundedTaps = second;
	}

	@Override
	public int pitch(final int lagsX) {
		return (lagsX + width - 1 + 31) / 32 * 32;
	}

	@Override
	public double bytesPerLag() {
		return 100;
	}

	@Override
	public long lagsAtOnce(final long lags, final int slots) {
		return 1 << 24;
	}

	@Override
	public void enqueue(final Slot slot, final BoxGeometry box, final CUdeviceptr raw, final Outcome out) {
		respond(slot, box, raw, out, false);
		ladder.enqueue(slot, box, raw, out, Math.max(64, box.count() / FEW));
	}

	@Override
	public boolean again(final Slot slot, final BoxGeometry box, final CUdeviceptr raw, final Outcome out, final int suspects) {
		if (suspects <= Math.max(64, box.count() / FEW)) return false;
		slot.clear(out.counts(), 4);
		respond(slot, box, raw, out, true);
		ladder.enqueue(slot, box, raw, out, Integer.MAX_VALUE);
		return true;
	}

	private void respond(final Slot slot, final BoxGeometry box, final CUdeviceptr raw, final Outcome out, final boolean inDouble) {
		final CUdeviceptr pixels = wholePixels != null ? wholePixels.enqueue(slot, box, raw).pixels() : realPixels.enqueue(slot, box, raw);
		final CUdeviceptr sums = windows.enqueue(slot, box, pixels, n);
		final Transforms.Extents e = Transforms.Extents.of(box.lags[0] + width - 1, box.rows, box.planes);
		final String real = inDouble ? "double" : "float";
		final int bytes = inDouble ? 8 : 4;
		final CUdeviceptr spectrum = spectrum(slot, e, inDouble);
		final CUdeviceptr reals = slot.buffer("reals", e.reals() * bytes), complexes = slot.buffer("complexes", 2 * e.complexes() * bytes);
		final long rowCount = (long) e.y() * e.z(), columnCount = (long) e.x() * e.z();
		// what is known of the box, then the energies of its lines: cleared together
		final long head = 16;
		final CUdeviceptr known = slot.buffer("known", head + 4 * (rowCount + columnCount));
		final CUdeviceptr rows = known.withByteOffset(head), columns = known.withByteOffset(head + 4 * rowCount);
		slot.clear(known, head / 4 + rowCount + columnCount);
		slot.launch(kernel("middle_" + pixelKind), new Kernel.Grid(1, 1, 1, 32, 1), 0, pixels, box.struct(), known);
		slot.launch(kernel("pad_" + pixelKind + "_" + real), new Kernel.Grid(e.y(), e.z(), 1, 256, 1), 0, pixels, box.struct(), e.struct(), reals, known);
		transform(slot, e, inDouble ? Cufft.Type.D2Z : Cufft.Type.R2C, reals, complexes);
		slot.launch(kernel("multiply_" + real), new Kernel.Grid(Math.min(16L * device.processors, (e.complexes() + 255) / 256), 1, 1, 256, 1), 0, complexes,
			spectrum, e.complexes(), 1.0 / e.reals());
		transform(slot, e, inDouble ? Cufft.Type.Z2D : Cufft.Type.C2R, complexes, reals);
		slot.launch(kernel("lines_" + real), new Kernel.Grid((e.x() + 511) / 512, (e.y() + 15) / 16, e.z(), 128, 1), 0, reals, e.struct(), known, rows, columns);
		CUdeviceptr pillars = rows;
		if (e.z() > 1) {
			pillars = slot.buffer("pillars", 4L * e.x() * e.y());
			slot.launch(kernel("pillars_" + real), Kernel.Grid.over((long) e.x() * e.y(), 1, 1, 256, 1), 0, reals, e.struct(), pillars);
		}
		final double passes = Math.sqrt(Math.log(e.reals()) / Math.log(2));
		final double eps = MARGIN * passes * (inDouble ? Tolerance.EPS_DOUBLE : Tolerance.EPS_FLOAT);
		slot.launch(kernel("respond_" + windowKind + "_" + real), new Kernel.Grid((box.lags[0] + 255) / 256, box.lags[1], box.lags[2], 256, 1), 0, reals,
			box.struct(), e.struct(), sums, known, rows, columns, pillars, n, 1 / n, inDouble ? 0.0 : mean, norm, 1 / norm, eps / Tolerance.RESPONSE, Tolerance.FLOOR, out.struct());
	}

	private Kernel kernel(final String function) {
		return device.kernels().get("fourier", function);
	}

	private void transform(final Slot slot, final Transforms.Extents e, final Cufft.Type type, final CUdeviceptr from, final CUdeviceptr to) {
		final Cufft.Transform t = slot.transform(transforms, e, type);
		t.run(slot.stream, slot.buffer("work", Math.max(1, t.work)), from, to);
	}

	/** The template's spectrum, computed when a box first asks for these extents. */
	private synchronized CUdeviceptr spectrum(final Slot slot, final Transforms.Extents e, final boolean inDouble) {
		final Map<Boolean, Spectrum> of = spectra.computeIfAbsent(e, k -> new HashMap<>());
		final Spectrum known = of.get(inDouble);
		if (known != null) return known.block.pointer();
		final int bytes = inDouble ? 8 : 4;
		final CUdeviceptr reals = slot.buffer("reals", e.reals() * bytes);
		final Spectrum made = new Spectrum(device.memory().onDevice(2 * e.complexes() * bytes));
		of.put(inDouble, made);
		slot.launch(kernel("model_" + (inDouble ? "double" : "float")), new Kernel.Grid(e.y(), e.z(), 1, 256, 1), 0, (inDouble ? taps : roundedTaps).pointer(), width, height, depth,
			e.struct(), reals);
		transform(slot, e, inDouble ? Cufft.Type.D2Z : Cufft.Type.R2C, reals, made.block.pointer());
		// other slots may use it at once
		device.check(JCudaDriver.cuStreamSynchronize(slot.stream), "transforming the template");
		return made.block.pointer();
	}

	@Override
	public void close() {
		transforms.close();
		for (final Map<Boolean, Spectrum> of : spectra.values()) of.values().forEach(s -> device.memory().give(s.block));
		spectra.clear();
		taps.close();
		roundedTaps.close();
		ladder.close();
	}
}
