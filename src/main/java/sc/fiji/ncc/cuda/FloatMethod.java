package sc.fiji.ncc.cuda;

import java.util.ArrayList;
import java.util.List;

import jcuda.driver.CUdeviceptr;

import sc.fiji.ncc.cpu.Tolerance;
import sc.fiji.ncc.cpu.ZeroMean;
import sc.fiji.ncc.plan.Problem;
import sc.fiji.ncc.plan.Template;

/** A template without a mask, for windows inside the image, in float: see {@code floats.cu}. What does not hold is computed again. */
final class FloatMethod implements CudaMethod {

	private static final int CHUNK_X = 32, CHUNK_Y = 16, ACROSS = 256, DOWN = 32;
	private static final int SHARED = 4 * ((ACROSS + CHUNK_X) * (DOWN + CHUNK_Y - 1) + CHUNK_X * CHUNK_Y);

	private final long n;
	private final int width, pixelsOfTemplate;
	private final double mean, norm, limit;
	private final RealPixels pixels;
	private final WindowSums windows;
	private final Kernel respond;
	private final DeviceArray taps;
	private final Ladder ladder;

	FloatMethod(final CudaDevice device, final Template template, final Problem problem) {
		template.requireContrast();
		final double[] zeroMean = ZeroMean.of(template);
		n = pixelsOfTemplate = zeroMean.length;
		final float[] inFloat = ZeroMean.toFloat(zeroMean);
		double sum = 0, energy = 0, rounded = 0;
		for (int i = 0; i < zeroMean.length; i++) {
			sum += zeroMean[i];
			energy += zeroMean[i] * zeroMean[i];
			rounded += inFloat[i];
		}
		mean = rounded / n;
		norm = Math.sqrt(energy - sum * (sum / n));
		width = (int) template.size().get(0);
		final int height = (int) template.size().get(1);
		final List<float[]> chunks = chunks(inFloat, width, height);
		limit = limit(chunks, n);
		pixels = new RealPixels(device, problem.image());
		windows = WindowSums.real(device, pixels.kind(), width);
		respond = device.kernels().get("floats", "respond_" + pixels.kind());
		final float[] all = new float[chunks.size() * CHUNK_X * CHUNK_Y];
		for (int c = 0, o = 0; c < chunks.size(); c++)
			for (final float t : chunks.get(c)) all[o++] = t;
		taps = DeviceArray.of(device, all);
		try {
			ladder = new Ladder(device, template, problem.image(), false);
		}
		catch (final RuntimeException e) {
			taps.close();
			throw e;
		}
	}

	/** The template in chunks as the kernel takes them, 0 beyond its edge. */
	private static List<float[]> chunks(final float[] t, final int width, final int height) {
		final List<float[]> chunks = new ArrayList<>();
		for (int z = 0; z < t.length / width / height; z++)
			for (int y = 0; y < height; y += CHUNK_Y)
				for (int x = 0; x < width; x += CHUNK_X) {
					final float[] c = new float[CHUNK_X * CHUNK_Y];
					for (int j = 0; j < CHUNK_Y && y + j < height; j++)
						for (int i = 0; i < CHUNK_X && x + i < width; i++) c[j * CHUNK_X + i] = t[(z * height + y + j) * width + x + i];
					chunks.add(c);
				}
		return chunks;
	}

	/**
	 * The greatest (μ - ref)²/σ² at which the estimated error of a response stays below the tolerance. What float sums make of a window that is
	 * a constant m and little else: each product and each partial sum of T̂·m rounds, by about half an eps of itself, and these errors are
	 * independent. So the error is {@code eps/2·√(Σ S² + Σ T̂²) / (√N·‖T̂‖)} times |m|/σ, S the partial sums in the order in which they are taken,
	 * those of the chunks included. Beside it that of the sums of the deviations. Both with a margin of 8.
	 */
	private static double limit(final List<float[]> chunks, final double n) {
		double squares = 0, partials = 0, total = 0;
		for (final float[] c : chunks) {
			double partial = 0;
			for (final double t : c) {
				partial += t;
				squares += t * t;
				partials += partial * partial;
			}
			total += partial;
			partials += total * total;
		}
		final double run = CHUNK_X * CHUNK_Y;
		final double ofMean = 8 * Tolerance.EPS_FLOAT / 2 * Math.sqrt((partials + squares) / (n * squares));
		final double ofDeviations = Tolerance.EPS_FLOAT * (1 + 0.5 * Math.sqrt(Math.min(n, run)) + 0.5 * Math.sqrt(chunks.size()));
		return Math.pow(Math.max(0, Tolerance.RESPONSE - ofDeviations) / ofMean, 2);
	}

	@Override
	public int pitch(final int lagsX) {
		return (lagsX + width - 1 + 15) / 16 * 16;
	}

	@Override
	public double bytesPerLag() {
		return 8 + windows.bytes() + 2.0 * pixels.bytes() + 8;
	}

	@Override
	public long lagsAtOnce(final long lags, final int slots) {
		return Math.max(1 << 14, Math.min(Math.max(1 << 18, lags / slots + 1), (1L << 37) / pixelsOfTemplate));
	}

	@Override
	public void enqueue(final Slot slot, final BoxGeometry box, final CUdeviceptr raw, final Outcome out) {
		final CUdeviceptr real = pixels.enqueue(slot, box, raw);
		final CUdeviceptr sums = windows.enqueue(slot, box, real, n);
		slot.launch(respond, new Kernel.Grid((box.lags[0] + ACROSS - 1) / ACROSS, (box.lags[1] + DOWN - 1) / DOWN, box.lags[2], 32, 8), SHARED, real,
			box.struct(), taps.pointer(), sums, (double) n, mean, 1 / norm, limit, Tolerance.FLOOR, out.struct());
		ladder.enqueue(slot, box, raw, out, Integer.MAX_VALUE);
	}

	@Override
	public void close() {
		taps.close();
		ladder.close();
	}
}
