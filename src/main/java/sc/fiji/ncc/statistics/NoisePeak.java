package sc.fiji.ncc.statistics;

import java.util.stream.IntStream;

/**
 * Whether the highest peak of the correlation of two frames can be one of noise. The peaks of two images of noise are those of a Gaussian field.
 * Above a high peak of such a field, the numbers of higher peaks follow a Poisson distribution whose mean falls as exp(-s²/2σ²) with the score s
 * (Leadbetter, Lindgren and Rootzén 1983, Extremes and Related Properties of Random Sequences and Processes). With N independent shifts, the second
 * highest peak is near σ·sqrt(2 ln N). So the expected number of noise peaks as high as the first one follows from both scores and N, without σ: it
 * is exp(-(s₁²/s₂² - 1)·ln N).
 */
public final class NoisePeak {

	/** Expected noise peaks from which on a peak is doubtful: one of a hundred pairs of noise has a peak that counts. */
	private static final double ALARMS = 0.01;
	/**
	 * Neighbouring shifts are not independent, and shifts with a large overlap have lower peaks: so many shifts count as one. Fitted to white noise of
	 * 48 to 192 pixels a side.
	 */
	static final double SHIFTS_A_PEAK = 30;
	/** The least logarithm of the number of independent shifts. Below it, few peaks fit into the search, and their scores say little. */
	private static final double LEAST = 3;

	private NoisePeak() {}

	/**
	 * The number of shifts that are compared.
	 *
	 * @param fixed the extents of one frame
	 * @param moving those of the other one
	 * @param maxShift the maximum shift along each dimension; null for none
	 * @param minOverlap the smallest overlap, as a share
	 */
	public static double shifts(final long[] fixed, final long[] moving, final long[] maxShift, final double minOverlap) {
		return IntStream.range(0, fixed.length).mapToDouble(d -> {
			final double all = fixed[d] + moving[d] - 1, within = maxShift == null ? all : 2.0 * maxShift[d] + 1;
			return Math.min(within, all * (1 - minOverlap) + minOverlap);
		}).reduce(1, (a, b) -> a * b);
	}

	/**
	 * The expected number of noise peaks as high as the best one.
	 *
	 * @param runnerUp the second highest coefficient; NaN if there is none
	 * @param shifts the number of shifts that are compared
	 * @return NaN without a second peak
	 */
	public static double alarms(final double score, final double runnerUp, final double shifts) {
		if (Double.isNaN(runnerUp)) return Double.NaN;
		if (runnerUp <= 0) return 0;
		final double ratio = score / runnerUp;
		return Math.exp(-(ratio * ratio - 1) * Math.max(LEAST, Math.log(shifts / SHIFTS_A_PEAK)));
	}

	/**
	 * Whether the best peak can be one of noise, or of a periodic pattern.
	 *
	 * @param alarms from {@link #alarms}: the least of several pairs
	 * @param pairs the number of pairs
	 */
	public static boolean isDoubtful(final double alarms, final int pairs) {
		return alarms * pairs > ALARMS;
	}
}
