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

	/** The extents of the other box, and the numbers of lags. */
	final int[] size, lags;
	/** The number of lags along x and y. */
	final int plane;

	PatchProducts(final int[] size, final int[] lags) {
		this.size = size;
		this.lags = lags;
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
		int before = 0;
		for (int z = patch.z; z < patch.z + patch.depth; z++)
			for (int y = patch.y; y < patch.y + patch.height; y++) {
				final int o = (z * extents[1] + y) * extents[0] + patch.x, first = (z * size[1] + y) * lags[0];
				// the last plane first: each moves to where the next one was
				for (int k = lags[2] - 1; k >= 0; k--) {
					final int step = k * size[1] * lags[0];
					if (y == patch.y && z == patch.z) clear(first + step);
					else move(before + step, first + step);
					add(first + step, a, o, patch.width);
				}
				before = first;
			}
		for (int k = 0; k < lags[2]; k++) get(before + k * size[1] * lags[0], to, k * plane);
	}

	/** A patch of pixels. */
	record Patch(int x, int y, int z, int width, int height, int depth) {}

	abstract void clear(int at);

	abstract void move(int from, int at);

	abstract void add(int at, double[] c, int o, int width);

	abstract void get(int at, double[] to, int o);

	/** The first index of the lags of a row of the copies. */
	private static void requireIndices(final int length) {
		if (length > LagRows.MAX_INDEX) throw new IllegalStateException("internal error: " + length + " lags of all rows of a tile");
	}

	/** Sums in double. */
	private static final class Wide extends PatchProducts {

		private final double[][] copies;
		private final double[] sums;

		Wide(final int[] size, final int[] lags) {
			super(size, lags);
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
		void clear(final int at) {
			Arrays.fill(sums, at, at + plane, 0);
		}

		@Override
		void move(final int from, final int at) {
			System.arraycopy(sums, from, sums, at, plane);
		}

		@Override
		void add(final int at, final double[] c, final int o, final int width) {
			LagRows.add(sums, at, at + plane, copies, c, o, width);
		}

		@Override
		void get(final int at, final double[] to, final int o) {
			System.arraycopy(sums, at, to, o, plane);
		}
	}

	/** Sums in float. */
	private static final class Narrow extends PatchProducts {

		private final float[][] copies;
		private final float[] sums;

		Narrow(final int[] size, final int[] lags) {
			super(size, lags);
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
		void clear(final int at) {
			Arrays.fill(sums, at, at + plane, 0);
		}

		@Override
		void move(final int from, final int at) {
			System.arraycopy(sums, from, sums, at, plane);
		}

		@Override
		void add(final int at, final double[] c, final int o, final int width) {
			LagRows.add(sums, at, at + plane, copies, c, o, width);
		}

		@Override
		void get(final int at, final double[] to, final int o) {
			for (int i = 0; i < plane; i++) to[o + i] = sums[at + i];
		}
	}
}
