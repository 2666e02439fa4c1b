package sc.fiji.ncc.cpu;

/** Direct sums, in float or in double. The error grows with the window's mean about the reference: {@code c·eps·√(1 + (μ - ref)²/σ²)}. */
final class DirectNumerator implements Numerator {

	/** Products added up in float before they go to double. */
	private static final int FLOAT_RUN = 1024;

	private final boolean inDouble;
	private final int planes;
	private final FloatTaps floatTaps;
	private final DoubleTaps doubleTaps;
	private final float[] floats;
	private final double[] doubles;
	private final double mean, limit;
	private TileReader[] readers;
	private TileScale scale;

	private DirectNumerator(final TemplatePlanes planes, final double[] zeroMean, final double n, final int mostLags, final boolean inDouble) {
		this.inDouble = inDouble;
		this.planes = planes.count;
		final int columns = mostLags + planes.width - 1;
		floats = inDouble ? null : new float[columns];
		doubles = inDouble ? new double[columns] : null;
		floatTaps = inDouble ? null : new FloatTaps(planes.width, planes.height, planes.cutToFloat(zeroMean), FLOAT_RUN, mostLags);
		doubleTaps = inDouble ? new DoubleTaps(planes.width, planes.height, planes.cut(zeroMean), mostLags) : null;
		double sum = 0;
		for (final double t : zeroMean) sum += inDouble ? t : (float) t;
		mean = sum / n;
		// fitted: a few roundings, and a random walk along each run
		final double c = 1 + 0.25 * Math.sqrt(Math.min(n, FLOAT_RUN));
		limit = inDouble ? Tolerance.DOUBLE_LIMIT : Math.pow(Tolerance.RESPONSE / (c * Tolerance.EPS_FLOAT), 2) - 1;
	}

	static DirectNumerator inFloat(final TemplatePlanes planes, final double[] zeroMean, final double n, final int mostLags) {
		return new DirectNumerator(planes, zeroMean, n, mostLags, false);
	}

	static DirectNumerator inDouble(final TemplatePlanes planes, final double[] zeroMean, final double n, final int mostLags) {
		return new DirectNumerator(planes, zeroMean, n, mostLags, true);
	}

	@Override
	public void begin(final TileReader[] readers, final TileScale scale, final int lagsX, final int lagsY, final int lagsZ) {
		this.readers = readers;
		this.scale = scale;
		if (inDouble) doubleTaps.begin(lagsX);
		else floatTaps.begin(lagsX);
	}

	@Override
	public void add(final int z, final int row, final int y0, final int y1) {
		for (int p = 0; p < planes; p++)
			if (inDouble) {
				readers[z + p].row(row, scale.reference, scale.factor, doubles);
				doubleTaps.add(p, doubles, row, y0, y1);
			}
			else {
				readers[z + p].row(row, scale.reference, scale.factor, floats);
				floatTaps.add(p, floats, row, y0, y1);
			}
	}

	@Override
	public void finish(final int z, final int y, final double[] to) {
		if (inDouble) doubleTaps.finish(y, to);
		else floatTaps.finish(y, to);
	}

	@Override
	public double templateMean() {
		return mean;
	}

	@Override
	public double limit() {
		return limit;
	}

	@Override
	public double[] leastVariance() {
		return null;
	}
}
