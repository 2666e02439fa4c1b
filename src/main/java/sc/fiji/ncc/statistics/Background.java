package sc.fiji.ncc.statistics;

import java.util.Arrays;

import org.apache.commons.math3.analysis.UnivariateFunction;
import org.apache.commons.math3.analysis.solvers.AllowedSolution;
import org.apache.commons.math3.analysis.solvers.BracketingNthOrderBrentSolver;

import sc.fiji.ncc.result.BackgroundState;

/**
 * The distribution of the scores of one template where it does not occur, and what follows from it. Scores are correlation coefficients.
 * <p>
 * Model: the windows of the image are normal noise with the autocorrelation of the image ({@link GaussianScores}, {@link WindowModes}). The responses of the map say how
 * their distribution differs from that ({@link TailCorrection}, {@link BackgroundFit}). The number of false alarms counts local maxima of the map, see {@link MaximaRate}.
 * <p>
 * The model holds for stationary background. It fails for periodic background. {@link #state} says where it is uncertain.
 */
public final class Background {

	/** Of the minimum score. */
	private static final double ACCURACY = 1e-8;
	private static final int EVALUATIONS = 200;
	/** The share of the first guess at which the search for the minimum score begins. */
	private static final double NEAR = 0.75;
	/** The order of the interpolation, and the least number of false alarms whose logarithm is taken. */
	private static final int ORDER = 4;
	private static final double LEAST = 1e-250;
	/** Nearly all values exceed the least quantile, and none below it is a maximum. Greater ones than the greatest have no probability in double precision. */
	private static final double MIN_QUANTILE = -4, MAX_QUANTILE = 37;
	/** With fewer pixels every score is ±1. */
	static final double MIN_PIXELS = 2.5;

	private final GaussianScores scores;
	private final TailCorrection tail;
	private final double[] correlations;
	private final double places;
	private final BackgroundState state;
	private final MaximaRate rate;

	/**
	 * @param tail how the map differs from the scores of normal noise
	 * @param first the correlations of neighbouring responses along each axis
	 * @param rate the share of local maxima
	 * @param places the number of responses that are defined
	 */
	Background(final GaussianScores scores, final TailCorrection tail, final double[] first, final MaximaRate rate, final double places,
		final BackgroundState state) {
		this.rate = rate;
		this.scores = scores;
		this.tail = tail;
		this.state = state;
		this.places = places;
		correlations = first.clone();
	}

	/**
	 * The background of white noise: every pixel is independent. Correlated pixels give higher scores. So a threshold of this model is a lower limit.
	 *
	 * @param pixels the number of pixels of the template
	 * @param size the number of responses along each axis
	 */
	public static Background white(final double pixels, final long[] size) {
		return analytic(WindowNoise.white(Math.max(MIN_PIXELS, pixels)), size);
	}

	/**
	 * The background of an image, from the autocorrelations of template and image. Neighbouring responses count as independent, so {@link #falseAlarms} is an upper limit.
	 *
	 * @param size the number of responses along each axis
	 */
	public static Background analytic(final WindowNoise noise, final long[] size) {
		final double[] none = new double[size.length];
		return new Background(noise.scores(), TailCorrection.none(), none, new MaximaRate(size, none, none, noise.steepness()),
			Arrays.stream(size).asDoubleStream().reduce(1, (a, b) -> a * b), BackgroundState.FEW);
	}

	/** The effective number of independent pixels of a window: white noise of so many pixels has scores of the same variance, without the tails. */
	public double effectivePixels() {
		return 1 + (scores.effectivePixels() - 1) / (tail.scale() * tail.scale());
	}

	/** How much higher scores above 0 are than those below: the coefficient γ of {@link TailCorrection}. 0 for normal noise. */
	public double skewness() {
		return tail.skewness();
	}

	/** How heavy the tails are: the coefficient δ of {@link TailCorrection}. 0 for normal noise. */
	public double tails() {
		return tail.tails();
	}

	/** The correlations of neighbouring responses along each axis. */
	public double[] correlations() {
		return correlations.clone();
	}

	/** How far the numbers hold. If few responses are independent, most parameters follow from the template and the image alone. */
	public BackgroundState state() {
		return state;
	}

	/** The probability that background has at least this score at one position, in [0, 1]. */
	public double probability(final double score) {
		if (score >= 1) return 0;
		if (score <= -1) return 1;
		return MaximaRate.normal(-normal(score));
	}

	/** The standard normal value that is exceeded as often as a score between -1 and 1. */
	public double normal(final double score) {
		return tail.normal(scores.normal(score));
	}

	/**
	 * The expected number of local maxima of the map with at least this score, in background alone. It is the expected number of false matches of a search with
	 * this minimum score, as long as few of them overlap.
	 */
	public double falseAlarms(final double score) {
		if (score >= 1) return 0;
		final double value = normal(Math.max(-1, score)), p = MaximaRate.normal(-value);
		return p == 0 ? 0 : places * p * rate.given(Math.max(MIN_QUANTILE, Math.min(MAX_QUANTILE, value)));
	}

	/**
	 * The smallest score with at most this number of expected false alarms. Complexity: constant.
	 *
	 * @param falseAlarms above 0
	 * @return a score in [-1, 1]
	 */
	public double minScore(final double falseAlarms) {
		// in logarithms the number is nearly a parabola
		final UnivariateFunction excess = score -> Math.log(Math.max(LEAST, falseAlarms(score)) / falseAlarms);
		final double value = GaussianScores.quantile(Math.max(LEAST, Math.min(0.5, falseAlarms / places)));
		// the score of white noise, if every position were a local maximum
		final double guess = value / Math.sqrt(Math.max(0.5, effectivePixels() - 2) + value * value);
		double low = NEAR * guess, high = Math.min(1, guess / NEAR);
		if (excess.value(low) > 0) {
			if (excess.value(high) > 0) high = 1;
		}
		else {
			for (final double lower : new double[] { 0, -1 }) {
				high = low;
				low = lower;
				if (excess.value(low) > 0) break;
			}
			if (low < 0 && excess.value(low) <= 0) return low;
		}
		return new BracketingNthOrderBrentSolver(ACCURACY, ORDER).solve(EVALUATIONS, excess, low, high, AllowedSolution.BELOW_SIDE);
	}
}
