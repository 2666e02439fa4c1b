package sc.fiji.ncc.cpu.window;

import sc.fiji.ncc.cpu.correlator.DoubleRowCorrelator;
import sc.fiji.ncc.cpu.correlator.RunCorrelator;
import sc.fiji.ncc.cpu.tile.TemplatePlanes;
import sc.fiji.ncc.loops.Rows;
import sc.fiji.ncc.numeric.Tolerance;

/** {@link WindowMoments} under a mask or weights, by direct sums in double. The errors are relative to the window itself. */
public final class WeightedMoments extends StreamedMoments implements WindowMoments.Error {

	private final DoubleRowCorrelator sums, energies;
	private final double[] values, squares;
	private final double limit;

	/** @param tolerance the tolerance of a response */
	public WeightedMoments(final TemplatePlanes planes, final double[] weights, final double tolerance, final int maxLags) {
		super(planes);
		// all additions may round in the same direction, by an eps of the whole where a heavy pixel comes first: the energy errs by K eps of N·(σ² + m²), and the
		// sum by K eps of N·√(σ² + m²). Half of the first and |m| times the second reach the response, over N·σ²
		limit = tolerance / ((16 + 1.5 * RunCorrelator.roundings(width, height, planes.cut(weights))) * Tolerance.EPS_DOUBLE);
		sums = RunCorrelator.fastest(width, height, planes.cut(weights), maxLags);
		energies = RunCorrelator.fastest(width, height, planes.cut(weights), maxLags);
		values = new double[maxLags + width - 1];
		squares = new double[maxLags + width - 1];
	}

	@Override
	void begin(final int z) {
		sums.begin(lags);
		energies.begin(lags);
	}

	@Override
	void add(final int z, final int row, final int y0, final int y1) {
		for (int p = 0; p < planes.count; p++) {
			readers[z + p].row(row, scale, values);
			Rows.square(values, squares, columns);
			sums.add(p, values, row, y0, y1);
			energies.add(p, squares, row, y0, y1);
		}
	}

	@Override
	void finish(final int z, final int y, final double[] sums, final double[] energies) {
		this.sums.finish(y, sums);
		this.energies.finish(y, energies);
	}

	@Override
	public Error error() {
		return this;
	}

	@Override
	public double limit() {
		return limit;
	}
}
