package sc.fiji.ncc.run;

import java.nio.Buffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;
import java.util.stream.IntStream;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.util.Intervals;

import sc.fiji.ncc.image.BufferImages;
import sc.fiji.ncc.image.ImagePixels;
import sc.fiji.ncc.image.JointImage;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.SlidingPlan.Staging;
import sc.fiji.ncc.plan.Size;

/**
 * Holds one frame after another in its own memory, from which a device reads it if the device supports that. A source is read in order, each pixel once, and
 * may then reuse its image. One thread copies, unless all pixels lie in arrays. A frame that is too large stays where it is.
 */
public final class FrameBuffer implements AutoCloseable {

	/** The smallest number of bytes for which another thread pays off. */
	private static final int PIECE = 1 << 19;

	private final PixelType type;
	private final long[] size;
	private final int threads;
	/** Both null if frames stay where they are. */
	private final RandomAccessibleInterval<?> held;
	private final Buffer pixels;
	/** Null if the memory is on the Java heap. */
	private final Staging staging;
	/** The buffers of further channels. */
	private final List<FrameBuffer> more = new ArrayList<>();

	/**
	 * @param channels the number of channels of a frame
	 * @param maxBytes the maximum size of the memory of a channel; a larger frame stays where it is
	 * @param stagings allocates memory that a device reads directly; returns null where the heap serves as well
	 * @param threads the maximum number of threads that copy at once
	 */
	public FrameBuffer(final PixelType type, final long[] size, final int channels, final long maxBytes, final LongFunction<Staging> stagings, final int threads) {
		for (int c = 1; c < channels; c++) more.add(new FrameBuffer(type, size, 1, maxBytes, stagings, threads));
		this.type = type;
		this.size = size;
		this.threads = threads;
		final boolean holds = holds(type, size, maxBytes);
		staging = holds ? stagings.apply(Intervals.numElements(size) * type.bytes) : null;
		if (!holds) {
			held = null;
			pixels = null;
		}
		else if (staging == null) {
			pixels = type.allocate((int) Intervals.numElements(size));
			held = image(pixels.array());
		}
		else {
			held = BufferImages.of(type, size, staging.bytes());
			pixels = ImagePixels.of(held).memory();
		}
	}

	static boolean holds(final PixelType type, final long[] size, final long maxBytes) {
		final long n = Intervals.numElements(size);
		return n <= Integer.MAX_VALUE - 8 && n * type.bytes <= maxBytes;
	}

	/** Copies a frame. The result is valid until the next call. */
	public RandomAccessibleInterval<?> hold(final RandomAccessibleInterval<?> frame) {
		if (held == null) return frame;
		final ImagePixels from = ImagePixels.of(frame);
		hold(from);
		if (more.isEmpty()) return held;
		final List<RandomAccessibleInterval<?>> channels = new ArrayList<>(List.of(held));
		for (int c = 0; c < more.size(); c++) {
			more.get(c).hold(from.channels().get(c + 1));
			channels.add(more.get(c).held);
		}
		return JointImage.of(channels);
	}

	private void hold(final ImagePixels from) {
		final int[] extents = Size.of(size).toIntArray();
		final int last = extents.length - 1, row = pixels.capacity() / extents[last];
		final int pieces = from.readsRowsFast() ? (int) Math.max(1, Math.min(Math.min(threads, extents[last]), (long) pixels.capacity() * type.bytes / PIECE)) : 1;
		if (pieces == 1) from.read(new long[extents.length], extents, pixels);
		else IntStream.range(0, pieces).parallel().forEach(p -> {
			final int first = (int) ((long) extents[last] * p / pieces), end = (int) ((long) extents[last] * (p + 1) / pieces);
			final long[] min = new long[extents.length];
			min[last] = first;
			final int[] part = extents.clone();
			part[last] = end - first;
			from.read(min, part, pixels.duplicate().position(first * row));
		});
	}

	private RandomAccessibleInterval<?> image(final Object array) {
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

	/** Releases the memory if it belongs to a device. */
	@Override
	public void close() {
		more.forEach(FrameBuffer::close);
		if (staging != null) staging.close();
	}
}
