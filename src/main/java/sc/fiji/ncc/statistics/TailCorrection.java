package sc.fiji.ncc.statistics;

import java.util.Arrays;

import org.apache.commons.math3.linear.Array2DRowRealMatrix;
import org.apache.commons.math3.linear.ArrayRealVector;
import org.apache.commons.math3.linear.DecompositionSolver;
import org.apache.commons.math3.linear.LUDecomposition;
import org.apache.commons.math3.linear.RealMatrix;
import org.apache.commons.math3.linear.RealVector;

/**
 * How the scores of a map differ from those of normal noise. With y the standard normal value that is exceeded as often as a score in the map, and z the value of {@link GaussianScores},
 * {@code z = β·y + γ·y² + δ·y³}: a factor of the scale, the skewness, and the weight of the tails. Scores below 0 have −γ. Beyond {@link #LINEAR} it continues as a straight line.
 * The parameters are fitted to quantiles by generalised least squares with a prior distribution around normal noise. So a map with few independent responses changes little.
 */
final class TailCorrection {

	/** The number of parameters: β, γ, δ, and the share of true matches, which the fit needs only. */
	private static final int PARAMETERS = 3, FITTED = 4;
	/** The error of the expected skewness in proportion to it. */
	private static final double SKEWNESS_ERROR = 0.3;
	/**
	 * Without an estimate of the windows: the standard deviations of the scale and of the tails; and the variance of the scale, times the number of
	 * independent responses.
	 */
	private static final double SCALE = 0.05, TAILS = 0.004, FEW = 1.5;
	/**
	 * The standard deviations of the scale and of the tails, besides the errors of the windows: no image is exactly normal noise with a separable
	 * autocorrelation.
	 */
	private static final double MODEL_SCALE = 0.02, MODEL_TAILS = 0.001;

	/** What is known before the fit: the standard deviations of γ and of the share of true matches. */
	enum Prior {
		/** True matches and a skewness are both possible. */
		ANY(0.05, 0.01),
		/** Most background has the skewness that is expected. */
		EXPECTED(0.002, 0.01),
		/** The upper scores are those of a skewed background. */
		SKEWED(0.05, 1e-6);

		private final double skewness, share;

		Prior(final double skewness, final double share) {
			this.skewness = skewness;
			this.share = share;
		}

		/** The inverse of the covariance of the parameters. */
		private RealMatrix precision(final WindowNoise noise, final double independent) {
			final double[][] errors = noise.errors();
			final double scale = errors == null ? SCALE * SCALE + FEW / independent : MODEL_SCALE * MODEL_SCALE + errors[0][0],
				tails = errors == null ? TAILS * TAILS : MODEL_TAILS * MODEL_TAILS + errors[1][1], both = errors == null
				? 0 : errors[0][1], determinant = scale * tails - both * both;
			final double expected = SKEWNESS_ERROR * noise.skewness();
			return new Array2DRowRealMatrix(new double[][] { { tails / determinant, 0, -both / determinant, 0 },
				{ 0, 1 / (skewness * skewness + expected * expected), 0, 0 },
				{ -both / determinant, 0, scale / determinant, 0 }, { 0, 0, 0, 1 / (share * share) } }, false);
		}
	}
	/** Where the straight line begins, and its smallest slope. */
	private static final double LINEAR = 4, LEAST_SLOPE = 0.3;
	private static final int BISECTIONS = 60;
	/** A greater error would let the probability grow with the score. */
	private static final double MOST_UNCERTAIN = 0.6;
	private static final double MOST = 40;

	private final double[] parameters;
	private final double[][] covariance;
	private final double misfit;

	private TailCorrection(final double[] parameters, final double[][] covariance, final double misfit) {
		this.misfit = misfit;
		this.parameters = parameters;
		this.covariance = covariance;
	}

	/** Normal noise. */
	static TailCorrection none() {
		return new TailCorrection(new double[] { 1, 0, 0 }, new double[PARAMETERS][PARAMETERS], 0);
	}

