package sc.fiji.ncc.store;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

import sc.fiji.ncc.plan.PixelType;

/** Between the bytes of a file and the primitive arrays of images. */
public final class RawPixels {

	private RawPixels() {}

	/**
	 * The raw bits of so many pixels as the primitive array of their type.
	 *
	 * @param bytes with an array of its own, from its position on; of the order that it says
	 */
	public static Object array(final ByteBuffer bytes, final PixelType type, final int pixels) {
		switch (type) {
			case U8: case S8: {
				if (bytes.arrayOffset() == 0 && bytes.position() == 0 && bytes.array().length == pixels) return bytes.array();
				final byte[] v = new byte[pixels];
				bytes.duplicate().get(v);
				return v;
			}
			case U16: case S16: {
				final short[] v = new short[pixels];
				bytes.asShortBuffer().get(v);
				return v;
			}
			case U32: case S32: {
				final int[] v = new int[pixels];
				bytes.asIntBuffer().get(v);
				return v;
			}
			case F32: {
				final float[] v = new float[pixels];
				bytes.asFloatBuffer().get(v);
				return v;
			}
			default: {
				final double[] v = new double[pixels];
				bytes.asDoubleBuffer().get(v);
				return v;
			}
		}
	}

	/** So many pixels of one value. */
	static Object filled(final PixelType type, final double value, final int pixels) {
		switch (type) {
			case U8: case S8: {
				final byte[] v = new byte[pixels];
				Arrays.fill(v, (byte) (long) value);
				return v;
			}
			case U16: case S16: {
				final short[] v = new short[pixels];
				Arrays.fill(v, (short) (long) value);
				return v;
			}
			case U32: case S32: {
				final int[] v = new int[pixels];
				Arrays.fill(v, (int) (long) value);
				return v;
			}
			case F32: {
				final float[] v = new float[pixels];
				Arrays.fill(v, (float) value);
				return v;
			}
			default: {
				final double[] v = new double[pixels];
				Arrays.fill(v, value);
				return v;
			}
		}
	}

	/**
	 * The first pixels along each dimension of a block.
	 *
	 * @param bytes of a block of extents {@code from}, x fastest
	 * @param to not larger
	 * @return themselves if nothing is cut
	 */
	static byte[] corner(final byte[] bytes, final int[] from, final int[] to, final int pixelBytes) {
		if (Arrays.equals(from, to)) return bytes;
		int rows = 1;
		for (int d = 1; d < to.length; d++) rows *= to[d];
		final int n = to[0] * pixelBytes;
		final byte[] part = new byte[rows * n];
		for (int row = 0; row < rows; row++) {
			int at = 0, stride = from[0];
			for (int d = 1, rest = row; d < to.length; d++) {
				at += rest % to[d] * stride;
				rest /= to[d];
				stride *= from[d];
			}
			System.arraycopy(bytes, at * pixelBytes, part, row * n, n);
		}
		return part;
	}

	static ByteBuffer wrap(final byte[] bytes, final ByteOrder order) {
		return ByteBuffer.wrap(bytes).order(order);
	}
}
