package sc.fiji.ncc.bench.drift;

import java.util.Locale;
import java.util.Random;
import java.util.concurrent.Callable;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.array.ArrayImgs;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import sc.fiji.ncc.bench.Machine;
import sc.fiji.ncc.option.Interpolation;
import sc.fiji.ncc.option.Outside;
import sc.fiji.ncc.plan.support.Parallel;
import sc.fiji.ncc.register.correct.FrameShifter;

/**
 * The time to move a plane of 16 bits by a part of a pixel, with one thread and with all: what the correction of a stack takes besides reading and writing.
 * {@code link_ms} is the time of the same bytes to a card and back, with the copies into pinned memory and out of it, at the given rate.
 *
 * <pre>
 * mvn -q -Pbench test-compile exec:java -Dexec.mainClass=sc.fiji.ncc.bench.drift.CorrectionTimes
 * </pre>
 */
@Command(name = "CorrectionTimes", mixinStandardHelpOptions = true, sortOptions = false)
public final class CorrectionTimes implements Callable<Integer> {

	@Option(names = "--side", defaultValue = "2048", description = "the side of a plane in pixels. Default: ${DEFAULT-VALUE}")
	private int side;
	@Option(names = "--threads", defaultValue = "2", description = "number of threads. Default: ${DEFAULT-VALUE}")
	private int threads;
	@Option(names = "--rounds", defaultValue = "5", description = "rounds, of which the fastest counts. Default: ${DEFAULT-VALUE}")
	private int rounds;
	@Option(names = "--link", defaultValue = "50", description = "GB/s of a link in each direction. Default: ${DEFAULT-VALUE}")
	private double link;

	public static void main(final String[] arguments) {
		System.exit(new CommandLine(new CorrectionTimes()).execute(arguments));
	}

	@Override
	public Integer call() {
		System.out.println(Machine.describe());
		System.out.println("interpolation,one_thread_ms,all_threads_ms,link_ms");
		final short[] pixels = new short[side * side];
		final Random random = new Random(1);
		for (int i = 0; i < pixels.length; i++) pixels[i] = (short) random.nextInt(1 << 16);
		final RandomAccessibleInterval<?> frame = ArrayImgs.unsignedShorts(pixels, side, side);
		try (Parallel parallel = new Parallel(threads)) {
			for (final Interpolation i : Interpolation.values()) {
				final FrameShifter shifter = new FrameShifter(i, Outside.EDGE);
				System.out.printf(Locale.ROOT, "%s,%.3g,%.3g,%.3g%n", i, 1e3 * seconds(1, parallel, shifter, frame), 1e3 * seconds(threads, parallel, shifter, frame),
					4e-6 * side * side / link);
			}
		}
		return 0;
	}

	/** The time of a plane if n planes are moved at the same time. */
	private double seconds(final int n, final Parallel parallel, final FrameShifter shifter, final RandomAccessibleInterval<?> frame) {
		double least = Double.POSITIVE_INFINITY;
		for (int r = 0; r < rounds; r++) {
			final long start = System.nanoTime();
			parallel.each(n, k -> shifter.box(frame, new double[] { 3.3, -2.6 }, new long[2], new int[] { side, side }));
			least = Math.min(least, 1e-9 * (System.nanoTime() - start) / n);
		}
		return least;
	}
}
