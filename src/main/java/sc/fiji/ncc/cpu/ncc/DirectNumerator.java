package sc.fiji.ncc.cpu.ncc;

import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;

import sc.fiji.ncc.cpu.correlator.DoubleRowCorrelator;
import sc.fiji.ncc.cpu.correlator.FloatRowCorrelator;
import sc.fiji.ncc.cpu.tile.TemplatePlanes;
import sc.fiji.ncc.cpu.tile.TileReader;
import sc.fiji.ncc.cpu.tile.TileScale;
import sc.fiji.ncc.cpu.window.Numerator;
import sc.fiji.ncc.loops.Rows;
import sc.fiji.ncc.loops.Vectors;
import sc.fiji.ncc.numeric.Tolerance;
import sc.fiji.ncc.numeric.Weighting;
import sc.fiji.ncc.numeric.ZeroMeanTemplate;
import sc.fiji.ncc.plan.Lags;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Weights;

/**
 * Numerators as direct sums, in float or double. The error grows with the distance of the window's mean from the reference: {@code c·eps·√(1 + (μ -
 * ref)²/σ²)}.
 * <p>
 * The rounding errors of equal pixels are equal and add up. In double the estimate is that bound. In float it would cause rechecks of ordinary windows.
 * There the coefficients are changed at random ({@link sc.fiji.ncc.numeric.ZeroMean}), so that their rounding errors are independent; the bound serves
 * only where windows leave the image.
 */
final class DirectNumerator implements Numerator {

	/** The number of products that are added up in float before they are added in double: 256 roundings. */
	private static final int FLOAT_RUN = 256 * FloatRowCorrelator.AT_ONCE;
	/** The same where windows may leave the image, or where a pixel may outweigh the others: roundings may then all be in one direction. */
	private static final int SHORT_RUN = 64 * FloatRowCorrelator.AT_ONCE;

	private final boolean inDouble;
	private final TemplatePlanes planes;
	private List<float[]> floatTemplates;
	private List<double[]> doubleTemplates;
	private final int maxLags;
	private final float[] floats;
	private final double[] doubles;
	private FloatRowCorrelator[] floatCorrelators;
	private DoubleRowCorrelator[] doubleCorrelators;
	private double[] limits;
	private final double partialLimit, floor;
	private final int run;
	private TileReader[] readers;
	private TileScale scale;
	private int lags;
	/** The current template. */
	private FloatRowCorrelator floatCorrelator;
	private DoubleRowCorrelator doubleCorrelator;
	private double limit;

	/** Exactly one of the two lists is null. */
	private DirectNumerator(final TemplatePlanes planes, final List<float[]> floatTemplates, final List<double[]> doubleTemplates, final double[] limits,
		final int run, final double partialLimit, final double floor, final int maxLags)
	{
		inDouble = floatTemplates == null;
		this.planes = planes;
		this.doubleTemplates = doubleTemplates;
		this.maxLags = maxLags;
		this.run = run;
		final int columns = maxLags + planes.width - 1;
		floats = inDouble ? null : new float[columns];
		doubles = inDouble ? new double[columns] : null;
		if (inDouble) exchangeInDouble(doubleTemplates, limits);
		else exchange(floatTemplates, limits);
		this.partialLimit = partialLimit;
		this.floor = floor;
	}

	/**
	 * The limits of all templates for {@link #inFloat}.
	 *
	 * @param coefficients the coefficients of the templates, from {@link sc.fiji.ncc.numeric.ZeroMean#toFloat}
	 */
	static double[] floatLimits(final TemplatePlanes planes, final List<ZeroMeanTemplate> templates, final List<float[]> coefficients, final Weighting weights,
		final Lags lags)
	{
		final double[] limits = new double[coefficients.size()];
		for (int t = 0; t < limits.length; t++)
			limits[t] = limit(planes, Rows.toDouble(coefficients.get(t)), weights.sum(), templates.get(t).norm(), floatRun(lags, weights), FloatRowCorrelator.AT_ONCE, lags.partial(),
				share(weights), Tolerance.EPS_FLOAT, Tolerance.RESPONSE);
		return limits;
	}

	private static int floatRun(final Lags lags, final Weighting weights) {
		return lags.partial() || weights.kind() == Weights.REAL ? SHORT_RUN : FLOAT_RUN;
	}

