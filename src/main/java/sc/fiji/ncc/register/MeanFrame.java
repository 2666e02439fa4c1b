package sc.fiji.ncc.register;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.ShortBuffer;
import java.util.Arrays;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.type.numeric.real.DoubleType;
import net.imglib2.view.Views;

import sc.fiji.ncc.cpu.frame.FramePixels;
import sc.fiji.ncc.image.ImagePixels;
import sc.fiji.ncc.option.Interpolation;
import sc.fiji.ncc.option.Outside;
import sc.fiji.ncc.plan.Buffers;
import sc.fiji.ncc.plan.PixelType;

/** The mean of corrected frames, as a reference. A pixel that fewer than half of the frames show does not count. One thread at a time. */
final class MeanFrame {

	private final int[] size;
	private final double[] sums;
	private final int[] counts;
	private final FrameShifter shifter = new FrameShifter(Interpolation.LANCZOS, Outside.EDGE);
	private int frames;

	MeanFrame(final int[] size) {
		this.size = size;
		sums = new double[size[0] * size[1] * size[2]];
		counts = new int[sums.length];
	}

	void add(final RandomAccessibleInterval<?> frame, final double[] shift) {
		final int n = shift.length;
		final int[] extents = Arrays.copyOf(size, n);
		final RandomAccessibleInterval<?> zero = Views.zeroMin(frame);
		final Object values = shifter.box(zero, shift, new long[n], extents);
		final PixelType type = ImagePixels.type(frame);
		final Buffer pixels = wrap(values);
		frames++;
		for (int i = 0; i < sums.length; i++) {
			boolean inside = true;
			for (int d = 0, rest = i; d < n; d++) {
				final double at = rest % size[d] + shift[d];
				inside &= at >= 0 && at <= size[d] - 1;
				rest /= size[d];
			}
			if (!inside) continue;
			final double v = Buffers.value(pixels, type.min == 0, i);
			if (!Double.isFinite(v)) continue;
			sums[i] += v;
			counts[i]++;
		}
	}

	private static Buffer wrap(final Object array) {
		if (array instanceof byte[]) return ByteBuffer.wrap((byte[]) array);
		if (array instanceof short[]) return ShortBuffer.wrap((short[]) array);
		if (array instanceof int[]) return IntBuffer.wrap((int[]) array);
		return array instanceof float[] ? FloatBuffer.wrap((float[]) array) : DoubleBuffer.wrap((double[]) array);
	}

	/** @param mask 0 for pixels that do not count; null if all count */
	FramePixels pixels(final boolean[] mask, final int dimensions) {
		final double[] mean = new double[sums.length];
		boolean[] counted = null;
		for (int i = 0; i < mean.length; i++) {
			mean[i] = counts[i] == 0 ? 0 : sums[i] / counts[i];
			if (2 * counts[i] >= frames && (mask == null || mask[i])) continue;
			if (counted == null) {
				counted = new boolean[mean.length];
				Arrays.fill(counted, true);
			}
			counted[i] = false;
		}
		final long[] extents = new long[dimensions];
		for (int d = 0; d < dimensions; d++) extents[d] = size[d];
		final RandomAccessibleInterval<DoubleType> image = ArrayImgs.doubles(mean, extents);
		return FrameReader.read(image, counted);
	}
}
