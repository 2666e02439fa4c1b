package sc.fiji.ncc.cpu.convolution;

import java.util.Arrays;

import sc.fiji.ncc.cpu.tile.TileScale;
import sc.fiji.ncc.loops.Rows;
import sc.fiji.ncc.loops.VectorRows;
import sc.fiji.ncc.loops.Vectors;
import sc.fiji.ncc.plan.PixelType;

/** Whether the pixels of a tile that are taken as they are suit sums in float: none is NaN or infinite, and neither sums nor products leave the range. */
final class Magnitudes {

	/** The least and the greatest sum of magnitudes of a tile: rounding errors of what is smaller than a normal float count as little as any other then. */
	private static final double LEAST = 0x1p-40, MOST = 0x1p80;

	private final PixelType type;
	private final float[] columns;
	private boolean looks;
	private double sum;

	/** @param most pixels of a row */
	Magnitudes(final PixelType type, final int most) {
		this.type = type;
		columns = Rows.floats(1, most)[0];
	}

	/** Starts a tile. */
	void begin(final TileScale scale) {
		// who scaled has looked
		looks = !type.integer && scale.maxMagnitude != scale.maxMagnitude;
		Arrays.fill(columns, 0);
		sum = 0;
	}

	/** Whether anybody has to look at the pixels of this tile. */
	boolean looks() {
		return looks;
	}

	/** Whether a sum of products alone shows that pixels are not too small, {@code magnitude} being the sum of the coefficients'. */
	static boolean evident(final float sum, final double magnitude) {
		return Math.abs(sum) >= 2 * LEAST * magnitude;
	}

	/** Looks at {@code n} pixels of a row. */
	void add(final float[] row, final int n) {
		if (!looks) return;
		if (Vectors.USED) sum += VectorRows.magnitude(row, n);
		else add(row, columns, n);
	}

	private static void add(final float[] row, final float[] columns, final int n) {
		for (int x = 0; x < n; x++) columns[x] += Math.abs(row[x]);
	}

	boolean moderate() {
		if (!looks) return true;
		for (final float c : columns) sum += c;
		// a double that is 0 in float may be none
		return sum == 0 && type == PixelType.F32 || sum >= LEAST && sum <= MOST;
	}
}
