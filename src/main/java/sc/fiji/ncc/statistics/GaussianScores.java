package sc.fiji.ncc.statistics;

import java.util.Arrays;

import org.apache.commons.math3.distribution.NormalDistribution;

/**
 * The distribution of the correlation coefficient of a template with windows of normal noise. A window has independent modes i of variance d_i. The template without its mean, of length 1, has the
 * component t_i in mode i, and the constant window of length 1 has e_i. Then {@code r > c > 0} means that the quadratic form {@code zᵀ·√d·(t·tᵀ − c²·(1 − e·eᵀ))·√d·z} of standard normal z
 * is positive, and that one sign of two holds: e·eᵀ takes off the mean of the window. The form has one positive eigenvalue λ. With the negative eigenvalues −λμ_j,
 *
 * <pre>
 * P(r > c) = ½·P(z₀² > Σ μ_j·z_j²) = 1/π ∫₀^∞ Π (1 + (1 + u²)·μ_j)^(−1/2) / (1 + u²) du
 * </pre>
 *
 * because erfc(√a) = 1/π ∫₁^∞ e^(−as) / (s·√(s−1)) ds. The product is the determinant of a diagonal matrix plus two dyads, so no eigenvalue but λ is needed. For equal d_i the result is the
 * distribution of R. A. Fisher (Biometrika 10 (1915) 507-521).
 */
final class GaussianScores {

	private static final NormalDistribution NORMAL = new NormalDistribution(null, 0, 1);
	/** Smaller probabilities count as this one. */
	private static final double LEAST = 1e-300;
	/** Below this probability the quantile is computed by these steps. */
	private static final double SMALL = 1e-8;
	private static final int QUANTILE_STEPS = 6;
	/** Modes are grouped by their variance: so many groups, over a range of this factor. */
	private static final int GROUPS = 80;
	private static final double RANGE = 1e12;
	private static final int NEWTON_STEPS = 60;
	/** A smaller ratio in the determinant is a rounding error. */
	private static final double LEAST_RATIO = 1e-9;
	/** The step of a numerical derivative. */
	private static final double NEAR = 0.02;
	/** Nodes and weights of Gauss-Legendre quadrature on [0, 1]. */
	private static final double[] NODES = new double[16], WEIGHTS = new double[16];

	static {
		for (int i = 0; i < NODES.length; i++) {
			double x = Math.cos(Math.PI * (i + 0.75) / (NODES.length + 0.5)), slope = 1;
			for (int k = 0; k < NEWTON_STEPS; k++) {
				double before = 1, p = x;
				for (int j = 2; j <= NODES.length; j++) {
					final double next = ((2 * j - 1) * x * p - (j - 1) * before) / j;
					before = p;
					p = next;
				}
				slope = NODES.length * (x * p - before) / (x * x - 1);
				x -= p / slope;
			}
			NODES[i] = (1 + x) / 2;
			WEIGHTS[i] = 1 / ((1 - x * x) * slope * slope);
		}
	}

	/** For each group: the variance, the number of modes, and the sums of t², of e² and of t·e. */
	private final double[] variance, count, share, constant, mixed;
	/** The part of the constant window that is in no mode: 1 if the modes have no mean. */
	private final double outside;
	/** The greatest variance of a mode, which is the unit, and the squared length of the template. */
	private final double unit, squares;

	private GaussianScores(final double[] variance, final double[] count, final double[] share, final double[] constant, final double[] mixed,
		final double unit, final double squares) {
		this.unit = unit;
		this.squares = squares;
		this.variance = variance;
		this.count = count;
		this.share = share;
		this.constant = constant;
		this.mixed = mixed;
		outside = Math.max(0, 1 - Arrays.stream(constant).sum());
	}

	/** White noise of so many pixels, above 2. */
	static GaussianScores white(final double pixels) {
		return new GaussianScores(new double[] { 1 }, new double[] { pixels - 1 }, new double[] { 1 }, new double[1], new double[1], 1, 1);
	}

	/**
	 * @param variances of the modes
	 * @param template its component in each mode; its mean over the pixels is 0
	 * @param constant the component of the constant window in each mode, of length 1
	 */
	static GaussianScores of(final double[] variances, final double[] template, final double[] constant) {
		final double most = Arrays.stream(variances).max().orElse(1), all = Arrays.stream(template).map(t -> t * t).sum();
		final double[][] sums = new double[5][GROUPS];
		for (int i = 0; i < variances.length; i++) {
			final int group = (int) Math.min(GROUPS - 1, GROUPS * Math.log(Math.max(1, most / variances[i])) / Math.log(RANGE));
			sums[0][group] += variances[i];
			sums[1][group]++;
			sums[2][group] += template[i] * template[i] / all;
			sums[3][group] += constant[i] * constant[i];
			sums[4][group] += template[i] * constant[i] / Math.sqrt(all);
		}
		int groups = 0;
		for (int i = 0; i < GROUPS; i++) if (sums[0][i] > 0) {
			for (int k = 0; k < sums.length; k++) sums[k][groups] = sums[k][i];
			sums[0][groups] /= sums[1][groups] * most;
			groups++;
		}
		for (int k = 0; k < sums.length; k++) sums[k] = Arrays.copyOf(sums[k], groups);
		return new GaussianScores(sums[0], sums[1], sums[2], sums[3], sums[4], most, all);
	}

	/** The number of pixels of white noise with the same variance of the scores: M. S. Bartlett, J. R. Stat. Soc. 98 (1935) 536-543. */
	double effectivePixels() {
		double along = 0;
		for (int i = 0; i < count.length; i++) along += share[i] * variance[i];
		return 1 + trace() / along;
	}

