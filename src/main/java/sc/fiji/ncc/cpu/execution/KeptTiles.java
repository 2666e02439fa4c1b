package sc.fiji.ncc.cpu.execution;

import java.util.Arrays;
import java.util.List;

import sc.fiji.ncc.plan.Execution.KeptPixels;
import sc.fiji.ncc.plan.LagBox;
import sc.fiji.ncc.plan.Pixels;

/** The data of an image that a {@link TiledExecution} keeps: all its tiles. */
final class KeptTiles implements KeptPixels {

	private final TiledExecution owner;
	private final List<TileGroup> groups;
	final Pixels in;
	private final LagBox lags;
	private final long bytes;
	/** Null after {@link #close}. */
	private volatile SharedTile[] tiles;

	/** @param tiles one for each tile of the submission */
	KeptTiles(final TiledExecution owner, final List<TileGroup> groups, final Pixels in, final LagBox lags, final long bytes,
		final SharedTile[] tiles)
	{
		this.owner = owner;
		this.groups = groups;
		this.in = in;
		this.lags = lags;
		this.bytes = bytes;
		this.tiles = tiles;
	}

	/**
	 * The tiles, for a submission.
	 *
	 * @throws IllegalArgumentException if the execution, the lags or the templates differ from those of this object
	 */
	SharedTile[] tiles(final TiledExecution execution, final List<TileGroup> current, final LagBox requested) {
		if (execution != owner) throw new IllegalArgumentException("these pixels were kept by another execution: keep them again");
		if (!Arrays.deepEquals(lags.origins(), requested.origins()) || !Arrays.equals(lags.size(), requested.size()))
			throw new IllegalArgumentException("these pixels were kept for other lags: keep them again");
		boolean alike = groups.size() == current.size();
		for (int g = 0; alike && g < current.size(); g++) alike = groups.get(g).alike(current.get(g));
		if (!alike) throw new IllegalArgumentException("these pixels were kept for templates of another size or mask: keep them again");
		final SharedTile[] t = tiles;
		if (t == null) throw new IllegalArgumentException("these kept pixels are closed");
		return t;
	}

	@Override
	public Pixels pixels() {
		return in;
	}

	@Override
	public long bytes() {
		return tiles == null ? 0 : bytes;
	}

	@Override
	public void close() {
		tiles = null;
	}
}
