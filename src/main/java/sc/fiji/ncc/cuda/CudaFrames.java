package sc.fiji.ncc.cuda;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import sc.fiji.ncc.cuda.driver.Cufft;
import sc.fiji.ncc.cuda.driver.CudaDevice;
import sc.fiji.ncc.cuda.driver.Driver;
import sc.fiji.ncc.cuda.driver.GpuGroup;
import sc.fiji.ncc.cuda.frame.GpuFrames;
import sc.fiji.ncc.cuda.frame.FrameRange;
import sc.fiji.ncc.plan.Cost;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.DeviceException;
import sc.fiji.ncc.plan.FramePairs;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.shift.ShiftAlgorithm;
import sc.fiji.ncc.plan.shift.ShiftExecution;
import sc.fiji.ncc.plan.shift.ShiftPlan;

/** The shifts between whole frames, see {@link GpuFrames}. The GPUs of a group share the pairs, see {@link MultiDeviceShifts}. */
final class CudaFrames implements ShiftAlgorithm {

	/**
	 * Seconds: a byte of a frame with its sums, of many frames and of one of two; a point of a transform of a pair, with masks of all its
	 * transforms; a pixel of a fit on one multiprocessor; each frame, each pair, each pair with masks; to prepare. On an H200, measured
	 * times were 0.66 to 1.80 of the predicted ones in 11 rows of {@code ShiftTimes}, 2026-11-24.
	 */
	private static final double SENT = 0.3e-9, SENT_ALONE = 0.5e-9, POINT = 0.015e-9, MASKED_POINT = 0.15e-9, FIT = 4e-9, FRAME = 10e-6, PAIR = 10e-6,
		MASKED_PAIR = 300e-6, PREPARE = 16e-3;
	/** The seconds of a thread of the host to read a pixel. */
	private static final double READ = 0.5e-9;
	/** The frames whose memory is a part of the estimate. */
	private static final int HELD = 64;

	@Override
	public String id() {
		return "cuda-frames";
	}

	@Override
	public Optional<String> unsupported(final FramePairs p) {
		final long bytes = Math.max(p.fixed().pixels(), p.moving().pixels()) * p.image().bytes;
		if (bytes > GpuFrames.MOST_BYTES) return Optional.of("a GPU measures frames of up to " + GpuFrames.MOST_BYTES + " bytes, and these have " + bytes);
		if (p.peaks() > GpuFrames.MOST_PEAKS) return Optional.of("a GPU finds up to " + GpuFrames.MOST_PEAKS + " peaks, and " + p.peaks()
			+ " are wanted");
		return Optional.empty();
	}

	@Override
	public Optional<String> unsupported(final FramePairs p, final Device device) {
		final Optional<String> reason = unsupported(p);
		if (reason.isPresent()) return reason;
		if (Cufft.missing() != null) return Optional.of(Cufft.missing());
		if (gpus(device).isEmpty()) return Optional.of("this device is off");
		return gpus(device).size() > 1 && p.pairs() < 2 ? Optional.of("one pair of frames is measured on one GPU, and this device is several") : Optional.empty();
	}

	/** One GPU, or those of a group. */
	private static List<CudaDevice> gpus(final Device device) {
		final List<CudaDevice> all = Driver.devices().list();
		return Stream.concat(all.stream().filter(d -> d.device.id().equals(device.id())), GpuGroup.of(all).stream().filter(g -> g.device().id().equals(
			device.id())).flatMap(g -> g.gpus().stream())).toList();
	}

	@Override
	public ShiftPlan plan(final FramePairs p, final Device device) {
		final List<CudaDevice> gpus = gpus(device);
		final FrameRange range = FrameRange.of(p);
		final CudaCost costs = new CudaCost(gpus.get(0), device.constants());
		final double memory = gpus.stream().mapToLong(g -> g.device.memory()).min().orElseThrow();
		final int processors = Runtime.getRuntime().availableProcessors();
		return new ShiftPlan() {

			@Override
			public Cost cost() {
				final double pixels = (p.fixed().pixels() + (double) p.moving().pixels()) / 2, points = GpuFrames.points(range);
				final double sent = p.frames() > 2 ? costs.seconds("frames-byte", SENT) : costs.seconds("frames-byte-alone", SENT_ALONE);
				final double host = pixels * (READ + p.computing()) / processors, frame = costs.seconds("frames-each", FRAME) + pixels * p.image().bytes * sent;
				final double fit = p.subpixel() ? costs.seconds("frames-fit", FIT) * pixels / Math.min(p.pairs(), costs.processors) : 0;
				final double pair = fit + (p.masked() ? costs.seconds("frames-pair-masked", MASKED_PAIR) + costs.seconds("frames-point-masked", MASKED_POINT) * points
					: costs.seconds("frames-pair", PAIR) + costs.seconds("frames-point", POINT) * points);
				// frames of several pairs are sent to several GPUs (not measured)
				final double share = 1.0 / gpus.size(), once = PREPARE * gpus.size();
				return new Cost(once + p.frames() * (host + frame * (p.pairs() > p.frames() ? 1 : share)) + p.pairs() * pair * share, once,
					costs.start() * gpus.size(), (long) (2 * processors * pixels * p.image().bytes), (long) (HELD * memory / GpuFrames.capacity(range, memory)));
			}

			@Override
			public ShiftExecution.Capacity capacity(final double heap) {
				// a thread that waits for a stream leaves its processor to another one
				return ShiftExecution.Capacity.of(GpuFrames.capacity(range, memory), processors + GpuFrames.LANES);
			}

			@Override
			public ShiftExecution prepare(final int threads, final Monitor monitor) {
				final List<ShiftExecution> members = new ArrayList<>();
				try {
					for (final CudaDevice gpu : gpus) {
						if (gpu.lost() != null) throw new DeviceException(gpu.lost());
						members.add(new GpuFrames(gpu, p, Math.max(1, threads / gpus.size()), monitor));
					}
				}
				catch (final RuntimeException | Error e) {
					MultiDeviceShifts.close(members, e);
					throw e;
				}
				return members.size() == 1 ? members.get(0) : new MultiDeviceShifts(members, threads);
			}
		};
	}
}
