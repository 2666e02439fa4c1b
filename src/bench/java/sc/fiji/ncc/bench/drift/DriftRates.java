package sc.fiji.ncc.bench.drift;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.Img;
import net.imglib2.type.numeric.integer.UnsignedShortType;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import sc.fiji.ncc.DriftCorrection;
import sc.fiji.ncc.bench.Machine;
import sc.fiji.ncc.bench.document.CsvOption;
import sc.fiji.ncc.fixture.DriftTexture;
import sc.fiji.ncc.image.ImagePixels;
import sc.fiji.ncc.option.DriftReference;
import sc.fiji.ncc.option.Interpolation;
import sc.fiji.ncc.option.Outside;
import sc.fiji.ncc.result.Drift;
import sc.fiji.ncc.plan.support.Parallel;

/**
 * Frames per second of drift correction by the number of threads, from arrays to arrays. Frames are 16-bit integers. Correction is linear.
 *
 * <pre>
 * mvn -q -Pbench test-compile exec:java -Dexec.mainClass=sc.fiji.ncc.bench.drift.DriftRates -Dexec.args="--size 512 --threads 1,2"
 * </pre>
 */
@Command(name = "DriftRates", mixinStandardHelpOptions = true, sortOptions = false)
public final class DriftRates implements Callable<Integer> {

	@Option(names = "--size", split = ",", defaultValue = "512", description = "sides of a frame: ${DEFAULT-VALUE}")
	private int[] sizes;
	@Option(names = "--frames", split = ",", defaultValue = "256", description = "frames, a number for all sizes or one for each: ${DEFAULT-VALUE}")
	private int[] frameCounts;
	@Option(names = "--threads", split = ",", defaultValue = "1,2", description = "numbers of threads: ${DEFAULT-VALUE}")
	private int[] threads;
	@Option(names = "--reference", split = ",", defaultValue = "first,multi", description = "references: ${DEFAULT-VALUE}")
	private String[] references;
	@Option(names = "--backend", split = ",", defaultValue = "cpu", description = "backends, by turns: ${DEFAULT-VALUE}")
	private String[] backends;
	@Option(names = "--max-shift", defaultValue = "40", description = "the maximum shift in pixels; 0 for any: ${DEFAULT-VALUE}")
	private int maxShift;
	@Option(names = "--seconds", defaultValue = "2", description = "seconds for each, at least three runs: ${DEFAULT-VALUE}")
	private double seconds;
	@Mixin
	private CsvOption csv;

	public static void main(final String[] args) {
		final int code = new CommandLine(new DriftRates()).execute(args);
		if (code != 0) System.exit(code);
	}

	@Override
	public Integer call() throws IOException {
		System.out.println(Machine.describe());
		csv.columns("frame", "reference", "work", "threads", "backend", "frames_a_second", "most_frames_a_second");
		for (int i = 0; i < sizes.length; i++) measure(sizes[i], frameCounts[Math.min(i, frameCounts.length - 1)]);
		csv.write();
		return 0;
	}

	private void measure(final int size, final int frames) {
		final int wide = size + 24;
		final DriftTexture texture = new DriftTexture(wide, wide, 1.3, 2);
		final Random random = new Random(9);
		// few different frames, because they take long to make
		final short[][] few = new short[16][];
		for (int t = 0; t < few.length; t++) few[t] = DriftTexture.photons(texture.frame(60 + random.nextInt(60), 60 + random.nextInt(60), size, size), 200, 0.3, random);
		final short[][] stack = new short[frames][];
		for (int t = 0; t < frames; t++) stack[t] = few[t % few.length].clone();
		final RandomAccessibleInterval<UnsignedShortType> image = DriftTexture.stack(stack, size, size);
		System.out.printf("%d frames of %dx%d pixels, 16 bit, maximum shift %s: frames per second, median and best%n", frames, size, size, maxShift == 0 ? "any" : maxShift);
		for (final int n : threads)
			for (final String reference : references) for (final String backend : backends) {
				final DriftCorrection correction = DriftCorrection.ofFrames(2).reference(DriftReference.of(reference)).threads(n).backend(backend);
				if (maxShift > 0) correction.maxShift(maxShift, maxShift);
				row(size, backend, n, reference, "measured", rate(frames, () -> correction.measure(image)));
				row(size, backend, n, reference, "measured and corrected", rate(frames, () -> correct(image, correction.measure(image), n)));
			}
	}

	private void row(final int size, final String backend, final int n, final String reference, final String work, final double[] rates) {
		System.out.printf("%-4s threads %2d, %-8s %s %7.0f %7.0f%n", backend, n, reference, work, rates[0], rates[1]);
		csv.row(size + "x" + size, reference, work, n, backend, Math.round(rates[0]), Math.round(rates[1]));
	}

	private void correct(final RandomAccessibleInterval<UnsignedShortType> image, final Drift drift, final int n) {
		final Img<?> corrected = DriftCorrection.correct(image, 2, drift, Interpolation.LINEAR, Outside.BLACK);
		final ImagePixels pixels = ImagePixels.of(corrected);
		final int width = (int) image.dimension(0), height = (int) image.dimension(1), frames = (int) image.dimension(2);
		try (Parallel parallel = new Parallel(n)) {
			parallel.each(frames, t -> pixels.read(new long[] { 0, 0, t }, new int[] { width, height, 1 }, pixels.type().allocate(width * height)));
		}
	}

	/** The median and the best, in frames a second. */
	private double[] rate(final int frames, final Runnable work) {
		final List<Double> rates = new ArrayList<>();
		final long start = System.nanoTime();
		// half of the time warms up
		for (boolean warm = false; rates.size() < 3 || System.nanoTime() - start < 1e9 * seconds; warm = true) {
			final long before = System.nanoTime();
			work.run();
			if (warm && System.nanoTime() - start > 0.5e9 * seconds) rates.add(1e9 * frames / (System.nanoTime() - before));
		}
		Collections.sort(rates);
		return new double[] { rates.get(rates.size() / 2), rates.get(rates.size() - 1) };
	}
}
