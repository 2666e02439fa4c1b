package sc.fiji.ncc;

import java.nio.Buffer;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.util.Intervals;

import sc.fiji.ncc.plan.PixelType;

/**
 * Holds one frame after the other in one array: a source is read in order by one thread, each pixel once, and may use its own image again. Frames that
 * are too large are read where they lie.
 */
final class FrameBuffer {

	private final PixelType type;
	private final long[] size;
	/** Null if frames stay where they lie. */
	private final Buffer pixels;

	/** @param most bytes */
	FrameBuffer(final PixelType type, final long[] size, final long most) {
		this.type = type;
		this.size = size;
		pixels = holds(type, size, most) ? type.allocate((int) Intervals.numElements(size)) : null;
	}

	static boolean holds(final PixelType type, final long[] size, final long most) {
		final long n = Intervals.numElements(size);
		return n <= Integer.MAX_VALUE - 8 && n * type.bytes <= most;
	}

	/** The frame's pixels, until this is called again. */
	RandomAccessibleInterval<?> hold(final RandomAccessibleInterval<?> frame) {
		if (pixels == null) return frame;
		final int[] extents = new int[size.length];
		for (int d = 0; d < extents.length; d++) extents[d] = (int) size[d];
		ImagePixels.of(frame).read(new long[size.length], extents, pixels);
		final Object array = pixels.array();
		switch (type) {
			case U8: return ArrayImgs.unsignedBytes((byte[]) array, size);
			case S8: return ArrayImgs.bytes((byte[]) array, size);
			case U16: return ArrayImgs.unsignedShorts((short[]) array, size);
			case S16: return ArrayImgs.shorts((short[]) array, size);
			case U32: return ArrayImgs.unsignedInts((int[]) array, size);
			case S32: return ArrayImgs.ints((int[]) array, size);
			case F32: return ArrayImgs.floats((float[]) array, size);
			default: return ArrayImgs.doubles((double[]) array, size);
		}
	}
}
