package sc.fiji.ncc.motion;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

import sc.fiji.ncc.loops.LagRows;
import sc.fiji.ncc.numeric.BandMatrix;
import sc.fiji.ncc.plan.support.Parallel;

/**
 * Penalised least squares on a grid, by discrete cosine transforms: the least of {@code Σ w·(z − y)² + s·Σ (Δz)²}, where Δ is the
 * Laplacian. Without a given s, the one with the least generalised cross-validation. D. Garcia, Robust smoothing of gridded data in one and
 * higher dimensions with missing values, Computational Statistics &amp; Data Analysis 54 (2010) 1167-1178, DOI 10.1016/j.csda.2009.09.020,
 * equations 15 and 17. Complexity: the number of values times the square of the second smallest extent, or if that is large times the sum
 * of the extents for each of at most {@value #STEPS} steps. One thread may use an object.
 */
final class FieldSmoothing {

	private static final int STEPS = 100;
	/** Lines that are transformed together. */
	private static final int TOGETHER = 64;
	/** The change of a step, as a share of all values, from which on no further one is needed. */
	private static final double SMALL = 1e-4;
	/** The range of the decimal logarithm of s, and the number of divisions of it by the golden section. */
	private static final double LEAST = -6, MOST = 6;
	private static final int DIVISIONS = 30;
	/** The number of parameters from the least one on that are tried where errors are known, and the steps of their logarithms. */
	private static final int PARAMETERS = 64;
	private static final double STEP = (MOST - LEAST) / PARAMETERS;
	/** The median of the squares of a standard Gaussian, times 1.5, because stated standard deviations of motions are somewhat too small. */
	private static final double MEDIAN = 0.4549 * 1.5;
	/** A wider band of the matrix takes more time than conjugate gradients, and a matrix with a smaller parameter is nearly singular. */
	private static final int WIDEST = 80;
	private static final double SINGULAR = 1e-9;
	private static final double GOLDEN = (Math.sqrt(5) - 1) / 2;

	private final int[] size;
	private final int count;
	/** For each dimension of m windows, the cosines of the multiples of a 4m-th of the circle, times √(2/m). */
	private final double[][] cosines;
	private final Parallel parallel;
	/** The squares of the eigenvalues of the Laplacian. */
	private final double[] squares;
	/** The place of each value in the matrix of the least squares: along the shortest dimension first, so that its elements are near to the diagonal. */
	private final int[] places;
	/** The matrix of the sum of the squares of the Laplacian; null if the band of such matrices is too wide. */
	private final BandMatrix roughness;
	private Kept kept;

	FieldSmoothing(final int[] size, final Parallel parallel) {
		this.parallel = parallel;
		this.size = size.clone();
		count = Arrays.stream(size).reduce(1, (a, b) -> a * b);
		cosines = new double[size.length][];
		squares = new double[count];
		for (int d = 0, stride = 1; d < size.length; stride *= size[d++]) {
			final int m = size[d];
			cosines[d] = new double[Math.multiplyExact(4, m)];
			for (int i = 0; i < cosines[d].length; i++) cosines[d][i] = Math.sqrt(2.0 / m) * Math.cos(Math.PI * i / (2 * m));
			for (int i = 0; i < count; i++) squares[i] += 2 * Math.cos(Math.PI * (i / stride % m) / m) - 2;
		}
		for (int i = 0; i < count; i++) squares[i] *= squares[i];
		final int[] sorted = IntStream.range(0, size.length).boxed().sorted(Comparator.comparingInt(d -> size[d])).mapToInt(d -> d).toArray(),
			strides = new int[size.length];
		int all = 1;
		for (final int d : sorted) {
			strides[d] = all;
			all *= size[d];
		}
		places = new int[count];
		for (int i = 0; i < count; i++) for (int d = 0, rest = i; d < size.length; rest /= size[d++]) places[i] += rest % size[d] * strides[d];
		final int band = 2 * strides[sorted[sorted.length - 1]];
		roughness = band > WIDEST ? null : roughness(band);
	}

