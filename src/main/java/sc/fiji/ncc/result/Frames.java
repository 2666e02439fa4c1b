package sc.fiji.ncc.result;

import java.util.AbstractList;
import java.util.List;
import java.util.function.IntFunction;

import net.imglib2.RandomAccessibleInterval;

import sc.fiji.ncc.image.StackFrames;
import sc.fiji.ncc.plan.Given;

/** Sequences of images for streams. A stream accepts any Iterable of images of one size; this class makes one from a stack. */
public final class Frames {

	private Frames() {}

	/**
	 * The frames of a stack, in its order, lower dimensions first. The frames are views: no pixel is copied.
	 *
	 * @param stack the image; its dimensions from index {@code dimensions} on enumerate the frames
	 * @param dimensions the number of dimensions of a frame
	 * @throws IllegalArgumentException if the stack has fewer dimensions, or {@code dimensions} is below 1
	 */
	public static List<RandomAccessibleInterval<?>> of(final RandomAccessibleInterval<?> stack, final int dimensions) {
		Given.nonNull(stack, "stack");
		if (stack.numDimensions() < dimensions || dimensions < 1)
			throw new IllegalArgumentException("cannot take frames of " + dimensions + " dimensions from an image of " + stack.numDimensions() + ": choose 1 to " + stack.numDimensions());
		return of(Math.toIntExact(StackFrames.count(dimensions, stack.dimensionsAsLongArray())), i -> StackFrames.get(stack, dimensions, i));
	}

	/**
	 * Frames that are made each time they are read.
	 *
	 * @param count the number of frames
	 * @param frame makes the frame of an index, from 0
	 */
	public static List<RandomAccessibleInterval<?>> of(final int count, final IntFunction<? extends RandomAccessibleInterval<?>> frame) {
		Given.nonNull(frame, "source of frames");
		return new AbstractList<>() {

			@Override
			public RandomAccessibleInterval<?> get(final int index) {
				if (index < 0 || index >= count) throw new IndexOutOfBoundsException("frame " + index + " of " + count);
				return frame.apply(index);
			}

			@Override
			public int size() {
				return count;
			}
		};
	}
}
