package sc.fiji.ncc.bench.motion;

import java.lang.management.ManagementFactory;
import java.util.Locale;

import net.imglib2.RandomAccessibleInterval;

import sc.fiji.ncc.DriftCorrection;
import sc.fiji.ncc.fixture.DeformedStack;
import sc.fiji.ncc.option.DriftReference;
import sc.fiji.ncc.result.Drift;

/**
 * What remains of a known deformation after its correction by windows: for stacks of deformed frames, and for stacks without a deformation. With the
 * references mean and previous the first frame is not where it was, so only first is compared.
 */
public final class PiecewiseAccuracy {

	private PiecewiseAccuracy() {}

	/** Arguments: the width of frames, their number, the windows. */
	public static void main(final String[] args) {
		final int size = args.length > 0 ? Integer.parseInt(args[0]) : 512, frames = args.length > 1 ? Integer.parseInt(args[1]) : 5;
		final long window = args.length > 2 ? Long.parseLong(args[2]) : 64;
		System.out.println("size,knots_px,most_px,photons,window_px,before_px,rms_px,rms_inside_px,largest_px,cpu_s_per_frame");
		for (final double knots : new double[] { 128, 64 }) for (final double most : new double[] { 8, 4, 0 }) for (final double photons : new double[] { 400, 50 }) {
			if (most == 0 && knots != 128) continue;
			final DeformedStack sample = new DeformedStack(size, frames, knots, most, photons, 3);
			final RandomAccessibleInterval<?> stack = sample.stack();
			final DriftCorrection correction = DriftCorrection.ofFrames(2).reference(DriftReference.FIRST).threads(1);
			final double[] before = errors(sample, correction.measure(stack), 0);
			final long start = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
			final Drift drift = correction.piecewise(window, window).measure(stack);
			final double seconds = 1e-9 * (ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - start) / (frames - 1);
			final double[] all = errors(sample, drift, 0), inside = errors(sample, drift, (int) window / 2);
			System.out.printf(Locale.ROOT, "%d,%.0f,%.0f,%.0f,%d,%.3f,%.4f,%.4f,%.3f,%.3f%n", size, knots, most, photons, window, before[0], all[0], inside[0],
				all[1], seconds);
		}
	}

	/** The root mean square of all frames but the first, and the largest. */
	private static double[] errors(final DeformedStack sample, final Drift drift, final int border) {
		double squares = 0, largest = 0;
		for (int t = 1; t < sample.frames(); t++) {
			final double[] e = sample.residual(drift, t, border);
			squares += e[0] * e[0];
			largest = Math.max(largest, e[1]);
		}
		return new double[] { Math.sqrt(squares / (sample.frames() - 1)), largest };
	}
}
