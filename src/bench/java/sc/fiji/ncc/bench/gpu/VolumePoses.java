package sc.fiji.ncc.bench.gpu;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;

import net.imglib2.img.array.ArrayImg;
import net.imglib2.img.array.ArrayImgs;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import sc.fiji.ncc.PoseSearch;
import sc.fiji.ncc.bench.Machine;
import sc.fiji.ncc.bench.Texture;
import sc.fiji.ncc.bench.document.CsvOption;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.pose.PoseGrid;
import sc.fiji.ncc.result.PosesFound;

/**
 * Rotations a second in a volume: a ball is searched in all rotations of a uniform set, and the best score and rotation of each position
 * that reaches the minimum score are kept. The volume is noise with copies of the ball. From the project's folder:
 *
 * <pre>
 * mvn -q -Pbench test-compile exec:java -Dexec.mainClass=sc.fiji.ncc.bench.gpu.VolumePoses
 * mvn -q -Pbench test-compile exec:java -Dexec.mainClass=sc.fiji.ncc.bench.gpu.VolumePoses -Dexec.args="--volume 128x128x64 --radius 8 --search cpu-every-pose"
 * </pre>
 */
@Command(name = "VolumePoses", mixinStandardHelpOptions = true, sortOptions = false)
public final class VolumePoses implements Callable<Integer> {

	/** The distance of two copies over the diameter of a ball. */
	private static final int DISTANCE = 3;

	@Option(names = "--volume", defaultValue = "462x478x250", description = "its size: ${DEFAULT-VALUE}")
	private String volume;
	@Option(names = "--radius", defaultValue = "17", description = "of the ball: ${DEFAULT-VALUE}")
	private int radius;
	@Option(names = "--rotations", defaultValue = "12.8", description = "the distance of neighbouring rotations in degrees: ${DEFAULT-VALUE}")
	private double rotations;
	@Option(names = "--most", description = "that many of the rotations, evenly spread; default: all of them")
	private Integer most;
	@Option(names = "--min-score", split = ",", defaultValue = "0.3", description = "${DEFAULT-VALUE}")
	private double[] minScores;
	@Option(names = "--noise", defaultValue = "1.5", description = "standard deviation of the noise over that of the ball: ${DEFAULT-VALUE}")
	private double noise;
	@Option(names = "--search", split = ",", defaultValue = "cuda-poses", description = "algorithms: ${DEFAULT-VALUE}")
	private List<String> searches;
	@Option(names = "--frames", defaultValue = "3", description = "volumes of a stream: ${DEFAULT-VALUE}")
	private int frames;
	@Option(names = "--memory", description = "the most memory in MB; default: that of the operation")
	private Long memory;
	@Mixin
	private CsvOption csv;

	public static void main(final String[] args) {
		final int code = new CommandLine(new VolumePoses()).execute(args);
		if (code != 0) System.exit(code);
	}

	@Override
	public Integer call() throws Exception {
		System.out.println(Machine.describe());
		csv.columns("search", "volume", "radius", "rotations", "min_score", "planning_s", "first_ms", "ms_a_volume",
			"rotations_a_second", "megabytes", "found", "copies");
		final int[] size = Arrays.stream(volume.split("x")).mapToInt(Integer::parseInt).toArray();
		final int side = 2 * radius + 1;
		final float[] ball = Texture.blobs(new int[] { side, side, side }, 1);
		final float[] values = new float[size[0] * size[1] * size[2]];
		final int copies = fill(values, size, ball, side);
		final ArrayImg<?, ?> image = ArrayImgs.floats(values, size[0], size[1], size[2]), template = ArrayImgs.floats(ball, side, side, side);
		final List<double[]> all = PoseGrid.uniformRotations(rotations);
		final int number = most == null ? all.size() : Math.min(most, all.size());
		final List<double[]> turns = IntStream.range(0, number).mapToObj(i -> all.get((int) ((long) i * all.size() / number))).toList();
		for (final double minScore : minScores) for (final String search : searches) {
			final PoseSearch op = PoseSearch.of(template).rotations(turns).minScore(minScore).refine(false).algorithm(search);
			measure(image, memory == null ? op : op.memory(1_000_000 * memory), search, number, minScore, copies);
		}
		csv.write();
		return 0;
	}

