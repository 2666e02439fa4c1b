package sc.fiji.ncc.cpu.tile;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.ShortBuffer;
import java.util.Arrays;

import sc.fiji.ncc.loops.VectorRows;
import sc.fiji.ncc.loops.Vectors;
import sc.fiji.ncc.plan.Pixels;

/** Which pixels of a plane of a tile are present. Pixels outside the image are not. */
final class TileMask {

	private ByteBuffer buffer = ByteBuffer.allocate(0);
	/** 0 where a pixel inside the image is missing, 1 where it is present, x fastest. */
	private byte[] present;
	private int x0, y0, columns, rows, count;

	/**
	 * Reads the part of a mask that lies inside the image.
	 *
	 * @param min the first of these pixels in image coordinates
	 * @param x0 its column in the plane
	 * @param y0 its row in the plane
	 */
	void read(final Pixels mask, final long[] min, final int x0, final int y0, final int columns, final int rows) {
		this.x0 = x0;
		this.y0 = y0;
		this.columns = columns;
		this.rows = rows;
		if (buffer.capacity() < columns * rows) buffer = ByteBuffer.allocate(columns * rows);
		present = buffer.array();
		count = 0;
		if (columns * rows == 0) return;
		final int[] box = new int[min.length];
		Arrays.fill(box, 1);
		box[0] = columns;
		if (box.length > 1) box[1] = rows;
		mask.read(min, box, buffer);
		for (int i = 0; i < columns * rows; i++) count += present[i] = (byte) (present[i] == 0 ? 0 : 1);
	}

	/** The number of pixels that are present. */
	int count() {
		return count;
	}

	/** Whether pixel {@code i} of those inside the image is present. */
	boolean present(final int i) {
		return present[i] != 0;
	}

	/** Writes 1 for each of the pixels {@code x..x + n - 1} of a row of the plane that is present, 0 for the others. */
	void row(final int y, final int x, final int n, final double[] to) {
		Arrays.fill(to, 0, n, 0);
		if (y < y0 || y >= y0 + rows) return;
		final int from = Math.max(x, x0), until = Math.min(x + n, x0 + columns), o = (y - y0) * columns - x0;
		for (int i = from; i < until; i++) to[i - x] = present[o + i];
	}

	/** The same as floats. */
	void row(final int y, final int x, final int n, final float[] to) {
		Arrays.fill(to, 0, n, 0);
		if (y < y0 || y >= y0 + rows) return;
		final int from = Math.max(x, x0), count = Math.min(x + n, x0 + columns) - from;
		if (count > 0) floats(present, (y - y0) * columns - x0 + from, to, from - x, count);
	}

	private static void floats(final byte[] from, final int o, final float[] to, final int t, final int n) {
		if (Vectors.USED) VectorRows.read(from, o, to, t, n, 0);
		else for (int x = 0; x < n; x++) to[t + x] = from[o + x];
	}

	/** Replaces the missing pixels among those inside the image by a value that their type can hold. */
	void fill(final Buffer pixels, final double value) {
		if (count == columns * rows) return;
		if (pixels instanceof ByteBuffer) fill(((ByteBuffer) pixels).array(), (byte) (int) value);
		else if (pixels instanceof ShortBuffer) fill(((ShortBuffer) pixels).array(), (short) (int) value);
		else if (pixels instanceof IntBuffer) fill(((IntBuffer) pixels).array(), (int) (long) value);
		else if (pixels instanceof FloatBuffer) fill(((FloatBuffer) pixels).array(), (float) value);
		else fill(((DoubleBuffer) pixels).array(), value);
	}

	private void fill(final byte[] a, final byte value) {
		for (int i = 0; i < columns * rows; i++) if (present[i] == 0) a[i] = value;
	}

	private void fill(final short[] a, final short value) {
		for (int i = 0; i < columns * rows; i++) if (present[i] == 0) a[i] = value;
	}

	private void fill(final int[] a, final int value) {
		for (int i = 0; i < columns * rows; i++) if (present[i] == 0) a[i] = value;
	}

	private void fill(final float[] a, final float value) {
		for (int i = 0; i < columns * rows; i++) if (present[i] == 0) a[i] = value;
	}

	private void fill(final double[] a, final double value) {
		for (int i = 0; i < columns * rows; i++) if (present[i] == 0) a[i] = value;
	}
}
