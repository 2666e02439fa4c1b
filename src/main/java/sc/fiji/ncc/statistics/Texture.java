package sc.fiji.ncc.statistics;

import java.nio.Buffer;

import org.apache.commons.math3.special.Erf;

import sc.fiji.ncc.numeric.VectorProducts;
import sc.fiji.ncc.plan.support.Buffers;
import sc.fiji.ncc.plan.PixelType;

/**
 * How many independent details a strip has: what decides whether a high coefficient can be chance.
 * <p>
 * The coefficient of two strips that show different places has the variance 1/n, where n is the number of pixels divided by the sum over all displacements of
 * the product of both autocorrelations (M. S. Bartlett, J. R. Stat. Soc. 98 (1935) 536-543). The autocorrelation is taken as a peak at 0, the noise, plus a
 * product of one factor for each dimension, measured along some lines of the strip. Few bright objects on a dark background count as few: n is divided by
 * the kurtosis over that of the normal distribution.
 *
 * @param factors for each dimension the autocorrelation at the displacements 0, 1, 2, … over that at 0 without noise,
 *          times the share of pixels with a partner
 * @param signal the share of the variance that is not noise of single pixels
 * @param filled the share of pixels that count: below 1 if few pixels hold most of the variance
 */
public record Texture(double[][] factors, double signal, double filled) {

	/** The lines along each dimension that are read, at most, and the largest displacement. */
	private static final int LINES = 32, DISPLACEMENT = 64;
	private static final double NORMAL_KURTOSIS = 3;
	/** Below this autocorrelation the factor is noise. */
	private static final double LEAST = 0.05;

	/** @param size the extents */
	public static Texture of(final Buffer pixels, final PixelType type, final int[] size) {
		final int n = size.length;
		final double[][] sums = new double[n][];
		double mean = 0, square = 0, fourth = 0, count = 0;
		final double[][][] lines = new double[n][][];
		for (int d = 0; d < n; d++) {
			lines[d] = lines(pixels, type.min == 0, size, d);
			for (final double[] line : lines[d]) for (final double v : line) if (Double.isFinite(v)) {
				mean += v;
				count++;
			}
		}
		mean /= Math.max(1, count);
		double signal = 0;
		final double[] zero = new double[n];
		for (int d = 0; d < n; d++) {
			for (final double[] line : lines[d]) {
				for (int i = 0; i < line.length; i++) {
					final double v = Double.isFinite(line[i]) ? line[i] - mean : 0, w = v * v;
					line[i] = v;
					square += w;
					fourth += w * w;
				}
			}
			sums[d] = new double[Math.min(DISPLACEMENT, size[d] / 2) + 1];
			zero[d] = product(lines[d], 0);
			for (int k = 0; k < Math.min(3, sums[d].length); k++) sums[d][k] = zero[d] > 0 ? product(lines[d], k) / zero[d] : 0;
			// the straight line through the displacements 1 and 2 meets 0 at the share of the signal
			signal += sums[d].length < 3 ? 0 : Math.max(0, Math.min(1, 2 * sums[d][1] - sums[d][2])) / n;
		}
		for (int d = 0; d < n; d++) {
			final double[] factor = new double[size[d]];
			factor[0] = 1;
			// fine texture ends after a few displacements: further ones are not computed
			for (int k = 1; k < factor.length && signal >= LEAST; k++) {
				if (k >= 3 && k < sums[d].length) sums[d][k] = product(lines[d], k) / zero[d];
				// what is not measured is as high as the last displacement
				final double measured = sums[d][Math.min(k, sums[d].length - 1)];
				if (measured < LEAST * signal) break;
				factor[k] = Math.min(1, measured / signal) * (factor.length - k) / factor.length;
			}
			sums[d] = factor;
		}
		final double kurtosis = square > 0 ? count * fourth / (square * square) : NORMAL_KURTOSIS;
		return new Texture(sums, signal, Math.min(1, NORMAL_KURTOSIS / kurtosis));
	}

