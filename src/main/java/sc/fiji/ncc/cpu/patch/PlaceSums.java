package sc.fiji.ncc.cpu.patch;

import java.util.Arrays;

/** The sums of a box of values over a window at each place where the window fits, by sums that slide along one dimension after the other. */
final class PlaceSums {

	/** The number of rows at once. */
	private static final int TOGETHER = 4;

	private PlaceSums() {}

	/**
	 * @param values of a box, x fastest
	 * @param squared whether the squares of the values are summed
	 * @param size its extents
	 * @param window the extents of the window
	 * @return one sum for each place, x fastest
	 */
	static double[] of(final double[] values, final boolean squared, final int[] size, final int[] window) {
		final int[] extents = size.clone();
		double[] sums = alongX(values, squared, extents, window[0]);
		extents[0] += 1 - window[0];
		for (int d = 1; d < 3; d++) {
			if (window[d] == 1) continue;
			sums = along(sums, extents, d, window[d]);
			extents[d] += 1 - window[d];
		}
		return sums;
	}

	private static double[] alongX(final double[] from, final boolean squared, final int[] size, final int window) {
		final int width = size[0], places = width - window + 1, rows = size[1] * size[2];
		final double[] to = new double[places * rows];
		final double[][] row = new double[TOGETHER][width];
		for (int r = 0; r < rows; r += TOGETHER) {
			final int n = Math.min(TOGETHER, rows - r);
			for (int k = 0; k < n; k++) {
				System.arraycopy(from, (r + k) * width, row[k], 0, width);
				if (squared) square(row[k]);
			}
			if (n == TOGETHER) slideFour(row, to, r * places, window, places);
			else for (int k = 0; k < n; k++) slide(row[k], to, (r + k) * places, window, places);
		}
		return to;
	}

	private static void square(final double[] row) {
		for (int i = 0; i < row.length; i++) row[i] *= row[i];
	}

	private static void slide(final double[] row, final double[] to, final int at, final int window, final int places) {
		double sum = 0;
		for (int i = 0; i < window; i++) sum += row[i];
		to[at] = sum;
		for (int x = 1; x < places; x++) to[at + x] = sum += row[x + window - 1] - row[x - 1];
	}

	/** Four rows: their sums do not wait for each other. */
	private static void slideFour(final double[][] rows, final double[] to, final int at, final int window, final int places) {
		final double[] a = rows[0], b = rows[1], c = rows[2], d = rows[3];
		double p = 0, q = 0, r = 0, s = 0;
		for (int i = 0; i < window; i++) {
			p += a[i];
			q += b[i];
			r += c[i];
			s += d[i];
		}
		for (int x = 0, i = at; x < places; x++, i++) {
			to[i] = p;
			to[i + places] = q;
			to[i + 2 * places] = r;
			to[i + 3 * places] = s;
			if (x == places - 1) break;
			p += a[x + window] - a[x];
			q += b[x + window] - b[x];
			r += c[x + window] - c[x];
			s += d[x + window] - d[x];
		}
	}

	/** Whole rows, or planes, at once. */
	private static double[] along(final double[] from, final int[] size, final int d, final int window) {
		final int inner = d == 1 ? size[0] : size[0] * size[1], outer = d == 1 ? size[2] : 1, places = size[d] - window + 1;
		final double[] to = new double[inner * places * outer], sum = new double[inner], next = new double[inner], last = new double[inner];
		for (int o = 0; o < outer; o++) {
			Arrays.fill(sum, 0);
			for (int k = 0; k < size[d]; k++) {
				final int at = (o * size[d] + k) * inner;
				// loops over arrays with one index are vectorised
				System.arraycopy(from, at, next, 0, inner);
				if (k >= window) {
					System.arraycopy(from, at - window * inner, last, 0, inner);
					subtract(next, last);
				}
				add(sum, next);
				if (k >= window - 1) System.arraycopy(sum, 0, to, (o * places + k - window + 1) * inner, inner);
			}
		}
		return to;
	}

	private static void add(final double[] to, final double[] more) {
		for (int i = 0; i < to.length; i++) to[i] += more[i];
	}

	private static void subtract(final double[] from, final double[] what) {
		for (int i = 0; i < from.length; i++) from[i] -= what[i];
	}

	/** The relative rounding error of a sum of squares, as a share of the largest sum: that of the additions of a sum, each in double. */
	static double error(final int[] size) {
		return 4 * 0x1p-53 * (size[0] + size[1] + size[2]);
	}
}
