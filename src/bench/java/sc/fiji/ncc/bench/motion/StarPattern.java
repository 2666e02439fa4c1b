package sc.fiji.ncc.bench.motion;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.Callable;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.array.ArrayImgs;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import sc.fiji.ncc.MotionField;
import sc.fiji.ncc.bench.Machine;
import sc.fiji.ncc.bench.document.CsvOption;
import sc.fiji.ncc.motion.MotionVector;
import sc.fiji.ncc.motion.VectorField;

/**
 * Noise against spatial resolution, as the DIC Challenge 2.0 defines them (P. L. Reu et al., DIC Challenge 2.0: Developing Images and Guidelines for
 * Evaluating Accuracy and Resolution of 2D Analyses, Experimental Mechanics 62 (2022) 639-654, DOI 10.1007/s11340-021-00806-6). A speckle pattern moves
 * vertically by {@code 0.5·cos(2π·(y − c)/p(x))} pixels, where c is the centre row, and the period p grows from 10 pixels at the left to 300 at the
 * right. So the motion is half a pixel along the whole centre row. The spatial resolution is the period at which 10 % of it are lost: where a polynomial
 * of degree 12 through the motion along the centre row first rises through 90 %. The noise is the standard deviation along the centre row between two
 * images without motion. The product of both is the metrological efficiency indicator: less is better.
 * <p>
 * The bench makes its own speckles, so the figures compare methods on this pattern. They are not those of the images of the challenge.
 */
@Command(name = "StarPattern", mixinStandardHelpOptions = true, sortOptions = false)
public final class StarPattern implements Callable<Integer> {

	private static final double AMPLITUDE = 0.5, SHORTEST = 10, LONGEST = 300, KEPT = 0.9;
	private static final int DEGREE = 12;

	@Option(names = "--width", defaultValue = "4000", description = "the width of an image in pixels. Default: ${DEFAULT-VALUE}")
	private int width;
	@Option(names = "--windows", split = ",", defaultValue = "9,13,17,25,33,49", description = "odd sides of windows in pixels. Default: ${DEFAULT-VALUE}")
	private int[] windows;
	@Option(names = "--passes", split = ",", defaultValue = "1,2,3", description = "numbers of passes. Default: ${DEFAULT-VALUE}")
	private int[] passes;
	@Option(names = "--noise", defaultValue = "2", description = "the standard deviation of the noise of a pixel of 8 bits. Default: ${DEFAULT-VALUE}")
	private double noise;
	@Option(names = "--pairs", defaultValue = "3", description = "pairs of images with other speckles and noise. Default: ${DEFAULT-VALUE}")
	private int pairs;
	@Mixin
	private CsvOption csv;

	public static void main(final String[] arguments) {
		System.exit(new CommandLine(new StarPattern()).execute(arguments));
	}

	@Override
	public Integer call() throws IOException {
		System.out.println(Machine.describe());
		System.out.println("window,passes,valid,resolution_px,noise_px,efficiency_px2,longest_period_kept");
		csv.columns("window", "passes", "valid", "resolution_px", "noise_px", "efficiency", "longest_kept");
		for (final int window : windows) {
			if (window % 2 == 0) throw new IllegalArgumentException("a window of " + window + " pixels has no centre pixel: give an odd number");
			for (final int count : passes) measure(window, count);
		}
		csv.write();
		return 0;
	}

	private void measure(final int window, final int count) {
		final int spacing = window / 2;
		final MotionField field = MotionField.ofWindows(window, window).spacing(spacing, spacing).maxShift(3, 3).passes(count).threads(2);
		final List<double[]> moved = new ArrayList<>();
		double squares = 0, sum = 0;
		long still = 0, valid = 0, all = 0;
		for (int seed = 1; seed <= pairs; seed++) {
			final Speckles speckles = new Speckles(width, height(window, spacing), seed);
			for (final boolean moves : new boolean[] { true, false }) {
				final VectorField found = field.measure(speckles.image(0, 2L * seed), speckles.image(moves ? AMPLITUDE : 0, 2L * seed + 1)).fields().get(0);
				for (final MotionVector v : found.vectors()) {
					if (v.centre()[1] != (speckles.height - 1) / 2.0) continue;
					all++;
					if (!v.isValid()) continue;
					valid++;
					if (moves) moved.add(new double[] { period(v.centre()[0]), v.motion()[1] / AMPLITUDE });
					else {
						sum += v.motion()[1];
						squares += v.motion()[1] * v.motion()[1];
						still++;
					}
				}
			}
		}
		final double[] fit = polynomial(moved);
		final double resolution = resolution(fit), sigma = Math.sqrt((squares - sum * sum / still) / (still - 1)), kept = value(fit, LONGEST);
		System.out.printf(Locale.ROOT, "%d,%d,%.4f,%.1f,%.4f,%.3f,%.3f%n", window, count, valid / (double) all, resolution, sigma, sigma * resolution,
			kept);
		csv.row(window, count, valid / (double) all, resolution, sigma, sigma * resolution, kept);
	}

	/** Of about five windows, so that a window lies on the centre row. */
	private static int height(final int window, final int spacing) {
		final int beside = (2 * window + spacing - 1) / spacing;
		return window + 2 * spacing * beside;
	}

