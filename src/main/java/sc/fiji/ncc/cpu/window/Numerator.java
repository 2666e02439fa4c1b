package sc.fiji.ncc.cpu.window;

import java.util.function.BooleanSupplier;

import sc.fiji.ncc.cpu.fft.BlockSpectra;
import sc.fiji.ncc.cpu.tile.TileReader;
import sc.fiji.ncc.cpu.tile.TileScale;

/**
 * A method to compute the numerators {@code Σ P·T̂} of a tile for templates of one size, T̂ the zero-mean template, with an error estimate. Belongs to one
 * thread.
 * <p>
 * Order of calls: {@link #begin} or {@link #resume} for a tile, {@link #select} for each template, then {@link #add} and {@link #finish} for its rows of
 * lags in order, all rows of one z before those of the next. Call {@link #transform} before several templates are selected.
 */
public interface Numerator {

	/**
	 * Announces a tile of an image whose tiles share data. Called before {@link #begin} and {@link #resume}.
	 *
	 * @param frame the data; null for methods whose tiles share none
	 * @param lag the first lag of the tile
	 */
	default void use(final FrameData frame, final long[] lag) {}

	/** The scale of the image that tiles share; null if each tile has its own. Default: null. */
	default TileScale scale() {
		return null;
	}

	/**
	 * Starts a tile.
	 *
	 * @param planes the planes of the tile, already read: those of the template for each z start there
	 * @param scale the scale of the pixels
	 * @param stop polled often; true ends the tile with a CancellationException
	 */
	void begin(TileReader[] planes, TileScale scale, int lagsX, int lagsY, int lagsZ, BooleanSupplier stop);

	/**
	 * Transforms the current tile, for several templates or to be kept. Its {@link #moments} are then available before a template is selected.
	 *
	 * @param room spectra whose memory can be used again; may be null
	 * @return null if there is nothing to keep: each template reads the pixels again
	 */
	default BlockSpectra transform(final BlockSpectra room) {
		return null;
	}

	/** Starts a tile from its spectra, in place of {@link #begin}. Its moments are not available. */
	default void resume(final BlockSpectra spectra, final int lagsX, final int lagsY, final int lagsZ, final BooleanSupplier stop) {
		throw new UnsupportedOperationException();
	}

	/** Selects the template for the following calls. */
	void select(int template);

	/** Adds row {@code row} of the planes from {@code z} on, for the lags {@code y0..y1}. */
	void add(int z, int row, int y0, int y1);

	/**
	 * The numerators of a row of lags whose last row was added.
	 *
	 * @param room an array for a row
	 * @return the numerators, in {@code room} or in an array of this object; valid until the next row is finished
	 */
	float[] finish(int z, int y, float[] room);

	/** Writes the same numerators in the precision in which they were computed. */
	void finish(int z, int y, double[] to);

	/**
	 * The moments of the same windows, if this method computes them along with the numerators. Default: null. A tile that begins here begins there, too.
	 * Its rows need not be added. The moments can be finished once a template was selected.
	 */
	default WindowMoments moments() {
		return null;
	}

	/** The {@link #moments} of each channel; null if this method does not compute them. */
	default WindowMoments[] channelMoments() {
		return moments() == null ? null : new WindowMoments[] { moments() };
	}

	/** The maximum (μ - ref)²/σ² of a window at which the estimated error stays below the tolerance. */
	double limit();

	/**
	 * The maximum of {@code (1 + m²/σ²)·(1 + μ²/τ²) - 1} where only a part of the template lies inside the image, μ and τ² the mean and variance of that
	 * part.
	 *
	 * @param share the part's share of the weight
	 * @param contrast the part's share of {@code N·τ²}
	 */
	double partialLimit(double share, double contrast);

	/**
	 * The same for a row.
	 *
	 * @param counts the weight of each part, and {@code n} that of the template
	 * @param variances N·τ² of each part, and {@code energy} that of the template
	 */
	default void partialLimits(final double[] counts, final double n, final double[] variances, final double energy, final double[] to, final int lags) {
		for (int x = 0; x < lags; x++) to[x] = partialLimit(counts[x] / n, variances[x] / energy);
	}

	/** The minimum N·σ² that is not lost to underflow. */
	double floor();

	/** The minimum N·σ² at which the estimated error stays below the tolerance, for each lag of the row just finished. Null for none. */
	double[] minVariance();
}
