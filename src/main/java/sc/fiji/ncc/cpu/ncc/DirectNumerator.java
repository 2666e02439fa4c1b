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
import sc.fiji.ncc.numeric.Tolerance;
import sc.fiji.ncc.numeric.Weighting;
import sc.fiji.ncc.numeric.ZeroMeanTemplate;
import sc.fiji.ncc.plan.Precision;

/**
 * Numerators as direct sums, in float or double. {@link DirectError} bounds their errors: they grow with the distance of the window's mean from the
 * reference. {@link DirectTaps} says where the rounding errors of equal pixels are taken as independent. Belongs to one thread.
 */
final class DirectNumerator implements Numerator {

	private final boolean inDouble;
	private final TemplatePlanes planes;
	private List<DirectTaps> floatTemplates;
	private List<double[]> doubleTemplates;
	private final int maxLags;
	private final float[] floats;
	private final double[] doubles;
	private FloatRowCorrelator[] floatCorrelators;
	private DoubleRowCorrelator[] doubleCorrelators;
	private double[] limits;
	private final double tolerance, floor;
	/** The rounding errors of each template where a part of it overlaps, see {@link DirectTaps#partialError}. */
	private final double partialError;
	private TileReader[] readers;
	private TileScale scale;
	private int lags;
	/** The current template. */
	private FloatRowCorrelator floatCorrelator;
	private DoubleRowCorrelator doubleCorrelator;
	private double limit, changed;

	/** Exactly one of the two lists is null. */
	private DirectNumerator(final TemplatePlanes planes, final List<DirectTaps> floatTemplates, final List<double[]> doubleTemplates, final double[] limits,
		final double partialError, final double tolerance, final double floor, final int maxLags)
	{
		inDouble = floatTemplates == null;
		this.planes = planes;
		this.doubleTemplates = doubleTemplates;
		this.maxLags = maxLags;
		final int columns = maxLags + planes.width - 1;
		floats = inDouble ? null : new float[columns];
		doubles = inDouble ? new double[columns] : null;
		if (inDouble) exchangeInDouble(doubleTemplates, limits);
		else exchange(floatTemplates);
		this.partialError = partialError;
		this.tolerance = tolerance;
		this.floor = floor;
	}

	/** The limits of all templates for {@link #inDouble(TemplatePlanes, List, double[], int)}. */
	static double[] doubleLimits(final TemplatePlanes planes, final List<ZeroMeanTemplate> templates, final Weighting weights) {
		return templates.stream().mapToDouble(t -> DirectTaps.doubleLimit(planes, t, weights)).toArray();
	}

	/** Changes a numerator in float to other templates of the same size and weights. */
	void exchange(final List<DirectTaps> others) {
		floatTemplates = others;
		floatCorrelators = new FloatRowCorrelator[others.size()];
		limits = others.stream().mapToDouble(DirectTaps::limit).toArray();
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
	 * @param whole whether pixels are whole numbers of at most 16 bits
	 */
	static DirectNumerator inFloat(final TemplatePlanes planes, final List<DirectTaps> templates, final boolean whole, final int maxLags) {
		double error = 0;
		for (final DirectTaps t : templates) error = Math.max(error, t.partialError(planes, whole));
		return new DirectNumerator(planes, templates, null, null, error, Tolerance.RESPONSE, Tolerance.FLOOR, maxLags);
	}

	/**
	 * A numerator in double for responses in float.
	 *
	 * @param coefficients the coefficients of the templates
	 */
	static DirectNumerator inDouble(final TemplatePlanes planes, final List<double[]> coefficients, final int maxLags) {
		final double[] limits = new double[coefficients.size()];
		Arrays.fill(limits, Tolerance.DOUBLE_LIMIT);
		return new DirectNumerator(planes, null, coefficients, limits, DirectTaps.partialErrorInDouble(planes), Tolerance.RESPONSE, Tolerance.FLOOR, maxLags);
	}

	/**
	 * A numerator in double for responses in double.
	 *
	 * @param coefficients the coefficients of the templates
	 * @param limits from {@link #doubleLimits}
	 */
	static DirectNumerator inDouble(final TemplatePlanes planes, final List<double[]> coefficients, final double[] limits, final int maxLags) {
		return new DirectNumerator(planes, null, coefficients, limits, DirectTaps.partialErrorInDouble(planes), Tolerance.of(Precision.DOUBLE), Tolerance.DOUBLE_FLOOR, maxLags);
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
				floatCorrelators[template] = FloatRowCorrelator.of(planes.width, planes.height, planes.cut(floatTemplates.get(template).taps()), floatTemplates.get(template).run(), maxLags);
			floatCorrelator = floatCorrelators[template];
			floatCorrelator.begin(lags);
		}
		limit = limits[template];
		changed = inDouble ? 0 : floatTemplates.get(template).changed();
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
	public double partialLimit(final double share, final double contrast) {
		if (share >= 1) return limit;
		final double error = partialError + (inDouble ? 0 : changed / Math.sqrt(contrast));
		return Math.min(Tolerance.DOUBLE_LIMIT, Math.pow(tolerance / error, 2) - 1);
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