	private double period(final double x) {
		return SHORTEST + (LONGEST - SHORTEST) * x / (width - 1);
	}

	/** The coefficients of Legendre polynomials of the period, in [-1, 1] from the shortest to the longest, by least squares. */
	private static double[] polynomial(final List<double[]> points) {
		final int n = DEGREE + 1;
		final double[][] normal = new double[n][n + 1];
		for (final double[] point : points) {
			final double[] p = legendre(point[0]);
			for (int i = 0; i < n; i++) {
				for (int j = 0; j < n; j++) normal[i][j] += p[i] * p[j];
				normal[i][n] += p[i] * point[1];
			}
		}
		// Gauss elimination of a positive definite matrix that is nearly diagonal
		for (int i = 0; i < n; i++)
			for (int k = 0; k < n; k++) {
				if (k == i) continue;
				final double factor = normal[k][i] / normal[i][i];
				for (int j = i; j <= n; j++) normal[k][j] -= factor * normal[i][j];
			}
		final double[] coefficients = new double[n];
		for (int i = 0; i < n; i++) coefficients[i] = normal[i][n] / normal[i][i];
		return coefficients;
	}

	private static double[] legendre(final double period) {
		final double x = 2 * (period - SHORTEST) / (LONGEST - SHORTEST) - 1;
		final double[] p = new double[DEGREE + 1];
		p[0] = 1;
		p[1] = x;
		for (int i = 2; i < p.length; i++) p[i] = ((2 * i - 1) * x * p[i - 1] - (i - 1) * p[i - 2]) / i;
		return p;
	}

	private static double value(final double[] coefficients, final double period) {
		final double[] p = legendre(period);
		double sum = 0;
		for (int i = 0; i < p.length; i++) sum += coefficients[i] * p[i];
		return sum;
	}

	/** The shortest period at which the curve rises through 90 %; NaN if it does not. */
	private static double resolution(final double[] coefficients) {
		for (double p = SHORTEST; p < LONGEST; p += 0.1) if (value(coefficients, p) < KEPT && value(coefficients, p + 0.1) >= KEPT) return p + 0.05;
		return Double.NaN;
	}

	/** Black and white speckles that move with the pattern, as a function of the position. */
	private final class Speckles {

		/** Of a speckle: its standard deviation in pixels, and the number for each pixel. */
		private static final double SIGMA = 1.6, DENSITY = 0.06;
		private static final int RADIUS = 7;

		private final int width, height;
		private final double[] x, y;
		/** The numbers of the speckles, by the row of their centre. */
		private final List<List<Integer>> rows = new ArrayList<>();

		Speckles(final int width, final int height, final long seed) {
			this.width = width;
			this.height = height;
			final Random random = new Random(seed);
			final int n = (int) (DENSITY * (width + 2 * RADIUS) * (height + 2 * RADIUS));
			x = new double[n];
			y = new double[n];
			for (int i = 0; i < height + 2 * RADIUS; i++) rows.add(new ArrayList<>());
			for (int i = 0; i < n; i++) {
				x[i] = random.nextDouble() * (width + 2 * RADIUS) - RADIUS;
				y[i] = random.nextDouble() * (height + 2 * RADIUS) - RADIUS;
				rows.get((int) (y[i] + RADIUS)).add(i);
			}
		}

		/** An image whose content at (x, y + v(x, y)) is that of the pattern at (x, y), with noise. */
		RandomAccessibleInterval<?> image(final double amplitude, final long seed) {
			final double[] sums = new double[width * height], from = new double[width * height];
			final double centre = (height - 1) / 2.0;
			for (int i = 0; i < from.length; i++) {
				from[i] = i / width;
				final double turn = 2 * Math.PI / period(i % width);
				// the slope of the motion is at most 0.32
				if (amplitude != 0) for (int k = 0; k < 12; k++) from[i] = i / width - amplitude * Math.cos(turn * (from[i] - centre));
			}
			for (int row = 0; row < rows.size(); row++)
				for (final int s : rows.get(row)) {
					final int left = Math.max(0, (int) Math.ceil(x[s] - RADIUS)), right = Math.min(width - 1, (int) (x[s] + RADIUS));
					final int top = Math.max(0, (int) Math.ceil(y[s] - RADIUS - 1)), bottom = Math.min(height - 1, (int) (y[s] + RADIUS + 1));
					for (int i = left; i <= right; i++) {
						final double across = Math.exp(-0.5 * (i - x[s]) * (i - x[s]) / (SIGMA * SIGMA));
						for (int j = top; j <= bottom; j++) {
							final double away = from[j * width + i] - y[s];
							sums[j * width + i] += across * Math.exp(-0.5 * away * away / (SIGMA * SIGMA));
						}
					}
				}
			final Random random = new Random(1000 + seed);
			final byte[] pixels = new byte[sums.length];
			// the mean of the sums is the number of speckles in the area of one
			final double mean = DENSITY * 2 * Math.PI * SIGMA * SIGMA;
			for (int i = 0; i < pixels.length; i++) {
				final double value = 128 + 90 * Math.tanh(1.5 * (sums[i] - mean)) + noise * random.nextGaussian();
				pixels[i] = (byte) Math.rint(Math.max(0, Math.min(255, value)));
			}
			return ArrayImgs.unsignedBytes(pixels, width, height);
		}
	}
}
