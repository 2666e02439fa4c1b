package sc.fiji.ncc.cli.map;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.converter.Converters;
import net.imglib2.img.Img;
import net.imglib2.type.numeric.IntegerType;
import net.imglib2.type.numeric.RealType;
import net.imglib2.type.numeric.integer.UnsignedByteType;
import net.imglib2.util.Intervals;

import sc.fiji.ncc.cli.input.InputImage;
import sc.fiji.ncc.cli.input.ZarrImages;
import sc.fiji.ncc.cli.output.Outputs;
import sc.fiji.ncc.drawing.Drawing;
import sc.fiji.ncc.front.Calibration;
import sc.fiji.ncc.image.ImagePixels;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.ResponseType;
import sc.fiji.ncc.plan.Size;

/** Writes a correlation map or a convolved image to a TIFF or MRC file. Also writes correlation maps as 8-bit pictures. */
public final class MapWriter {

	private final long[] size;
	private final String axes;
	private final boolean png, pgm, coefficients;

	/**
	 * Checks before anything is computed whether the result can be written.
	 *
	 * @param size the size of the map, in the order of {@code axes}
	 * @param axes the axes, as in {@link InputImage}
	 * @param map the name of the map, which must end as {@link StackWriter#writes} accepts
	 * @param picture the name of the picture, which must end in .tif, .tiff, .png or .pgm; null for no picture
	 * @param type the type of the pixels of the map
	 * @param coefficients see {@link TiffWriter#TiffWriter}
	 * @throws IllegalArgumentException if a file format cannot hold the map or the picture
	 */
	public MapWriter(final long[] size, final String axes, final String map, final String picture, final PixelType type, final boolean coefficients) {
		this.coefficients = coefficients;
		this.size = size;
		this.axes = axes;
		if (!StackWriter.writes(map)) throw new IllegalArgumentException("the format of the map " + map + " is not supported: give a name that ends in "
			+ (coefficients && type.integer ? ".tif" : PlaneFile.ENDINGS) + ", or in .zarr for a folder");
		png = picture != null && picture.toLowerCase(Locale.ROOT).endsWith(".png");
		pgm = picture != null && picture.toLowerCase(Locale.ROOT).endsWith(".pgm");
		if (picture != null && !png && !pgm && !PlaneFile.isTiff(picture))
			throw new IllegalArgumentException("the format of --picture " + picture
				+ " is not supported: give a name that ends in .png or .pgm, or in .tif for several planes");
		if (Arrays.stream(size).anyMatch(s -> s < 1)) throw new IllegalArgumentException("a map without responses");
		// refuses maps that the format cannot hold
		if (MrcWriter.isMrc(map)) {
			if (coefficients && type.integer) throw new IllegalArgumentException("an MRC file cannot say what the numbers of " + ResponseType.of(type)
				+ " responses stand for: give a name that ends in .tif or .zarr, or choose float responses");
			file(map, size, axes, type, Calibration.NONE, coefficients);
		}
		else if (!ZarrImages.isZarr(map) && Math.max(size[0], size[1]) > Integer.MAX_VALUE) throw new IllegalArgumentException("the map " + map
			+ " would be " + Size.of(size)
			+ ", and a TIFF file has at most " + Integer.MAX_VALUE + " pixels along a side: give a name that ends in .zarr, or compute a part with --search");
		if ((png || pgm) && size.length > 2)
			throw new IllegalArgumentException("--picture " + picture + " holds one plane, and the map is " + Size.of(size)
				+ ": give a name that ends in .tif, or leave --picture out");
	}

	/** The bytes of the pixels of a map, and of its picture. Metadata are not counted. */
	public static double bytes(final long[] size, final PixelType type, final boolean picture) {
		return Arrays.stream(size).asDoubleStream().reduce(type.bytes + (picture ? 1 : 0), (a, b) -> a * b);
	}

