package sc.fiji.ncc.cpu.window;

import sc.fiji.ncc.cpu.tile.TemplatePlanes;
import sc.fiji.ncc.cpu.tile.TileInput;
import sc.fiji.ncc.cpu.tile.TileReader;
import sc.fiji.ncc.cpu.tile.TileScale;

/** {@link WindowMoments} in one pass over the rows of a tile: a row of lags needs the rows of pixels down to its windows' last one. */
abstract class StreamedMoments implements WindowMoments {

	final TemplatePlanes planes;
	final int width, height;
	private TileInput tile;
	TileReader[] readers;
	TileScale scale;
	/** The number of lags of a row, and of pixels. */
	int lags, columns;
	private int z, next;

	StreamedMoments(final TemplatePlanes planes) {
		this.planes = planes;
		width = planes.width;
		height = planes.height;
	}

	@Override
	public void begin(final TileInput tile) {
		this.tile = tile;
		readers = tile.planes();
		scale = tile.scale();
		lags = tile.lagsX();
		columns = lags + width - 1;
		z = -1;
	}

	@Override
	public final void row(final int z, final int y, final double[] sums, final double[] energies) {
		if (z != this.z) {
			this.z = z;
			next = 0;
			begin(z);
		}
		for (; next < y + height; next++) {
			tile.poll();
			add(z, next, Math.max(0, next - height + 1), Math.min(next, tile.lagsY() - 1));
		}
		finish(z, y, sums, energies);
	}

	/** Starts the lags of one z. */
	abstract void begin(int z);

	/** Adds row {@code row} of the planes from {@code z} on, for the lags {@code y0..y1}. */
	abstract void add(int z, int row, int y0, int y1);

	/** Writes the sums of a row of lags whose last row of pixels was added. */
	abstract void finish(int z, int y, double[] sums, double[] energies);
}
