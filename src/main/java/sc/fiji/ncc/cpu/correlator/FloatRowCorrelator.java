package sc.fiji.ncc.cpu.correlator;

import sc.fiji.ncc.loops.Vectors;
import sc.fiji.ncc.numeric.RoundingBound;

/**
 * Correlates the rows of a tile with the rows of a template: {@code sums[y][x] = Σ c[j][i]·row[y + j][x + i]} over all planes. Rows of the tile are added
 * in order, each for all planes. Rows of responses are finished in order, each as soon as its last row was added. Adding a row may only store it, and
 * finishing a row may then compute its sums.
 * <p>
 * Sums are taken in float over a limited number of coefficients and then added up in double, or in float if there are only two of
 * them: products of whole numbers stay exact, and the rounding error
 * of long sums stays small. Cost: one multiply-add for each template pixel and lag.
 */
public interface FloatRowCorrelator {

	/**
	 * @param width the template's width
	 * @param height the template's height
	 * @param coefficients its coefficients, one array of {@code width·height} for each plane
	 * @param limit the number of products that are added up in float, at least 16. A run may be a few rows longer: {@link SumOrder} gives its length
	 * @param maxLags the maximum number of lags in a row
	 */
	static FloatRowCorrelator of(final int width, final int height, final float[][] coefficients, final int limit, final int maxLags) {
		return Vectors.USED ? new VectorFloatCorrelator(width, height, coefficients, limit, false, maxLags)
			: new ShiftedFloatCorrelator(width, height, coefficients, limit, maxLags);
	}

	/** The same, but never more than {@code limit} products are added up in float: sums of that many whole numbers are exact. */
	static FloatRowCorrelator exact(final int width, final int height, final float[][] coefficients, final int limit, final int maxLags) {
		return Vectors.USED ? new VectorFloatCorrelator(width, height, coefficients, limit, true, maxLags)
			: new ShiftedFloatCorrelator(width, height, coefficients, limit, maxLags);
	}

	/**
	 * A correlator for a kernel, with sums in float.
	 *
	 * @param coefficients its values, one array of {@code width·height} for each plane
	 * @param bound the maximum rounding error of sums, in eps·max|pixel|·Σ|coefficient|
	 */
	static FloatRowCorrelator ofKernel(final int width, final int height, final float[][] coefficients, final double bound, final int maxLags) {
		if (!Vectors.USED) return new ShiftedKernelCorrelator(width, height, coefficients, bound, maxLags);
		final FloatRowCorrelator inFloat = VectorKernelCorrelator.of(width, height, coefficients, bound, maxLags);
		if (inFloat != null) return inFloat;
		final float[] all = new float[width * height * coefficients.length];
		for (int p = 0; p < coefficients.length; p++) System.arraycopy(coefficients[p], 0, all, p * width * height, width * height);
		return new VectorFloatCorrelator(width, height, coefficients, RoundingBound.longestRun(all, bound), true, maxLags);
	}

	/** The number of further rows, if there are so many, that must be added before a row of responses is finished: several rows are computed together. */
	default int ahead() {
		return 0;
	}

	/** Starts a tile whose rows of responses are {@code lags} wide. */
	void begin(int lags);

	/**
	 * Adds row {@code r} of a plane to the responses {@code y0..y1}, which must be in progress: {@code r - height < y0}, {@code y1 <= r}.
	 *
	 * @param row at least {@code lags + width - 1} values
	 */
	void add(int plane, float[] row, int r, int y0, int y1);

	/** Writes the responses of row {@code y}, whose last row was added. May compute them. */
	void finish(int y, double[] to);

	/** The same, rounded to float. */
	default void finish(final int y, final float[] to) {
		finish(y, to, 0);
	}

	/** The same, written to {@code to[o..]}. */
	void finish(int y, float[] to, int o);

	/**
	 * The same. The responses of row {@code y + 1} may be written at the same time to {@code to[next..]}. A negative {@code next} means that this row does
	 * not exist.
	 */
	default void finish(final int y, final float[] to, final int o, final int next) {
		finish(y, to, o);
	}

	/** An array into which row {@code r} of a plane can be read before it is added, which saves a copy. Null if it makes no difference. */
	default float[] buffer(final int plane, final int r) {
		return null;
	}

	/** Whether {@link #finite} reports NaN and infinite sums. */
	default boolean noticesNaN() {
		return false;
	}

	/** Whether all sums since {@link #begin} were finite. Nothing can be added after this call. */
	default boolean finite() {
		throw new UnsupportedOperationException();
	}
}
