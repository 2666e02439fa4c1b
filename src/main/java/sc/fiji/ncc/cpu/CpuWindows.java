package sc.fiji.ncc.cpu;

import java.util.Optional;

import sc.fiji.ncc.cpu.patch.PatchExecution;
import sc.fiji.ncc.cpu.patch.PatchShape;
import sc.fiji.ncc.plan.Constants;
import sc.fiji.ncc.plan.Cost;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.WindowPairs;
import sc.fiji.ncc.plan.window.WindowAlgorithm;
import sc.fiji.ncc.plan.window.WindowExecution;
import sc.fiji.ncc.plan.window.WindowPlan;

/** Windows of a grid by sums of products over patches, which windows that overlap share, of frames of any type, in two or three dimensions. */
final class CpuWindows implements WindowAlgorithm {

	/** Seconds to start in a new process. */
	private static final double START = 0.1;
	/**
	 * Seconds of one thread for a multiply-add in float and in double, for a loop over the lags, to add a sum of a patch, to read and sum a
	 * place, and for the peaks of a response. Chosen so that predictions come near the times of {@code MotionSpeed} on an EPYC with two
	 * threads, 2026-11-24.
	 */
	private static final double NARROW = 5.5e-11, WIDE = 1e-10, LOOP = 1.2e-8, ADDITION = 4e-10, PLACE = 1e-8, RESPONSE = 2.5e-9;
	/** How many times the products of windows with missing pixels take, and the share of such windows. */
	private static final double MASKED = 6, SHARE = 0.15;

	@Override
	public String id() {
		return "cpu-windows";
	}

	@Override
	public Optional<String> unsupported(final WindowPairs p) {
		return p.shape() == WindowPairs.Shape.SQUARE ? Optional.empty() : Optional.of("windows share sums only if their pixels count alike");
	}

	@Override
	public Optional<String> unsupported(final WindowPairs p, final Device device) {
		if (unsupported(p).isPresent()) return unsupported(p);
		if (p.lags().pixels() > PatchShape.MAX_LAGS) return Optional.of("it supports at most " + PatchShape.MAX_LAGS + " lags, not " + p.lags());
		if (p.window().pixels() > PatchShape.MAX_PIXELS) return Optional.of("it supports windows of at most " + PatchShape.MAX_PIXELS + " pixels, not " + p.window());
		final PatchShape shape = new PatchShape(p, device.parallelism());
		final double bytes = shape.bytes() * device.parallelism();
		if (shape.exceeds()) return Optional.of("windows of " + p.window() + " with " + p.lags() + " lags are too many numbers for a tile: choose smaller ones");
		return bytes <= device.memory() ? Optional.empty() : Optional.of("a tile of windows of " + p.window() + " with " + p.lags() + " lags needs "
			+ (long) (bytes / 1e6) + " MB, the limit is " + device.memory() / 1_000_000 + " MB");
	}

	@Override
	public WindowPlan plan(final WindowPairs p, final Device device) {
		final PatchShape shape = new PatchShape(p, device.parallelism());
		return new WindowPlan() {

			@Override
			public Cost cost() {
				return CpuWindows.cost(p, shape, device);
			}

			@Override
			public WindowExecution prepare(final int threads) {
				return new PatchExecution(shape, Math.min(threads, device.parallelism()));
			}
		};
	}

	private static Cost cost(final WindowPairs p, final PatchShape shape, final Device device) {
		final Constants c = device.constants();
		final PatchShape.Work work = shape.work();
		final double product = p.image().bytes == 1 ? c.get("windows-narrow", NARROW) : c.get("windows-wide", WIDE);
		final double kinds = p.masked() ? 1 + SHARE * MASKED : 1;
		final double pair = kinds * (product * work.products() + c.get("windows-loop", LOOP) * work.loops() + c.get("windows-addition", ADDITION) * work.additions())
			+ c.get("windows-place", PLACE) * work.positions() + c.get("windows-response", RESPONSE) * work.windows() * p.lags().pixels();
		final int threads = Math.min(device.parallelism(), shape.tiles());
		return new Cost(p.frames() * pair / threads, c.get("windows-start", START), (long) (threads * shape.bytes()), 0);
	}
}
