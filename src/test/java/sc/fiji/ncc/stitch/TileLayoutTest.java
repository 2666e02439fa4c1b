package sc.fiji.ncc.stitch;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import net.imglib2.img.array.ArrayImgs;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.stitch.ScanGrid.Corner;
import sc.fiji.ncc.stitch.ScanGrid.Order;

/** Grids, patterns of names, overlaps and files say where tiles are. */
class TileLayoutTest {

	private static final TileOverlap TENTH = TileOverlap.of("10%");

	private static void refused(final String message, final Runnable call) {
		final String said = assertThrows(IllegalArgumentException.class, call::run, message).getMessage();
		assertTrue(said.contains(message) && !said.contains("\n"), said);
	}

	/** Each place has one tile. Lines go away from the corner; those of a snake go on where the last one ended, all others begin anew. */
	@Test
	void tilesOfAGridFollowEachOther() {
		for (final Order order : Order.values()) for (final Corner start : Corner.values()) {
			final ScanGrid grid = ScanGrid.of(" 4 X 3 ", order, start);
			final boolean rows = order.toString().endsWith("rows"), snake = order.toString().startsWith("snake"), right = start.toString().endsWith("right"),
				bottom = start.toString().startsWith("bottom");
			final int line = rows ? 4 : 3, along = rows ? 0 : 1;
			final int[] away = { right ? -1 : 1, bottom ? -1 : 1 };
			assertArrayEquals(new int[] { right ? 3 : 0, bottom ? 2 : 0 }, grid.place(0), order + " from " + start);
			final Set<List<Integer>> places = new HashSet<>();
			for (int i = 0; i < 12; i++) {
				final int[] at = grid.place(i);
				places.add(List.of(at[0], at[1]));
				assertTrue(at[0] >= 0 && at[0] < 4 && at[1] >= 0 && at[1] < 3);
				if (i == 0) continue;
				final int[] before = grid.place(i - 1), step = { at[0] - before[0], at[1] - before[1] };
				final boolean next = i % line == 0, back = snake && i / line % 2 == 1;
				assertEquals(next ? away[1 - along] : 0, step[1 - along], order + " from " + start + ", tile " + i);
				assertEquals(next ? snake ? 0 : (1 - line) * away[along] : (back ? -1 : 1) * away[along], step[along], order + " from " + start + ", tile " + i);
			}
			assertEquals(12, places.size());
		}
		refused("the grid '4' is not a number of columns and rows", () -> ScanGrid.of("4", Order.ROWS, Corner.TOP_LEFT));
		refused("at least one column", () -> new ScanGrid(0, 1, Order.ROWS, Corner.TOP_LEFT));
		refused("at least one column", () -> new ScanGrid(1, 0, Order.ROWS, Corner.TOP_LEFT));
		refused("the grid of 1x3 has 3 places, and there are 2 tiles", () -> new ScanGrid(1, 3, Order.ROWS, Corner.TOP_LEFT).require(2));
		new ScanGrid(1, 3, Order.ROWS, Corner.TOP_LEFT).require(3);
	}

	@Test
	void neighboursOverlapByTheOverlap() {
		assertEquals(20, TENTH.pixels(200), 1e-9);
		assertEquals(50, TileOverlap.of(" 50 ").pixels(200));
		assertEquals("10.0 %", TENTH.toString());
		assertEquals("50.0 pixels", TileOverlap.of("50").toString());
		for (final String text : new String[] { "0", "-1", "NaN", "0%", "100%", "-5 %" }) refused("give more than 0 and less than the whole tile",
			() -> TileOverlap.of(text));
		assertEquals(0.999, TileOverlap.of("99.9 %").amount(), 1e-12);
		for (final String text : new String[] { "", "%", "ten", "10 percent" }) refused("'" + text + "' is not an overlap", () -> TileOverlap.of(text));
		refused("a tile has 50 pixels", () -> TileOverlap.of("50").pixels(50));
		// the second tile of a row and the third row, with a depth
		assertArrayEquals(new double[] { 180, 2 * 90, 0 }, TENTH.position(new int[] { 1, 2 }, new long[] { 200, 100, 7 }), 1e-9);
	}

