package sc.fiji.ncc.cpu;

import java.util.function.BooleanSupplier;

/** Direct sums, in float or in double. The error grows with the window's mean about the reference: {@code c·eps·√(1 + (μ - ref)²/σ²)}. */
final class DirectNumerator implements Numerator {

	/** Products added up in float before they go to double: 256 roundings. */
	private static final int FLOAT_RUN = 256 * FloatTaps.AT_ONCE;

	private final boolean inDouble;
	private final int planes;
	private final FloatTaps floatTaps;
	private final DoubleTaps doubleTaps;
	private final float[] floats;
	private final double[] doubles;
	private final double limit, partialLimit;
	private TileReader[] readers;
	private TileScale scale;
	private int lags;

	private DirectNumerator(final TemplatePlanes planes, final FloatTaps floatTaps, final DoubleTaps doubleTaps, final double limit,
		final double partialLimit, final int mostLags)
	{
		inDouble = doubleTaps != null;
		this.floatTaps = floatTaps;
		this.doubleTaps = doubleTaps;
		this.limit = limit;
		this.partialLimit = partialLimit;
		this.planes = planes.count;
		final int columns = mostLags + planes.width - 1;
		floats = inDouble ? null : new float[columns];
		doubles = inDouble ? new double[columns] : null;
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

	/** @param taps the template as {@link ZeroMean#toFloat} gives it */
	static DirectNumerator inFloat(final TemplatePlanes planes, final float[] taps, final double n, final int mostLags) {
		return new DirectNumerator(planes, FloatTaps.of(planes.width, planes.height, planes.cut(taps), FLOAT_RUN, mostLags), null,
			floatLimit(taps, n), floatPartialLimit(n), mostLags);
	}

	static DirectNumerator inDouble(final TemplatePlanes planes, final double[] zeroMean, final int mostLags) {
		return new DirectNumerator(planes, null, DoubleTaps.of(planes.width, planes.height, planes.cut(zeroMean), mostLags),
			Tolerance.DOUBLE_LIMIT, Tolerance.DOUBLE_LIMIT, mostLags);
	}

	@Override
	public void begin(final TileReader[] readers, final TileScale scale, final int lagsX, final int lagsY, final int lagsZ,
		final BooleanSupplier stop)
	{
		this.readers = readers;
		this.scale = scale;
		lags = lagsX;
		if (inDouble) doubleTaps.begin(lagsX);
		else floatTaps.begin(lagsX);
	}

	@Override
	public void add(final int z, final int row, final int y0, final int y1) {
		for (int p = 0; p < planes; p++)
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
