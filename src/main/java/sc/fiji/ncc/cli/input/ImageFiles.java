package sc.fiji.ncc.cli.input;

import java.awt.image.BufferedImage;
import java.awt.image.ColorModel;
import java.awt.image.DataBuffer;
import java.awt.image.IndexColorModel;
import java.awt.image.Raster;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

import javax.imageio.IIOException;
import javax.imageio.ImageIO;
import javax.imageio.ImageReader;
import javax.imageio.stream.ImageInputStream;

import sc.fiji.ncc.front.Calibration;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.result.NccException;
import sc.fiji.ncc.store.DiskImage;
import sc.fiji.ncc.store.InputDataException;
import sc.fiji.ncc.store.OmeZarr;
import sc.fiji.ncc.store.PlaneArrays;

/** Reads images: TIFF (see {@link TiffReader}), MRC, PGM, PNG, Zarr, and the other formats of the JDK. Pixel arrays are shared with the image, not copied. */
public final class ImageFiles {

	/** The input formats, for messages and help. */
	public static final String KINDS = "TIFF, PNG, PGM, JPEG, BMP and GIF files in gray or RGB, MRC files, and Zarr folders";

	/** The extensions of the file names, by which images of a folder are found. */
	private static final Pattern EXTENSION = Pattern.compile(".*\\.(tiff?|mrcs?|png|pgm|jpe?g|bmp|gif)", Pattern.CASE_INSENSITIVE);

	/** The bytes of a band of rows of a file that stays on the disk. */
	private static final int BAND = 1 << 20;
	/** The most colours in a table of colours. */
	static final int MOST_COLOURS = 256;
	/** The most pixels that a byte of a file stands for. Formats of the JDK stay far below it, except for images of one colour. */
	private static final int MOST_RATIO = 1 << 16;
	/** Warnings of the JDK about pixels that are made up. */
	private static final Pattern MISSING_PIXELS = Pattern.compile("truncat|premature|corrupt|missing", Pattern.CASE_INSENSITIVE);

	private ImageFiles() {}

	/** Whether a file name has the extension of an image format. */
	public static boolean isImageName(final String name) {
		return EXTENSION.matcher(name).matches();
	}

	/** @throws IllegalArgumentException if the file is missing, damaged or not readable, or has several values per pixel that are not RGB */
	public static InputImage read(final String name) {
		final Path file = path(name);
		if (!Files.isDirectory(file)) requireFile(name);
		else if (!OmeZarr.is(file)) throw new IllegalArgumentException(name + " is a folder and not a Zarr folder: give a file in it");
		try {
			return Files.isDirectory(file) ? ZarrImages.read(name, file) : decode(name, file);
		}
		catch (final EOFException e) {
			throw new IllegalArgumentException(name + " is cut off" + (e.getMessage() == null ? "" : ": " + e.getMessage())
				+ "; get a complete copy", e);
		}
		catch (final IOException e) {
			final IOException why = InputDataException.of(e);
			if (why instanceof InputDataException)
				throw new IllegalArgumentException(name + " cannot be read: " + why.getMessage() + " (input formats: " + KINDS + ")", e);
			throw new NccException(name + " cannot be read: " + FailureReason.of(e), e);
		}
	}

	/** The description in a TIFF file, such as OME-XML; null if there is none, or the file has another format. */
	public static String description(final String name) {
		final Path file = path(name);
		try {
			if (Files.isDirectory(file)) return null;
			try (InputStream in = Files.newInputStream(file)) {
				if (!isTiff(in.readNBytes(4))) return null;
			}
			return TiffReader.description(file);
		}
		catch (final IOException e) {
			throw new IllegalArgumentException(name + " cannot be read: " + FailureReason.of(e), e);
		}
	}

	private static boolean isTiff(final byte[] magic) {
		return magic.length >= 4 && (magic[0] == 'I' && magic[1] == 'I' && magic[3] == 0 || magic[0] == 'M' && magic[1] == 'M'
			&& magic[2] == 0);
	}

