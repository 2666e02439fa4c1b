package sc.fiji.ncc.bench.accuracy;

import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.array.ArrayImgs;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine;

import sc.fiji.ncc.PoseSearch;
import sc.fiji.ncc.bench.Machine;
import sc.fiji.ncc.pose.PoseSupport;
import sc.fiji.ncc.result.BackgroundState;
import sc.fiji.ncc.result.PosesFound;

/**
 * Calibration of the false alarms of rotated templates: images of noise in which the template does not occur, expected against
 * observed matches. The template is
 * cut from other noise of the same kind. The last column has the images of each state of the background. From the project's folder:
 *
 * <pre>
 * mvn -q -Pbench test-compile exec:java -Dexec.mainClass=sc.fiji.ncc.bench.accuracy.PoseAlarms
 * </pre>
 */
@Command(name = "PoseAlarms", mixinStandardHelpOptions = true, sortOptions = false)
public final class PoseAlarms implements Callable<Integer> {

	@Option(names = "--side", defaultValue = "160", description = "side of the images: ${DEFAULT-VALUE}")
	private int side;
	@Option(names = "--radius", split = ",", defaultValue = "6,12", description = "of the disk: ${DEFAULT-VALUE}")
	private List<Integer> radii;
	@Option(names = "--angles", split = ",", defaultValue = "72", description = "number of angles: ${DEFAULT-VALUE}")
	private List<Integer> angles;
	@Option(names = "--scales", split = ",", defaultValue = "1,5", description = "number of scales, by factors of 1.05: ${DEFAULT-VALUE}")
	private List<Integer> scales;
	@Option(names = "--support", split = ",", defaultValue = "DISK", description = "DISK, RING, WHOLE: ${DEFAULT-VALUE}")
	private List<PoseSupport> supports;
	@Option(names = "--expected", split = ",", defaultValue = "10", description = "expected numbers of false matches in an image: ${DEFAULT-VALUE}")
	private List<Double> expected;
	@Option(names = "--pictures", defaultValue = "12", description = "${DEFAULT-VALUE}")
	private int images;
	@Option(names = "--blur", split = ",", defaultValue = "0,1,2", description = "deviation of the Gaussian by which white noise is filtered, in pixels: ${DEFAULT-VALUE}")
	private List<Double> blurs;

	public static void main(final String[] args) {
		final int code = new CommandLine(new PoseAlarms()).execute(args);
		if (code != 0) System.exit(code);
	}

	@Override
	public Integer call() {
		System.out.println(Machine.describe());
		System.out.printf("%-6s %-7s %-7s %-7s %-6s %9s %9s %9s %7s %10s %9s %s%n", "blur", "support", "radius",
			"angles", "scales", "expected", "sum", "observed", "ratio", "images", "min score", "states");
		for (final double blur : blurs) for (final PoseSupport support : supports) for (final int radius : radii) for (final int a : angles) for (final int s : scales) for (final double e : expected)
			row(blur, support, radius, a, s, e);
		return 0;
	}

	private void row(final double blur, final PoseSupport support, final int radius, final int a, final int s, final double alarms) {
		long observed = 0, with = 0;
		double score = 0;
		final Map<BackgroundState, Integer> states = new EnumMap<>(BackgroundState.class);
		for (int p = 0; p < images; p++) {
			final RandomAccessibleInterval<?> image = noise(2 * p, side, blur), template = noise(2 * p + 1, 2 * radius + 1, blur);
			final PosesFound found = PoseSearch.of(template).angleRange(0, 360, 360.0 / a)
				.scaleRange(Math.pow(1.05, -(s / 2)), Math.pow(1.05, (s - 1) / 2 + 1e-6), 1.05).support(support)
				.falseAlarms(alarms).maxOverlap(1).refine(false).backend("cpu").find(image);
			observed += found.matches().size();
			if (!found.matches().isEmpty()) with++;
			score += found.minScore() / images;
			for (final BackgroundState state : found.backgrounds()) states.merge(state, 1, Integer::sum);
		}
		System.out.printf(Locale.ROOT, "%-6.1f %-7s %-7d %-7d %-6d %9.3g %9.2f %9d %7.2f %10d %9.3f %s%n", blur, support,
			radius, a, s, alarms, alarms * images, observed,
			observed / (alarms * images), with, score, states);
	}

	private static RandomAccessibleInterval<?> noise(final long seed, final int side, final double sigma) {
		final SplittableRandom random = new SplittableRandom(seed);
		final int radius = (int) Math.ceil(4 * sigma), wide = side + 2 * radius;
		double[] v = new double[wide * wide];
		for (int i = 0; i < v.length; i++) v[i] = random.nextGaussian();
		for (int step = 1; step <= wide && radius > 0; step *= wide) {
			final double[] to = new double[v.length];
			for (int i = 0; i < v.length; i++)
				for (int k = -radius; k <= radius; k++) to[i] += Math.exp(-0.5 * k * k / (sigma * sigma)) * v[Math.floorMod(i + k * step, v.length)];
			v = to;
		}
		final float[] cut = new float[side * side];
		for (int i = 0; i < cut.length; i++) cut[i] = (float) v[(i / side + radius) * wide + i % side + radius];
		return ArrayImgs.floats(cut, side, side);
	}
}
