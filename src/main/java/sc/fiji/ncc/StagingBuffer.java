package sc.fiji.ncc;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.img.basictypeaccess.nio.ByteBufferAccess;
import net.imglib2.img.basictypeaccess.nio.DoubleBufferAccess;
import net.imglib2.img.basictypeaccess.nio.FloatBufferAccess;
import net.imglib2.img.basictypeaccess.nio.IntBufferAccess;
import net.imglib2.img.basictypeaccess.nio.ShortBufferAccess;
import net.imglib2.util.Intervals;

import sc.fiji.ncc.cuda.CudaBackend;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Staging;

/**
 * An image in memory outside Java's heap, from which a card takes it by itself: pinned where there is a card, plain elsewhere. Who reads pixels from a file
 * or a camera straight into {@link #bytes} saves a copy.
 *
 * <pre>
 * try (StagingBuffer staging = StagingBuffer.of(PixelType.U8, 2000, 2000)) {
 * 	while (channel.read(staging.bytes().clear()) == staging.bytes().capacity())
 * 		show(correlation.correlate(staging.image()));
 * }
 * </pre>
 *
 * A frame of a stream ({@link NormalizedCrossCorrelation#correlateEach}) may lie in one as well. Pinned memory is taken from what all programs share, and
 * getting it takes milliseconds: keep one and use it again. Once it is closed its memory is others': neither {@link #bytes} nor {@link #image} may be
 * touched then, nor while it is closed.
 */
public final class StagingBuffer implements AutoCloseable {

	private final PixelType type;
	private final long[] size;
	private final ByteBuffer bytes;
	/** Null for plain memory. */
	private final Staging staging;

	private StagingBuffer(final PixelType type, final long[] size, final ByteBuffer bytes, final Staging staging) {
		this.type = type;
		this.size = size;
		this.bytes = bytes;
		this.staging = staging;
	}

	/**
	 * Memory for an image. It holds anything.
	 *
	 * @param size its extents
	 * @throws IllegalArgumentException if an extent is not positive, or the image has more than 2^31 - 1 bytes
	 */
	public static StagingBuffer of(final PixelType type, final long... size) {
		for (final long s : size) if (s < 1) throw new IllegalArgumentException("an image has at least one pixel along each dimension, not " + s);
		double all = type.bytes;
		for (final long s : size) all *= s;
		if (all > Integer.MAX_VALUE) throw new IllegalArgumentException("a buffer holds at most " + Integer.MAX_VALUE + " bytes, and this image has " + all);
		final Staging pinned = new CudaBackend().staging((long) all);
		return pinned != null ? of(type, size, pinned)
			: new StagingBuffer(type, size.clone(), ByteBuffer.allocateDirect((int) all).order(ByteOrder.nativeOrder()), null);
	}

	/** An image in memory that is given back with it. */
	static StagingBuffer of(final PixelType type, final long[] size, final Staging staging) {
		return new StagingBuffer(type, size.clone(), staging.bytes(), staging);
	}

	/** The pixels, x fastest, in the machine's order of bytes, unsigned ones as their bits are. */
	public ByteBuffer bytes() {
		return bytes;
	}

	/** The same pixels as an image, of ImgLib2's type of that name. */
	public RandomAccessibleInterval<?> image() {
		// a view has a position of its own
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

	/** Whether a card reads it by itself. */
	public boolean pinned() {
		return staging != null;
	}

	/** Gives the memory back. Twice does nothing. */
	@Override
	public void close() {
		if (staging != null) staging.close();
	}
}
