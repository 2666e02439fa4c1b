package sc.fiji.ncc.cpu.window;

import sc.fiji.ncc.cpu.tile.TileInput;

/**
 * A method to compute {@code Σ w·P} and {@code Σ w·P²} of all windows of a tile. The variance of a window is the difference of both, so {@link
 * #error} estimates its error. Belongs to one thread.
 */
public interface WindowMoments {

	/** Starts a tile. */
	void begin(TileInput tile);

	/** Writes the sums of a row of lags. Rows come in order, all rows of one z before those of the next. */
	void row(int z, int y, double[] sums, double[] energies);

	/** The low-order parts of the sums of the row just computed: what rounding took away. Default: null, unknown. */
	default LowOrderParts lowOrderParts() {
		return null;
	}

	/** The error estimate of the row just computed. */
	default Error error() {
		return Error.NONE;
	}

	/** The rounding errors of sums and energies. */
	record LowOrderParts(double[] sums, double[] energies) {}

	/** The estimated error of variances, stated as the windows for which a response stays within the tolerance. Default: that of exact sums. */
	interface Error {

		Error NONE = new Error() {};

		/** The minimum N·σ² that is significant, given the rounding errors of all rows so far. */
		default double floor() {
			return 0;
		}

		/** The maximum μ²/σ² at which the estimated error stays below the tolerance, μ the mean about the reference. */
		default double limit() {
			return Double.POSITIVE_INFINITY;
		}

		/** The minimum N·σ² at which the estimated error stays below the tolerance, for each lag of the row. Default: null, none. */
		default double[] minVariance() {
			return null;
		}

		/** The same for lag {@code x}, where only a part of the template lies inside the image: pixels of this weight and weighted sum. */
		default double partialMinVariance(final int x, final double sum, final double weight) {
			return 0;
		}

		/** The estimated error of the sum at lag {@code x}, in tolerances. */
		default double sumError(final int x) {
			return 0;
		}
	}
}
