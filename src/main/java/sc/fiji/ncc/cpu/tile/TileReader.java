package sc.fiji.ncc.cpu.tile;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.ShortBuffer;
import java.util.Arrays;

import sc.fiji.ncc.loops.Rows;
import sc.fiji.ncc.loops.VectorRows;
import sc.fiji.ncc.loops.Vectors;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Pixels;

/**
 * Reads the pixels of one plane of a tile and returns its rows as numbers about a reference: {@code (value - reference)·factor} of a {@link TileScale}.
 * Pixels outside the image, and pixels that are NaN or infinite, become 0. Missing pixels become 0 after {@link #fill}.
 * <p>
 * If the rows of an image are fast to read, they are read one by one when floats are needed; the whole plane is read only when single pixels or all
 * pixels are needed.
 */
public final class TileReader {

	private final PixelType type;
	/** {@code buffer}: the plane's pixels, once they are loaded. {@code rowBuffer}: one row. */
	private Buffer buffer, rowBuffer;
	/** Wraps the array into which a row was last read without a copy. */
	private FloatBuffer direct = FloatBuffer.allocate(0);
	private Pixels source;
	/** The plane's first pixel inside the image. */
	private long[] corner;
	private boolean loaded;
	/** The part of the plane that lies inside the image; empty if there is none. */
	private int x0, y0, columns, rows;
	private int width, height;
	/** Null if the image has no missing pixels. */
	private TileMask mask;

	public TileReader(final PixelType type) {
		this.type = type;
		buffer = rowBuffer = type.allocate(1);
	}

	/**
	 * @param min the plane's first pixel in image coordinates, all dimensions; may lie outside the image
	 * @param width the number of columns of the plane
	 * @param height the number of rows of the plane
	 */
	public void read(final Pixels in, final long[] min, final int width, final int height) {
		final long[] size = in.size();
		this.width = width;
		this.height = height;
		x0 = (int) Math.min(width, Math.max(0, -min[0]));
		y0 = (int) Math.min(height, Math.max(0, min.length > 1 ? -min[1] : 0));
		columns = (int) Math.max(0, Math.min(width, size[0] - min[0]) - x0);
		rows = (int) Math.max(0, Math.min(height, (size.length > 1 ? size[1] - min[1] : 1)) - y0);
		for (int d = 2; d < min.length; d++)
			if (min[d] < 0 || min[d] >= size[d]) rows = 0;
		loaded = false;
		if (columns == 0 || rows == 0) columns = rows = 0;
		final Pixels present = in.mask();
		if (present == null) mask = null;
		else if (mask == null) mask = new TileMask();
		if (columns == 0) {
			if (mask != null) mask.read(present, min, x0, y0, 0, 0);
			return;
		}
		corner = min.clone();
		corner[0] += x0;
		if (min.length > 1) corner[1] += y0;
		source = in;
		if (mask != null) mask.read(present, corner, x0, y0, columns, rows);
		if (mask != null || !in.readsRowsFast()) all();
	}

	/** Whether the image may have missing pixels. */
	boolean masked() {
		return mask != null;
	}

	/** Whether all pixels of the plane lie inside the image and are present. */
	public boolean whole() {
		return present() == width * height;
	}

	/** Whether no pixel of the plane lies inside the image and is present. */
	public boolean empty() {
		return present() == 0;
	}

	/** Writes 1 for each pixel of row {@code y} that lies inside the image and is present, 0 for the others. Only for images with missing pixels. */
	public void presentRow(final int y, final double[] to) {
		mask.row(y, 0, width, to);
	}

	/** The same for the pixels {@code x..x + n - 1}. */
	public void presentRow(final int y, final int x, final int n, final double[] to) {
		mask.row(y, x, n, to);
	}

	public void presentRow(final int y, final int x, final int n, final float[] to) {
		mask.row(y, x, n, to);
	}

	/** The number of pixels of the plane that lie inside the image and are present. */
	public int present() {
		return mask == null ? columns * rows : mask.count();
	}

	/** Replaces missing pixels by a reference that the pixel type can hold, so that they become 0. */
	public void fill(final double reference) {
		if (mask != null && rows > 0) mask.fill(all(), reference);
	}