	@Test
	void namesHoldColumnsAndRows() {
		final TilePattern pattern = new TilePattern("t({y})_{x}.tif");
		assertArrayEquals(new int[] { 12, 7 }, pattern.place("t(007)_12.tif").orElseThrow());
		for (final String name : new String[] { "t7_12.tif", "t(7)_12.tiff", "xt(7)_12.tif", "t(7)_12xtif" }) assertTrue(pattern.place(name).isEmpty(), name);
		assertTrue(TilePattern.is("a{x}") && TilePattern.is("{y}b") && !TilePattern.is("a{z}"));
		for (final String text : new String[] { "a", "a{x}", "{x}{x}", "{x}{y}{x}" }) refused("does not hold {x} and {y} once", () -> new TilePattern(text));
		// the smallest numbers are the first column and row
		final List<int[]> places = pattern.places(List.of("f/t(3)_12.tif", "f/t(5)_11.tif"));
		assertArrayEquals(new int[] { 1, 0 }, places.get(0));
		assertArrayEquals(new int[] { 0, 2 }, places.get(1));
	}

	private static Tile tile(final String name, final long... size) {
		return Tile.of(name, ArrayImgs.bytes(size));
	}

	@Test
	void oneSourceOfPositions() {
		final List<Tile> tiles = List.of(tile("a_1_1.tif", 20, 10, 2), tile("a_2_1.tif", 20, 10, 2));
		final ScanGrid grid = new ScanGrid(2, 1, Order.ROWS, Corner.TOP_RIGHT);
		final TilePattern pattern = new TilePattern("a_{x}_{y}.tif");
		final PositionsFile file = new PositionsFile(2, Map.of("a_1_1.tif", new double[] { 3, 4 }, "a_2_1.tif", new double[] { 5, 6 }));
		assertSame(tiles, TileLayout.UNKNOWN.place(tiles, 2));
		final List<double[]> expected = List.of(new double[] { 18, 0 }, new double[] { 0, 0 }, new double[] { 0, 0 },
			new double[] { 18, 0 }, new double[] { 3, 4, 0 }, new double[] { 5, 6, 0 });
		final List<Tile> placed = IntStream.range(0, 3).boxed().flatMap(i -> new TileLayout(i == 0 ? grid : null, i == 1 ? pattern : null, i < 2 ? TENTH : null,
			i == 2 ? file : null, "f.csv").place(tiles, i < 2 ? 2 : 3).stream()).toList();
		for (int i = 0; i < 6; i++) {
			assertArrayEquals(expected.get(i), placed.get(i).position(), 1e-9, "tile " + i);
			assertEquals(tiles.get(i % 2).name(), placed.get(i).name());
		}
		for (int i = 0; i < 3; i++) {
			final boolean g = i != 0, p = i != 1, f = i != 2;
			refused("give one of them", () -> new TileLayout(g ? grid : null, p ? pattern : null, TENTH, f ? file : null, "f.csv"));
		}
		refused("tiles in a grid have an overlap", () -> new TileLayout(grid, null, null, null, null));
		refused("tiles in a grid have an overlap", () -> new TileLayout(null, pattern, null, null, null));
		refused("give the grid, or leave out the overlap", () -> new TileLayout(null, null, TENTH, null, null));
		refused("has 2 places, and there are 1 tiles", () -> new TileLayout(grid, null, TENTH, null, null).place(tiles.subList(0, 1), 2));
		refused("tiles in a grid have one size", () -> new TileLayout(grid, null, TENTH, null, null).place(List.of(tiles.get(0), tile("b", 20, 11, 2)), 2));
		assertEquals(2, new TileLayout(grid, null, TENTH, null, null).place(List.of(tiles.get(0), tile("b", 20, 10, 3)), 2).size(), "channels may differ");
		refused("f.csv has positions of 3 dimensions", () -> new TileLayout(null, null, null, new PositionsFile(3, Map.of()), "f.csv").place(tiles, 2));
	}

