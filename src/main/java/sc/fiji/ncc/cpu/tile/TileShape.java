package sc.fiji.ncc.cpu.tile;

import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Size;

/** How large the tiles of the direct way are: rows that stay in the first-level cache, bands high enough to share what they read. */
public final class TileShape {

	/** Lags along x: an accumulator and a shifted copy of a row fill 2 KiB each in float. */
	public static final int LAGS_X = 512;

	/** Lags along y below which the rows that neighbours share cost more than another thread brings. */
	private static final int LEAST_ROWS = 16;

	private TileShape() {}

	/** Lags of a tile of a signal, which has but one row: what is done once a tile then weighs less than that its rows stay in the second-level cache only. */
	private static final int LAGS_OF_SIGNAL = 2048;

	/** Lags along x, y and every further dimension, for templates of this shape. */
	public static int[] direct(final TemplatePlanes template) {
		final int[] lags = direct(template.height);
		if (template.size.dimensions() == 1) lags[0] = LAGS_OF_SIGNAL;
		return lags;
	}

	/** Lags along x, y and every further dimension, for a template that is {@code height} high. */
	public static int[] direct(final int height) {
		return new int[] { LAGS_X, Math.max(128, Math.min(512, 2 * height)), 1 };
	}

	/** The same for plain sums, which need less memory beside the rows: those of small kernels are longer, so that what is done once a row weighs less. */
	public static int[] sums(final int width, final int height) {
		return width + height <= 14 ? new int[] { 4 * LAGS_X, 128, 1 } : direct(height);
	}

	/** Of how many lags along x, y and every further dimension a tile is a multiple. */
	public static int[] unit() {
		return new int[] { 1, LEAST_ROWS, 1 };
	}

	/** Working memory of one thread, roughly. */
	public static long bytes(final Size template, final PixelType image) {
		final long w = template.get(0), h = template.get(1), planes = template.pixels() / (w * h);
		final long columns = LAGS_X + w, rows = direct((int) h)[1] + h;
		return columns * rows * planes * image.bytes + columns * h * 8 * 4 + LAGS_X * rows * 4 + template.pixels() * 24;
	}
}
