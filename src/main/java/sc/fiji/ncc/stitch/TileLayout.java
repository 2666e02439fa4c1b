package sc.fiji.ncc.stitch;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

import sc.fiji.ncc.plan.Size;

/**
 * Where the stage was sent for each tile.
 *
 * @param grid the grid in whose order the tiles are; null for none
 * @param pattern the pattern of names that have the columns and rows; null for none
 * @param overlap of neighbours, with a grid or a pattern
 * @param positions the positions from a file; null for none
 * @param positionsName the name of that file, for messages
 */
public record TileLayout(ScanGrid grid, TilePattern pattern, TileOverlap overlap, PositionsFile positions, String positionsName) {

	/** No positions: each tile is compared with each. */
	public static final TileLayout UNKNOWN = new TileLayout(null, null, null, null, null);

	/** @throws IllegalArgumentException if several of grid, pattern and file are given, or an overlap is missing */
	public TileLayout {
		if ((grid != null ? 1 : 0) + (pattern != null ? 1 : 0) + (positions != null ? 1 : 0) > 1) throw new IllegalArgumentException(
			"a grid, a pattern with {x} and {y}, and a file of positions say where tiles are: give one of them");
		if ((grid != null || pattern != null) && overlap == null) throw new IllegalArgumentException("tiles in a grid have an overlap: give it, as in 10% or 50");
		if (grid == null && pattern == null && overlap != null) throw new IllegalArgumentException("the overlap " + overlap
			+ " is that of a grid: give the grid, or leave out the overlap");
	}

	/**
	 * The tiles at their approximate positions.
	 *
	 * @param dimensions the number of spatial dimensions
	 * @throws IllegalArgumentException if the number of tiles is not that of the grid, tiles in a grid differ in size, or names are missing in the file
	 */
	public List<Tile> place(final List<Tile> tiles, final int dimensions) {
		final List<String> names = tiles.stream().map(Tile::name).toList();
		if (positions != null) {
			if (positions.dimensions() > dimensions) throw new IllegalArgumentException(positionsName + " has positions of " + positions.dimensions()
				+ " dimensions, and the tiles have " + dimensions + ": give x and y only");
			final List<double[]> all = positions.of(names, positionsName);
			return IntStream.range(0, tiles.size()).mapToObj(i -> all.get(i) == null ? tiles.get(i) : tiles.get(i).at(Arrays.copyOf(all.get(i), dimensions)))
				.toList();
		}
		if (overlap == null) return tiles;
		if (grid != null) grid.require(tiles.size());
		final long[] size = Arrays.copyOf(tiles.get(0).size(), dimensions);
		for (final Tile t : tiles) if (!Arrays.equals(Arrays.copyOf(t.size(), dimensions), size)) throw new IllegalArgumentException(t.name() + " is "
			+ Size.of(t.size()) + ", and " + names.get(0) + " is " + Size.of(tiles.get(0).size()) + ": tiles in a grid have one size; give a file of positions");
		final List<int[]> places = grid != null ? IntStream.range(0, tiles.size()).mapToObj(grid::place).toList() : pattern.places(names);
		return IntStream.range(0, tiles.size()).mapToObj(i -> tiles.get(i).at(overlap.position(places.get(i), size))).toList();
	}
}
