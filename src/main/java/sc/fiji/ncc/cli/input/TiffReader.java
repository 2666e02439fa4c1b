package sc.fiji.ncc.cli.input;

import static sc.fiji.ncc.cli.input.TiffDirectory.BITS;
import static sc.fiji.ncc.cli.input.TiffDirectory.BYTE_COUNTS;
import static sc.fiji.ncc.cli.input.TiffDirectory.COMPRESSION;
import static sc.fiji.ncc.cli.input.TiffDirectory.FILL_ORDER;
import static sc.fiji.ncc.cli.input.TiffDirectory.FORMAT;
import static sc.fiji.ncc.cli.input.TiffDirectory.HEIGHT;
import static sc.fiji.ncc.cli.input.TiffDirectory.OFFSETS;
import static sc.fiji.ncc.cli.input.TiffDirectory.PHOTOMETRIC;
import static sc.fiji.ncc.cli.input.TiffDirectory.PLANAR;
import static sc.fiji.ncc.cli.input.TiffDirectory.RESOLUTION_UNIT;
import static sc.fiji.ncc.cli.input.TiffDirectory.SAMPLES;
import static sc.fiji.ncc.cli.input.TiffDirectory.TILE_WIDTH;
import static sc.fiji.ncc.cli.input.TiffDirectory.WIDTH;
import static sc.fiji.ncc.cli.input.TiffDirectory.X_RESOLUTION;
import static sc.fiji.ncc.cli.input.TiffDirectory.Y_RESOLUTION;

import java.awt.image.BufferedImage;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;
import java.util.stream.IntStream;

import javax.imageio.IIOException;
import javax.imageio.ImageIO;
import javax.imageio.ImageReader;
import javax.imageio.stream.ImageInputStream;

import sc.fiji.ncc.front.Calibration;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.store.DiskImage;
import sc.fiji.ncc.store.InputDataException;
import sc.fiji.ncc.store.RawPixels;

/**
 * Reads TIFF files: images, stacks and hyperstacks of ImageJ and in OME-TIFF, with integers or floats of 8, 16, 32 or 64 bits. Values are
 * read as stored. Colour tables and inverting tables do not change them, as in ImageJ's measurements. This class reads uncompressed strips,
 * which ImageJ writes, also in stacks above 4 GB with a single page. {@link TiffBlocks} reads tiles and common compressions, and the JDK
 * reads fax and JPEG.
 */
public final class TiffReader {

	/** The largest plane in memory, in bytes, and the largest plane that the JDK decodes, in pixels. */
	private static final int MOST_PLANE = Integer.MAX_VALUE - 8, MOST_DECODED = Integer.MAX_VALUE - 8;
	/** The divisor of the heap above which a file stays on the disk. */
	private static final int SHARE_OF_HEAP = 4;
	/** A stack of more bytes stays on the disk, because its planes are used one after the other. */
	private static final long MOST_STACK = 64 << 20;

	private TiffReader() {}

	/** The description of the first page; null if there is none. */
	public static String description(final Path file) throws IOException {
		try (FileChannel channel = FileChannel.open(file)) {
			return TiffDirectory.all(channel).get(0).description();
		}
	}

	/** @throws IOException if the file is damaged or not supported; the message gives the reason */
	static InputImage read(final String name, final Path file) throws IOException {
		return read(name, file, MOST_STACK);
	}

	/** @param mostStack the largest stack in memory, in bytes */
	public static InputImage read(final String name, final Path file, final long mostStack) throws IOException {
		try (FileChannel channel = FileChannel.open(file)) {
			final List<TiffDirectory> pages = TiffDirectory.all(channel);
			final TiffDirectory first = pages.get(0);
			final long samples = first.number(SAMPLES, 1);
			if (samples == 2 || samples > 4) throw new InputDataException("it has " + samples
				+ " samples per pixel, and RGB images have 3: save its channels as a stack");
			for (final TiffDirectory page : pages) {
				if (page.number(WIDTH, 0) != first.number(WIDTH, 0) || page.number(HEIGHT, 0) != first.number(HEIGHT, 0)
					|| !type(page).equals(type(first)))
					throw new InputDataException("its pages differ in size or pixel type (" + text(first) + ", " + text(page)
					+ "): save each page as a file");
			}
			final int width = side(first.number(WIDTH, 0)), height = side(first.number(HEIGHT, 0));
			if (!TiffBlocks.decodes(first)) return decoded(name, file, channel, pages, width, height, mostStack);
			final PixelType type = TiffBlocks.type(first);
			if (samples > 1) requireColours(first);
			final Planes planes = new Planes(channel, pages, width, height, type);
			if (pages.stream().allMatch(TiffReader::plain)) return samples == 1 ? plain(name, file, planes, mostStack)
				: colours(name, planes);
			return blocks(name, file, planes, mostStack);
		}
	}

