package sc.fiji.ncc.cli.map;

import java.io.IOException;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.LongStream;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.blocks.PrimitiveBlocks;
import net.imglib2.type.NativeType;

import sc.fiji.ncc.cli.picture.Calibration;
import sc.fiji.ncc.cli.picture.TiffDirectory;
import sc.fiji.ncc.image.ImagePixels;
import sc.fiji.ncc.plan.PixelType;

/**
 * Writes TIFF files of ImageJ: stacks and hyperstacks of 32-bit floats or 8- and 16-bit integers, with calibration. Also of 64-bit floats, which ImageJ itself does
 * not open. Planes are written one after another, without a second copy of the image. Above 4 GB the file is a BigTIFF file. Bio-Formats reads it in Fiji,
 * ImageJ 1.x does not.
 */
public final class TiffWriter {

	/** Offsets have 32 bits, in BigTIFF 64. */
	private static final long MOST_BYTES = 0xffffffffL;
	private static final int RATIONALS = 16, SHORT = 3, LONG = 4, ASCII = 2, RATIONAL = 5, LONG8 = 16;

	private final long[] size;
	private final int bytes;
	/** The tag SampleFormat: 1 for unsigned integers, 2 for signed integers, 3 for floats. */
	private final int format;
	private final Calibration calibration;
	private final byte[] description;
	private final long planes, planeBytes;
	/** Whether the file is a BigTIFF file. */
	private final boolean big;

	/**
	 * @param size the extents along {@code axes}
	 * @param axes x, y, then any of c, z, t in this order
	 * @param bytes the bytes of a pixel: 4 for floats, 8 for doubles, 1 and 2 for unsigned integers
	 * @param calibration the calibration
	 * @param coefficients whether floats and doubles are correlation coefficients, with a display range from -1 to 1; otherwise ImageJ shows each plane
	 *          from its smallest to its largest value
	 */
	public TiffWriter(final long[] size, final String axes, final int bytes, final Calibration calibration, final boolean coefficients) {
		this(size, axes, bytes, bytes >= 4 ? 3 : 1, calibration, coefficients && bytes >= 4);
	}

	/** A writer for images of any pixel type. ImageJ itself does not open 64-bit floats, and shows 32-bit integers as floats. */
	public TiffWriter(final long[] size, final String axes, final PixelType type, final Calibration calibration) {
		this(size, axes, type.bytes, !type.integer ? 3 : type.min < 0 ? 2 : 1, calibration, false);
	}

	private TiffWriter(final long[] size, final String axes, final int bytes, final int format, final Calibration calibration, final boolean coefficients) {
		this.size = size.clone();
		this.bytes = bytes;
		this.format = format;
		this.calibration = calibration;
		planes = LongStream.of(size).skip(2).reduce(1, Math::multiplyExact);
		planeBytes = Math.multiplyExact(Math.multiplyExact(size[0], size[1]), bytes);
		description = describe(axes, coefficients);
		big = planeBytes > (MOST_BYTES - headBytes(false)) / planes - entriesBytes(false);
	}

	private byte[] describe(final String axes, final boolean coefficients) {
		final StringBuilder s = new StringBuilder("ImageJ=1.54p\n");
		if (planes > 1) s.append("images=").append(planes).append('\n');
		for (int d = 2; d < size.length; d++) {
			final char axis = axes.charAt(d);
			s.append(axis == 'c' ? "channels" : axis == 'z' ? "slices" : "frames").append('=').append(size[d]).append('\n');
		}
		if (size.length > 3 || axes.length() > 2 && axes.charAt(2) != 'z') s.append("hyperstack=true\n");
		s.append(calibration.lines());
		if (coefficients) s.append("min=-1.0\nmax=1.0\n");
		return s.append('\0').toString().getBytes(StandardCharsets.US_ASCII);
	}

	private int entries(final boolean first) {
		return 10 + (first ? 1 : 0) + (calibration.unit() == null ? 0 : 3);
	}

	/** The bytes of the tags of a page. */
	private long entriesBytes(final boolean big, final boolean first) {
		return (big ? 8 : 2) + (big ? 20L : 12L) * entries(first) + (big ? 8 : 4);
	}

	private long entriesBytes(final boolean big) {
		return entriesBytes(big, false);
	}

	/** The bytes before the first plane: the header, the tags of the first page and their values. */
	private long headBytes(final boolean big) {
		return headerBytes(big) + entriesBytes(big, true) + description.length + RATIONALS;
	}

	private static int headerBytes(final boolean big) {
		return big ? 16 : 8;
	}

	/** The position of a plane in the file, in bytes. Planes follow each other without gaps. */
	public long offset(final long plane) {
		return headBytes(big) + plane * planeBytes;
	}

	/** The bytes of the file. */
	public long fileBytes() {
		return offset(planes) + (planes - 1) * entriesBytes(big);
	}

	/** @param pixels the image, in the size and pixel type of the constructor */
	<T extends NativeType<T>> void write(final RandomAccessibleInterval<T> pixels, final OutputStream out) throws IOException {
		write(pixels, out, () -> {});
	}

	/** @param each called before each plane */
	<T extends NativeType<T>> void write(final RandomAccessibleInterval<T> pixels, final OutputStream out, final Runnable each) throws IOException {
		if (!Arrays.equals(size, pixels.dimensionsAsLongArray())) throw new IllegalArgumentException("the map has another size than the writer");
		out.write(head());
		planes(pixels, out, each);
		for (long p = 1; p < planes; p++) out.write(page(p));
	}

