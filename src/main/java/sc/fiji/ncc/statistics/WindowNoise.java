package sc.fiji.ncc.statistics;

import net.imglib2.RandomAccessibleInterval;

import sc.fiji.ncc.plan.Pixels;
import sc.fiji.ncc.plan.Template;

/** What the windows of an image and the template say about the scores, before the map is known. */
public final class WindowNoise {

	private final GaussianScores scores;
	private final double skewness;

	WindowNoise(final GaussianScores scores, final double skewness) {
		this.scores = scores;
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

	/** White noise of so many pixels, above 2. */
	static WindowNoise white(final double pixels) {
		return new WindowNoise(GaussianScores.white(pixels), 0);
	}

	/** The scores of normal noise with the autocorrelation of the image. */
	GaussianScores scores() {
		return scores;
	}

	/**
	 * The expected coefficient γ of {@link TailCorrection}: a sixth of the third cumulant of the scores, as in the expansion of E. A. Cornish and R. A. Fisher, Revue de l'Institut International de
	 * Statistique 5 (1938) 307-320, DOI 10.2307/1400905.
	 */
	double skewness() {
		return skewness;
	}
}
