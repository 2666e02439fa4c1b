package sc.fiji.ncc.statistics;

import org.apache.commons.math3.special.Beta;
import org.apache.commons.math3.special.Erf;
import org.apache.commons.math3.special.Gamma;

/**
 * Symmetric distributions with density proportional to {@code (1 + κt²)^(−(1/κ + 1)/2)}. With κ above 0 it is Student's t with 1/κ degrees of freedom (Pearson's type
 * VII). With κ = 0 it is the standard normal distribution. With κ below 0 it is bounded by 1/√−κ (Pearson's type II), and its tails are lighter than normal.
 */
record PearsonDistribution(double kappa) {

	/** Smaller magnitudes of κ count as 0. */
	private static final double NORMAL = 1e-7;

	/** The logarithm of the density at 0. */
	double logPeak() {
		if (Math.abs(kappa) < NORMAL) return -0.5 * Math.log(2 * Math.PI);
		if (kappa > 0) return Gamma.logGamma((1 / kappa + 1) / 2) - Gamma.logGamma(1 / (2 * kappa)) - 0.5 * Math.log(Math.PI / kappa);
		final double m = -1 / kappa;
		return -Beta.logBeta(0.5, (m + 1) / 2) - 0.5 * Math.log(m);
	}

	/** The logarithm of the density at t, relative to that at 0; negative infinity outside the bounds. */
	double logRelative(final double t) {
		if (Math.abs(kappa) < NORMAL) return -t * t / 2;
		final double x = kappa * t * t;
		return x <= -1 ? Double.NEGATIVE_INFINITY : -(1 / kappa + 1) / 2 * Math.log1p(x);
	}

	/** The probability of values of at least this magnitude. */
	double beyond(final double t) {
		if (Math.abs(kappa) < NORMAL) return Erf.erfc(Math.abs(t) / Math.sqrt(2));
		final double x = kappa * t * t;
		if (x <= -1) return 0;
		return kappa > 0 ? Beta.regularizedBeta(1 / (1 + x), 1 / (2 * kappa), 0.5) : Beta.regularizedBeta(1 + x, (1 - 1 / kappa) / 2, 0.5);
	}
}
