package sc.fiji.ncc.stitch;

import java.io.Serializable;
import java.nio.Buffer;
import java.nio.ShortBuffer;
import java.util.Arrays;
import java.util.List;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.array.ArrayImgs;

import sc.fiji.ncc.image.ImagePixels;
import sc.fiji.ncc.numeric.ResidualCovariance;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.support.Buffers;
import sc.fiji.ncc.register.JudgedFrame;

/**
 * How much the gain differs between the strips of a pair, as vignetting makes it: {@code f(x) = a·(1 + g·x)·m(x + shift) + b + o·x}.
 * <p>
 * Least squares at a shift near the right one. The gradient of both strips is fitted, too, so that the rest of the shift does not enter g.
 * Few objects in an overlap do not tell a slope of the gain from a shift. But g is the same for all neighbours along a dimension, because
 * it comes from the optics. So it is the mean over these pairs, weighted by what each says about it. Noise makes a too low, and leaves g.
 *
 * @param min the first pixel of the overlap in the fixed strip
 * @param size the extents of the overlap
 * @param sums the sums of products of a, b, the gradient, and along each dimension g and o, and in the last column with the fixed strip.
 *        The strips are without their means, and x is 0 in the middle of the overlap
 * @param inflation how many times the variance of g is that of residuals which are independent and of one variance; at least 1. It follows from the sums of
 *        clusters of pixels: what objects leave between the strips, such as errors of interpolation, is as large as the objects
 */
record GainPlane(int[] min, int[] size, double[][] sums, double inflation) implements Serializable {

	/** Twice the logarithm of the likelihood of g over that of an even gain, above which it counts. */
	private static final double SIGNIFICANT = 30;
	/** Along fewer pixels, the fit interpolates by four weights. Their error over the square of the fineness, in pixels, from {@code StitchVolumes}. */
	private static final int LONG = 40;
	private static final double SHORT_ERROR = 0.04;
	/** The smallest and the largest gain at a corner that is believed. */
	private static final double LEAST = 0.25, MOST = 4;

	/**
	 * The pixels of a strip, x fastest. Complexity: linear in their number.
	 *
	 * @param sum the sum of all pixels: not finite if one is missing
	 */
	record Strip(float[] pixels, long[] size, double sum) {

		static Strip of(final RandomAccessibleInterval<?> image) {
			final ImagePixels source = ImagePixels.of(image);
			return of(source.all(), source.type(), source.size());
		}

		static Strip of(final JudgedFrame frame) {
			return of(frame.whole(), frame.type(), frame.size());
		}

		private static Strip of(final Buffer raw, final PixelType type, final long[] size) {
			final float[] pixels = new float[Math.toIntExact(Size.of(size).pixels())];
			if (raw instanceof ShortBuffer)
				return new Strip(pixels, size, copied(((ShortBuffer) raw).array(), type.min == 0 ? 0xffff : -1, pixels));
			final double[] row = new double[(int) size[0]];
			for (int at = 0; at < pixels.length; at += row.length) {
				Buffers.values(raw, type.min == 0, at, row, row.length);
				for (int x = 0; x < row.length; x++) pixels[at + x] = (float) row[x];
			}
			return of(pixels, size);
		}

		/** Copies pixels, and returns their sum. */
		private static long copied(final short[] from, final int mask, final float[] to) {
			long sum = 0;
			for (int i = 0; i < to.length; i++) {
				final int v = from[i] & mask;
				to[i] = v;
				sum += v;
			}
			return sum;
		}

		static Strip of(final float[] pixels, final long[] size) {
			double a = 0, b = 0, c = 0, d = 0;
			int i = 0;
			for (; i + 3 < pixels.length; i += 4) {
				a += pixels[i];
				b += pixels[i + 1];
				c += pixels[i + 2];
				d += pixels[i + 3];
			}
			for (; i < pixels.length; i++) a += pixels[i];
			return new Strip(pixels, size, a + b + (c + d));
		}

		RandomAccessibleInterval<?> image() {
			return ArrayImgs.floats(pixels, size);
		}

