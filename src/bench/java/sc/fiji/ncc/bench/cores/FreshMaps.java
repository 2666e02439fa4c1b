package sc.fiji.ncc.bench.cores;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;

import net.imglib2.img.Img;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.type.numeric.RealType;
import net.imglib2.type.numeric.real.FloatType;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import sc.fiji.ncc.NormalizedCrossCorrelation;
import sc.fiji.ncc.bench.Machine;

/**
 * What a new map costs on many threads, by turns: a map that is allocated while it is computed (a call without a map), a map that is allocated before the call, a map in place,
 * and the allocation alone, by one thread. Lists calls that took much longer than the median of their kind, with the garbage collections during them.
 *
 * <pre>
 * mvn -q -Pbench test-compile exec:java -Dexec.mainClass=sc.fiji.ncc.bench.cores.FreshMaps -Dexec.args="--threads 2 --seconds 10"
 * </pre>
 */
@Command(name = "FreshMaps", mixinStandardHelpOptions = true, sortOptions = false)
public final class FreshMaps implements Callable<Integer> {

	private static final String[] KINDS = { "allocated during the call", "allocated before", "in place", "allocation alone" };

	@Option(names = "--cell", split = ",", defaultValue = "u8:2000x2000:32x32,f32:256x256x256:16x16x16", description = "cells, TYPE:IMAGE:TEMPLATE. Default: ${DEFAULT-VALUE}")
	private String[] names;
	@Option(names = "--threads", defaultValue = "16", description = "number of threads. Default: ${DEFAULT-VALUE}")
	private int threads;
	@Option(names = "--seconds", defaultValue = "20", description = "the time for all cells. Default: ${DEFAULT-VALUE}")
	private double seconds;
	@Option(names = "--warm-up", defaultValue = "0.25", description = "the share of the time of a cell that does not count. Default: ${DEFAULT-VALUE}")
	private double warmUp;
	@Option(names = "--outlier", defaultValue = "2.5", description = "calls that took so many times the median are listed. Default: ${DEFAULT-VALUE}")
	private double outlier;

	private FloatType kept;

	public static void main(final String[] args) {
		final int code = new CommandLine(new FreshMaps()).execute(args);
		if (code != 0) System.exit(code);
	}

	/** One call. @param start milliseconds since the start of the JVM; @param collections the number of garbage collections that ended during it, and the milliseconds they report */
	private record Call(int round, long start, double ms, long collections, long collecting) {}

	@Override
	public Integer call() {
		System.out.println(Machine.describe());
		for (final GarbageCollectorMXBean b : ManagementFactory.getGarbageCollectorMXBeans()) System.out.println("  " + b.getName());
		for (final String name : names) cell(name, seconds / names.length);
		return kept == null ? 1 : 0;
	}

	private void cell(final String name, final double time) {
		final String[] parts = name.split(":");
		final long[] size = Cores.size(parts[1]), template = Cores.size(parts[2]), lags = size.clone();
		for (int d = 0; d < template.length; d++) lags[d] -= template[d] - 1;
		final Img<? extends RealType<?>> image = Cores.noise(parts[0], 1, size);
		final NormalizedCrossCorrelation op = NormalizedCrossCorrelation.of(Cores.noise(parts[0], 2, template)).backend("cpu").threads(threads);
		final Img<FloatType> into = ArrayImgs.floats(lags);
		final List<Runnable> tasks = List.of(() -> keep(op.correlate(image).maps().get(0)), () -> {
			final Img<FloatType> fresh = ArrayImgs.floats(lags);
			op.correlate(image, fresh);
			keep(fresh);
		}, () -> op.correlate(image, into), () -> keep(ArrayImgs.floats(lags)));
		final List<List<Call>> calls = new ArrayList<>();
		for (int k = 0; k < tasks.size(); k++) calls.add(new ArrayList<>());
		final long start = System.nanoTime();
		for (int round = 0; 1e-9 * (System.nanoTime() - start) < time; round++)
			for (int k = 0; k < tasks.size(); k++) {
				final long[] before = collections();
				final long uptime = ManagementFactory.getRuntimeMXBean().getUptime(), begin = System.nanoTime();
				tasks.get(k).run();
				final double ms = 1e-6 * (System.nanoTime() - begin);
				final long[] after = collections();
				// code is compiled, and memory is used for the first time
				if (1e-9 * (begin - start) >= warmUp * time) calls.get(k).add(new Call(round, uptime, ms, after[0] - before[0], after[1] - before[1]));
			}
		System.out.printf(Locale.ROOT, "%s, %d threads%n", name, threads);
		for (int k = 0; k < tasks.size(); k++) report(KINDS[k], calls.get(k));
	}

	private void keep(final Img<FloatType> map) {
		kept = map.firstElement();
	}

	private void report(final String kind, final List<Call> calls) {
		final double[] ms = calls.stream().mapToDouble(Call::ms).sorted().toArray();
		if (ms.length == 0) return;
		final double median = ms[ms.length / 2];
		final long collected = calls.stream().filter(c -> c.collections > 0).count();
		System.out.printf(Locale.ROOT, "  %-26s least %7.2f, median %7.2f, nine of ten below %7.2f, greatest %7.2f ms, of %d calls; garbage collections ended in %d%n", kind, ms[0], median,
			ms[ms.length * 9 / 10], ms[ms.length - 1], ms.length, collected);
		calls.stream().filter(c -> c.ms > outlier * median).limit(8).forEach(c -> System.out.printf(Locale.ROOT, "      round %d, from %d ms on: %.1f ms, %d collections of %d ms%n", c.round, c.start, c.ms,
			c.collections, c.collecting));
	}

	private static long[] collections() {
		final long[] sums = new long[2];
		for (final GarbageCollectorMXBean b : ManagementFactory.getGarbageCollectorMXBeans()) {
			sums[0] += b.getCollectionCount();
			sums[1] += b.getCollectionTime();
		}
		return sums;
	}
}
