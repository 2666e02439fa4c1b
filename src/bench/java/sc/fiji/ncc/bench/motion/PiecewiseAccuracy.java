package sc.fiji.ncc.bench.motion;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.Locale;
import java.util.concurrent.Callable;

import net.imglib2.RandomAccessibleInterval;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import sc.fiji.ncc.DriftCorrection;
import sc.fiji.ncc.bench.document.CsvOption;
import sc.fiji.ncc.fixture.DeformedStack;
import sc.fiji.ncc.option.DriftReference;
import sc.fiji.ncc.result.Drift;

/**
 * What remains of a known deformation after its correction by windows: for stacks of deformed frames, and for stacks without a deformation. With the
 * references mean and previous the first frame is not where it was, so only first is compared.
 */
@Command(name = "PiecewiseAccuracy", mixinStandardHelpOptions = true, sortOptions = false)
public final class PiecewiseAccuracy implements Callable<Integer> {

	@Option(names = "--size", defaultValue = "512", description = "the width of a frame in pixels. Default: ${DEFAULT-VALUE}")
	private int size;
	@Option(names = "--frames", defaultValue = "9", description = "the number of frames. Default: ${DEFAULT-VALUE}")
	private int frames;
	@Option(names = "--window", defaultValue = "64", description = "the side of a window in pixels. Default: ${DEFAULT-VALUE}")
	private int window;
	@Option(names = "--backend", defaultValue = "auto", description = "cpu, cuda or auto. Default: ${DEFAULT-VALUE}")
	private String backend;
	@Mixin
	private CsvOption csv;

	public static void main(final String[] arguments) {
		System.exit(new CommandLine(new PiecewiseAccuracy()).execute(arguments));
	}

	@Override
	public Integer call() throws IOException {
		System.out.println("size,knots_px,most_px,photons,window_px,before_px,rms_px,rms_inside_px,largest_px,cpu_s_per_frame");
		csv.columns("knots_px", "most_px", "photons", "before_px", "rms_px", "rms_inside_px", "largest_px");
		for (final int knots : new int[] { 128, 64 }) for (final int most : new int[] { 8, 4, 0 }) for (final int photons : new int[] { 400, 50 }) {
			if (most == 0 && knots != 128) continue;
			final DeformedStack sample = new DeformedStack(size, frames, knots, most, photons, 3);
			final RandomAccessibleInterval<?> stack = sample.stack();
			final DriftCorrection correction = DriftCorrection.ofFrames(2).reference(DriftReference.FIRST).threads(1).backend(backend);
			final double[] before = errors(sample, correction.measure(stack), 0);
			final long start = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
			final Drift drift = correction.piecewise(window, window).measure(stack);
			final double seconds = 1e-9 * (ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - start) / (frames - 1);
			final double[] all = errors(sample, drift, 0), inside = errors(sample, drift, window / 2);
			System.out.printf(Locale.ROOT, "%d,%d,%d,%d,%d,%.3f,%.4f,%.4f,%.3f,%.3f%n", size, knots, most, photons, window, before[0], all[0], inside[0],
				all[1], seconds);
			csv.row(knots, most, photons, before[0], all[0], inside[0], all[1]);
		}
		csv.write();
		return 0;
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
