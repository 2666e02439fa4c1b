package sc.fiji.ncc.cpu;

import java.util.List;
import java.util.function.BooleanSupplier;

/** Direct sums, in float or in double. The error grows with the window's mean about the reference: {@code c·eps·√(1 + (μ - ref)²/σ²)}. */
final class DirectNumerator implements Numerator {

	/** Products added up in float before they go to double: 256 roundings. */
	private static final int FLOAT_RUN = 256 * FloatTaps.AT_ONCE;

	private final boolean inDouble;
	private final TemplatePlanes planes;
	private List<float[]> floatTemplates;
	private final List<double[]> doubleTemplates;
	private final int mostLags;
	private final float[] floats;
	private final double[] doubles;
	private FloatTaps[] allFloatTaps;
	private final DoubleTaps[] allDoubleTaps;
	private double[] limits;
	private final double partialLimit;
	private TileReader[] readers;
	private TileScale scale;
	private int lags;
	/** Of the template at hand. */
	private FloatTaps floatTaps;
	private DoubleTaps doubleTaps;
	private double limit;

	/** One of the lists is null. */
	private DirectNumerator(final TemplatePlanes planes, final List<float[]> floatTemplates, final List<double[]> doubleTemplates, final double n,
		final int mostLags)
	{
		inDouble = floatTemplates == null;
		this.planes = planes;
		this.doubleTemplates = doubleTemplates;
		this.mostLags = mostLags;
		final int columns = mostLags + planes.width - 1;
		floats = inDouble ? null : new float[columns];
		doubles = inDouble ? new double[columns] : null;
		if (!inDouble) exchange(floatTemplates, n);
		allDoubleTaps = inDouble ? new DoubleTaps[doubleTemplates.size()] : null;
		partialLimit = inDouble ? Tolerance.DOUBLE_LIMIT : floatPartialLimit(n);
	}

	/**
	 * What float sums make of a window that is a constant m and little else: each product and each partial sum of T̂·m rounds, by about half
	 * an eps of itself, and these errors are independent. So the error of r is {@code eps/2·√(Σ S² + Σ T̂²) / (√N·‖T̂‖)} times |m|/σ, S the
	 * partial sums in the order in which they are taken; beside it that of the sums of the deviations. Both with a margin of 8.
	 */
	private static double floatLimit(final float[] taps, final double n) {
		double squares = 0, partial = 0, partials = 0;
		for (int i = 0; i < taps.length; i++) {
			if (i % FLOAT_RUN == 0) partial = 0;
			partial += taps[i];
			squares += (double) taps[i] * taps[i];
			if ((i + 1) % FloatTaps.AT_ONCE == 0) partials += partial * partial;
		}
		final double ofMean = 8 * Tolerance.EPS_FLOAT / 2 * Math.sqrt((partials + squares) / (n * squares));
		final double ofDeviations = Tolerance.EPS_FLOAT * (1 + 0.5 * Math.sqrt(Math.min(n, FLOAT_RUN)));
		return Math.pow((Tolerance.RESPONSE - ofDeviations) / ofMean, 2);
	}

	/**
	 * A part of the template does not sum to zero, and its partial sums are not those of the whole: by Cauchy and Schwarz S² ≤ k·Σ T̂² after k of
	 * a run's products.
	 */
	private static double floatPartialLimit(final double n) {
		final double run = Math.min(n, FLOAT_RUN);
		final double ofMean = 2 * Tolerance.EPS_FLOAT * Math.sqrt(1 + run / (2 * FloatTaps.AT_ONCE));
		return Math.pow(Tolerance.RESPONSE / ofMean, 2);
	}

	/** Of one in float: goes over to other templates of the same size and number of pixels that count. */
	void exchange(final List<float[]> others, final double n) {
		floatTemplates = others;
		allFloatTaps = new FloatTaps[others.size()];
		limits = others.stream().mapToDouble(t -> floatLimit(t, n)).toArray();
	}

	/** @param taps the templates as {@link ZeroMean#toFloat} gives them */
	static DirectNumerator inFloat(final TemplatePlanes planes, final List<float[]> taps, final double n, final int mostLags) {
		return new DirectNumerator(planes, taps, null, n, mostLags);
	}

	static DirectNumerator inDouble(final TemplatePlanes planes, final List<double[]> zeroMeans, final int mostLags) {
		return new DirectNumerator(planes, null, zeroMeans, 0, mostLags);
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
				allDoubleTaps[template] = DoubleTaps.of(planes.width, planes.height, planes.cut(doubleTemplates.get(template)), mostLags);
			doubleTaps = allDoubleTaps[template];
			doubleTaps.begin(lags);
		}
		else {
			if (allFloatTaps[template] == null)
				allFloatTaps[template] = FloatTaps.of(planes.width, planes.height, planes.cut(floatTemplates.get(template)), FLOAT_RUN, mostLags);
			floatTaps = allFloatTaps[template];
			floatTaps.begin(lags);
		}
		limit = inDouble ? Tolerance.DOUBLE_LIMIT : limits[template];
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
	public void finish(final int z, final int y, final float[] to) {
		if (inDouble) {
			doubleTaps.finish(y, doubles);
			Rows.toFloat(doubles, to, lags);
		}
		else floatTaps.finish(y, to);
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
		return partialLimit;
	}

	@Override
	public double floor() {
		return Tolerance.FLOOR;
	}

	@Override
	public double[] leastVariance() {
		return null;
	}
}
