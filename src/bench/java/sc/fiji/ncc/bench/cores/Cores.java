package sc.fiji.ncc.bench.cores;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntConsumer;
import java.util.stream.Stream;

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
 * How the time of single calls falls with the number of threads, beside a loop of multiply-adds in registers, which shows what the cores give, and beside a copy
 * of memory. Each cell is measured with a new map for each call, and with a map that is written in place. All numbers of threads and all methods take turns: in
 * every round, each cell has one to five calls of each kind, and the loop runs between them. Prints the least and the median of all calls, and the time that the
 * planner predicts.
 *
 * <pre>
 * mvn -q -Pbench test-compile exec:java -Dexec.mainClass=sc.fiji.ncc.bench.cores.Cores -Dexec.args="--threads 1,2"
 * </pre>
 */
@Command(name = "Cores", mixinStandardHelpOptions = true, sortOptions = false)
public final class Cores implements Callable<Integer> {

	/** The milliseconds that the loop of multiply-adds takes on each thread, and the floats that are copied. */
	private static final double LOOP = 40;
	private static final int COPIED = 1 << 24;
	/** After this time, in nanoseconds, a cell has no further call in a round. */
	private static final long CALLS = 60_000_000;

	@Option(names = "--cell", split = ",", description = "cells, TYPE:IMAGE:TEMPLATE. Default: ${DEFAULT-VALUE}",
		defaultValue = "u8:2000x2000:8x8,u8:2000x2000:32x32,f32:4096x4096:32x32,f32:4096x4096:128x128,u8:512x512x50:32x32,f32:256x256x256:16x16x16")
	private String[] names;
	@Option(names = "--threads", split = ",", defaultValue = "1,2,4,8,16", description = "numbers of threads, 1 first. Default: ${DEFAULT-VALUE}")
	private int[] threads;
	@Option(names = "--seconds", defaultValue = "50", description = "the time after which no further round begins. Default: ${DEFAULT-VALUE}")
	private double seconds;
	@Option(names = "--rounds", defaultValue = "40", description = "the maximum number of rounds, of which the first does not count. Default: ${DEFAULT-VALUE}")
	private int rounds;

	private final ExecutorService pool = Executors.newCachedThreadPool(task -> {
		final Thread t = new Thread(task, "loop");
		t.setDaemon(true);
		return t;
	});
	private final float[] from = new float[COPIED], to = new float[COPIED];
	/** The multiply-adds of {@link #LOOP} milliseconds. */
	private long loopSteps = 1 << 20;
	/** The results of the loops, so that they are not removed. */
	private final double[] sums = new double[1024];

	public static void main(final String[] args) {
		final int code = new CommandLine(new Cores()).execute(args);
		if (code != 0) System.exit(code);
	}

	/** One image with its templates, and the times for each number of threads: a new map, a map in place, the loop. */
	private final class Measured {

		final String name;
		final Img<? extends RealType<?>> image;
		final Img<FloatType> into;
		final List<NormalizedCrossCorrelation> ops = new ArrayList<>();
		final List<List<List<Double>>> ms = new ArrayList<>();
		final String algorithm;

		Measured(final String name) {
			this.name = name;
			final String[] parts = name.split(":");
			final long[] size = size(parts[1]), template = size(parts[2]), lags = size.clone();
			for (int d = 0; d < template.length; d++) lags[d] -= template[d] - 1;
			image = noise(parts[0], 1, size);
			final Img<? extends RealType<?>> t = noise(parts[0], 2, template);
			into = ArrayImgs.floats(lags);
			for (final int n : threads) ops.add(NormalizedCrossCorrelation.of(t).backend("cpu").threads(n));
			for (int kind = 0; kind < 3; kind++) ms.add(Stream.<List<Double>>generate(ArrayList::new).limit(threads.length).toList());
			algorithm = ops.get(0).explain(image).best().orElseThrow().name();
		}

		void round(final boolean counts) {
			for (int i = 0; i < threads.length; i++) {
				final NormalizedCrossCorrelation op = ops.get(i);
				final int n = threads[i];
				final long end = System.nanoTime() + CALLS;
				for (int call = 0; call < 5 && (call == 0 || System.nanoTime() < end); call++) {
					time(0, i, counts, () -> op.correlate(image));
					time(1, i, counts, () -> op.correlate(image, into));
				}
				time(2, i, counts, () -> loop(n));
			}
		}

		private void time(final int kind, final int i, final boolean counts, final Runnable task) {
			final long start = System.nanoTime();
			task.run();
			if (counts) ms.get(kind).get(i).add(1e-6 * (System.nanoTime() - start));
		}

