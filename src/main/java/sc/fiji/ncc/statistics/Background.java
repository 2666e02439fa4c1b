package sc.fiji.ncc.statistics;

import java.util.List;

import org.apache.commons.math3.distribution.NormalDistribution;

import net.imglib2.RandomAccessibleInterval;

/**
 * The distribution of the scores of one template where it does not occur, and what follows from it. Scores are correlation coefficients.
 * <p>
 * Model: w = r/√(1 − r²) is the part of a window along the template divided by the part across it. In normal noise both are independent if the template is an
 * eigenvector of the noise. So w is {@code scale} times Student's t. Its degrees of freedom are the effective number of independent pixels of the part across. If
 * the template is no eigenvector, the tails can be lighter. So the model is the family {@link PearsonDistribution}, with κ the reciprocal of the degrees of
 * freedom. For white noise and n pixels, κ = 1/(n − 2) and scale = √κ: the distribution of the correlation coefficient that R. A. Fisher gave
 * (Biometrika 10 (1915) 507-521). For other noise, both parameters are fitted ({@link BackgroundFit}). The number of false alarms counts local maxima of the map,
 * see {@link MaximaRate}.
 * <p>
 * The model holds for stationary background. It fails for periodic background and where few parts of the search are independent.
 */
public final class Background {

	private static final NormalDistribution NORMAL = new NormalDistribution(null, 0, 1);
	private static final int BISECTIONS = 40;
	/** Greater quantiles of the normal distribution have no probability in double precision. */
	private static final double MAX_QUANTILE = 37;

	private final List<Component> components;
	private final double[] correlations;
	private final long[] size;
	private final boolean fitted;
	private final MaximaRate rate;

	/**
	 * A distribution of w, and its weight. A fit to few independent responses leaves the parameters uncertain; several components then cover their range.
	 *
	 * @param scale the factor of w
	 */
	record Component(double weight, double scale, PearsonDistribution distribution) {

		double probability(final double w) {
			final double half = 0.5 * distribution.beyond(w / scale);
			return weight * (w > 0 ? half : 1 - half);
		}
	}

	/**
	 * @param components with weights of sum 1; the one in the middle has the most likely parameters
	 * @param first the correlations of neighbouring responses along each axis
	 * @param second the correlations of responses at distance 2 along each axis
	 * @param size the number of responses along each axis
	 * @param fitted whether the parameters were fitted to responses; otherwise they follow from the template and the image
	 */
	Background(final List<Component> components, final double[] first, final double[] second, final long[] size, final boolean fitted) {
		this.components = List.copyOf(components);
		this.fitted = fitted;
		this.size = size.clone();
		correlations = first.clone();
		rate = new MaximaRate(size, first, second);
	}

	/**
	 * The background of white noise: every pixel is independent. Correlated pixels give higher scores. So a threshold of this model is a lower limit.
	 *
	 * @param pixels the number of pixels of the template
	 * @param size the number of responses along each axis
	 */
	public static Background white(final double pixels, final long[] size) {
		return independent(pixels, size);
	}

	/**
	 * The background of an image, from the autocorrelations of template and image. Neighbouring responses count as independent, so {@link #falseAlarms} is an upper limit.
	 *
	 * @param values the pixels of the template, x fastest
	 * @param template the extents of the template
	 * @param image an image with the dimensions of the template
	 * @param size the number of responses along each axis
	 */
	public static Background analytic(final double[] values, final long[] template, final RandomAccessibleInterval<?> image, final long[] size) {
		return independent(Bartlett.effectivePixels(values, template, image), size);
	}

	private static Background independent(final double pixels, final long[] size) {
		final double freedom = Math.max(1, pixels - 2);
		return new Background(List.of(new Component(1, 1 / Math.sqrt(freedom), new PearsonDistribution(1 / freedom))), new double[size.length], new double[size.length], size, false);
	}

	/** The effective number of independent pixels of a window: white noise of so many pixels has the same scores near 0. */
	public double effectivePixels() {
		return 2 + 1 / (middle().scale * middle().scale);
	}

	/** The shape of the distribution: the reciprocal of the degrees of freedom of Student's t; below 0 for tails lighter than normal. */
	public double shape() {
		return middle().distribution.kappa();
	}

	private Component middle() {
		return components.get(components.size() / 2);
	}

	/** The correlations of neighbouring responses along each axis. */
	public double[] correlations() {
		return correlations.clone();
	}

	/** Whether the parameters were fitted to the responses. Otherwise they follow from the template and the image alone. */
	public boolean isFitted() {
		return fitted;
	}

	/** The probability that background has at least this score at one position, in [0, 1]. */
	public double probability(final double score) {
		if (score >= 1) return 0;
		if (score <= -1) return 1;
		final double w = score / Math.sqrt((1 - score) * (1 + score));
		double p = 0;
		for (final Component c : components) p += c.probability(w);
		return p;
	}

	/**
	 * The expected number of local maxima of the map with at least this score, in background alone. It is the expected number of false matches of a search with
	 * this minimum score, as long as few of them overlap.
	 */
	public double falseAlarms(final double score) {
		final double p = probability(score);
		if (p == 0) return 0;
		double places = 1;
		for (final long s : size) places *= s;
		return places * p * rate.given(Math.min(MAX_QUANTILE, -NORMAL.inverseCumulativeProbability(p)));
	}

	/**
	 * The smallest score with at most this number of expected false alarms. Complexity: constant.
	 *
	 * @param falseAlarms above 0
	 * @return a score in [-1, 1]
	 */
	public double minScore(final double falseAlarms) {
		double low = -1, high = 1;
		for (int i = 0; i < BISECTIONS; i++) {
			final double middle = (low + high) / 2;
			if (falseAlarms(middle) > falseAlarms) low = middle;
			else high = middle;
		}
		return high;
	}
}
