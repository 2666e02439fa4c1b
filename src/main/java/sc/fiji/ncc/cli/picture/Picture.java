package sc.fiji.ncc.cli.picture;

import net.imglib2.Interval;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.util.Intervals;
import net.imglib2.view.Views;

import sc.fiji.ncc.front.Axes;
import sc.fiji.ncc.front.WholeNumbers;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.store.OmeZarr;

/**
 * A picture as it was read, or as it is read where its pixels are used.
 *
 * @param name as the user wrote it
 * @param pixels one value a pixel, first pixel at zero
 * @param axes one letter a dimension: x, y, then those of c, z, t that have more than one position
 * @param calibration how the pixels lie in the world
 * @param zarr the folder that it comes from; null if it is a file
 */
public record Picture(String name, RandomAccessibleInterval<?> pixels, String axes, Calibration calibration, OmeZarr zarr) {

	/** One from a file. */
	public Picture(final String name, final RandomAccessibleInterval<?> pixels, final String axes, final Calibration calibration) {
		this(name, pixels, axes, calibration, null);
	}

	/** The extents, for messages: {@code 384x303}. */
	public String size() {
		return Size.of(pixels.dimensionsAsLongArray()).toString();
	}

	/**
	 * This picture with the spatial dimensions first, as a template of so many dimensions needs it: with three, the third is z, or the
	 * only one that there is beyond x and y.
	 *
	 * @throws IllegalArgumentException if there is no third spatial dimension, or several may be meant
	 */
	public Picture spatialFirst(final int dimensions) {
		if (dimensions < 3) return this;
		final int third = Axes.third(axes, name + ", " + size() + ",");
		if (third == 2) return this;
		return new Picture(name, Views.moveAxis(pixels, third, 2), "xyz" + axes.substring(2).replace("z", ""), calibration, zarr);
	}

	/** The order that files keep: x, y, c, z, t. Undoes {@link #spatialFirst}. */
	public static <T> RandomAccessibleInterval<T> fileOrder(final RandomAccessibleInterval<T> pixels, final String axes) {
		return axes.startsWith("xyzc") ? Views.moveAxis(pixels, 2, 3) : pixels;
	}

	/**
	 * Cuts a template out of the first frame.
	 *
	 * @param box x, y, w, h or x, y, z, w, h, d in pixels
	 * @throws IllegalArgumentException if it is empty or leaves the picture
	 */
	public RandomAccessibleInterval<?> cut(final WholeNumbers box) {
		final Interval region = box.region("the region ");
		final int n = region.numDimensions();
		final RandomAccessibleInterval<?> frame = spatialFirst(n).frame(0, n);
		if (!Intervals.contains(frame, region)) throw new IllegalArgumentException("the region " + box + " is not inside " + name + ", which is "
			+ Size.of(frame.dimensionsAsLongArray()) + ": give " + (n == 2 ? "x,y,w,h" : "x,y,z,w,h,d") + " inside it, in pixels counted from 0");
		return Views.zeroMin(Views.interval(frame, region));
	}

	/** The positions beyond the first {@code dimensions} ones, counted as one. */
	public long frames(final int dimensions) {
		long n = 1;
		for (int d = dimensions; d < pixels.numDimensions(); d++) n *= pixels.dimension(d);
		return n;
	}

	/** One of {@link #frames}, the lowest dimension counted first. */
	public RandomAccessibleInterval<?> frame(final long index, final int dimensions) {
		RandomAccessibleInterval<?> p = pixels;
		long rest = index;
		final long[] position = new long[pixels.numDimensions()];
		for (int d = dimensions; d < position.length; d++) {
			position[d] = rest % pixels.dimension(d);
			rest /= pixels.dimension(d);
		}
		for (int d = position.length - 1; d >= dimensions; d--) p = Views.hyperSlice(p, d, position[d]);
		return p;
	}

	/** The pixels in all. */
	long count() {
		return Intervals.numElements(pixels);
	}
}
