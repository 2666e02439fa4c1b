package sc.fiji.ncc.cpu.response;

import java.util.Arrays;

import sc.fiji.ncc.cpu.window.ChannelMoments;
import sc.fiji.ncc.cpu.window.Numerator;
import sc.fiji.ncc.cpu.window.PartSums;
import sc.fiji.ncc.cpu.window.WindowMoments;
import sc.fiji.ncc.loops.PairRows;
import sc.fiji.ncc.loops.PartialRows;
import sc.fiji.ncc.loops.Rows;
import sc.fiji.ncc.numeric.Tolerance;
import sc.fiji.ncc.plan.Precision;

/**
 * The responses of a row of windows that may leave the image or have missing pixels. The sums of the template are those of the part that counts. Belongs to
 * one thread.
 */
final class PartialResponses {

	private final double minOverlap;
	/** The sum of the weights. */
	private final double n;
	/** The minimum share of a template's weight and variance that must count. The sums over a smaller share may be mere rounding errors. */
	private final double minShare;
	/** One rounding in double, in tolerances of a response. */
	private final double rounding;
	private final ResponseRow row;
	private final double[] products, meanP, meanT, v, varianceT, root, limits;
	private final double[][] room;
	private final PartialWindow window = new PartialWindow();

	PartialResponses(final double minOverlap, final double n, final Precision precision, final ResponseRow row, final int maxLags) {
		this.minOverlap = minOverlap;
		this.n = n;
		this.row = row;
		minShare = Tolerance.minShare(precision);
		rounding = Tolerance.EPS_DOUBLE / Tolerance.of(precision);
		final double[][] rows = Rows.doubles(7, maxLags);
		products = rows[0];
		meanP = rows[1];
		meanT = rows[2];
		v = rows[3];
		varianceT = rows[4];
		root = rows[5];
		limits = rows[6];
		room = Rows.doubles(2, maxLags);
	}

	/**
	 * Writes the responses of row {@code y} of a plane, whose rows have been added.
	 *
	 * @param offset the index of the first response
	 * @param slack receives the slack of each response: negative if it must be rechecked
	 * @param outside receives whether too little of the template counts at a lag
	 * @return whether all estimated errors stay below the tolerance, and enough counts at every lag
	 */
	boolean compute(final TilePlane plane, final SelectedTemplate template, final int y, final int offset, final double[] slack, final boolean[] outside) {
		plane.numerator().finish(plane.z(), y, products);
		final PartSums[] parts = plane.parts();
		for (final PartSums part : parts) part.row(plane.lag(), plane.pixels().size(), plane.z(), y, plane.lagsX());
		// the weights are the same in all channels
		final int enough = parts[0].enough(minOverlap, outside, plane.lagsX());
		if (enough == 0) return false;
		if (parts.length == 1) ofChannel(plane, template, parts[0], slack);
		else joint(plane, template, parts, slack);
		boolean sound = enough == plane.lagsX();
		for (int x = 0; x < plane.lagsX(); x++) {
			row.put(offset + x, products[x]);
			sound &= outside[x] || slack[x] > 0;
			slack[x] = slack[x] > 0 ? 0 : -1;
		}
		return sound;
	}

	/** One channel. The responses overwrite the products. */
	private void ofChannel(final TilePlane plane, final SelectedTemplate template, final PartSums parts, final double[] slack) {
		final Numerator numerator = plane.numerator();
		final WindowMoments moments = plane.moments().channel(0);
		final int lags = plane.lagsX();
		final double[] sums = plane.moments().sums(0), energies = plane.moments().energies(0), counts = parts.weight;
		final double norm = template.norm(), energy = norm * norm;
		PartialRows.variances(parts.value, parts.square, counts, meanT, varianceT, lags);
		PartialRows.variances(sums, energies, counts, meanP, v, lags);
		final double[] sumRests = moments.sumRests(), energyRests = moments.energyRests();
		if (sumRests != null) for (int x = 0; x < lags; x++) v[x] = PairRows.variance(sums[x], sumRests[x], energies[x], energyRests[x], counts[x]);
		PartialRows.roots(v, varianceT, root, lags);
		PartialRows.responses(products, sums, meanT, root, lags);
		PartialRows.slack(v, varianceT, counts, slack, RowResponses.floor(plane, template), minShare * energy, minShare * n, lags);
		slackOfSums(numerator.minVariance(), moments, sums, counts, norm, slack, lags);
		parts.slack(meanP, meanT, v, varianceT, root, rounding, room, slack, lags);
		numerator.partialLimits(counts, n, varianceT, energy, limits, lags);
		final double limit = moments.limit();
		for (int x = 0; x < lags; x++) limits[x] = Math.min(limits[x], limit);
		PartialRows.squares(meanP, counts, room[0], lags);
		PartialRows.squares(meanT, counts, room[1], lags);
		PartialRows.slackOfMeans(v, room[0], varianceT, room[1], limits, lags);
		PartialRows.min(slack, limits, lags);
	}

	/** Reduces the slack by the estimated errors of products and moments. */
	private void slackOfSums(final double[] minVariance, final WindowMoments moments, final double[] sums, final double[] counts, final double norm, final double[] slack,
		final int lags)
	{
		if (moments.minVariance() == null) {
			if (minVariance != null) PartialRows.slackOfProducts(v, varianceT, minVariance, norm * norm, slack, lags);
			return;
		}
		for (int x = 0; x < lags; x++) {
			final double productError = (minVariance == null ? 0 : Math.sqrt(minVariance[x]) * norm) + Math.abs(meanT[x]) * moments.sumError(x);
			slack[x] = Math.min(slack[x], v[x] - productError * productError / varianceT[x] - moments.partialMinVariance(x, sums[x], counts[x]));
		}
	}

	/** Several channels. The responses overwrite the products. */
	private void joint(final TilePlane plane, final SelectedTemplate template, final PartSums[] parts, final double[] slack) {
		final Numerator numerator = plane.numerator();
		final ChannelMoments moments = plane.moments();
		final double norm = template.norm(), floor = RowResponses.floor(plane, template), momentsLimit = moments.limit();
		final double[] minVariance = numerator.minVariance();
		Arrays.fill(slack, 0, plane.lagsX(), -1);
		for (int x = 0; x < plane.lagsX(); x++) {
			final double count = parts[0].weight[x];
			window.begin(count, products[x], minVariance == null ? 0 : Math.sqrt(minVariance[x]) * norm);
			for (int c = 0; c < parts.length; c++) window.add(parts[c], moments.channel(c), moments.sums(c)[x], moments.energies(c)[x], x);
			products[x] = window.response();
			if (window.v > floor && window.varianceT > minShare * norm * norm && count > minShare * n
				&& window.holds(rounding, Math.min(momentsLimit, numerator.partialLimit(count / n, window.varianceT / (norm * norm)))))
			{
				slack[x] = 1;
			}
		}
	}
}
