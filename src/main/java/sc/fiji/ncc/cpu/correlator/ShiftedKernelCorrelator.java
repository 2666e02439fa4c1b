package sc.fiji.ncc.cpu.correlator;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import sc.fiji.ncc.loops.ProductRows;
import sc.fiji.ncc.loops.Rows;
import sc.fiji.ncc.numeric.RoundingBound;

/**
 * {@link FloatRowCorrelator} for a kernel in plain Java. A row is copied once for each coefficient along x and shifted by its index, so that all arrays of
 * the inner loops share one index. It is added to all rows of sums that need it while the copies are in the first-level cache. Groups of coefficients that
 * are all 0 are skipped.
 */
final class ShiftedKernelCorrelator implements FloatRowCorrelator {

	/** The approximate number of shifted copies at a time: 16 rows of 512 floats fill 32 KiB. */
	private static final int CHUNK = 16;

	private final int width, height;
	private final float[][] coefficients;
	/** The index at which each group of coefficients along x begins. */
	private final int[] begins;
	/** Whether all coefficients of a group are 0: by plane, row of the kernel and group. */
	private final boolean[][][] empty;
	private final float[][] shifted;
	/** Whether one chunk holds all coefficients of a row. The row itself is then the first of its copies, which no further chunk overwrites. */
	private final boolean oneChunk;
	private final ProductRows sums;
	private int lags;

	/** Arguments as in {@link FloatRowCorrelator#ofKernel}. */
	ShiftedKernelCorrelator(final int width, final int height, final float[][] coefficients, final double bound, final int maxLags) {
		this.width = width;
		this.height = height;
		this.coefficients = coefficients;
		begins = ProductRows.groups(width, ProductRows.MAX_KEPT);
		empty = new boolean[coefficients.length][height][begins.length - 1];
		final List<float[]> groups = new ArrayList<>();
		for (int j = 0; j < height; j++)
			for (int p = 0; p < coefficients.length; p++)
				for (int g = 0; g < begins.length - 1; g++) {
					final float[] group = Arrays.copyOfRange(coefficients[p], j * width + begins[g], j * width + begins[g + 1]);
					empty[p][j][g] = true;
					for (final float c : group) empty[p][j][g] &= c == 0;
					if (!empty[p][j][g]) groups.add(group);
				}
		double magnitude = 0;
		for (final float[] group : groups)
			for (final float c : group) magnitude += Math.abs(c);
		final int run = Math.max(1, RoundingBound.longestRun(groups.toArray(float[][]::new), bound * magnitude));
		final int copies = Math.min(CHUNK + ProductRows.MAX_KEPT, width);
		oneChunk = begins[begins.length - 2] < CHUNK;
		final float[][] memory = Rows.floats(copies + ProductRows.memory(height, height, groups.size(), run), maxLags);
		shifted = Arrays.copyOf(memory, copies);
		if (oneChunk) shifted[0] = Rows.floats(1, maxLags + width - 1)[0];
		sums = new ProductRows(memory, copies, height, height, groups.size(), run, true);
	}

	@Override
	public void begin(final int lags) {
		this.lags = lags;
		sums.begin(lags);
	}

	@Override
	public float[] buffer(final int plane, final int r) {
		return oneChunk ? shifted[0] : null;
	}

	@Override
	public void add(final int plane, final float[] row, final int r, final int y0, final int y1) {
		for (int g = 0; g < begins.length - 1;) {
			final int first = begins[g], from = g;
			while (g < begins.length - 1 && begins[g] - first < CHUNK) g++;
			for (int s = row == shifted[0] ? 1 : 0; s < begins[g] - first; s++) System.arraycopy(row, first + s, shifted[s], 0, lags);
			for (int y = y0; y <= y1; y++) {
				final int j = r - y, slot = y % height;
				for (int k = from; k < g; k++)
					if (!empty[plane][j][k]) sums.add(slot, shifted, begins[k] - first, coefficients[plane], j * width + begins[k], begins[k + 1] - begins[k]);
			}
		}
	}

	@Override
	public boolean noticesNaN() {
		return true;
	}

	@Override
	public boolean finite() {
		return sums.finite();
	}

	@Override
	public void finish(final int y, final float[] to, final int o) {
		System.arraycopy(sums.finish(y % height), 0, to, o, lags);
	}

	/** Writes the sums, which are in float, as doubles. */
	@Override
	public void finish(final int y, final double[] to) {
		Rows.toDouble(sums.finish(y % height), to, lags);
	}
}
