package sc.fiji.ncc.bench.accuracy;

import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ForkJoinPool;
import java.util.stream.IntStream;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.array.ArrayImgs;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import sc.fiji.ncc.NormalizedCrossCorrelation;
import sc.fiji.ncc.TemplateMatching;
import sc.fiji.ncc.bench.Machine;
import sc.fiji.ncc.result.Match;

/**
 * Errors of positions between the pixels. A template without noise is searched in windows of a random texture that is shifted by known fractions of a pixel, with noise.
 * Each row has one template side and one noise: bias (the largest mean error over the fractions) and RMS error along x of the fitted quadratic and of the refinement, the
 * Cramér-Rao bound of a shift with unknown brightness and contrast, and the share of matches whose ellipse of 68 % holds the true position. From the project's folder:
 *
 * <pre>
 * mvn -q -Pbench test-compile exec:java -Dexec.mainClass=sc.fiji.ncc.bench.accuracy.SubpixelAccuracy
 * </pre>
 */
@Command(name = "SubpixelAccuracy", mixinStandardHelpOptions = true, sortOptions = false)
public final class SubpixelAccuracy implements Callable<Integer> {

	@Option(names = "--templates", split = ",", defaultValue = "8,16,32,64", description = "sides of the templates: ${DEFAULT-VALUE}")
	private List<Integer> templates;
	@Option(names = "--noise", split = ",", defaultValue = "0,0.033,0.1,0.2,0.333,0.5", description = "standard deviations of the noise, in units of that of the texture: ${DEFAULT-VALUE}")
	private List<Double> noises;
	@Option(names = "--trials", defaultValue = "250", description = "matches for each of the 8 fractions: ${DEFAULT-VALUE}")
	private int trials;
	@Option(names = "--texture", defaultValue = "1.5", description = "standard deviation of the Gaussian that makes the texture, in pixels: ${DEFAULT-VALUE}")
	private double texture;
	@Option(names = "--blur", defaultValue = "0", description = "standard deviation of the Gaussian that correlates the noise, in pixels: ${DEFAULT-VALUE}")
	private double blur;
	@Option(names = "--threads", defaultValue = "2", description = "matches that are simulated at the same time: ${DEFAULT-VALUE}")
	private int threads;

	private ForkJoinPool pool;

	public static void main(final String[] args) {
		final int code = new CommandLine(new SubpixelAccuracy()).execute(args);
		if (code != 0) System.exit(code);
	}

	@Override
	public Integer call() {
		pool = new ForkJoinPool(threads);
		System.out.println(Machine.describe());
		System.out.printf("%-9s %6s | %9s %9s | %9s %9s | %9s %6s | %8s %6s%n", "template", "noise", "bias", "RMS", "refined", "RMS", "bound", "ratio", "in 68 %", "failed");
		for (final int side : templates) for (final double noise : noises) row(side, noise);
		pool.shutdown();
		return 0;
	}

	/** Errors along x of the quadratic and of the refinement, the bound of the variance, and whether the ellipse holds the position; null if a fit failed. */
	private record Trial(double error, double refined, double bound, boolean inside) {}

	private void row(final int side, final double noise) {
		double worst = 0, worstRefined = 0, squares = 0, squaresRefined = 0, bound = 0;
		int inside = 0, all = 0;
		for (int k = 0; k < 8; k++) {
			final int fraction = k;
			final List<Trial> fitted = pool.submit(() -> IntStream.range(0, trials).parallel().mapToObj(i -> trial(side, noise, fraction, i)).filter(Objects::nonNull).toList()).join();
			worst = Math.max(worst, Math.abs(fitted.stream().mapToDouble(t -> t.error).sum() / fitted.size()));
			worstRefined = Math.max(worstRefined, Math.abs(fitted.stream().mapToDouble(t -> t.refined).sum() / fitted.size()));
			for (final Trial t : fitted) {
				squares += t.error * t.error;
				squaresRefined += t.refined * t.refined;
				bound += t.bound;
				if (t.inside) inside++;
			}
			all += fitted.size();
		}
		final double rms = Math.sqrt(squares / all), rmsRefined = Math.sqrt(squaresRefined / all), least = Math.sqrt(bound / all);
		System.out.printf(Locale.ROOT, "%-9s %6.3f | %9.5f %9.5f | %9.5f %9.5f | %9.5f %6.2f | %7.1f%% %6d%n", side + "x" + side, noise, worst, rms, worstRefined, rmsRefined, least,
			least == 0 ? Double.NaN : rmsRefined / least, 100.0 * inside / all, 8 * trials - all);
	}

