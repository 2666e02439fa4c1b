package sc.fiji.ncc.register.correct;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.ShortBuffer;

import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.support.Buffers;

/**
 * Interpolates a box of pixels along up to three dimensions, row by row, in double. Shifted copies of a row are mixed in arrays with one index, because C2 vectorises only
 * such loops.
 */
public final class RowInterpolation {

	private final Buffer pixels;
	private final boolean unsigned;
	private final int[] block, size;
	private final double[][] weights, lines, parts;

	/**
	 * @param pixels the pixels around the box, x fastest: along each dimension as many more than the box has as there are weights after the first
	 * @param block the extents of these pixels
	 * @param size the extents of the box
	 * @param weights the weights along each dimension: 1, or an even number of them
	 */
	private RowInterpolation(final Buffer pixels, final boolean unsigned, final int[] block, final int[] size, final double[][] weights) {
		this.pixels = pixels;
		this.unsigned = unsigned;
		this.block = block;
		this.size = size;
		this.weights = weights;
		lines = new double[count(1)][block[0]];
		parts = new double[Math.max(count(0), count(2))][block[0]];
	}

	/** @return the pixels of the box, x fastest, in an array of the primitive type of {@link PixelType#allocate} */
	static Object box(final Buffer pixels, final PixelType type, final int[] block, final int[] size, final double[][] weights) {
		int n = 1;
		for (final int s : size) n = Math.multiplyExact(n, s);
		final Object to = type.allocate(n).array();
		new RowInterpolation(pixels, type.min == 0, block, size, weights).fill(type, to);
		return to;
	}

	private int count(final int d) {
		return d < weights.length ? weights[d].length : 1;
	}

	private static int extent(final int[] extents, final int d) {
		return d < extents.length ? extents[d] : 1;
	}

	private void fill(final PixelType type, final Object to) {
		final double[] column = new double[block[0]], row = new double[size[0]];
		for (int z = 0, at = 0; z < extent(size, 2); z++) {
			for (int y = 0; y < count(1) - 1; y++) load(y, z);
			for (int y = 0; y < extent(size, 1); y++, at += size[0]) {
				load(y + count(1) - 1, z);
				mix(lines, y, count(1) == 1 ? null : weights[1], column, block[0]);
				for (int k = 0; k < count(0); k++) System.arraycopy(column, k, parts[k], 0, size[0]);
				mix(parts, 0, count(0) == 1 ? null : weights[0], row, size[0]);
				Buffers.narrow(row, type, to, at);
			}
		}
	}

	/** Reads a row, mixed along z. */
	private void load(final int y, final int z) {
		final double[] line = lines[y % count(1)];
		final int height = extent(block, 1);
		if (count(2) == 1) {
			read(pixels, unsigned, (z * height + y) * block[0], line, block[0]);
			return;
		}
		for (int k = 0; k < count(2); k++) read(pixels, unsigned, ((z + k) * height + y) * block[0], parts[k], block[0]);
		mix(parts, 0, weights[2], line, block[0]);
	}

	/** Reads pixels as values. */
	public static void read(final Buffer pixels, final boolean unsigned, final int at, final double[] to, final int n) {
		if (pixels instanceof ByteBuffer) {
			final byte[] a = ((ByteBuffer) pixels).array();
			if (unsigned) for (int i = 0; i < n; i++) to[i] = a[at + i] & 0xff;
			else for (int i = 0; i < n; i++) to[i] = a[at + i];
		}
		else if (pixels instanceof ShortBuffer) {
			final short[] a = ((ShortBuffer) pixels).array();
			if (unsigned) for (int i = 0; i < n; i++) to[i] = a[at + i] & 0xffff;
			else for (int i = 0; i < n; i++) to[i] = a[at + i];
		}
		else if (pixels instanceof IntBuffer) {
			final int[] a = ((IntBuffer) pixels).array();
			if (unsigned) for (int i = 0; i < n; i++) to[i] = a[at + i] & 0xffffffffL;
			else for (int i = 0; i < n; i++) to[i] = a[at + i];
		}
		else if (pixels instanceof FloatBuffer) {
			final float[] a = ((FloatBuffer) pixels).array();
			for (int i = 0; i < n; i++) to[i] = a[at + i];
		}
		else System.arraycopy(((DoubleBuffer) pixels).array(), at, to, 0, n);
	}

	/** {@code to = Σ weights[i]·rows[(first + i) mod n]}, without weights the first row. */
	private static void mix(final double[][] rows, final int first, final double[] weights, final double[] to, final int n) {
		if (weights == null) {
			System.arraycopy(rows[0], 0, to, 0, n);
			return;
		}
		final int all = weights.length;
		two(rows[first % all], rows[(first + 1) % all], weights[0], weights[1], to, n);
		for (int i = 2; i < all; i += 2) addTwo(rows[(first + i) % all], rows[(first + i + 1) % all], weights[i], weights[i + 1], to, n);
	}

	private static void two(final double[] a, final double[] b, final double u, final double v, final double[] to, final int n) {
		for (int k = 0; k < n; k++) to[k] = u * a[k] + v * b[k];
	}

	private static void addTwo(final double[] a, final double[] b, final double u, final double v, final double[] to, final int n) {
		for (int k = 0; k < n; k++) to[k] = to[k] + u * a[k] + v * b[k];
	}
}
