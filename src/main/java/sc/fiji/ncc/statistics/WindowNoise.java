package sc.fiji.ncc.statistics;

/**
 * What the windows of an image and the template say about the scores, before the map is known.
 *
 * @param scores of normal noise with the autocorrelation of the image
 * @param skewness the expected coefficient γ of {@link TailCorrection}: a sixth of the third cumulant of the scores, as in the expansion of E. A. Cornish and R. A. Fisher, Revue de l'Institut
 *          International de Statistique 5 (1938) 307-320
 */
record WindowNoise(GaussianScores scores, double skewness) {

	/** White noise of so many pixels, above 2. */
	static WindowNoise white(final double pixels) {
		return new WindowNoise(GaussianScores.white(pixels), 0);
	}
}
