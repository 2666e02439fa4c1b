package sc.fiji.ncc.cpu.response;

import sc.fiji.ncc.cpu.window.ChannelMoments;
import sc.fiji.ncc.cpu.window.Numerator;
import sc.fiji.ncc.loops.Rows;
import sc.fiji.ncc.plan.Lags;
import sc.fiji.ncc.plan.Precision;

/**
 * The responses of a row of lags, {@code numerator / (√variance of the window · √variance of the template)}, and whether their estimated errors stay below
 * the tolerance. Belongs to one thread.
 */
public final class RowResponses {

	/** The slack of each response: negative if it must be rechecked. */
	public final double[] slack;
	/** Whether too little of the template counts at a lag. Empty if all of it always counts. */
	public final boolean[] outside;
	/** The sum of the weights. */
	private final double n;
	private final ResponseRow row;
	private final double[] minVariance;
	/** Null if windows are always whole. */
	private final PartialResponses partial;

	public RowResponses(final Lags lags, final double n, final Precision precision, final ResponseRow row, final int maxLags) {
		this.n = n;
		this.row = row;
		slack = new double[maxLags];
		minVariance = new double[maxLags];
		partial = lags.partial() ? new PartialResponses(lags.minOverlap(), n, precision, row, maxLags) : null;
		outside = new boolean[lags.partial() ? maxLags : 0];
	}

	/**
	 * Writes the responses of row {@code y} of a plane, whose rows have been added.
	 *
	 * @param offset the index of the first response
	 * @return whether all estimated errors stay below the tolerance
	 */
	public boolean compute(final TilePlane plane, final SelectedTemplate template, final int y, final int offset) {
		plane.moments().finish(plane.z(), y);
		return partial != null ? partial.compute(plane, template, y, offset, slack, outside) : inside(plane, template, y, offset);
	}

	/** Windows inside the image. */
	private boolean inside(final TilePlane plane, final SelectedTemplate template, final int y, final int offset) {
		final Numerator numerator = plane.numerator();
		final ChannelMoments moments = plane.moments();
		final int lags = plane.lagsX();
		row.finish(numerator, plane.z(), y);
		final double share = 1 / numerator.limit() + 1 / moments.limit(), floor = floor(plane, template);
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
	static double floor(final TilePlane plane, final SelectedTemplate template) {
		return template.norm() > 0 ? Math.max(plane.moments().floor(), plane.numerator().floor()) : Double.POSITIVE_INFINITY;
	}
}