		void print(final double[] copy) {
			System.out.printf("%s, %s%n", name, algorithm);
			for (int i = 0; i < threads.length; i++) {
				final double predicted = 1e3 * ops.get(i).explain(image).best().orElseThrow().seconds(), now = time(0, i, 0);
				System.out.printf(Locale.ROOT, "  %2d threads: new map %s; in place %s; loop x%.2f (x%.2f); copy x%.2f; predicted %.2f ms, %.2f of new%n", threads[i], text(0, i), text(1, i),
					faster(2, i, 0), faster(2, i, 0.5), copy[0] / copy[i], predicted, predicted / now);
			}
		}

		/** Least and, in brackets, median: time, speed-up, and speed-up over that of the loop. */
		private String text(final int kind, final int i) {
			return String.format(Locale.ROOT, "%.2f ms (%.2f), x%.2f (%.2f), %.2f (%.2f) of the loop, %d calls", time(kind, i, 0), time(kind, i, 0.5), faster(kind, i, 0), faster(kind, i, 0.5),
				faster(kind, i, 0) / faster(2, i, 0), faster(kind, i, 0.5) / faster(2, i, 0.5), ms.get(kind).get(i).size());
		}

		/** The loop does as much work on each thread, so that {@code n} threads do {@code n} times as much. */
		private double faster(final int kind, final int i, final double share) {
			return (kind == 2 ? threads[i] : 1) * time(kind, 0, share) / time(kind, i, share);
		}

		private double time(final int kind, final int i, final double share) {
			return ms.get(kind).get(i).stream().sorted().skip((long) (share * (ms.get(kind).get(i).size() - 1))).findFirst().orElseThrow();
		}
	}

	@Override
	public Integer call() throws Exception {
		final long start = System.nanoTime();
		System.out.println(Machine.describe());
		for (int i = 0; i < 20; i++) {
			final long before = System.nanoTime();
			loop(1);
			loopSteps = (long) Math.max(1 << 20, loopSteps * 1e6 * LOOP / (System.nanoTime() - before));
		}
		final List<Measured> cells = new ArrayList<>();
		for (final String name : names) cells.add(new Measured(name));
		final double[] copy = new double[threads.length];
		Arrays.fill(copy, Double.POSITIVE_INFINITY);
		int round = 0;
		double longest = 0;
		for (; round < 2 || round < rounds && 1e-9 * (System.nanoTime() - start) + longest < seconds; round++) {
			final long before = System.nanoTime();
			for (final Measured m : cells) m.round(round > 0);
			for (int i = 0; i < threads.length; i++) {
				final long begin = System.nanoTime();
				copy(threads[i]);
				if (round > 0) copy[i] = Math.min(copy[i], System.nanoTime() - begin);
			}
			longest = round < 2 ? 1e-9 * (System.nanoTime() - before) : Math.max(longest, 1e-9 * (System.nanoTime() - before));
		}
		System.out.printf(Locale.ROOT, "least (median) of %d rounds, by turns%n", round - 1);
		for (final Measured m : cells) m.print(copy);
		pool.shutdown();
		return Double.isNaN(sums[0]) ? 1 : 0;
	}

	/** Multiply-adds in registers: as many on each thread, so that the start of the threads hardly counts. */
	private void loop(final int n) {
		onThreads(n, t -> sums[16 * t % sums.length] += multiplyAdds(loopSteps));
	}

	private static double multiplyAdds(final long steps) {
		final float c = 0.9999f, d = 1e-3f;
		float p = 1, q = 2, r = 3, s = 4, t = 5, u = 6, v = 7, w = 8;
		for (long i = 0; i < steps; i += 8) {
			p = p * c + d;
			q = q * c + d;
			r = r * c + d;
			s = s * c + d;
			t = t * c + d;
			u = u * c + d;
			v = v * c + d;
			w = w * c + d;
		}
		return p + q + r + s + t + u + v + w;
	}

	private void copy(final int n) {
		onThreads(n, t -> System.arraycopy(from, (int) ((long) COPIED * t / n), to, (int) ((long) COPIED * t / n), COPIED / n));
	}

	private void onThreads(final int n, final IntConsumer task) {
		final List<Future<?>> others = new ArrayList<>();
		for (int t = 1; t < n; t++) {
			final int index = t;
			others.add(pool.submit(() -> task.accept(index)));
		}
		task.accept(0);
		try {
			for (final Future<?> f : others) f.get();
		}
		catch (final Exception e) {
			throw new IllegalStateException(e);
		}
	}

	static long[] size(final String text) {
		return Arrays.stream(text.split("x")).mapToLong(Long::parseLong).toArray();
	}

	static Img<? extends RealType<?>> noise(final String type, final int seed, final long... size) {
		int n = 1;
		for (final long s : size) n *= (int) s;
		final Random random = new Random(seed);
		if (type.equals("u8")) {
			final byte[] values = new byte[n];
			random.nextBytes(values);
			return ArrayImgs.unsignedBytes(values, size);
		}
		final float[] values = new float[n];
		for (int i = 0; i < n; i++) values[i] = random.nextFloat();
		return ArrayImgs.floats(values, size);
	}
}
