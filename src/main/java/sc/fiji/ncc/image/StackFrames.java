package sc.fiji.ncc.image;

import java.util.Arrays;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.view.Views;

import sc.fiji.ncc.plan.Size;

/** The frames of a stack: the positions along the dimensions beyond those of the template. The first of these dimensions is the fastest. */
public final class StackFrames {

	private StackFrames() {}

	/**
	 * The number of frames.
	 *
	 * @param dimensions the number of dimensions of a frame
	 * @param image the extents of the stack
	 */
	public static long count(final int dimensions, final long[] image) {
		long n = 1;
		for (int d = dimensions; d < image.length; d++) n = Math.multiplyExact(n, image[d]);
		return n;
	}

	/**
	 * One frame, as a view.
	 *
	 * @param dimensions the number of dimensions of a frame
	 * @param index of the frame, from 0
	 */
	public static RandomAccessibleInterval<?> get(final RandomAccessibleInterval<?> image, final int dimensions, final long index) {
		RandomAccessibleInterval<?> frame = image;
		long rest = index;
		for (int d = dimensions; d < image.numDimensions(); d++) {
			// each slice removes a dimension: the next one is at the same index
			final long at = image.min(d) + rest % image.dimension(d);
			frame = JointImage.view(frame, f -> Views.hyperSlice(f, dimensions, at));
			rest /= image.dimension(d);
		}
		return frame;
	}

	/**
	 * The extents of a frame.
	 *
	 * @param noun what the template is called in messages
	 * @param image the extents of the stack
	 * @throws IllegalArgumentException if the template has more dimensions than the image
	 */
	public static long[] size(final String noun, final Size template, final long[] image) {
		if (image.length < template.dimensions()) throw new IllegalArgumentException("the " + noun + " of " + template
			+ " has more dimensions than the image of " + Size.of(image) + ": choose a " + noun + " of at most " + image.length);
		return Arrays.copyOf(image, template.dimensions());
	}
}
