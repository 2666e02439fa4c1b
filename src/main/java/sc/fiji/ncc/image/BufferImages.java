package sc.fiji.ncc.image;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Collections;

import net.imglib2.FinalInterval;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.img.basictypeaccess.nio.ByteBufferAccess;
import net.imglib2.img.basictypeaccess.nio.DoubleBufferAccess;
import net.imglib2.img.basictypeaccess.nio.FloatBufferAccess;
import net.imglib2.img.basictypeaccess.nio.IntBufferAccess;
import net.imglib2.img.basictypeaccess.nio.ShortBufferAccess;
import net.imglib2.util.Intervals;
import net.imglib2.view.Views;

import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Size;

/** Images whose pixels lie in a buffer outside the heap. */
public final class BufferImages {

	private BufferImages() {}

	/**
	 * An image that shares the memory of a buffer.
	 *
	 * @param size the extents in pixels
	 * @param bytes the pixels from position 0 on, x fastest, in the machine's byte order
	 * @return an image of ImgLib2's type of the same name
	 */
	public static RandomAccessibleInterval<?> of(final PixelType type, final long[] size, final ByteBuffer bytes) {
		// a duplicate has a position of its own
		final ByteBuffer all = bytes.duplicate().clear().limit((int) Intervals.numElements(size) * type.bytes).order(ByteOrder.nativeOrder());
		switch (type) {
			case U8: return ArrayImgs.unsignedBytes(new ByteBufferAccess(all, true), size);
			case S8: return ArrayImgs.bytes(new ByteBufferAccess(all, true), size);
			case U16: return ArrayImgs.unsignedShorts(new ShortBufferAccess(all.asShortBuffer(), true), size);
			case S16: return ArrayImgs.shorts(new ShortBufferAccess(all.asShortBuffer(), true), size);
			case U32: return ArrayImgs.unsignedInts(new IntBufferAccess(all.asIntBuffer(), true), size);
			case S32: return ArrayImgs.ints(new IntBufferAccess(all.asIntBuffer(), true), size);
			case F32: return ArrayImgs.floats(new FloatBufferAccess(all.asFloatBuffer(), true), size);
			default: return ArrayImgs.doubles(new DoubleBufferAccess(all.asDoubleBuffer(), true), size);
		}
	}

	/** An image of zeros that takes no memory, of one channel or of several that are correlated together. */
	public static RandomAccessibleInterval<?> blank(final PixelType type, final Size size, final int channels) {
		final long[] one = new long[size.dimensions()];
		Arrays.fill(one, 1);
		final RandomAccessibleInterval<?> zeros = Views.interval(Views.extendBorder(of(type, one, ByteBuffer.allocate(type.bytes))),
			new FinalInterval(size.toArray()));
		return channels == 1 ? zeros : JointImage.of(Collections.nCopies(channels, zeros));
	}
}