	/** Refuses samples that are not red, green and blue. */
	private static void requireColours(final TiffDirectory page) throws InputDataException {
		final long samples = page.number(SAMPLES, 1), colours = page.number(PHOTOMETRIC, 2), bits = page.number(BITS, 1),
			format = page.number(FORMAT, 1);
		if (samples == 3 ? colours > 2 : colours != 2)
			throw new InputDataException("it has " + samples + " samples per pixel of the kind " + colours
				+ ", and RGB images have 3 of the kind 2: save it as RGB, or its channels as a stack");
		if (bits != 8 && bits != 16 || format == 2 || format == 3)
			throw new InputDataException("it has " + samples + " samples of " + bits
				+ " bits per pixel, and RGB images have 8 or 16: save its channels as a stack");
	}

	/** The planes of a file. */
	private record Planes(FileChannel channel, List<TiffDirectory> pages, int width, int height, PixelType type) {

		TiffDirectory first() {
			return pages.get(0);
		}

		/** The pixels of a plane. */
		long pixels() {
			return (long) width * height;
		}

		Planes of(final FileChannel other) {
			return new Planes(other, pages, width, height, type);
		}

		Planes wide(final int samples) {
			return new Planes(channel, pages, samples * width, height, type);
		}

		/**
		 * Reads rows of a plane.
		 *
		 * @param plane the index of its page, or of the plane after a single page without gaps
		 * @param y the first row
		 * @param rows the number of rows
		 */
		Object rows(final int plane, final int y, final int rows) throws IOException {
			final TiffDirectory page = pages.get(pages.size() > 1 ? plane : 0);
			final long[] offsets = page.numbers(OFFSETS), counts = page.numbers(BYTE_COUNTS);
			if (offsets.length == 0) throw new InputDataException("a page without pixels");
			final long planeBytes = pixels() * type.bytes, rowBytes = (long) width * type.bytes;
			final long skip = pages.size() > 1 ? 0 : plane * planeBytes;
			final ByteBuffer bytes = ByteBuffer.allocate((int) (rows * rowBytes)).order(page.order());
			// the position of a strip in the plane
			long at = 0;
			for (int s = 0; s < offsets.length && bytes.hasRemaining(); s++) {
				// a single strip may have no length, and ImageJ's large stacks state 0
				final long length = offsets.length == 1 || s >= counts.length ? planeBytes - at : Math.min(counts[s], planeBytes - at);
				final long from = y * rowBytes + bytes.position() - at;
				if (from < length) TiffDirectory.fill(channel, offsets[s] + skip + from, bytes,
					(int) Math.min(length - from, bytes.remaining()));
				at += length;
			}
			if (bytes.hasRemaining()) throw new InputDataException("its strips hold " + at + " bytes of " + planeBytes);
			return RawPixels.array(bytes.flip(), type, rows * width);
		}
	}

	/** Gray pixels of whole bytes in uncompressed strips. */
	private static InputImage plain(final String name, final Path file, final Planes p, final long mostStack) throws IOException {
		final TiffDirectory first = p.first();
		final int images = Math.max(p.pages.size(), first.contiguousImages());
		// before memory is allocated for missing pixels
		if (p.pixels() > p.channel.size() / images / p.type.bytes)
			throw new EOFException("it has " + p.channel.size() + " bytes, too few for " + images + " of " + text(first));
		final Stack stack = stack(name, first, images, p.width, p.height);
		final long planeBytes = p.pixels() * p.type.bytes;
		final long most = Math.min(Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP, images > 1 ? mostStack : Long.MAX_VALUE);
		if (planeBytes > MOST_PLANE || planeBytes * images > most) return bands(name, file, p, stack);
		return inMemory(name, stack, p.type, i -> List.of(p.rows(i, 0, p.height)));
	}

	/** Compressed pixels, tiles, colours in planes, or pixels that share a byte. */
	private static InputImage blocks(final String name, final Path file, final Planes p, final long mostStack) throws IOException {
		final TiffDirectory first = p.first();
		final List<TiffDirectory> pages = p.pages;
		if (first.contiguousImages() > pages.size()) throw new InputDataException("its description states " + first.contiguousImages()
			+ " images, and its single page has tiles or " + first.number(BITS, 1)
			+ " bits per pixel: save it as a stack of 8, 16 or 32 bits");
		final Stack stack = stack(name, first, pages.size(), p.width, p.height);
		final boolean gray = first.number(SAMPLES, 1) == 1;
		if (gray && pages.size() > 1 && p.pixels() * p.type.bytes * pages.size() > mostStack) {
			// stays open until the program ends
			final FileChannel open = FileChannel.open(file);
			return onDisk(name, stack, p.type, i -> TiffBlocks.planes(open, pages.get(i)));
		}
		return inMemory(name, stack, p.type, i -> TiffBlocks.planes(p.channel, pages.get(i)).subList(0, gray ? 1 : 3));
	}

