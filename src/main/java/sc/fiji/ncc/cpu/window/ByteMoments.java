package sc.fiji.ncc.cpu.window;

import sc.fiji.ncc.cpu.correlator.FloatRowCorrelator;
import sc.fiji.ncc.cpu.tile.TemplatePlanes;
import sc.fiji.ncc.loops.Rows;

/** {@link WeightedMoments} of 8-bit pixels about the middle of their range: exact in float, at half the cost. */
public final class ByteMoments extends StreamedMoments {

	/** The number of products of two centred 8-bit values whose sum is exact in float: each is at most 2^14. */
	public static final int EXACT_RUN = 1024;

	private final FloatRowCorrelator sums, energies;
	private final float[] values, squares;

	/** @param weights zeros and ones */
	public ByteMoments(final TemplatePlanes planes, final double[] weights, final int maxLags) {
		super(planes);
		final float[][] cut = planes.cut(Rows.toFloat(weights));
		sums = FloatRowCorrelator.exact(width, height, cut, EXACT_RUN, maxLags);
		energies = FloatRowCorrelator.exact(width, height, cut, EXACT_RUN, maxLags);
		values = new float[maxLags + width - 1];
		squares = new float[maxLags + width - 1];
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
}
