package sc.fiji.ncc.cpu.window;

import java.util.function.BooleanSupplier;

import sc.fiji.ncc.cpu.fft.BlockSpectra;
import sc.fiji.ncc.cpu.tile.TileReader;
import sc.fiji.ncc.cpu.tile.TileScale;

/**
 * One way to the numerators {@code Σ P·T̂} of a tile for templates of one size, T̂ the zero-mean template, and how far they can be trusted.
 * Belongs to one thread. A tile is begun or resumed, then each template is selected; its rows of lags are finished in order, those of one z
 * before those of the next. Several templates are selected only after {@link #transform}.
 */
public interface Numerator {

	/**
	 * Starts a tile.
	 *
	 * @param planes its planes, read: for each z those of the template from there on
	 * @param scale how pixels become numbers
	 * @param stop polled often; true ends it with a CancellationException
	 */
	void begin(TileReader[] planes, TileScale scale, int lagsX, int lagsY, int lagsZ, BooleanSupplier stop);

	/**
	 * Transforms the tile just begun, for several templates or to be kept; its {@link #moments} are then there, before a template is selected.
	 *
	 * @param room spectra that are not needed any more; may be null
	 * @return null if there is nothing to keep: each template reads the pixels again
	 */
	default BlockSpectra transform(final BlockSpectra room) {
		return null;
	}

	/** Starts a tile that was transformed before, in place of {@link #begin}; its moments are not there. */
	default void resume(final BlockSpectra spectra, final int lagsX, final int lagsY, final int lagsZ, final BooleanSupplier stop) {
		throw new UnsupportedOperationException();
	}

	/** From here on the numerators of one of the templates are computed. */
	void select(int template);

	/** Row {@code row} of the planes from {@code z} on is reached; it serves the lags {@code y0..y1}. */
	void add(int z, int row, int y0, int y1);

	/**
	 * The numerators of a row of lags whose last row was added.
	 *
	 * @param room for a row
	 * @return where they are: there, or where they lay already, until the next row is finished
	 */
	float[] finish(int z, int y, float[] room);

	/** Writes the same, not rounded to float if they are not. */
	void finish(int z, int y, double[] to);

	/**
	 * The moments of the same windows, where the way to the numerators yields them: a tile begun here is begun there, rows need not be added, and they are finished once a
	 * template was selected.
	 * Null if it does not.
	 */
	default WindowMoments moments() {
		return null;
	}

	/** The greatest (μ - ref)²/σ² of a window at which the estimated error stays below the tolerance. */
	double limit();

	/** The same where only a share of the template's weight lies inside the image. */
	double partialLimit(double share);

	/** The least N·σ² that is not lost to underflow. */
	double floor();

	/** For each lag of the row just finished the least N·σ² at which the estimated error stays below the tolerance; null for none. */
	double[] leastVariance();
}