	/** All pixels of the plane that lie inside the image, x fastest. */
	private Buffer all() {
		if (loaded || rows == 0) return buffer;
		final int[] box = new int[corner.length];
		Arrays.fill(box, 1);
		box[0] = columns;
		if (corner.length > 1) box[1] = rows;
		if (buffer.capacity() < columns * rows) buffer = type.allocate(columns * rows);
		source.read(corner, box, buffer);
		loaded = true;
		return buffer;
	}

	/** Reads {@code n} of the pixels inside the image, from (x, y) on, to the start of a buffer. */
	private void read(final int x, final int y, final int n, final Buffer to) {
		final long[] at = corner.clone();
		at[0] += x;
		if (at.length > 1) at[1] += y;
		final int[] box = new int[at.length];
		Arrays.fill(box, 1);
		box[0] = n;
		source.read(at, box, to);
	}

	/** The number of pixels inside the image. */
	int pixels() {
		return columns * rows;
	}

	/** Whether pixel (x, y) of the plane lies inside the image. */
	public boolean inside(final int x, final int y) {
		return x >= x0 && x < x0 + columns && y >= y0 && y < y0 + rows;
	}

	/** Whether pixel (x, y) of the plane lies inside the image and is present. */
	public boolean present(final int x, final int y) {
		return inside(x, y) && (mask == null || mask.present((y - y0) * columns + x - x0));
	}

	/** Whether pixel {@code i} of those inside the image, x fastest, is present. */
	boolean present(final int i) {
		return mask == null || mask.present(i);
	}

	/** The value of pixel {@code i} of those inside the image, x fastest. */
	double value(final int i) {
		return value(all(), i);
	}

	private double value(final Buffer buffer, final int i) {
		switch (type) {
			case U8: return ((byte[]) buffer.array())[i] & 0xff;
			case S8: return ((byte[]) buffer.array())[i];
			case U16: return ((short[]) buffer.array())[i] & 0xffff;
			case S16: return ((short[]) buffer.array())[i];
			case U32: return ((int[]) buffer.array())[i] & 0xffffffffL;
			case S32: return ((int[]) buffer.array())[i];
			case F32: return ((float[]) buffer.array())[i];
			default: return ((double[]) buffer.array())[i];
		}
	}

	/** The value of pixel (x, y) of the plane, which must lie inside the image. */
	public double value(final int x, final int y) {
		return value((y - y0) * columns + x - x0);
	}

	/** Values that are not finite stay as they are; {@link PixelConversion} may replace them by 0. */
	private static void toDoubles(final float[] from, final int o, final double[] to, final int t, final int n) {
		for (int i = 0; i < n; i++) to[t + i] = from[o + i];
	}

	/**
	 * Reads the pixels {@code x..x + n - 1} of a row of the plane, 0 where a pixel lies outside the image or is missing.
	 *
	 * @param to the destination
	 * @param at the index of the first pixel in it
	 */
	public void values(final int y, final int x, final int n, final double[] to, final int at) {
		Arrays.fill(to, at, at + n, 0);
		if (y < y0 || y >= y0 + rows) return;
		final int from = Math.max(x, x0), count = Math.min(x + n, x0 + columns) - from, o = (y - y0) * columns + from - x0, t = at + from - x;
		final Buffer buffer = all();
		switch (type) {
			case U8: PixelConversion.bytes((byte[]) buffer.array(), o, to, t, count, 0); break;
			case U16: PixelConversion.shorts((short[]) buffer.array(), o, to, t, count, 0); break;
			case F32: toDoubles((float[]) buffer.array(), o, to, t, count); break;
			case F64: PixelConversion.doubles((double[]) buffer.array(), o, to, t, count, 0, 1); break;
			default: for (int i = 0; i < count; i++) to[t + i] = value(buffer, o + i);
		}
		for (int i = 0; mask != null && i < count; i++) if (!mask.present(o + i)) to[t + i] = 0;
	}

	/** The maximum |value - reference|, or a slightly larger number: it may be rounded to float. NaN or infinite if a pixel is. */
	double maxDistance(final double reference) {
		final Buffer buffer = all();
		double max = 0;
		final int n = columns * rows;
		switch (type) {
			case F32: return Vectors.USED ? VectorRows.maxDistance((float[]) buffer.array(), reference, n) : maxDistance((float[]) buffer.array(), reference, n);
			case F64: return maxDistance((double[]) buffer.array(), reference, n);
			case U8: return maxDistance((byte[]) buffer.array(), reference, n);
			case U16: return maxDistance((short[]) buffer.array(), reference, n);
			default:
				for (int i = 0; i < n; i++) max = Math.max(max, Math.abs(value(i) - reference));
				return max;
		}
	}