	/**
	 * Smooths all components of a field with one parameter.
	 *
	 * @param values finite values of each component; those of weight 0 are only a start
	 * @param weights in [0, 1], at least one of them positive
	 * @param parameter s; NaN for the best one
	 */
	double[][] smooth(final double[][] values, final double[] weights, final double parameter) {
		return smoother(weights, Double.isNaN(parameter) ? best(values, weights) : parameter).smooth(values, values);
	}

	/** Smooths fields with the same weights and the same parameter. */
	interface Smoother {

		/** @param start values near the result */
		double[][] smooth(double[][] values, double[][] start);
	}

	/** A smoother that is kept, since most passes have the same weights. */
	private record Kept(double[] weights, double s, Smoother smoother) {}

	/** @param s the parameter */
	Smoother smoother(final double[] weights, final double s) {
		if (kept == null || kept.s != s || !Arrays.equals(kept.weights, weights)) kept = new Kept(weights.clone(), s, made(weights, s));
		return kept.smoother;
	}

	private Smoother made(final double[] weights, final double s) {
		if (roughness == null || s < SINGULAR) return (values, start) -> {
			final double[][] z = new double[values.length][];
			for (int c = 0; c < z.length; c++) z[c] = solved(values[c], weights, s, start[c]);
			return z;
		};
		final BandMatrix matrix = roughness.times(s);
		for (int i = 0; i < count; i++) matrix.add(places[i], places[i], weights[i]);
		matrix.factorize();
		return (values, start) -> {
			final double[][] right = new double[values.length][count], z = new double[values.length][count];
			for (int c = 0; c < z.length; c++) for (int i = 0; i < count; i++) right[c][places[i]] = weights[i] * values[c][i];
			matrix.solve(right);
			for (int c = 0; c < z.length; c++) for (int i = 0; i < count; i++) z[c][i] = right[c][places[i]];
			return z;
		};
	}

	/** {@code Δᵀ·Δ}. */
	private BandMatrix roughness(final int band) {
		final BandMatrix matrix = new BandMatrix(count, band);
		final int[] near = new int[2 * size.length + 1];
		for (int i = 0; i < count; i++) {
			int n = 0;
			near[n++] = places[i];
			for (int d = 0, stride = 1; d < size.length; stride *= size[d++]) {
				final int at = i / stride % size[d];
				if (at > 0) near[n++] = places[i - stride];
				if (at < size[d] - 1) near[n++] = places[i + stride];
			}
			// a row of the Laplacian: each neighbour less the value
			for (int a = 0; a < n; a++)
				for (int b = 0; b <= a; b++) matrix.add(near[a], near[b], (a == 0 ? 1 - n : 1) * (b == 0 ? 1 - n : 1));
		}
		return matrix;
	}

	/**
	 * Solves {@code (W + s·Δᵀ·Δ)·z = W·y} in the space of the cosine transform, where the second term is a diagonal matrix, by conjugate gradients with
	 * the matrix for the mean weight as the preconditioner.
	 */
	private double[] solved(final double[] y, final double[] weights, final double s, final double[] start) {
		double mean = 0;
		for (final double w : weights) mean += w / count;
		final double[] z = start.clone(), r = new double[count], p = new double[count], q = new double[count];
		for (int i = 0; i < count; i++) r[i] = weights[i] * (y[i] - z[i]);
		transform(z, false);
		transform(r, false);
		for (int i = 0; i < count; i++) r[i] -= s * squares[i] * z[i];
		double before = 0;
		for (int step = 0; step < STEPS; step++) {
			double product = 0;
			for (int i = 0; i < count; i++) product += r[i] * r[i] / (mean + s * squares[i]);
			if (product == 0) break;
			for (int i = 0; i < count; i++) {
				p[i] = r[i] / (mean + s * squares[i]) + (step == 0 ? 0 : product / before * p[i]);
				q[i] = p[i];
			}
			before = product;
			transform(q, true);
			for (int i = 0; i < count; i++) q[i] *= weights[i];
			transform(q, false);
			double curvature = 0;
			for (int i = 0; i < count; i++) {
				q[i] += s * squares[i] * p[i];
				curvature += p[i] * q[i];
			}
			final double length = product / curvature;
			double change = 0, all = 0;
			for (int i = 0; i < count; i++) {
				z[i] += length * p[i];
				r[i] -= length * q[i];
				change += length * length * p[i] * p[i];
				all += z[i] * z[i];
			}
			if (!(change > SMALL * SMALL * all)) break;
		}
		transform(z, true);
		return z;
	}

