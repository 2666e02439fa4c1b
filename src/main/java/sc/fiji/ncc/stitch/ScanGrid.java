package sc.fiji.ncc.stitch;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import sc.fiji.ncc.plan.Given;

/**
 * The order in which a microscope records a grid of tiles.
 *
 * @param columns the number of columns
 * @param rows the number of rows
 * @param order which tile follows another one
 * @param start the corner of the first tile
 */
public record ScanGrid(int columns, int rows, Order order, Corner start) {

	private static final Pattern PLACES = Pattern.compile("(\\d{1,6})\\s*[xX]\\s*(\\d{1,6})");

	/** Which tile follows another one. */
	public enum Order {
		/** Row by row, each in the same direction. */
		ROWS,
		/** Column by column, each in the same direction. */
		COLUMNS,
		/** Row by row, every other row backwards. */
		SNAKE_ROWS,
		/** Column by column, every other column backwards. */
		SNAKE_COLUMNS;

		/** Such as {@code snake-rows}. */
		@Override
		public String toString() {
			return word(this);
		}
	}

	/** A corner of the grid. x points to the right, y down. */
	public enum Corner {
		TOP_LEFT, TOP_RIGHT, BOTTOM_LEFT, BOTTOM_RIGHT;

		/** Such as {@code top-left}. */
		@Override
		public String toString() {
			return word(this);
		}
	}

	/**
	 * Reads the number of columns and rows, as in {@code 5x4}.
	 *
	 * @throws IllegalArgumentException if the text is not two whole numbers
	 */
	public static ScanGrid of(final String text, final Order order, final Corner start) {
		final Matcher m = PLACES.matcher(text.trim());
		if (!m.matches()) throw new IllegalArgumentException("the grid '" + text + "' is not a number of columns and rows: give both, as in 5x4");
		return new ScanGrid(Integer.parseInt(m.group(1)), Integer.parseInt(m.group(2)), order, start);
	}

	public ScanGrid {
		Given.nonNull(order, "order");
		Given.nonNull(start, "corner");
		if (columns < 1 || rows < 1) throw new IllegalArgumentException("the grid is " + columns + "x" + rows + ": give at least one column and one row");
	}

	/** @throws IllegalArgumentException if there is not one tile for each place */
	public void require(final int tiles) {
		if (tiles != (long) columns * rows) throw new IllegalArgumentException("the grid of " + columns + "x" + rows + " has "
			+ (long) columns * rows + " places, and there are " + tiles + " tiles: give one tile for each place");
	}

	/** The column and the row of a tile, both from 0. */
	public int[] place(final int tile) {
		final boolean byRows = order == Order.ROWS || order == Order.SNAKE_ROWS, snake = order == Order.SNAKE_ROWS || order == Order.SNAKE_COLUMNS;
		final int line = byRows ? columns : rows, slow = tile / line;
		final int fast = snake && slow % 2 == 1 ? line - 1 - tile % line : tile % line;
		final int column = byRows ? fast : slow, row = byRows ? slow : fast;
		final boolean right = start == Corner.TOP_RIGHT || start == Corner.BOTTOM_RIGHT, bottom = start == Corner.BOTTOM_LEFT || start == Corner.BOTTOM_RIGHT;
		return new int[] { right ? columns - 1 - column : column, bottom ? rows - 1 - row : row };
	}

	private static String word(final Enum<?> value) {
		return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

	@Override
	public String toString() {
		return columns + "x" + rows + " " + order + " from " + start;
	}
}
