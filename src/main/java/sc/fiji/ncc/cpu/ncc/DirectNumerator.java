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
 * Direct sums, in float or in double. The error grows with the window's mean about the reference: {@code c·eps·√(1 + (μ - ref)²/σ²)}.
 * <p>
 * Roundings of equal pixels are alike, and add up. In double the estimate is that bound. In float it would send ordinary windows to a second look; there
 * coefficients are moved at random ({@link sc.fiji.ncc.numeric.ZeroMean}), so that their roundings are independent, and the bound serves only where windows leave the image.
 */
final class DirectNumerator implements Numerator {

	/** Products added up in float before they go to double: 256 roundings. */
	private static final int FLOAT_RUN = 256 * FloatRowCorrelator.AT_ONCE;
	/** The same where windows may leave the image, or a heavy pixel outweighs the others, and roundings may all be alike. */
	private static final int SHORT_RUN = 64 * FloatRowCorrelator.AT_ONCE;

	private final boolean inDouble;
	private final TemplatePlanes planes;
	private List<float[]> floatTemplates;
	private List<double[]> doubleTemplates;
	private final int maxLags;
	private final float[] floats;
	private final double[] doubles;
	private FloatRowCorrelator[] allFloatTaps;
	private DoubleRowCorrelator[] allDoubleTaps;
	private double[] limits;
	private final double partialLimit, floor;
	private final int run;
	private TileReader[] readers;
	private TileScale scale;
	private int lags;
	/** Of the template at hand. */
	private FloatRowCorrelator floatTaps;
	private DoubleRowCorrelator doubleTaps;
	private double limit;

