package sc.fiji.ncc.cpu.patch;

import java.util.Arrays;

/** The sums of a box of values over a window at each place where the window fits, by sums that slide along one dimension after the other. */
final class PlaceSums {

	private PlaceSums() {}

	/**
	 * @param values of a box, x fastest
	 * @param size its extents
	 * @param window the extents of the window
	 * @return one sum for each place, x fastest
	 */
	static double[] of(final double[] values, final int[] size, final int[] window) {
		double[] sums = values;
		final int[] extents = size.clone();
		for (int d = 0; d < 3; d++) {
			if (window[d] == 1) continue;
			sums = d == 0 ? alongX(sums, extents, window[0]) : along(sums, extents, d, window[d]);
			extents[d] += 1 - window[d];
		}
		return sums;
	}

	private static double[] alongX(final double[] from, final int[] size, final int window) {
		final int width = size[0], places = width - window + 1, rows = size[1] * size[2];
		final double[] to = new double[places * rows];
		for (int r = 0; r < rows; r++) slide(from, r * width, to, r * places, window, places);
		return to;
	}

	private static void slide(final double[] from, final int o, final double[] to, final int at, final int window, final int places) {
		double sum = 0;
		for (int i = 0; i < window; i++) sum += from[o + i];
		to[at] = sum;
		for (int x = 1; x < places; x++) to[at + x] = sum += from[o + x + window - 1] - from[o + x - 1];
	}

	/** Whole rows, or planes, at once. */
	private static double[] along(final double[] from, final int[] size, final int d, final int window) {
		final int inner = d == 1 ? size[0] : size[0] * size[1], outer = d == 1 ? size[2] : 1, places = size[d] - window + 1;
		final double[] to = new double[inner * places * outer], sum = new double[inner];
		for (int o = 0; o < outer; o++) {
			Arrays.fill(sum, 0);
			for (int k = 0; k < size[d]; k++) {
				final int in = (o * size[d] + k) * inner, out = in - window * inner;
				if (k < window) for (int i = 0; i < inner; i++) sum[i] += from[in + i];
				else for (int i = 0; i < inner; i++) sum[i] += from[in + i] - from[out + i];
				if (k >= window - 1) System.arraycopy(sum, 0, to, (o * places + k - window + 1) * inner, inner);
			}
		}
		return to;
	}

	/** The bound of the relative rounding error of a sum of squares, as a share of the largest sum: the number of additions of a sum, each in double. */
	static double error(final int[] size) {
		return 4 * 0x1p-53 * (size[0] + size[1] + size[2]);
	}
}
