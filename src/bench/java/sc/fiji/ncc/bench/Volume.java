package sc.fiji.ncc.bench;

import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.view.Views;

import org.jtransforms.fft.FloatFFT_3D;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine;

import pl.edu.icm.jlargearrays.ConcurrencyUtils;

import sc.fiji.ncc.NormalizedCrossCorrelation;
import sc.fiji.ncc.planner.Ranking.Candidate;

/**
 * A volume with a small template, compared with one real forward and inverse transform of the volume by JTransforms. A correlation by a transform of the whole
 * volume takes at least as long. In turns in one JVM.
 *
 * <pre>
 * mvn -q -Pbench test-compile exec:java -Dexec.mainClass=sc.fiji.ncc.bench.Volume -Dexec.args="--image 256 --template 16"
 * </pre>
 */
@Command(name = "Volume", mixinStandardHelpOptions = true, sortOptions = false)
public final class Volume implements Callable<Integer> {

	@Option(names = "--image", defaultValue = "256", description = "the volume's side, a power of two: ${DEFAULT-VALUE}")
	private int side;
	@Option(names = "--template", defaultValue = "16", description = "the template's side: ${DEFAULT-VALUE}")
	private int templateSide;
	@Option(names = "--threads", defaultValue = "2", description = "threads of ours and of JTransforms': ${DEFAULT-VALUE}")
	private int threads;
	@Option(names = "--repeats", defaultValue = "11", description = "timed calls of each: ${DEFAULT-VALUE}")
	private int repeats;
	@Option(names = "--warm-up", defaultValue = "20", description = "seconds before the first timed call: ${DEFAULT-VALUE}")
	private double warmUp;

	public static void main(final String[] args) {
		final int code = new CommandLine(new Volume()).execute(args);
		if (code != 0) System.exit(code);
	}

	@Override
	public Integer call() {
		System.out.println(Machine.describe());
		final float[] values = new float[side * side * side];
		final Random random = new Random(1);
		for (int i = 0; i < values.length; i++) values[i] = random.nextFloat();
		final RandomAccessibleInterval<?> image = ArrayImgs.floats(values.clone(), side, side, side);
		final long last = 2 + templateSide;
		final NormalizedCrossCorrelation op = NormalizedCrossCorrelation.of(Views.interval(ArrayImgs.floats(values.clone(), side, side, side), new long[] { 3, 3, 3 },
			new long[] { last, last, last })).threads(threads);
		ConcurrencyUtils.setNumberOfThreads(threads);
		final FloatFFT_3D transform = new FloatFFT_3D(side, side, side);
		final Runnable pair = () -> {
			transform.realForward(values);
			transform.realInverse(values, true);
		};
		final double[][] ms = Turns.milliseconds(List.of(pair, () -> op.correlate(image)), warmUp, repeats);
		final Candidate taken = op.explain(image).best().orElseThrow();
		final double transforms = Turns.median(ms[0]), ours = Turns.median(ms[1]);
		System.out.printf("%d^3 with %d^3, float, %d threads, medians of %d by turns: JTransforms real transform forward and back %.0f ms (least %.0f), %s %.0f ms (least %.0f): "
			+ "%.2f times as long%n", side, templateSide, threads, repeats, transforms, ms[0][0], taken.name(), ours, ms[1][0], ours / transforms);
		return 0;
	}
}