	private static double[][] lines(final Buffer pixels, final boolean unsigned, final int[] size, final int d) {
		int stride = 1, all = 1;
		for (int e = 0; e < size.length; e++) {
			if (e < d) stride *= size[e];
			if (e != d) all *= size[e];
		}
		final int number = Math.min(LINES, all);
		final double[][] lines = new double[number][size[d]];
		for (int l = 0; l < number; l++) {
			final int line = (int) ((l + 0.5) * all / number);
			// the lines of a dimension, in the order of the pixels
			int at = line % stride + line / stride * stride * size[d];
			if (pixels.hasArray() && pixels.arrayOffset() == 0) Buffers.values(pixels, unsigned, at, stride, lines[l], size[d]);
			else for (int i = 0; i < size[d]; i++, at += stride) lines[l][i] = Buffers.value(pixels, unsigned, at);
		}
		return lines;
	}

	/** The mean product of two values of a line at a displacement. */
	private static double product(final double[][] lines, final int k) {
		double sum = 0;
		for (final double[] line : lines) sum += VectorProducts.dot(line, k, line, 0, line.length - k);
		return sum / ((double) lines.length * (lines[0].length - k));
	}

	/** The number of pixels that one independent detail of both strips takes. */
	public static double pixelsADetail(final Texture a, final Texture b) {
		double both = a.signal * b.signal, product = 1;
		for (int d = 0; d < a.factors.length; d++) {
			double sum = 1;
			for (int k = 1; k < Math.min(a.factors[d].length, b.factors[d].length); k++) sum += 2 * a.factors[d][k] * b.factors[d][k];
			product *= sum;
		}
		return 1 - both + both * product;
	}

	/** The effective number of independent details of an overlap. */
	public static double details(final Texture a, final Texture b, final double pixels) {
		return pixels * Math.min(a.filled, b.filled) / pixelsADetail(a, b);
	}

	/**
	 * The expected number of peaks as high as the best one by chance. It is the larger one of two numbers: that which follows from the details of the overlap,
	 * with Fisher's transform of the coefficient, and that which follows from the runner-up ({@link NoisePeak}), which is high for periodic patterns.
	 *
	 * @param pixels the number of pixels that overlap
	 * @param runnerUp the second highest coefficient; NaN if there is none
	 * @param shifts the number of shifts that were compared
	 */
	public static double falseAlarms(final Texture a, final Texture b, final double pixels, final double score, final double runnerUp, final double shifts) {
		final double ofDetail = pixelsADetail(a, b), chance = chance(details(a, b, pixels), ofDetail, a.factors.length, score, shifts);
		final double beside = NoisePeak.alarms(score, runnerUp, NoisePeak.SHIFTS_A_PEAK * Math.max(1, shifts / ofDetail));
		return Double.isNaN(beside) ? chance : Math.max(chance, beside);
	}

	/**
	 * The expected number of peaks as high as a score by chance, with Fisher's transform of the score.
	 *
	 * @param details the number of independent details, see {@link #details}; of a mean of scores, the sum of theirs
	 * @param pixelsADetail see {@link #pixelsADetail}
	 * @param shifts the number of shifts that were compared
	 */
	public static double chance(final double details, final double pixelsADetail, final int dimensions, final double score, final double shifts) {
		final double places = Math.max(1, shifts / pixelsADetail), height = height(details, score);
		return height <= 0 ? places : places * Math.pow(1 + height, dimensions - 1) * 0.5 * Erf.erfc(height / Math.sqrt(2));
	}

	/** The coefficient in standard deviations of chance. */
	public static double height(final double details, final double score) {
		final double z = 0.5 * Math.log1p(2 * score / Math.max(1e-12, 1 - score));
		return z * Math.sqrt(Math.max(0, details - 3));
	}
}