		/** The mean of the pixels that are not missing. */
		double mean() {
			if (Double.isFinite(sum)) return sum / pixels.length;
			double present = 0, count = 0;
			for (final float v : pixels) {
				if (!Float.isFinite(v)) continue;
				present += v;
				count++;
			}
			return present / count;
		}
	}

	/**
	 * The sums of two strips.
	 *
	 * @param lag the whole-pixel shift: the pixel x of f shows what the pixel x + lag of m shows
	 * @param shift the shift between the pixels, near the lag
	 * @return null if the overlap is too small
	 */
	static GainPlane of(final Strip f, final Strip m, final int[] lag, final double[] shift) {
		final int n = f.size.length;
		final int[] min = new int[n], size = new int[n];
		for (int d = 0; d < n; d++) {
			min[d] = Math.max(0, -lag[d]);
			size[d] = (int) Math.min(f.size[d], m.size[d] - lag[d]) - min[d];
			// both ends have no gradient
			if (size[d] < 4) return null;
		}
		final GainRows rows = new GainRows(f, m, lag, shift, min, size);
		final double[][] sums = rows.sums();
		return new GainPlane(min, size, sums, inflation(sums, rows, n));
	}

	/**
	 * The slope g of the gain that some pairs have in common, for each pixel.
	 *
	 * @param planes of neighbours along one dimension
	 * @param signs 1 if the second tile lies in the positive direction, −1 if in the negative one, where g has the other sign
	 * @return null if it is not significant
	 */
	static double[] slope(final List<GainPlane> planes, final double[] signs) {
		final int n = planes.get(0).size.length, all = 2 + 3 * n;
		final double[][] information = new double[n][n];
		final double[] weighted = new double[n];
		for (int i = 0; i < signs.length; i++) {
			final double[][] sums = planes.get(i).sums, inverse = inverse(sums, all);
			if (inverse == null) continue;
			final double[] p = solve(sums, inverse);
			final double[][] ofGain = new double[n][n];
			for (int d = 0; d < n; d++) for (int e = 0; e < n; e++) ofGain[d][e] = inverse[2 + n + d][2 + n + e];
			final double[][] known = ResidualCovariance.inverse(ofGain);
			if (known == null || !(p[0] > 0)) continue;
			final double scale = p[0] * p[0] * (sums[1][1] - all) / (residual(sums, p) * planes.get(i).inflation);
			for (int d = 0; d < n; d++) for (int e = 0; e < n; e++) {
				information[d][e] += scale * known[d][e];
				weighted[d] += scale * known[d][e] * signs[i] * p[2 + n + e] / p[0];
			}
		}
		final double[][] covariance = ResidualCovariance.inverse(information);
		if (covariance == null) return null;
		final double[] slope = new double[n];
		double likelihood = 0;
		for (int d = 0; d < n; d++) {
			for (int e = 0; e < n; e++) slope[d] += covariance[d][e] * weighted[e];
			likelihood += slope[d] * weighted[d];
		}
		return likelihood > SIGNIFICANT ? slope : null;
	}

	private static double inflation(final double[][] sums, final GainRows rows, final int n) {
		final int all = 2 + 3 * n;
		final double[][] inverse = inverse(sums, all);
		if (inverse == null) return 1;
		final double[] p = solve(sums, inverse);
		final double[][] scores = rows.scores(p);
		final double[][] products = new double[all][all];
		for (final double[] s : scores) for (int a = 0; a < all; a++) for (int b = 0; b < all; b++) products[a][b] += s[a] * s[b];
		final double[][] found = ResidualCovariance.around(inverse, products), independent = new double[n][n];
		for (int d = 0; d < n; d++) for (int e = 0; e < n; e++) independent[d][e] = inverse[2 + n + d][2 + n + e];
		final double[][] known = ResidualCovariance.inverse(independent);
		double ratio = 0;
		for (int d = 0; d < n && known != null; d++) for (int e = 0; e < n; e++) ratio += known[d][e] * found[2 + n + d][2 + n + e] / n;
		// the fit makes the sum of all scores zero
		final double fitted = scores.length / Math.max(1.0, scores.length - all);
		return Math.max(1, fitted * ratio * (sums[1][1] - all) / residual(sums, p));
	}

