package sc.fiji.ncc.cpu.correlator;

import sc.fiji.ncc.loops.Vectors;
import sc.fiji.ncc.numeric.RoundingBound;

/**
 * Correlates the rows of a tile, as they come, with the rows of a template: {@code sums[y][x] = Σ c[j][i]·row[y + j][x + i]} over all planes.
 * Rows come in order, each for all planes, and rows of responses are finished in order, each as soon as its last row was added.
 * <p>
 * Sums are taken in float over a limited number of taps and then added up in double: products of whole numbers stay exact that way, and the
 * rounding of long sums stays small. Cost: one multiply-add for each template pixel and lag.
 */
public interface FloatRowCorrelator {

	/** How many products are added up before they are added to a sum, which rounds it. */
	int AT_ONCE = Vectors.USED ? 1 : 4;

	/**
	 * @param width the template's width
	 * @param height its height
	 * @param taps its values, one array of {@code width·height} for each plane
	 * @param limit how many products are added up in float, at least 16
	 * @param maxLags the widest row of lags
	 */
	static FloatRowCorrelator of(final int width, final int height, final float[][] taps, final int limit, final int maxLags) {
		return Vectors.USED ? new VectorFloatCorrelator(width, height, taps, limit, maxLags)
			: new ShiftedFloatCorrelator(width, height, taps, limit, maxLags);
	}

	/**
	 * Of a kernel, for sums in float.
	 *
	 * @param taps its values, one array of {@code width·height} for each plane
	 * @param bound what the roundings of sums may amount to, in eps·max|pixel|·Σ|tap|
	 */
	static FloatRowCorrelator ofKernel(final int width, final int height, final float[][] taps, final double bound, final int maxLags) {
		if (!Vectors.USED) return new ShiftedKernelCorrelator(width, height, taps, bound, maxLags);
		final FloatRowCorrelator inFloat = VectorKernelCorrelator.of(width, height, taps, bound, maxLags);
		if (inFloat != null) return inFloat;
		final float[] all = new float[width * height * taps.length];
		for (int p = 0; p < taps.length; p++) System.arraycopy(taps[p], 0, all, p * width * height, width * height);
		return new VectorFloatCorrelator(width, height, taps, RoundingBound.longestRun(all, bound), maxLags);
	}

	/** How many rows beyond its last one a row of responses is finished after, if there are so many: several are computed together. */
	default int ahead() {
		return 0;
	}

	/** Starts a tile whose rows of responses are {@code lags} wide. */
	void begin(int lags);

	/**
	 * Adds row {@code r} of a plane to the responses {@code y0..y1}, which must be in flight: {@code r - height < y0}, {@code y1 <= r}.
	 *
	 * @param row at least {@code lags + width - 1} values
	 */
	void add(int plane, float[] row, int r, int y0, int y1);

	/** Writes the finished responses of row {@code y}. */
	void finish(int y, double[] to);

	/** As the other, rounded to float. */
	default void finish(final int y, final float[] to) {
		finish(y, to, 0);
	}

	/** As the other, to {@code to[o..]}. */
	void finish(int y, float[] to, int o);

	/** As the other; the responses of row {@code y + 1} may be written at once to {@code to[next..]}, unless that is negative: there are none. */
	default void finish(final int y, final float[] to, final int o, final int next) {
		finish(y, to, o);
	}

	/** Where row {@code r} of a plane may be read to and then be added from, which saves a copy of it; null if that is all the same. */
	default float[] room(final int plane, final int r) {
		return null;
	}

	/** Whether {@link #finite} tells if a sum was NaN or infinite. */
	default boolean noticesDefects() {
		return false;
	}

	/** Whether all sums since {@link #begin} were finite; nothing can be added after. */
	default boolean finite() {
		throw new UnsupportedOperationException();
	}
}
