package sc.fiji.ncc.cpu.correlator;

import java.util.Arrays;

import sc.fiji.ncc.loops.ProductRows;
import sc.fiji.ncc.loops.Rows;

/** {@link DoubleRowCorrelator} in plain Java, by the method of {@link ShiftedFloatCorrelator}. */
final class ShiftedDoubleCorrelator implements DoubleRowCorrelator {

	/** The number of shifted copies at a time: 4 rows of 1024 doubles fill 32 KiB. */
	private static final int CHUNK = 4;

	private final int width, height;
	private final double[][] coefficients;
	private final double[][] shifted;
	private final double[][] sums;
	private int lags;

	/** Arguments as in {@link FloatRowCorrelator#of}. */
	ShiftedDoubleCorrelator(final int width, final int height, final double[][] coefficients, final int maxLags) {
		this.width = width;
		this.height = height;
		this.coefficients = coefficients;
		final int copies = Math.min(CHUNK, width);
		final double[][] memory = Rows.doubles(copies + height, maxLags);
		shifted = Arrays.copyOf(memory, copies);
		sums = Arrays.copyOfRange(memory, copies, copies + height);
	}

	/** The groups of a row whose products are added up before they join the sum, four or one: the start of each, and the width. */
	static int[] groups(final int width) {
		final int[] begins = new int[width / 4 + width % 4 + 1];
		for (int g = 0; g < begins.length; g++) begins[g] = Math.min(4 * g, width / 4 * 4 + g - width / 4);
		return begins;
	}

	@Override
	public void begin(final int lags) {
		this.lags = lags;
		for (int j = 0; j < height; j++) Arrays.fill(sums[j], 0, lags, 0);
	}

	@Override
	public void add(final int plane, final double[] row, final int r, final int y0, final int y1) {
		final double[] c = coefficients[plane];
		for (int i = 0; i < width; i += CHUNK) {
			final int n = Math.min(CHUNK, width - i);
			for (int s = 0; s < n; s++) System.arraycopy(row, i + s, shifted[s], 0, lags);
			for (int y = y0; y <= y1; y++) ProductRows.add(sums[y % height], shifted, 0, c, (r - y) * width + i, n, lags);
		}
	}

	@Override
	public void finish(final int y, final double[] to) {
		final double[] from = sums[y % height];
		System.arraycopy(from, 0, to, 0, lags);
		Arrays.fill(from, 0, lags, 0);
	}
}
