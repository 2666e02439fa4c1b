package sc.fiji.ncc.cpu;

import sc.fiji.ncc.cpu.deform.DeformedCells;
import sc.fiji.ncc.plan.Constants;
import sc.fiji.ncc.plan.Cost;
import sc.fiji.ncc.plan.Deformations;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.deform.DeformAlgorithm;
import sc.fiji.ncc.plan.deform.DeformExecution;
import sc.fiji.ncc.plan.deform.DeformPlan;

/** Deformations in planes and volumes, see {@link DeformedCells}. Each thread fits a frame. */
final class CpuDeform implements DeformAlgorithm {

	/** Seconds to start in a new process. */
	private static final double START = 0.1;
	/**
	 * Seconds of one thread for a pixel of the area of all windows: in all passes, and in volumes. The first one is fitted to {@code
	 * PiecewiseSpeed} on a Xeon, 2026-11-29: 57 % of 36 ms for 576x576 pixels. The other one follows from a calibration on an EPYC, 2026-11-29: 2.1
	 * times the time of a pixel.
	 */
	private static final double PIXEL = 62e-9, VOXEL = 130e-9;

	@Override
	public String id() {
		return "cpu-deform";
	}

	@Override
	public DeformPlan plan(final Deformations p, final Device device) {
		return new DeformPlan() {

			@Override
			public Cost cost() {
				final Constants c = device.constants();
				final double pixels = p.area().pixels();
				final double frame = pixels * (p.frame().dimensions() == 2 ? c.get("deform-pixel", PIXEL) : c.get("deform-voxel", VOXEL));
				final long threads = Math.max(1, Math.min(device.parallelism(), p.frames()));
				return new Cost(p.frames() * frame / threads, c.get("deform-start", START), (long) (threads * 40 * pixels), 0);
			}

			@Override
			public DeformExecution prepare(final int threads) {
				return new DeformedCells(p, threads);
			}
		};
	}
}
