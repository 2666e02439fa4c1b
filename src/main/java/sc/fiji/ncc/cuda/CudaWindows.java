package sc.fiji.ncc.cuda;

import java.util.Locale;
import java.util.Optional;

import sc.fiji.ncc.cuda.driver.CudaDevice;
import sc.fiji.ncc.cuda.driver.Driver;
import sc.fiji.ncc.cuda.window.GpuWindows;
import sc.fiji.ncc.cuda.window.WindowLayout;
import sc.fiji.ncc.cuda.window.WindowLayout.Kind;
import sc.fiji.ncc.plan.Cost;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.DeviceException;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.WindowPairs;
import sc.fiji.ncc.plan.window.WindowAlgorithm;
import sc.fiji.ncc.plan.window.WindowExecution;
import sc.fiji.ncc.plan.window.WindowPlan;

/**
 * Windows of a grid by sums of products over patches on one GPU, as {@code cpu-windows} sums them, see {@link GpuWindows}. Sums of 8- and 16-bit pixels
 * are exact. Others are taken in double; a response whose error may exceed 1e-9 is computed again from the pixels, and so are those of windows that meet
 * missing pixels.
 */
final class CudaWindows implements WindowAlgorithm {

	/**
	 * Seconds: launches and waiting for a pair; a byte of both frames; on one multiprocessor a product of bytes, of 16 bits and in double, an addition of
	 * a sum of a patch, and a pixel of a frame; a vector on the host. Fitted to {@code WindowsOnGpu} on an H200 with 16 cores of the host: 1.53 and 2.45 ms
	 * for 1.54 and 2.35 measured in 8 and 16 bits, 2026-11-29. The constant of products in double is an estimate.
	 */
	private static final double PAIR = 250e-6, BYTE = 1 / 13e9, ADDITION = 132 * 4.9e-12, PIXEL = 132 * 2.2e-11, VECTOR = 10e-9;
	private static final double[] PRODUCT = { 132 / 2.5e13, 132 / 8e12, 132 / 6e12 };
	/** A product of a window with missing pixels (an estimate), and the share of such windows. */
	private static final double MASKED = 132 * 4e-12, SHARE = 0.15;

	@Override
	public String id() {
		return "cuda-windows";
	}

	/** The largest number of blocks along y. */
	private static final int MOST_ROWS = 65_535;

	@Override
	public Optional<String> unsupported(final WindowPairs p) {
		if (p.shape() != WindowPairs.Shape.SQUARE) return Optional.of("windows share sums only if their pixels count alike");
		if (p.frame().dimensions() != 2) return Optional.of("its kernels support planes, not volumes");
		if (p.image() == PixelType.F64) return Optional.of("its kernels support pixels of up to 32 bits, not " + p.image());
		if (p.window().pixels() > WindowLayout.MAX_PIXELS || p.window().get(0) > WindowLayout.MAX_WIDTH) return Optional.of("its kernels support windows of at most "
			+ WindowLayout.MAX_PIXELS + " pixels that are at most " + WindowLayout.MAX_WIDTH + " pixels wide, not " + p.window());
		if (p.lags().pixels() > WindowLayout.MAX_LAGS) return Optional.of("its kernels support at most " + WindowLayout.MAX_LAGS + " lags, not " + p.lags());
		if (p.frame().get(1) + p.lags().get(1) + 1 > MOST_ROWS) return Optional.of("its kernels support frames of at most " + MOST_ROWS
			+ " rows with their margins, not " + p.frame());
		if (p.count().pixels() > Integer.MAX_VALUE / WindowLayout.FOUND) return Optional.of("its kernels support at most " + Integer.MAX_VALUE / WindowLayout.FOUND
			+ " windows, not " + p.count());
		if ((double) Double.BYTES * p.count().get(0) * p.lags().pixels() > Integer.MAX_VALUE) return Optional.of("its kernels support at most "
			+ Integer.MAX_VALUE / Double.BYTES + " responses of a row of windows, not " + p.count().get(0) * p.lags().pixels());
		return p.frame().pixels() > Integer.MAX_VALUE / 8 ? Optional.of("its kernels support frames of at most " + Integer.MAX_VALUE / 8 + " pixels, not "
			+ p.frame()) : Optional.empty();
	}

	@Override
	public Optional<String> unsupported(final WindowPairs p, final Device device) {
		final Optional<String> reason = unsupported(p);
		if (reason.isPresent()) return reason;
		final Optional<CudaDevice> gpu = Driver.gpu(device);
		if (gpu.isEmpty()) return Optional.of("the windows of a pair of frames are correlated on one GPU, and this device is several");
		return tooLarge(new WindowLayout(p), gpu.get().sharedMemory, device.memory());
	}

	/** @param shared the shared memory of a block, in bytes */
	static Optional<String> tooLarge(final WindowLayout layout, final int shared, final long memory) {
		if (layout.shared() > shared) return Optional.of("a block of its kernels needs " + layout.shared() + " bytes of shared memory, and this GPU has " + shared);
		return layout.bytes() <= memory / 2.0 ? Optional.empty() : Optional.of("a pair of frames needs " + (long) (layout.bytes() / 1e6)
			+ " MB on the GPU, and half of its memory is " + memory / 2_000_000 + " MB");
	}

	@Override
	public WindowPlan plan(final WindowPairs p, final Device device) {
		final CudaDevice gpu = Driver.gpu(device).orElseThrow();
		final CudaCost costs = new CudaCost(gpu, device.constants());
		return new WindowPlan() {

			@Override
			public Cost cost() {
				return CudaWindows.cost(p, costs, costs.start());
			}

			@Override
			public WindowExecution prepare(final int threads) {
				if (gpu.lost() != null) throw new DeviceException(gpu.lost());
				return new GpuWindows(gpu, new WindowLayout(p), threads);
			}
		};
	}

	static Cost cost(final WindowPairs p, final CudaCost costs, final double start) {
		final WindowLayout layout = new WindowLayout(p);
		final Kind kind = Kind.of(p.image());
		final double pixels = p.frame().pixels(), windows = p.count().pixels(), bytes = 2 * pixels * p.image().bytes;
		final double product = costs.shared("windows-product-" + kind.name().toLowerCase(Locale.ROOT), PRODUCT[kind.ordinal()]);
		final double masked = !p.masked() ? 0 : SHARE * windows * p.window().pixels() * p.lags().pixels() * costs.shared("windows-masked", MASKED) * costs.slowdown;
		final double pair = costs.seconds("windows-pair", PAIR) + bytes * costs.seconds("windows-byte", BYTE)
			+ layout.products() * product * (kind == Kind.REALS ? costs.slowdown : 1) + layout.additions() * costs.shared("windows-addition", ADDITION)
			+ pixels * costs.shared("windows-pixel", PIXEL) + windows * costs.seconds("windows-vector", VECTOR) + masked;
		return new Cost(p.frames() * pair, start, (long) (bytes + 300 * windows), (long) layout.bytes());
	}
}
