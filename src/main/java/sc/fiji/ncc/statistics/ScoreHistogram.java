package sc.fiji.ncc.statistics;

import sc.fiji.ncc.peaks.MapSample;

/**
 * The histogram of the responses of a map, from a sample of it, scaled to the size of the map.
 *
 * @param counts the number of responses in each of {@link #BINS} bins of equal width from -1 to 1
 */
public record ScoreHistogram(double[] counts) {

	/** The number of bins. */
	public static final int BINS = 400;

	/** The lower end of a bin. */
	public static double lower(final int bin) {
		return 2.0 * bin / BINS - 1;
	}

	/**
	 * Counts the responses of a sample. Complexity: linear in the size of the sample.
	 *
	 * @param size the number of responses of the map along each axis
	 * @param zeroIsUndefined whether a response that is exactly 0 is undefined and is left out, as NaN is
	 */
	public static ScoreHistogram of(final MapSample sample, final long[] size, final boolean zeroIsUndefined) {
		final double[] counts = new double[BINS];
		double sampled = 0, all = 1;
		for (final MapSample.Block b : sample.blocks()) {
			sampled += b.values().length;
			for (final float r : b.values())
				if (!Float.isNaN(r) && !(r == 0 && zeroIsUndefined)) counts[Math.max(0, Math.min(BINS - 1, (int) ((r + 1) * (BINS / 2.0))))]++;
		}
		for (final long s : size) all *= s;
		for (int i = 0; sampled > 0 && i < BINS; i++) counts[i] *= all / sampled;
		return new ScoreHistogram(counts);
	}

	/** The numbers of responses that a background gives in the bins, for as many responses as this histogram has. */
	public double[] expected(final Background background) {
		double all = 0;
		for (final double c : counts) all += c;
		final double[] expected = new double[BINS];
		for (int i = 0; i < BINS; i++) expected[i] = all * (background.probability(lower(i)) - background.probability(lower(i + 1)));
		return expected;
	}
}
