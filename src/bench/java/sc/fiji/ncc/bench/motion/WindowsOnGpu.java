package sc.fiji.ncc.bench.motion;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.DoubleSupplier;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.Img;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.type.numeric.RealType;
import net.imglib2.view.Views;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import sc.fiji.ncc.Backends;
import sc.fiji.ncc.MotionField;
import sc.fiji.ncc.bench.Machine;
import sc.fiji.ncc.bench.document.CsvOption;
import sc.fiji.ncc.image.ImagePixels;
import sc.fiji.ncc.motion.ParticlePair;
import sc.fiji.ncc.plan.Backend;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.WindowPairs;
import sc.fiji.ncc.plan.support.Parallel;
import sc.fiji.ncc.plan.window.FoundWindow;
import sc.fiji.ncc.plan.window.WindowAlgorithm;
import sc.fiji.ncc.plan.window.WindowExecution;

/**
 * Vectors a second of {@code cuda-windows}, with frames from the Java heap: windows of 32x32, spacing 16, shifts of up to 12 pixels. The call {@code
 * search} is that of the algorithm, on some pairs of frames at once; {@code field} is {@link MotionField} with one pass, validation included. Times are
 * medians of the calls after the first third.
 */
@Command(name = "WindowsOnGpu", mixinStandardHelpOptions = true, sortOptions = false)
public final class WindowsOnGpu implements Callable<Integer> {

	private static final int WINDOW = 32, SPACING = 16, SHIFT = 12;
	/** The pairs of a stack. */
	private static final int PAIRS = 16;

	@Option(names = "--size", split = ",", defaultValue = "2000", description = "sides of frames in pixels. Default: ${DEFAULT-VALUE}")
	private int[] sizes;
	@Option(names = "--bits", split = ",", defaultValue = "8,16", description = "bits of a pixel. Default: ${DEFAULT-VALUE}")
	private int[] depths;
	@Option(names = "--at-once", split = ",", defaultValue = "1,4", description = "pairs of frames at once. Default: ${DEFAULT-VALUE}")
	private int[] together;
	@Option(names = "--algorithm", defaultValue = "cuda-windows", description = "Default: ${DEFAULT-VALUE}")
	private String algorithm;
	@Option(names = "--seconds", defaultValue = "1", description = "for each row. Default: ${DEFAULT-VALUE}")
	private double limit;
	@Option(names = "--field", defaultValue = "true", fallbackValue = "true", negatable = true, description = "also fields. Default: ${DEFAULT-VALUE}")
	private boolean field;
	@Mixin
	private CsvOption csv;

	public static void main(final String[] arguments) {
		System.exit(new CommandLine(new WindowsOnGpu()).execute(arguments));
	}

	@Override
	public Integer call() throws IOException {
		System.out.println(Machine.describe());
		System.out.println("frame,bits,call,at_once,refined,vectors,median_ms,vectors_a_second");
		csv.columns("frame", "bits", "call", "at_once", "refined", "vectors", "median_ms", "vectors_a_second");
		for (final int side : sizes)
			for (final int bits : depths) {
				final RandomAccessibleInterval<?>[] pair = ParticlePair.of(side, side).bits(bits).images(x -> new double[] { 3.3, -2.4 });
				for (final boolean refined : new boolean[] { false, true }) {
					for (final int n : together) search(pair, side, bits, refined, n);
					if (field) row(side, bits, "field", 1, refined, windows(side), measured(() -> MotionField.ofWindows(WINDOW, WINDOW).spacing(SPACING, SPACING)
						.maxShift(SHIFT, SHIFT).passes(1).refine(refined).algorithm(algorithm).measure(pair[0], pair[1]).seconds()));
					if (field) {
						final RandomAccessibleInterval<?> stack = stack(pair, side, bits);
						row(side, bits, "stack", 4, refined, windows(side), measured(() -> MotionField.ofWindows(WINDOW, WINDOW).spacing(SPACING, SPACING)
						.maxShift(SHIFT, SHIFT).passes(1).refine(refined).algorithm(algorithm).measure(stack).seconds() / PAIRS));
					}
				}
			}
		csv.write();
		return 0;
	}

