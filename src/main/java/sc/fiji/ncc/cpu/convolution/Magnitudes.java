package sc.fiji.ncc.cpu.convolution;

import java.util.Arrays;

import sc.fiji.ncc.cpu.tile.TileScale;
import sc.fiji.ncc.loops.Rows;
import sc.fiji.ncc.loops.VectorRows;
import sc.fiji.ncc.loops.Vectors;
import sc.fiji.ncc.plan.PixelType;

/** Tests whether the pixels of a tile, without a scale, suit sums in float: none is NaN or infinite, and neither sums nor products leave the range. */
final class Magnitudes {

	/** The minimum and maximum sum of magnitudes of a tile. Within them the rounding errors of subnormal floats are as small as all others. */
	private static final double MIN = 0x1p-40, MAX = 0x1p80;

	private final PixelType type;
	private final float[] columns;
	private boolean mustInspect;
	private double sum;

	/** @param maxPixels the maximum number of pixels of a row */
	Magnitudes(final PixelType type, final int maxPixels) {
		this.type = type;
		columns = Rows.floats(1, maxPixels)[0];
	}

	/** Starts a tile. */
	void begin(final TileScale scale) {
		// scaled pixels have been inspected
		mustInspect = !type.integer && scale.maxMagnitude != scale.maxMagnitude;
		Arrays.fill(columns, 0);
		sum = 0;
	}

	/** Whether the pixels of this tile must be inspected. */
	boolean mustInspect() {
		return mustInspect;
	}

	/** Whether a sum of products alone proves that pixels are not too small. {@code magnitude} is the sum of the coefficients' magnitudes. */
	static boolean evident(final float sum, final double magnitude) {
		return Math.abs(sum) >= 2 * MIN * magnitude;
	}

	/** Inspects {@code n} pixels of a row. */
	void add(final float[] row, final int n) {
		if (!mustInspect) return;
		if (Vectors.USED) sum += VectorRows.magnitude(row, n);
		else add(row, columns, n);
	}

	private static void add(final float[] row, final float[] columns, final int n) {
		for (int x = 0; x < n; x++) columns[x] += Math.abs(row[x]);
	}

	boolean moderate() {
		if (!mustInspect) return true;
		for (final float c : columns) sum += c;
		// a double that becomes 0 in float may not be 0
		return sum == 0 && type == PixelType.F32 || sum >= MIN && sum <= MAX;
	}
}
