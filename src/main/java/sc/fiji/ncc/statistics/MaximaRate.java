package sc.fiji.ncc.statistics;

import org.apache.commons.math3.special.Erf;

/**
 * The share of the values above a threshold that are local maxima, for a stationary normal field on a grid. Along each axis the neighbours of a value have a
 * bivariate normal distribution given the value, with the correlations of the field at distances 1 and 2. The axes are taken as independent given the value:
 * J. E. Taylor, K. J. Worsley and F. Gosselin, Maxima of discretely sampled random fields, with an application to 'bubbles', Biometrika 94 (2007) 1-18. For smooth fields the rate tends to Rice's formula, for
 * independent values to 1 at high thresholds.
 * <p>
 * Correlation coefficients are no normal field: they are cosines of an angle, and their peaks are steeper. So their {@link Steepness} replaces the
 * normal value in the conditional slope. A factor remains, a straight line in the value, which {@link #calibrated} fits to the maxima that were
 * counted above several values.
 */
final class MaximaRate {

	private static final double SQRT2 = Math.sqrt(2);
	/** The number of intervals of Simpson's rule over the values above the threshold. Even. */
	private static final int STEPS = 24;
	/** Nodes and weights of Gauss-Legendre quadrature on [0, 1], with 10 points. */
	private static final double[] NODES = { 0.013046735741414, 0.067468316655508, 0.160295215850488, 0.283302302935376, 0.425562830509184,
		0.574437169490816, 0.716697697064624, 0.839704784149512, 0.932531683344492, 0.986953264258586 };
	private static final double[] WEIGHTS = { 0.033335672154344, 0.074725674575290, 0.109543181257991, 0.134633359654998, 0.147762112357376,
		0.147762112357376, 0.134633359654998, 0.109543181257991, 0.074725674575290, 0.033335672154344 };

	private final long[] size;
	private final double[] first, second;
	/** For each axis: the slope of the conditional mean of a neighbour, in units of its deviation; and the correlation of the two neighbours given the value. */
	private final double[] slope, between;
	/** The factor of the slope at the value {@link #AT}, and its increase. */
	private final double factor, increase;
	private final Steepness steepness;

	/** The prior distribution of the factor and of its increase. */
	private static final double AT = 2, FACTOR = 0.95, FACTOR_ERROR = 0.1, INCREASE_ERROR = 0.1;
	private static final double LEAST = 0.3, MOST = 8;
	/** The greatest number of steps to the factor of a share, and the intervals of Simpson's rule for them. */
	private static final int STEPS_TO_FACTOR = 6, FEW_STEPS = 12;

	/**
	 * @param size the number of values along each axis
	 * @param first the correlations of neighbours along each axis
	 * @param second the correlations at distance 2 along each axis
	 * @param steepness of the peaks
	 */
	MaximaRate(final long[] size, final double[] first, final double[] second, final Steepness steepness) {
		this(size, first, second, steepness, 1, 0);
	}

	private MaximaRate(final long[] size, final double[] first, final double[] second, final Steepness steepness, final double factor, final double increase) {
		this.steepness = steepness;
		this.first = first;
		this.second = second;
		this.factor = factor;
		this.increase = increase;
		this.size = size.clone();
		slope = new double[size.length];
		between = new double[size.length];
		for (int d = 0; d < size.length; d++) {
			final double r = Math.max(-0.999, Math.min(0.999999, first[d]));
			slope[d] = Math.sqrt((1 - r) / (1 + r));
			between[d] = Math.max(-1, Math.min(1, (second[d] - r * r) / (1 - r * r)));
		}
	}

	/**
	 * The same field with the steepness of its peaks.
	 *
	 * @param values above which peaks were counted
	 * @param exceeding for each value the number of values that exceed it, inside the grid
	 * @param maxima how many of them are local maxima
	 */
	MaximaRate calibrated(final double[] values, final long[] exceeding, final long[] maxima) {
		// normal equations of factor + increase·(value − AT)
		double a = 1 / (FACTOR_ERROR * FACTOR_ERROR), b = 0, c = 1 / (INCREASE_ERROR * INCREASE_ERROR), p = FACTOR * a, q = 0;
		for (int i = 0; i < values.length; i++) {
			if (maxima[i] == 0) continue;
			final double share = (double) maxima[i] / exceeding[i];
			final double found = factor(values[i], share);
			// the share of a smooth field grows with the power of the number of axes; where it saturates, it says little
			final double error = found / Math.sqrt(maxima[i]) / Math.max(0.1, 1 - share), x = values[i] - AT, weight = 1 / (error * error);
			a += weight;
			b += weight * x;
			c += weight * x * x;
			p += weight * found;
			q += weight * found * x;
		}
		final double determinant = a * c - b * b;
		return new MaximaRate(size, first, second, steepness, (p * c - q * b) / determinant, (a * q - b * p) / determinant);
	}

