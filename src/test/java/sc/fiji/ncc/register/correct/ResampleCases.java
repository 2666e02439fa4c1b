package sc.fiji.ncc.register.correct;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.ShortBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

import sc.fiji.ncc.option.Interpolation;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.resample.Sampler;
import sc.fiji.ncc.plan.resample.Sampler.Block;
import sc.fiji.ncc.plan.support.Buffers;

/**
 * Boxes to be sampled: all types and interpolations, planes and volumes, whole shifts along some dimensions, edges of blocks of
 * threads, the ends of a type's range.
 */
final class ResampleCases {

	private static final int[][] SIZES = { { 70, 41 }, { 33, 9 }, { 1, 7 }, { 300, 1 }, { 21, 13, 5 }, { 40, 8, 1 } };

	private ResampleCases() {}

	static List<Block> all() {
		final List<Block> all = new ArrayList<>();
		final Random random = new Random(12);
		for (final PixelType type : PixelType.values())
			for (final Interpolation i : Interpolation.values())
				for (final int[] size : SIZES)
					for (int whole = -1; whole < size.length; whole++)
						// of whole shifts nothing is sampled
						if (i != Interpolation.INTEGER) all.add(block(type, i, size, whole, random));
		return all;
	}

	/** @param whole the dimension along which the shift has no fraction; -1 for none */
	private static Block block(final PixelType type, final Interpolation i, final int[] size, final int whole, final Random random) {
		final int n = size.length;
		final int[] extents = size.clone();
		final double[] fraction = new double[n];
		final double[][] weights = i == Interpolation.FOURIER ? null : new double[n][];
		int all = 1;
		for (int d = 0; d < n; d++) {
			fraction[d] = d == whole ? 0 : 0.05 + 0.9 * random.nextDouble();
			if (weights == null) extents[d] += size[d] == 1 ? 0 : 2 * Sampler.MARGIN;
			else {
				weights[d] = d == whole ? new double[] { 1 } : i.weights(fraction[d]);
				extents[d] += weights[d].length - 1;
			}
			all *= extents[d];
		}
		final Buffer pixels = type.allocate(all);
		for (int k = 0; k < all; k++) put(pixels, k, random);
		return new Block(type, pixels, extents, size, weights, fraction);
	}

	private static void put(final Buffer to, final int k, final Random random) {
		// the ends of the range, where values are clipped, and numbers of all magnitudes
		final boolean extreme = random.nextInt(8) == 0;
		if (to instanceof ByteBuffer b) b.put(k, (byte) (extreme ? random.nextBoolean() ? 127 : 128 : random.nextInt()));
		else if (to instanceof ShortBuffer b) b.put(k, (short) (extreme ? random.nextBoolean() ? 32767 : 32768 : random.nextInt()));
		else if (to instanceof IntBuffer b) b.put(k, extreme ? random.nextBoolean() ? Integer.MAX_VALUE : Integer.MIN_VALUE : random.nextInt());
		else if (to instanceof FloatBuffer b) b.put(k, (float) (random.nextGaussian() * (extreme ? 1e30 : 1)));
		else ((DoubleBuffer) to).put(k, random.nextGaussian() * (extreme ? 1e200 : 1));
	}

	/** The weighted mean by its definition, in another order than that of the algorithms. */
	static double mean(final Block b, final int x, final int y, final int z) {
		double sum = 0;
		for (int k = 0; k < b.count(2); k++)
			for (int j = 0; j < b.count(1); j++)
				for (int i = 0; i < b.count(0); i++) sum += weight(b, 0, i) * weight(b, 1, j) * weight(b, 2, k) * pixel(b, x + i, y + j, z + k);
		return sum;
	}

	private static double weight(final Block b, final int d, final int k) {
		return d < b.weights().length ? b.weights()[d][k] : 1;
	}

	private static double pixel(final Block b, final int x, final int y, final int z) {
		return Buffers.value(b.pixels(), b.type().min == 0, (z * b.extent(1) + y) * b.extent(0) + x);
	}

	/** The largest absolute pixel. */
	static double largest(final Block b) {
		double largest = 0;
		for (int i = 0; i < b.all(); i++) largest = Math.max(largest, Math.abs(Buffers.value(b.pixels(), b.type().min == 0, i)));
		return largest;
	}

	/** A result as numbers. */
	static double[] values(final PixelType type, final Object array) {
		final Buffer b = array instanceof byte[] a ? ByteBuffer.wrap(a) : array instanceof short[] a ? ShortBuffer.wrap(a)
			: array instanceof int[] a ? IntBuffer.wrap(a)
			: array instanceof float[] a ? FloatBuffer.wrap(a) : DoubleBuffer.wrap((double[]) array);
		final double[] values = new double[b.limit()];
		for (int i = 0; i < values.length; i++) values[i] = Buffers.value(b, type.min == 0, i);
		return values;
	}

	static String name(final Block b) {
		return b.type() + " " + Arrays.toString(b.size()) + (b.weights() == null ? " by Fourier"
			: " by " + b.count(0) + "x" + b.count(1) + "x" + b.count(2) + " weights")
			+ ", fractions " + Arrays.toString(b.fraction());
	}
}
