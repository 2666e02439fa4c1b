package sc.fiji.ncc.cpu.correlator;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import sc.fiji.ncc.loops.Fused;
import sc.fiji.ncc.loops.Rows;
import sc.fiji.ncc.loops.Vectors;

/**
 * {@link DoubleRowCorrelator} for coefficients that are constant along parts of a row, such as those of a mask. A run of equal coefficients is cut into
 * pieces of 1, 2, 4, … pixels. A row of the image is summed once over as many pixels, so a piece costs as much as a single coefficient. Nothing is ever
 * subtracted, so the error is relative to the pixels of the window itself.
 */
public final class RunCorrelator implements DoubleRowCorrelator {

	/** The cost of a piece in coefficients of {@link DoubleRowCorrelator#of}: rows are copied for each piece, and vectors make a coefficient cheaper. */
	private static final double PIECE = Vectors.USED ? 8 : 3;

	private final int height;
	/** The pieces of each plane and row of the template. */
	private final Piece[][] pieces;
	/** The current row, summed over 1, 2, 4, … pixels. */
	private final double[][] runs;
	private final double[][] shifted;
	private final double[][] sums;
	private final int columns;
	private int lags;

	/** {@code 1 << level} pixels, from {@code offset} on, with one coefficient. */
	private record Piece(int level, int offset, double coefficient) {}

	private RunCorrelator(final int width, final int height, final Piece[][] pieces, final int maxLags) {
		this.height = height;
		this.pieces = pieces;
		columns = width - 1;
		int levels = 0;
		for (final Piece[] row : pieces)
			for (final Piece p : row) levels = Math.max(levels, p.level);
		runs = Rows.doubles(levels + 1, maxLags + width - 1);
		shifted = Rows.doubles(3, maxLags + width - 1);
		sums = Rows.doubles(height, maxLags);
	}

	/** A run correlator, or another correlator if that is faster. Arguments as in {@link FloatRowCorrelator#of}. */
	public static DoubleRowCorrelator fastest(final int width, final int height, final double[][] coefficients, final int maxLags) {
		final Piece[][] pieces = cut(width, height, coefficients);
		final boolean faster = cost(pieces) < (double) coefficients.length * width * height;
		return faster ? new RunCorrelator(width, height, pieces, maxLags) : DoubleRowCorrelator.of(width, height, coefficients, maxLags);
	}

	/** The cost of the faster correlator, in coefficients of {@link DoubleRowCorrelator#of}. */
	public static double cost(final int width, final int height, final double[][] coefficients) {
		return Math.min(cost(cut(width, height, coefficients)), (double) coefficients.length * width * height);
	}

	/** The roundings that a product undergoes at most in a sum of the faster correlator. */
	public static double roundings(final int width, final int height, final double[][] coefficients) {
		final Piece[][] pieces = cut(width, height, coefficients);
		// a piece of 2^k pixels is added up in k steps; three products are added up before they join the sum
		return cost(pieces) < (double) coefficients.length * width * height ? cost(pieces) / PIECE + Integer.SIZE : SumOrder.inDouble(width, height,
			coefficients.length).roundings();
	}

	private static double cost(final Piece[][] pieces) {
		double number = 0;
		for (final Piece[] row : pieces) number += row.length;
		return number * PIECE;
	}

	private static Piece[][] cut(final int width, final int height, final double[][] coefficients) {
		final Piece[][] pieces = new Piece[coefficients.length * height][];
		for (int i = 0; i < pieces.length; i++) pieces[i] = cut(coefficients[i / height], i % height * width, width);
		return pieces;
	}

	private static Piece[] cut(final double[] coefficients, final int o, final int width) {
		final List<Piece> pieces = new ArrayList<>();
		for (int x = 0, end; x < width; x = end) {
			for (end = x + 1; end < width && coefficients[o + end] == coefficients[o + x]; end++) {}
			if (coefficients[o + x] == 0) continue;
			for (int at = x, level; at < end; at += 1 << level) {
				level = 31 - Integer.numberOfLeadingZeros(end - at);
				pieces.add(new Piece(level, at, coefficients[o + x]));
			}
		}
		return pieces.toArray(Piece[]::new);
	}

	@Override
	public void begin(final int lags) {
		this.lags = lags;
		for (final double[] row : sums) Arrays.fill(row, 0, lags, 0);
	}

	@Override
	public void add(final int plane, final double[] row, final int r, final int y0, final int y1) {
		int n = lags + columns;
		System.arraycopy(row, 0, runs[0], 0, n);
		for (int k = 1; k < runs.length; k++) {
			final int half = 1 << k - 1;
			n -= half;
			System.arraycopy(runs[k - 1], half, shifted[0], 0, n);
			Rows.sum(runs[k - 1], shifted[0], runs[k], n);
		}
		for (int y = y0; y <= y1; y++) accumulate(sums[y % height], pieces[plane * height + r - y]);
	}

	private void accumulate(final double[] sum, final Piece[] row) {
		int i = 0;
		for (; i + 3 <= row.length; i += 3) {
			for (int s = 0; s < 3; s++) shift(row[i + s], shifted[s]);
			three(sum, row, i);
		}
		for (; i < row.length; i++) {
			shift(row[i], shifted[0]);
			one(sum, shifted[0], row[i].coefficient, lags);
		}
	}

	private void shift(final Piece piece, final double[] to) {
		System.arraycopy(runs[piece.level], piece.offset, to, 0, lags);
	}

	private void three(final double[] sum, final Piece[] row, final int i) {
		final double[] p = shifted[0], q = shifted[1], r = shifted[2];
		final double a = row[i].coefficient, b = row[i + 1].coefficient, c = row[i + 2].coefficient;
		final int n = lags;
		for (int x = 0; x < n; x++) sum[x] += Fused.add(a, p[x], Fused.add(b, q[x], c * r[x]));
	}

	private static void one(final double[] sum, final double[] p, final double a, final int n) {
		for (int x = 0; x < n; x++) sum[x] = Fused.add(a, p[x], sum[x]);
	}

	@Override
	public void finish(final int y, final double[] to) {
		final double[] from = sums[y % height];
		System.arraycopy(from, 0, to, 0, lags);
		Arrays.fill(from, 0, lags, 0);
	}
}
