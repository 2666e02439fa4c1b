package sc.fiji.ncc.bench;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.util.Random;

import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Pixels;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Template;

/** An image of uniform noise in memory, of bytes or floats. */
public final class Noise implements Pixels {

	private final PixelType type;
	private final long[] size;
	private final byte[] bytes;
	private final float[] floats;

	/** @param type U8 or F32 */
	public Noise(final PixelType type, final Size size, final long seed) {
		this.type = type;
		this.size = size.toArray();
		final Random random = new Random(seed);
		final int n = Math.toIntExact(size.pixels());
		bytes = type == PixelType.U8 ? new byte[n] : null;
		floats = type == PixelType.F32 ? new float[n] : null;
		if (bytes == null && floats == null) throw new IllegalArgumentException("noise is of U8 or F32, not " + type);
		if (bytes != null) random.nextBytes(bytes);
		else for (int i = 0; i < n; i++) floats[i] = 256 * random.nextFloat();
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
		int rows = 1;
		for (int d = 1; d < box.length; d++) rows *= box[d];
		for (int row = 0; row < rows; row++) {
			long from = min[0], stride = size[0];
			for (int d = 1, rest = row; d < box.length; d++) {
				from += (min[d] + rest % box[d]) * stride;
				stride *= size[d];
				rest /= box[d];
			}
			final int at = to.position() + row * box[0];
			if (bytes != null) ((ByteBuffer) to).put(at, bytes, (int) from, box[0]);
			else ((FloatBuffer) to).put(at, floats, (int) from, box[0]);
		}
	}

	/** A template of uniform noise. */
	public static Template template(final PixelType type, final Size size, final long seed) {
		final Noise noise = new Noise(type, size, seed);
		final double[] values = new double[Math.toIntExact(size.pixels())];
		for (int i = 0; i < values.length; i++) values[i] = noise.bytes != null ? noise.bytes[i] & 0xff : noise.floats[i];
		return new Template(size, type, values, null);
	}
}
