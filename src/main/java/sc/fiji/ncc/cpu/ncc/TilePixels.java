package sc.fiji.ncc.cpu.ncc;

import java.util.Arrays;

import sc.fiji.ncc.cpu.tile.TemplatePlanes;
import sc.fiji.ncc.cpu.tile.TileReader;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Pixels;

/** The pixels of a tile, read when they are first needed: the spectra of a kept tile often suffice. Belongs to one thread. */
final class TilePixels {

	final TileReader[] readers;
	private final TemplatePlanes planes;
	private Pixels in;
	private long[] lag;
	private int lagsX, lagsY, lagsZ;
	private boolean loaded;

	/** @param maxLagsZ the maximum number of lags of a tile along z */
	TilePixels(final TemplatePlanes planes, final PixelType image, final int maxLagsZ) {
		this.planes = planes;
		readers = new TileReader[planes.count + maxLagsZ - 1];
		for (int p = 0; p < readers.length; p++) readers[p] = new TileReader(image);
	}

	/** Starts a tile, without reading it. */
	void begin(final Pixels in, final long[] lag, final int lagsX, final int lagsY, final int lagsZ) {
		this.in = in;
		this.lag = lag;
		this.lagsX = lagsX;
		this.lagsY = lagsY;
		this.lagsZ = lagsZ;
		loaded = false;
	}

	/** Reads the tile, unless this has been done. */
	void load() {
		if (loaded) return;
		for (int p = 0; p < count(); p++) {
			final long[] min = lag.clone();
			for (int d = 2; d < min.length; d++) min[d] += lagsZ > 1 ? p : planes.places[p][d];
			readers[p].read(in, min, lagsX + planes.width - 1, lagsY + planes.height - 1);
		}
		loaded = true;
	}

	/** The number of planes of the tile. */
	int count() {
		return planes.count + lagsZ - 1;
	}

	/** The planes of the template at lag {@code z} along z. Reads the tile, unless this has been done. */
	TileReader[] planes(final int z) {
		load();
		return Arrays.copyOfRange(readers, z, z + planes.count);
	}

	/** The size of the image. */
	long[] size() {
		return in.size();
	}

	/** Releases the image. */
	void release() {
		in = null;
	}
}