	/** The best parameter. As in the paper, it is chosen at the steps 1, 2, 4, 8 … of a simple iteration. */
	private double best(final double[][] values, final double[] weights) {
		double[][] z = values;
		double s = 0;
		for (int step = 0; step < STEPS; step++) {
			final double[][] spectra = new double[values.length][];
			for (int c = 0; c < values.length; c++) {
				spectra[c] = new double[count];
				for (int i = 0; i < count; i++) spectra[c][i] = weights[i] * (values[c][i] - z[c][i]) + z[c][i];
				transform(spectra[c], false);
			}
			if (Integer.bitCount(step + 1) == 1) s = least(spectra, weights);
			double change = 0, all = 0;
			final double[][] next = new double[values.length][];
			for (int c = 0; c < values.length; c++) {
				next[c] = filtered(spectra[c], s);
				for (int i = 0; i < count; i++) {
					change += (next[c][i] - z[c][i]) * (next[c][i] - z[c][i]);
					all += next[c][i] * next[c][i];
				}
			}
			z = next;
			if (change <= SMALL * SMALL * all) break;
		}
		return s;
	}

	/**
	 * The parameter that smooths as much as the errors of the values allow: half of the values of each component lie within their median error from the
	 * smooth field, and with the next parameter they do not. The first guess takes residuals for multiples of s, as they are while s is small. The next
	 * ones lie between, or beyond, the parameters before. After a guess that leaves more than half of the parameters, the one in the middle follows.
	 *
	 * @param values finite values of each component; those without a variance are only a start
	 * @param variances of each component of each value, above 0; NaN for values that do not count, at least one of them a number
	 */
	double within(final double[][] values, final double[][] variances) {
		final double[] weights = weights(variances);
		int low = 0, high = PARAMETERS;
		double[][] z = values;
		double atLow = Double.NaN, slope = 2 * STEP;
		Kept best = null;
		for (int i = 0, left = 2 * high; i < high; left = high - low) {
			final double[][] smooth = smoother(weights, parameter(i)).smooth(values, z);
			final double excess = excess(values, smooth, variances);
			if (i > 0) slope = (excess - atLow) / (i - low);
			if (excess > 0) high = i;
			else {
				low = i;
				atLow = excess;
				z = smooth;
				best = kept;
			}
			final boolean far = i > 0 && 2 * (high - low) > left;
			i = far ? (low + high) / 2 : (int) (low - atLow / slope);
			i = Math.max(low + 1, Math.min(high - 1, i));
		}
		if (best != null) kept = best;
		return parameter(low);
	}

	private static double parameter(final int i) {
		return Math.pow(10, LEAST + i * STEP);
	}

	/** Weights for these variances: 1 for the median and smaller ones, 0 for NaN. */
	static double[] weights(final double[][] variances) {
		final double[] sums = new double[variances[0].length];
		for (int i = 0; i < sums.length; i++) for (final double[] component : variances) sums[i] += component[i];
		final double[] known = Arrays.stream(sums).filter(v -> !Double.isNaN(v)).sorted().toArray();
		return Arrays.stream(sums).map(v -> Double.isNaN(v) ? 0 : Math.min(1, known[known.length / 2] / v)).toArray();
	}

