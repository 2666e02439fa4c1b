package sc.fiji.ncc.cli.map;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.converter.Converters;
import net.imglib2.img.Img;
import net.imglib2.type.NativeType;
import net.imglib2.type.numeric.IntegerType;
import net.imglib2.type.numeric.RealType;
import net.imglib2.type.numeric.integer.UnsignedByteType;
import net.imglib2.type.numeric.integer.UnsignedShortType;
import net.imglib2.type.numeric.real.DoubleType;
import net.imglib2.type.numeric.real.FloatType;
import net.imglib2.util.Intervals;

import sc.fiji.ncc.cli.output.Outputs;
import sc.fiji.ncc.cli.picture.Calibration;
import sc.fiji.ncc.cli.picture.Picture;
import sc.fiji.ncc.cli.picture.ZarrPictures;
import sc.fiji.ncc.drawing.Drawing;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Size;

/** Writes a correlation image, or a convolved one: as floats or doubles, and as the picture from 0 to 255 that the eye can read. */
public final class MapWriter {

	private final long[] size;
	private final String axes;
	private final int bytes;
	private final boolean png, coefficients;

	/**
	 * Finds out before the work begins whether its result can be written.
	 *
	 * @param size responses along each dimension of the image, in the order of {@code axes}
	 * @param axes as in {@link Picture}
	 * @param map name of the map, which must end in .tif, .tiff or .zarr
	 * @param picture name of the picture, which must end in .tif, .tiff or .png; null for none
	 * @param precision of the responses
	 * @param coefficients see {@link TiffWriter#TiffWriter}
	 * @throws IllegalArgumentException if a file cannot hold it
	 */
	public MapWriter(final long[] size, final String axes, final String map, final String picture, final Precision precision, final boolean coefficients) {
		this.coefficients = coefficients;
		bytes = precision == Precision.SINGLE ? 4 : 8;
		this.size = size;
		this.axes = axes;
		if (!tiff(map) && !ZarrPictures.isZarr(map))
			throw new IllegalArgumentException("the map " + map + " is of no kind that is written: let its name end in .tif, or in .zarr for a folder");
		png = picture != null && picture.toLowerCase(Locale.ROOT).endsWith(".png");
		if (picture != null && !png && !tiff(picture))
			throw new IllegalArgumentException("the picture " + picture + " is of no kind that is written: let its name end in .png, or .tif for several planes");
		if (Arrays.stream(size).anyMatch(s -> s < 1)) throw new IllegalArgumentException("a map without responses");
		if (!ZarrPictures.isZarr(map) && Math.max(size[0], size[1]) > Integer.MAX_VALUE) throw new IllegalArgumentException("the map " + map + " would be " + Size.of(size)
			+ ", and a TIFF file has at most " + Integer.MAX_VALUE + " pixels along a side: let its name end in .zarr, or take a part with --search");
		if (png && size.length > 2)
			throw new IllegalArgumentException("the picture " + picture + " can hold one plane, and the map is " + Size.of(size)
				+ ": let its name end in .tif for a stack, or leave --picture out");
	}

	/** Bytes of a map of this size, as a file or as a folder, and of its picture; about, since what stands around the pixels does not count. */
	public static double bytes(final long[] size, final Precision precision, final boolean picture) {
		return Arrays.stream(size).asDoubleStream().reduce(precision.bytes + (picture ? 1 : 0), (a, b) -> a * b);
	}

	public static boolean tiff(final String name) {
		final String lower = name.toLowerCase(Locale.ROOT);
		return lower.endsWith(".tif") || lower.endsWith(".tiff");
	}

	private TiffWriter writer(final int bytes, final Calibration calibration) {
		return tiff(size, axes, bytes, calibration, coefficients);
	}

	/** What writes a picture whose dimensions stand in the order of {@code axes}. */
	static TiffWriter tiff(final long[] size, final String axes, final int bytes, final Calibration calibration, final boolean coefficients) {
		final long[] inFile = size.clone();
		String order = axes;
		if (axes.startsWith("xyzc")) {
			inFile[2] = size[3];
			inFile[3] = size[2];
			order = "xycz" + axes.substring(4);
		}
		return new TiffWriter(inFile, order, bytes, calibration, coefficients);
	}

