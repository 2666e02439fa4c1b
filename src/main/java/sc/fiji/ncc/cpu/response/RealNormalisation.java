package sc.fiji.ncc.cpu.response;

import sc.fiji.ncc.cpu.window.ChannelMoments;
import sc.fiji.ncc.cpu.window.Numerator;
import sc.fiji.ncc.loops.Division;
import sc.fiji.ncc.loops.Rows;
import sc.fiji.ncc.plan.Lags;
import sc.fiji.ncc.plan.Precision;

/** {@link Normalisation} of sums in floating point, in single or double precision, with error estimates. */
public final class RealNormalisation extends Normalisation {

	private final boolean single;
	/** The sum of the weights. */
	private final double n;
	private final Division division;
	/** The numerators, of which one is not used; and a row of zeros. */
	private final float[] floats;
	private final double[] products, zeros;
	private final double[] minVariance, mean, r;
	/** Null if windows are always whole. */
	private final PartialRow partial;

	/** @param n the sum of the weights */
	public RealNormalisation(final Lags lags, final double n, final Precision precision, final int maxLags) {
		super(maxLags);
		this.n = n;
		single = precision == Precision.SINGLE;
		division = new Division(single ? maxLags : 0);
		floats = new float[single ? maxLags : 0];
		products = new double[single ? 0 : maxLags];
		r = new double[products.length];
		zeros = new double[maxLags];
		minVariance = new double[maxLags];
		mean = new double[maxLags];
		partial = lags.partial() ? new PartialRow(lags.minOverlap(), n, precision, this, maxLags) : null;
	}

	@Override
	public boolean divide(final Plane plane, final CurrentTemplate template, final int y, final int at) {
		final Numerator numerator = plane.sums().numerator();
		final ChannelMoments moments = plane.sums().moments();
		if (partial != null) return partial.row(plane, template, y, at);
		final int lags = plane.lagsX();
		final float[] numerators = single ? numerator.floats(floats) : null;
		if (!single) numerator.doubles(products);
		final double floor = floor(plane, template), share = 1 / numerator.error().limit() + 1 / moments.limit();
		final double[] least = minVariance(numerator.error().minVariance(), moments.minVariance(lags), lags);
		if (single && moments.count() == 1) return division.row(new Division.Sums(numerators, moments.sums(0), moments.energies(0), least),
			terms(template, share, floor), margin, (float[]) to.to(), at, lags);
		// each channel is taken about its own mean; the variances of one channel overwrite its energies
		final boolean joint = moments.count() > 1;
		final double[] variances = joint ? moments.variances(n, lags) : moments.energies(0), squaredMeans = joint ? moments.squaredMeans() : mean;
		if (!joint) moments.variances(0, n, mean, variances, lags);
		for (int x = 0; x < lags; x++) minVariance[x] = (least == null ? 0 : least[x]) + share * squaredMeans[x];
		return single ? division.row(new Division.Sums(numerators, zeros, variances, minVariance), terms(template, 0, floor), margin, (float[]) to.to(), at, lags)
			: inDouble(variances, floor, template.norm(), at, lags);
	}

	private Division.Terms terms(final CurrentTemplate template, final double share, final double floor) {
		return new Division.Terms(1 / n, (float) (1 / template.norm()), share, floor);
	}

	/** The minimum variance at which the estimates of numerator and moments together stay below the tolerance; null for none. */
	private double[] minVariance(final double[] a, final double[] b, final int lags) {
		if (a == null || b == null) return a == null ? b : a;
		Rows.sum(a, b, minVariance, lags);
		return minVariance;
	}

	private boolean inDouble(final double[] variances, final double floor, final double norm, final int at, final int lags) {
		boolean hold = true;
		for (int x = 0; x < lags; x++) {
			margin[x] = variances[x] - minVariance[x] - floor;
			hold &= margin[x] >= 0;
		}
		for (int x = 0; x < lags; x++) r[x] = Math.max(-1, Math.min(1, products[x] / (Math.sqrt(variances[x]) * norm)));
		System.arraycopy(r, 0, (double[]) to.to(), at, lags);
		return hold;
	}

	/** The minimum variance that is significant, given rounding and underflow. */
	static double floor(final Plane plane, final CurrentTemplate template) {
		return template.norm() > 0 ? Math.max(plane.sums().moments().floor(), plane.sums().numerator().error().floor()) : Double.POSITIVE_INFINITY;
	}
}
