package sc.fiji.ncc.planner;

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

import sc.fiji.ncc.plan.support.Boxes;
import sc.fiji.ncc.plan.support.Buffers;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Pixels;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.plan.Weights;

/**
 * Noise for measurements: cubes of equal pixels, if requested with a tenth of the pixels missing. It takes the memory of one long row only: each row of the
 * image is a section of that row.
 */
final class RandomPixels implements Pixels {

	private static final int PADDING = 1 << 12;

	private final PixelType type;
	private final long[] size;
	private final Buffer noise;
	private final int grain;
	private final Pixels mask;

	private final List<Pixels> channels = new ArrayList<>();

	/**
	 * @param channelCount the number of channels, each with its own noise
	 * @param grain the side of a cube of equal pixels. 1 for white noise
	 * @param masked whether pixels are missing
	 */
	RandomPixels(final PixelType type, final Size size, final int channelCount, final long seed, final int grain, final boolean masked) {
		this(type, size, seed, grain, masked ? new RandomPixels(size, seed + 1) : null);
		for (int c = 1; c < channelCount; c++) channels.add(new RandomPixels(type, size, seed + c, grain, mask));
	}

	private RandomPixels(final PixelType type, final Size size, final long seed, final int grain, final Pixels mask) {
		this.mask = mask;
		this.grain = grain;
		channels.add(this);
		this.type = type;
		this.size = size.toArray();
		final Random random = new Random(seed);
		final int n = Math.toIntExact(size.get(0)) + PADDING;
		noise = type.allocate(n);
		for (int i = 0, v = 0; i < n; i++) {
			if (i % grain == 0) v = random.nextInt(1 << 16);
			put(noise, i, v, v, v / 256.0);
		}
	}

	/** Puts a number of 8 bits, of 16 or 32 bits, or a real number. */
	static void put(final Buffer to, final int i, final int small, final int whole, final double real) {
		if (to instanceof ByteBuffer) ((ByteBuffer) to).put(i, (byte) small);
		else if (to instanceof ShortBuffer) ((ShortBuffer) to).put(i, (short) whole);
		else if (to instanceof IntBuffer) ((IntBuffer) to).put(i, whole);
		else if (to instanceof FloatBuffer) ((FloatBuffer) to).put(i, (float) real);
		else ((DoubleBuffer) to).put(i, real);
	}

	/** The mask of an image: zeros and ones. */
	private RandomPixels(final Size size, final long seed) {
		this(PixelType.U8, size, seed, 1, null);
		for (int i = 0; i < noise.capacity(); i++) ((ByteBuffer) noise).put(i, (byte) ((((ByteBuffer) noise).get(i) & 0xff) < 26 ? 0 : 1));
	}

	@Override
	public Pixels mask() {
		return mask;
	}

	@Override
	public PixelType type() {
		return type;
	}

	@Override
	public List<Pixels> channels() {
		return channels;
	}

	@Override
	public long[] size() {
		return size.clone();
	}

	@Override
	public void read(final long[] min, final int[] box, final Buffer to) {
		final int rows = Boxes.rows(box);
		final Buffer target = to.duplicate();
		for (int row = 0; row < rows; row++) {
			long key = 0;
			for (int d = 1, rest = row; d < box.length; d++) {
				key = key * 1_000_003 + (min[d] + rest % box[d]) / grain;
				rest /= box[d];
			}
			final int from = (int) (min[0] + (key * 0x9E3779B97F4A7C15L >>> 52) % PADDING);
			final Buffer stretch = noise.duplicate();
			stretch.limit(from + box[0]);
			stretch.position(from);
			Buffers.copy(stretch, target);
			target.position(target.position() + box[0]);
		}
	}

	/** A template of noise. Its first and its last pixel differ, so it is never flat. */
	static Template template(final Size size, final PixelType type, final Weights kind, final int channels, final long seed) {
		final Random random = new Random(seed);
		final int n = Math.toIntExact(size.pixels());
		final double[] values = new double[n * channels], weights = kind == Weights.NONE ? null : new double[n];
		for (int i = 0; i < values.length; i++) {
			values[i] = random.nextInt(type.bytes == 1 ? 128 : 32_768);
			if (i < n && weights != null) weights[i] = random.nextInt(4) == 0 ? 0 : kind == Weights.REAL ? random.nextDouble() : 1;
		}
		values[0] = 0;
		values[n - 1] = 100;
		if (weights != null) weights[0] = weights[n - 1] = 1;
		return new Template(size, type, values, weights, channels);
	}

	/** A kernel that is the sum of {@code terms} separable kernels. */
	static Template separable(final Size size, final PixelType type, final int terms, final long seed) {
		final Random random = new Random(seed);
		final double[] values = new double[Math.toIntExact(size.pixels())];
		for (int t = 0; t < terms; t++) {
			final double[] product = new double[values.length];
			Arrays.fill(product, 1);
			int stride = 1;
			for (int d = 0; d < size.dimensions(); d++) {
				final int extent = Math.toIntExact(size.get(d));
				final double[] factor = random.doubles(extent, 0.5, 1).toArray();
				for (int i = 0; i < values.length; i++) product[i] *= factor[i / stride % extent];
				stride *= extent;
			}
			for (int i = 0; i < values.length; i++) values[i] += product[i];
		}
		return new Template(size, type, values, null);
	}
}
