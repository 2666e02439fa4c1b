package sc.fiji.ncc.cpu.window;

import java.util.function.BooleanSupplier;

import sc.fiji.ncc.cpu.tile.TileReader;
import sc.fiji.ncc.cpu.tile.TileScale;

/**
 * A method to compute {@code Σ w·P} and {@code Σ w·P²} of all windows of a tile, with an error estimate of the variances that are differences of both.
 * Belongs to one thread. The order of calls is that of {@link Numerator}.
 */
public interface WindowMoments {

	/** Starts a tile. Arguments as in {@link Numerator#begin}. */
	void begin(TileReader[] planes, TileScale scale, int lagsX, int lagsY, int lagsZ, BooleanSupplier stop);

	/** Adds row {@code row} of the planes from {@code z} on, for the lags {@code y0..y1}. */
	void add(int z, int row, int y0, int y1);

	/** Writes the sums of a row of lags whose last row was added. */
	void finish(int z, int y, double[] sums, double[] energies);

	/** The minimum N·σ² that is significant, given the rounding errors of all rows so far. */
	double floor();

	/**
	 * The minimum N·σ² at which the estimated error stays below the tolerance, for each lag of the row just finished. Null if {@link #floor} is the only
	 * limit.
	 */
	default double[] minVariance() {
		return null;
	}

	/** The same for lag {@code x}, where only a part of the template lies inside the image: pixels of this weight and weighted sum. */
	default double partialMinVariance(final int x, final double sum, final double weight) {
		return 0;
	}

	/** The maximum (μ - ref)²/σ² at which the estimated error of variances stays below the tolerance. */
	default double limit() {
		return Double.POSITIVE_INFINITY;
	}

	/** The rounding errors of the sums of the row just finished; null if they are unknown. */
	default double[] sumRests() {
		return null;
	}

	/** The rounding errors of the energies; null where {@link #sumRests} is null. */
	default double[] energyRests() {
		return null;
	}

	/** The estimated error of the sum at lag {@code x} of the row just finished, in tolerances. */
	default double sumError(final int x) {
		return 0;
	}
}