	/**
	 * The part of an eps of the whole sum that each addition may lose. A sum that grows evenly has half its final size on average, and a number has two
	 * thirds of the greatest rounding error of its binade: together a third. With weights, a heavy pixel may come first; all later additions then round to
	 * the last place of the whole sum.
	 */
	private static double share(final Weighting weights) {
		return weights.kind() == Weights.REAL ? 2 / 3.0 : 1 / 3.0;
	}

	/** The limits of all templates for {@link #inDouble(TemplatePlanes, List, double[], Weighting, int)}. Arguments as there. */
	static double[] doubleLimits(final TemplatePlanes planes, final List<ZeroMeanTemplate> templates, final Weighting weights) {
		final double[] limits = new double[templates.size()];
		for (int t = 0; t < limits.length; t++)
			limits[t] = limit(planes, templates.get(t).coefficients(), weights.sum(), templates.get(t).norm(), Integer.MAX_VALUE, 1, true,
				share(weights), Tolerance.EPS_DOUBLE, Tolerance.of(Precision.DOUBLE));
		return limits;
	}

	/**
	 * The limit of a window that is nearly a constant m: each product and each partial sum of T̂·m is rounded, by at most one eps of itself. The error of
	 * r is therefore at most {@code eps·(Σ|S| + Σ|T̂|) / (√N·‖T̂‖)} times |m|/σ, S the partial sums in the order of addition. If roundings are
	 * independent, half an eps each, it is {@code eps/2·√(Σ S² + Σ T̂²) / (√N·‖T̂‖)}, used with a margin of 8. The roundings of the deviations are added:
	 * if window and template have two levels each, they may all be in one direction. In float half of that is used, since both kinds of errors hardly
	 * reach their maximum in one response.
	 *
	 * @param run the number of products that are added up before a sum starts again
	 * @param atOnce the number of these that are added up before the sum is rounded
	 * @param alike whether all roundings may be in one direction
	 * @param share the part of an eps of the whole sum that each addition may lose
	 */
	private static double limit(final TemplatePlanes planes, final double[] coefficients, final double n, final double norm, final int run, final int atOnce,
		final boolean alike, final double share, final double eps, final double tolerance)
	{
		double squares = 0, magnitudes = 0, partial = 0, partials = 0, partialMagnitudes = 0;
		for (int i = 0; i < coefficients.length; i++) {
			if (i % run == 0) partial = 0;
			// the order of addition: vectors add a whole plane, then the next plane; other loops add a row of all planes, then the next row
			final int x = i % planes.width, p = i / planes.width % planes.count, y = i / (planes.width * planes.count);
			final double coefficient = coefficients[Vectors.USED ? i : (p * planes.height + y) * planes.width + x];
			partial += coefficient;
			squares += coefficient * coefficient;
			magnitudes += Math.abs(coefficient);
			if ((i + 1) % atOnce == 0) {
				partials += partial * partial;
				partialMagnitudes += Math.abs(partial);
			}
		}
		final double additions = Math.min(coefficients.length, run) / (double) atOnce;
		final double ofMean = eps * (alike ? (partialMagnitudes + magnitudes) / Math.sqrt(n) : 8 / 2 * Math.sqrt((partials + squares) / n)) / norm;
		final double ofDeviations = eps * (1 + additions * (alike || run == SHORT_RUN ? share : share / 2));
		// never 0: its inverse is used
		return Math.max(Double.MIN_NORMAL, Math.pow(Math.max(0, tolerance - ofDeviations) / ofMean, 2));
	}

	/**
	 * The limit where a part of the template overlaps the image. The part does not sum to zero, and its partial sums differ from those of the whole
	 * template. By Cauchy and Schwarz none exceeds the product of the norms of window and part.
	 */
	private static double partialLimit(final double run, final int atOnce, final double share, final double eps, final double tolerance) {
		return Math.pow(tolerance / (eps * (2 + run / atOnce * share)), 2);
	}

	/** Changes a numerator in float to other templates of the same size and weights. */
	void exchange(final List<float[]> others, final double[] limits) {
		floatTemplates = others;
		floatCorrelators = new FloatRowCorrelator[others.size()];
		this.limits = limits;
	}

