package sc.fiji.ncc.cpu.correlator;

import java.util.Arrays;

import sc.fiji.ncc.loops.ProductRows;
import sc.fiji.ncc.loops.Rows;

/**
 * {@link FloatRowCorrelator} in plain Java. A row is copied once for each coefficient of a template row and shifted by its index, so that all arrays of
 * the inner loop share one index: C2 vectorises such loops ({@link ProductRows}). The copies of one group of coefficients are added to all rows of responses
 * that need them while they are in the first-level cache.
 */
final class ShiftedFloatCorrelator implements FloatRowCorrelator {

	private final int width, height, limit;
	private final float[][] coefficients;
	private final boolean[][] empty;
	/** The index at which each group of coefficients of a row begins. */
	private final int[] begins;
	private final float[][] shifted;
	private final float[][] sums;
	private final double[][] wide;
	private final int[] pending;
	private int lags;

	/** Arguments as in {@link FloatRowCorrelator#of}. */
	ShiftedFloatCorrelator(final int width, final int height, final float[][] coefficients, final int limit, final int maxLags) {
		this.width = width;
		this.height = height;
		this.coefficients = coefficients;
		this.limit = limit;
		empty = emptyRows(coefficients, width, height);
		begins = groups(width);
		final int copies = Math.min(ProductRows.MAX_KEPT, width);
		final float[][] memory = Rows.floats(copies + height, maxLags);
		shifted = Arrays.copyOf(memory, copies);
		sums = Arrays.copyOfRange(memory, copies, copies + height);
		wide = (long) width * height * coefficients.length > limit ? new double[height][maxLags] : null;
		pending = new int[height];
	}

	/** The groups of a row whose products are added up before they join the sum: the start of each, and the width. */
	static int[] groups(final int width) {
		return ProductRows.groups(width, ProductRows.MAX_KEPT);
	}

	private static boolean[][] emptyRows(final float[][] coefficients, final int width, final int height) {
		final boolean[][] empty = new boolean[coefficients.length][height];
		for (int p = 0; p < coefficients.length; p++)
			for (int j = 0; j < height; j++) {
				empty[p][j] = true;
				for (int i = 0; i < width; i++) empty[p][j] &= coefficients[p][j * width + i] == 0;
			}
		return empty;
	}

	@Override
	public void begin(final int lags) {
		this.lags = lags;
		for (int j = 0; j < height; j++) clear(j);
	}

	private void clear(final int slot) {
		Arrays.fill(sums[slot], 0, lags, 0);
		if (wide != null) Arrays.fill(wide[slot], 0, lags, 0);
		pending[slot] = 0;
	}

	@Override
	public void add(final int plane, final float[] row, final int r, final int y0, final int y1) {
		final float[] c = coefficients[plane];
		for (int g = 0; g < begins.length - 1; g++) {
			final int first = begins[g], n = begins[g + 1] - first;
			for (int s = 0; s < n; s++) System.arraycopy(row, first + s, shifted[s], 0, lags);
			for (int y = y0; y <= y1; y++) {
				final int j = r - y, slot = y % height;
				if (empty[plane][j]) continue;
				if (pending[slot] + n > limit) endRun(slot);
				pending[slot] += n;
				ProductRows.add(sums[slot], shifted, 0, c, j * width + first, n, lags);
			}
		}
	}

	private void endRun(final int slot) {
		final float[] from = sums[slot];
		final double[] to = wide[slot];
		for (int x = 0; x < lags; x++) to[x] += from[x];
		Arrays.fill(from, 0, lags, 0);
		pending[slot] = 0;
	}

	@Override
	public void finish(final int y, final float[] to, final int o) {
		final int slot = y % height;
		if (wide != null) {
			endRun(slot);
			Rows.toFloat(wide[slot], sums[slot], lags);
		}
		System.arraycopy(sums[slot], 0, to, o, lags);
		clear(slot);
	}

	/** Also clears the memory of row {@code y} for row {@code y + height}. */
	@Override
	public void finish(final int y, final double[] to) {
		final int slot = y % height;
		final float[] from = sums[slot];
		for (int x = 0; x < lags; x++) to[x] = from[x];
		if (wide != null) {
			final double[] more = wide[slot];
			for (int x = 0; x < lags; x++) to[x] += more[x];
		}
		clear(slot);
	}
}
