package sc.fiji.ncc.register.correct;

import java.lang.reflect.Array;
import java.nio.Buffer;
import java.util.Arrays;

import net.imglib2.RandomAccessibleInterval;

import sc.fiji.ncc.cpu.frame.FourierShift;
import sc.fiji.ncc.image.ImagePixels;
import sc.fiji.ncc.option.Border;
import sc.fiji.ncc.option.Interpolation;
import sc.fiji.ncc.option.Outside;
import sc.fiji.ncc.plan.support.Buffers;
import sc.fiji.ncc.plan.PixelType;

/**
 * Moves the content of a frame back by its shift: pixel x of the result is the frame at {@code x + shift}. The pixel type is kept. Interpolated values of integers are
 * rounded, and clipped to the range of the type, because a cubic or a sinc can overshoot.
 */
public final class FrameShifter {

	/** The pixels around a box for Fourier interpolation. */
	private static final int MARGIN = 16;

	private final Interpolation interpolation;
	/** Whether pixels beyond the frame repeat its edge; otherwise they have the value. */
	private final boolean edge;
	private final double outside;

	public FrameShifter(final Interpolation interpolation, final Outside outside) {
		this.interpolation = interpolation;
		edge = outside.kind() == Outside.Kind.EDGE;
		this.outside = outside.kind() == Outside.Kind.NAN ? Double.NaN : outside.value();
	}

	/**
	 * A box of a corrected frame.
	 *
	 * @param frame the recorded frame, with its first pixel at 0
	 * @param shift the shift of its content
	 * @param min the first pixel of the box, in pixels of the frame; it may lie outside
	 * @param size the extents of the box
	 * @return the pixels, x fastest, in an array of the primitive type of {@link PixelType#allocate} for the frame's type
	 */
	public Object box(final RandomAccessibleInterval<?> frame, final double[] shift, final long[] min, final int[] size) {
		final int n = size.length;
		if (interpolation == Interpolation.FOURIER && !Arrays.stream(shift).allMatch(s -> s == Math.rint(s))) return fourier(frame, shift, min, size);
		final long[] first = new long[n];
		final int[] block = new int[n];
		final double[][] weights = new double[n][];
		final int[] from = new int[n], until = new int[n];
		boolean whole = true;
		for (int d = 0; d < n; d++) {
			final double place = min[d] + (interpolation == Interpolation.INTEGER ? Math.rint(shift[d]) : shift[d]);
			final long base = (long) Math.floor(place);
			final double fraction = place - base;
			// a whole shift copies pixels with every interpolation
			weights[d] = fraction == 0 ? new double[] { 1 } : interpolation.weights(fraction);
			whole &= weights[d].length == 1;
			first[d] = base - (weights[d].length - 1) / 2;
			block[d] = size[d] + weights[d].length - 1;
			from[d] = edge ? 0 : (int) Math.max(0, Math.min(size[d], Math.ceil(-place)));
			until[d] = edge ? size[d] : (int) Math.max(from[d], Math.min(size[d], Math.floor(frame.dimension(d) - 1 - place) + 1));
		}
		final ImagePixels pixels = ImagePixels.of(frame, Border.EDGE, first, Arrays.stream(block).asLongStream().toArray());
		final PixelType type = pixels.type();
		final Buffer read = type.allocate(product(block));
		pixels.read(new long[n], block, read);
		if (whole) {
			fill(read.array(), type, size, from, until);
			return read.array();
		}
		final Object result = RowInterpolation.box(read, type, block, size, weights);
		fill(result, type, size, from, until);
		return result;
	}

	/** A box by {@link FourierShift}. Pixels around the box and beyond the frame, which repeat its edge, keep the ends of the transform away. */
	private Object fourier(final RandomAccessibleInterval<?> frame, final double[] shift, final long[] min, final int[] size) {
		final int n = size.length;
		final long[] first = new long[n];
		final int[] block = new int[n], from = new int[n], until = new int[n], extents = { 1, 1, 1 }, margin = { 0, 0, 0 };
		final double[] fraction = new double[3];
		for (int d = 0; d < n; d++) {
			final double place = min[d] + shift[d];
			final long base = (long) Math.floor(place);
			fraction[d] = place - base;
			margin[d] = frame.dimension(d) == 1 ? 0 : MARGIN;
			first[d] = base - margin[d];
			block[d] = extents[d] = size[d] + 2 * margin[d];
			from[d] = edge ? 0 : (int) Math.max(0, Math.min(size[d], Math.ceil(-place)));
			until[d] = edge ? size[d] : (int) Math.max(from[d], Math.min(size[d], Math.floor(frame.dimension(d) - 1 - place) + 1));
		}
		final ImagePixels pixels = ImagePixels.of(frame, Border.EDGE, first, Arrays.stream(block).asLongStream().toArray());
		final PixelType type = pixels.type();
		final Buffer read = type.allocate(product(block));
		pixels.read(new long[n], block, read);
		final double[] values = new double[product(block)];
		for (int i = 0; i < values.length; i++) {
			values[i] = Buffers.value(read, type.min == 0, i);
			if (!Double.isFinite(values[i])) throw new IllegalArgumentException("a frame has a pixel that is " + values[i]
				+ ", which Fourier interpolation spreads over the frame: choose another interpolation, such as cubic");
		}
		final double[] moved = FourierShift.move(values, extents, MARGIN, fraction), inside = new double[product(size)];
		final int depth = n > 2 ? size[2] : 1;
		for (int z = 0, to = 0; z < depth; z++)
			for (int y = 0; y < size[1]; y++, to += size[0])
				System.arraycopy(moved, ((z + margin[2]) * extents[1] + y + margin[1]) * extents[0] + margin[0], inside, to, size[0]);
		final Object result = narrow(inside, type);
		fill(result, type, size, from, until);
		return result;
	}

	private static int product(final int[] size) {
		int n = 1;
		for (final int s : size) n = Math.multiplyExact(n, s);
		return n;
	}

	private static Object narrow(final double[] values, final PixelType type) {
		final Object array = type.allocate(values.length).array();
		Buffers.narrow(values, type, array, 0);
		return array;
	}

	/** Sets the pixels outside the box from..until. */
	private void fill(final Object to, final PixelType type, final int[] size, final int[] from, final int[] until) {
		boolean all = true;
		for (int d = 0; d < size.length; d++) all &= from[d] == 0 && until[d] == size[d];
		if (all) return;
		final Object value = narrow(new double[] { Double.isNaN(outside) && type.integer ? 0 : outside }, type);
		final int rows = product(size) / size[0];
		for (int row = 0; row < rows; row++) {
			boolean inside = true;
			for (int d = 1, rest = row; d < size.length; d++) {
				inside &= rest % size[d] >= from[d] && rest % size[d] < until[d];
				rest /= size[d];
			}
			final int start = row * size[0];
			fill(to, start, inside ? start + from[0] : start + size[0], value);
			if (inside) fill(to, start + until[0], start + size[0], value);
		}
	}

	private static void fill(final Object to, final int start, final int end, final Object value) {
		if (to instanceof byte[]) Arrays.fill((byte[]) to, start, end, Array.getByte(value, 0));
		else if (to instanceof short[]) Arrays.fill((short[]) to, start, end, Array.getShort(value, 0));
		else if (to instanceof int[]) Arrays.fill((int[]) to, start, end, Array.getInt(value, 0));
		else if (to instanceof float[]) Arrays.fill((float[]) to, start, end, Array.getFloat(value, 0));
		else Arrays.fill((double[]) to, start, end, Array.getDouble(value, 0));
	}
}
