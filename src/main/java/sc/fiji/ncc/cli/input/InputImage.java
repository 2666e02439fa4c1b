package sc.fiji.ncc.cli.input;

import net.imglib2.Interval;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.util.Intervals;
import net.imglib2.view.Views;

import sc.fiji.ncc.front.Axes;
import sc.fiji.ncc.front.Calibration;
import sc.fiji.ncc.front.ChannelChoice;
import sc.fiji.ncc.front.WholeNumbers;
import sc.fiji.ncc.image.JointImage;
import sc.fiji.ncc.image.StackFrames;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.store.OmeZarr;

/**
 * An image that was read from a file or folder. Large images are read when their pixels are used.
 *
 * @param name the name as given on the command line
 * @param pixels one value per pixel; the first pixel is at 0
 * @param axes one letter per dimension: x, y, then those of c (channels), z (slices) and t (frames) that are longer than 1
 * @param calibration pixel sizes, units and origin
 * @param zarr the Zarr image; null if the image is a file
 * @param colour whether the channels are red, green and blue of a colour image
 */
public record InputImage(String name, RandomAccessibleInterval<?> pixels, String axes, Calibration calibration, OmeZarr zarr, boolean colour) {

	/** An image from a file. */
	public InputImage(final String name, final RandomAccessibleInterval<?> pixels, final String axes, final Calibration calibration) {
		this(name, pixels, axes, calibration, null, false);
	}

	/** The image with the chosen channels: a {@link JointImage} if they are correlated together. */
	public InputImage of(final ChannelChoice choice) {
		return with(choice.image(pixels, axes, colour, name));
	}

	/** One channel of an image with several. @param number from 1; 0 for the image as it is */
	public InputImage channel(final long number) {
		return number == 0 || axes.indexOf('c') < 0 ? this : of(ChannelChoice.of(Long.toString(number)));
	}

	/** A template with the channels that were chosen for its image. */
	public InputImage template(final ChannelChoice ofImage) {
		return with(ofImage.template(pixels, axes, colour, name));
	}

	private InputImage with(final ChannelChoice.Chosen chosen) {
		return new InputImage(name, chosen.pixels(), chosen.axes(), calibration, zarr, colour);
	}

	/** @throws IllegalArgumentException if it is a colour image */
	public InputImage gray() {
		if (colour) throw ImageFiles.colour(name, "3 samples per pixel");
		return this;
	}

	/** @throws IllegalArgumentException if this image is not of the size and the pixel type of the first one of a series */
	public InputImage like(final InputImage first) {
		if (!size().equals(first.size()) || !type().equals(first.type())) throw new IllegalArgumentException(name + " is " + size() + " of " + type() + ", and "
			+ first.name + " is " + first.size() + " of " + first.type() + ": frames must be of one size and type");
		return this;
	}

	/** The pixel type, for messages. */
	private String type() {
		return JointImage.channelsOf(pixels).get(0).getType().getClass().getSimpleName().replace("Type", "")
			+ (pixels instanceof JointImage ? " in " + JointImage.channels(pixels) + " channels" : "");
	}

	/** The size in pixels, for messages: {@code 384x303}. */
	public String size() {
		return Size.of(pixels.dimensionsAsLongArray()).toString();
	}

	/**
	 * This image with the spatial dimensions first, for a template with this number of dimensions. With three, the third is z, or else the only dimension after
	 * x and y.
	 *
	 * @throws IllegalArgumentException if there is no third spatial dimension, or it is ambiguous
	 */
	public InputImage spatialFirst(final int dimensions) {
		if (dimensions < 3) return this;
		final int third = Axes.third(axes, name + ", " + size() + ",");
		if (third == 2) return this;
		return new InputImage(name, JointImage.view(pixels, p -> Views.moveAxis(p, third, 2)), "xyz" + axes.substring(2).replace("z", ""), calibration, zarr, colour);
	}

	/** Moves the dimensions to the order of files: x, y, c, z, t. The inverse of {@link #spatialFirst}. */
	public static <T> RandomAccessibleInterval<T> fileOrder(final RandomAccessibleInterval<T> pixels, final String axes) {
		return axes.startsWith("xyzc") ? Views.moveAxis(pixels, 2, 3) : pixels;
	}

	/**
	 * One slice of all channels and frames.
	 *
	 * @param number from 1
	 * @throws IllegalArgumentException if there is no such slice
	 */
	public InputImage slice(final long number) {
		final int z = axes.indexOf('z');
		final long count = pixels.dimension(z);
		if (number > count) throw new IllegalArgumentException("--slice " + number + ": " + name + " has " + count
			+ " slices; give a number from 1 to " + count);
		return new InputImage(name, JointImage.view(pixels, p -> Views.hyperSlice(p, z, number - 1)), axes.replace("z", ""), calibration, zarr, colour);
	}

	/**
	 * Cuts a template out of the first frame.
	 *
	 * @param box x, y, w, h or x, y, z, w, h, d in pixels, counted from 0
	 * @throws IllegalArgumentException if the box is empty or not inside the image
	 */
	public RandomAccessibleInterval<?> cut(final WholeNumbers box) {
		final Interval region = box.region("the region ");
		final int n = region.numDimensions();
		final RandomAccessibleInterval<?> frame = spatialFirst(n).frame(0, n);
		if (!Intervals.contains(frame, region)) throw new IllegalArgumentException("the region " + box + " is not inside " + name + ", which is "
			+ Size.of(frame.dimensionsAsLongArray()) + ": give " + (n == 2 ? "x,y,w,h" : "x,y,z,w,h,d") + " inside it, in pixels counted from 0");
		return JointImage.view(frame, f -> Views.zeroMin(Views.interval(f, region)));
	}

	/** The number of frames: the product of the extents after the first {@code dimensions} dimensions. */
	public long frames(final int dimensions) {
		return StackFrames.count(dimensions, pixels.dimensionsAsLongArray());
	}

	/** A frame by its number, counted from 0 along the lowest dimension first. */
	public RandomAccessibleInterval<?> frame(final long index, final int dimensions) {
		return StackFrames.get(pixels, dimensions, index);
	}
}
