package sc.fiji.ncc.bench.drift;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.Callable;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.array.ArrayImgs;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import sc.fiji.ncc.Backends;
import sc.fiji.ncc.bench.Machine;
import sc.fiji.ncc.bench.document.CsvOption;
import sc.fiji.ncc.numeric.GridSpline;
import sc.fiji.ncc.option.Interpolation;
import sc.fiji.ncc.option.Outside;
import sc.fiji.ncc.plan.Algorithm;
import sc.fiji.ncc.plan.Backend;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Resampling;
import sc.fiji.ncc.plan.resample.ResampleAlgorithm;
import sc.fiji.ncc.plan.resample.Sampler;
import sc.fiji.ncc.plan.resample.ResamplePlan;
import sc.fiji.ncc.plan.support.Parallel;
import sc.fiji.ncc.register.correct.CorrectedStack;
import sc.fiji.ncc.register.correct.FrameShifter;
import sc.fiji.ncc.register.correct.FrameWarper;

/**
 * The time to move a frame of 16 bits by a part of a pixel, or by a field, on each device, for one thread and for several that each move frames:
 * what the correction of a stack takes besides
 * reading and writing files. Beside it, the time that the planner predicts.
 *
 * <pre>
 * mvn -q -Pbench test-compile exec:java -Dexec.mainClass=sc.fiji.ncc.bench.drift.CorrectionTimes
 * </pre>
 */
@Command(name = "CorrectionTimes", mixinStandardHelpOptions = true, sortOptions = false)
public final class CorrectionTimes implements Callable<Integer> {

	@Option(names = "--side", split = ",", defaultValue = "512,2048", description = "the sides of frames in pixels. Default: ${DEFAULT-VALUE}")
	private int[] sides;
	@Option(names = "--threads", description = "number of threads. Default: the number of processors")
	private int threads = Runtime.getRuntime().availableProcessors();
	@Option(names = "--deformed", description = "each pixel has a motion of its own, from a field with a vector for every 32x32 pixels")
	private boolean deformed;
	@Option(names = "--rounds", defaultValue = "5", description = "rounds, of which the fastest counts. Default: ${DEFAULT-VALUE}")
	private int rounds;
	@Mixin
	private CsvOption csv;

	public static void main(final String[] arguments) {
		System.exit(new CommandLine(new CorrectionTimes()).execute(arguments));
	}

	@Override
	public Integer call() throws IOException {
		System.out.println(Machine.describe());
		csv.columns("frame", "interpolation", "algorithm", "threads", "one_thread_ms", "predicted_ms", "threads_ms", "predicted_threads_ms");
		try (Parallel parallel = new Parallel(threads)) {
			for (final int side : sides)
				for (final Interpolation i : List.of(Interpolation.LINEAR, Interpolation.CUBIC, Interpolation.LANCZOS, Interpolation.FOURIER)
					.subList(0, deformed ? 3 : 4)) for (final Backend backend : Backends.all(threads))
						for (final Algorithm<?> a : backend.algorithms())
							if (a instanceof ResampleAlgorithm r && backend.unavailable().isEmpty()) measure(side, i, r, backend.devices().get(0), parallel);
		}
		csv.write();
		return 0;
	}

	private void measure(final int side, final Interpolation i, final ResampleAlgorithm algorithm, final Device device, final Parallel parallel) {
		final short[] pixels = new short[side * side];
		final Random random = new Random(1);
		for (int k = 0; k < pixels.length; k++) pixels[k] = (short) random.nextInt(1 << 16);
		final RandomAccessibleInterval<?> frame = ArrayImgs.unsignedShorts(pixels, side, side);
		final int many = 8 * threads;
		final double[] predicted = new double[2], measured = new double[2];
		for (int k = 0; k < 2; k++) {
			final int frames = k == 0 ? 1 : many;
			final Resampling problem = CorrectedStack.problem(PixelType.U16, new long[] { side, side }, i, deformed, frames);
			final ResamplePlan plan = algorithm.plan(problem, device);
			predicted[k] = plan.cost().seconds() / frames;
			try (Sampler execution = plan.prepare()) {
				measured[k] = seconds(frames, parallel, moved(i, execution, frame));
			}
		}
		System.out.printf(Locale.ROOT, "%4d² %-8s %-14s one thread %8.3f ms, predicted %8.3f; %d threads %8.3f ms a frame, predicted %8.3f%n", side, i,
			algorithm.id(), 1e3 * measured[0], 1e3 * predicted[0], threads, 1e3 * measured[1], 1e3 * predicted[1]);
		csv.row(side + "x" + side, i.toString().toLowerCase(Locale.ROOT), algorithm.id(), threads, 1e3 * measured[0],
			1e3 * predicted[0], 1e3 * measured[1], 1e3 * predicted[1]);
	}

	/** Moves a frame. */
	private Runnable moved(final Interpolation i, final Sampler sampler, final RandomAccessibleInterval<?> frame) {
		final int side = (int) frame.dimension(0), count = side / 32;
		final int[] size = { side, side };
		final double[] shift = { 3.3, -2.6 }, origin = { 16, 16 }, spacing = { 32, 32 };
		final FrameShifter shifter = new FrameShifter(i, Outside.EDGE, sampler);
		if (!deformed) return () -> shifter.box(frame, shift, new long[2], size);
		final double[][] vectors = new double[2][count * count];
		final Random random = new Random(2);
		for (final double[] component : vectors) Arrays.setAll(component, k -> 4 * random.nextDouble());
		final FrameWarper warper = new FrameWarper(i, Outside.EDGE, sampler);
		return () -> warper.box(frame, shift, new GridSpline(new int[] { count, count }, origin, spacing, vectors), new long[2], size);
	}

	/** The time of a frame if several threads move n frames. */
	private double seconds(final int n, final Parallel parallel, final Runnable move) {
		double least = Double.POSITIVE_INFINITY;
		for (int r = 0; r < rounds + 2; r++) {
			final long start = System.nanoTime();
			parallel.each(n, k -> move.run());
			least = Math.min(least, 1e-9 * (System.nanoTime() - start) / n);
		}
		return least;
	}
}