	/**
	 * The path of an input that is a file. Refuses pipes and devices, which have no end or can be read only once.
	 *
	 * @throws IllegalArgumentException if it is missing, not readable, or not a file
	 */
	public static Path requireFile(final String name) {
		final Path file = path(name);
		if (!Files.exists(file)) throw new IllegalArgumentException("there is no file " + name + ": check its name and folder");
		if (!Files.isRegularFile(file)) throw new IllegalArgumentException(name + " is "
			+ (Files.isDirectory(file) ? "a folder" : "a pipe or a device")
			+ ", not a file: give a file");
		if (!Files.isReadable(file)) throw new IllegalArgumentException("cannot read " + name + ": check its permissions");
		return file;
	}

	/** @throws IllegalArgumentException if the text is blank, or not a path on this system */
	public static Path path(final String name) {
		if (name.isBlank()) throw new IllegalArgumentException("'" + name + "' is not a file name: give the name of a file or folder");
		try {
			return Path.of(name);
		}
		catch (final InvalidPathException e) {
			throw new IllegalArgumentException("'" + name + "' is not a file name: " + e.getReason(), e);
		}
	}

	/** Whether a PNG file has pixels that are not opaque. They are read as if they were. False if it cannot be read. */
	public static boolean isTransparent(final String name) {
		final Path file = path(name);
		if (!name.toLowerCase(Locale.ROOT).endsWith(".png") || !Files.isRegularFile(file)) return false;
		try {
			final BufferedImage image = ImageIO.read(file.toFile());
			if (image == null || !image.getColorModel().hasAlpha()) return false;
			for (int y = 0; y < image.getHeight(); y++)
				for (final int pixel : image.getRGB(0, y, image.getWidth(), 1, null, 0, image.getWidth())) if (pixel >>> 24 != 0xff) return true;
			return false;
		}
		catch (final IOException | RuntimeException e) {
			// the reason is reported when the pixels are read
			return false;
		}
	}

	private static InputImage decode(final String name, final Path file) throws IOException {
		final byte[] magic;
		try (InputStream in = Files.newInputStream(file)) {
			magic = in.readNBytes(MrcReader.HEADER);
		}
		if (magic.length < 4) throw new InputDataException("it holds " + magic.length + " bytes");
		if (MrcReader.is(magic)) return MrcReader.read(name, file);
		if (isTiff(magic)) return TiffReader.read(name, file);
		if (magic[0] == 'P' && magic[1] >= '1' && magic[1] <= '6' && Character.isWhitespace(magic[2])) return PgmReader.read(name, file);
		return decode(name, file.toFile(), magic[0] == (byte) 0x89 ? PngChunks.requireIntact(file) : MOST_COLOURS);
	}

	/**
	 * Reads PNG and the other formats of the JDK.
	 *
	 * @param source a file, or a stream that stays open
	 * @throws IOException if the file is damaged, or its format is not supported
	 */
	public static InputImage decode(final String name, final Object source) throws IOException {
		return decode(name, source, MOST_COLOURS);
	}

	/** @param colours the number of colours in a PNG file's table: the JDK adds black ones */
	private static InputImage decode(final String name, final Object source, final int colours) throws IOException {
		final BufferedImage image;
		// by default it copies every file to a temporary file
		ImageIO.setUseCache(false);
		try (ImageInputStream stream = ImageIO.createImageInputStream(source)) {
			final Iterator<ImageReader> readers = ImageIO.getImageReaders(stream);
			if (!readers.hasNext()) throw new InputDataException("its format is not supported");
			final ImageReader reader = readers.next();
			try {
				reader.setInput(stream);
				image = whole(reader, 0);
			}
			finally {
				reader.dispose();
			}
		}
		catch (final IIOException | RuntimeException e) {
			throw damaged(e);
		}
		final List<Object> planes = new ArrayList<>();
		final PixelType type = plane(image, colours, planes);
		return inMemory(name, planes, type, new long[] { image.getWidth(), image.getHeight(), planes.size(), 1, 1 }, Calibration.NONE,
			planes.size() == 3);
	}