	/**
	 * @param origin where the map's first pixel lies in the image
	 * @param of the image's calibration
	 * @param map as promised
	 * @param picture as promised; null for none
	 */
	public void write(final Img<? extends RealType<?>> responses, final long[] origin, final Calibration of, final Outputs outputs, final Path map, final Path picture)
		throws IOException
	{
		if (!Arrays.equals(size, Intervals.dimensionsAsLongArray(responses)))
			throw new IllegalStateException("a map of " + Size.of(Intervals.dimensionsAsLongArray(responses)) + " where " + Size.of(size) + " was foreseen");
		final Calibration calibration = cropped(of, axes, origin);
		if (bytes == 4) write(inFile(responses, new FloatType()), calibration, outputs, map, picture);
		else write(inFile(responses, new DoubleType()), calibration, outputs, map, picture);
	}

	private <T extends RealType<T> & NativeType<T>> void write(final RandomAccessibleInterval<T> pixels, final Calibration calibration,
		final Outputs outputs, final Path map, final Path picture) throws IOException
	{
		try (OutputStream out = outputs.open(map)) {
			writer(bytes, calibration).write(pixels, out);
		}
		if (picture == null) return;
		final RandomAccessibleInterval<UnsignedByteType> gray = grays(pixels);
		try (OutputStream out = outputs.open(picture)) {
			if (png) Drawing.png(gray, out);
			else writer(1, calibration).write(gray, out);
		}
	}

	/**
	 * Writes which template each response of the map is of.
	 *
	 * @param numbers of unsigned 8 or 16 bits, the map's size
	 * @param file as promised
	 */
	public void writeNumbers(final Img<? extends IntegerType<?>> numbers, final long[] origin, final Calibration of, final Outputs outputs, final Path file)
		throws IOException
	{
		try (OutputStream out = outputs.open(file)) {
			if (numbers.firstElement() instanceof UnsignedByteType) writer(1, cropped(of, axes, origin)).write(inFile(numbers, new UnsignedByteType()), out);
			else writer(2, cropped(of, axes, origin)).write(inFile(numbers, new UnsignedShortType()), out);
		}
	}

	@SuppressWarnings("unchecked") // the caller has looked
	private <T extends NativeType<T>> RandomAccessibleInterval<T> inFile(final Img<?> numbers, final T type) {
		return Picture.fileOrder((Img<T>) numbers, axes);
	}

	/** The calibration of a map that begins at {@code origin}. */
	static Calibration cropped(final Calibration of, final String axes, final long[] origin) {
		final int z = axes.indexOf('z');
		return of.crop(origin[0], origin[1], z < 0 ? 0 : origin[z]);
	}

	/** A map of coefficients as the eye can read it. */
	private static <T extends RealType<T>> RandomAccessibleInterval<UnsignedByteType> grays(final RandomAccessibleInterval<T> map) {
		return Converters.convert(map, (r, g) -> g.set(gray(r.getRealFloat())), new UnsignedByteType());
	}

	/**
	 * Writes the picture of one frame's map: a PNG file of a plane, a TIFF stack of a volume.
	 *
	 * @param map of floats or doubles, of two or three dimensions
	 */
	@SuppressWarnings("unchecked") // as said
	static <T extends RealType<T>> void writePicture(final Img<? extends RealType<?>> map, final OutputStream to) throws IOException {
		final RandomAccessibleInterval<UnsignedByteType> gray = grays((RandomAccessibleInterval<T>) map);
		if (map.numDimensions() == 2) Drawing.png(gray, to);
		else tiff(map.dimensionsAsLongArray(), "xyz", 1, Calibration.NONE, false).write(gray, to);
	}

	/** 0 for a coefficient of 0 and below, and where there is none; 255 for 1. */
	public static int gray(final float r) {
		return r > 0 ? Math.min(255, Math.round(255 * r)) : 0;
	}
}