	/** Fills a volume with noise and copies of the ball on a grid. Returns their number. */
	private int fill(final float[] values, final int[] size, final float[] ball, final int side) {
		double mean = 0, squares = 0;
		for (final float v : ball) mean += v / ball.length;
		for (final float v : ball) squares += (v - mean) * (v - mean) / ball.length;
		final double deviation = noise * Math.sqrt(squares);
		final int planes = size[2], plane = size[0] * size[1];
		IntStream.range(0, planes).parallel().forEach(z -> {
			final SplittableRandom random = new SplittableRandom(z);
			for (int i = z * plane; i < (z + 1) * plane; i++) values[i] = (float) (deviation * random.nextGaussian());
		});
		int copies = 0;
		final int step = DISTANCE * side;
		for (int z0 = side / 2; z0 + side <= size[2]; z0 += step)
			for (int y0 = side / 2; y0 + side <= size[1]; y0 += step)
				for (int x0 = side / 2; x0 + side <= size[0]; x0 += step, copies++)
					for (int i = 0; i < ball.length; i++)
						values[((z0 + i / side / side) * size[1] + y0 + i / side % side) * size[0] + x0 + i % side] += ball[i] - (float) mean;
		return copies;
	}

	/** Prints the end of each step, and the rotations that are done every ten seconds. */
	private static Monitor steps(final int number, final long start) {
		return new Monitor() {

			private long total, done, printed = start;

			@Override
			public void total(final long responses) {
				total = responses;
				System.out.printf(Locale.ROOT, "  %.1f s: %d rotations are sampled, and the search is planned%n", 1e-9 * (System.nanoTime() - start),
					number);
			}

			@Override
			public synchronized void done(final long responses) {
				done += responses;
				if (System.nanoTime() - printed < 10_000_000_000L) return;
				printed = System.nanoTime();
				System.out.printf(Locale.ROOT, "  %.1f s: %.1f %% are done%n", 1e-9 * (printed - start), 100.0 * done / total);
			}

			@Override
			public boolean canceled() {
				return false;
			}
		};
	}

	private void measure(final ArrayImg<?, ?> image, final PoseSearch search, final String name, final int number, final double minScore, final int copies) {
		final double[] ms = new double[frames];
		final PosesFound[] last = new PosesFound[1];
		final long start = System.nanoTime();
		search.monitor(steps(number, start)).findEach(Collections.nCopies(frames, image), (i, found) -> {
			ms[(int) i] = 1e3 * found.seconds();
			last[0] = found;
			System.out.printf(Locale.ROOT, "  %.1f s: volume %d took %.0f ms%n", 1e-9 * (System.nanoTime() - start), i, ms[(int) i]);
		});
		final double total = 1e-9 * (System.nanoTime() - start), first = ms[0], planning = total - Arrays.stream(ms).sum() / 1e3;
		// the first volume has the preparation of the search
		final double[] others = frames == 1 ? ms : Arrays.copyOfRange(ms, 1, frames);
		Arrays.sort(others);
		final double median = others[others.length / 2];
		System.out.printf(Locale.ROOT, "%s: %s, ball of radius %d, %d rotations, score >= %.2f: %.1f s before the first volume, "
			+ "the first %.0f ms, then %.1f ms: %.0f rotations a second; %d MB; %d matches of %d copies%n", name, volume, radius, number, minScore,
			planning, first, median, number / median * 1e3, last[0].plan().bytes() / 1_000_000, last[0].matches().size(), copies);
		System.out.println("  " + String.join("\n  ", last[0].plan().explain()));
		csv.row(name, volume, radius, number, minScore, planning, first, median, number / median * 1e3, last[0].plan().bytes() / 1_000_000,
			last[0].matches().size(), copies);
	}
}