	/**
	 * Reads an image with the JDK.
	 *
	 * @throws EOFException if pixels are missing, for which the JDK only warns
	 */
	static BufferedImage whole(final ImageReader reader, final int i) throws IOException {
		// before memory is allocated for missing pixels
		final long bytes = ((ImageInputStream) reader.getInput()).length();
		if (bytes > 0 && (long) reader.getWidth(i) * reader.getHeight(i) / MOST_RATIO > bytes)
			throw new EOFException("it has " + bytes + " bytes, too few for " + reader.getWidth(i) + "x" + reader.getHeight(i) + " pixels");
		final List<String> warnings = new ArrayList<>();
		reader.addIIOReadWarningListener((source, warning) -> warnings.add(warning));
		final BufferedImage image = reader.read(i);
		for (final String w : warnings) if (MISSING_PIXELS.matcher(w).find()) throw new EOFException(w);
		return image;
	}

	/** The decoders of the JDK throw many kinds of exceptions on damaged data. This makes one of them. */
	static IOException damaged(final Exception e) {
		return new InputDataException("its data are damaged"
			+ (e instanceof IIOException && e.getMessage() != null ? " (" + e.getMessage() + ")" : ""), e);
	}

	static IllegalArgumentException colour(final String name, final String what) {
		return new IllegalArgumentException(name + " is a colour (RGB) image, with " + what
			+ ": convert it to gray (in ImageJ: Image > Type > 8-bit) or take one channel (Image > Color > Split Channels)");
	}

	/**
	 * Adds the values of a decoded image to the planes: one plane, or red, green and blue. Transparency is left out.
	 *
	 * @param colours the number of colours in a table of colours; 0: the values are the indices into the table, as in ImageJ's TIFF files
	 */
	static PixelType plane(final BufferedImage image, final int colours, final List<Object> planes) throws IOException {
		final Raster raster = image.getRaster();
		final ColorModel model = image.getColorModel();
		if (model instanceof IndexColorModel && colours > 0) {
			entries(raster, (IndexColorModel) model, colours, planes);
			return PixelType.U8;
		}
		if (raster.getNumBands() > 1) return bands(raster, model, planes);
		final int kind = raster.getDataBuffer().getDataType();
		planes.add(kind == DataBuffer.TYPE_BYTE ? bytes(raster, 0)
			: raster.getDataElements(0, 0, raster.getWidth(), raster.getHeight(), null));
		switch (kind) {
			case DataBuffer.TYPE_BYTE: return PixelType.U8;
			case DataBuffer.TYPE_USHORT: return PixelType.U16;
			case DataBuffer.TYPE_SHORT: return PixelType.S16;
			case DataBuffer.TYPE_INT: return PixelType.S32;
			case DataBuffer.TYPE_FLOAT: return PixelType.F32;
			default: return PixelType.F64;
		}
	}

	/** The bands of a colour image, or the gray band beside transparency. */
	private static PixelType bands(final Raster raster, final ColorModel colours, final List<Object> planes) throws InputDataException {
		final int bands = colours == null ? raster.getNumBands() : colours.getNumColorComponents();
		if (bands != 1 && bands != 3)
			throw new InputDataException("it has " + raster.getNumBands()
				+ " samples per pixel, and gray images have 1, RGB images 3: save it as RGB, or its channels as a stack");
		final int bits = raster.getSampleModel().getSampleSize(0), kind = raster.getSampleModel().getTransferType();
		if (bits > 16 || kind == DataBuffer.TYPE_FLOAT || kind == DataBuffer.TYPE_DOUBLE)
			throw new InputDataException("it has " + bands + " samples of " + bits
				+ " bits per pixel, and RGB images have 8 or 16: save its channels as a stack");
		for (int b = 0; b < bands; b++) planes.add(bits <= 8 ? bytes(raster, b) : shorts(raster, b));
		return bits <= 8 ? PixelType.U8 : PixelType.U16;
	}

