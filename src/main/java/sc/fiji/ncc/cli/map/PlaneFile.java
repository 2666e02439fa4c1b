package sc.fiji.ncc.cli.map;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.LongStream;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.blocks.PrimitiveBlocks;
import net.imglib2.type.NativeType;

import sc.fiji.ncc.cli.picture.Calibration;
import sc.fiji.ncc.image.ImagePixels;
import sc.fiji.ncc.plan.PixelType;

/** The layout of a file that holds the planes of an image one after the other, row by row: a TIFF file or an MRC file. */
public abstract class PlaneFile {

	/** The endings of the names, for messages. */
	public static final String ENDINGS = ".tif or .mrc";

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
	static PlaneFile of(final String name, final long[] size, final String axes, final PixelType type, final Calibration calibration, final boolean coefficients) {
		return MrcWriter.isMrc(name) ? new MrcWriter(size, axes, type, calibration) : new TiffWriter(size, axes, type, calibration, coefficients);
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

	/** @param pixels the image, in the size and pixel type of the constructor */
	void write(final RandomAccessibleInterval<?> pixels, final OutputStream out) throws IOException {
		write(pixels, out, () -> {});
	}

	/** @param each called before each plane */
	void write(final RandomAccessibleInterval<?> pixels, final OutputStream out, final Runnable each) throws IOException {
		if (!Arrays.equals(size, pixels.dimensionsAsLongArray())) throw new IllegalArgumentException("the map has another size than the writer");
		out.write(head());
		planes(blocks(stored(pixels)), out, each);
		for (long p = 1; p < planes; p++) out.write(page(p));
	}

	@SuppressWarnings("unchecked") // images have the type that ImagePixels accepts
	private static <T extends NativeType<T>> PrimitiveBlocks<T> blocks(final RandomAccessibleInterval<?> pixels) {
		return PrimitiveBlocks.of((RandomAccessibleInterval<T>) pixels);
	}

	/** Writes in blocks of rows, which fit the cache. */
	private void planes(final PrimitiveBlocks<?> blocks, final OutputStream out, final Runnable each) throws IOException {
		final int width = (int) size[0], rows = (int) Math.max(1, Math.min(size[1], 65_536 / (size[0] * type.bytes)));
		final ByteBuffer buffer = ByteBuffer.allocate(rows * width * type.bytes).order(order);
		final Object values = type.allocate(rows * width).array();
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
				out.write(buffer.array(), 0, block[1] * width * type.bytes);
			}
		}
	}
}
