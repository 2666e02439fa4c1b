package sc.fiji.ncc.register.correct;

import java.lang.reflect.Array;
import java.nio.Buffer;
import java.util.Arrays;

import net.imglib2.RandomAccessibleInterval;

import sc.fiji.ncc.cpu.frame.CpuSampler;
import sc.fiji.ncc.image.ImagePixels;
import sc.fiji.ncc.option.Border;
import sc.fiji.ncc.option.Interpolation;
import sc.fiji.ncc.option.Outside;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.resample.Block;
import sc.fiji.ncc.plan.resample.Sampler;
import sc.fiji.ncc.plan.support.Buffers;

/**
 * Moves the content of a frame back by its shift: pixel x of the result is the frame at {@code x + shift}. The pixel type is kept. Interpolated values of integers are
 * rounded, and clipped to the range of the type, because a cubic or a sinc can overshoot.
 */
public final class FrameShifter {

	private final Interpolation interpolation;
	/** Whether pixels beyond the frame repeat its edge; otherwise they have the value. */
	private final boolean edge;
	private final double outside;
	private final Sampler sampler;

	/** A shifter that computes on the CPU. */
	public FrameShifter(final Interpolation interpolation, final Outside outside) {
		this(interpolation, outside, CpuSampler.INSTANCE);
	}

	/** @param sampler computes pixels between the pixels */
	public FrameShifter(final Interpolation interpolation, final Outside outside, final Sampler sampler) {
		this.interpolation = interpolation;
		this.sampler = sampler;
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
		final boolean fourier = interpolation == Interpolation.FOURIER && !Arrays.stream(shift).allMatch(s -> s == Math.rint(s));
		final long[] first = new long[n], read = new long[n];
		final double[][] weights = new double[n][];
		final double[] fraction = new double[n];
		final int[] from = new int[n], until = new int[n];
		boolean whole = !fourier;
		for (int d = 0; d < n; d++) {
			final double place = min[d] + (interpolation == Interpolation.INTEGER ? Math.rint(shift[d]) : shift[d]);
			final long base = (long) Math.floor(place);
			fraction[d] = place - base;
			// a whole shift copies pixels with every interpolation
			weights[d] = fourier || fraction[d] == 0 ? new double[] { 1 } : interpolation.weights(fraction[d]);
			whole &= weights[d].length == 1;
			// Fourier: pixels around the box and beyond the frame, which repeat its edge, keep the ends of the transform away
			final int before = !fourier ? (weights[d].length - 1) / 2 : frame.dimension(d) == 1 ? 0 : Sampler.MARGIN;
			first[d] = base - before;
			read[d] = size[d] + (fourier ? 2 * before : weights[d].length - 1);
			from[d] = edge ? 0 : (int) Math.max(0, Math.min(size[d], Math.ceil(-place)));
			until[d] = edge ? size[d] : (int) Math.max(from[d], Math.min(size[d], Math.floor(frame.dimension(d) - 1 - place) + 1));
		}
		final ImagePixels pixels = ImagePixels.of(frame, Border.EDGE, first, read);
		final PixelType type = pixels.type();
		final int[] extents = Arrays.stream(read).mapToInt(Math::toIntExact).toArray();
		final Buffer values = type.allocate(product(extents));
		pixels.read(new long[n], extents, values);
		values.clear();
		if (fourier) requireFinite(values, type);
		final Object result = whole ? values.array() : sampler.sample(new Block.Shifted(type, values, extents, size, fourier ? null : weights, fraction));
		fill(result, type, size, from, until);
		return result;
	}

	private static void requireFinite(final Buffer values, final PixelType type) {
		if (type.integer) return;
		for (int i = 0; i < values.limit(); i++) {
			final double v = Buffers.value(values, false, i);
			if (!Double.isFinite(v)) throw new IllegalArgumentException("a frame has a pixel that is " + v
				+ ", which Fourier interpolation spreads over the frame: choose another interpolation, such as cubic");
		}
	}

	private static int product(final int[] size) {
		int n = 1;
		for (final int s : size) n = Math.multiplyExact(n, s);
		return n;
	}

	/** Sets the pixels outside the box from..until. */
	private void fill(final Object to, final PixelType type, final int[] size, final int[] from, final int[] until) {
		boolean all = true;
		for (int d = 0; d < size.length; d++) all &= from[d] == 0 && until[d] == size[d];
		if (all) return;
		final Object value = type.allocate(1).array();
		Buffers.narrow(new double[] { Double.isNaN(outside) && type.integer ? 0 : outside }, type, value, 0);
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
