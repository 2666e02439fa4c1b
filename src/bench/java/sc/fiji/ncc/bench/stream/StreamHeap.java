package sc.fiji.ncc.bench.stream;

import java.lang.management.ManagementFactory;
import java.util.Iterator;
import java.util.Random;
import java.util.concurrent.Callable;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.array.ArrayImgs;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine;

import sc.fiji.ncc.NormalizedCrossCorrelation;
import sc.fiji.ncc.TemplateMatching;
import sc.fiji.ncc.bench.Machine;
import sc.fiji.ncc.result.StreamReport;

/**
 * Prints the used heap after garbage collections during a long stream. It must not grow. From the project folder:
 *
 * <pre>
 * mvn -q -Pbench test-compile exec:java -Dexec.mainClass=sc.fiji.ncc.bench.stream.StreamHeap
 * </pre>
 */
@Command(name = "StreamHeap", mixinStandardHelpOptions = true, sortOptions = false)
public final class StreamHeap implements Callable<Integer> {

	@Option(names = "--side", defaultValue = "256", description = "sides of a frame: ${DEFAULT-VALUE}")
	private int side;
	@Option(names = "--template", defaultValue = "16", description = "sides of the template: ${DEFAULT-VALUE}")
	private int template;
	@Option(names = "--frames", defaultValue = "10000", description = "frames: ${DEFAULT-VALUE}")
	private int frames;
	@Option(names = "--every", defaultValue = "1000", description = "frames between two lines: ${DEFAULT-VALUE}")
	private int every;
	@Option(names = "--threads", defaultValue = "2", description = "threads: ${DEFAULT-VALUE}")
	private int threads;

	public static void main(final String[] args) {
		final int code = new CommandLine(new StreamHeap()).execute(args);
		if (code != 0) System.exit(code);
	}

	@Override
	public Integer call() {
		System.out.println(Machine.describe());
		final byte[] part = new byte[template * template];
		new Random(0).nextBytes(part);
		final NormalizedCrossCorrelation op = NormalizedCrossCorrelation.of(ArrayImgs.unsignedBytes(part, template, template)).threads(threads);
		say("maps", op.correlateEach(this::source, (k, response) -> say(k)));
		say("matches", TemplateMatching.with(op).minScore(0.3).findEach(this::source, (k, found) -> say(k)));
		return 0;
	}

	/** New images of noise, without end. */
	private Iterator<RandomAccessibleInterval<?>> source() {
		final byte[] pixels = new byte[side * side];
		final RandomAccessibleInterval<?> image = ArrayImgs.unsignedBytes(pixels, side, side);
		final Random random = new Random(1);
		return new Iterator<>() {

			private int given;

			@Override
			public boolean hasNext() {
				return given < frames;
			}

			@Override
			public RandomAccessibleInterval<?> next() {
				given++;
				random.nextBytes(pixels);
				return image;
			}
		};
	}

	private void say(final long frame) {
		if ((frame + 1) % every != 0) return;
		System.gc();
		System.out.printf("%6d frames: %.2f MB of the heap in use%n", frame + 1, ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() / 1e6);
	}

	private static void say(final String what, final StreamReport report) {
		System.out.printf("%s: %d frames in %.1f s, %.3f ms each, by %s%n", what, report.frames(), report.seconds(), 1e3 * report.seconds() / report.frames(),
			report.rankings().get(0).best().orElseThrow().name());
	}
}
