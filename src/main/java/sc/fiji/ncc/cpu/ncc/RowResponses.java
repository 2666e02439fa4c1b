package sc.fiji.ncc.cpu.ncc;

import sc.fiji.ncc.cpu.window.ChannelMoments;
import sc.fiji.ncc.cpu.window.Numerator;
import sc.fiji.ncc.cpu.window.PartSums;
import sc.fiji.ncc.cpu.window.WindowMoments;
import sc.fiji.ncc.loops.PairRows;
import sc.fiji.ncc.loops.Rows;
import sc.fiji.ncc.numeric.Tolerance;
import sc.fiji.ncc.plan.Lags;
import sc.fiji.ncc.plan.Precision;

/**
 * The responses of a row of lags, {@code numerator / (√variance of the window · √variance of the template)}, and whether their estimated errors stay below
 * the tolerance. Belongs to one thread.
 */
final class RowResponses {

	/** The slack of each response: negative if it must be rechecked. */
	final double[] slack;
	/** Whether too little of the template counts at a lag. Empty if all of it always counts. */
	final boolean[] outside;
	private final Lags lags;
	/** The sum of the weights. */
	private final double n;
	/** The minimum share of a template's weight and variance that must count. The sums over a smaller share may be mere rounding errors. */
	private final double minShare;
	/** The tolerance of a response. */
	private final double tolerance;
	private final ResponseRow row;
	private final double[] minVariance, partialProducts;
	private final PartialWindow window = new PartialWindow();

	RowResponses(final Lags lags, final double n, final Precision precision, final ResponseRow row, final int maxLags) {
		this.lags = lags;
		this.n = n;
		this.row = row;
		minShare = Tolerance.minShare(precision);
		tolerance = Tolerance.of(precision);
		slack = new double[maxLags];
		minVariance = new double[maxLags];
		partialProducts = new double[lags.partial() ? maxLags : 0];
		outside = new boolean[lags.partial() ? maxLags : 0];
	}

	/**
	 * Writes the responses of row {@code y} of a pass, whose rows have been added.
	 *
	 * @param offset the index of the first response
	 * @return whether all estimated errors stay below the tolerance
	 */
	boolean compute(final Pass pass, final SelectedTemplate template, final int y, final int offset) {
		pass.moments().finish(pass.z(), y);
		return lags.partial() ? overlapping(pass, template, y, offset) : inside(pass, template, y, offset);
	}

	/** Windows inside the image. */
	private boolean inside(final Pass pass, final SelectedTemplate template, final int y, final int offset) {
		final Numerator numerator = pass.numerator();
		final ChannelMoments moments = pass.moments();
		final int lags = pass.lagsX();
		row.finish(numerator, pass.z(), y);
		final double share = 1 / numerator.limit() + 1 / moments.limit(), floor = floor(pass, template);
		final double[] least = minVariance(numerator.minVariance(), moments.minVariance(lags), lags);
		if (moments.count() == 1) return row.inside(moments.sums(0), moments.energies(0), moments.channel(0), share, least, floor, slack, offset, lags);
		// each channel is taken about its own mean
		final double[] variances = moments.variances(n, lags), squaredMeans = moments.squaredMeans();
		for (int x = 0; x < lags; x++) minVariance[x] = (least == null ? 0 : least[x]) + share * squaredMeans[x];
		return row.inside(null, variances, null, 0, minVariance, floor, slack, offset, lags);
	}

	/** The minimum variance at which the estimates of numerator and moments together stay below the tolerance; null for none. */
	private double[] minVariance(final double[] a, final double[] b, final int lags) {
		if (a == null || b == null) return a == null ? b : a;
		Rows.sum(a, b, minVariance, lags);
		return minVariance;
	}

	/** The minimum variance that is significant, given rounding and underflow. */
	private static double floor(final Pass pass, final SelectedTemplate template) {
		return template.norm() > 0 ? Math.max(pass.moments().floor(), pass.numerator().floor()) : Double.POSITIVE_INFINITY;
	}

