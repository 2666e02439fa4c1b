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

import sc.fiji.ncc.fixture.TestImages;
import sc.fiji.ncc.numeric.GridSpline;
import sc.fiji.ncc.option.Interpolation;
import sc.fiji.ncc.option.Outside;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.resample.Block;
import sc.fiji.ncc.plan.resample.Sampler;
import sc.fiji.ncc.plan.support.Buffers;

/**
 * Boxes to be sampled: all types and interpolations, planes and volumes, whole shifts along some dimensions, edges of blocks of
 * threads, the ends of a type's range.
 */
final class ResampleCases {

	private static final int[][] SIZES = { { 70, 41 }, { 33, 9 }, { 1, 7 }, { 300, 1 }, { 21, 13, 5 }, { 40, 8, 1 } };

	private ResampleCases() {}

	static List<Block.Shifted> all() {
		final List<Block.Shifted> all = new ArrayList<>();
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
	private static Block.Shifted block(final PixelType type, final Interpolation i, final int[] size, final int whole, final Random random) {
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
		return new Block.Shifted(type, pixels, extents, size, weights, fraction);
	}

	/** Deformed boxes: all types, neighbours and borders, planes and volumes, boxes that reach beyond the frame, numbers that are not finite. */
	static List<Block.Deformed> deformed() {
		final List<Block.Deformed> all = new ArrayList<>();
		final Random random = new Random(13);
		for (final PixelType type : PixelType.values())
			for (final Interpolation i : Interpolation.values())
				for (final Outside outside : List.of(Outside.EDGE, new Outside(Outside.Kind.CONSTANT, 37), Outside.NAN))
					for (final int[] size : SIZES)
						if (i != Interpolation.FOURIER) all.add(deformed(type, i, outside, size, random));
		return all;
	}

	private static Block.Deformed deformed(final PixelType type, final Interpolation interpolation, final Outside outside, final int[] size,
		final Random random)
	{
		final int n = size.length;
		final int[] count = new int[n], box = new int[n];
		final double[] origin = new double[n], spacing = new double[n], shift = new double[n];
		final long[] min = new long[n];
		for (int d = 0; d < n; d++) {
			count[d] = 1 + random.nextInt(4);
			spacing[d] = (0.1 + random.nextDouble()) * size[d];
			origin[d] = (random.nextDouble() - 0.2) * size[d];
			shift[d] = 2 * random.nextGaussian();
			min[d] = random.nextInt(7) - 3;
			box[d] = size[d] + random.nextInt(4);
		}
		final double[][] vectors = new double[n][product(count)];
		for (int d = 0; d < n; d++) {
			// a motion by whole pixels takes no other pixel
			final boolean whole = random.nextInt(3) == 0;
			if (whole) shift[d] = Math.rint(shift[d]);
			else Arrays.setAll(vectors[d], k -> 3 * random.nextGaussian());
		}
		final Buffer pixels = type.allocate(product(size));
		final double[] values = new double[pixels.capacity()];
		for (int k = 0; k < values.length; k++) {
			put(pixels, k, random);
			values[k] = Buffers.value(pixels, type.min == 0, k);
		}
		if (!type.integer && random.nextBoolean()) for (final double v : new double[] { Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY })
			values[random.nextInt(values.length)] = v;
		final Block[] sampled = new Block[1];
		new FrameWarper(interpolation, outside, block -> sampled[0] = block)
			.box(TestImages.image(type, size, values), shift, new GridSpline(count, origin, spacing, vectors), min, box);
		return (Block.Deformed) sampled[0];
	}

	private static int product(final int[] size) {
		return Arrays.stream(size).reduce(1, (a, b) -> a * b);
	}

	/** The value of a deformed pixel by its definition. */
	static double value(final Block.Deformed b, final int... pixel) {
		final int n = b.size().length;
		final Block.Place place = b.place();
		final double[] position = new double[n];
		for (int d = 0; d < n; d++) position[d] = place.min()[d] + pixel[d];
		final double[] u = new GridSpline(b.field()).at(position);
		final Block.Neighbours neighbours = b.neighbours();
		final double[][] weights = new double[3][];
		final long[] first = new long[3];
		boolean inside = true;
		for (int d = 0; d < n; d++) {
			final double motion = place.shift()[d] + u[d];
			position[d] += neighbours.count() == 1 ? Math.rint(motion) : motion;
			inside &= position[d] >= 0 && position[d] <= place.frame()[d] - 1;
			final double rounded = Math.floor(position[d] * 2048 + 0.5) / 2048;
			final int fraction = (int) (2048 * (rounded - Math.floor(rounded))) * neighbours.count();
			weights[d] = Arrays.copyOfRange(neighbours.weights(), fraction, fraction + neighbours.count());
			first[d] = (long) Math.floor(rounded) - (neighbours.count() - 1) / 2 - place.first()[d];
		}
		if (!inside && !neighbours.edge()) return neighbours.beyond();
		if (n == 2) weights[2] = new double[] { 1 };
		double sum = 0;
		for (int k = 0; k < weights[2].length; k++)
			for (int j = 0; j < weights[1].length; j++)
				for (int i = 0; i < weights[0].length; i++) {
					final double w = weights[0][i] * weights[1][j] * weights[2][k];
					if (w != 0) sum += w * Buffers.value(b.pixels(), b.type().min == 0,
						(clamped(first[2] + k, b.extent(2)) * b.extent(1) + clamped(first[1] + j, b.extent(1)))
						* b.extent(0) + clamped(first[0] + i, b.extent(0)));
				}
		return sum;
	}

	/** The first and the last pixel go on. */
	private static int clamped(final long i, final int n) {
		return (int) Math.max(0, Math.min(n - 1, i));
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
	static double mean(final Block.Shifted b, final int x, final int y, final int z) {
		double sum = 0;
		for (int k = 0; k < b.count(2); k++)
			for (int j = 0; j < b.count(1); j++)
				for (int i = 0; i < b.count(0); i++) sum += weight(b, 0, i) * weight(b, 1, j) * weight(b, 2, k) * pixel(b, x + i, y + j, z + k);
		return sum;
	}

	private static double weight(final Block.Shifted b, final int d, final int k) {
		return d < b.weights().length ? b.weights()[d][k] : 1;
	}

	private static double pixel(final Block b, final int x, final int y, final int z) {
		return Buffers.value(b.pixels(), b.type().min == 0, (z * b.extent(1) + y) * b.extent(0) + x);
	}

	/** The largest absolute pixel that is finite. */
	static double largest(final Block b) {
		double largest = 0;
		for (int i = 0; i < b.all(); i++) {
			final double v = Math.abs(Buffers.value(b.pixels(), b.type().min == 0, i));
			if (v <= Double.MAX_VALUE) largest = Math.max(largest, v);
		}
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

	static String name(final Block block) {
		if (block instanceof Block.Deformed d) return "deformed " + d.type() + " " + Arrays.toString(d.size()) + ", " + d.neighbours().count() + " neighbours, "
			+ (d.neighbours().edge() ? "edge" : "" + d.neighbours().beyond());
		final Block.Shifted b = (Block.Shifted) block;
		return b.type() + " " + Arrays.toString(b.size()) + (b.weights() == null ? " by Fourier"
			: " by " + b.count(0) + "x" + b.count(1) + "x" + b.count(2) + " weights")
			+ ", fractions " + Arrays.toString(b.fraction());
	}
}
