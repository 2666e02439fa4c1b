package sc.fiji.ncc.cpu.tile;

import java.util.Arrays;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;

/**
 * What the sums of a tile are computed from.
 *
 * @param planes the planes of the tile, channel after channel: those of the template for each z start there. They were read, unless kept
 *        spectra take their place
 * @param scale the scale of the pixels
 * @param frame the data that all tiles of the image share; null if there are none
 * @param lag the first lag of the tile, all dimensions; null if nothing depends on it
 * @param lags the number of lags along x, y and z
 * @param stop polled often; true ends the tile with a CancellationException
 */
public record TileInput(TileReader[] planes, TileScale scale, FrameData frame, long[] lag, int[] lags, BooleanSupplier stop) {

	/** A tile that does not depend on its place in the image. */
	public static TileInput of(final TileReader[] planes, final TileScale scale, final int[] lags, final BooleanSupplier stop) {
		return new TileInput(planes, scale, null, null, lags, stop);
	}

	public int lagsX() {
		return lags[0];
	}

	public int lagsY() {
		return lags[1];
	}

	public int lagsZ() {
		return lags[2];
	}

	/** The same tile in one of several channels. */
	public TileInput channel(final int channel, final int channels) {
		return channels == 1 ? this : new TileInput(channel(planes, channel, channels), scale.channel(channel), frame, lag, lags, stop);
	}

	/** The planes of one of several channels. */
	public static TileReader[] channel(final TileReader[] planes, final int channel, final int channels) {
		final int n = planes.length / channels;
		return channels == 1 ? planes : Arrays.copyOfRange(planes, channel * n, (channel + 1) * n);
	}

	/** @throws CancellationException if the tile is no longer wanted */
	public void poll() {
		if (stop.getAsBoolean()) throw new CancellationException("canceled");
	}
}
