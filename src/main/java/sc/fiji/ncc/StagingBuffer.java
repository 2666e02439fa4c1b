package sc.fiji.ncc;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

import net.imglib2.RandomAccessibleInterval;

import sc.fiji.ncc.cuda.CudaBackend;
import sc.fiji.ncc.image.BufferImages;
import sc.fiji.ncc.plan.Given;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.SlidingPlan.Staging;
import sc.fiji.ncc.plan.Size;

/**
 * An image in memory outside the Java heap that a GPU reads directly. With a GPU the memory is pinned; without a GPU it is plain. If you read pixels from
 * a file or a camera directly into {@link #bytes}, you save a copy.
 *
 * <pre>
 * try (StagingBuffer staging = StagingBuffer.of(PixelType.U8, 2000, 2000)) {
 * 	while (channel.read(staging.bytes().clear()) == staging.bytes().capacity())
 * 		show(correlation.correlate(staging.image()));
 * }
 * </pre>
 *
 * A frame of a stream ({@link NormalizedCrossCorrelation#correlateEach}) can also use such a buffer. Pinned memory is taken from all programs, and
 * its allocation takes milliseconds: keep one buffer and reuse it. After {@link #close} the memory can belong to others: do not use {@link #bytes} or
 * {@link #image} during or after closing.
 */
public final class StagingBuffer implements AutoCloseable {

	private final PixelType type;
	private final long[] size;
	private final ByteBuffer bytes;
	/** Null if the memory is plain. */
	private final Staging staging;

	private StagingBuffer(final PixelType type, final long[] size, final ByteBuffer bytes, final Staging staging) {
		this.type = type;
		this.size = size;
		this.bytes = bytes;
		this.staging = staging;
	}

	/**
	 * Allocates memory for an image. Its content is undefined.
	 *
	 * @param size the extents in pixels
	 * @throws IllegalArgumentException if an extent is below 1, or the image has more than 2^31 - 1 bytes
	 */
	public static StagingBuffer of(final PixelType type, final long... size) {
		Given.nonNull(type, "pixel type");
		Given.nonNull(size, "size");
		for (final long s : size) if (s < 1) throw new IllegalArgumentException("an image extent is " + s + ": each extent must be at least 1");
		double total = type.bytes;
		for (final long s : size) total *= s;
		if (total > Integer.MAX_VALUE) throw new IllegalArgumentException("the image has " + total + " bytes: a buffer holds at most " + Integer.MAX_VALUE);
		final Staging pinned = new CudaBackend().staging((long) total);
		return pinned != null ? new StagingBuffer(type, size.clone(), pinned.bytes(), pinned)
			: new StagingBuffer(type, size.clone(), ByteBuffer.allocateDirect((int) total).order(ByteOrder.nativeOrder()), null);
	}

	/** The pixels, x fastest, in native byte order; unsigned values as raw bits. */
	public ByteBuffer bytes() {
		return bytes;
	}

	/** The same pixels as an image of the corresponding ImgLib2 type. */
	public RandomAccessibleInterval<?> image() {
		return BufferImages.of(type, size, bytes);
	}

	/** Whether a GPU reads the memory directly. */
	public boolean pinned() {
		return staging != null;
	}

	/** Releases the memory. A second call does nothing. */
	@Override
	public void close() {
		if (staging != null) staging.close();
	}

	@Override
	public String toString() {
		return "buffer for an image of " + Size.of(size) + " pixels of " + type;
	}
}
