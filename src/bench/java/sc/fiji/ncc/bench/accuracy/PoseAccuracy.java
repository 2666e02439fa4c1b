package sc.fiji.ncc.bench.accuracy;

import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.array.ArrayImgs;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine;

import sc.fiji.ncc.PoseSearch;
import sc.fiji.ncc.bench.Machine;
import sc.fiji.ncc.result.PoseMatch;

/**
 * How accurate refined poses are: root mean square errors of x, y, angle and scale on synthetic images, beside the Cramér-Rao bound for white noise with
 * unknown offset and contrast over the pixels of the disk, and how well the matches' own errors predict them. An object is a sum of
 * Gaussians, so its images at any pose need no interpolation. From the project's folder:
 *
 * <pre>
 * mvn -q -Pbench test-compile exec:java -Dexec.mainClass=sc.fiji.ncc.bench.accuracy.PoseAccuracy
 * </pre>
 */
@Command(name = "PoseAccuracy", mixinStandardHelpOptions = true, sortOptions = false)
public final class PoseAccuracy implements Callable<Integer> {

	private static final int BLOBS = 14;

	@Option(names = "--radius", split = ",", defaultValue = "10,25", description = "of the disk: ${DEFAULT-VALUE}")
	private int[] radii;
	@Option(names = "--contrast", split = ",", defaultValue = "3,10,30", description = "standard deviation of the object over that of the noise: ${DEFAULT-VALUE}")
	private double[] contrasts;
	@Option(names = "--pictures", defaultValue = "60", description = "images of each kind: ${DEFAULT-VALUE}")
	private int images;

	public static void main(final String[] args) {
		final int code = new CommandLine(new PoseAccuracy()).execute(args);
		if (code != 0) System.exit(code);
	}

	@Override
	public Integer call() {
		System.out.println(Machine.describe());
		System.out.println("| radius | contrast to noise | x, y (px) | bound | ratio | angle (degrees) | bound | ratio | scale (%) | bound | ratio | in the ellipse of 68 % | predicted over observed: angle | scale | lost |");
		System.out.println("|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|");
		for (final int radius : radii) for (final double contrast : contrasts) measure(radius, contrast);
		return 0;
	}

	private void measure(final int radius, final double contrast) {
		final double[] sum = new double[3], bound = new double[3], ratio = new double[3], predicted = new double[3];
		int found = 0, inside = 0;
		for (int i = 0; i < images; i++) {
			final SplittableRandom random = new SplittableRandom(1000 * radius + i);
			final double[][] object = object(random, radius);
			final double angle = 360 * random.nextDouble(), scale = 0.9 + 0.2 * random.nextDouble();
			final int side = 2 * radius + 1, w = 4 * radius + 11;
			final double cx = w / 2.0 + random.nextDouble() - 0.5, cy = w / 2.0 + random.nextDouble() - 0.5;
			final float[] template = new float[side * side], image = new float[w * w];
			for (int p = 0; p < template.length; p++) template[p] = (float) at(object, p % side - radius, p / side - radius);
			final double[] pose = { cx, cy, Math.toRadians(angle), Math.log(scale) };
			for (int p = 0; p < image.length; p++) image[p] = (float) at(object, pose, p % w, p / w);
			final double noise = deviation(image, w, pose, radius) / contrast;
			for (int p = 0; p < image.length; p++) image[p] += noise * random.nextGaussian();
			final RandomAccessibleInterval<?> searched = ArrayImgs.floats(image, w, w);
			final var matches = PoseSearch.of(ArrayImgs.floats(template, side, side)).angleRange(0, 360, 4).scaleRange(0.85, 1.2, 1.05).minScore(0.5)
				.maxMatches(1).find(searched).matches();
			if (matches.isEmpty()) continue;
			final PoseMatch m = matches.get(0);
			final double dx = m.subpixel()[0] + radius - cx, dy = m.subpixel()[1] + radius - cy, da = Math.IEEEremainder(m.pose().angle() - angle, 360);
			if (Math.hypot(dx, dy) > 2 || Math.abs(da) > 5) continue;
			found++;
			final double[][] c = m.covariance();
			if (c != null && (c[1][1] * dx * dx - 2 * c[0][1] * dx * dy + c[0][0] * dy * dy) / (c[0][0] * c[1][1] - c[0][1] * c[0][1]) < -2 * Math.log(1 - 0.68)) inside++;
			final double[] variance = cramerRao(object, pose, radius, w, noise);
			final double[] squares = { (dx * dx + dy * dy) / 2, da * da, Math.pow(100 * (m.pose().scale() / scale - 1), 2) },
					least = { (variance[0] + variance[1]) / 2, Math.pow(Math.toDegrees(1), 2) * variance[2], 1e4 * variance[3] };
			predicted[1] += squares[1] / (m.sigmaAngle() * m.sigmaAngle());
			predicted[2] += squares[2] / (m.sigmaScale() * m.sigmaScale());
			for (int k = 0; k < 3; k++) {
				sum[k] += squares[k];
				bound[k] += least[k];
				ratio[k] += squares[k] / least[k];
			}
		}
		final int n = Math.max(1, found);
		System.out.printf(Locale.ROOT, "| %d | %.0f |", radius, contrast);
		for (int k = 0; k < 3; k++) System.out.printf(Locale.ROOT, " %.4f | %.4f | %.2f |", Math.sqrt(sum[k] / n), Math.sqrt(bound[k] / n), Math.sqrt(ratio[k] / n));
		System.out.printf(Locale.ROOT, " %.0f %% | %.2f | %.2f | %d of %d |%n", 100.0 * inside / n, Math.sqrt(n / predicted[1]),
			Math.sqrt(n / predicted[2]), images - found, images);
	}

