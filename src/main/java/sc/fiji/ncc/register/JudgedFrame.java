package sc.fiji.ncc.register;

import java.nio.Buffer;
import java.nio.FloatBuffer;
import java.util.Arrays;
import java.util.function.Supplier;

import net.imglib2.RandomAccessibleInterval;

import sc.fiji.ncc.image.ImagePixels;
import sc.fiji.ncc.plan.Given;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Pixels;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.shift.ShiftExecution.Frame;
import sc.fiji.ncc.plan.support.Buffers;
import sc.fiji.ncc.statistics.Texture;

/**
 * The pixels of a frame, or their fine details, of which {@link PeakJudgement} needs the texture. Reading the whole frame also measures the
 * texture. Who reads a frame that is {@link #kept} leaves the buffer unchanged.
 */
public final class JudgedFrame implements Pixels {

	private final Supplier<? extends RandomAccessibleInterval<?>> image;
	private final PixelType type;
	private final long[] size;
	private final boolean[] mask;
	private final boolean fine, keeps;
	private volatile Texture texture;
	/** The whole frame as it was read last; null if it is not kept. */
	private volatile Buffer whole;

	private JudgedFrame(final Supplier<? extends RandomAccessibleInterval<?>> image, final PixelType type, final long[] size, final boolean[] mask,
		final boolean fine, final boolean keeps) {
		this.image = image;
		this.type = type;
		this.size = size;
		this.mask = mask;
		this.fine = fine;
		this.keeps = keeps;
	}

	/**
	 * @param image gives the frame, with its first pixel at 0; called for each reading
	 * @param type its pixel type
	 * @param size its extents
	 * @param mask false for pixels that do not count, x fastest; null if all count
	 */
	public static JudgedFrame of(final Supplier<? extends RandomAccessibleInterval<?>> image, final PixelType type, final long[] size, final boolean[] mask) {
		return new JudgedFrame(Given.nonNull(image, "source of pixels"), Given.nonNull(type, "pixel type"), Given.nonNull(size, "size").clone(),
			mask, false, false);
	}

	/** The fine details of the same frame: floats. */
	public JudgedFrame fine() {
		return new JudgedFrame(image, type, size, mask, true, keeps);
	}

	/** The same frame, which keeps its pixels in memory when they are read: its image may have to be read from a file again. */
	public JudgedFrame kept() {
		return new JudgedFrame(image, type, size, mask, fine, true);
	}

	/** Whether these are the fine details of a frame. */
	public boolean isFine() {
		return fine;
	}

	/** The frame to transform. */
	public Frame frame() {
		return new Frame(this, mask);
	}

	/** The number of pixels that count. */
	double pixels() {
		double n = mask == null ? Size.of(size).pixels() : 0;
		for (int i = 0; mask != null && i < mask.length; i++) if (mask[i]) n++;
		return n;
	}

	/** The texture of the pixels that count. */
	Texture texture() {
		if (texture == null) whole();
		return texture;
	}

	/** All pixels as raw bits, as for {@link #read}. */
	public Buffer whole() {
		return whole != null ? whole : all();
	}

	@Override
	public PixelType type() {
		return fine ? PixelType.F32 : type;
	}

	@Override
	public long[] size() {
		return size.clone();
	}

	@Override
	public void read(final long[] from, final int[] extents, final Buffer to) {
		ImagePixels.of(fine ? FineDetails.of(image.get(), type, mask) : image.get()).read(from, extents, to);
		if (!Arrays.equals(Arrays.stream(extents).asLongStream().toArray(), size)) return;
		if (texture == null) texture = Texture.of(counted(to), type(), extents);
		if (keeps) whole = to;
	}

	/** The pixels, of which those that do not count are NaN. */
	private Buffer counted(final Buffer read) {
		if (mask == null) return read;
		final float[] values = new float[mask.length];
		for (int i = 0; i < values.length; i++) values[i] = mask[i] ? (float) Buffers.value(read, type().min == 0, i) : Float.NaN;
		return FloatBuffer.wrap(values);
	}
}
