package sc.fiji.ncc.cli.map;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.ShortBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.LongConsumer;
import java.util.stream.LongStream;

import net.imglib2.RandomAccessibleInterval;

import sc.fiji.ncc.front.Calibration;
import sc.fiji.ncc.front.ShownRange;
import sc.fiji.ncc.image.ImagePixels;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.support.Parallel;

/** The layout of a file that holds the planes of an image one after the other, row by row: a TIFF file or an MRC file. */
public abstract class PlaneFile {

	/** The endings of the names, for messages. */
	public static final String ENDINGS = ".tif or .mrc";

	/** The rows and columns that are read at once. */
	private static final int CELL = 512;
	/** The bytes of a band of rows, unless {@link #CELL} rows have more; the most bytes of a band, and the divisor of the heap that limits them. */
	private static final int BAND = 1 << 24, LARGEST_BAND = 1 << 30, SHARE_OF_HEAP = 16;
	/** The bytes of one write. */
	private static final int STEP = 1 << 20;

	final long[] size;
	/** The type of the pixels in the file. */
	final PixelType type;
	final long planes, planeBytes;
	final ByteOrder order;

	/** @param size the extents: x, y, then planes, the lowest dimension first */
	PlaneFile(final long[] size, final PixelType type, final ByteOrder order) {
		this.size = size.clone();
		this.type = type;
		this.order = order;
		planes = LongStream.of(size).skip(2).reduce(1, Math::multiplyExact);
		planeBytes = Math.multiplyExact(Math.multiplyExact(size[0], size[1]), type.bytes);
	}

	/**
	 * The layout of a file with this name.
	 *
	 * @param axes x, y, then any of c, z, t in this order
	 * @param coefficients see {@link TiffWriter#TiffWriter}
	 */
	static PlaneFile of(final String name, final long[] size, final String axes, final PixelType type, final Calibration calibration,
		final boolean coefficients) {
		return MrcWriter.isMrc(name) ? new MrcWriter(size, axes, type, calibration)
			: new TiffWriter(size, axes, type, calibration, coefficients);
	}

	/** The name of a channel, and the range in which ImageJ shows it. */
	record Channel(String name, ShownRange range) {}

	/** The same layout with names and ranges of the channels, if the format has any. @param colours whether ImageJ shows them together */
	PlaneFile named(final List<Channel> channels, final boolean colours) {
		return this;
	}

	/** Whether a name ends as that of a file of planes. */
	public static boolean is(final String name) {
		return isTiff(name) || MrcWriter.isMrc(name);
	}

	public static boolean isTiff(final String name) {
		final String lower = name.toLowerCase(Locale.ROOT);
		return lower.endsWith(".tif") || lower.endsWith(".tiff");
	}

	/** The position of a plane in the file, in bytes. Planes follow each other without gaps. */
	public abstract long offset(long plane);

	/** The bytes before the planes. */
	public abstract byte[] head();

	/** The bytes that belong to a plane and follow after all planes. The first plane has none. */
	byte[] page(final long plane) {
		return new byte[0];
	}

	/** The bytes of the file. */
	public long fileBytes() {
		return offset(planes);
	}

	/** The pixels in the type of the file. */
	RandomAccessibleInterval<?> stored(final RandomAccessibleInterval<?> pixels) {
		return pixels;
	}

	private long rowBytes() {
		return planeBytes / size[1];
	}

	/** The bytes of a file of this length that a later call need not write again: all complete rows. */
	long finished(final long bytes) {
		final long rows = Math.min(planes * size[1], (bytes - offset(0)) / rowBytes());
		return bytes < offset(0) || rows == 0 ? 0 : offset(0) + rows * rowBytes();
	}

	/** @param pixels the image, in the size and pixel type of the constructor */
	void write(final RandomAccessibleInterval<?> pixels, final OutputStream out) throws IOException {
		try (Parallel one = new Parallel(1)) {
			write(pixels, out, 0, one, rows -> {});
		}
	}

