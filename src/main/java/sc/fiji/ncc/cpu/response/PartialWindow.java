package sc.fiji.ncc.cpu.response;

import java.util.Arrays;

import sc.fiji.ncc.cpu.window.PartSums;
import sc.fiji.ncc.cpu.window.WindowMoments;
import sc.fiji.ncc.loops.PairRows;

/**
 * The joint response of one window that overlaps the image in part, from the sums of each channel over that part, and the errors of these sums: all of
 * them add up. Belongs to one thread.
 */
final class PartialWindow {

	/** The N·σ² of window and template. */
	double v, varianceT;
	private double count, covariance, productError, minVariance;
	/** N·μ² of window and template. */
	private double squaredMean, squaredMeanT;
	/** The errors of covariance and variances, in eps. */
	private final double[] errors = new double[3];

	/**
	 * Starts a window.
	 *
	 * @param count the weight of the part
	 * @param product the numerator of all channels, with the deviations from the means of the whole template
	 * @param error its estimated error, in tolerances
	 */
	void begin(final double count, final double product, final double error) {
		this.count = count;
		covariance = product;
		productError = error;
		v = varianceT = minVariance = squaredMean = squaredMeanT = 0;
		Arrays.fill(errors, 0);
	}

	/**
	 * Adds a channel.
	 *
	 * @param part the sums of the template's part
	 * @param moments the source of the errors of the next two, for lag {@code x} of its row
	 * @param p the sum of the window's part
	 * @param pp the sum of its squares
	 */
	void add(final PartSums part, final WindowMoments moments, final double p, final double pp, final int x) {
		final double t = part.value[x], tt = part.square[x], meanP = p / count, meanT = t / count;
		final double[] rests = moments.sumRests();
		varianceT += tt - t * meanT;
		v += rests == null ? pp - p * meanP : PairRows.variance(p, rests[x], pp, moments.energyRests()[x], count);
		covariance -= p * meanT;
		squaredMean += p * meanP;
		squaredMeanT += t * meanT;
		productError += Math.abs(meanT) * moments.sumError(x);
		minVariance += moments.partialMinVariance(x, p, count);
		part.addErrors(meanP, meanT, count, errors);
	}

	/** The response, in [-1, 1]; NaN if a variance is not positive. */
	double response() {
		return Math.max(-1, Math.min(1, covariance / root()));
	}

	private double root() {
		return Math.sqrt(v) * Math.sqrt(varianceT);
	}

	/**
	 * Whether the estimated errors of the response stay below the tolerance.
	 *
	 * @param rounding the error of one rounding in double, in tolerances
	 * @param limit the maximum of the squared means over the variances of window and template together
	 */
	boolean holds(final double rounding, final double limit) {
		return v > productError * productError / varianceT + minVariance
			&& rounding * (2 * errors[0] * root() + errors[1] * varianceT + errors[2] * v) <= 2 * v * varianceT
			&& (v + squaredMean) * (varianceT + squaredMeanT) <= (1 + limit) * v * varianceT;
	}
}
