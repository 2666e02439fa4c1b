package sc.fiji.ncc.cuda;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.Random;

import sc.fiji.ncc.plan.LagBox;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Pixels;
import sc.fiji.ncc.plan.Sink;

/** An image in an array of its raw bytes, and arrays for the maps. Reading and writing only copy rows. */
public final class HostArrays implements Pixels {

	private final PixelType type;
	private final long[] size;
	private final ByteBuffer bytes;
	private final float[][] maps;
	private final int[] lags;

	public HostArrays(final PixelType type, final long[] size, final byte[] bytes, final int maps, final LagBox lags) {
		this.type = type;
		this.size = size;
		this.bytes = ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
		this.maps = new float[maps][(int) lags.lags()];
		this.lags = lags.size();
	}

	/** Random numbers: integers of all values, floats from 0 to 1. */
	public static HostArrays noise(final PixelType type, final long[] size, final int maps, final LagBox lags) {
		int pixels = 1;
		for (final long s : size) pixels *= s;
		final byte[] bytes = new byte[pixels * type.bytes];
		final Random random = new Random(2);
		if (type == PixelType.F32) for (final ByteBuffer b = ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder()); b.hasRemaining();) b.putFloat(random.nextFloat());
		else random.nextBytes(bytes);
		return new HostArrays(type, size, bytes, maps, lags);
	}

	@Override
	public PixelType type() {
		return type;
	}

	@Override
	public long[] size() {
		return size.clone();
	}

	@Override
	public void read(final long[] min, final int[] box, final Buffer to) {
		final int rows = box[1] * (box.length > 2 ? box[2] : 1);
		final boolean whole = box[0] == size[0] && (box.length < 3 || box[1] == size[1]);
		for (int r = 0; r < (whole ? 1 : rows); r++) {
			final long z = box.length > 2 ? min[2] + r / box[1] : 0, y = min[1] + r % box[1];
			final int from = (int) ((z * size[1] + y) * size[0] + min[0]), count = whole ? box[0] * rows : box[0], at = to.position() + r * box[0];
			switch (type) {
				case U8: case S8: ((ByteBuffer) to).put(at, bytes, from, count); break;
				case U16: case S16: ((java.nio.ShortBuffer) to).put(at, bytes.asShortBuffer(), from, count); break;
				case F32: ((FloatBuffer) to).put(at, bytes.asFloatBuffer(), from, count); break;
				default: throw new IllegalArgumentException("not measured: " + type);
			}
		}
	}

	/** A sink that writes the map of one template to array i. */
	Sink sink(final int i) {
		return sink(i, 0);
	}

	/** A sink that writes the map of template t to array t. */
	public Sink sink() {
		return sink(0, 1);
	}

	private Sink sink(final int i, final int step) {
		return new Sink() {

			@Override
			public float undefined() {
				return 0;
			}

			@Override
			public void map(final int template, final long[] min, final int[] box, final Buffer from) {
				final FloatBuffer f = ((FloatBuffer) from).duplicate();
				final int rows = box[1] * (box.length > 2 ? box[2] : 1);
				final boolean whole = box[0] == lags[0] && (box.length < 3 || box[1] == lags[1]);
				for (int r = 0; r < (whole ? 1 : rows); r++) {
					final long z = box.length > 2 ? min[2] + r / box[1] : 0, y = min[1] + r % box[1];
					f.get(maps[i + step * template], (int) ((z * lags[1] + y) * lags[0] + min[0]), whole ? box[0] * rows : box[0]);
				}
			}
		};
	}
}