	/** NaN stands for an unknown position, and so does the comment of a tile that was not placed. */
	@Test
	void tilesInAFileCanLackAPosition() {
		for (final List<String> lines : List.of(List.of("tile,x,y,sigma_x", "a,NaN,NaN,NaN", "b,3,4,5"),
			List.of("dim = 2", "# not placed: a", "b; ; (3, 4)"))) {
			final PositionsFile file = PositionsFile.parse("p", lines);
			final List<Tile> tiles = Stream.of("a", "b").map(name -> Tile.of(name, ArrayImgs.bytes(9, 8), (double[]) null)).toList();
			final List<Tile> placed = new TileLayout(null, null, null, file, "p").place(tiles, 2);
			assertNull(placed.get(0).position());
			assertArrayEquals(new double[] { 3, 4 }, placed.get(1).position());
			refused("p has a position for b", () -> file.of(List.of("a"), "p"));
			assertEquals(1, file.of(List.of("b"), "p").size(), "a tile without a position can be left out");
		}
		refused("line 3 of p has a a second time", () -> PositionsFile.parse("p", List.of("file,x,y", "a,NaN,NaN", "a,1,2")));
		refused("p has no tile with a position", () -> PositionsFile.parse("p", List.of("file,x,y", "a,NaN,NaN")));
	}

	/** Heads, comments, dimensions, and what is wrong with a line. */
	@Test
	void filesOfPositions() {
		for (final List<String> lines : List.of(List.of("# dim", "dim = 2", "", "f/a.tif; ; (1, -2.5)", "b; ; (3,4)"), List.of("a.tif; ; (1, -2.5)", "b; ; (3,4)"),
			List.of("\uFEFFFile, X, Y", "f\\a.tif, 1,-2.5", "b,3,4"), List.of("tile,x,y,sigma", "a.tif,1,-2.5,?", "b,3,4")))
		{
			final PositionsFile file = PositionsFile.parse("p", lines);
			assertEquals(2, file.dimensions());
			assertEquals(List.of("a.tif", "b"), List.copyOf(file.positions().keySet()));
			assertArrayEquals(new double[] { 1, -2.5 }, file.positions().get("a.tif"));
			assertArrayEquals(new double[] { 3, 4 }, file.positions().get("b"));
		}
		for (final String head : new String[] { "file,x,y,z", "tile,x,y,Z,sigma", "dim = 3" }) {
			final PositionsFile file = PositionsFile.parse("p", List.of(head, head.startsWith("dim") ? "a; ; (1, 2, 3)" : "a,1,2,3" + (head.length() > 10 ? ",4" : "")));
			assertEquals(3, file.dimensions());
			assertArrayEquals(new double[] { 1, 2, 3 }, file.positions().get("a"), head);
		}
		refused("line 2 of p is 'a 1 2'", () -> PositionsFile.parse("p", List.of("dim = 2", "a 1 2")));
		refused("line 2 of p is ',1,2'", () -> PositionsFile.parse("p", List.of("file,x,y", ",1,2")));
		refused("line 2 of p has 3 numbers, and the others have 2", () -> PositionsFile.parse("p", List.of("a; ; (1, 2)", "b; ; (1, 2, 3)")));
		refused("line 2 of p has 1 number, and the others have 2", () -> PositionsFile.parse("p", List.of("tile,x,y", "a,1")));
		refused("line 2 of p has f/a a second time", () -> PositionsFile.parse("p", List.of("a; ; (1, 2)", "f/a; ; (1, 2)")));
		refused("line 1 of p says 4 dimensions", () -> PositionsFile.parse("p", List.of("dim = 4")));
		refused("line 1 of p says 1 dimensions", () -> PositionsFile.parse("p", List.of("a; ; (1)")));
		refused("line 1 of p says 999 dimensions", () -> PositionsFile.parse("p", List.of("dim = 12345678901")));
		refused("p has no tile", () -> PositionsFile.parse("p", List.of("# nothing", "dim = 2")));
		for (final String number : new String[] { "", "two", "NaN", "Infinity" }) refused("'" + number + "' in line 2 of p is not a number",
			() -> PositionsFile.parse("p", List.of("file,x,y", "a,1," + number)));
		assertFalse(PositionsFile.parse("p", List.of("a; ; (1, 2)")).positions().isEmpty());
	}
}
