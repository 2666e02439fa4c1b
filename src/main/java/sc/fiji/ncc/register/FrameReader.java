package sc.fiji.ncc.register;


import net.imglib2.RandomAccessibleInterval;
import net.imglib2.type.numeric.RealType;
import net.imglib2.util.Intervals;
import net.imglib2.view.Views;

import sc.fiji.ncc.image.ImagePixels;
import sc.fiji.ncc.image.JointImage;
import sc.fiji.ncc.plan.shift.ShiftExecution.Frame;
import sc.fiji.ncc.plan.Size;

/** Reads frames for the measurement of shifts. */
public final class FrameReader {

	private FrameReader() {}

	/** The extents along x, y and z; 1 for a dimension that the image does not have. */
	public static int[] extents(final RandomAccessibleInterval<?> image) {
		JointImage.requireOneChannel("image to register", image);
		final int n = image.numDimensions();
		if (n < 1 || n > 3) throw new IllegalArgumentException("an image of " + n + " dimensions cannot be registered: give one of 2 or 3");
		final int[] size = { 1, 1, 1 };
		if (Intervals.numElements(image) > Integer.MAX_VALUE / 4) throw new IllegalArgumentException("an image of " + Size.of(image.dimensionsAsLongArray())
			+ " is too large to register as a whole: register a region of it");
		for (int d = 0; d < n; d++) size[d] = (int) image.dimension(d);
		return size;
	}

	/** @param mask 0 for pixels that do not count, as many as the image has; null if all count */
	public static Frame frame(final RandomAccessibleInterval<?> image, final boolean[] mask) {
		extents(image);
		return new Frame(ImagePixels.of(image), mask);
	}

	/** The refusal of an image whose pixels are all equal. */
	public static IllegalArgumentException flat(final String what, final RandomAccessibleInterval<?> image, final boolean masked) {
		return new IllegalArgumentException("the " + what + " of " + Size.of(image.dimensionsAsLongArray()) + " is flat: all its pixels" + (masked ? " under the mask" : "")
			+ " are equal, so its correlation is undefined; give an image with contrast");
	}

	/**
	 * Reads a mask: pixels of 0 do not count, all others do.
	 *
	 * @param what the name of the mask, for messages
	 * @throws IllegalArgumentException if it has another size than the image, or all its pixels are 0
	 */
	public static boolean[] mask(final RandomAccessibleInterval<?> mask, final long[] size, final String what) {
		final Size given = Size.of(mask.dimensionsAsLongArray()), needed = Size.of(size);
		if (!given.equals(needed)) throw new IllegalArgumentException("the " + what + " is " + given + ", and the image is " + needed + ": give one value for each pixel");
		if (!(mask.getType() instanceof RealType)) throw new IllegalArgumentException("the " + what + " has pixels of " + mask.getType().getClass().getSimpleName()
			+ ": give an image of numbers");
		final boolean[] counts = new boolean[(int) given.pixels()];
		boolean any = false;
		int i = 0;
		for (final Object pixel : Views.flatIterable(mask)) any |= counts[i++] = ((RealType<?>) pixel).getRealDouble() != 0;
		if (!any) throw new IllegalArgumentException("the " + what + " of " + given + " is 0 everywhere: give at least one pixel another value");
		return counts;
	}
}