	/** Windows that may leave the image or have missing pixels: the sums of the template are those of the part that counts. */
	private boolean overlapping(final Pass pass, final SelectedTemplate template, final int y, final int offset) {
		pass.numerator().finish(pass.z(), y, partialProducts);
		final PartSums[] parts = pass.parts();
		for (final PartSums part : parts) part.row(pass.lag(), pass.pixels().size(), pass.z(), y, pass.lagsX());
		return parts.length == 1 ? ofParts(pass, template, parts[0], offset) : joint(pass, template, parts, offset);
	}

	/** A row whose sums are computed, for one channel. */
	private boolean ofParts(final Pass pass, final SelectedTemplate template, final PartSums parts, final int offset) {
		final Numerator numerator = pass.numerator();
		final WindowMoments moments = pass.moments().channel(0);
		final double[] sums = pass.moments().sums(0), energies = pass.moments().energies(0);
		final double[] counts = parts.weight, values = parts.value, squares = parts.square;
		final double norm = template.norm(), floor = floor(pass, template);
		final double[] minVariance = numerator.minVariance(), sumRests = moments.sumRests(), energyRests = moments.energyRests();
		final double momentsLimit = moments.limit(), rounding = Tolerance.EPS_DOUBLE / tolerance, perWeight = 1 / n, perEnergy = 1 / (norm * norm);
		boolean sound = true;
		for (int x = 0; x < pass.lagsX(); x++) {
			// quotients take most of the time: there are as few as possible
			final double count = counts[x], inverse = 1 / count, t = values[x], meanT = t * inverse, squaredMeanT = t * meanT, varianceT = squares[x] - squaredMeanT;
			final double p = sums[x], meanP = p * inverse, squaredMeanP = p * meanP;
			final double v = sumRests == null ? energies[x] - squaredMeanP : PairRows.variance(p, sumRests[x], energies[x], energyRests[x], count);
			final double root = Math.sqrt(v) * Math.sqrt(varianceT), value = (partialProducts[x] - p * meanT) / root;
			row.put(offset + x, Math.max(-1, Math.min(1, value)));
			slack[x] = 0;
			final double productError = (minVariance == null ? 0 : Math.sqrt(minVariance[x]) * norm) + Math.abs(meanT) * moments.sumError(x);
			final double share = count * perWeight, contrast = varianceT * perEnergy;
			outside[x] = !parts.enough(x, lags.minOverlap());
			if (outside[x]) {
				slack[x] = -1;
				sound = false;
			}
			else if (!(v > floor && (v - moments.partialMinVariance(x, p, count)) * varianceT > productError * productError && contrast > minShare && share > minShare
				&& parts.holds(meanP, meanT, count, v, varianceT, root, rounding)
				&& (v + squaredMeanP) * (varianceT + squaredMeanT) <= (1 + Math.min(momentsLimit, numerator.partialLimit(share, contrast))) * v * varianceT))
			{
				slack[x] = -1;
				sound = false;
			}
		}
		return sound;
	}

	/** The same for several channels. */
	private boolean joint(final Pass pass, final SelectedTemplate template, final PartSums[] parts, final int offset) {
		final Numerator numerator = pass.numerator();
		final ChannelMoments moments = pass.moments();
		final double norm = template.norm(), floor = floor(pass, template);
		final double[] minVariance = numerator.minVariance();
		final double momentsLimit = moments.limit(), rounding = Tolerance.EPS_DOUBLE / tolerance;
		boolean sound = true;
		for (int x = 0; x < pass.lagsX(); x++) {
			final double count = parts[0].weight[x];
			window.begin(count, partialProducts[x], minVariance == null ? 0 : Math.sqrt(minVariance[x]) * norm);
			for (int c = 0; c < parts.length; c++) window.add(parts[c], moments.channel(c), moments.sums(c)[x], moments.energies(c)[x], x);
			row.put(offset + x, window.response());
			slack[x] = 0;
			outside[x] = !parts[0].enough(x, lags.minOverlap());
			if (outside[x] || !(window.v > floor && window.varianceT > minShare * norm * norm && count > minShare * n
				&& window.holds(rounding, Math.min(momentsLimit, numerator.partialLimit(count / n, window.varianceT / (norm * norm))))))
			{
				slack[x] = -1;
				sound = false;
			}
		}
		return sound;
	}
}
