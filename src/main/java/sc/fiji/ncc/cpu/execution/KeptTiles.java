package sc.fiji.ncc.cpu.execution;

import java.nio.Buffer;
import java.util.Arrays;
import java.util.List;

import sc.fiji.ncc.plan.KeptPixels;
import sc.fiji.ncc.plan.LagBox;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Pixels;

/** What a {@link TiledExecution} keeps of a picture: all its tiles. */
final class KeptTiles implements KeptPixels {

	private final TiledExecution owner;
	private final List<TileGroup> groups;
	final Pixels in;
	private final LagBox lags;
	private final long bytes;
	/** Null once closed. */
	private volatile SharedTile[] tiles;

	/** @param tiles one for each of the submission's */
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
	 * The tiles, if they serve a submission.
	 *
	 * @throws IllegalArgumentException if they do not
	 */
	SharedTile[] tiles(final TiledExecution execution, final List<TileGroup> now, final LagBox asked) {
		if (execution != owner) throw new IllegalArgumentException("these pixels were kept by another execution");
		if (!Arrays.deepEquals(lags.origins(), asked.origins()) || !Arrays.equals(lags.size(), asked.size()))
			throw new IllegalArgumentException("these pixels were kept for other lags");
		boolean alike = groups.size() == now.size();
		for (int g = 0; alike && g < now.size(); g++) alike = groups.get(g).alike(now.get(g));
		if (!alike) throw new IllegalArgumentException("these pixels were kept for templates of another size or mask");
		final SharedTile[] t = tiles;
		if (t == null) throw new IllegalArgumentException("what was kept of these pixels is closed");
		return t;
	}

	@Override
	public PixelType type() {
		return in.type();
	}

	@Override
	public long[] size() {
		return in.size();
	}

	@Override
	public boolean rowsAreQuick() {
		return in.rowsAreQuick();
	}

	@Override
	public void read(final long[] min, final int[] size, final Buffer to) {
		in.read(min, size, to);
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