	/** The layout of the file of an image whose dimensions are in the order of {@code axes}. */
	static PlaneFile file(final String name, final long[] size, final String axes, final PixelType type, final Calibration calibration,
		final boolean coefficients) {
		final long[] inFile = size.clone();
		String order = axes;
		if (axes.startsWith("xyzc")) {
			inFile[2] = size[3];
			inFile[3] = size[2];
			order = "xycz" + axes.substring(4);
		}
		return PlaneFile.of(name, inFile, order, type, calibration, coefficients);
	}

	/**
	 * Writes a map and its picture.
	 *
	 * @param origin the position of the map's first pixel in the image, in pixels
	 * @param of the calibration of the image
	 * @param map the reserved file of the map
	 * @param picture the reserved file of the picture; null for no picture
	 */
	public void write(final Img<? extends RealType<?>> responses, final long[] origin, final Calibration of, final Outputs outputs,
		final Path map, final Path picture)
		throws IOException
	{
		if (!Arrays.equals(size, Intervals.dimensionsAsLongArray(responses)))
			throw new IllegalStateException("a map of " + Size.of(Intervals.dimensionsAsLongArray(responses)) + " where " + Size.of(size) + " was expected");
		final Calibration calibration = cropped(of, axes, origin);
		write(responses, calibration, coefficients, outputs, map);
		if (picture == null) return;
		final RandomAccessibleInterval<UnsignedByteType> gray = grays(responses);
		if (png) outputs.bytes(picture, to -> Drawing.png(gray, to));
		else if (pgm) outputs.bytes(picture, to -> Drawing.pgm(gray, to));
		else write(gray, calibration, false, outputs, picture);
	}

	/** Writes an image of the size of the map in its pixel type. */
	private void write(final RandomAccessibleInterval<?> pixels, final Calibration calibration, final boolean range, final Outputs outputs, final Path file)
		throws IOException
	{
		outputs.bytes(file, to -> file(file.toString(), size, axes, ImagePixels.type(pixels), calibration, range)
			.write(InputImage.fileOrder(pixels, axes), to));
	}

	/**
	 * Writes the number of the best template at each lag.
	 *
	 * @param numbers the numbers, of unsigned 8 or 16 bits, in the size of the map
	 * @param origin the position of the map's first pixel in the image, in pixels
	 * @param of the calibration of the image
	 * @param file the reserved file
	 */
	public void writeNumbers(final Img<? extends IntegerType<?>> numbers, final long[] origin, final Calibration of, final Outputs outputs, final Path file)
		throws IOException
	{
		write(numbers, cropped(of, axes, origin), false, outputs, file);
	}

	/** The calibration of a map whose first pixel lies at {@code origin}. */
	static Calibration cropped(final Calibration of, final String axes, final long[] origin) {
		final int z = axes.indexOf('z');
		return of.crop(origin[0], origin[1], z < 0 ? 0 : origin[z]);
	}

	/** A map of coefficients in 8 bits. */
	@SuppressWarnings("unchecked") // maps are of real numbers
	private static <T extends RealType<T>> RandomAccessibleInterval<UnsignedByteType> grays(final RandomAccessibleInterval<? extends RealType<?>> map) {
		final ResponseType type = ResponseType.of(ImagePixels.type(map));
		return Converters.convert((RandomAccessibleInterval<T>) map, (r, g) -> g.set(gray(type.quantized() ? (float) type.response((int) r.getRealFloat())
			: r.getRealFloat())), new UnsignedByteType());
	}

	/**
	 * Writes the 8-bit picture of a frame's map: a PNG file for a plane, a TIFF stack for a volume.
	 *
	 * @param map the map, with two or three dimensions
	 */
	static void writePicture(final Img<? extends RealType<?>> map, final OutputStream to) throws IOException {
		final RandomAccessibleInterval<UnsignedByteType> gray = grays(map);
		if (map.numDimensions() == 2) Drawing.png(gray, to);
		else new TiffWriter(map.dimensionsAsLongArray(), "xyz", PixelType.U8, Calibration.NONE, false).write(gray, to);
	}

	/** The 8-bit value of a coefficient: 0 for 0 and below and for NaN, 255 for 1. */
	public static int gray(final float r) {
		return r > 0 ? Math.min(255, Math.round(255 * r)) : 0;
	}
}