	/** The bytes before the planes. */
	public byte[] head() {
		final ByteBuffer head = ByteBuffer.allocate((int) headBytes(big));
		head.putShort((short) 0x4d4d).putShort((short) (big ? 43 : 42));
		if (big) head.putShort((short) 8).putShort((short) 0).putLong(headerBytes(true));
		else head.putInt(headerBytes(false));
		page(head, 0);
		return head.array();
	}

	/** The tags of a plane other than the first. They follow after all planes. */
	byte[] page(final long plane) {
		final ByteBuffer page = ByteBuffer.allocate((int) entriesBytes(big));
		page(page, plane);
		return page.array();
	}

	private void page(final ByteBuffer to, final long plane) {
		final boolean first = plane == 0;
		final long described = headerBytes(big) + entriesBytes(big, true), rationals = described + description.length;
		if (big) to.putLong(entries(first));
		else to.putShort((short) entries(first));
		entry(to, 254, LONG, 1, 0);
		entry(to, TiffDirectory.WIDTH, LONG, 1, size[0]);
		entry(to, TiffDirectory.HEIGHT, LONG, 1, size[1]);
		entry(to, TiffDirectory.BITS, SHORT, 1, 8 * bytes);
		entry(to, TiffDirectory.COMPRESSION, SHORT, 1, 1);
		entry(to, TiffDirectory.PHOTOMETRIC, SHORT, 1, 1);
		if (first) entry(to, TiffDirectory.DESCRIPTION, ASCII, description.length, described);
		entry(to, TiffDirectory.OFFSETS, big ? LONG8 : LONG, 1, offset(plane));
		entry(to, 278, LONG, 1, size[1]);
		entry(to, TiffDirectory.BYTE_COUNTS, big ? LONG8 : LONG, 1, planeBytes);
		if (calibration.unit() != null) {
			entry(to, TiffDirectory.X_RESOLUTION, RATIONAL, 1, rationals);
			entry(to, TiffDirectory.Y_RESOLUTION, RATIONAL, 1, rationals + 8);
			entry(to, TiffDirectory.RESOLUTION_UNIT, SHORT, 1, "inch".equals(calibration.unit()) ? 2 : "cm".equals(calibration.unit()) ? 3 : 1);
		}
		entry(to, TiffDirectory.FORMAT, SHORT, 1, format);
		final long next = plane + 1 == planes ? 0 : offset(planes) + plane * entriesBytes(big);
		if (big) to.putLong(next);
		else to.putInt((int) next);
		if (first) {
			to.put(description);
			perUnit(to, calibration.pixelWidth());
			perUnit(to, calibration.pixelHeight());
		}
	}

	private void entry(final ByteBuffer to, final int tag, final int type, final long count, final long value) {
		to.putShort((short) tag).putShort((short) type);
		final int end = to.position() + (big ? 16 : 8);
		if (big) to.putLong(count);
		else to.putInt((int) count);
		// a value shorter than its field begins at the start of the field
		if (type == SHORT) to.putShort((short) value);
		else if (big && type != LONG) to.putLong(value);
		else to.putInt((int) value);
		to.position(end);
	}

	/** Pixels per unit as a fraction, which is exact for sizes with few digits. */
	private static void perUnit(final ByteBuffer to, final double pixelSize) {
		final BigDecimal decimal = BigDecimal.valueOf(pixelSize).stripTrailingZeros();
		final int places = Math.max(0, decimal.scale());
		final BigDecimal whole = decimal.movePointRight(places);
		if (places < 10 && whole.compareTo(BigDecimal.valueOf(Integer.MAX_VALUE)) <= 0) {
			to.putInt((int) Math.pow(10, places)).putInt(whole.intValueExact());
			return;
		}
		final double largest = Integer.MAX_VALUE;
		if (pixelSize < 1) to.putInt((int) largest).putInt((int) Math.max(1, Math.round(largest * pixelSize)));
		else to.putInt((int) Math.max(1, Math.round(largest / pixelSize))).putInt((int) largest);
	}

	/** Writes in blocks of rows, which fit the cache. */
	private <T extends NativeType<T>> void planes(final RandomAccessibleInterval<T> pixels, final OutputStream out, final Runnable each) throws IOException {
		final PrimitiveBlocks<T> blocks = PrimitiveBlocks.of(pixels);
		final int width = (int) size[0], rows = (int) Math.max(1, Math.min(size[1], 65_536 / (size[0] * bytes)));
		final ByteBuffer buffer = ByteBuffer.allocate(rows * width * bytes);
		final Object values = ImagePixels.type(pixels).allocate(rows * width).array();
		final long[] at = new long[size.length];
		final int[] block = new int[size.length];
		Arrays.fill(block, 1);
		block[0] = width;
		for (long p = 0; p < planes; p++) {
			each.run();
			long rest = p;
			for (int d = 2; d < size.length; d++) {
				at[d] = rest % size[d];
				rest /= size[d];
			}
			for (at[1] = 0; at[1] < size[1]; at[1] += rows) {
				block[1] = (int) Math.min(rows, size[1] - at[1]);
				blocks.copy(at, values, block);
				if (values instanceof float[]) buffer.asFloatBuffer().put((float[]) values);
				else if (values instanceof double[]) buffer.asDoubleBuffer().put((double[]) values);
				else if (values instanceof int[]) buffer.asIntBuffer().put((int[]) values);
				else if (values instanceof short[]) buffer.asShortBuffer().put((short[]) values);
				else buffer.put(0, (byte[]) values);
				out.write(buffer.array(), 0, block[1] * width * bytes);
			}
		}
	}
}
