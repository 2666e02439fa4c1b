package sc.fiji.ncc.cpu.window;

import java.util.function.BooleanSupplier;

import sc.fiji.ncc.cpu.correlator.DoubleRowCorrelator;
import sc.fiji.ncc.cpu.correlator.RunCorrelator;
import sc.fiji.ncc.cpu.tile.TemplatePlanes;
import sc.fiji.ncc.cpu.tile.TileReader;
import sc.fiji.ncc.cpu.tile.TileScale;
import sc.fiji.ncc.loops.Rows;
import sc.fiji.ncc.numeric.Tolerance;

/** {@link WindowMoments} under a mask or weights, by direct sums in double. The errors are relative to the window itself. */
public final class WeightedMoments implements WindowMoments {

	private final TemplatePlanes planes;
	private final DoubleRowCorrelator sums, energies;
	private final double[] values, squares;
	private final double limit;
	private TileReader[] readers;
	private TileScale scale;
	private int columns, lagsX;
	private int z = -1;

	/** @param tolerance the tolerance of a response */
	public WeightedMoments(final TemplatePlanes planes, final double[] weights, final double tolerance, final int maxLags) {
		this.planes = planes;
		// all additions may round in the same direction, by an eps of the whole where a heavy pixel comes first: the energy errs by K eps of N·(σ² + m²), and the
		// sum by K eps of N·√(σ² + m²). Half of the first and |m| times the second reach the response, over N·σ²
		limit = tolerance / ((16 + 1.5 * RunCorrelator.roundings(planes.width, planes.height, planes.cut(weights))) * Tolerance.EPS_DOUBLE);
		sums = RunCorrelator.fastest(planes.width, planes.height, planes.cut(weights), maxLags);
		energies = RunCorrelator.fastest(planes.width, planes.height, planes.cut(weights), maxLags);
		values = new double[maxLags + planes.width - 1];
		squares = new double[maxLags + planes.width - 1];
	}

	@Override
	public void begin(final TileReader[] readers, final TileScale scale, final int lagsX, final int lagsY, final int lagsZ,
		final BooleanSupplier stop)
	{
		this.readers = readers;
		this.scale = scale;
		this.lagsX = lagsX;
		columns = lagsX + planes.width - 1;
		z = -1;
	}

	@Override
	public void add(final int z, final int row, final int y0, final int y1) {
		if (z != this.z) {
			sums.begin(lagsX);
			energies.begin(lagsX);
			this.z = z;
		}
		for (int p = 0; p < planes.count; p++) {
			readers[z + p].row(row, scale, values);
			Rows.square(values, squares, columns);
			sums.add(p, values, row, y0, y1);
			energies.add(p, squares, row, y0, y1);
		}
	}

	@Override
	public void finish(final int z, final int y, final double[] sums, final double[] energies) {
		this.sums.finish(y, sums);
		this.energies.finish(y, energies);
	}

	@Override
	public double floor() {
		return 0;
	}

	@Override
	public double limit() {
		return limit;
	}
}
