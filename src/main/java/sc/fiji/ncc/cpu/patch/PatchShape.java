package sc.fiji.ncc.cpu.patch;

import sc.fiji.ncc.loops.LagRows;
import sc.fiji.ncc.plan.WindowPairs;
import sc.fiji.ncc.plan.window.PatchCuts;

/**
 * How the windows of a problem are cut into tiles, which one thread computes at once, and into patches. All arrays are along x, y and z.
 */
public final class PatchShape {

	/** The largest number of lags of a window. */
	public static final long MAX_LAGS = 1 << 24;
	/** The largest number of pixels of a window. */
	public static final long MAX_PIXELS = 1 << 28;
	/** The largest number of pixels of a patch: as many products of 8-bit pixels about the middle of their range are summed exactly in float. */
	private static final int PIXELS = 1024;
	/** The largest number of windows of a tile along each dimension, and the bytes of memory that a larger tile must not exceed. */
	private static final int[] MOST = { 32, 16, 4 };
	private static final double TILE_BYTES = 8e6;
	/** The number of tiles for each thread, so that all threads are busy until the end. */
	private static final int TILES_OF_THREAD = 4;

	final WindowPairs problem;
	final int[] window = new int[3], spacing = new int[3], lags = new int[3], shift = new int[3], count = new int[3];
	/** The number of windows of a tile. */
	final int[] tile = new int[3];
	/** The number of lags of a window, and of its pixels. */
	final int all, pixels;

	public PatchShape(final WindowPairs problem, final int threads) {
		this.problem = problem;
		for (int d = 0; d < 3; d++) {
			window[d] = Math.toIntExact(problem.window().get(d));
			spacing[d] = (int) Math.min(Integer.MAX_VALUE / 4, problem.spacing().get(d));
			lags[d] = Math.toIntExact(problem.lags().get(d));
			shift[d] = (lags[d] - 1) / 2;
			count[d] = Math.toIntExact(problem.count().get(d));
			tile[d] = Math.min(MOST[d], count[d]);
		}
		all = Math.toIntExact(problem.lags().pixels());
		pixels = Math.toIntExact(problem.window().pixels());
		for (int d = longest(1); d >= 0 && (bytes() > TILE_BYTES); d = longest(1)) tile[d] = (tile[d] + 1) / 2;
		for (int d = longest(4); d >= 0 && tiles() < TILES_OF_THREAD * threads && threads > 1; d = longest(4)) tile[d] = (tile[d] + 1) / 2;
		// tiles of nearly equal size
		for (int d = 0; d < 3; d++) tile[d] = (count[d] + along(d) - 1) / along(d);
	}

	/** The dimension with the most windows of a tile, if they are more than so many; else -1. */
	private int longest(final int than) {
		int longest = -1;
		for (int d = 0; d < 3; d++) if (tile[d] > than && (longest < 0 || tile[d] > tile[longest])) longest = d;
		return longest;
	}

	private int along(final int d) {
		return (count[d] + tile[d] - 1) / tile[d];
	}

	/** The number of tiles of a pair of frames. */
	public int tiles() {
		return along(0) * along(1) * along(2);
	}

	/** The first window of a tile, and its number of windows. */
	void tile(final int number, final int[] first, final int[] windows) {
		for (int d = 0, rest = number; d < 3; rest /= along(d++)) {
			first[d] = rest % along(d) * tile[d];
			windows[d] = Math.min(tile[d], count[d] - first[d]);
		}
	}

	/** The number of responses of a tile. */
	long responses(final int number) {
		final int[] first = new int[3], windows = new int[3];
		tile(number, first, windows);
		return (long) windows[0] * windows[1] * windows[2] * all;
	}

	/** The segments of a number of windows along a dimension. */
	PatchCuts cuts(final int d, final int windows) {
		return new PatchCuts(windows, window[d], spacing[d], longest()[d]);
	}

	/** The largest extents of a patch. */
	private int[] longest() {
		final int width = Math.min(PatchProducts.WIDTH, window[0]), depth = Math.min(8, window[2]);
		return new int[] { width, Math.max(1, PIXELS / (width * depth)), depth };
	}

	/** The largest number of pixels of a patch. */
	int patchPixels() {
		final int[] longest = longest();
		int n = 1;
		for (int d = 0; d < 3; d++) n *= Math.min(longest[d], window[d]);
		return n;
	}

	/** The extents of the pixels of the windows of a tile. */
	int extent(final int d, final int windows) {
		return (windows - 1) * spacing[d] + window[d];
	}

	/** The working memory of one thread. */
	public double bytes() {
		double fixed = 1, moving = 1;
		final int[] size = new int[3];
		for (int d = 0; d < 3; d++) {
			fixed *= extent(d, tile[d]);
			size[d] = extent(d, tile[d]) + lags[d] - 1;
			moving *= size[d];
		}
		final PatchCuts x = cuts(0, tile[0]), y = cuts(1, tile[1]), z = cuts(2, tile[2]);
		final double sums = (double) all * (y.count() * z.count() + (x.most() + 1.0) * tile[1] * tile[2] + 2);
		// with missing pixels, and with those that are not finite, there are several products of each patch
		final boolean several = problem.masked() || !problem.image().integer;
		return PatchProducts.bytes(size, lags) + 8 * (fixed * (several ? 4 : 2) + moving * (several ? 9 : 6) + sums * (several ? 7 : 1));
	}

	/** Whether the smallest tile has more numbers than an array, or than {@link LagRows} can index. */
	public boolean exceeds() {
		double rows = lags[0], pixels = 1, sums = all;
		for (int d = 0; d < 3; d++) {
			final double extent = extent(d, tile[d]) + lags[d] - 1.0;
			if (d > 0) rows *= extent;
			pixels *= extent;
		}
		return Math.max(rows, sums) > LagRows.MAX_INDEX || pixels > Integer.MAX_VALUE - 8;
	}

	/** The numbers of what a pair of frames costs. */
	public record Work(double products, double loops, double additions, double positions, double windows) {}

	/**
	 * The work of a pair of frames without missing pixels: multiply-adds, loops over the lags along x and y, additions of sums of patches,
	 * positions of windows, and windows.
	 */
	public Work work() {
		double products = all, loops = lags[2], additions = 0, positions = 1, windows = 1;
		for (int d = 0; d < 3; d++) {
			// a tile of a typical number of windows, times the number of such tiles
			final PatchCuts cuts = cuts(d, tile[d]);
			double extent = 0, groups = 0;
			for (final int e : cuts.extent) {
				extent += e;
				groups += Math.ceil(e / 8.0);
			}
			final double tiles = (double) count[d] / tile[d];
			products *= tiles * extent;
			loops *= tiles * (d == 0 ? groups : extent);
			additions += cuts.most();
			positions *= tiles * (extent(d, tile[d]) + lags[d] - 1);
			windows *= count[d];
		}
		return new Work(products, loops, additions * windows * all, positions, windows);
	}
}