	/** A stack whose frames are those of the pair by turns. */
	private static RandomAccessibleInterval<?> stack(final RandomAccessibleInterval<?>[] pair, final int side, final int bits) {
		final Img<? extends RealType<?>> stack = bits == 8 ? ArrayImgs.unsignedBytes(side, side, PAIRS + 1)
			: ArrayImgs.unsignedShorts(side, side, PAIRS + 1);
		final var to = stack.cursor();
		for (int f = 0; f <= PAIRS; f++)
			for (final Object p : Views.flatIterable(pair[f % 2])) to.next().setReal(((RealType<?>) p).getRealDouble());
		return stack;
	}

	private static int windows(final int side) {
		final int n = (side - WINDOW) / SPACING + 1;
		return n * n;
	}

	/** Counts vectors. @param refined whether motions between the pixels are wanted */
	private record Counter(boolean refined, AtomicLong count) implements WindowExecution.Receiver {

		@Override
		public void take(final int window, final double[] responses, final double error) {
			count.incrementAndGet();
		}

		@Override
		public WindowExecution.Wanted wanted() {
			return refined ? WindowExecution.Wanted.REFINED : WindowExecution.Wanted.PEAKS;
		}

		@Override
		public void take(final int window, final FoundWindow found) {
			if (refined && !found.refined() || !(found.score() >= -1)) throw new AssertionError("window " + window);
		}
	}

	private void search(final RandomAccessibleInterval<?>[] pair, final int side, final int bits, final boolean refined, final int n) {
		final Backend backend = Backends.all(1).stream().filter(b -> algorithm.startsWith(b.id())).findFirst().orElseThrow();
		final WindowAlgorithm method = (WindowAlgorithm) backend.algorithms().stream().filter(a -> a.id().equals(algorithm)).findFirst().orElseThrow();
		final WindowPairs problem = new WindowPairs(bits == 8 ? PixelType.U8 : PixelType.U16, Size.of(side, side), Size.of(WINDOW, WINDOW),
			Size.of(SPACING, SPACING), Size.of(2 * SHIFT + 1, 2 * SHIFT + 1), false, 0.5, 1);
		final int threads = Math.max(1, Runtime.getRuntime().availableProcessors() / n), calls = n == 1 ? 1 : 8;
		final ImagePixels a = ImagePixels.of(pair[0]), b = ImagePixels.of(pair[1]);
		final List<WindowExecution> open = new ArrayList<>();
		try (Parallel parallel = new Parallel(n)) {
			for (int i = 0; i < n; i++) open.add(method.plan(problem, backend.devices().get(0)).prepare(threads));
			row(side, bits, "search", n, refined, windows(side), measured(() -> {
				final long start = System.nanoTime();
				// each pair waits for its own results only
				parallel.each(n, i -> {
					for (int c = 0; c < calls; c++) open.get(i).search(a, b, null, new Counter(refined, new AtomicLong()), Monitor.NONE);
				});
				return 1e-9 * (System.nanoTime() - start) / (n * calls);
			}));
		}
		finally {
			open.forEach(WindowExecution::close);
		}
	}

	private double measured(final DoubleSupplier seconds) {
		final List<Double> all = new ArrayList<>();
		final long start = System.nanoTime();
		while (all.size() < 5 || 1e-9 * (System.nanoTime() - start) < limit) all.add(seconds.getAsDouble());
		final double[] later = all.subList(all.size() / 3, all.size()).stream().mapToDouble(s -> s).toArray();
		Arrays.sort(later);
		return later[later.length / 2];
	}

	private void row(final int side, final int bits, final String call, final int n, final boolean refined, final int vectors, final double seconds) {
		System.out.printf(Locale.ROOT, "%dx%d,%d,%s,%d,%s,%d,%.3f,%.0f%n", side, side, bits, call, n, refined ? "yes" : "no", vectors, 1e3 * seconds,
			vectors / seconds);
		csv.row(side + "x" + side, bits, call, n, refined ? "yes" : "no", vectors, 1e3 * seconds, (long) (vectors / seconds));
	}
}
