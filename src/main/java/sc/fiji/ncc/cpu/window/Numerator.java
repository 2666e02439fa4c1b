package sc.fiji.ncc.cpu.window;

import sc.fiji.ncc.cpu.fft.BlockSpectra;
import sc.fiji.ncc.cpu.tile.TileInput;
import sc.fiji.ncc.estimate.NumeratorError;

/**
 * A method to compute the numerators {@code Σ P·T̂} of a tile for templates of one size, T̂ the zero-mean template. Belongs to one thread.
 * <p>
 * Three phases: a tile is started, and {@link #transform transformed} once if several templates use it; {@link #correlate} starts a template; {@link
 * #startRow} starts its rows of lags in order, all rows of one z before those of the next. {@link #floats} or {@link #doubles} gives the numerators of this
 * row, {@link #error} their error estimate. Each method computes in the phase that suits it: transforms in {@code correlate}, direct sums in {@code startRow}.
 */
public interface Numerator {

	/**
	 * Starts a tile.
	 *
	 * @param kept the spectra of the same tile from an earlier {@link #transform}: its pixels are then not needed, and its moments are not
	 *        available. Default: null
	 */
	void begin(TileInput tile, BlockSpectra kept);

	/**
	 * Computes what several templates share: the spectra of the tile, and the {@link #moments} if this method computes them.
	 *
	 * @param buffer spectra whose memory can be used again; may be null
	 * @return spectra that can be kept; null for a method without: each template reads the pixels again
	 */
	default BlockSpectra transform(final BlockSpectra buffer) {
		return null;
	}

	/** Starts a template. A method with transforms computes the numerators of the whole tile here. */
	void correlate(int template);

	/** Starts a row of lags. A direct method adds the products of the rows of pixels that its windows need. */
	void startRow(int z, int y);

	/**
	 * Returns the numerators of the row just started, and may compute them. One call for each row, of this method or of {@link #doubles}.
	 *
	 * @param buffer an array for a row
	 * @return the numerators, in {@code buffer} or in an array of this object; valid until the next row
	 */
	float[] floats(float[] buffer);

	/** Writes the same numerators in the precision in which they were computed. */
	void doubles(double[] to);

	/** The error estimate of the row just started. */
	NumeratorError error();

	/**
	 * The moments of the same windows for each channel, if this method computes them along with the numerators. They start with the tile, and can be used once
	 * a template was correlated or the tile was transformed. Default: null.
	 */
	default WindowMoments[] moments() {
		return null;
	}

	/** Releases what belongs to an image. */
	default void release() {}
}
