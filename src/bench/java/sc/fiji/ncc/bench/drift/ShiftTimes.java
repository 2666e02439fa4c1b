package sc.fiji.ncc.bench.drift;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;

import net.imglib2.Cursor;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.Img;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.type.numeric.RealType;
import net.imglib2.type.numeric.integer.UnsignedByteType;
import net.imglib2.type.numeric.integer.UnsignedShortType;
import net.imglib2.view.Views;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import sc.fiji.ncc.Backends;
import sc.fiji.ncc.DriftCorrection;
import sc.fiji.ncc.bench.Machine;
import sc.fiji.ncc.fixture.DriftTexture;
import sc.fiji.ncc.image.JointImage;
import sc.fiji.ncc.option.ComputeOptions;
import sc.fiji.ncc.option.DriftReference;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.planner.CostCalibration;
import sc.fiji.ncc.planner.Effort;
import sc.fiji.ncc.planner.Planner;
import sc.fiji.ncc.planner.Ranking;
import sc.fiji.ncc.planner.Ranking.Candidate;

/**
 * The time to measure a drift, for each algorithm: predicted with the shipped constants, predicted after a calibration, as {@code --effort measure} keeps it,
 * and the least time
 * of complete calls. The four should agree within a factor of 2. A cell is {@code side:frames:reference}, for example {@code 512:40:multi}, for volumes
 * {@code sidexdepth:frames:reference}. Further parts are a pixel type, as in {@code u32}; {@code masked}, with a tenth of the pixels left out;
 * {@code projections}; and a number of channels that are measured on together.
 *
 * <pre>
 * mvn -q -Pbench test-compile exec:java -Dexec.mainClass=sc.fiji.ncc.bench.drift.ShiftTimes
 * </pre>
 */
@Command(name = "ShiftTimes", mixinStandardHelpOptions = true, sortOptions = false)
public final class ShiftTimes implements Callable<Integer> {

	@Option(names = "--cell", split = ",", description = "cells. Default: ${DEFAULT-VALUE}",
		defaultValue = "64:200:first,256:60:first,256:60:multi,512:40:multi,1024:16:first,1024:2:first,512:16:first:f32,512:16:first:masked,96x32:8:first")
	private String[] cells;
	@Option(names = "--threads", defaultValue = "2", description = "number of threads. Default: ${DEFAULT-VALUE}")
	private int threads;
	@Option(names = "--seconds", defaultValue = "60", description = "limit of the time to measure an algorithm. Default: ${DEFAULT-VALUE}")
	private double seconds;
	@Option(names = "--calls", defaultValue = "5", description = "complete calls of each algorithm. Default: ${DEFAULT-VALUE}")
	private int calls;

	public static void main(final String[] arguments) {
		System.exit(new CommandLine(new ShiftTimes()).execute(arguments));
	}

	@Override
	public Integer call() throws IOException {
		System.out.println(Machine.describe());
		System.out.println("cell,algorithm,predicted_ms,calibrated_ms,measured_ms,call_ms");
		final Path wisdom = Files.createTempDirectory("wisdom").resolve("wisdom.txt"), calibrated = wisdom.resolveSibling("calibrated.txt");
		new Planner(Backends.all(threads), calibrated).calibrate(CostCalibration.SECONDS, Optional.empty(), Monitor.NONE);
		for (final String cell : cells) {
			final String[] parts = cell.split(":");
			final int[] size = Arrays.stream(parts[0].split("x")).mapToInt(Integer::parseInt).toArray();
			final List<String> further = Arrays.asList(parts).subList(3, parts.length);
			final List<RandomAccessibleInterval<?>> frames = frames(size[0], size.length > 1 ? size[1] : 1, Integer.parseInt(parts[1]), further);
			final DriftCorrection drift = DriftCorrection.ofFrames(size.length > 1 ? 3 : 2).reference(DriftReference.of(parts[2]))
				.projections(further.contains("projections"));
			if (further.contains("masked")) drift.imageMask(mask(frames.get(0).dimensionsAsLongArray()));
			final ComputeOptions options = ComputeOptions.DEFAULT.threads(threads);
			final Planner planner = new Planner(Backends.all(threads), wisdom);
			final Ranking predicted = drift.compute(options.planner(planner)).explain(frames);
			final Ranking after = drift.compute(options.planner(new Planner(Backends.all(threads), calibrated))).explain(frames);
			final Ranking measured = drift.compute(options.planner(planner).effort(Effort.MEASURE, seconds)).explain(frames);
			for (final Candidate c : predicted.candidates()) {
				if (!c.applies()) continue;
				double least = Double.POSITIVE_INFINITY;
				for (int i = 0; i < calls; i++) {
					final long start = System.nanoTime();
					drift.compute(options.planner(planner).algorithm(c.name()).backend(c.algorithm().id().substring(0, c.name().indexOf('-')))).measure(frames);
					least = Math.min(least, 1e-9 * (System.nanoTime() - start));
				}
				System.out.printf(Locale.ROOT, "%s,%s,%.3g,%.3g,%.3g,%.3g%n", cell, c.name(), 1e3 * c.seconds(), 1e3 * of(after, c.name()), 1e3 * of(measured,
					c.name()), 1e3 * least);
			}
		}
		return 0;
	}

