package sc.fiji.ncc.cpu.window;

import java.util.function.BooleanSupplier;

import sc.fiji.ncc.cpu.correlator.FloatRowCorrelator;
import sc.fiji.ncc.cpu.tile.TemplatePlanes;
import sc.fiji.ncc.cpu.tile.TileReader;
import sc.fiji.ncc.cpu.tile.TileScale;
import sc.fiji.ncc.loops.Rows;

/** {@link WeightedMoments} of 8-bit pixels about the middle of their range: exact in float, at half the cost. */
public final class ByteMoments implements WindowMoments {

	/** The number of products of two centred 8-bit values whose sum is exact in float: each is at most 2^14. */
	public static final int EXACT_RUN = 1024;

	private final TemplatePlanes planes;
	private final FloatRowCorrelator sums, energies;
	private final float[] values, squares;
	private TileReader[] readers;
	private TileScale scale;
	private int columns;

	/** @param weights zeros and ones */
	public ByteMoments(final TemplatePlanes planes, final double[] weights, final int maxLags) {
		this.planes = planes;
		final float[][] cut = planes.cut(Rows.toFloat(weights));
		sums = FloatRowCorrelator.exact(planes.width, planes.height, cut, EXACT_RUN, maxLags);
		energies = FloatRowCorrelator.exact(planes.width, planes.height, cut, EXACT_RUN, maxLags);
		values = new float[maxLags + planes.width - 1];
		squares = new float[maxLags + planes.width - 1];
	}

	@Override
	public void begin(final TileReader[] readers, final TileScale scale, final int lagsX, final int lagsY, final int lagsZ,
		final BooleanSupplier stop)
	{
		this.readers = readers;
		this.scale = scale;
		columns = lagsX + planes.width - 1;
		sums.begin(lagsX);
		energies.begin(lagsX);
	}

	@Override
	public void add(final int z, final int row, final int y0, final int y1) {
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
}
