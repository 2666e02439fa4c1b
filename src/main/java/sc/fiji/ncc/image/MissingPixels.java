package sc.fiji.ncc.image;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.util.Arrays;
import java.util.List;

import net.imglib2.Cursor;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.type.numeric.RealType;
import net.imglib2.view.Views;

import sc.fiji.ncc.option.Border;
import sc.fiji.ncc.option.NaNs;
import sc.fiji.ncc.plan.Given;
import sc.fiji.ncc.plan.support.Boxes;
import sc.fiji.ncc.plan.support.Buffers;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Pixels;
import sc.fiji.ncc.plan.Size;

/**
 * Which pixels of the frames of an image are missing: those at which a mask is 0, and on request those that are NaN.
 * A pixel of several channels is missing if it is NaN in any of them.
 *
 * @param mask one for all frames, or as many frames as the image has; null for none
 * @param nan the meaning of NaN
 */
public record MissingPixels(RandomAccessibleInterval<?> mask, NaNs nan) {

	/** No pixel is missing. */
	public static final MissingPixels NONE = new MissingPixels(null, NaNs.UNDEFINED);

	public MissingPixels {
		Given.nonNull(nan, "meaning of NaN");
	}

	/** Whether pixels of images of this type may be missing. */
	public boolean possible(final PixelType image) {
		return mask != null || nan == NaNs.MISSING && !image.integer;
	}

	/**
	 * Checks the values of the mask as far as this takes little time.
	 *
	 * @throws IllegalArgumentException if all pixels are missing, the type of the mask is not real, or it has several channels
	 */
	public void requirePixels() {
		if (mask == null) return;
		ImagePixels.type(mask);
		JointImage.requireOneChannel("image mask", mask);
		final Cursor<?> pixels = Views.iterable(mask).cursor();
		while (pixels.hasNext())
			if (((RealType<?>) pixels.next()).getRealDouble() != 0) return;
		throw new IllegalArgumentException("the image mask of " + Size.of(mask.dimensionsAsLongArray())
			+ " is 0 everywhere, so no pixel of the image is left: give a mask with other values where pixels count");
	}

	/**
	 * Checks the size of the mask.
	 *
	 * @param searched the image
	 * @param dimensions the number of dimensions of a frame
	 * @param frames whether the mask must be that of one frame or of all frames of the image; otherwise the number of its frames is checked when they are used
	 * @throws IllegalArgumentException if the mask does not fit the image
	 */
	public void requireFits(final RandomAccessibleInterval<?> searched, final int dimensions, final boolean frames) {
		if (mask == null) return;
		final long[] size = mask.dimensionsAsLongArray(), image = searched.dimensionsAsLongArray();
		final boolean ofFrame = size.length >= dimensions
			&& Arrays.equals(Arrays.copyOf(size, dimensions), Arrays.copyOf(image, dimensions));
		if (!ofFrame || frames && size.length > dimensions && !Arrays.equals(size, image))
			throw new IllegalArgumentException("the image mask of " + Size.of(size)
			+ " does not fit the image of " + Size.of(image) + ": give a mask of the size of the image"
			+ (image.length > dimensions ? ", or of one frame" : ""));
	}

	/** A frame with its missing pixels. */
	public ImagePixels in(final RandomAccessibleInterval<?> frame, final long index) {
		return in(frame, index, Border.UNDEFINED, new long[frame.numDimensions()], frame.dimensionsAsLongArray());
	}

	/**
	 * A part of a frame and of its border, with their missing pixels. A constant border is not missing.
	 *
	 * @param index the index of the frame
	 * @param from the first pixel of the part, in pixels from the first pixel of the frame
	 * @param size the extents of the part
	 */
	public ImagePixels in(final RandomAccessibleInterval<?> frame, final long index, final Border border, final long[] from,
		final long[] size) {
		final ImagePixels pixels = part(frame, border, from, size);
		if (!possible(pixels.type())) return pixels;
		final ImagePixels present = mask == null ? null
			: part(mask(index, frame.numDimensions()), border.kind() == Border.Kind.CONSTANT ? Border.constant(1) : border, from, size);
		return pixels.with(new Present(present, nan == NaNs.MISSING && !pixels.type().integer ? pixels.channels() : List.of(), size));
	}

	private static ImagePixels part(final RandomAccessibleInterval<?> frame, final Border border, final long[] from, final long[] size) {
		final long[] origin = frame.minAsLongArray();
		for (int d = 0; d < origin.length; d++) origin[d] += from[d];
		return ImagePixels.of(frame, border, origin, size);
	}

	/**
	 * The mask of a frame; null for none.
	 *
	 * @param index the index of the frame
	 * @throws IllegalArgumentException if the mask has fewer frames
	 */
	public RandomAccessibleInterval<?> mask(final long index, final int dimensions) {
		if (mask == null || mask.numDimensions() == dimensions) return mask;
		final long frames = StackFrames.count(dimensions, mask.dimensionsAsLongArray());
		if (index >= frames) throw new IllegalArgumentException("frame " + (index + 1) + " has no image mask, because the mask of "
			+ Size.of(mask.dimensionsAsLongArray()) + " has " + frames + " frames: give one mask for all frames, or one for each");
		return StackFrames.get(mask, dimensions, index);
	}

	/**
	 * The mask of a part of an image.
	 *
	 * @param mask null if there is none
	 * @param values the channels of the image if NaN is missing. Default: empty
	 */
	private record Present(ImagePixels mask, List<ImagePixels> values, long[] size) implements Pixels {

		@Override
		public PixelType type() {
			return PixelType.U8;
		}

		@Override
		public void read(final long[] min, final int[] box, final Buffer to) {
			final int n = Boxes.pixels(box);
			final byte[] present = new byte[n];
			Arrays.fill(present, (byte) 1);
			if (mask != null) {
				final Buffer read = read(mask, min, box, n);
				// most masks have bytes
				if (read instanceof ByteBuffer) {
					final ByteBuffer bytes = (ByteBuffer) read;
					for (int i = 0; i < n; i++) present[i] = (byte) (bytes.get(i) == 0 ? 0 : 1);
				}
				else for (int i = 0; i < n; i++) {
					final double value = Buffers.value(read, true, i);
					if (value == 0) present[i] = 0;
					else if (value != value) throw new IllegalArgumentException("the image mask of " + Size.of(mask.size())
						+ " holds NaN: give 0 for missing pixels and 1 for the others");
				}
			}
			for (final ImagePixels channel : values) {
				final Buffer read = read(channel, min, box, n);
				// most images with NaN have floats
				if (read instanceof FloatBuffer) {
					final float[] values = ((FloatBuffer) read).array();
					for (int i = 0; i < n; i++) if (values[i] != values[i]) present[i] = 0;
				}
				else for (int i = 0; i < n; i++) if (Double.isNaN(Buffers.value(read, true, i))) present[i] = 0;
			}
			((ByteBuffer) to).put(to.position(), present);
		}

		private static Buffer read(final ImagePixels from, final long[] min, final int[] box, final int n) {
			final Buffer to = from.type().allocate(n);
			from.read(min, box, to);
			return to;
		}
	}
}