	/** Compressions that the JDK decodes: of fax and JPEG. */
	private static InputImage decoded(final String name, final Path file, final FileChannel channel, final List<TiffDirectory> pages,
		final int width, final int height,
		final long mostStack) throws IOException
	{
		final TiffDirectory first = pages.get(0);
		final long compression = first.number(COMPRESSION, 1), samples = first.number(SAMPLES, 1), bits = first.number(BITS, 1);
		final boolean fax = compression >= 2 && compression <= 4, jpeg = compression == 6 || compression == 7;
		if (!fax && !jpeg || bits != (fax ? 1 : 8) || first.number(FORMAT, 1) != 1 || fax && samples != 1)
			throw new InputDataException("its compression is of kind " + compression + " with " + samples + "x" + bits
				+ " bit, which is not supported: save it without compression, or with LZW or Deflate");
		if ((long) width * height > MOST_DECODED) throw new InputDataException("it is compressed, and a plane of " + width + "x" + height
			+ " pixels is too large for that: save it without compression in strips, or as OME-Zarr");
		// before memory is allocated for missing pixels: a block of 8x8 pixels takes a bit in JPEG, a row a bit in fax
		if ((long) width * height / (jpeg ? 512 : 8L * width) > channel.size()) throw new EOFException("it has " + channel.size()
			+ " bytes, too few for " + text(first));
		final boolean disk = pages.size() > 1 && samples == 1 && bits * width * height * pages.size() / 8 > mostStack;
		final Stack stack = stack(name, first, pages.size(), width, height);
		final ImageReader reader = ImageIO.getImageReadersByFormatName("tiff").next();
		// a file on the disk stays open until the program ends
		final ImageInputStream in = ImageIO.createImageInputStream(file.toFile());
		try {
			reader.setInput(in);
			final PageReader decoder = i -> {
				final List<Object> planes = new ArrayList<>();
				synchronized (reader) {
					ImageFiles.plane(page(reader, i), 0, planes);
				}
				return planes;
			};
			return disk ? onDisk(name, stack, PixelType.U8, decoder) : inMemory(name, stack, PixelType.U8, decoder);
		}
		finally {
			if (!disk) in.close();
		}
	}

	/** Red, green and blue, one after the other, in uncompressed strips: ImageJ writes RGB stacks so, all after a single page. */
	private static InputImage colours(final String name, final Planes p) throws IOException {
		final int images = Math.max(p.pages.size(), p.first().contiguousImages());
		if (p.pixels() > p.channel.size() / images / (3 * p.type.bytes) || 3 * p.pixels() > MOST_PLANE / p.type.bytes)
			throw new EOFException("it has " + p.channel.size() + " bytes, which do not suit " + images + " of " + text(p.first()));
		return inMemory(name, stack(name, p.first(), images, p.width, p.height), p.type, i -> {
			final Object all = p.wide(3).rows(i, 0, p.height);
			return IntStream.range(0, 3).mapToObj(c -> every(all, 3, c)).toList();
		});
	}

	/** Every {@code step}th value of an array of bytes or shorts, from index {@code from} on. */
	private static Object every(final Object all, final int step, final int from) {
		if (all instanceof byte[]) {
			final byte[] a = (byte[]) all, v = new byte[a.length / step];
			for (int i = 0; i < v.length; i++) v[i] = a[step * i + from];
			return v;
		}
		final short[] a = (short[]) all, v = new short[a.length / step];
		for (int i = 0; i < v.length; i++) v[i] = a[step * i + from];
		return v;
	}

	private interface PageReader {

		/** The planes of a page: one, or those of red, green and blue. */
		List<Object> read(int page) throws IOException;
	}

	/** An image whose pages are all read. */
	private static InputImage inMemory(final String name, final Stack stack, final PixelType type, final PageReader pages)
		throws IOException {
		final List<Object> planes = new ArrayList<>();
		for (final int page : stack.order) planes.addAll(pages.read(page));
		final boolean colour = planes.size() > stack.order.length;
		if (colour && stack.size[2] > 1) throw new InputDataException("it has " + stack.size[2]
			+ " channels of RGB pixels: save its channels as gray images");
		final long[] size = stack.size.clone();
		if (colour) size[2] = 3;
		return ImageFiles.inMemory(name, planes, type, size, stack.calibration, colour);
	}