	/**
	 * The logarithm of the median of the squared residuals, divided by the one that errors explain: above 0 if it is too large. A component that does
	 * not change must not hide another one, so the largest one of all components counts.
	 */
	private static double excess(final double[][] values, final double[][] smooth, final double[][] variances) {
		double largest = Double.MIN_NORMAL;
		for (int c = 0; c < values.length; c++) {
			final double[] all = new double[values[c].length];
			int n = 0;
			for (int i = 0; i < all.length; i++)
				if (!Double.isNaN(variances[c][i])) all[n++] = (values[c][i] - smooth[c][i]) * (values[c][i] - smooth[c][i]) / variances[c][i];
			Arrays.sort(all, 0, n);
			largest = Math.max(largest, all[n / 2] / MEDIAN);
		}
		return Math.log10(largest);
	}

	private double[] filtered(final double[] spectrum, final double s) {
		final double[] z = new double[count];
		for (int i = 0; i < count; i++) z[i] = spectrum[i] / (1 + s * squares[i]);
		transform(z, true);
		return z;
	}

	/** The parameter with the least score, by a search with the golden section. */
	private double least(final double[][] spectra, final double[] weights) {
		double low = LEAST, high = MOST;
		double a = high - GOLDEN * (high - low), b = low + GOLDEN * (high - low);
		double atA = score(spectra, weights, a), atB = score(spectra, weights, b);
		for (int i = 0; i < DIVISIONS; i++) {
			if (atA < atB) {
				high = b;
				b = a;
				atB = atA;
				a = high - GOLDEN * (high - low);
				atA = score(spectra, weights, a);
			}
			else {
				low = a;
				a = b;
				atA = atB;
				b = low + GOLDEN * (high - low);
				atB = score(spectra, weights, b);
			}
		}
		return Math.pow(10, (low + high) / 2);
	}

	/** The score of generalised cross-validation. The residual is that of the cosine transform, which is orthonormal. */
	private double score(final double[][] spectra, final double[] weights, final double logarithm) {
		final double s = Math.pow(10, logarithm);
		double trace = 0, residual = 0, counted = 0;
		for (int i = 0; i < count; i++) {
			final double kept = 1 / (1 + s * squares[i]);
			trace += kept;
			if (weights[i] > 0) counted++;
			for (final double[] spectrum : spectra) residual += (1 - kept) * (1 - kept) * spectrum[i] * spectrum[i];
		}
		final double rest = 1 - trace / count;
		return residual / counted / Math.max(1e-300, rest * rest);
	}

	/** The orthonormal cosine transform of type 2 along all dimensions, or its inverse. Lines that lie side by side are transformed at once. */
	private void transform(final double[] values, final boolean inverse) {
		for (int d = 0, stride = 1; d < size.length; stride *= size[d++]) {
			final int m = size[d], lines = count / m, from = stride;
			final double[] all = cosines[d];
			parallel.each((lines + TOGETHER - 1) / TOGETHER, group -> {
				final int first = group * TOGETHER, n = Math.min(TOGETHER, lines - first);
				final double[][] rows = new double[m][n];
				final double[] sum = new double[n], factors = new double[m];
				for (int x = 0; x < m; x++) for (int l = 0; l < n; l++) rows[x][l] = values[index(first + l, x, from, m)];
				for (int k = 0; k < m; k++) {
					// the angle grows with the place by twice the wave number, and with the wave number by an odd number
					for (int x = 0, angle = inverse ? 0 : k, step = inverse ? 2 * k + 1 : 2 * k; x < m; x++, angle = (angle + step) % all.length)
						factors[x] = (inverse ? x : k) == 0 ? all[angle] * Math.sqrt(0.5) : all[angle];
					Arrays.fill(sum, 0);
					LagRows.add(sum, 0, n, rows, factors, 0, m);
					for (int l = 0; l < n; l++) values[index(first + l, k, from, m)] = sum[l];
				}
			});
		}
	}

	private static int index(final int line, final int x, final int stride, final int length) {
		return line / stride * stride * length + line % stride + x * stride;
	}
}
