package sc.fiji.ncc.statistics;

import java.util.List;

import net.imglib2.RandomAccessibleInterval;

import org.apache.commons.math3.stat.correlation.Covariance;

import sc.fiji.ncc.plan.Pixels;
import sc.fiji.ncc.plan.Template;

/** What the windows of an image and the template say about the scores, before the map is known. */
public final class WindowNoise {

	/** The normal values at which parts of the windows are compared. */
	private static final double[] LEVELS = { 2, 4 };
	/** The errors over those that follow from the parts, which overlap. */
	private static final double MORE = 1.4;

	private final GaussianScores scores;
	private final double[][] errors;
	private final Steepness steepness;
	private final double skewness, diagonal;

	/**
	 * @param parts the scores from parts of the windows; empty if they are not known
	 * @param diagonal the correlation of the slopes along two axes
	 */
	WindowNoise(final GaussianScores scores, final List<GaussianScores> parts, final Steepness steepness, final double skewness, final double diagonal) {
		this.diagonal = diagonal;
		this.scores = scores;
		errors = parts.isEmpty() ? null : errors(scores, parts);
		this.steepness = steepness;
		this.skewness = skewness;
	}

	/**
	 * Reads a few windows of an image. Complexity: 24 to 160 windows, each times the sum of the template's extents.
	 *
	 * @param pixels the image; its windows must have pixels
	 * @param image the same, with the dimensions of the template
	 */
	public static WindowNoise of(final Template template, final Pixels pixels, final RandomAccessibleInterval<?> image) {
		return WindowModes.of(template, pixels)
			.orElseGet(() -> white(Math.max(Background.MIN_PIXELS, Bartlett.effectivePixels(template, image))));
	}

	/** The approximate number of multiplications of {@link #of}. */
	public static double multiplications(final Template template) {
		return WindowModes.multiplications(template);
	}

	/** White noise of so many pixels, above 2. */
	static WindowNoise white(final double pixels) {
		return new WindowNoise(GaussianScores.white(pixels), List.of(), Steepness.white(pixels), 0, 0);
	}

	/** The scores of normal noise with the autocorrelation of the image. */
	GaussianScores scores() {
		return scores;
	}

	/**
	 * How exact the scores are: the covariance of the coefficients β and δ of {@link TailCorrection}, from the differences between the parts of the
	 * windows. Null if it is unknown.
	 */
	double[][] errors() {
		return errors;
	}

	private static double[][] errors(final GaussianScores scores, final List<GaussianScores> parts) {
		final double freedom = Math.max(0.5, scores.effectivePixels() - 2), first = LEVELS[0] * LEVELS[0], second = LEVELS[1] * LEVELS[1];
		final double[][] coefficients = new double[parts.size()][];
		for (int i = 0; i < coefficients.length; i++) {
			final double[] logarithms = new double[LEVELS.length];
			for (int k = 0; k < LEVELS.length; k++) {
				final double score = LEVELS[k] / Math.sqrt(freedom + LEVELS[k] * LEVELS[k]);
				logarithms[k] = Math.log(parts.get(i).normal(score) / scores.normal(score));
			}
			// ln(z/y) = ln β + δ·y²/β
			final double delta = (logarithms[1] - logarithms[0]) / (second - first);
			coefficients[i] = new double[] { logarithms[0] - first * delta, delta };
		}
		final double[][] covariance = new Covariance(coefficients).getCovarianceMatrix().getData();
		for (final double[] row : covariance) for (int k = 0; k < row.length; k++) row[k] *= MORE * MORE / coefficients.length;
		return covariance;
	}

	/** The steepness of peaks in normal noise with the autocorrelation of the image. */
	Steepness steepness() {
		return steepness;
	}

	/** The greatest magnitude of the correlations of the slopes along two axes: 0 if the autocorrelation is a product of one factor for each axis. */
	double diagonal() {
		return diagonal;
	}

	/**
	 * The expected coefficient γ of {@link TailCorrection}: a sixth of the third cumulant of the scores, as in the expansion of E. A. Cornish and R. A. Fisher, Revue de l'Institut International de
	 * Statistique 5 (1938) 307-320, DOI 10.2307/1400905.
	 */
	double skewness() {
		return skewness;
	}
}
