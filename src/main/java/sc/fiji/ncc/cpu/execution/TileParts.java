package sc.fiji.ncc.cpu.execution;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import sc.fiji.ncc.plan.Grouping;
import sc.fiji.ncc.plan.LagBox;

/** The tiles of one submission. Templates of a group that start at the same lag share their tiles. */
final class TileParts {

	/**
	 * Templates that share their tiles.
	 *
	 * @param members their indices in the group
	 * @param origin their first lag
	 */
	record Part(TileGroup group, int[] members, long[] origin, TileGrid grid) {}

	final List<Part> parts = new ArrayList<>();
	/** The number of tiles of all parts. */
	final int tiles;

	/** @param threads the number of threads that should have work, if there are enough lags */
	TileParts(final List<TileGroup> groups, final LagBox lags, final int threads) {
		final List<Part> found = new ArrayList<>();
		for (final TileGroup g : groups)
			for (final int[] members : Grouping.of(g.templates.length, (a, b) -> !g.method.oneByOne() && Arrays.equals(lags.origins()[g.templates[a]], lags.origins()[g.templates[b]])))
				found.add(new Part(g, members, lags.origins()[g.templates[members[0]]], null));
		final int wanted = wanted(threads, found.size());
		int n = 0;
		for (final Part p : found) {
			final TileGrid grid = new TileGrid(lags.size(), p.group.method, wanted);
			parts.add(new Part(p.group, p.members, p.origin, grid));
			n = Math.addExact(n, grid.tiles);
		}
		tiles = n;
	}

	/** The minimum number of tiles for each part, so that no thread waits long for the last one. */
	static int wanted(final int threads, final int parts) {
		return (4 * threads + parts - 1) / parts;
	}

	/** The part that contains a tile. */
	Part part(final int tile) {
		int p = 0, i = tile;
		while (i >= parts.get(p).grid.tiles) i -= parts.get(p++).grid.tiles;
		return parts.get(p);
	}

	/** The index of a tile in its part. */
	int inPart(final int tile) {
		int p = 0, i = tile;
		while (i >= parts.get(p).grid.tiles) i -= parts.get(p++).grid.tiles;
		return i;
	}

	/** The bytes needed to keep all tiles. */
	long sharedBytes() {
		long bytes = 0;
		for (final Part p : parts)
			for (int i = 0; i < p.grid.tiles; i++) bytes += p.group.method.sharedBytes(p.grid.size(p.grid.min(i)));
		return bytes;
	}
}
