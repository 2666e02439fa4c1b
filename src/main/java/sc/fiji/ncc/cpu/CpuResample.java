package sc.fiji.ncc.cpu;

import sc.fiji.ncc.cpu.frame.CpuSampler;
import sc.fiji.ncc.plan.Constants;
import sc.fiji.ncc.plan.Cost;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.Resampling;
import sc.fiji.ncc.plan.resample.ResampleAlgorithm;
import sc.fiji.ncc.plan.resample.ResamplePlan;
import sc.fiji.ncc.plan.resample.Sampler;

/** Frames that are sampled between their pixels, of any type, see {@link CpuSampler}. Each thread samples a frame. */
final class CpuResample implements ResampleAlgorithm {

	/** Seconds to start in a new process. */
	private static final double START = 0.03;
	/**
	 * Seconds of one thread to read or write a pixel, for a neighbour of it along a dimension, and for a point of a transform along a dimension, times its
	 * logarithm. Fitted to {@code CorrectionTimes} on a Xeon with 1 and 16 threads, 2026-11-28.
	 */
	private static final double PIXEL = 2.1e-9, NEIGHBOUR = 0.17e-9, POINT = 1.2e-9;
	/** Seconds of one thread for the position of a deformed pixel, and for a neighbour of it. Fitted to frames of 512x512 on an EPYC, 2026-11-29. */
	private static final double POSITION = 7e-9, WEIGHTED = 0.25e-9;

	@Override
	public String id() {
		return "cpu-resample";
	}

	@Override
	public ResamplePlan plan(final Resampling p, final Device device) {
		return new ResamplePlan() {

			@Override
			public Cost cost() {
				final Constants c = device.constants();
				final double read = p.read(Sampler.MARGIN).pixels();
				double all = (read + p.frame().pixels()) * c.get("resample-pixel", PIXEL);
				if (p.deformed()) all += p.frame().pixels() * (c.get("resample-position", POSITION)
					+ p.neighboursInAll() * c.get("resample-weighted", WEIGHTED));
				else for (int d = 0; d < p.frame().dimensions(); d++) {
					final double points = Sampler.points((int) p.read(Sampler.MARGIN).get(d));
					all += p.frame().pixels() * (p.neighbours() > 0 ? p.neighbours() * c.get("resample-neighbour", NEIGHBOUR)
						: points / p.frame().get(d) * Math.log(points) / Math.log(2) * c.get("resample-point", POINT));
				}
				final long bytes = (long) (read * (2 * p.image().bytes + (p.neighbours() == 0 ? 2 * Double.BYTES : 0)));
				final long threads = Math.min(device.parallelism(), p.frames());
				return new Cost(p.frames() * all / threads, c.get("resample-start", START), threads * bytes, 0);
			}

			@Override
			public Sampler prepare() {
				return CpuSampler.INSTANCE;
			}
		};
	}
}
