package sc.fiji.ncc.cpu.correlator;

import java.util.Arrays;

import sc.fiji.ncc.loops.Fused;
import sc.fiji.ncc.loops.Rows;

/**
 * {@link FloatRowCorrelator} in plain Java. A row is copied once for each coefficient of a template row and shifted by its index, so that all arrays of
 * the inner loop share one index: C2 vectorises such loops. A row is added to all rows of responses that need it while the copies are in the first-level
 * cache.
 */
final class ShiftedFloatCorrelator implements FloatRowCorrelator {

	/** The number of shifted copies at a time: 16 rows of 512 floats fill 32 KiB. */
	private static final int CHUNK = 16;

	private final int width, height, limit;
	private final float[][] coefficients;
	private final boolean[][] empty;
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
		shifted = Rows.floats(Math.min(CHUNK, width), maxLags);
		sums = Rows.floats(height, maxLags);
		wide = (long) width * height * coefficients.length > limit ? new double[height][maxLags] : null;
		pending = new int[height];
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
		for (int i = 0; i < width; i += CHUNK) {
			final int n = Math.min(CHUNK, width - i);
			for (int s = 0; s < n; s++) System.arraycopy(row, i + s, shifted[s], 0, lags);
			for (int y = y0; y <= y1; y++) {
				final int j = r - y;
				if (empty[plane][j]) continue;
				final int slot = y % height;
				if (pending[slot] + n > limit) endRun(slot);
				pending[slot] += n;
				accumulate(sums[slot], c, j * width + i, n);
			}
		}
	}

	private void accumulate(final float[] sum, final float[] c, final int o, final int n) {
		int s = 0;
		for (; s + 4 <= n; s += 4)
			four(sum, shifted[s], shifted[s + 1], shifted[s + 2], shifted[s + 3], c[o + s], c[o + s + 1], c[o + s + 2], c[o + s + 3], lags);
		final int left = n - s;
		if (left == 3) three(sum, shifted[s], shifted[s + 1], shifted[s + 2], c[o + s], c[o + s + 1], c[o + s + 2], lags);
		else if (left == 2) two(sum, shifted[s], shifted[s + 1], c[o + s], c[o + s + 1], lags);
		else if (left == 1) one(sum, shifted[s], c[o + s], lags);
	}

	// keep these methods small: C2 does not vectorise them when they are inlined into a larger loop
	private static void four(final float[] sum, final float[] p, final float[] q, final float[] r, final float[] s, final float a,
		final float b, final float c, final float d, final int n)
	{
		for (int x = 0; x < n; x++) sum[x] += Fused.add(a, p[x], Fused.add(b, q[x], Fused.add(c, r[x], d * s[x])));
	}

	private static void three(final float[] sum, final float[] p, final float[] q, final float[] r, final float a, final float b,
		final float c, final int n)
	{
		for (int x = 0; x < n; x++) sum[x] += Fused.add(a, p[x], Fused.add(b, q[x], c * r[x]));
	}

	private static void two(final float[] sum, final float[] p, final float[] q, final float a, final float b, final int n) {
		for (int x = 0; x < n; x++) sum[x] += Fused.add(a, p[x], b * q[x]);
	}

	private static void one(final float[] sum, final float[] p, final float a, final int n) {
		for (int x = 0; x < n; x++) sum[x] = Fused.add(a, p[x], sum[x]);
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