	private Trial trial(final int side, final double noise, final int fraction, final int index) {
		final Random random = new Random(1_000_003L * side + 8L * index + fraction);
		final int margin = 12, width = side + 2 * margin, grid = width + 24;
		final double[] dots = random.doubles((long) grid * grid).map(v -> random.nextGaussian()).toArray();
		final double dx = fraction / 8.0, dy = random.nextDouble();
		final double[] image = sampled(dots, grid, 12 - dx, 12 - dy, width), clean = sampled(dots, grid, 12 + margin, 12 + margin, side);
		final double contrast = deviation(clean);
		final double[] n = noise(width, random);
		for (int p = 0; p < image.length; p++) image[p] += noise * contrast * n[p];
		final RandomAccessibleInterval<?> searched = ArrayImgs.doubles(image, width, width);
		final TemplateMatching matching = TemplateMatching.with(NormalizedCrossCorrelation.of(ArrayImgs.doubles(clean, side, side)).backend("cpu").threads(1)).maxMatches(1).minScore(-1);
		final Match coarse = matching.find(searched).matches().get(0), fine = matching.refine(true).find(searched).matches().get(0);
		final double error = coarse.subpixel()[0] - margin - dx, refined = fine.subpixel()[0] - margin - dx, across = fine.subpixel()[1] - margin - dy;
		final double[][] c = fine.covariance();
		if (c == null || Math.abs(error) > 2) return null;
		final double determinant = c[0][0] * c[1][1] - c[0][1] * c[0][1];
		final double distance = (c[1][1] * refined * refined - 2 * c[0][1] * refined * across + c[0][0] * across * across) / determinant;
		// the quantile of χ² with two degrees of freedom
		return new Trial(error, refined, noise > 0 ? bound(dots, grid, dx, dy, margin, side, noise * contrast) : 0, distance < -2 * Math.log(1 - 0.68));
	}

	/** Gaussians at the pixels of a grid, with random heights, sampled from a place on. */
	private double[] sampled(final double[] dots, final int grid, final double x, final double y, final int width) {
		return sampled(dots, grid, x, y, width, -1);
	}

	/** @param along the axis of a derivative; -1 for the values */
	private double[] sampled(final double[] dots, final int grid, final double x, final double y, final int width, final int along) {
		final double[] rows = new double[width * grid], to = new double[width * width];
		for (int j = 0; j < grid; j++) for (int i = 0; i < width; i++) rows[j * width + i] = line(dots, j * grid, 1, grid, x + i, along == 0);
		for (int j = 0; j < width; j++) for (int i = 0; i < width; i++) to[j * width + i] = line(rows, i, width, grid, y + j, along == 1);
		return to;
	}

	private double line(final double[] from, final int first, final int step, final int n, final double at, final boolean slope) {
		double sum = 0;
		for (int k = Math.max(0, (int) Math.ceil(at - 5 * texture)); k <= Math.min(n - 1, (int) (at + 5 * texture)); k++) {
			final double u = at - k, w = Math.exp(-0.5 * u * u / (texture * texture));
			sum += from[first + k * step] * w * (slope ? -u / (texture * texture) : 1);
		}
		return sum;
	}

	/** White noise, or noise of a Gaussian, of deviation 1. */
	private double[] noise(final int width, final Random random) {
		final int grid = width + 24;
		final double[] white = random.doubles((long) grid * grid).map(v -> random.nextGaussian()).toArray(), to = new double[width * width];
		final int radius = (int) Math.ceil(4 * blur);
		double norm = 0;
		final double[] rows = new double[width * grid];
		for (int k = -radius; k <= radius; k++) {
			final double w = blur == 0 ? 1 : Math.exp(-0.5 * k * k / (blur * blur));
			norm += w * w;
			for (int j = 0; j < grid; j++) for (int i = 0; i < width; i++) rows[j * width + i] += w * white[j * grid + i + 12 + k];
		}
		for (int k = -radius; k <= radius; k++) {
			final double w = blur == 0 ? 1 : Math.exp(-0.5 * k * k / (blur * blur));
			for (int j = 0; j < width; j++) for (int i = 0; i < width; i++) to[j * width + i] += w / norm * rows[(j + 12 + k) * width + i];
		}
		return to;
	}

	/** The Cramér-Rao bound of the variance along x, for white noise: gradients orthogonal to brightness and contrast. */
	private double bound(final double[] dots, final int grid, final double dx, final double dy, final int margin, final int side, final double noise) {
		// the window is the template itself, up to the noise
		final double[][] v = { sampled(dots, grid, 12 + margin, 12 + margin, side, -1), sampled(dots, grid, 12 + margin, 12 + margin, side, 0),
			sampled(dots, grid, 12 + margin, 12 + margin, side, 1) };
		for (final double[] w : v) {
			double mean = 0;
			for (final double x : w) mean += x / w.length;
			for (int i = 0; i < w.length; i++) w[i] -= mean;
		}
		for (int d = 1; d < 3; d++) {
			final double part = dot(v[d], v[0]) / dot(v[0], v[0]);
			for (int i = 0; i < v[d].length; i++) v[d][i] -= part * v[0][i];
		}
		final double xx = dot(v[1], v[1]), xy = dot(v[1], v[2]), yy = dot(v[2], v[2]);
		return noise * noise * yy / (xx * yy - xy * xy);
	}

	private static double dot(final double[] a, final double[] b) {
		double sum = 0;
		for (int i = 0; i < a.length; i++) sum += a[i] * b[i];
		return sum;
	}

	private static double deviation(final double[] v) {
		double mean = 0, squares = 0;
		for (final double x : v) mean += x / v.length;
		for (final double x : v) squares += (x - mean) * (x - mean);
		return Math.sqrt(squares / v.length);
	}
}