	/** An image whose bands of rows are read when they are used. */
	private static InputImage bands(final String name, final Path file, final Planes planes, final Stack stack) throws IOException {
		// stays open until the program ends
		final Planes open = planes.of(FileChannel.open(file));
		return ImageFiles.onDisk(name, open.type, stack.size, stack.calibration,
			(plane, y, rows) -> open.rows(stack.order[(int) plane], y, rows));
	}

	/**
	 * The order of the planes of a file in channels, slices and frames.
	 *
	 * @param size the extents along x, y, c, z, t
	 * @param order the index in the file of each plane, channels first, then slices, then frames
	 */
	private record Stack(long[] size, int[] order, Calibration calibration) {

		/** The index in the file of the plane at a position along the axes of the image. */
		int plane(final long[] position) {
			final long[] extents = ImageFiles.extents(size);
			int plane = 0;
			for (int d = extents.length - 1; d >= 2; d--) plane = (int) (plane * extents[d] + position[d]);
			return order[plane];
		}
	}

	/** The order of planes that the description states. */
	private static Stack stack(final String name, final TiffDirectory first, final int n, final int width, final int height)
		throws InputDataException {
		final OmePages ome = OmePages.of(first.description(),
			name.substring(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1), width, height, n,
			first.number(SAMPLES, 1));
		final Properties lines = Calibration.description(first.description());
		int c = (int) Calibration.number(lines, "channels", 1), z = (int) Calibration.number(lines, "slices", 1),
			t = (int) Calibration.number(lines, "frames", 1);
		if ((long) c * z * t != n || c < 1 || z < 1 || t < 1) {
			c = t = 1;
			z = n;
		}
		final int channels = c, slices = z;
		final boolean slicesFirst = "zct".equals(lines.getProperty("order", "").trim());
		final int[] order = IntStream.range(0, n)
			.map(i -> slicesFirst ? i / channels % slices + slices * (i % channels + channels * (i / channels / slices)) : i).toArray();
		final long unit = first.number(RESOLUTION_UNIT, 2);
		final double dotsPerInch = 1 / first.pixelSize(X_RESOLUTION);
		// many programs write 72 dots per inch without a calibration
		final boolean calibrated = unit == 3 || unit == 2 && first.pixelSize(X_RESOLUTION) != 1 && dotsPerInch != 72;
		final Calibration calibration = Calibration.of(lines, first.pixelSize(X_RESOLUTION), first.pixelSize(Y_RESOLUTION),
			!calibrated ? null : unit == 3 ? "cm" : "inch");
		if (ome != null) return new Stack(new long[] { width, height, ome.channels(), ome.slices(), ome.frames() }, ome.order(),
			ome.calibration() == null ? calibration : ome.calibration());
		return new Stack(new long[] { width, height, c, z, t }, order, calibration);
	}

	/** Whether the pixels are whole bytes in uncompressed strips, gray or with three colours. */
	private static boolean plain(final TiffDirectory page) {
		final long samples = page.number(SAMPLES, 1);
		return page.number(COMPRESSION, 1) == 1 && !page.has(TILE_WIDTH) && page.number(BITS, 1) >= 8 && page.number(FILL_ORDER, 1) != 2
			&& (samples == 1 || samples == 3 && page.number(PLANAR, 1) != 2);
	}

	/** A stack whose planes are read when they are used. */
	private static InputImage onDisk(final String name, final Stack stack, final PixelType type, final PageReader pages) {
		final long[] size = ImageFiles.extents(stack.size);
		final int[] cell = new int[size.length];
		Arrays.fill(cell, 1);
		cell[0] = (int) size[0];
		cell[1] = (int) size[1];
		return new InputImage(name, DiskImage.of(name, type, size, cell, (min, extents) -> pages.read(stack.plane(min)).get(0)),
			ImageFiles.axes(stack.size), stack.calibration);
	}

	private static BufferedImage page(final ImageReader reader, final int i) throws IOException {
		try {
			return ImageFiles.whole(reader, i);
		}
		catch (final IIOException | RuntimeException e) {
			throw ImageFiles.damaged(e);
		}
	}

	private static int side(final long pixels) throws IOException {
		if (pixels < 1 || pixels > Integer.MAX_VALUE) throw new InputDataException("a side of " + pixels + " pixels");
		return (int) pixels;
	}

	private static String type(final TiffDirectory page) {
		return page.number(SAMPLES, 1) + "x" + page.number(BITS, 1) + "/" + page.number(FORMAT, 1) + "/" + page.number(PHOTOMETRIC, 1);
	}

	private static String text(final TiffDirectory page) {
		return page.number(WIDTH, 0) + "x" + page.number(HEIGHT, 0) + " with " + page.number(SAMPLES, 1) + "x"
			+ page.number(BITS, 1) + " bit";
	}
}
