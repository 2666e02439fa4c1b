package sc.fiji.ncc.bench.motion;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.LongSupplier;

import com.sun.management.OperatingSystemMXBean;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.view.Views;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import sc.fiji.ncc.DriftCorrection;
import sc.fiji.ncc.bench.Machine;
import sc.fiji.ncc.bench.document.CsvOption;
import sc.fiji.ncc.fixture.DeformedStack;
import sc.fiji.ncc.option.DriftReference;
import sc.fiji.ncc.option.Interpolation;
import sc.fiji.ncc.option.Outside;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.support.Parallel;
import sc.fiji.ncc.result.Drift;

/**
 * The time in which deformations are measured: stacks of 16 bits whose frames are deformed, against the first frame. The processor time is that of the
 * process, or of the thread if there is only one. <em>Corrected</em> is the time from the frames to their corrected pixels. Times are those of the fastest
 * of several calls.
 */
@Command(name = "PiecewiseSpeed", mixinStandardHelpOptions = true, sortOptions = false)
public final class PiecewiseSpeed implements Callable<Integer> {

	private static final String[] COLUMNS = { "backend", "size", "window", "most_px", "threads", "cpu_ms", "shifts_ms", "elapsed_ms", "frames_a_second",
		"corrected_ms", "corrected_a_second" };

	@Option(names = "--size", split = ",", defaultValue = "512", description = "widths of frames in pixels. Default: ${DEFAULT-VALUE}")
	private int[] sizes;
	@Option(names = "--frames", defaultValue = "17", description = "the number of frames. Default: ${DEFAULT-VALUE}")
	private int frames;
	@Option(names = "--window", defaultValue = "64", description = "the side of a window in pixels. Default: ${DEFAULT-VALUE}")
	private long window;
	@Option(names = "--most", split = ",", defaultValue = "8,0", description = "largest motions in pixels. Default: ${DEFAULT-VALUE}")
	private double[] most;
	@Option(names = "--threads", split = ",", defaultValue = "1,2", description = "numbers of threads. Default: ${DEFAULT-VALUE}")
	private int[] threads;
	@Option(names = "--distinct", defaultValue = "33", description = "the number of frames that differ: others repeat them. Default: ${DEFAULT-VALUE}")
	private int distinct;
	@Option(names = "--backend", split = ",", defaultValue = "auto", description = "cpu, cuda or auto. Default: ${DEFAULT-VALUE}")
	private String[] backends;
	@Option(names = "--repeats", defaultValue = "6", description = "calls. Default: ${DEFAULT-VALUE}")
	private int repeats;
	@Mixin
	private CsvOption csv;

	public static void main(final String[] arguments) {
		System.exit(new CommandLine(new PiecewiseSpeed()).execute(arguments));
	}

	@Override
	public Integer call() throws IOException {
		System.out.println(Machine.describe());
		System.out.println(String.join(",", COLUMNS));
		csv.columns(COLUMNS);
		for (final int size : sizes) for (final double motion : most) {
			final RandomAccessibleInterval<?> stack = new DeformedStack(size, Math.min(frames, distinct), 128, motion, 400, 3).stack();
			final List<RandomAccessibleInterval<?>> all = new ArrayList<>();
			for (int t = 0; t < frames; t++) all.add(Views.hyperSlice(stack, 2, t < distinct ? t : 1 + (t - 1) % (distinct - 1)));
			for (final String backend : backends) for (final int count : threads) measure(backend, all, size, motion, count);
		}
		csv.write();
		return 0;
	}

	private void measure(final String backend, final List<RandomAccessibleInterval<?>> stack, final int size, final double motion,
		final int count)
	{
		// with one thread all work is in this one, so the time of the compiler does not count
		final LongSupplier time = count == 1 ? ManagementFactory.getThreadMXBean()::getCurrentThreadCpuTime
			: ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())::getProcessCpuTime;
		final DriftCorrection correction = DriftCorrection.ofFrames(2).reference(DriftReference.FIRST).threads(count).backend(backend)
			.piecewise(window, window);
		double cpu = Double.POSITIVE_INFINITY, elapsed = cpu, shifts = cpu, corrected = cpu;
		final ShiftsDone monitor = new ShiftsDone(stack.size());
		correction.monitor(monitor);
		for (int r = 0; r < repeats; r++) {
			final long before = time.getAsLong(), start = System.nanoTime();
			monitor.done = 0;
			final Drift drift = correction.measure(stack);
			shifts = Math.min(shifts, 1e-6 * (monitor.at - start) / (frames - 1));
			elapsed = Math.min(elapsed, 1e-6 * (System.nanoTime() - start) / (frames - 1));
			cpu = Math.min(cpu, 1e-6 * (time.getAsLong() - before) / (frames - 1));
			correct(correction, stack, drift, count);
			corrected = Math.min(corrected, 1e-6 * (System.nanoTime() - start) / (frames - 1));
		}
		System.out.printf(Locale.ROOT, "%s,%d,%d,%.0f,%d,%.2f,%.3f,%.3f,%.1f,%.3f,%.1f%n", backend, size, window, motion, count, cpu, shifts, elapsed,
			1e3 / elapsed, corrected, 1e3 / corrected);
		csv.row(backend, size, window, (int) motion, count, cpu, shifts, elapsed, 1e3 / elapsed, corrected, 1e3 / corrected);
	}

	/** Computes the pixels of all frames but the first one. */
	private static void correct(final DriftCorrection correction, final List<RandomAccessibleInterval<?>> stack, final Drift drift, final int count) {
		try (Parallel parallel = new Parallel(count)) {
			parallel.each(stack.size() - 1, t -> {
				// the first pixel computes the plane
				correction.correctedFrame(stack.get(t + 1), t + 1, drift, Interpolation.LANCZOS, Outside.EDGE).firstElement();
			});
		}
	}

	/** Remembers when the shifts of all frames are measured. */
	private static final class ShiftsDone implements Monitor {

		private final long frames;
		private volatile long at;
		private long done;

		ShiftsDone(final long frames) {
			this.frames = frames;
		}

		@Override
		public synchronized void done(final long more) {
			if (done < frames && done + more >= frames) at = System.nanoTime();
			done += more;
		}
	}
}
