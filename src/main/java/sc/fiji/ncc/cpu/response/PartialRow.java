package sc.fiji.ncc.cpu.response;

import java.util.Arrays;

import sc.fiji.ncc.cpu.window.ChannelMoments;
import sc.fiji.ncc.cpu.window.CountedSums;
import sc.fiji.ncc.cpu.window.Numerator;
import sc.fiji.ncc.cpu.window.WindowMoments;
import sc.fiji.ncc.loops.PairRows;
import sc.fiji.ncc.loops.PartialRows;
import sc.fiji.ncc.numeric.Tolerance;
import sc.fiji.ncc.plan.Precision;

/**
 * The responses of a row of windows that may leave the image or have missing pixels. The sums of the template are those of the part that counts. Belongs to
 * one thread.
 */
final class PartialRow {

	private final double minOverlap;
	/** The sum of the weights. */
	private final double n;
	/** The minimum share of a template's weight and variance that must count. The sums over a smaller share may be mere rounding errors. */
	private final double minShare;
	/** One rounding in double, in tolerances of a response. */
	private final double rounding;
	private final RealNormalisation to;
	private final double[] products;
	/** One channel: means and variances of windows and of the parts of the template, and the limits of their errors. */
	private final CountedSums.Moments part;
	private final double[] limits;
	private final Window window = new Window();

	PartialRow(final double minOverlap, final double n, final Precision precision, final RealNormalisation to, final int maxLags) {
		this.minOverlap = minOverlap;
		this.n = n;
		this.to = to;
		minShare = Tolerance.minShare(precision);
		rounding = Tolerance.EPS_DOUBLE / Tolerance.of(precision);
		products = new double[maxLags];
		limits = new double[maxLags];
		part = CountedSums.Moments.allocate(maxLags);
	}

	/** As {@link Normalisation#divide}. */
	boolean row(final Normalisation.Plane plane, final CurrentTemplate template, final int y, final int at) {
		final double[] margin = to.margin;
		final int lags = plane.lagsX();
		plane.sums().numerator().doubles(products);
		plane.rowOfParts(y);
		final CountedSums[] parts = plane.sums().parts();
		// the weights are the same in all channels
		final int enough = parts[0].enough(minOverlap, to.undefined, lags);
		if (enough == 0) return false;
		if (parts.length == 1) ofChannel(plane, template, parts[0], margin);
		else joint(plane, template, parts, margin);
		boolean hold = enough == lags;
		for (int x = 0; x < lags; x++) {
			to.to.set(at + x, products[x]);
			hold &= to.undefined[x] || margin[x] > 0;
			margin[x] = margin[x] > 0 ? 0 : -1;
		}
		return hold;
	}

	/** One channel. The responses overwrite the products. */
	private void ofChannel(final Normalisation.Plane plane, final CurrentTemplate template, final CountedSums sums, final double[] margin) {
		final Numerator numerator = plane.sums().numerator();
		final ChannelMoments moments = plane.sums().moments();
		final int lags = plane.lagsX();
		final double[] counts = sums.weight;
		final double energy = template.norm() * template.norm();
		PartialRows.variances(sums.value, sums.square, counts, part.meanT(), part.varianceT(), lags);
		windows(moments, counts, lags);
		PartialRows.roots(part.variance(), part.varianceT(), part.root(), lags);
		PartialRows.responses(products, moments.sums(0), part.meanT(), part.root(), lags);
		PartialRows.margins(part.variance(), RealNormalisation.floor(plane, template), margin, lags);
		PartialRows.reduceTo(part.varianceT(), minShare * energy, margin, lags);
		PartialRows.reduceTo(counts, minShare * n, margin, lags);
		reduceByErrors(numerator.error().minVariance(), moments, counts, template.norm(), margin, lags);
		sums.reduce(margin, part, rounding, lags);
		for (int x = 0; x < lags; x++) limits[x] = Math.min(moments.limit(), numerator.error().partialLimit(counts[x] / n, part.varianceT()[x] / energy));
		PartialRows.marginsOfMeans(part.variance(), part.meanP(), counts, part.varianceT(), part.meanT(), limits, lags);
		PartialRows.min(margin, limits, lags);
	}

	/** The means and variances of windows. */
	private void windows(final ChannelMoments moments, final double[] counts, final int lags) {
		final double[] sums = moments.sums(0), energies = moments.energies(0), v = part.variance();
		PartialRows.variances(sums, energies, counts, part.meanP(), v, lags);
		final WindowMoments.LowOrderParts low = moments.channel(0).lowOrderParts();
		if (low != null) for (int x = 0; x < lags; x++) v[x] = PairRows.variance(sums[x], low.sums()[x], energies[x], low.energies()[x], counts[x]);
	}

	/** Reduces the margins by the estimated errors of products and moments. */
	private void reduceByErrors(final double[] minVariance, final ChannelMoments moments, final double[] counts, final double norm,
		final double[] margin, final int lags)
	{
		final WindowMoments.Error error = moments.channel(0).error();
		final double[] v = part.variance(), varianceT = part.varianceT();
		if (error.minVariance() == null) {
			if (minVariance != null) PartialRows.reduceByProducts(v, varianceT, minVariance, norm * norm, margin, lags);
			return;
		}
		for (int x = 0; x < lags; x++) {
			final double product = (minVariance == null ? 0 : Math.sqrt(minVariance[x]) * norm) + Math.abs(part.meanT()[x]) * error.sumError(x);
			margin[x] = Math.min(margin[x], v[x] - product * product / varianceT[x] - error.partialMinVariance(x, moments.sums(0)[x], counts[x]));
		}
	}

	/** Several channels. The responses overwrite the products. */
	private void joint(final Normalisation.Plane plane, final CurrentTemplate template, final CountedSums[] parts, final double[] margin) {
		final Numerator numerator = plane.sums().numerator();
		final ChannelMoments moments = plane.sums().moments();
		final double norm = template.norm(), floor = RealNormalisation.floor(plane, template), momentsLimit = moments.limit();
		final double[] minVariance = numerator.error().minVariance();
		Arrays.fill(margin, 0, plane.lagsX(), -1);
		for (int x = 0; x < plane.lagsX(); x++) {
			final double count = parts[0].weight[x];
			window.begin(count, products[x], minVariance == null ? 0 : Math.sqrt(minVariance[x]) * norm);
			for (int c = 0; c < parts.length; c++) window.add(parts[c], moments.channel(c), moments.sums(c)[x], moments.energies(c)[x], x);
			products[x] = window.response();
			if (window.v > floor && window.varianceT > minShare * norm * norm && count > minShare * n
				&& window.holds(rounding, Math.min(momentsLimit, numerator.error().partialLimit(count / n, window.varianceT / (norm * norm)))))
			{
				margin[x] = 1;
			}
		}
	}

	/** The joint response of one window, from the sums of each channel over the part that counts, and the errors of these sums: all of them add up. */
	private static final class Window {

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
		void add(final CountedSums part, final WindowMoments moments, final double p, final double pp, final int x) {
			final double t = part.value[x], tt = part.square[x], meanP = p / count, meanT = t / count;
			final WindowMoments.LowOrderParts low = moments.lowOrderParts();
			varianceT += tt - t * meanT;
			v += low == null ? pp - p * meanP : PairRows.variance(p, low.sums()[x], pp, low.energies()[x], count);
			covariance -= p * meanT;
			squaredMean += p * meanP;
			squaredMeanT += t * meanT;
			productError += Math.abs(meanT) * moments.error().sumError(x);
			minVariance += moments.error().partialMinVariance(x, p, count);
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
}