	/** Changes a numerator in double to other templates of the same size and weights. */
	void exchangeInDouble(final List<double[]> others, final double[] limits) {
		doubleTemplates = others;
		doubleCorrelators = new DoubleRowCorrelator[others.size()];
		this.limits = limits;
	}

	/**
	 * A numerator in float.
	 *
	 * @param coefficients the coefficients of the templates, from {@link sc.fiji.ncc.numeric.ZeroMean#toFloat}
	 * @param limits from {@link #floatLimits}
	 */
	static DirectNumerator inFloat(final TemplatePlanes planes, final List<float[]> coefficients, final double[] limits, final Lags lags, final Weighting weights,
		final int maxLags)
	{
		final int run = floatRun(lags, weights);
		final double partial = partialLimit(Math.min(coefficients.get(0).length, run), FloatRowCorrelator.AT_ONCE, share(weights), Tolerance.EPS_FLOAT, Tolerance.RESPONSE);
		return new DirectNumerator(planes, coefficients, null, limits, run, partial, Tolerance.FLOOR, maxLags);
	}

	/**
	 * A numerator in double for responses in float.
	 *
	 * @param coefficients the coefficients of the templates
	 */
	static DirectNumerator inDouble(final TemplatePlanes planes, final List<double[]> coefficients, final int maxLags) {
		final double[] limits = new double[coefficients.size()];
		Arrays.fill(limits, Tolerance.DOUBLE_LIMIT);
		return new DirectNumerator(planes, null, coefficients, limits, 0, Tolerance.DOUBLE_LIMIT, Tolerance.FLOOR, maxLags);
	}

	/**
	 * A numerator in double for responses in double.
	 *
	 * @param coefficients the coefficients of the templates
	 * @param limits from {@link #doubleLimits}
	 */
	static DirectNumerator inDouble(final TemplatePlanes planes, final List<double[]> coefficients, final double[] limits, final Weighting weights,
		final int maxLags)
	{
		final double partial = partialLimit(coefficients.get(0).length, 1, share(weights), Tolerance.EPS_DOUBLE, Tolerance.of(Precision.DOUBLE));
		return new DirectNumerator(planes, null, coefficients, limits, 0, partial, Tolerance.DOUBLE_FLOOR, maxLags);
	}

	@Override
	public void begin(final TileReader[] readers, final TileScale scale, final int lagsX, final int lagsY, final int lagsZ,
		final BooleanSupplier stop)
	{
		this.readers = readers;
		this.scale = scale;
		lags = lagsX;
	}

	@Override
	public void select(final int template) {
		if (inDouble) {
			if (doubleCorrelators[template] == null)
				doubleCorrelators[template] = DoubleRowCorrelator.of(planes.width, planes.height, planes.cut(doubleTemplates.get(template)), maxLags);
			doubleCorrelator = doubleCorrelators[template];
			doubleCorrelator.begin(lags);
		}
		else {
			if (floatCorrelators[template] == null)
				floatCorrelators[template] = FloatRowCorrelator.of(planes.width, planes.height, planes.cut(floatTemplates.get(template)), run, maxLags);
			floatCorrelator = floatCorrelators[template];
			floatCorrelator.begin(lags);
		}
		limit = limits[template];
	}

	@Override
	public void add(final int z, final int row, final int y0, final int y1) {
		for (int p = 0; p < planes.count; p++)
			if (inDouble) {
				readers[z + p].row(row, scale, doubles);
				doubleCorrelator.add(p, doubles, row, y0, y1);
			}
			else {
				readers[z + p].row(row, scale, floats);
				floatCorrelator.add(p, floats, row, y0, y1);
			}
	}

	@Override
	public float[] finish(final int z, final int y, final float[] room) {
		if (inDouble) {
			doubleCorrelator.finish(y, doubles);
			Rows.toFloat(doubles, room, lags);
		}
		else floatCorrelator.finish(y, room);
		return room;
	}

	@Override
	public void finish(final int z, final int y, final double[] to) {
		if (inDouble) doubleCorrelator.finish(y, to);
		else floatCorrelator.finish(y, to);
	}

	@Override
	public double limit() {
		return limit;
	}

	@Override
	public double partialLimit(final double share) {
		return share >= 1 ? limit : partialLimit;
	}

	@Override
	public double floor() {
		return floor;
	}

	@Override
	public double[] minVariance() {
		return null;
	}
}
