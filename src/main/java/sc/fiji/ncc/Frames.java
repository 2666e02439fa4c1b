package sc.fiji.ncc;

import java.util.AbstractList;
import java.util.List;

import net.imglib2.RandomAccessibleInterval;

/** Images one after the other, for streams. Any Iterable of images of one size will do; here are those that stacks are made of. */
public final class Frames {

	private Frames() {}

	/**
	 * The frames of a stack, in its order, lower dimensions first. Nothing is read.
	 *
	 * @param stack its dimensions from {@code dimensions} on are frames
	 * @param dimensions of a frame
	 * @throws IllegalArgumentException if the stack has fewer
	 */
	public static List<RandomAccessibleInterval<?>> of(final RandomAccessibleInterval<?> stack, final int dimensions) {
		if (stack.numDimensions() < dimensions || dimensions < 1)
			throw new IllegalArgumentException("frames of " + dimensions + " dimensions of an image of " + stack.numDimensions());
		final int count = Math.toIntExact(SlidingOp.frames(dimensions, stack.dimensionsAsLongArray()));
		return new AbstractList<>() {

			@Override
			public RandomAccessibleInterval<?> get(final int index) {
				if (index < 0 || index >= count) throw new IndexOutOfBoundsException("frame " + index + " of " + count);
				return SlidingOp.frame(stack, dimensions, index);
			}

			@Override
			public int size() {
				return count;
			}
		};
	}
}