	private static double maxDistance(final byte[] a, final double reference, final int n) {
		int min = 255, max = 0;
		for (int i = 0; i < n; i++) {
			min = Math.min(min, a[i] & 0xff);
			max = Math.max(max, a[i] & 0xff);
		}
		return n == 0 ? 0 : Math.max(Math.abs(min - reference), Math.abs(max - reference));
	}

	private static double maxDistance(final short[] a, final double reference, final int n) {
		int min = 65_535, max = 0;
		for (int i = 0; i < n; i++) {
			min = Math.min(min, a[i] & 0xffff);
			max = Math.max(max, a[i] & 0xffff);
		}
		return n == 0 ? 0 : Math.max(Math.abs(min - reference), Math.abs(max - reference));
	}

	/** In rows of 256: C2 vectorises loops without a carried dependency. */
	private static double maxDistance(final float[] a, final double reference, final int n) {
		final float[] max = new float[256], row = new float[256];
		final int whole = n / 256 * 256;
		for (int i = 0; i < whole; i += 256) {
			System.arraycopy(a, i, row, 0, 256);
			Rows.farthest(row, (float) reference, max, 256);
		}
		double maxDistance = 0;
		for (final float v : max) maxDistance = Math.max(maxDistance, Math.abs(v));
		for (int i = whole; i < n; i++) maxDistance = Math.max(maxDistance, Math.abs(a[i] - reference));
		return maxDistance;
	}

	private static double maxDistance(final double[] a, final double reference, final int n) {
		double max = 0;
		for (int i = 0; i < n; i++) max = Math.max(max, Math.abs(a[i] - reference));
		return max;
	}

	/** Row {@code y} of the plane as doubles. */
	public void row(final int y, final TileScale scale, final double[] to) {
		row(y, 0, width, scale, to);
	}

	/** Row {@code y} of the plane as floats, rounded once, after the reference is subtracted. */
	public void row(final int y, final TileScale scale, final float[] to) {
		row(y, 0, width, scale, to);
	}

	/** Whether {@link #slide(int, int, TileScale, double[], double[])} can be called. */
	public boolean slidesFloats(final TileScale scale) {
		return Vectors.USED && type == PixelType.F32 && !scale.nonFinite;
	}

	/** Whether {@link #slide(int, int, TileScale, int[], int[])} can be called. */
	public boolean slidesBytes() {
		return Vectors.USED && type == PixelType.U8;
	}

	/**
	 * Adds the pixels of a row, and their squares, to sums of columns, and subtracts those of another row.
	 *
	 * @param next the row to add
	 * @param last the row to subtract; -1 for none
	 */
	public void slide(final int next, final int last, final TileScale scale, final double[] values, final double[] squares) {
		final float[] from = ((FloatBuffer) all()).array();
		final boolean adds = next >= y0 && next < y0 + rows, subtracts = last >= y0 && last < y0 + rows;
		final int o = (next - y0) * columns, p = (last - y0) * columns;
		final VectorRows.Sums to = new VectorRows.Sums(values, squares, x0);
		if (adds && subtracts) VectorRows.slideWithSquares(from, o, p, scale.reference, scale.factor, to, columns);
		else if (adds) VectorRows.addWithSquares(from, o, scale.reference, scale.factor, to, columns);
		else if (subtracts) VectorRows.subtractWithSquares(from, p, scale.reference, scale.factor, to, columns);
	}

	/** The same for unsigned bytes. */
	public void slide(final int next, final int last, final TileScale scale, final int[] values, final int[] squares) {
		final byte[] from = ((ByteBuffer) all()).array();
		final boolean adds = next >= y0 && next < y0 + rows, subtracts = last >= y0 && last < y0 + rows;
		final int o = (next - y0) * columns, p = (last - y0) * columns, reference = (int) scale.reference;
		final VectorRows.IntSums to = new VectorRows.IntSums(values, squares, x0);
		if (adds && subtracts) VectorRows.slideWithSquares(from, o, p, reference, to, columns);
		else if (adds) VectorRows.addWithSquares(from, o, reference, to, columns);
		else if (subtracts) VectorRows.subtractWithSquares(from, p, reference, to, columns);
	}

