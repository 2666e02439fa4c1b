package sc.fiji.ncc.cpu.tile;

import sc.fiji.ncc.loops.Vectors;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Size;

/** The size of the tiles of direct methods: their rows stay in the first-level cache, and they are high enough to share the rows that they read. */
public final class TileShape {

	/**
	 * The maximum number of lags along x: a row of 512 sums takes 2 KiB in float. The loops of plain Java have a scalar beginning and end, which take a
	 * third of the time in rows of 512.
	 */
	public static final int LAGS_X = Vectors.USED ? 512 : 1024;

	/** The minimum number of lags along y: below it, the rows that neighbouring tiles both read cost more than another thread saves. */
	private static final int MIN_ROWS = 16;

	private TileShape() {}

	/**
	 * The number of lags of a tile of a signal, which has only one row. It is larger because the fixed cost of a tile matters more than the rows' place in
	 * the first-level cache.
	 */
	private static final int LAGS_OF_SIGNAL = 2048;

	/** The lags of a tile along x, y and every further dimension, for templates of this shape. */
	public static int[] direct(final TemplatePlanes template) {
		final int[] lags = direct(template.height);
		if (template.size.dimensions() == 1) lags[0] = LAGS_OF_SIGNAL;
		return lags;
	}

	/** The lags of a tile along x, y and every further dimension, for a template of this height. */
	public static int[] direct(final int height) {
		return new int[] { LAGS_X, Math.max(128, Math.min(512, 2 * height)), 1 };
	}

	/**
	 * The same for plain sums, which need less memory besides the rows. Rows for small kernels are longer, because the fixed cost of a row matters more.
	 */
	public static int[] sums(final int width, final int height) {
		return new int[] { width + height <= 14 ? 2048 : 512, direct(height)[1], 1 };
	}

	/** The lags along x, y and every further dimension of which a tile is a multiple. */
	public static int[] unit() {
		return new int[] { 1, MIN_ROWS, 1 };
	}

	/** The approximate working memory of one thread, in bytes. */
	public static long bytes(final Size template, final PixelType image) {
		final long w = template.get(0), h = template.get(1), planes = template.pixels() / (w * h);
		final long columns = LAGS_X + w, rows = direct((int) h)[1] + h;
		return columns * rows * planes * image.bytes + columns * h * 8 * 4 + LAGS_X * rows * 4 + templateBytes(template);
	}

	/** The approximate memory of the values of a template, in bytes. */
	public static long templateBytes(final Size template) {
		return 24 * template.pixels();
	}
}
