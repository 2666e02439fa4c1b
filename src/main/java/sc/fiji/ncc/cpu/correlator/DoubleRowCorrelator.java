package sc.fiji.ncc.cpu.correlator;

import sc.fiji.ncc.loops.Vectors;

/** {@link FloatRowCorrelator} in double: half as fast, exact for sums of whole numbers up to 2^53. */
public interface DoubleRowCorrelator {

	/** Arguments as in {@link FloatRowCorrelator#of}. */
	static DoubleRowCorrelator of(final int width, final int height, final double[][] coefficients, final int maxLags) {
		return Vectors.USED ? new VectorDoubleCorrelator(width, height, coefficients, maxLags) : new ShiftedDoubleCorrelator(width, height, coefficients, maxLags);
	}

	void begin(int lags);

	void add(int plane, double[] row, int r, int y0, int y1);

	void finish(int y, double[] to);
}
