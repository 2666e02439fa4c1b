package sc.fiji.ncc.cuda;

import java.util.Optional;

import sc.fiji.ncc.cuda.deform.GpuDeform;
import sc.fiji.ncc.cuda.driver.CudaDevice;
import sc.fiji.ncc.cuda.driver.Driver;
import sc.fiji.ncc.plan.Cost;
import sc.fiji.ncc.plan.Deformations;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.DeviceException;
import sc.fiji.ncc.plan.deform.DeformAlgorithm;
import sc.fiji.ncc.plan.deform.DeformExecution;
import sc.fiji.ncc.plan.deform.DeformPlan;

/** Deformations in planes on one GPU, see {@link GpuDeform}. Frames of floats, which the host makes of all pixel types. */
final class CudaDeform implements DeformAlgorithm {

	/** Seconds of a frame: launches and waiting; a byte to the GPU; on one multiprocessor a pixel of the area, in all passes. Estimates. */
	private static final double FRAME = 0.6e-3, BYTE = 0.2e-9, PIXEL = 132 * 0.3e-9;
	/** The number of frames that overlap. */
	private static final int LANES = 6;
	/** The largest number of rows of blocks, and of columns: positions in 4096ths of a pixel have 32 bits. */
	private static final int MOST_ROWS = 65_535, MOST_COLUMNS = 1 << 19;
	/** The most bytes that come back at once. */
	private static final long MOST_SUMS = 15L << 27;

	@Override
	public String id() {
		return "cuda-deform";
	}

	@Override
	public Optional<String> unsupported(final Deformations p) {
		if (p.frame().dimensions() != 2) return Optional.of("its kernels support planes, not volumes");
		if (p.area().get(1) > MOST_ROWS) return Optional.of("its kernels support at most " + MOST_ROWS + " rows, with half a window around the frame, not "
			+ p.area().get(1));
		if (p.frame().get(0) > MOST_COLUMNS) return Optional.of("its kernels support at most " + MOST_COLUMNS + " columns, not " + p.frame().get(0));
		if (p.area().pixels() > Integer.MAX_VALUE / 8) return Optional.of("its kernels support frames of at most " + Integer.MAX_VALUE / 8
			+ " pixels, not " + p.frame());
		final long sums = GpuDeform.bytesOfSums(p);
		return sums > MOST_SUMS ? Optional.of("windows of " + p.window() + " in a frame of " + p.frame() + " have sums of "
			+ sums / 1_000_000 + " MB, and at most " + MOST_SUMS / 1_000_000 + " MB come back at once") : Optional.empty();
	}

	@Override
	public Optional<String> unsupported(final Deformations p, final Device device) {
		final Optional<String> reason = unsupported(p);
		if (reason.isPresent()) return reason;
		if (Driver.gpu(device).isEmpty()) return Optional.of("a frame is deformed on one GPU, and this device is several");
		final double bytes = bytes(p);
		return bytes <= device.memory() / 2.0 ? Optional.empty() : Optional.of("a frame needs " + (long) (bytes / 1e6)
			+ " MB on the GPU, and half of its memory is " + device.memory() / 2_000_000 + " MB");
	}

	private static double bytes(final Deformations p) {
		return (double) Float.BYTES * GpuDeform.FLOATS * p.area().pixels() + GpuDeform.bytesOfSums(p);
	}

	@Override
	public DeformPlan plan(final Deformations p, final Device device) {
		final CudaDevice gpu = Driver.gpu(device).orElseThrow();
		final CudaCost costs = new CudaCost(gpu, device.constants());
		return new DeformPlan() {

			@Override
			public Cost cost() {
				final double pixels = p.area().pixels(), lanes = Math.max(1, Math.min(LANES, Math.min(p.frames(),
					Runtime.getRuntime().availableProcessors())));
				final double host = costs.seconds("deform-frame", FRAME) + Float.BYTES * p.frame().pixels() * costs.seconds("deform-byte", BYTE);
				return new Cost(p.frames() * (host / lanes + pixels * costs.shared("deform-pixel", PIXEL)), costs.start(), (long) (8 * pixels),
					(long) bytes(p));
			}

			@Override
			public DeformExecution prepare(final int threads) {
				if (gpu.lost() != null) throw new DeviceException(gpu.lost());
				return new GpuDeform(gpu, p);
			}
		};
	}
}