	/** One of the lists is null. */
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
	 * For each template what {@link #inFloat} takes.
	 *
	 * @param taps the templates as {@link sc.fiji.ncc.numeric.ZeroMean#toFloat} gives them
	 */
	static double[] floatLimits(final TemplatePlanes planes, final List<ZeroMeanTemplate> templates, final List<float[]> taps, final Weighting weights,
		final Lags lags)
	{
		final double[] limits = new double[taps.size()];
		for (int t = 0; t < limits.length; t++)
			limits[t] = limit(planes, Rows.toDouble(taps.get(t)), weights.sum(), templates.get(t).norm(), floatRun(lags, weights), FloatRowCorrelator.AT_ONCE, lags.partial(),
				share(weights), Tolerance.EPS_FLOAT, Tolerance.RESPONSE);
		return limits;
	}

	private static int floatRun(final Lags lags, final Weighting weights) {
		return lags.partial() || weights.kind() == Weights.REAL ? SHORT_RUN : FLOAT_RUN;
	}

	/**
	 * How much of an eps of the whole sum each addition may lose. Sums that grow evenly have a half of it on average, and a number has two thirds of the
	 * greatest rounding of its binade: a third. Under weights a heavy pixel may come first, and all other additions round to the last place of the whole.
	 */
	private static double share(final Weighting weights) {
		return weights.kind() == Weights.REAL ? 2 / 3.0 : 1 / 3.0;
	}

	/** For each template what {@link #inDouble(TemplatePlanes, List, double[], Weighting, int)} takes; arguments as there. */
	static double[] doubleLimits(final TemplatePlanes planes, final List<ZeroMeanTemplate> templates, final Weighting weights) {
		final double[] limits = new double[templates.size()];
		for (int t = 0; t < limits.length; t++)
			limits[t] = limit(planes, templates.get(t).coefficients(), weights.sum(), templates.get(t).norm(), Integer.MAX_VALUE, 1, true,
				share(weights), Tolerance.EPS_DOUBLE, Tolerance.of(Precision.DOUBLE));
		return limits;
	}

	/**
	 * What rounded sums make of a window that is a constant m and little else: each product and each partial sum of T̂·m rounds, by at most an eps of
	 * itself. So the error of r is at most {@code eps·(Σ|S| + Σ|T̂|) / (√N·‖T̂‖)} times |m|/σ, S the partial sums in the order in which they are taken. If
	 * roundings are independent, half an eps each, it is {@code eps/2·√(Σ S² + Σ T̂²) / (√N·‖T̂‖)}, here with a margin of 8. Beside it the roundings of the
	 * deviations: those of a window and a template of two levels each may all be alike. In float half of that is taken, since both kinds of errors are hardly
	 * at their greatest in one response.
	 *
	 * @param run how many products are added up before a sum begins anew
	 * @param atOnce how many of them before they are rounded
	 * @param alike whether roundings may be alike
	 * @param share of an eps of the whole sum that each addition may lose
	 */
	private static double limit(final TemplatePlanes planes, final double[] taps, final double n, final double norm, final int run, final int atOnce,
		final boolean alike, final double share, final double eps, final double tolerance)
	{
		double squares = 0, magnitudes = 0, partial = 0, partials = 0, partialMagnitudes = 0;
		for (int i = 0; i < taps.length; i++) {
			if (i % run == 0) partial = 0;
			// vectors add up a whole plane, then the next one; other loops a row of all planes, then the next one
			final int x = i % planes.width, p = i / planes.width % planes.count, y = i / (planes.width * planes.count);
			final double tap = taps[Vectors.USED ? i : (p * planes.height + y) * planes.width + x];
			partial += tap;
			squares += tap * tap;
			magnitudes += Math.abs(tap);
			if ((i + 1) % atOnce == 0) {
				partials += partial * partial;
				partialMagnitudes += Math.abs(partial);
			}
		}
		final double additions = Math.min(taps.length, run) / (double) atOnce;
		final double ofMean = eps * (alike ? (partialMagnitudes + magnitudes) / Math.sqrt(n) : 8 / 2 * Math.sqrt((partials + squares) / n)) / norm;
		final double ofDeviations = eps * (1 + additions * (alike || run == SHORT_RUN ? share : share / 2));
		// never 0, of which the inverse would be no number to reckon with
		return Math.max(Double.MIN_NORMAL, Math.pow(Math.max(0, tolerance - ofDeviations) / ofMean, 2));
	}

	/**
	 * A part of the template does not sum to zero, and its partial sums are not those of the whole. By Cauchy and Schwarz none exceeds the product of the
	 * norms of window and part.
	 */
	private static double partialLimit(final double run, final int atOnce, final double share, final double eps, final double tolerance) {
		return Math.pow(tolerance / (eps * (2 + run / atOnce * share)), 2);
	}

	/** Of one in float: goes over to other templates of the same size and weights. */
	void exchange(final List<float[]> others, final double[] limits) {
		floatTemplates = others;
		allFloatTaps = new FloatRowCorrelator[others.size()];
		this.limits = limits;
	}

	/** Of one in double. */
	void exchangeInDouble(final List<double[]> others, final double[] limits) {
		doubleTemplates = others;
		allDoubleTaps = new DoubleRowCorrelator[others.size()];
		this.limits = limits;
	}

	/**
	 * @param taps the templates as {@link sc.fiji.ncc.numeric.ZeroMean#toFloat} gives them
	 * @param limits as {@link #floatLimits} gives them
	 */
	static DirectNumerator inFloat(final TemplatePlanes planes, final List<float[]> taps, final double[] limits, final Lags lags, final Weighting weights,
		final int maxLags)
	{
		final int run = floatRun(lags, weights);
		final double partial = partialLimit(Math.min(taps.get(0).length, run), FloatRowCorrelator.AT_ONCE, share(weights), Tolerance.EPS_FLOAT, Tolerance.RESPONSE);
		return new DirectNumerator(planes, taps, null, limits, run, partial, Tolerance.FLOOR, maxLags);
	}

	/**
	 * For responses in float.
	 *
	 * @param coefficients of the templates
	 */
	static DirectNumerator inDouble(final TemplatePlanes planes, final List<double[]> coefficients, final int maxLags) {
		final double[] limits = new double[coefficients.size()];
		Arrays.fill(limits, Tolerance.DOUBLE_LIMIT);
		return new DirectNumerator(planes, null, coefficients, limits, 0, Tolerance.DOUBLE_LIMIT, Tolerance.FLOOR, maxLags);
	}

	/**
	 * For responses in double.
	 *
	 * @param coefficients of the templates
	 * @param limits as {@link #doubleLimits} gives them
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
			if (allDoubleTaps[template] == null)
				allDoubleTaps[template] = DoubleRowCorrelator.of(planes.width, planes.height, planes.cut(doubleTemplates.get(template)), maxLags);
			doubleTaps = allDoubleTaps[template];
			doubleTaps.begin(lags);
		}
		else {
			if (allFloatTaps[template] == null)
				allFloatTaps[template] = FloatRowCorrelator.of(planes.width, planes.height, planes.cut(floatTemplates.get(template)), run, maxLags);
			floatTaps = allFloatTaps[template];
			floatTaps.begin(lags);
		}
		limit = limits[template];
	}

	@Override
	public void add(final int z, final int row, final int y0, final int y1) {
		for (int p = 0; p < planes.count; p++)
			if (inDouble) {
				readers[z + p].row(row, scale, doubles);
				doubleTaps.add(p, doubles, row, y0, y1);
			}
			else {
				readers[z + p].row(row, scale, floats);
				floatTaps.add(p, floats, row, y0, y1);
			}
	}

	@Override
	public float[] finish(final int z, final int y, final float[] room) {
		if (inDouble) {
			doubleTaps.finish(y, doubles);
			Rows.toFloat(doubles, room, lags);
		}
		else floatTaps.finish(y, room);
		return room;
	}

	@Override
	public void finish(final int z, final int y, final double[] to) {
		if (inDouble) doubleTaps.finish(y, to);
		else floatTaps.finish(y, to);
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
	public double[] leastVariance() {
		return null;
	}
}