	/** Row {@code y} of a plane of 8-bit pixels, as whole numbers. */
	public void row(final int y, final TileScale scale, final int[] to) {
		if (y < y0 || y >= y0 + rows) {
			Arrays.fill(to, 0, width, 0);
			return;
		}
		Arrays.fill(to, 0, x0, 0);
		Arrays.fill(to, x0 + columns, width, 0);
		final byte[] from = ((ByteBuffer) all()).array();
		final int o = (y - y0) * columns;
		final int reference = (int) scale.reference;
		if (type == PixelType.U8) PixelConversion.bytes(from, o, to, x0, columns, reference);
		else for (int x = 0; x < columns; x++) to[x0 + x] = from[o + x] - reference;
	}

	/** The pixels {@code x..x + n - 1} of a row as doubles. */
	public void row(final int y, final int x, final int n, final TileScale scale, final double[] to) {
		final int from = Math.max(x, x0), until = Math.min(x + n, x0 + columns);
		if (y < y0 || y >= y0 + rows || from >= until) {
			Arrays.fill(to, 0, n, 0);
			return;
		}
		final int count = until - from, t = from - x, o = (y - y0) * columns + from - x0;
		Arrays.fill(to, 0, t, 0);
		Arrays.fill(to, t + count, n, 0);
		final Buffer buffer = all();
		switch (type) {
			case U8: PixelConversion.bytes(((ByteBuffer) buffer).array(), o, to, t, count, (int) scale.reference); break;
			case U16: PixelConversion.shorts(((ShortBuffer) buffer).array(), o, to, t, count, (int) scale.reference); break;
			case F32: PixelConversion.floats(((FloatBuffer) buffer).array(), o, to, t, count, scale.reference, scale.factor); break;
			case F64: PixelConversion.doubles(((DoubleBuffer) buffer).array(), o, to, t, count, scale.reference, scale.factor); break;
			default: for (int i = 0; i < count; i++) to[t + i] = (value(buffer, o + i) - scale.reference) * scale.factor;
		}
		if (scale.nonFinite) PixelConversion.clean(to, t, count);
	}

	/** The pixels {@code x..x + n - 1} of a row as floats. */
	public void row(final int y, final int x, final int n, final TileScale scale, final float[] to) {
		final int from = Math.max(x, x0), until = Math.min(x + n, x0 + columns);
		if (y < y0 || y >= y0 + rows || from >= until) {
			Arrays.fill(to, 0, n, 0);
			return;
		}
		final int count = until - from, t = from - x;
		Arrays.fill(to, 0, t, 0);
		Arrays.fill(to, t + count, n, 0);
		final Buffer buffer;
		int o = 0;
		if (loaded) {
			buffer = this.buffer;
			o = (y - y0) * columns + from - x0;
		}
		else if (type == PixelType.F32 && t == 0 && scale.reference == 0 && scale.factor == 1 && !scale.nonFinite) {
			if (direct.array() != to) direct = FloatBuffer.wrap(to);
			read(from - x0, y - y0, count, direct);
			return;
		}
		else {
			if (rowBuffer.capacity() < count) rowBuffer = type.allocate(width);
			read(from - x0, y - y0, count, rowBuffer);
			buffer = rowBuffer;
		}
		switch (type) {
			case U8: PixelConversion.bytes(((ByteBuffer) buffer).array(), o, to, t, count, (int) scale.reference); break;
			case U16: PixelConversion.shorts(((ShortBuffer) buffer).array(), o, to, t, count, (int) scale.reference); break;
			case F32: PixelConversion.floats(((FloatBuffer) buffer).array(), o, to, t, count, scale.reference, scale.factor); break;
			case F64: PixelConversion.doubles(((DoubleBuffer) buffer).array(), o, to, t, count, scale.reference, scale.factor); break;
			default: for (int i = 0; i < count; i++) to[t + i] = (float) ((value(buffer, o + i) - scale.reference) * scale.factor);
		}
		if (scale.nonFinite) PixelConversion.clean(to, t, count);
	}
}
