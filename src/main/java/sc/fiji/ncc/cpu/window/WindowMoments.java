package sc.fiji.ncc.cpu.window;

import java.util.function.BooleanSupplier;

import sc.fiji.ncc.cpu.tile.TileReader;
import sc.fiji.ncc.cpu.tile.TileScale;

/**
 * One way to {@code Σ w·P} and {@code Σ w·P²} of all windows of a tile, and how far their difference can be trusted. Belongs to one thread; called as
 * {@link Numerator} is.
 */
public interface WindowMoments {

	/** Starts a tile; arguments as in {@link Numerator#begin}. */
	void begin(TileReader[] planes, TileScale scale, int lagsX, int lagsY, int lagsZ, BooleanSupplier stop);

	/** Row {@code row} of the planes from {@code z} on is reached; it serves the lags {@code y0..y1}. */
	void add(int z, int row, int y0, int y1);

	/** Writes the sums of a row of lags whose last row was added. */
	void finish(int z, int y, double[] sums, double[] energies);

	/** The least N·σ² that stands out of the rounding of what the rows so far were summed from. */
	double floor();

	/** For each lag of the row just finished the least N·σ² at which the estimated error of that stays below the tolerance; null if {@link #floor} is all. */
	default double[] leastVariance() {
		return null;
	}

	/** The same for lag {@code x}, where only a part of the template lies inside the image: pixels of this weight and weighted sum. */
	default double partialLeastVariance(final int x, final double sum, final double weight) {
		return 0;
	}

	/** The greatest (μ - ref)²/σ² at which the estimated error of variances that are differences of these sums stays below the tolerance. */
	default double limit() {
		return Double.POSITIVE_INFINITY;
	}

	/** What rounding took from the sums of the row just finished; null if it is not known. */
	default double[] sumRests() {
		return null;
	}

	/** What it took from the energies; null where {@link #sumRests} is. */
	default double[] energyRests() {
		return null;
	}

	/** The estimated error of the sum at lag {@code x} of the row just finished, in tolerances. */
	default double sumError(final int x) {
		return 0;
	}
}
