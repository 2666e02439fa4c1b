package sc.fiji.ncc.cpu.tile;

import java.util.Arrays;
import java.util.function.BooleanSupplier;

import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Pixels;

/** The pixels of a tile, read when they are first needed: the spectra of a kept tile often suffice. Belongs to one thread. */
public final class TilePixels {

	/** The readers of all channels, one channel after the other: {@link #perChannel} each. */
	public final TileReader[] readers;
	private final PixelType image;
	private final int channels, perChannel;
	private final TemplatePlanes planes;
	private Pixels in;
	private long[] lag;
	private int[] lags;
	private boolean loaded;

	/** @param maxLagsZ the maximum number of lags of a tile along z */
	public TilePixels(final TemplatePlanes planes, final PixelType image, final int channels, final int maxLagsZ) {
		this.planes = planes;
		this.image = image;
		this.channels = channels;
		perChannel = planes.count + maxLagsZ - 1;
		readers = new TileReader[channels * perChannel];
		for (int p = 0; p < readers.length; p++) readers[p] = new TileReader(image);
	}

	/**
	 * Starts a tile, without reading it.
	 *
	 * @param lags the number of lags along x, y and z
	 */
	public void begin(final Pixels in, final long[] lag, final int... lags) {
		this.in = in;
		this.lag = lag;
		this.lags = lags;
		loaded = false;
	}

	/** Reads the tile, unless this has been done. */
	public void load() {
		if (loaded) return;
		for (int c = 0; c < channels; c++) {
			final Pixels channel = channels == 1 ? in : in.channels().get(c);
			for (int p = 0; p < planes.count + lags[2] - 1; p++) {
				final long[] min = lag.clone();
				for (int d = 2; d < min.length; d++) min[d] += lags[2] > 1 ? p : planes.places[p][d];
				readers[c * perChannel + p].read(channel, min, lags[0] + planes.width - 1, lags[1] + planes.height - 1);
			}
		}
		loaded = true;
	}

	/** The scale of the pixels of the tile, which has been read. */
	public TileScale scale() {
		final TileReader[][] all = new TileReader[channels][];
		for (int c = 0; c < channels; c++) all[c] = Arrays.copyOfRange(readers, c * perChannel, c * perChannel + planes.count + lags[2] - 1);
		return TileScale.of(all, image);
	}

	/** Sets missing pixels to the reference of a scale, so that they become 0. */
	public void fill(final TileScale scale) {
		for (int p = 0; p < readers.length; p++)
			if (p % perChannel < planes.count + lags[2] - 1) readers[p].fill(scale.channel(p / perChannel).reference);
	}

	/** The scale of the pixels of one channel about 0. The tile has been read. */
	public TileScale aboutZero() {
		return TileScale.aboutZero(readers, planes.count + lags[2] - 1, image);
	}

	/** The planes of the template at lag {@code z} along z, channel after channel. Reads the tile, unless this has been done. */
	public TileReader[] planes(final int z) {
		load();
		final TileReader[] at = new TileReader[channels * planes.count];
		for (int c = 0; c < channels; c++) System.arraycopy(readers, c * perChannel + z, at, c * planes.count, planes.count);
		return at;
	}

	/** What the sums of the tile are computed from. Arguments as in {@link TileInput}. */
	public TileInput input(final TileScale scale, final FrameData frame, final BooleanSupplier stop) {
		return new TileInput(readers, scale, frame, lag, lags, stop);
	}

	/** The number of channels. */
	public int channels() {
		return channels;
	}

	/** The size of the image. */
	public long[] size() {
		return in.size();
	}

	/** Releases the image. */
	public void release() {
		in = null;
	}
}
