package sc.fiji.ncc.cpu.patch;

import java.util.Arrays;

import sc.fiji.ncc.loops.LagRows;

/**
 * The sums of products of a patch of one box with another box at all lags: {@code Σ a(p)·b(p + lag)}. For each column of the patch there is
 * a copy of the other box, reduced to the lags along x, so that the lags along x and y are one range of indices: {@link LagRows} adds
 * several columns in one loop. A pixel of the patch one row below needs the range that begins one row later, so the sums move on with the
 * rows. Cost: a multiply-add for each pixel of the patch and each lag.
 */
abstract class PatchProducts {

	/** The largest width of a patch. */
	static final int WIDTH = 16;
	/** The bytes of copies that stay in a core's first cache while the rows of a patch are added. */
	private static final int CACHED = 32 << 10;

	/** The extents of the other box, and the numbers of lags. */
	final int[] size, lags;
	/** The number of lags along x and y. */
	private final int plane;
	/** The bytes of a sum. */
	private final int bytes;

	PatchProducts(final int[] size, final int[] lags, final int bytes) {
		this.size = size;
		this.lags = lags;
		this.bytes = bytes;
		plane = lags[0] * lags[1];
	}

	/**
	 * @param size the extents of the other box
	 * @param narrow whether sums are taken in float, in which they are exact
	 */
	static PatchProducts of(final int[] size, final int[] lags, final boolean narrow) {
		return narrow ? new Narrow(size, lags) : new Wide(size, lags);
	}

	/** The bytes of an object. */
	static double bytes(final int[] size, final int[] lags) {
		return 8.0 * (WIDTH + 1) * size[1] * size[2] * lags[0];
	}

	/** Copies the columns of the other box that a patch from {@code x} on needs. */
	abstract void load(double[] box, int x, int width);

	/**
	 * Sums the products of a patch whose columns are loaded.
	 *
	 * @param a the values of the box that contains the patch
	 * @param extents of that box
	 * @param patch the first pixel and the extents of the patch
	 * @param to receives the sums, x fastest
	 */
	final void sum(final double[] a, final int[] extents, final Patch patch, final double[] to) {
		final int height = Math.max(1, CACHED / (WIDTH * bytes * lags[0]));
		for (int k = 0; k < lags[2]; k++)
			for (int l = 0; l < lags[1]; l += height) {
				final int n = Math.min(height, lags[1] - l) * lags[0];
				int before = -1;
				for (int z = patch.z; z < patch.z + patch.depth; z++)
					for (int y = patch.y; y < patch.y + patch.height; y++) {
						final int at = ((z + k) * size[1] + y + l) * lags[0];
						if (before < 0) clear(at, n);
						else move(before, at, n);
						add(at, n, a, (z * extents[1] + y) * extents[0] + patch.x, patch.width);
						before = at;
					}
				get(before, n, to, k * plane + l * lags[0]);
			}
	}

	/** A patch of pixels. */
	record Patch(int x, int y, int z, int width, int height, int depth) {}

	abstract void clear(int at, int n);

	abstract void move(int from, int at, int n);

	abstract void add(int at, int n, double[] c, int o, int width);

	abstract void get(int at, int n, double[] to, int o);

	/** Requires that loops can index all lags of the rows of a copy. */
	private static void requireIndices(final int length) {
		if (length > LagRows.MAX_INDEX) throw new IllegalStateException("internal error: " + length + " lags of all rows of a tile");
	}

	/** Sums in double. */
	private static final class Wide extends PatchProducts {

		private final double[][] copies;
		private final double[] sums;

		Wide(final int[] size, final int[] lags) {
			super(size, lags, Double.BYTES);
			sums = new double[size[1] * size[2] * lags[0]];
			requireIndices(sums.length);
			copies = new double[WIDTH][sums.length];
		}

		@Override
		void load(final double[] box, final int x, final int width) {
			final int n = lags[0], rows = size[1] * size[2];
			for (int r = 0; r < rows; r++) System.arraycopy(box, r * size[0] + x, copies[0], r * n, n);
			for (int i = 1; i < width; i++) {
				// one pixel further: only the last lag of each row is new
				System.arraycopy(copies[i - 1], 1, copies[i], 0, sums.length - 1);
				last(copies[i], box, x + i + n - 1);
			}
		}

		private void last(final double[] copy, final double[] box, final int x) {
			for (int to = lags[0] - 1, from = x; to < copy.length; to += lags[0], from += size[0]) copy[to] = box[from];
		}

		@Override
		void clear(final int at, final int n) {
			Arrays.fill(sums, at, at + n, 0);
		}

		@Override
		void move(final int from, final int at, final int n) {
			System.arraycopy(sums, from, sums, at, n);
		}

		@Override
		void add(final int at, final int n, final double[] c, final int o, final int width) {
			LagRows.add(sums, at, at + n, copies, c, o, width);
		}

		@Override
		void get(final int at, final int n, final double[] to, final int o) {
			System.arraycopy(sums, at, to, o, n);
		}
	}

	/** Sums in float. */
	private static final class Narrow extends PatchProducts {

		private final float[][] copies;
		private final float[] sums;

		Narrow(final int[] size, final int[] lags) {
			super(size, lags, Float.BYTES);
			sums = new float[size[1] * size[2] * lags[0]];
			requireIndices(sums.length);
			copies = new float[WIDTH][sums.length];
		}

		@Override
		void load(final double[] box, final int x, final int width) {
			final int n = lags[0], rows = size[1] * size[2];
			final float[] first = copies[0];
			for (int r = 0; r < rows; r++) for (int i = 0; i < n; i++) first[r * n + i] = (float) box[r * size[0] + x + i];
			for (int i = 1; i < width; i++) {
				// one pixel further: only the last lag of each row is new
				System.arraycopy(copies[i - 1], 1, copies[i], 0, sums.length - 1);
				last(copies[i], box, x + i + n - 1);
			}
		}

		private void last(final float[] copy, final double[] box, final int x) {
			for (int to = lags[0] - 1, from = x; to < copy.length; to += lags[0], from += size[0]) copy[to] = (float) box[from];
		}

		@Override
		void clear(final int at, final int n) {
			Arrays.fill(sums, at, at + n, 0);
		}

		@Override
		void move(final int from, final int at, final int n) {
			System.arraycopy(sums, from, sums, at, n);
		}

		@Override
		void add(final int at, final int n, final double[] c, final int o, final int width) {
			LagRows.add(sums, at, at + n, copies, c, o, width);
		}

		@Override
		void get(final int at, final int n, final double[] to, final int o) {
			for (int i = 0; i < n; i++) to[o + i] = sums[at + i];
		}
	}
}
