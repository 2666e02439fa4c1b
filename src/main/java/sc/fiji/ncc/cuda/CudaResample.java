package sc.fiji.ncc.cuda;

import java.util.Optional;

import sc.fiji.ncc.cuda.driver.CudaDevice;
import sc.fiji.ncc.cuda.driver.Cufft;
import sc.fiji.ncc.cuda.driver.Driver;
import sc.fiji.ncc.cuda.frame.GpuSampler;
import sc.fiji.ncc.plan.Cost;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.DeviceException;
import sc.fiji.ncc.plan.Resampling;
import sc.fiji.ncc.plan.resample.ResampleAlgorithm;
import sc.fiji.ncc.plan.resample.ResamplePlan;
import sc.fiji.ncc.plan.resample.Sampler;

/** Frames that are sampled between their pixels on one GPU, see {@link GpuSampler}. */
final class CudaResample implements ResampleAlgorithm {

	/**
	 * Seconds: each frame; a byte to the GPU or back, with the copy of a thread of the host; a neighbour of a pixel along a dimension, and a point of a
	 * transform along a dimension, on one multiprocessor; and planning the transforms of a frame, which one thread at a time does. Fitted to {@code
	 * CorrectionTimes} on an H200 with 1 and 16 threads, 2026-11-28.
	 */
	private static final double FRAME = 80e-6, BYTE = 0.34e-9, NEIGHBOUR = 132 * 0.5e-12, POINT = 132 * 8e-12, PLANNED = 0.9e-3;
	/** Seconds of a neighbour of a deformed pixel on one multiprocessor. An estimate. */
	private static final double WEIGHTED = 132 * 2e-12;
	/** The number of threads of the host that together are as fast as the link. */
	private static final double LANES = 6;

	@Override
	public String id() {
		return "cuda-resample";
	}

	@Override
	public Optional<String> unsupported(final Resampling p, final Device device) {
		if (p.neighbours() == 0 && Cufft.missing() != null) return Optional.of(Cufft.missing());
		final Optional<CudaDevice> gpu = Driver.gpu(device);
		if (gpu.isEmpty()) return Optional.of("frames are resampled on one GPU, and this device is several");
		final double bytes = bytes(p);
		return bytes <= device.memory() / 2.0 ? Optional.empty() : Optional.of("a frame needs " + (long) (bytes / 1e6) + " MB on the GPU, "
			+ "and half of its memory is " + device.memory() / 2_000_000 + " MB");
	}

	private static double bytes(final Resampling p) {
		final double read = p.read(Sampler.MARGIN).pixels(), frame = 2.0 * p.image().bytes * read;
		// the values in double, and lines of up to 1.5 times as many points with their spectra and cuFFT's memory
		return p.neighbours() > 0 ? frame : frame + Double.BYTES * read + 3 * Math.min(GpuSampler.CHUNK_BYTES, 1.5 * Double.BYTES * read);
	}

	@Override
	public ResamplePlan plan(final Resampling p, final Device device) {
		final CudaDevice gpu = Driver.gpu(device).orElseThrow();
		final CudaCost costs = new CudaCost(gpu, device.constants());
		return new ResamplePlan() {

			@Override
			public Cost cost() {
				final double pixels = p.frame().pixels();
				final double copies = (pixels + p.read(Sampler.MARGIN).pixels()) * p.image().bytes * costs.seconds("resample-byte", BYTE);
				double computed = p.deformed() ? costs.slowdown * pixels * p.neighboursInAll() * costs.shared("resample-weighted", WEIGHTED)
					: 0;
				for (int d = 0; d < p.frame().dimensions() && !p.deformed(); d++) {
					final double points = Sampler.points((int) p.read(Sampler.MARGIN).get(d));
					computed += costs.slowdown * pixels
						* (p.neighbours() > 0 ? p.neighbours() * costs.shared("resample-neighbour", NEIGHBOUR)
						: points / p.frame().get(d) * Math.log(points) / Math.log(2) * costs.shared("resample-point", POINT));
				}
				if (p.neighbours() == 0) computed += costs.seconds("resample-planned", PLANNED);
				final double each = costs.seconds("resample-frame", FRAME);
				final double lanes = Math.min(LANES, Math.min(p.frames(), Runtime.getRuntime().availableProcessors()));
				return new Cost(p.frames() * (computed + (each + copies) / lanes), costs.start(), 0, (long) bytes(p));
			}

			@Override
			public Sampler prepare() {
				if (gpu.lost() != null) throw new DeviceException(gpu.lost());
				return new GpuSampler(gpu);
			}
		};
	}
}