	private static double of(final Ranking ranking, final String name) {
		final Optional<Candidate> found = ranking.candidates().stream().filter(c -> c.applies() && c.name().equals(name)).findFirst();
		return found.map(Candidate::seconds).orElse(Double.NaN);
	}

	private static RandomAccessibleInterval<?> mask(final long[] size) {
		final Img<UnsignedByteType> mask = ArrayImgs.unsignedBytes(size);
		int i = 0;
		for (final UnsignedByteType m : mask) m.set(i++ % 10 == 0 ? 0 : 1);
		return mask;
	}

	private static List<RandomAccessibleInterval<?>> frames(final int side, final int depth, final int n, final List<String> further) {
		final DriftTexture texture = new DriftTexture(side + 100, side + 100 + depth * depth, 1.5, 7);
		final Random random = new Random(5);
		final List<RandomAccessibleInterval<?>> frames = new ArrayList<>();
		final int channels = further.stream().filter(f -> f.matches("[0-9]+")).mapToInt(Integer::parseInt).findFirst().orElse(1);
		for (int t = 0; t < n; t++) {
			final int x = 100 + random.nextInt(40), y = 100 + random.nextInt(40);
			final List<RandomAccessibleInterval<?>> all = new ArrayList<>();
			for (int c = 0; c < channels; c++) all.add(frame(texture, x, y, side, depth, further, random));
			frames.add(channels == 1 ? all.get(0) : JointImage.of(all));
		}
		return frames;
	}

	/** A frame of this type. The planes of a volume show parts of the texture at distances of different lengths. */
	private static RandomAccessibleInterval<?> frame(final DriftTexture texture, final int x, final int y, final int side, final int depth,
		final List<String> further, final Random random)
	{
		final short[] all = new short[side * side * depth];
		for (int z = 0; z < depth; z++)
			System.arraycopy(DriftTexture.photons(texture.frame(x, y + DriftTexture.FINE * z * z, side, side), 300, 0.3, random), 0, all, z * side * side,
				side * side);
		final long[] size = depth == 1 ? new long[] { side, side } : new long[] { side, side, depth };
		final RandomAccessibleInterval<UnsignedShortType> image = ArrayImgs.unsignedShorts(all, size);
		if (further.contains("u8")) return typed(image, ArrayImgs.unsignedBytes(size));
		if (further.contains("u32")) return typed(image, ArrayImgs.unsignedInts(size));
		if (further.contains("f32")) return typed(image, ArrayImgs.floats(size));
		return further.contains("f64") ? typed(image, ArrayImgs.doubles(size)) : image;
	}

	private static <T extends RealType<T>> Img<T> typed(final RandomAccessibleInterval<UnsignedShortType> from, final Img<T> to) {
		final Cursor<T> c = to.cursor();
		for (final UnsignedShortType v : Views.flatIterable(from)) c.next().setReal(v.get());
		return to;
	}
}
