package sc.fiji.ncc.bench.planner;

import java.lang.management.ManagementFactory;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.Callable;

import com.sun.management.OperatingSystemMXBean;

import net.imglib2.img.Img;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.type.numeric.real.FloatType;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import sc.fiji.ncc.NormalizedCrossCorrelation;
import sc.fiji.ncc.bench.Machine;
import sc.fiji.ncc.option.Extent;
import sc.fiji.ncc.planner.Ranking.Candidate;

/**
 * The predicted time of each CPU algorithm beside the time that it takes, for single calls on noise. The time is the least processor time of several calls over
 * the number of threads: other programs on the machine hardly change it. A cell is {@code image:template}, with {@code :full} for all lags that overlap.
 *
 * <pre>
 * mvn -q -Pbench test-compile exec:java -Dexec.mainClass=sc.fiji.ncc.bench.planner.CostEstimates -Dexec.args="--threads 1,2"
 * </pre>
 */
@Command(name = "CostEstimates", mixinStandardHelpOptions = true, sortOptions = false)
public final class CostEstimates implements Callable<Integer> {

	/** An algorithm that would take longer than this many times the shortest prediction is not run. */
	private static final double MOST = 8;

	@Option(names = "--cell", split = ",", description = "cells. Default: ${DEFAULT-VALUE}",
		defaultValue = "512:8,512:32,512:128,512:256,2000:8,2000:32,2000:128,2000:256,2000:512,2000:1000,512:512:full,1024:512:full,2048:2048:full,1024:64:full")
	private String[] cells;
	@Option(names = "--threads", split = ",", defaultValue = "1,2", description = "numbers of threads: ${DEFAULT-VALUE}")
	private int[] threads;
	@Option(names = "--repeats", defaultValue = "5", description = "timed calls of each: ${DEFAULT-VALUE}")
	private int repeats;
	@Option(names = "--warm-up", defaultValue = "3", description = "calls before the timed ones: ${DEFAULT-VALUE}")
	private int warmUp;

	private double worst = 1;

	public static void main(final String[] args) {
		final int code = new CommandLine(new CostEstimates()).execute(args);
		if (code != 0) System.exit(code);
	}

	@Override
	public Integer call() {
		System.out.println(Machine.describe());
		System.out.println("milliseconds: predicted, least processor time over the threads, and their ratio");
		for (final String cell : cells) {
			final String[] parts = cell.split(":");
			final Extent extent = parts.length > 2 ? Extent.FULL : Extent.VALID;
			final Img<FloatType> image = noise(1, Integer.parseInt(parts[0])), template = noise(2, Integer.parseInt(parts[1]));
			for (final int t : threads) cell(cell, NormalizedCrossCorrelation.of(template).extent(extent).threads(t), image, t);
		}
		System.out.printf(Locale.ROOT, "the worst ratio is %.2f%n", worst);
		return 0;
	}

	private void cell(final String name, final NormalizedCrossCorrelation op, final Img<FloatType> image, final int t) {
		final StringBuilder line = new StringBuilder(String.format("%-14s %d", name, t));
		final double least = op.explain(image).candidates().stream().filter(c -> c.applies() && c.name().startsWith("cpu")).mapToDouble(Candidate::seconds).min().orElseThrow();
		for (final Candidate c : op.explain(image).candidates()) {
			if (!c.applies() || !c.name().startsWith("cpu") || c.seconds() > MOST * least) continue;
			op.algorithm(c.name());
			for (int i = 0; i < warmUp; i++) op.correlate(image);
			double ms = Double.POSITIVE_INFINITY;
			for (int i = 0; i < repeats; i++) {
				final long start = cpu();
				op.correlate(image);
				ms = Math.min(ms, 1e-6 * (cpu() - start) / t);
			}
			final double predicted = 1e3 * c.seconds(), ratio = predicted / ms;
			worst = Math.max(worst, Math.max(ratio, 1 / ratio));
			line.append(String.format(Locale.ROOT, "  %s %.1f %.1f %.2f", c.name().substring(4), predicted, ms, ratio));
		}
		System.out.println(line);
	}

	private static long cpu() {
		return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
	}

	private static Img<FloatType> noise(final int seed, final int side) {
		final float[] values = new float[side * side];
		final Random random = new Random(seed);
		for (int i = 0; i < values.length; i++) values[i] = random.nextFloat();
		return ArrayImgs.floats(values, side, side);
	}
}