	/**
	 * @param y normal values, below 0 for quantiles of scores below 0
	 * @param z what the scores have in normal noise
	 * @param covariance of the z
	 * @param noise the expected scores and their errors
	 * @param independent the number of independent responses of the map
	 */
	static TailCorrection fit(final double[] y, final double[] z, final double[][] covariance, final Prior prior, final WindowNoise noise,
		final double independent) {
		RealMatrix precision = new Array2DRowRealMatrix(FITTED, FITTED);
		RealVector right = new ArrayRealVector(FITTED);
		final RealMatrix design = new Array2DRowRealMatrix(Math.max(1, y.length), FITTED);
		final DecompositionSolver errors = y.length == 0 ? null : new LUDecomposition(new Array2DRowRealMatrix(covariance, false)).getSolver();
		if (y.length > 0) {
			for (int i = 0; i < y.length; i++) design.setRow(i, row(y[i]));
			final RealMatrix weighted = errors.solve(design).transpose();
			precision = weighted.multiply(design);
			right = weighted.operate(new ArrayRealVector(z));
		}
		final RealMatrix before = prior.precision(noise, independent);
		precision = precision.add(before);
		right = right.add(before.operate(new ArrayRealVector(new double[] { 1, noise.skewness(), 0, 0 })));
		final RealMatrix posterior = new LUDecomposition(precision).getSolver().getInverse();
		final RealVector fitted = posterior.operate(right);
		if (errors == null) return new TailCorrection(fitted.toArray(), posterior.getData(), 0);
		final RealVector residual = new ArrayRealVector(z).subtract(design.operate(fitted));
		return new TailCorrection(fitted.toArray(), posterior.getData(), residual.dotProduct(errors.solve(residual)) / y.length);
	}

	/** True matches raise all quantiles of the scores above 0. */
	private static double[] row(final double y) {
		final double[] t = terms(y), row = Arrays.copyOf(t, FITTED);
		if (y > 0) row[PARAMETERS] = MaximaRate.normal(y) * Math.sqrt(2 * Math.PI) * Math.exp(y * y / 2);
		return row;
	}

	/** The terms of the parameters at a normal value: odd in y for β and δ, and even for γ. */
	private static double[] terms(final double y) {
		return new double[] { y, y * y, y * y * y };
	}

	double scale() {
		return parameters[0];
	}

	double skewness() {
		return parameters[1];
	}

	double tails() {
		return parameters[2];
	}

	/** The mean squared difference between the quantiles and the curve, in units of their errors. Below 1 if the curve has the right shape. */
	double misfit() {
		return misfit;
	}

	/** Whether the upper tail is significantly heavier than the lower one. */
	boolean isSkewed() {
		return parameters[1] > 2 * Math.sqrt(covariance[1][1]) && parameters[1] > 0.005;
	}

	private double curve(final double y) {
		final double a = Math.min(LINEAR, Math.abs(y)), s = Math.copySign(a, y);
		return parameters[0] * s + parameters[1] * s * s + parameters[2] * s * s * s + (y - s) * slope(s);
	}

	private double slope(final double y) {
		return Math.max(LEAST_SLOPE, parameters[0] + 2 * parameters[1] * y + 3 * parameters[2] * y * y);
	}

	/** The normal value that is exceeded as often as a score, given its value z in normal noise. Uncertain parameters make it smaller: the probability is a mean over their range. */
	double normal(final double z) {
		double low = -MOST, high = MOST;
		for (int i = 0; i < BISECTIONS; i++) {
			final double middle = (low + high) / 2;
			if (curve(middle) < z) low = middle;
			else high = middle;
		}
		final double a = Math.copySign(Math.min(LINEAR, Math.abs(high)), high);
		final double[] t = terms(a);
		double error = 0;
		for (int i = 0; i < PARAMETERS; i++) for (int j = 0; j < PARAMETERS; j++) error += t[i] * covariance[i][j] * t[j];
		// beyond, the error grows in proportion
		final double uncertain = a == 0 ? 0 : Math.min(MOST_UNCERTAIN, Math.sqrt(error) / slope(a) * high / a);
		return high / Math.sqrt(1 + uncertain * uncertain);
	}
}
