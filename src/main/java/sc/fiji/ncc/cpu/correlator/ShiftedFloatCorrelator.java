package sc.fiji.ncc.cpu.correlator;

import java.util.Arrays;

import sc.fiji.ncc.loops.ProductRows;
import sc.fiji.ncc.loops.Rows;

/**
 * {@link FloatRowCorrelator} in plain Java. A row is copied once for each coefficient of a template row and shifted by its index, so that all arrays of
 * the inner loop share one index: C2 vectorises such loops ({@link ProductRows}). A row is added to all rows of responses that need it while the copies are in
 * the first-level cache.
 */
final class ShiftedFloatCorrelator implements FloatRowCorrelator {

	/** The number of groups of shifted copies at a time: 16 rows of 512 floats fill 32 KiB. */
	private static final int GROUPS = 2;

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
		final int copies = Math.min(GROUPS * ProductRows.MAX_KEPT, width);
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

	/** The groups of which all products join the same run: from {@code group} to the one that is returned, exclusive. */
	static int together(final int[] begins, final int group) {
		return Math.min(group + GROUPS, begins.length - 1);
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
		for (int g = 0, end; g < begins.length - 1; g = end) {
			end = together(begins, g);
			final int first = begins[g], n = begins[end] - first;
			for (int s = 0; s < n; s++) System.arraycopy(row, first + s, shifted[s], 0, lags);
			for (int y = y0; y <= y1; y++) {
				final int j = r - y;
				if (empty[plane][j]) continue;
				final int slot = y % height;
				if (pending[slot] + n > limit) endRun(slot);
				pending[slot] += n;
				for (int k = g; k < end; k++)
					ProductRows.add(sums[slot], shifted, begins[k] - first, c, j * width + begins[k], begins[k + 1] - begins[k], lags);
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