	/** The factor with this share: its logarithm is nearly a straight line in that of the share. */
	private double factor(final double value, final double share) {
		double x = 0, y = Math.log(of(1, value) / share), slope = 2;
		for (int i = 0; i < STEPS_TO_FACTOR && Math.abs(y) > 0.01; i++) {
			final double next = Math.max(Math.log(LEAST), Math.min(Math.log(MOST), x - y / slope)), z = Math.log(of(Math.exp(next), value) / share);
			if (next == x) break;
			slope = Math.max(0.2, (z - y) / (next - x));
			x = next;
			y = z;
		}
		return Math.exp(x);
	}

	private double of(final double more, final double value) {
		return new MaximaRate(unbounded(), first, second, steepness, more, 0).given(value, FEW_STEPS);
	}

	/** Extents so large that borders do not count. */
	private long[] unbounded() {
		final long[] large = size.clone();
		for (int d = 0; d < large.length; d++) if (large[d] > 1) large[d] = 1L << 30;
		return large;
	}

	/** The probability that a standard normal value that exceeds {@code u} is a local maximum, on average over the grid. Complexity: constant. */
	double given(final double u) {
		return given(u, STEPS);
	}

	private double given(final double u, final int steps) {
		final double end = 12 / Math.max(1.5, u + 1);
		double maxima = 0, all = 0;
		for (int i = 0; i <= steps; i++) {
			final double t = end * i / steps, weight = (i == 0 || i == steps ? 1 : i % 2 == 1 ? 4 : 2) * Math.exp(-t * (u + t / 2));
			all += weight;
			final double v = u + t, more = Math.max(LEAST, Math.min(MOST, factor + increase * Math.max(0, v - AT)));
			double lower = 1;
			for (int d = 0; d < size.length; d++) lower *= lower(d, Math.copySign(steepness.of(d, Math.abs(v)), v) * more);
			maxima += weight * lower;
		}
		return maxima / all;
	}

	/** The probability that no neighbour along an axis exceeds a value. */
	private double lower(final int d, final double steep) {
		if (size[d] < 2) return 1;
		final double h = slope[d] * steep, one = fastNormal(h);
		return ((size[d] - 2) * both(h, between[d]) + 2 * one) / size[d];
	}

	/** Within 7.5e-8: M. Abramowitz and I. A. Stegun, Handbook of Mathematical Functions, 26.2.17. */
	private static double fastNormal(final double x) {
		final double t = 1 / (1 + 0.2316419 * Math.abs(x));
		final double upper = Math.exp(-x * x / 2) / Math.sqrt(2 * Math.PI) * t
			* (0.319381530 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
		return x > 0 ? 1 - upper : upper;
	}

	static double normal(final double x) {
		return 0.5 * Erf.erfc(-x / SQRT2);
	}

	/** The probability that two standard normal values with correlation {@code r} are both at most {@code h}, within 3e-7, by Owen's function T. */
	static double both(final double h, final double r) {
		if (r >= 1) return fastNormal(h);
		if (r <= -1) return Math.max(0, 2 * fastNormal(h) - 1);
		return fastNormal(h) - 2 * owen(h, Math.sqrt((1 - r) / (1 + r)));
	}

	/** Owen's function T(h, a) for a ≥ 0: D. B. Owen, Annals of Mathematical Statistics 27 (1956) 1075-1090. */
	static double owen(final double h, final double a) {
		final double b = Math.abs(h);
		if (a > 1) {
			final double p = fastNormal(b), q = fastNormal(a * b);
			return 0.5 * (p + q) - p * q - owen(a * b, 1 / a);
		}
		double sum = 0;
		for (int i = 0; i < NODES.length; i++) {
			final double x = a * NODES[i];
			sum += WEIGHTS[i] * Math.exp(-0.5 * b * b * (1 + x * x)) / (1 + x * x);
		}
		return a * sum / (2 * Math.PI);
	}
}
