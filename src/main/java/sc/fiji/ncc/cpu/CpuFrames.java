package sc.fiji.ncc.cpu;

import java.util.Optional;

import sc.fiji.ncc.cpu.frame.FrameCorrelator;
import sc.fiji.ncc.cpu.frame.FrameCorrelator.Search;
import sc.fiji.ncc.cpu.frame.FrameExecution;
import sc.fiji.ncc.plan.Constants;
import sc.fiji.ncc.plan.Cost;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.FramePairs;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.shift.ShiftAlgorithm;
import sc.fiji.ncc.plan.shift.ShiftExecution;
import sc.fiji.ncc.plan.shift.ShiftPlan;

/**
 * The shifts between whole frames of any type, in two or three dimensions, see {@link FrameCorrelator}. The binned form searches frames of
 * which several pixels are one, then the lags around the best peak at full resolution. Where that is not clear, it takes whole frames, too.
 */
final class CpuFrames implements ShiftAlgorithm {

	/** The share of the heap that transformed frames may fill, and the threads' working memory. */
	private static final double SHARE_OF_FRAMES = 0.25, SHARE_OF_WORK = 0.2;
	/** Seconds to start in a new process. */
	private static final double START = 0.15;
	/**
	 * Seconds of one thread to read a pixel and to compare a pixel of a pair, binned and whole; for a point of a transform, times its
	 * logarithm; and for each frame and each pair. Between those that {@code ShiftTimes} measured on a Xeon and on an EPYC with two
	 * threads, 2026-11-24.
	 */
	private static final double BINNED_PIXEL = 4e-9, BINNED_PAIR = 7.5e-9, PIXEL = 6e-9, PAIR = 10e-9, POINT = 0.7e-9, EACH = 2.5e-4;
	/** The share by which each further thread slows down the others. */
	private static final double SHARED = 0.07;
	/** The transforms of a pair with masks over those of a pair without. */
	private static final double MASKED = 12;

	private final boolean binned;

	CpuFrames(final boolean binned) {
		this.binned = binned;
	}

	@Override
	public String id() {
		return binned ? "cpu-frames-binned" : "cpu-frames";
	}

	@Override
	public Optional<String> unsupported(final FramePairs p) {
		if (!binned) return Optional.empty();
		if (p.masked()) return Optional.of("binned frames have no masks: use cpu-frames");
		if (p.peaks() > 1) return Optional.of("binned frames give one peak, and " + p.peaks() + " are wanted: use cpu-frames");
		for (int d = 0; d < 2; d++)
			if (Math.min(p.fixed().get(d), p.moving().get(d)) < FrameCorrelator.LEAST_BINNED)
				return Optional.of("binned frames need at least " + FrameCorrelator.LEAST_BINNED + " pixels along x and y, and the frames are " + p.fixed()
					+ ": use cpu-frames");
		return Optional.empty();
	}

	@Override
	public ShiftPlan plan(final FramePairs p, final Device device) {
		final FrameCorrelator correlator = correlator(p, device);
		return new ShiftPlan() {

			@Override
			public Cost cost() {
				return CpuFrames.this.cost(p, correlator, device);
			}

			@Override
			public ShiftExecution.Capacity capacity(final double heap) {
				return ShiftExecution.Capacity.of(SHARE_OF_FRAMES * heap / correlator.frameBytes(), Math.min(device.parallelism(),
					SHARE_OF_WORK * heap / correlator.workerBytes()));
			}

			@Override
			public ShiftExecution prepare(final int threads, final Monitor monitor) {
				final ShiftExecution.Capacity capacity = capacity(device.memory());
				return new FrameExecution(correlator(p, device), new ShiftExecution.Capacity(Math.min(threads, capacity.threads()), capacity.batches(),
					capacity.held()), monitor);
			}
		};
	}

	private FrameCorrelator correlator(final FramePairs p, final Device device) {
		return new FrameCorrelator(FramePairs.extents(p.fixed()), FramePairs.extents(p.moving()),
			new FrameCorrelator.Lags(p.maxShifts(), p.minOverlap()), p.peaks(), p.subpixel(),
			binned ? Search.BINNED : p.masked() || p.frames() < 2 * p.pairs() ? Search.WHOLE : Search.ONCE, SHARE_OF_WORK * device.memory());
	}

	private Cost cost(final FramePairs p, final FrameCorrelator correlator, final Device device) {
		final Constants c = device.constants();
		final double pixels = (p.fixed().pixels() + (double) p.moving().pixels()) / 2;
		final double point = c.get("frame-point", POINT);
		final double each = c.get("frame-each", EACH);
		final double frame = each + (binned ? c.get("frame-binned-pixel", BINNED_PIXEL) : c.get("frame-pixel", PIXEL)) * pixels
			+ p.computing() * pixels + (p.masked() ? 0 : point * correlator.frameWork());
		final double pair = each + (binned ? c.get("frame-binned-pair", BINNED_PAIR) : c.get("frame-pair", PAIR)) * pixels
			+ (p.masked() ? MASKED : 1) * point * correlator.pairWork();
		final double most = Math.min(device.parallelism(), Math.ceil(p.frames() / 2.0)), threads = most / (1 + SHARED * (most - 1));
		return new Cost((p.frames() * frame + p.pairs() * pair) / threads, 0, c.get("frame-start", START), (long) (most * correlator.workerBytes()
			+ 16.0 * correlator.frameBytes()), 0);
	}
}
