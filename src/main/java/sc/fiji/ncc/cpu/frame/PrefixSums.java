package sc.fiji.ncc.cpu.frame;

import java.util.Arrays;

/**
 * Sums of the deviations of a frame, and of their squares, over boxes: summed-area tables (Crow 1984, doi:10.1145/800031.808600) in double. The sums of 8- and
 * 16-bit integers are exact up to 2^53. Only the rows and planes at which a box can begin or end are kept: all of them, or few if the maximum shift is small. Immutable.
 */
final class PrefixSums {

	private final int width;
	/** For each place along y and z, 0 to the extent, the index of its row or plane; -1 if it is not kept. */
	private final int[] rowIndex, planeIndex;
	/** The sums and the sums of squares over the columns before x, the rows before y and the planes before z: plane, row, x. Null for z = 0. */
	private final double[][][] sums, squares;

	/**
	 * @param rows for each place along y, 0 to the extent, whether a box can begin or end there
	 * @param planes the same along z
	 */
	PrefixSums(final FramePixels frame, final boolean[] rows, final boolean[] planes) {
		width = frame.extent(0) + 1;
		final int height = frame.extent(1), depth = frame.extent(2);
		rowIndex = index(rows);
		planeIndex = index(planes);
		final int kept = count(rows), last = last(planes);
		sums = new double[count(planes)][][];
		squares = new double[sums.length][][];
		final double[][] allSums = new double[kept][width], allSquares = new double[kept][width];
		// the sums of each column over the rows so far
		final double[] s = new double[width - 1], q = new double[width - 1];
		for (int z = 0; z < depth; z++) {
			Arrays.fill(s, 0);
			Arrays.fill(q, 0);
			for (int y = 0; y < height; y++) {
				addRow(frame.deviations(), (z * height + y) * (width - 1), s, q);
				if (rowIndex[y + 1] < 0) continue;
				addPrefix(s, q, allSums[rowIndex[y + 1]], allSquares[rowIndex[y + 1]]);
			}
			if (planeIndex[z + 1] < 0) continue;
			sums[planeIndex[z + 1]] = z + 1 == last ? allSums : copy(allSums);
			squares[planeIndex[z + 1]] = z + 1 == last ? allSquares : copy(allSquares);
			if (z + 1 == last) return;
		}
	}

	/** The places at which boxes begin or end along a dimension, for all lags of a range: those of the fixed frame, or of the moving frame. */
	static boolean[] places(final LagRange range, final int d, final int fixed, final int moving, final boolean ofFixed) {
		final boolean[] places = new boolean[(ofFixed ? fixed : moving) + 1];
		for (int lag = range.min()[d]; lag <= range.max()[d]; lag++) {
			final int from = Math.max(0, -lag), until = Math.min(fixed, moving - lag);
			places[ofFixed ? from : from + lag] = true;
			places[ofFixed ? until : until + lag] = true;
		}
		return places;
	}

	private static int[] index(final boolean[] kept) {
		final int[] index = new int[kept.length];
		int n = 0;
		for (int i = 0; i < index.length; i++) index[i] = kept[i] ? n++ : -1;
		return index;
	}

	static int count(final boolean[] kept) {
		int n = 0;
		for (final boolean k : kept) n += k ? 1 : 0;
		return n;
	}

	private static int last(final boolean[] kept) {
		int last = kept.length - 1;
		while (!kept[last]) last--;
		return last;
	}

	private static void addRow(final float[] v, final int from, final double[] s, final double[] q) {
		for (int x = 0; x < s.length; x++) s[x] += v[from + x];
		for (int x = 0; x < s.length; x++) q[x] += (double) v[from + x] * v[from + x];
	}

	/** Adds the sums over the columns before x. */
	private static void addPrefix(final double[] s, final double[] q, final double[] sums, final double[] squares) {
		double sum = 0, square = 0;
		for (int x = 0; x < s.length; x++) {
			sum += s[x];
			square += q[x];
			sums[x + 1] += sum;
			squares[x + 1] += square;
		}
	}

	private static double[][] copy(final double[][] rows) {
		final double[][] copy = rows.clone();
		for (int i = 0; i < copy.length; i++) copy[i] = rows[i].clone();
		return copy;
	}

	/**
	 * The sums over the columns 0 to x of a box in y and z, for all x.
	 *
	 * @param sum receives the sums of the deviations; at least one more element than the frame's width
	 * @param square receives the sums of the squares
	 */
	void columns(final int fromY, final int untilY, final int fromZ, final int untilZ, final double[] sum, final double[] square) {
		columns(sums, fromY, untilY, fromZ, untilZ, sum);
		columns(squares, fromY, untilY, fromZ, untilZ, square);
	}

	private void columns(final double[][][] table, final int fromY, final int untilY, final int fromZ, final int untilZ, final double[] to) {
		final double[][] upper = table[planeIndex[untilZ]];
		difference(upper[rowIndex[untilY]], upper[rowIndex[fromY]], to);
		if (fromZ == 0) return;
		final double[][] lower = table[planeIndex[fromZ]];
		subtract(lower[rowIndex[untilY]], lower[rowIndex[fromY]], to);
	}

	private void difference(final double[] a, final double[] b, final double[] to) {
		for (int x = 0; x < width; x++) to[x] = a[x] - b[x];
	}

	private void subtract(final double[] a, final double[] b, final double[] to) {
		for (int x = 0; x < width; x++) to[x] -= a[x] - b[x];
	}
}