	/** The sum of the variances of a window without its mean. */
	private double trace() {
		double all = 0;
		for (int i = 0; i < count.length; i++) all += (count[i] - constant[i]) * variance[i];
		return all;
	}

	/** The probability of at least this score. Complexity: constant. */
	double probability(final double score) {
		if (score < 0) return 1 - probability(-score);
		if (score == 0) return 0.5;
		if (score >= 1) return 0;
		final double x = score * score, v = inverse(x);
		final double width = 1 / Math.sqrt(1 + v * x * trace() / 4);
		double sum = 0;
		for (int i = 0; i < NODES.length; i++) {
			final double y = NODES[i], u = width * y / (1 - y), s = 1 + u * u;
			sum += WEIGHTS[i] * width / ((1 - y) * (1 - y)) * Math.exp(-logDeterminant(s, v, x) / 2) / s;
		}
		return Math.min(0.5, sum / Math.PI);
	}

	/** 1/λ, for the square x of a score. */
	private double inverse(final double x) {
		// λ = 1/v, and v·tᵀ√d(1 + v·x·√d(1 − eeᵀ)√d)⁻¹√dt = 1: concave in v, so Newton's steps from below stay below
		double v = 1 / at(0)[0];
		for (int i = 0; i < NEWTON_STEPS; i++) {
			final double[] f = at(v * x);
			final double step = (1 - v * f[0]) / f[1];
			v += step;
			if (!(step > 1e-13 * v)) break;
		}
		return v;
	}

	/** The logarithm of Π (1 + s·μ_j), for v = 1/λ and the square x of a score, and s other than 1. */
	private double logDeterminant(final double s, final double v, final double x) {
		final double q = s * v * x;
		final double[] f = at(q);
		// (1 − s) and (1 − s·v·f) both vanish at s = 1; for scores near 1 rounding errors can exceed their ratio
		double log = Math.log(Math.max(LEAST_RATIO, (s * v * f[0] - 1) / (s - 1)) * f[2]);
		for (int j = 0; j < count.length; j++) log += count[j] * Math.log(1 + q * variance[j]);
		return log;
	}

	/** The mean of Σ μ_j·z_j² where z₀² reaches it: Σ μ_j/(1 + μ_j). */
	double squaredLevel(final double score) {
		final double x = score * score, v = inverse(x);
		return (logDeterminant(1 + NEAR, v, x) - logDeterminant(1 - NEAR, v, x)) / (2 * NEAR);
	}

	/**
	 * The field z₀ in the modes, each divided by its deviation: the eigenvector of λ, of length 1. The arguments are those of {@link #of}.
	 *
	 * @param score above 0
	 */
	double[] leading(final double score, final double[] variances, final double[] template, final double[] constants) {
		final double x = score * score, q = inverse(x) * x, k = at(q)[3] * Math.sqrt(squares);
		final double[] z = new double[variances.length];
		double all = 0;
		for (int i = 0; i < z.length; i++) {
			z[i] = Math.sqrt(variances[i]) * (template[i] + k * constants[i]) / (1 + q * variances[i] / unit);
			all += z[i] * z[i];
		}
		for (int i = 0; i < z.length; i++) z[i] /= Math.sqrt(all);
		return z;
	}

	/** Σ μ_j·b_j², for a vector of the modes without a component along z₀, and with the component b_j along z_j. The other arguments are those of {@link #of}. */
	double others(final double score, final double[] vector, final double[] variances, final double[] template, final double[] constants) {
		double all = 0, mean = 0, along = 0;
		for (int i = 0; i < vector.length; i++) {
			final double w = Math.sqrt(variances[i] / unit) * vector[i];
			all += w * w;
			mean += w * constants[i];
			along += w * template[i];
		}
		return inverse(score * score) * (score * score * (all - mean * mean) - along * along / squares);
	}

	/**
	 * For {@code M = √d(1 − eeᵀ)√d}: {@code tᵀ√d(1 + qM)⁻¹√dt}, the same with the square of the inverse, and the determinant of 1 + qM over that of 1 + qd; and
	 * how much of the constant window the inverse adds to the template.
	 */
	private double[] at(final double q) {
		double a = outside, b = 0, g = 0;
		for (int i = 0; i < count.length; i++) {
			final double p = 1 / (1 + q * variance[i]);
			a += constant[i] * p;
			b += variance[i] * share[i] * p;
			g += variance[i] * mixed[i] * p;
		}
		final double k = q * g / a;
		double square = 0;
		for (int i = 0; i < count.length; i++) {
			final double p = 1 / (1 + q * variance[i]);
			square += variance[i] * (share[i] + 2 * k * mixed[i] + k * k * constant[i]) * p * p;
		}
		return new double[] { b + k * g, square, a, k };
	}

	/** The standard normal value that is exceeded with the same probability as this score. */
	double normal(final double score) {
		return Math.copySign(quantile(Math.max(LEAST, probability(Math.abs(score)))), score);
	}

	/** The standard normal value that is exceeded with a probability above 0 and up to 1/2. */
	static double quantile(final double p) {
		if (p > SMALL) return -NORMAL.inverseCumulativeProbability(p);
		double z = Math.sqrt(-2 * Math.log(p));
		for (int i = 0; i < QUANTILE_STEPS; i++) {
			final double tail = MaximaRate.normal(-z);
			// Newton's steps on the logarithm, which is nearly a parabola
			z += Math.log(tail / p) * tail * Math.sqrt(2 * Math.PI) * Math.exp(z * z / 2);
		}
		return z;
	}
}