	private static byte[] bytes(final Raster raster, final int band) {
		final int w = raster.getWidth(), h = raster.getHeight();
		final byte[] v = new byte[w * h];
		final int[] row = new int[w];
		// row by row, because several samples may be packed into a byte
		for (int y = 0; y < h; y++) {
			raster.getSamples(0, y, w, 1, band, row);
			for (int x = 0; x < w; x++) v[y * w + x] = (byte) row[x];
		}
		return v;
	}

	private static short[] shorts(final Raster raster, final int band) {
		final int w = raster.getWidth(), h = raster.getHeight();
		final short[] v = new short[w * h];
		final int[] row = new int[w];
		for (int y = 0; y < h; y++) {
			raster.getSamples(0, y, w, 1, band, row);
			for (int x = 0; x < w; x++) v[y * w + x] = (short) row[x];
		}
		return v;
	}

	/** The colours of a table: one plane if all are gray, otherwise red, green and blue. */
	private static void entries(final Raster raster, final IndexColorModel table, final int most, final List<Object> planes)
		throws InputDataException {
		final byte[][] colours = new byte[3][table.getMapSize()];
		table.getReds(colours[0]);
		table.getGreens(colours[1]);
		table.getBlues(colours[2]);
		final boolean gray = Arrays.equals(colours[0], colours[1]) && Arrays.equals(colours[1], colours[2]);
		final byte[] indices = bytes(raster, 0);
		final int count = Math.min(most, table.getMapSize());
		for (final byte i : indices)
			if ((i & 0xff) >= count) throw new InputDataException("a pixel has colour " + (i & 0xff)
				+ ", counted from 0, and its table has " + count + " colours");
		for (int c = 0; c < (gray ? 1 : 3); c++) {
			final byte[] v = new byte[indices.length];
			for (int i = 0; i < v.length; i++) v[i] = colours[c][indices[i] & 0xff];
			planes.add(v);
		}
	}

	/** @param size the extents along x, y, c, z, t; extents of 1 after y are left out */
	static InputImage inMemory(final String name, final List<Object> planes, final PixelType type, final long[] size,
		final Calibration calibration) {
		return inMemory(name, planes, type, size, calibration, false);
	}

	/** The same, with colours as three channels. */
	static InputImage inMemory(final String name, final List<Object> planes, final PixelType type, final long[] size,
		final Calibration calibration, final boolean colour)
	{
		return new InputImage(name, PlaneArrays.of(planes, type, extents(size)), axes(size), calibration, null, colour);
	}

	/** The letters x and y, and those of c, z, t whose extent is above 1. */
	static String axes(final long[] size) {
		final StringBuilder axes = new StringBuilder("xy");
		for (int d = 2; d < 5; d++)
			if (size[d] > 1) axes.append("xyczt".charAt(d));
		return axes.toString();
	}

	/** The extents of these axes. */
	static long[] extents(final long[] size) {
		return axes(size).chars().mapToLong(letter -> size["xyczt".indexOf(letter)]).toArray();
	}

	/** Reads rows of a plane. Several threads call it at once. */
	interface RowReader {

		/**
		 * @param plane the index of the plane: channels first, then slices, then frames
		 * @param y the first row
		 * @param rows the number of rows
		 */
		Object read(long plane, int y, int rows) throws IOException;
	}

	/** An image whose bands of rows are read when they are used. */
	static InputImage onDisk(final String name, final PixelType type, final long[] size, final Calibration calibration,
		final RowReader reader) {
		final long[] extents = extents(size);
		final int[] cell = new int[extents.length];
		Arrays.fill(cell, 1);
		cell[0] = (int) extents[0];
		cell[1] = (int) Math.max(1, Math.min(extents[1], BAND / (extents[0] * type.bytes)));
		return new InputImage(name, DiskImage.of(name, type, extents, cell, (min, part) -> {
			long plane = 0;
			for (int d = extents.length - 1; d >= 2; d--) plane = plane * extents[d] + min[d];
			return reader.read(plane, (int) min[1], part[1]);
		}), axes(size), calibration);
	}
}
