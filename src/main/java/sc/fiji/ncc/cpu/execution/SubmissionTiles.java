package sc.fiji.ncc.cpu.execution;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import sc.fiji.ncc.plan.support.Grouping;
import sc.fiji.ncc.plan.LagBox;

/** The tiles of one submission. Templates of a group that start at the same lag share their tiles. */
final class SubmissionTiles {

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

	/**
	 * @param threads the number of threads that should have work, if there are enough lags
	 * @param frames the number of images like this one
	 */
	SubmissionTiles(final List<TileGroup> groups, final LagBox lags, final int threads, final long frames) {
		final List<Part> found = new ArrayList<>();
		for (final TileGroup g : groups)
			for (final int[] members : Grouping.of(g.templates.length, (a, b) -> !g.method.oneByOne() && Arrays.equals(lags.origins()[g.templates[a]],
				lags.origins()[g.templates[b]])))
				found.add(new Part(g, members, lags.origins()[g.templates[members[0]]], null));
		final int each = threads(threads, found.size(), frames);
		int n = 0;
		for (final Part p : found) {
			final TileGrid grid = new TileGrid(lags.size(), p.group.method.maxLags, p.group.method.unit, each);
			parts.add(new Part(p.group, p.members, p.origin, grid));
			n = Math.addExact(n, grid.tiles);
		}
		tiles = n;
	}

	/** The number of threads that work on one part of one image, if they take several parts and images at once. */
	static int threads(final int threads, final int parts, final long frames) {
		final long things = frames == 1 ? parts : Math.max(1, parts * frames / 2);
		return (int) Math.max(1, (threads + things - 1) / things);
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
			for (int i = 0; i < p.grid.tiles; i++) bytes += p.group.method.sharedBytes(p.grid.size(i));
		return bytes;
	}
}