	private static double[][] object(final SplittableRandom random, final double radius) {
		final double[][] blobs = new double[BLOBS][4];
		for (final double[] b : blobs) {
			b[0] = (random.nextDouble() * 2 - 1) * radius * 0.9;
			b[1] = (random.nextDouble() * 2 - 1) * radius * 0.9;
			b[2] = Math.max(1.4, radius * (0.1 + 0.12 * random.nextDouble()));
			b[3] = random.nextDouble() * 2 - 1;
		}
		return blobs;
	}

	private static double at(final double[][] object, final double x, final double y) {
		double v = 0;
		for (final double[] b : object) v += b[3] * Math.exp(-0.5 * ((x - b[0]) * (x - b[0]) + (y - b[1]) * (y - b[1])) / (b[2] * b[2]));
		return v;
	}

	/** The object at a pose: centre, angle and logarithm of the scale. */
	private static double at(final double[][] object, final double[] pose, final double x, final double y) {
		final double c = Math.cos(pose[2]), s = Math.sin(pose[2]), u = x - pose[0], v = y - pose[1], scale = Math.exp(pose[3]);
		return at(object, (c * u - s * v) / scale, (s * u + c * v) / scale);
	}

	private static boolean inside(final double[] pose, final int radius, final int x, final int y) {
		return Math.hypot(x - pose[0], y - pose[1]) <= radius * Math.exp(pose[3]);
	}

	private static double deviation(final float[] image, final int w, final double[] pose, final int radius) {
		double sum = 0, squares = 0;
		int n = 0;
		for (int p = 0; p < image.length; p++)
			if (inside(pose, radius, p % w, p / w)) {
				sum += image[p];
				squares += (double) image[p] * image[p];
				n++;
			}
		return Math.sqrt(squares / n - sum / n * (sum / n));
	}

	/** The least variances of x, y, angle and logarithm of the scale, with unknown offset and contrast. */
	private static double[] cramerRao(final double[][] object, final double[] pose, final int radius, final int w, final double noise) {
		final int parameters = 6;
		final double[][] fisher = new double[parameters][2 * parameters];
		final double step = 1e-5;
		for (int p = 0; p < w * w; p++) {
			final int x = p % w, y = p / w;
			if (!inside(pose, radius, x, y)) continue;
			final double[] g = new double[parameters];
			for (int i = 0; i < 4; i++) {
				final double[] up = pose.clone(), down = pose.clone();
				up[i] += step;
				down[i] -= step;
				g[i] = (at(object, up, x, y) - at(object, down, x, y)) / (2 * step);
			}
			g[4] = 1;
			g[5] = at(object, pose, x, y);
			for (int i = 0; i < parameters; i++)
				for (int j = 0; j < parameters; j++) fisher[i][j] += g[i] * g[j] / (noise * noise);
		}
		for (int i = 0; i < parameters; i++) fisher[i][parameters + i] = 1;
		for (int r = 0; r < parameters; r++) {
			final double pivot = fisher[r][r];
			for (int c = 0; c < 2 * parameters; c++) fisher[r][c] /= pivot;
			for (int i = 0; i < parameters; i++) {
				if (i == r) continue;
				final double factor = fisher[i][r];
				for (int c = 0; c < 2 * parameters; c++) fisher[i][c] -= factor * fisher[r][c];
			}
		}
		return new double[] { fisher[0][6], fisher[1][7], fisher[2][8], fisher[3][9] };
	}
}
