package sc.fiji.ncc.plan.shift;

import java.util.List;

/**
 * The best shifts between two frames.
 *
 * @param peaks the highest peaks, the best first; empty if the coefficient is undefined at all lags, for example because a frame is flat
 * @param covariance the estimated covariance of the best shift along x, y and z, in square pixels; null if unknown
 * @param edge whether the best lag lies at the end of the range
 */
public record PairPeaks(List<Place> peaks, double[][] covariance, boolean edge) {

	/**
	 * A peak.
	 *
	 * @param lag the whole-pixel shift along x, y and z
	 * @param shift the shift along x, y and z, in pixels: pixel x of the fixed frame shows what lies at x + shift in the moving frame
	 * @param score the correlation coefficient at the lag
	 * @param overlap the number of pixels that overlap at the lag and count in both frames, as a share of the pixels that count in the frame with fewer of them
	 */
	public record Place(int[] lag, double[] shift, double score, double overlap) {}

	public static final PairPeaks NONE = new PairPeaks(List.of(), null, false);

	public boolean isFound() {
		return !peaks.isEmpty();
	}

	public Place best() {
		return peaks.get(0);
	}

	/** The score of the second peak; NaN if there is none. */
	public double runnerUp() {
		return peaks.size() < 2 ? Double.NaN : peaks.get(1).score();
	}

	/** The square of the length of a lag: of equal peaks the shortest lag is the best. */
	public static long square(final int[] lag) {
		long sum = 0;
		for (final int l : lag) sum += (long) l * l;
		return sum;
	}
}
