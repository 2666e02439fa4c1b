package sc.fiji.ncc.bench.drift;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.array.ArrayImgs;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import sc.fiji.ncc.Backends;
import sc.fiji.ncc.DriftCorrection;
import sc.fiji.ncc.bench.Machine;
import sc.fiji.ncc.fixture.DriftTexture;
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
 * of complete calls. The four should agree within a factor of 2. A cell is {@code side:frames:reference}.
 *
 * <pre>
 * mvn -q -Pbench test-compile exec:java -Dexec.mainClass=sc.fiji.ncc.bench.drift.ShiftTimes
 * </pre>
 */
@Command(name = "ShiftTimes", mixinStandardHelpOptions = true, sortOptions = false)
public final class ShiftTimes implements Callable<Integer> {

	@Option(names = "--cell", split = ",", description = "cells. Default: ${DEFAULT-VALUE}",
		defaultValue = "64:200:first,256:60:first,256:60:multi,512:40:multi,1024:16:first")
	private String[] cells;
	@Option(names = "--threads", defaultValue = "2", description = "number of threads. Default: ${DEFAULT-VALUE}")
	private int threads;
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
		new Planner(Backends.all(threads), calibrated).calibrate(CostCalibration.SECONDS, Monitor.NONE);
		for (final String cell : cells) {
			final String[] parts = cell.split(":");
			final List<RandomAccessibleInterval<?>> frames = frames(Integer.parseInt(parts[0]), Integer.parseInt(parts[1]));
			final DriftCorrection drift = DriftCorrection.ofFrames(2).reference(DriftReference.of(parts[2]));
			final ComputeOptions options = ComputeOptions.DEFAULT.threads(threads);
			final Planner planner = new Planner(Backends.all(threads), wisdom);
			final Ranking predicted = drift.compute(options.planner(planner)).explain(frames);
			final Ranking after = drift.compute(options.planner(new Planner(Backends.all(threads), calibrated))).explain(frames);
			final Ranking measured = drift.compute(options.planner(planner).effort(Effort.MEASURE, 60)).explain(frames);
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

	private static List<RandomAccessibleInterval<?>> frames(final int side, final int n) {
		final DriftTexture texture = new DriftTexture(side + 100, side + 100, 1.5, 7);
		final Random random = new Random(5);
		final List<RandomAccessibleInterval<?>> frames = new ArrayList<>();
		for (int t = 0; t < n; t++)
			frames.add(ArrayImgs.unsignedShorts(DriftTexture.photons(texture.frame(100 + random.nextInt(40), 100 + random.nextInt(40), side, side), 300, 0.3,
				random), side, side));
		return frames;
	}
}
