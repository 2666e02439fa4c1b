package sc.fiji.ncc.statistics;

import java.util.Arrays;

import org.apache.commons.math3.distribution.NormalDistribution;

/**
 * The distribution of the correlation coefficient of a template with windows of normal noise. A window has independent modes i of variance d_i, and the template has the share T_i of
 * its energy in mode i. Then {@code r > c > 0} means that the quadratic form {@code zᵀ·(√d·tᵀ·t·√d − c²·d)·z} of standard normal z is positive, and that one sign of two holds. The form
 * has one positive eigenvalue λ. With the negative eigenvalues −λμ_j,
 *
 * <pre>
 * P(r > c) = ½·P(z₀² > Σ μ_j·z_j²) = 1/π ∫₀^∞ Π (1 + (1 + u²)·μ_j)^(−1/2) / (1 + u²) du
 * </pre>
 *
 * because erfc(√a) = 1/π ∫₁^∞ e^(−as) / (s·√(s−1)) ds. The product is a determinant, so no eigenvalue but λ is needed. For equal d_i the result is the distribution of R. A. Fisher
 * (Biometrika 10 (1915) 507-521).
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

	/** For each group: the variance, the number of modes, the share of the template. */
	private final double[] variance, count, share;

	private GaussianScores(final double[] variance, final double[] count, final double[] share) {
		this.variance = variance;
		this.count = count;
		this.share = share;
	}

	/** White noise of so many pixels, above 2. */
	static GaussianScores white(final double pixels) {
		return new GaussianScores(new double[] { 1 }, new double[] { pixels - 1 }, new double[] { 1 });
	}

	/**
	 * @param variances of the modes
	 * @param energy of the template in each mode
	 */
	static GaussianScores of(final double[] variances, final double[] energy) {
		final double most = Arrays.stream(variances).max().orElse(1), all = Arrays.stream(energy).sum();
		final double[] variance = new double[GROUPS], count = new double[GROUPS], share = new double[GROUPS];
		for (int i = 0; i < variances.length; i++) {
			final int group = (int) Math.min(GROUPS - 1, GROUPS * Math.log(Math.max(1, most / variances[i])) / Math.log(RANGE));
			variance[group] += variances[i];
			count[group]++;
			share[group] += energy[i] / all;
		}
		int groups = 0;
		for (int i = 0; i < GROUPS; i++) if (count[i] > 0 && variance[i] > 0) {
			variance[groups] = variance[i] / count[i] / most;
			count[groups] = count[i];
			share[groups++] = share[i];
		}
		return new GaussianScores(Arrays.copyOf(variance, groups), Arrays.copyOf(count, groups), Arrays.copyOf(share, groups));
	}

	/** The number of pixels of white noise with the same variance of the scores: M. S. Bartlett, J. R. Stat. Soc. 98 (1935) 536-543. */
	double effectivePixels() {
		double all = 0, along = 0;
		for (int i = 0; i < count.length; i++) {
			all += count[i] * variance[i];
			along += share[i] * variance[i];
		}
		return 1 + all / along;
	}

	/** The probability of at least this score. Complexity: constant. */
	double probability(final double score) {
		if (score < 0) return 1 - probability(-score);
		if (score == 0) return 0.5;
		if (score >= 1) return 0;
		final double x = score * score;
		// v·Σ d·T/(1 + v·x·d) = 1 for v = 1/λ: concave in v, so Newton's steps from below stay below
		double v = 1 / along(0, x)[0];
		for (int i = 0; i < NEWTON_STEPS; i++) {
			final double[] f = along(v, x);
			final double step = (1 - v * f[0]) / f[1];
			v += step;
			if (!(step > 1e-13 * v)) break;
		}
		double form = 0;
		for (int i = 0; i < count.length; i++) form += count[i] * v * x * variance[i];
		final double width = 1 / Math.sqrt(1 + form / 4);
		double sum = 0;
		for (int i = 0; i < NODES.length; i++) {
			final double y = NODES[i], u = width * y / (1 - y), s = 1 + u * u;
			// (1 − s) and (1 − s·v·Σ) both vanish at s = 1
			double log = Math.log((s * v * along(s * v, x)[0] - 1) / (u * u));
			for (int j = 0; j < count.length; j++) log += count[j] * Math.log1p(s * v * x * variance[j]);
			sum += WEIGHTS[i] * width / ((1 - y) * (1 - y)) * Math.exp(-log / 2) / s;
		}
		return Math.min(0.5, sum / Math.PI);
	}

	/** {@code Σ d·T/(1 + v·x·d)}, and the derivative of v times it. */
	private double[] along(final double v, final double x) {
		double f = 0, slope = 0;
		for (int i = 0; i < count.length; i++) {
			final double q = 1 / (1 + v * x * variance[i]), p = variance[i] * share[i] * q;
			f += p;
			slope += p * q;
		}
		return new double[] { f, slope };
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