	/**
	 * Writes a file, or the rest of one. Several threads read the pixels, in parts that are the cells of large images.
	 *
	 * @param finished the bytes that are written already, see {@link #finished}
	 * @param each called after each band of rows with their number; it may throw an exception to end the writing
	 */
	void write(final RandomAccessibleInterval<?> pixels, final OutputStream out, final long finished, final Parallel parallel,
		final LongConsumer each) throws IOException
	{
		if (!Arrays.equals(size, pixels.dimensionsAsLongArray()))
			throw new IllegalArgumentException("the map has another size than the writer");
		if (finished == 0) out.write(head());
		final ImagePixels from = ImagePixels.of(stored(pixels));
		final long rows = planes * size[1];
		ByteBuffer band = ByteBuffer.allocate(0);
		for (long row = finished == 0 ? 0 : (finished - offset(0)) / rowBytes(), end; row < rows; row = end) {
			end = bandEnd(row);
			final int bytes = Math.toIntExact((end - row) * rowBytes());
			if (band.capacity() < bytes) band = ByteBuffer.allocate(bytes);
			read(from, row, end, band, parallel);
			for (int at = 0; at < bytes; at += STEP) out.write(band.array(), at, Math.min(STEP, bytes - at));
			each.accept(end - row);
		}
		for (long p = 1; p < planes; p++) out.write(page(p));
	}

	/** The row after a band, where cells of large images or planes end if that is possible. Rows are counted through all planes. */
	private long bandEnd(final long row) {
		final long most = Math.min(LARGEST_BAND, Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP);
		final long rows = Math.max(Math.min(BAND, most) / rowBytes(), Math.min(CELL, most / rowBytes())),
			end = Math.min(planes * size[1], row + Math.max(1, rows));
		final long whole = end - end % size[1] % CELL;
		return whole > row ? whole : end;
	}

	/** Rows and columns of a plane. */
	private record Part(long plane, long x, long y, int columns, int rows) {}

	/** Reads the rows of a band. */
	private void read(final ImagePixels from, final long row, final long end, final ByteBuffer band, final Parallel parallel) {
		final List<Part> parts = new ArrayList<>();
		for (long at = row; at < end;) {
			final long y = at % size[1];
			final int rows = (int) Math.min(end - at, Math.min(size[1] - y, CELL - y % CELL));
			for (long x = 0; x < size[0]; x += CELL) parts.add(new Part(at / size[1], x, y, (int) Math.min(CELL, size[0] - x), rows));
			at += rows;
		}
		parallel.each(parts.size(), i -> {
			final Part part = parts.get(i);
			read(from, part, band, part.plane * size[1] + part.y - row);
		});
	}

	/** @param row the row of the band at which the part begins */
	private void read(final ImagePixels from, final Part part, final ByteBuffer band, final long row) {
		final long[] min = new long[size.length];
		final int[] extents = new int[size.length];
		Arrays.fill(extents, 1);
		long rest = part.plane;
		for (int d = 2; d < size.length; rest /= size[d++]) min[d] = rest % size[d];
		min[0] = part.x;
		min[1] = part.y;
		extents[0] = part.columns;
		extents[1] = part.rows;
		final Buffer values = type.allocate(part.columns * part.rows);
		from.read(min, extents, values);
		// whole rows lie in one piece
		final int piece = part.columns == size[0] ? part.columns * part.rows : part.columns;
		long to = row * rowBytes() + part.x * type.bytes;
		for (int at = 0; at < values.capacity(); at += piece, to += rowBytes()) {
			final ByteBuffer place = band.slice((int) to, piece * type.bytes).order(order);
			if (values instanceof FloatBuffer) place.asFloatBuffer().put(0, (FloatBuffer) values, at, piece);
			else if (values instanceof DoubleBuffer) place.asDoubleBuffer().put(0, (DoubleBuffer) values, at, piece);
			else if (values instanceof IntBuffer) place.asIntBuffer().put(0, (IntBuffer) values, at, piece);
			else if (values instanceof ShortBuffer) place.asShortBuffer().put(0, (ShortBuffer) values, at, piece);
			else place.put(0, (ByteBuffer) values, at, piece);
		}
	}
}