	/** The distance from the middle. */
	static double place(final int at, final int size) {
		return at - (size - 1) / 2.0;
	}

	/** The inverse of the sums of the first regressors; null if their parameters are not determined. */
	private static double[][] inverse(final double[][] sums, final int parameters) {
		final double[][] matrix = new double[parameters][];
		for (int i = 0; i < parameters; i++) matrix[i] = Arrays.copyOf(sums[i], parameters);
		return ResidualCovariance.inverse(matrix);
	}

	private static double[] solve(final double[][] sums, final double[][] inverse) {
		final double[] solved = new double[inverse.length];
		for (int i = 0; i < solved.length; i++) for (int j = 0; j < solved.length; j++) solved[i] += inverse[i][j] * sums[j][sums.length - 1];
		return solved;
	}

	/** The sum of the squares of the residuals of a least-squares solution. */
	private static double residual(final double[][] sums, final double[] solved) {
		final int last = sums.length - 1;
		double square = sums[last][last];
		for (int i = 0; i < solved.length; i++) square -= solved[i] * sums[i][last];
		return square;
	}

	/**
	 * The standard deviation of the error that interpolation by few weights leaves in a shift along a dimension, in pixels. It is small for
	 * objects that are larger than some pixels, and grows with the square of their fineness: the square of the gradient over that of
	 * the pixels, which is 0.5 for white noise.
	 */
	double interpolationError(final int d) {
		final double fineness = sums[2 + d][2 + d] / sums[0][0];
		return size[d] < LONG && fineness > 0 ? SHORT_ERROR * fineness * fineness : 0;
	}

	/**
	 * The fixed strip with the gain of the middle of the overlap, and no offset. Outside the overlap the planes keep the values of its border.
	 *
	 * @param slope the slope g of the gain for each pixel
	 * @return the strip itself if the slope is out of reason, or the offset is not determined
	 */
	Strip corrected(final Strip f, final double[] slope) {
		final int n = size.length, plain = 2 + n, last = sums.length - 1;
		double steep = 0;
		for (int d = 0; d < n; d++) steep += Math.abs(slope[d]) * (size[d] - 1) / 2;
		// the sums with the slope in the first regressor
		final double[][] given = new double[plain + n + 1][plain + n + 1];
		final double[][] mixed = new double[plain + n + 1][last + 1];
		for (int i = 0; i < mixed.length; i++) mixed[i][i < plain ? i : i + n] = 1;
		System.arraycopy(slope, 0, mixed[0], plain, n);
		for (int i = 0; i < given.length; i++) for (int j = 0; j < given.length; j++)
			for (int k = 0; k <= last; k++) for (int l = 0; l <= last; l++) given[i][j] += mixed[i][k] * sums[k][l] * mixed[j][l];
		final double[][] inverse = inverse(given, plain + n);
		if (1 - steep < LEAST || 1 + steep > MOST || inverse == null) return f;
		final double[] p = solve(given, inverse);
		final float[] pixels = new float[f.pixels.length];
		final double mean = f.mean();
		final double[][] gains = new double[n][], offsets = new double[n][];
		for (int d = 0; d < n; d++) {
			gains[d] = new double[(int) f.size[d]];
			offsets[d] = new double[gains[d].length];
			for (int i = 0; i < gains[d].length; i++) {
				final double at = place(Math.max(0, Math.min(size[d] - 1, i - min[d])), size[d]);
				gains[d][i] = slope[d] * at;
				offsets[d][i] = p[plain + d] * at;
			}
		}
		for (int row = 0, i = 0; i < pixels.length; row++) {
			double a = 1, b = mean + p[1];
			for (int d = 1, rest = row; d < n; rest /= gains[d++].length) {
				a += gains[d][rest % gains[d].length];
				b += offsets[d][rest % gains[d].length];
			}
			for (int x = 0; x < gains[0].length; x++, i++) pixels[i] = (float) (mean + (f.pixels[i] - b - offsets[0][x]) / (a + gains[0][x]));
		}
		return Strip.of(pixels, f.size);
	}
}
